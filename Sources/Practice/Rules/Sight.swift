/// How much somebody may know of a person.
public enum Sight: Equatable, Sendable {
    /// All of a person's fields: account, e-mail, telephone.
    case whole
    /// The person's name and role.
    case name

    /// Nil if the caller may not know that there is such a person.
    ///
    /// - Parameters:
    ///   - role: the person's.
    ///   - caller: the caller's role; nil for a visitor.
    ///   - isSelf: the person is the caller.
    ///   - isTheirs: one of the two is the client of the other.
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
