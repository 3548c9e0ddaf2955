import CSQLite

/// One prepared statement. Its parameters are numbered: `$1`, `$2`, … as in PostgreSQL.
public final class Statement {
    let handle: OpaquePointer
    private let sql: String
    /// For each of SQLite's parameters, in the order in which the text names them: which value it takes.
    private let parameters: [Int]

    /// The first statement of the text. `rest` is told where the next one begins; nil where there is no statement.
    init?(_ sql: String, in database: OpaquePointer, isKept: Bool) throws(DatabaseError) {
        var handle: OpaquePointer?
        let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let code = sqlite3_prepare_v3(database, sql, -1, flags, &handle, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code, database, sql: sql) }
        guard let handle else { return nil }
        self.handle = handle
        self.sql = sql
        let count = sqlite3_bind_parameter_count(handle)
        parameters = (0..<count).map { index in
            // `$2` may come before `$1`; a bare `?` has no name, and the number of its place.
            let name = sqlite3_bind_parameter_name(handle, index + 1).map { String(cString: $0) }
            return name.flatMap { Int($0.dropFirst()) } ?? Int(index) + 1
        }
    }

    deinit { sqlite3_finalize(handle) }

    /// Somebody is reading its rows.
    var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

    /// Carries it out to its end, whatever rows it returns.
    public func run(_ values: [Value]) throws(DatabaseError) {
        try bind(values)
        defer { reset() }
        while try step() {}
    }

    /// There must be as many values as parameters: else the program is wrong.
    func bind(_ values: [Value]) throws(DatabaseError) {
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
            // A C string of ours, with its length: a NUL within it does not end it.
            return sqlite3_bind_text64(
                handle, place, text, UInt64(text.utf8.count), csqlite_transient, UInt8(SQLITE_UTF8))
        case .blob(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, place, 0) }
            return sqlite3_bind_blob64(handle, place, bytes, UInt64(bytes.count), csqlite_transient)
        }
    }

    /// Goes to the next row; false where there is none.
    func step() throws(DatabaseError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw error(code)
        }
    }

    /// Ends the reading: the statement can be carried out again.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    private func error(_ code: CInt) -> DatabaseError {
        DatabaseError(code, sqlite3_db_handle(handle), sql: sql)
    }
}
