/// The part of a person's data that a caller may see.
public enum Visibility: Equatable, Sendable {
    /// All fields, with account, e-mail and telephone.
    case whole
    /// Name and role only.
    case name

    /// Nil if the caller may not learn that the person exists.
    ///
    /// - Parameters:
    ///   - role: the role of the person.
    ///   - caller: the caller's role; nil for a visitor.
    ///   - isSelf: true if the person is the caller.
    ///   - isTheirs: true if one of the two is the other's client.
    public init?(of role: Role, by caller: Role?, isSelf: Bool, isTheirs: Bool) {
        switch caller {
        case nil: return nil
        case _ where isSelf: self = .whole
        case .administrator, .support: self = role.isStaff ? .whole : .name
        case .thanatologist:
            guard role.isStaff || isTheirs else { return nil }
            self = .name
        case .client:
            guard isTheirs else { return nil }
            self = .name
        }
    }
}
