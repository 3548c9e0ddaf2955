import Storage
public import Time

/// A line of a list of clients.
public struct ClientRow: Equatable, Sendable {
    public let id: ID<Person>
    public let number: Int
    public let name: String
    public let thanatologist: ID<Person>
    public let isOpen: Bool
    /// Those that count: without the voided ones.
    public let sessions: Int
    public let lastSession: CalendarDay?
    /// Where a page that ends with this line is continued.
    public let place: PageStart
}

/// Which clients a list has.
public struct ClientFilter: Sendable {
    /// Theirs alone; nil for everybody's.
    public var holder: ID<Person>?
    public var thanatologist: ID<Person>?
    public var isOpen: Bool?
    /// Part of a name, whatever its case and accents, or the whole number of a record.
    public var query: String?

    public init() {}

    /// Conditions for SQL on the table `client`, called `c`. Their parameters follow those that `values` has.
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
            let part = Collation.folded(query).reduce(into: "") { escaped, letter in
                escaped += "%_\\".contains(letter) ? "\\\(letter)" : String(letter)
            }
            add("c.folded LIKE", "%\(part)%")
            conditions[conditions.count - 1] += " ESCAPE '\\'"
        }
        return conditions
    }
}

extension Store {
    /// Clients by name, from that place on.
    public func clients(_ filter: ClientFilter, after start: PageStart, limit: Int) throws -> [ClientRow] {
        var values: [Value] = [start.sortKey.databaseValue, start.id.databaseValue, limit.databaseValue]
        let conditions = ["(c.sort_key, c.person) > ($1, $2)"] + filter.conditions(&values)
        var rows: [ClientRow] = []
        try database.each(
            """
            SELECT c.person, c.number, p.name, c.thanatologist, c.open,
            c.sessions - (SELECT count(*) FROM void v WHERE v.client = c.person),
            (SELECT s.on_day FROM session s WHERE s.client = c.person
            AND NOT EXISTS (SELECT 1 FROM void v WHERE v.session = s.id) ORDER BY s.on_day DESC LIMIT 1), c.sort_key
            FROM client c JOIN person p ON p.id = c.person WHERE \(conditions.joined(separator: " AND "))
            ORDER BY c.sort_key, c.person LIMIT $3
            """, values
        ) {
            let id: ID<Person> = $0.id(0) ?? ID(0)
            rows.append(
                ClientRow(
                    id: id, number: $0.int(1) ?? 0, name: $0.text(2) ?? "", thanatologist: $0.id(3) ?? ID(0),
                    isOpen: $0.bool(4) ?? false, sessions: $0.int(5) ?? 0, lastSession: $0.day(6),
                    place: PageStart(sortKey: $0.text(7) ?? "", id: id.number)))
        }
        return rows
    }

    /// How many clients the whole list has.
    public func clientCount(_ filter: ClientFilter) throws -> Int {
        var values: [Value] = []
        let conditions = filter.conditions(&values)
        let only = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        var count = 0
        try database.each("SELECT count(*) FROM client c" + only, values) { count = $0.int(0) ?? 0 }
        return count
    }
}
