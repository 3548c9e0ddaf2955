/// How much somebody may know of a person.
public enum Sight: Equatable, Sendable {
    /// All that stands with the person: account, e-mail, telephone.
    case whole
    /// Their name, and what they are here.
    case name

    /// Nil where the caller may not know that there is such a person.
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
