import GRDB
import GRDBSQLite
import Glibc
import HomeworkRules
import Time

/// One connection to a history's database, set up so that what it acknowledges is durable.
final class Connection {
    private let queue: DatabaseQueue
    var path: String { queue.path }

    /// Opens what is there, of any earlier version; makes it where nothing is.
    static func open(
        _ place: Place, patience: Duration, keepsEarlierVersion: Bool = true
    ) throws(HistoryError) -> Connection {
        if try !place.find() {
            if keepsEarlierVersion { try place.checkIsFirst() }
            try make(place.path)
        }
        let header = try checkHeader(of: place.path)
        guard place.hasDescriptorsLeft else {
            errno = EMFILE
            throw Place.failed("open", place.path)
        }
        // What opens it writes into it then: a damaged one stays as it is, and so does its log.
        if try place.hasLog() || header.version < SQL.version { try checkSound(place.path, patience) }
        let connection = try Connection(place.path, patience)
        do throws(HistoryError) {
            try connection.checkWritable()
            try connection.bringUpToDate(keepsEarlierVersion)
            // That the log is there must be durable before it holds anything: SQLite asks for that as well, but does not
            // look whether it was done.
            try Place.syncFolder(of: place.path)
            try place.noteOpened()
        } catch {
            connection.closeForGood()
            throw error
        }
        return connection
    }

    /// In the middle of a trouble: it is never let go of, since libdispatch takes descriptors and memory of the kernel's to
    /// clear a queue away, and dies where it gets none.
    private func closeForGood() {
        try? close()  // Why it cannot be had is told already.
        leaveOpen()
    }

    /// Until the program ends: to close it would write what its log holds into the file.
    func leaveOpen() { _ = Unmanaged.passRetained(queue) }

    private init(_ path: String, _ patience: Duration) throws(HistoryError) {
        var configuration = Configuration()
        configuration.busyMode = .timeout(patience.inSeconds)
        configuration.label = "history"
        configuration.prepareDatabase { database in
            try database.execute(sql: Self.setUp)
        }
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// FULL syncs the write-ahead log at every commit. The cache is small because the history is read once, in order.
    private static let setUp = """
        PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON; PRAGMA cache_size = -256
        """

    /// Leaves the database as one file. The connection must not be used again, and is better kept until the program
    /// ends: letting go of it starts threads (libdispatch), which a sandbox refuses with a word.
    func close() throws(HistoryError) {
        do { try queue.close() } catch { throw HistoryError(error, path: queue.path) }
    }

    /// Reads or writes; what fails is told in the history's words.
    func access<Result>(_ body: (Database) throws -> Result) throws(HistoryError) -> Result {
        do { return try queue.inDatabase(body) } catch { throw HistoryError(error, path: queue.path) }
    }

    /// All or nothing, or nothing in any case. Waits for other writers before anything is written, never in the middle.
    func transaction(
        _ completion: Database.TransactionCompletion = .commit, _ body: (Database) throws -> Void
    ) throws(HistoryError) {
        try access { database in
            try database.inTransaction(.immediate) {
                try body(database)
                return completion
            }
        }
    }
}

extension Connection {
    /// Under another name first: a history is there whole, or not at all.
    private static func make(_ path: String) throws(HistoryError) {
        let new = path + ".new"
        try Place.makeEmpty(new)
        do throws(HistoryError) {
            try fill(new)
            try Place.rename(new, to: path)
            try Place.syncFolder(of: path)
        } catch {
            Place.remove(new)
            throw error
        }
    }

    /// Without GRDB: letting go of one of its queues leaves a thread behind, and the daemon has but one.
    static func fill(_ path: String) throws(HistoryError) {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        var code = sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil)
        if code == SQLITE_OK { code = sqlite3_exec(database, SQL.beginning, nil, nil, nil) }
        guard code == SQLITE_OK else {
            throw HistoryError(DatabaseError(resultCode: ResultCode(rawValue: code)), path: path)
        }
    }

    /// Writes what the log of that file holds into it, where it can.
    static func foldLog(of path: String) {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else { return }
        sqlite3_exec(database, "\(setUp); PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil)
    }

    /// Whether SQLite finds no fault in that file with its log, over a connection that begins anew, and writes nothing.
    static func isSound(_ path: String, _ patience: Duration = .zero) throws(HistoryError) -> Bool {
        var (database, statement): (OpaquePointer?, OpaquePointer?)
        defer {
            sqlite3_finalize(statement)
            sqlite3_close(database)
        }
        var code = sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_EXRESCODE, nil)
        if code == SQLITE_OK { code = sqlite3_busy_timeout(database, CInt(patience.inSeconds * 1_000)) }
        if code == SQLITE_OK { code = sqlite3_prepare_v2(database, SQL.check, -1, &statement, nil) }
        if code == SQLITE_OK { code = sqlite3_step(statement) }
        if code == SQLITE_ROW, let said = sqlite3_column_text(statement, 0) { return String(cString: said) == "ok" }
        guard ![SQLITE_ROW, SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xff) else { return false }
        throw HistoryError(DatabaseError(resultCode: ResultCode(rawValue: code)), path: path)
    }

    /// Throws where SQLite finds the file damaged.
    static func checkSound(_ path: String, _ patience: Duration) throws(HistoryError) {
        guard try isSound(path, patience) else { throw HistoryError.damage(at: path) }
    }

    /// What cannot be opened to be written, the file or its log, SQLite opens to be read, and says so when it is written to.
    private func checkWritable() throws(HistoryError) {
        try transaction(.rollback) { database in
            guard sqlite3_db_readonly(database.sqliteConnection, "main") == 0 else {
                throw DatabaseError(resultCode: .SQLITE_READONLY)
            }
        }
    }

    /// What the file says of itself, read without SQLite, which may write where it opens.
    private static func checkHeader(of path: String) throws(HistoryError) -> Header {
        let header = try Header(of: path)
        guard header.applicationID == SQL.applicationID, header.version >= 1 else {
            throw .damaged(reason: "The file \(path) is a database of another program, no history")
        }
        guard header.version <= SQL.version else { throw .newer(found: header.version, known: SQL.version) }
        return header
    }

    private func bringUpToDate(_ keepsEarlierVersion: Bool) throws(HistoryError) {
        let found = try access { database in
            try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        }
        guard found <= SQL.version else { throw .newer(found: found, known: SQL.version) }
        try keepLog()
        try emptyLog()
        guard found < SQL.version else { return }
        if keepsEarlierVersion {
            let copy = try Backups(of: queue.path).path("before-version-\(SQL.version).db")
            try Place.write(wholeTo: copy) { draft throws(HistoryError) in
                try Place.makeEmpty(draft)
                try self.copy(to: draft)
            }
        }
        try transaction { database in try database.execute(sql: SQL.steps(from: found)) }
    }

    private func keepLog() throws(HistoryError) {
        let mode = try access { database in try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") }
        guard mode == "wal" else {
            throw .unavailable(
                reason: "The disk of the history \(queue.path) allows no write-ahead log: use a local one")
        }
    }

    /// After a crash or a failed sync nobody knows which pages of the write-ahead log are on the disk and which only in
    /// memory. Written on behind those, what is acknowledged next could be lost with them; so the log begins anew.
    func emptyLog() throws(HistoryError) {
        let isBusy = try access { database in
            try Bool.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)") ?? false
        }
        guard !isBusy else { throw HistoryError(DatabaseError(resultCode: .SQLITE_BUSY), path: queue.path) }
    }
}
