import CSQLite

/// An error of SQLite.
public struct SQLiteError: Error, Equatable, CustomStringConvertible {
    /// The primary result code, `SQLITE_BUSY`.
    public var code: CInt { extendedCode & 0xff }
    /// The extended result code, `SQLITE_IOERR_FSYNC` ("Result and Error Codes").
    public let extendedCode: CInt
    /// SQLite's message. It may quote the client's data, so it must not be written to the journal.
    public let message: String
    /// The statement; empty if none ran.
    public let sql: String
    /// The errno of the call that failed, if there was one.
    public let errorNumber: CInt

    public init(code: CInt, message: String = "", sql: String = "", errorNumber: CInt = 0) {
        extendedCode = code
        self.message = message
        self.sql = sql
        self.errorNumber = errorNumber
    }

    init(_ code: CInt, _ handle: OpaquePointer?, sql: String = "") {
        self.init(
            code: code, message: String(cString: handle == nil ? sqlite3_errstr(code) : sqlite3_errmsg(handle)),
            sql: sql, errorNumber: handle == nil ? 0 : sqlite3_system_errno(handle))
    }

    /// A write that failed cannot have brought its transaction's end to the disk. Another failure of the disk may come after
    /// it: a commit that threw this error may be in the database when it is opened again.
    public var mayHaveCommitted: Bool {
        code == Self.noMemory || code == Self.inputOutput && extendedCode != Self.failedWrite
    }

    public var description: String { "SQLite's error \(extendedCode): \(message)" }
}

/// SQLite's result codes that callers need. The primary ones are compared with ``SQLiteError/code``.
extension SQLiteError {
    public static let error = SQLITE_ERROR
    public static let busy = SQLITE_BUSY
    public static let locked = SQLITE_LOCKED
    public static let noMemory = SQLITE_NOMEM
    public static let readOnly = SQLITE_READONLY
    public static let inputOutput = SQLITE_IOERR
    public static let corrupt = SQLITE_CORRUPT
    public static let full = SQLITE_FULL
    public static let cannotOpen = SQLITE_CANTOPEN
    public static let tooBig = SQLITE_TOOBIG
    public static let constraint = SQLITE_CONSTRAINT
    public static let mismatch = SQLITE_MISMATCH
    public static let notADatabase = SQLITE_NOTADB
    public static let permission = SQLITE_PERM
    public static let authorization = SQLITE_AUTH
    /// Extended: a write failed, not a sync.
    public static let failedWrite = SQLITE_IOERR | 3 << 8
    /// Extended: the log's index could not be made larger, mostly because the disk is full.
    public static let failedToExtendIndex = SQLITE_IOERR | 19 << 8
    /// Extended: a trigger called RAISE(ABORT, …).
    public static let trigger = SQLITE_CONSTRAINT | 7 << 8
}
