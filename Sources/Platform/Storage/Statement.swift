import CSQLite

/// One prepared statement. Its parameters are numbered: `$1`, `$2`, … as in PostgreSQL.
public final class Statement {
    let handle: OpaquePointer
    private let sql: String
    /// The number of the value that each of SQLite's parameters takes, in the order of the text.
    private let parameters: [Int]

    /// Prepares the first statement of the text. Nil if the text has none.
    init?(_ sql: String, in database: OpaquePointer, isKept: Bool) throws(SQLiteError) {
        var handle: OpaquePointer?
        let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let code = sqlite3_prepare_v3(database, sql, -1, flags, &handle, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, database, sql: sql) }
        guard let handle else { return nil }
        self.handle = handle
        self.sql = sql
        let count = sqlite3_bind_parameter_count(handle)
        parameters = (0..<count).map { index in
            // `$2` may come before `$1`. A bare `?` has no name: its place is its number.
            let name = sqlite3_bind_parameter_name(handle, index + 1).map { String(cString: $0) }
            return name.flatMap { Int($0.dropFirst()) } ?? Int(index) + 1
        }
    }

    deinit { sqlite3_finalize(handle) }

    /// A caller is reading its rows.
    var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

    /// Runs it to its end and ignores its rows.
    public func run(_ values: [Value]) throws(SQLiteError) {
        try bind(values)
        defer { reset() }
        while try step() {}
    }

    /// - Precondition: there are as many values as parameters.
    func bind(_ values: [Value]) throws(SQLiteError) {
        precondition(values.count == parameters.max() ?? 0, "\(values.count) values for: \(sql)")
        for (index, number) in parameters.enumerated() {
            let code = bind(values[number - 1], at: CInt(index + 1))
            guard code == SQLITE_OK else { throw error(code) }
        }
    }

    private func bind(_ value: Value, at place: CInt) -> CInt {
        switch value {
        case .null: return sqlite3_bind_null(handle, place)
        case .integer(let number): return sqlite3_bind_int64(handle, place, number)
        case .real(let number): return sqlite3_bind_double(handle, place, number)
        case .text(let text):
            // The text is passed with its length, so that a NUL within it does not end it.
            return sqlite3_bind_text64(
                handle, place, text, UInt64(text.utf8.count), csqlite_transient, UInt8(SQLITE_UTF8))
        case .blob(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, place, 0) }
            return sqlite3_bind_blob64(handle, place, bytes, UInt64(bytes.count), csqlite_transient)
        }
    }

    /// Goes to the next row; false if there is none.
    func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw error(code)
        }
    }

    /// Ends the reading, so that the statement can run again.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    private func error(_ code: CInt) -> SQLiteError {
        SQLiteError(code, sqlite3_db_handle(handle), sql: sql)
    }
}
