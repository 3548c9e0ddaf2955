import Storage
public import Time

/// Who read or changed what.
public struct AuditEntry: Equatable, Sendable, Identified {
    public static let letter: Character = "a"

    public let id: ID<AuditEntry>
    public let at: Instant
    /// Nil for the practice itself.
    public let person: ID<Person>?
    /// The method, `GetClient`.
    public let did: String
    public let client: ID<Person>?
    public let what: String?
    public let through: String
}

extension Store {
    public func addAudit(
        at: Instant, _ person: ID<Person>?, did: String, client: ID<Person>?, what: String?, through: String
    ) throws {
        try database.run(
            "INSERT INTO audit (at, person, did, client, what, through) VALUES ($1, $2, $3, $4, $5, $6)", at, person,
            did, client, what, through)
    }
}
