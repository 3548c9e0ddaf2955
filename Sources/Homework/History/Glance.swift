import GRDB
import GRDBSQLite
import Glibc
public import HomeworkRules
import Time

extension History {
    /// The plan that follows from what is recorded at that path, by whatever version; nil where nothing is.
    ///
    /// Touches nothing there, not even by a lock that anybody would wait for, and works beside a daemon: what is
    /// recorded at one instant is copied into memory, and read from there.
    public static func glance(at path: String) throws(HistoryError) -> Plan? {
        try copy(of: path) { database in
            try bringUpToDate(database, path)
            return try plan(in: database)
        }
    }

    /// How many events are recorded at that path, each of them found sound; nil where nothing is. As careful as `glance`.
    ///
    /// SQLite finds no fault with the file. No event is missing, and each can be read. And lived through turn by turn, as
    /// the daemon that wrote them did, they give the plan that a start reads from them.
    public static func verify(at path: String) throws(HistoryError) -> Int? {
        try copy(of: path) { database in
            guard try String.fetchAll(database, sql: SQL.checkWhole) == ["ok"] else {
                throw HistoryError.damaged(reason: "The history \(path) is damaged: restore it from a backup")
            }
            try bringUpToDate(database, path)
            let (count, lived) = try liveThrough(database, path)
            guard try planOfPages(ofCopy: database, count) ?? plan(in: database) == lived else {
                throw HistoryError.damaged(reason: "The history \(path) gives another plan when it is read in one go")
            }
            return count
        }
    }

    /// Nil where there is nothing to copy.
    private static func copy<Result>(
        of path: String, _ body: (Database) throws -> Result
    ) throws(HistoryError) -> Result? {
        guard access(path, F_OK) == 0 else {
            guard errno == ENOENT else { throw Place.failed("look at", path) }
            return nil
        }
        do {
            return try DatabaseQueue().inDatabase { database in
                try fill(database, from: path)
                return try body(database)
            }
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    private static func fill(_ copy: Database, from path: String) throws {
        var source: OpaquePointer?
        defer { sqlite3_close(source) }
        try check(sqlite3_open_v2(address(of: path), &source, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil))
        guard let backup = sqlite3_backup_init(copy.sqliteConnection, "main", source, "main") else {
            throw DatabaseError(resultCode: ResultCode(rawValue: sqlite3_extended_errcode(copy.sqliteConnection)))
        }
        let stepped = sqlite3_backup_step(backup, -1)
        try check(sqlite3_backup_finish(backup))
        try check(stepped == SQLITE_DONE ? SQLITE_OK : stepped)
    }

    private static func check(_ code: CInt) throws(DatabaseError) {
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// As a URI ("URI Filenames in SQLite"): without a log beside it nobody is writing, and the file alone is all there
    /// is; else the log's index is read as it is.
    private static func address(of path: String) -> String {
        let plain = Set("/-_.~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        let escaped = path.utf8.map { byte in
            plain.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        let how = access(path + "-wal", F_OK) == 0 ? "readonly_shm=1" : "immutable=1"
        return "file:\(escaped)?mode=ro&\(how)"
    }

    private static func bringUpToDate(_ database: Database, _ path: String) throws {
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id")
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard application == SQL.applicationID, version >= 1 else {
            throw HistoryError.damaged(reason: "The file \(path) is a database of another program, no history")
        }
        guard version <= SQL.version else { throw HistoryError.newer(found: version, known: SQL.version) }
        if version < SQL.version { try database.execute(sql: SQL.steps(from: version)) }
    }

    /// The events of one turn have one moment.
    private static func liveThrough(_ database: Database, _ path: String) throws -> (count: Int, plan: Plan) {
        var plan = Plan()
        var turn: [Event] = []
        var count = 0
        var reader = EventReader(try database.cachedStatement(sql: SQL.all), in: database)
        defer { reader.end() }
        while try reader.next() {
            count += 1
            guard reader.row.sequence == count else {
                throw HistoryError.damaged(reason: "The history \(path) is damaged: its event \(count) is missing")
            }
            let event = try reader.event()
            if let last = turn.last, last.moment != event.moment {
                plan.apply(turn)
                turn = []
            }
            turn.append(event)
        }
        plan.apply(turn)
        return (count, plan)
    }

    /// As a start reads it; nil where that would turn to SQL.
    private static func planOfPages(ofCopy database: Database, _ count: Int) throws -> Plan? {
        var plan = Plan()
        guard try eachInPages(ofCopy: database, count, { plan.applyUnsettled($0) }) else { return nil }
        plan.settle()
        return plan
    }

    private static func plan(in database: Database) throws -> Plan {
        var plan = Plan()
        var reader = EventReader(try database.cachedStatement(sql: SQL.all), in: database)
        defer { reader.end() }
        while try reader.next() { plan.applyUnsettled(try reader.event()) }
        plan.settle()
        return plan
    }
}
