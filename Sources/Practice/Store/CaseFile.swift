import Storage
import Time

/// Queries for a case file, which has more than the lists.
extension Store {
    /// All sessions of a client, sorted by number.
    public func allSessions(of client: ID<Person>) throws -> [Session] {
        var sessions: [Session] = []
        while true {
            let found = try self.sessions(of: client, before: sessions.last?.number ?? .max, limit: 200)
            guard !found.isEmpty else { return sessions.reversed() }
            sessions += found
        }
    }

    /// The audit of a client's record, the oldest entry first.
    public func audit(of client: ID<Person>) throws -> [AuditEntry] {
        try database.rows(
            "SELECT id, at, person, did, client, what, through FROM audit WHERE client = $1 ORDER BY id", client
        ) {
            AuditEntry(
                id: $0.id(0) ?? ID(0), at: $0.instant(1) ?? Instant(microseconds: 0), person: $0.id(2),
                did: $0.text(3) ?? "", client: $0.id(4), what: $0.text(5), through: $0.text(6) ?? "")
        }
    }

    /// The names of the people, services and words that a client's record and its audit mention, by their identifiers.
    public func namesInRecord(of client: ID<Person>) throws -> [String: String] {
        var names: [String: String] = [:]
        try database.each(
            """
            SELECT '\(Person.letter)' || id, name FROM person WHERE id IN (
            SELECT person FROM audit WHERE client = $1 UNION SELECT thanatologist FROM turn WHERE client = $1
            UNION SELECT by_person FROM turn WHERE client = $1 UNION SELECT thanatologist FROM session WHERE client = $1
            UNION SELECT a.by_person FROM session s JOIN addendum a ON a.session = s.id WHERE s.client = $1
            UNION SELECT by_person FROM void WHERE client = $1 UNION SELECT by_person FROM schedule WHERE client = $1
            UNION SELECT by_person FROM talking_point WHERE client = $1)
            UNION ALL SELECT '\(Service.letter)' || id, name FROM service WHERE id IN (SELECT service FROM session WHERE client = $1)
            UNION ALL SELECT '\(Term.letter)' || id, word FROM term WHERE id IN (
            SELECT t.term FROM session s JOIN session_term t ON t.session = s.id WHERE s.client = $1)
            """, [client.databaseValue]
        ) { names[$0.text(0) ?? ""] = $0.text(1) }
        return names
    }
}
