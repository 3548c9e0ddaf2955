import Storage
public import Time

/// A row of the list of clients.
public struct ClientRow: Equatable, Sendable {
    public let id: ID<Person>
    public let number: Int
    public let name: String
    public let thanatologist: ID<Person>
    public let isOpen: Bool
    /// The number of sessions that are not voided.
    public let sessions: Int
    public let lastSession: CalendarDay?
    let sortKey: String
}

/// The filter of the list of clients.
public struct ClientFilter: Sendable {
    /// The thanatologist whose clients are listed; nil for all clients.
    public var holder: ID<Person>?
    public var thanatologist: ID<Person>?
    public var isOpen: Bool?
    /// A part of a name, in any case and without accents, or the number of a record.
    public var query: String?

    public init() {}

    /// The conditions in SQL, for the tables `client c` and `person p`. Adds their parameters to `values`.
    fileprivate func conditions(_ values: inout [Value]) -> [String] {
        var conditions: [String] = []
        func add(_ condition: String, _ value: any Bindable) {
            values.append(value.databaseValue)
            conditions.append(condition + " $\(values.count)")
        }
        if let holder { add("c.thanatologist =", holder) }
        if let thanatologist { add("c.thanatologist =", thanatologist) }
        if let isOpen { add("c.open =", isOpen) }
        guard let query else { return conditions }
        if let number = Int(query) {
            add("c.number =", number)
        } else {
            add("p.folded LIKE", Collation.pattern(finding: query))
            conditions[conditions.count - 1] += " ESCAPE '\\'"
        }
        return conditions
    }
}

extension Store {
    private static let table = "client c JOIN person p ON p.id = c.person"

    /// A page of clients, sorted by name.
    public func clients(_ filter: ClientFilter, _ page: PageRequest) throws -> Page<ClientRow> {
        let start = page.after ?? .first
        var values: [Value] = [.text(start.sortKey), .integer(start.id), (page.limit + 1).databaseValue]
        let conditions = ["(c.sort_key, c.person) > ($1, $2)"] + filter.conditions(&values)
        var rows: [ClientRow] = []
        try database.each(
            """
            SELECT c.person, c.number, p.name, c.thanatologist, c.open,
            c.sessions - (SELECT count(*) FROM void v WHERE v.client = c.person),
            (SELECT s.on_day FROM session s WHERE s.client = c.person
            AND NOT EXISTS (SELECT 1 FROM void v WHERE v.session = s.id) ORDER BY s.on_day DESC LIMIT 1), c.sort_key
            FROM \(Self.table) WHERE \(conditions.joined(separator: " AND "))
            ORDER BY c.sort_key, c.person LIMIT $3
            """, values
        ) {
            rows.append(
                ClientRow(
                    id: $0.id(0) ?? ID(0), number: $0.int(1) ?? 0, name: $0.text(2) ?? "",
                    thanatologist: $0.id(3) ?? ID(0),
                    isOpen: $0.bool(4) ?? false, sessions: $0.int(5) ?? 0, lastSession: $0.day(6),
                    sortKey: $0.text(7) ?? ""))
        }
        return Page(rows, page) { PageStart(sortKey: $0.sortKey, id: $0.id.number) }
    }

    /// The number of clients on all pages.
    public func clientCount(_ filter: ClientFilter) throws -> Int {
        var values: [Value] = []
        let conditions = filter.conditions(&values)
        let only = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        var count = 0
        let table = filter.query == nil ? "client c" : Self.table
        try database.each("SELECT count(*) FROM \(table)\(only)", values) { count = $0.int(0) ?? 0 }
        return count
    }
}
