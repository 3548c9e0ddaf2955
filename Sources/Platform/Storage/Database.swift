/// One connection to a database, for one thread. The same SQL runs on SQLite and on PostgreSQL.
///
/// A statement's parameters are numbered: `$1`, `$2`, … Each text is prepared once.
public protocol Database: AnyObject {
    /// Called with the text of each statement before it runs.
    var onStatement: ((String) -> Void)? { get set }

    /// Runs statements without parameters, one after the other, and ignores their rows.
    func execute(_ sql: String) throws

    /// Runs one statement, and ignores its rows.
    func run(_ sql: String, _ values: [Value]) throws

    /// Goes through the rows one at a time, as many as the limit allows.
    func each(_ sql: String, _ values: [Value], atMost limit: Int, _ body: (borrowing Row) throws -> Void) throws

    /// Atomic: the writes of `body` are committed; if it throws, they are rolled back.
    ///
    /// Waits for other writers before `body` begins, never in the middle. A transaction within another is a savepoint:
    /// if it throws, only its own writes are rolled back.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result

    /// How many rows were written over this connection.
    var changeCount: Int { get }
}

extension Database {
    /// Runs one statement, and ignores its rows.
    public func run(_ sql: String, _ values: (any Bindable)...) throws { try run(sql, values.map(\.databaseValue)) }

    /// Goes through the rows one at a time.
    public func each(_ sql: String, _ values: [Value] = [], _ body: (borrowing Row) throws -> Void) throws {
        try each(sql, values, atMost: .max, body)
    }

    /// The result of `make` for each row.
    public func rows<Result>(
        _ sql: String, _ values: (any Bindable)..., make: (borrowing Row) throws -> Result
    ) throws -> [Result] {
        var found: [Result] = []
        try each(sql, values.map(\.databaseValue), atMost: .max) { found.append(try make($0)) }
        return found
    }

    /// The result of `make` for the first row; nil if there is none.
    public func first<Result>(
        _ sql: String, _ values: (any Bindable)..., make: (borrowing Row) throws -> Result
    ) throws -> Result? {
        var found: Result?
        try each(sql, values.map(\.databaseValue), atMost: 1) { found = try make($0) }
        return found
    }

    /// The number in the first column of the first row; nil if there is none, or NULL.
    public func number(_ sql: String, _ values: (any Bindable)...) throws -> Int? {
        var found: Int?
        try each(sql, values.map(\.databaseValue), atMost: 1) { found = $0.int(0) }
        return found
    }
}
