import CSQLite
import Glibc

/// One connection to an SQLite database, for one thread. Each thread opens its own.
///
/// ```swift
/// let store = try SQLiteDatabase(path, .writing, patience: .seconds(10))
/// try store.transaction { try store.run("INSERT INTO letter VALUES ($1, $2)", number, subject) }
/// let subjects = try store.rows("SELECT subject FROM letter WHERE number < $1", 20) { $0.text(0) ?? "" }
/// ```
public final class SQLiteDatabase: Database {
    /// The rights of a connection. None of them creates the file; an empty file is an empty database.
    public enum Access {
        case reading, writing
        /// Reads the file as it is, ignores later changes, takes no lock, and writes neither the file nor its log.
        case looking
    }

    public let path: String
    /// How the file was found, if it is only looked at.
    let look: Look?
    private var handle: OpaquePointer?
    private var statements: [String: Statement] = [:]
    private var depth = 0
    public var onStatement: ((String) -> Void)?

    /// - Large results are sorted in memory: files in /var/tmp would hold the client's words.
    private static let setUpForReading = "PRAGMA temp_store = MEMORY"

    /// - FULL syncs the write-ahead log at every commit.
    /// - Deleted content is overwritten.
    /// - A cache of 256 KiB is enough for reading in order.
    private static let setUp = """
        PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON; PRAGMA cache_size = -256
        """

    /// Throws ``SQLiteError/cannotOpen`` if the file or a file that SQLite keeps beside it is no regular file, because
    /// SQLite would never return from opening a pipe.
    ///
    /// - Parameter patience: how long a statement waits for another program's lock.
    public init(_ path: String, _ access: Access = .writing, patience: Duration = .zero) throws(SQLiteError) {
        self.path = path
        look = access == .looking ? Look(at: path) : nil
        guard ["", "-wal", "-shm", "-journal"].allSatisfy({ Self.isRegularOrMissing(path + $0) }) else {
            throw SQLiteError(code: SQLiteError.cannotOpen)
        }
        let flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        var code =
            switch access {
            case .reading: sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_READONLY, nil)
            case .writing: sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_READWRITE, nil)
            case .looking: look?.open(path, &handle) ?? SQLITE_MISUSE
            }
        let milliseconds = patience.components.seconds * 1_000 + patience.components.attoseconds / 1_000_000_000_000_000
        if code == SQLITE_OK, access != .looking { csqlite_give_room(handle) }
        if code == SQLITE_OK { code = csqlite_distrust(handle) }
        if code == SQLITE_OK { code = sqlite3_busy_timeout(handle, CInt(clamping: milliseconds)) }
        if code == SQLITE_OK { code = sqlite3_exec(handle, Self.setUpForReading, nil, nil, nil) }
        if code == SQLITE_OK, access == .writing { code = sqlite3_exec(handle, Self.setUp, nil, nil, nil) }
        guard code == SQLITE_OK else { throw SQLiteError(code, handle) }
    }

    private static func isRegularOrMissing(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    /// Makes this database a copy of that one, as it is at one instant.
    func copyAll(from source: SQLiteDatabase) throws(SQLiteError) {
        guard source.hasSoundHeader else { throw SQLiteError(code: SQLITE_CORRUPT) }
        guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else { throw error("") }
        let stepped = sqlite3_backup_step(backup, -1)
        let finished = sqlite3_backup_finish(backup)
        for code in [finished, stepped] where code != SQLITE_OK && code != SQLITE_DONE {
            throw SQLiteError(code, handle)
        }
    }

    deinit {
        guard handle != nil else { return }
        statements = [:]
        keepLogUnlessReadable()
        sqlite3_close_v2(handle)
    }

    /// Closes the connection. The last connection to close copies the write-ahead log into the file. SQLite does not report
    /// whether that succeeded: see ``emptyLog()``. No statement may run afterwards.
    ///
    /// - Parameter keepingLog: leaves the file and the log as they are.
    public func close(keepingLog: Bool = false) throws(SQLiteError) {
        statements = [:]
        if keepingLog { csqlite_keep_log_on_close(handle, 1) } else { keepLogUnlessReadable() }
        let code = sqlite3_close(handle)
        guard code == SQLITE_OK else { throw error("") }
        handle = nil
    }

    /// If the log's index cannot be opened, SQLite 3.40 takes the log for an empty one when it closes, and removes it. A
    /// connection that cannot read therefore leaves the file and the log as they are, and so does one that only looks.
    private func keepLogUnlessReadable() {
        guard look == nil else {
            csqlite_keep_log_on_close(handle, 1)
            return
        }
        let code = sqlite3_exec(handle, "SELECT 1 FROM sqlite_schema LIMIT 1", nil, nil, nil)
        csqlite_keep_log_on_close(handle, code == SQLITE_OK ? 0 : 1)
    }

    private func error(_ sql: String) -> SQLiteError {
        SQLiteError(sqlite3_extended_errcode(handle), handle, sql: sql)
    }
}

extension SQLiteDatabase {
    /// Runs statements without parameters, one after the other, and ignores their rows.
    public func execute(_ sql: String) throws(SQLiteError) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error(sql) }
    }

    public func run(_ sql: String, _ values: [Value]) throws(SQLiteError) { try prepare(sql).run(values) }

    public func each(
        _ sql: String, _ values: [Value], atMost limit: Int, _ body: (borrowing Row) throws -> Void
    ) throws {
        let statement = try prepare(sql)
        try statement.bind(values)
        defer { statement.reset() }
        var count = 0
        while count < limit, try statement.step() {
            try body(Row(statement.handle))
            count += 1
        }
    }

    /// The prepared statement for this text. Each text is prepared once.
    public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        guard let handle else { preconditionFailure("the database \(path) is closed") }
        onStatement?(sql)
        return try statement(for: sql, in: handle)
    }

    private func statement(for sql: String, in handle: OpaquePointer) throws(SQLiteError) -> Statement {
        let kept = statements[sql]
        if let kept, !kept.isBusy { return kept }
        // A caller is still reading the rows of the kept statement.
        guard let statement = try Statement(sql, in: handle, isKept: kept == nil) else {
            preconditionFailure("no statement: \(sql)")
        }
        if kept == nil { statements[sql] = statement }
        return statement
    }
}

extension SQLiteDatabase {
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        let isInner = depth > 0
        try order(isInner ? "SAVEPOINT inner" : "BEGIN IMMEDIATE")
        depth += 1
        defer { depth -= 1 }
        do {
            let result = try body()
            try order(isInner ? "RELEASE inner" : "COMMIT")
            return result
        } catch {
            // SQLite rolls a transaction back by itself if the disk fails.
            if sqlite3_get_autocommit(handle) == 0 {
                // The caller needs the first error.
                try? execute(isInner ? "ROLLBACK TO inner; RELEASE inner" : "ROLLBACK")
            }
            throw error
        }
    }

    /// Runs a statement that begins or ends a transaction. It is prepared once, because there are two for each call.
    private func order(_ sql: String) throws(SQLiteError) {
        guard let handle else { preconditionFailure("the database \(path) is closed") }
        try statement(for: sql, in: handle).run([])
    }

    /// True if the file, or its log, could only be opened for reading.
    public var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") != 0 }

    public var changeCount: Int { Int(sqlite3_total_changes64(handle)) }

    /// Frees the cache memory that is not in use.
    public func releaseMemory() { sqlite3_db_release_memory(handle) }

    /// Turns the write-ahead log on; false if the disk does not allow one.
    public func keepLog() throws(SQLiteError) -> Bool {
        let statement = try prepare("PRAGMA journal_mode = WAL")
        defer { statement.reset() }
        return try statement.step() && Row(statement.handle).text(0) == "wal"
    }

    /// Copies the write-ahead log into the file, durably, and empties the log.
    public func emptyLog() throws {
        guard try number("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else { throw SQLiteError(code: SQLITE_BUSY) }
    }

    /// The first bytes of the file; nil if it is shorter, or there is none.
    func read(_ count: Int) -> [UInt8]? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
            let methods = file.pointee.pMethods
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        return methods.pointee.xRead(file, &bytes, CInt(count), 0) == SQLITE_OK ? bytes : nil
    }

    /// True if the header is sound and SQLite finds no fault in the file's structure.
    ///
    /// - Parameter withIndexes: also compares each index with its table, which takes many times as long.
    public func isSound(withIndexes: Bool) throws -> Bool {
        guard hasSoundHeader else { return false }
        let said = try rows(withIndexes ? "PRAGMA integrity_check(1)" : "PRAGMA quick_check(1)") { $0.text(0) }
        return said == ["ok"]
    }

    /// Compares each index with its table, and makes all of them anew if one is not its table's: a statement that finds its rows
    /// by a damaged index overlooks rows. Needs an open transaction. False if nothing was to be done. Throws
    /// ``SQLiteError/corrupt`` if the database is damaged otherwise.
    @discardableResult public func mendIndexes() throws -> Bool {
        guard try !isSound(withIndexes: true) else { return false }
        guard try isSound(withIndexes: false) else { throw SQLiteError(code: SQLITE_CORRUPT) }
        do { try execute("REINDEX") } catch  where error.code == SQLITE_CONSTRAINT {
            // Two rows have what only one may have: the index had lost the first.
            throw SQLiteError(code: SQLITE_CORRUPT)
        }
        guard try isSound(withIndexes: true) else { throw SQLiteError(code: SQLITE_CORRUPT) }
        return true
    }

    /// Copies the whole database into an empty or new file.
    public func copy(to path: String) throws { try run("VACUUM INTO $1", path) }

    /// Opens a second file while `body` runs. Its tables are called `name.table`.
    public func attaching<Result>(_ path: String, as name: String, _ body: () throws -> Result) throws -> Result {
        try run("ATTACH $1 AS \(name)", path)
        defer { try? execute("DETACH \(name)") }  // If it fails, the next ATTACH throws.
        return try body()
    }
}
