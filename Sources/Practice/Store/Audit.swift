import Storage
public import Time

/// An entry of the audit: a person read or changed something.
public struct AuditEntry: Equatable, Sendable, Identified {
    public static let letter: Character = "a"

    public let id: ID<AuditEntry>
    public let at: Instant
    /// Nil for root, for the daemon itself, and for a stranger at the gate.
    public let person: ID<Person>?
    public var personName: String?
    /// The method, such as `GetClient`.
    public let did: String
    public let client: ID<Person>?
    /// Nil if the client's record was erased, or if the caller may not know the name.
    public var clientName: String?
    public let what: String?
    public let through: String

    /// `through` of a caller whom the gate has not let in.
    public static let gate = "ssh"
}

/// The audit entries that a caller requests.
public struct AuditQuery: Sendable {
    public enum Scope: Equatable, Sendable {
        case everything
        /// The entries that concern this client.
        case client(ID<Person>)
        /// The entries of a thanatologist's own actions, and of their clients.
        case thanatologist(ID<Person>)
    }

    public var scope: Scope
    public var person: ID<Person>?
    public var client: ID<Person>?
    /// The first instant.
    public var since: Instant?
    /// The end, which is not included.
    public var before: Instant?

    public init(_ scope: Scope) { self.scope = scope }
}

extension Store {
    public func addAudit(
        at: Instant, _ person: ID<Person>?, did: String, client: ID<Person>?, what: String?, through: String
    ) throws {
        try database.run(
            "INSERT INTO audit (at, person, did, client, what, through) VALUES ($1, $2, $3, $4, $5, $6)", at, person,
            did, client, what, through)
    }

    /// The newest entries that a thanatologist may read: of their own actions, and of each of their clients. Each is queried
    /// by itself, because the indexes sort the entries of one person and of one client.
    private func newestIDs(
        for thanatologist: ID<Person>, _ client: ID<Person>?, _ wanted: String, _ values: [any Bindable]
    ) throws -> [Int64] {
        let limit = values[0].databaseValue
        var found: [Int64: Int64] = [:]
        func look(_ column: String, _ id: ID<Person>) throws {
            try database.each(
                """
                SELECT a.id, a.at FROM audit a WHERE a.\(column) = $\(values.count + 1) AND \(wanted)
                ORDER BY a.at DESC, a.id DESC LIMIT $1
                """, values.map(\.databaseValue) + [id.databaseValue]
            ) { found[$0.integer(0) ?? 0] = $0.integer(1) }
        }
        try look("person", thanatologist)
        let clients = try database.rows("SELECT person FROM client WHERE thanatologist = $1", thanatologist) {
            $0.id(0) ?? ID<Person>(0)
        }
        for own in clients where client == nil || own == client { try look("client", own) }
        guard case .integer(let count) = limit else { return [] }
        return found.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.prefix(Int(count)).map(\.key)
    }

    /// A page of the audit, the newest entry first.
    public func audit(_ query: AuditQuery, _ page: PageRequest) throws -> Page<AuditEntry> {
        // The sort key of an entry is its instant.
        let start = page.after.flatMap { after in Int64(after.sortKey).map { (at: $0, id: after.id) } }
        var values: [any Bindable] = [page.limit + 1, start?.at ?? .max, start?.id ?? .max]
        func value(_ value: any Bindable) -> String {
            values.append(value)
            return "$\(values.count)"
        }
        var wanted = "(a.at, a.id) < ($2, $3)"
        if let person = query.person { wanted += " AND a.person = \(value(person))" }
        if let client = query.client { wanted += " AND a.client = \(value(client))" }
        if let since = query.since { wanted += " AND a.at >= \(value(since))" }
        if let before = query.before { wanted += " AND a.at < \(value(before))" }
        let newest = "ORDER BY a.at DESC, a.id DESC LIMIT $1"

        let found: String
        var named = ""
        switch query.scope {
        case .everything: found = "SELECT a.id FROM audit a WHERE \(wanted) \(newest)"
        case .client(let client):
            found = "SELECT a.id FROM audit a WHERE a.client = \(value(client)) AND \(wanted) \(newest)"
        case .thanatologist(let thanatologist):
            let ids = try newestIDs(for: thanatologist, query.client, wanted, values)
            guard !ids.isEmpty else { return Page([], page) { _ in .first } }
            // A client who was transferred to somebody else has no name here.
            named = "AND c.id IN (SELECT person FROM client WHERE thanatologist = \(value(thanatologist)))"
            found = ids.map { value($0) }.joined(separator: ", ")
        }
        var entries: [AuditEntry] = []
        try database.each(
            """
            SELECT a.id, a.at, a.person, p.name, a.did, a.client, c.name, a.what, a.through FROM audit a
            LEFT JOIN person p ON p.id = a.person LEFT JOIN person c ON c.id = a.client \(named)
            WHERE a.id IN (\(found)) \(newest)
            """, values.map(\.databaseValue)
        ) {
            entries.append(
                AuditEntry(
                    id: $0.id(0) ?? ID(0), at: $0.instant(1) ?? Instant(microseconds: 0), person: $0.id(2),
                    personName: $0.text(3), did: $0.text(4) ?? "", client: $0.id(5), clientName: $0.text(6),
                    what: $0.text(7), through: $0.text(8) ?? ""))
        }
        return Page(entries, page) { PageStart(sortKey: String($0.at.microseconds), id: $0.id.number) }
    }
}
