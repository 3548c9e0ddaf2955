import PostgreSQL
import Storage
import Time

/// A table as a move sees it: the names of its columns, and those of its key.
struct TableShape {
    let name: String
    let columns: [String]
    /// In the order of the key.
    let key: [String]
    /// Rows are numbered by the engine, and a number is never given again.
    let isNumbered: Bool

    /// The tables of a practice, in an order in which their rows can be written.
    static func all() throws -> [TableShape] {
        let database = try SQLiteDatabase(":memory:")
        for step in Tables.steps { try database.execute(Dialect.sqlite.sql(step)) }
        let names = try database.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
        ) { $0.text(0) ?? "" }
        let numbered = Set(
            try database.rows(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'"
            ) { $0.text(0) ?? "" })
        // A letter that was sent takes no more recipients.
        let last = "letter"
        return try (names.filter { $0 != last } + [last]).map { name in
            let columns = try database.rows("SELECT name, pk FROM pragma_table_info($1)", name) {
                (name: $0.text(0) ?? "", place: $0.int(1) ?? 0)
            }
            return TableShape(
                name: name, columns: columns.map(\.name),
                key: columns.filter { $0.place > 0 }.sorted { $0.place < $1.place }.map(\.name),
                isNumbered: numbered.contains(name))
        }
    }

    func key(of row: [Value]) -> [Value] { key.compactMap { columns.firstIndex(of: $0) }.map { row[$0] } }

    /// Leaves out the rows that are about a server itself: the version of its tables, and its notices.
    static func condition(of table: String, _ word: String) -> String {
        switch table {
        case "fact": "\(word)name <> '\(Fact.tables.rawValue)'"
        case "counter": "\(word)name <> '\(Store.removedNotices)'"
        default: ""
        }
    }

    /// The rows that are read at once. The longest have a megabyte.
    static let page = 100
}

extension Store {
    func rowCount(of table: TableShape) throws -> Int {
        try database.number("SELECT count(*) FROM \(table.name)\(TableShape.condition(of: table.name, " WHERE "))") ?? 0
    }

    /// The next rows in the order of their keys.
    func page(of table: TableShape, after key: [Value]?, limit: Int = TableShape.page) throws -> [[Value]] {
        let keys = table.key.joined(separator: ", ")
        var conditions: [String] = []
        if let key {
            conditions.append("(\(keys)) > (\(key.indices.map { "$\($0 + 1)" }.joined(separator: ", ")))")
        }
        let own = TableShape.condition(of: table.name, "")
        if !own.isEmpty { conditions.append(own) }
        let chosen = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        var rows: [[Value]] = []
        try database.each(
            "SELECT \(table.columns.joined(separator: ", ")) FROM \(table.name)\(chosen) ORDER BY \(keys) LIMIT \(limit)",
            key ?? [], atMost: limit
        ) { row in
            // A row cannot be used within a closure.
            var values: [Value] = []
            for column in 0..<row.count { values.append(row.value(column)) }
            rows.append(values)
        }
        return rows
    }

    func insert(_ rows: [[Value]], into table: TableShape) throws {
        let width = table.columns.count
        let places = rows.indices.map { row in
            "(" + (1...width).map { "$\(row * width + $0)" }.joined(separator: ", ") + ")"
        }
        try database.run(
            "INSERT INTO \(table.name) (\(table.columns.joined(separator: ", "))) VALUES "
                + places.joined(separator: ", "), Array(rows.joined()))
    }

    /// The greatest number that was ever given; 0 if there was none.
    func lastNumber(of table: TableShape) throws -> Int {
        switch dialect {
        case .sqlite: return try database.number("SELECT seq FROM sqlite_sequence WHERE name = $1", table.name) ?? 0
        case .postgreSQL:
            let sequence = try sequence(of: table)
            return try database.number("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM \(sequence)") ?? 0
        }
    }

    /// The next row has a greater number than this one.
    func setLastNumber(of table: TableShape, _ number: Int) throws {
        guard number > 0 else { return }
        switch dialect {
        case .sqlite:
            try database.run("DELETE FROM sqlite_sequence WHERE name = $1", table.name)
            try database.run("INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)", table.name, number)
        case .postgreSQL: try database.run("SELECT setval('\(try sequence(of: table))', $1)", number)
        }
    }

    private func sequence(of table: TableShape) throws -> String {
        try database.first("SELECT pg_get_serial_sequence('\(table.name)', 'id')") { $0.text(0) ?? "" } ?? ""
    }

    /// True if a daemon that serves the server's database was heard of.
    func isServed() throws -> Bool {
        try database.number(
            "SELECT count(*) FROM daemon WHERE heard > \(Self.serverTime) - $1", Self.daemonPatience.microseconds) != 0
    }
}
