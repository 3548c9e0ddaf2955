import Files
import Glibc
import Storage
import Time

/// The file of a history. One program holds it at a time, and only its user may write in its folder.
final class HistoryFile {
    let path: String
    private let logPath: String
    /// The file as it was when it was opened: another one may take its name meanwhile.
    private var opened: FileIdentity?
    /// The log as the connection left it.
    private var log: FileStamp?
    /// A lock of its own beside the database, because SQLite releases its locks between transactions.
    private let lock: FileLock

    /// Makes the folder (mode 0700) if there is none, and locks the history until this object ends.
    init(_ path: String) throws {
        self.path = path
        logPath = path + "-wal"
        try Folder.make(Folder.parent(of: path))
        try Folder.checkPrivate(Folder.parent(of: path))
        lock = try FileLock(path + ".lock", refusal: "Another daybreakd holds the history \(path): stop it first")
    }

    /// False if there is no file. Sets the mode to 0600. Throws if the file is not a plain one of this user's, or if it was
    /// there before and is gone or replaced.
    func find() throws -> Bool {
        guard let found = try look() else {
            guard opened == nil else { throw gone }
            guard try !File.exists(logPath) else {
                throw HistoryError.damaged(
                    reason: "The history \(path) is gone, but its \(logPath) is left: bring it back")
            }
            return false
        }
        try Self.checkPlain(path)
        guard found.st_uid == geteuid() else {
            throw FileError(
                path, "The history \(path) belongs to user \(found.st_uid), not to user \(geteuid()) who asks for it")
        }
        guard opened == nil || opened == FileIdentity(found) else { throw replaced }
        guard found.st_mode & 0o7777 == 0o600 || chmod(path, 0o600) == 0 else {
            throw FileError.failed("make private", path)
        }
        return true
    }

    /// Throws unless the file is the one that was opened: SQLite would go on writing to a file that has lost its name.
    func checkStillThere() throws {
        guard let found = try FileIdentity(of: path) else { throw gone }
        guard found == opened else { throw replaced }
    }

    /// Makes ``checkStillThere()`` and ``logChange()`` compare with the present files.
    fileprivate func noteOpened() throws {
        opened = try FileIdentity(of: path)
        log = try FileStamp(of: logPath)
    }

    /// A change of the log by another program.
    enum LogChange {
        /// The log was removed, or another file has its name. The connection still has the whole log.
        case unnamed
        /// The log was written, cut off, or only touched. An open connection does not notice what did not come from SQLite.
        case written
    }

    /// The change since the connection was last used; nil if there is none.
    func logChange() throws -> LogChange? {
        let found = try FileStamp(of: logPath)
        guard let found, found.identity == log?.identity else { return .unnamed }
        return found == log ? nil : .written
    }

    /// Makes ``logChange()`` compare with the log as it is now. Call it after each use of the connection.
    func noteLog() {
        // The events are recorded already. If the log cannot be looked at, the next call finds it changed, and reads it again.
        guard let found = try? FileStamp(of: logPath), found.identity == log?.identity else { return }
        log = found
    }

    /// True if the write-ahead log may hold events that are not in the file, as after a crash.
    func hasLog() throws -> Bool { try File.size(of: logPath) > 0 }

    private func look() throws -> stat? { try Self.look(at: path) }

    /// Throws if the history or a file that SQLite keeps beside it is no regular file, because SQLite would never return from
    /// opening a pipe.
    static func checkPlain(_ path: String) throws {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            if let found = try look(at: path + suffix) { try checkPlain(found, path + suffix) }
        }
    }

    private static func checkPlain(_ found: stat, _ path: String) throws {
        guard found.st_mode & S_IFMT == S_IFREG else {
            throw HistoryError.damaged(reason: "The history \(path) is not a plain file")
        }
    }

    private static func look(at path: String) throws -> stat? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw FileError.failed("look at", path) }
            return nil
        }
        return status
    }

    private var gone: FileError { FileError(path, "The history \(path) has vanished: bring it back") }

    private var replaced: FileError {
        FileError(
            path,
            "The history \(path) was replaced by another file: bring the former one back, or give the other one to "
                + "`daybreak restore`")
    }
}

extension HistoryFile {
    /// Opens the history, and brings an earlier version up to date.
    ///
    /// - Parameters:
    ///   - mayMake: a missing history is made. False wherever a history is known to have been: an empty one in its place would
    ///     be taken for all that ever happened.
    ///   - keepsEarlierVersion: the backups beside the file are of this history. It is copied before it is brought up to date.
    ///     If it is gone or has fewer events than the newest night's copy, it counts as damaged.
    ///   - known: how many events were recorded. If fewer are found, the history counts as damaged.
    func open(
        patience: Duration, mayMake: Bool, keepsEarlierVersion: Bool = true, known: Int = 0
    ) throws -> SQLiteDatabase {
        if try !find() {
            guard mayMake else { throw gone }
            if keepsEarlierVersion, try !Backups(of: path).ofAnyDatabase().isEmpty {
                throw HistoryError.damaged(
                    reason: "The history \(path) is gone, but its backups are left: bring it back")
            }
            try Self.make(path)
        }
        if keepsEarlierVersion { try Backups(of: path).bringBackLog(of: path) }
        let header = try Self.checkHeader(of: path)
        // Opening a history writes its log into it. A damaged one, and its log, must stay as they are.
        if try hasLog() || header.version < Tables.version { try Self.checkSound(path, patience) }
        if try hasLog() { try Self.checkEvents(path, patience) }
        try checkHasAll(known, withNight: keepsEarlierVersion, patience)
        let database = try SQLiteDatabase(path, patience: patience)
        try database.checkDefinitions(path)
        // SQLite silently opens a file for reading if it may not write the file or its log.
        try database.transaction {
            guard !database.isReadOnly else { throw SQLiteError(code: SQLiteError.readOnly) }
        }
        guard try database.keepLog() else {
            throw HistoryError.unavailable(
                reason: "The disk of the history \(path) allows no write-ahead log: use a local one")
        }
        // After a crash or a failed sync, some pages of the log may be in memory only. New events must not stand behind them,
        // so the log is emptied.
        try database.emptyLog()
        try database.bringUpToDate(path, keepsEarlierVersion)
        // The log's name must be durable before it holds events. SQLite syncs the folder as well, but ignores a failure.
        try Folder.sync(of: path)
        try noteOpened()
        return database
    }

    /// Makes the history under another name first, so that a crash leaves no half of one.
    private static func make(_ path: String) throws {
        let new = path + ".new"
        do {
            try makeEmpty(new)
            let database = try SQLiteDatabase(new)
            try database.execute(Tables.beginning)
            try database.close()
            try File.rename(new, to: path)
            try Folder.sync(of: path)
        } catch {
            remove(new)
            throw HistoryError(error, path: new)
        }
    }

    /// Makes an empty file of mode 0600. Removes files that an interrupted start left under that name.
    static func makeEmpty(_ path: String) throws {
        try Folder.checkPrivate(Folder.parent(of: path))
        remove(path)
        _ = try NewFile(at: path)
    }

    /// Removes a database with the files that SQLite keeps beside it.
    static func remove(_ path: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    }

    /// True if SQLite finds no fault in the file and its log. Throws if they define other tables than Daybreak. It opens a new connection, and writes nothing.
    ///
    /// The indexes are not compared with the table, because every client waits for the daemon's one thread meanwhile.
    static func isSound(_ path: String, _ patience: Duration = .zero) throws -> Bool {
        do {
            guard try !WriteAheadLog.hasLostCommit(of: path) else { return false }
            let database = try SQLiteDatabase(path, .reading, patience: patience)
            try database.checkDefinitions(path)
            return try database.isSound(withIndexes: false)
        } catch let error as SQLiteError
            where [SQLiteError.corrupt, SQLiteError.notADatabase].contains(error.code)
        {
            return false
        }
    }

    /// True if the log of the history at that path has lost a durable commit. A log that a program is writing is looked at twice:
    /// it may be read half old and half new, or vanish meanwhile.
    static func hasLostCommit(_ path: String) throws -> Bool {
        // A failure of the first look is ignored: the second one reports it.
        if (try? WriteAheadLog.hasLostCommit(of: path)) == false { return false }
        return try WriteAheadLog.hasLostCommit(of: path)
    }

    /// Throws if the history has fewer events than were recorded, or than the newest night's copy has: its log was lost, or an
    /// older file has its place. A restore sets the nights' copies aside, and an erasure of everything removes them, before
    /// they take events away. Without their folder, which may be unreadable, there is none to compare with.
    private func checkHasAll(_ known: Int, withNight: Bool, _ patience: Duration) throws {
        let night = withNight ? Backups(of: path).nights.last : nil
        guard known > 0 || night != nil else { return }
        let database = try SQLiteDatabase(path, .reading, patience: patience)
        try database.checkDefinitions(path)
        let found = try database.lastEvent()
        guard found >= known else { throw HistoryError.missing(found + 1, path) }
        // The next night's comparison reports a copy that is damaged or cannot be read.
        guard let night, let kept = try? Self.count(inCopy: night, ifMoreThan: found) else { return }
        throw HistoryError.damaged(
            reason: "The history \(path) has lost events: it has \(found), and its backup \(night) has \(kept)")
    }

    /// How many events a copy has; nil if they are not more than `count`, or the copy is damaged.
    private static func count(inCopy copy: String, ifMoreThan count: Int) throws -> Int? {
        let database = try SQLiteDatabase(copy, .looking)
        try database.checkDefinitions(copy)
        let last = try database.lastEvent()
        guard last > count, try database.isSound(withIndexes: false) else { return nil }
        return try database.number("SELECT count(*) FROM event") == last ? last : nil
    }

    /// Throws if an event of a history of this version cannot be read.
    private static func checkEvents(_ path: String, _ patience: Duration) throws {
        let database = try SQLiteDatabase(path, .reading, patience: patience)
        guard try database.number("PRAGMA user_version") == Tables.version else { return }
        try database.eachEvent(ofHistory: path) { _ in }
    }

    /// Throws if SQLite finds the file damaged.
    static func checkSound(_ path: String, _ patience: Duration) throws {
        do {
            guard try isSound(path, patience) else { throw HistoryError.damage(at: path) }
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Throws if the file is no history, or one of a later Daybreak. It does not use SQLite, which may write to a file that it
    /// opens.
    @discardableResult
    static func checkHeader(of path: String) throws -> DatabaseHeader {
        guard let header = try DatabaseHeader(of: path) else {
            throw HistoryError.damaged(
                reason: "The file \(path) is no history: it does not begin as an SQLite database does")
        }
        guard header.isSound else { throw HistoryError.unsound(path) }
        guard header.applicationID == Tables.applicationID, header.version >= 1 else {
            throw HistoryError.damaged(reason: "The file \(path) is a database of another program, no history")
        }
        guard header.version <= Tables.version else {
            throw HistoryError.newer(found: header.version, known: Tables.version)
        }
        return header
    }
}

extension SQLiteDatabase {
    /// Throws unless the tables, indexes and triggers are those of the database's version.
    ///
    /// Call it before any other statement: a trigger or view of a file that another program made runs when it is used.
    func checkDefinitions(_ path: String) throws {
        let version = try number("PRAGMA user_version") ?? 0
        guard version <= Tables.version else { throw HistoryError.newer(found: version, known: Tables.version) }
        guard version >= 1, try definitions() == Tables.definitions(of: version) else {
            throw HistoryError.damaged(
                reason: "The history \(path) has other tables than those that Daybreak makes: restore it from a backup")
        }
    }

    fileprivate func bringUpToDate(_ path: String, _ keepsEarlierVersion: Bool) throws {
        let found = try number("PRAGMA user_version") ?? 0
        guard found <= Tables.version else { throw HistoryError.newer(found: found, known: Tables.version) }
        guard found < Tables.version else { return }
        if keepsEarlierVersion {
            try copyWhole(to: try Backups(of: path).path("before-version-\(Tables.version).db"))
        }
        try transaction { try bringUpToDate(from: found, path) }
    }

    /// Needs an open transaction, or a database that no other program sees.
    func bringUpToDate(from version: Int, _ path: String) throws {
        do {
            try execute(Tables.steps(from: version))
        } catch  where error.code == SQLiteError.error {
            throw HistoryError.foreign(path)
        }
    }

    /// Replaces the file at that path, mode 0600, by a copy of the whole database. Atomic and durable.
    ///
    /// - Parameter last: the number of the last event that is copied.
    func copyWhole(to path: String, through last: Int = .max) throws {
        try File.replace(path) { draft in
            do {
                try HistoryFile.makeEmpty(draft)
                try copy(to: draft)
                if last < .max { try Self.cut(draft, after: last) }
            } catch {
                HistoryFile.remove(draft)
                throw error
            }
        }
    }

    private static func cut(_ path: String, after last: Int) throws {
        let database = try SQLiteDatabase(path)
        if try database.lastEvent() > last { try database.deleteEvents(after: last) }
        try database.close()
    }
}
