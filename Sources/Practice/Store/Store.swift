import Files
import PostgreSQL
public import Storage
public import Time

/// A connection to the database of a practice, for one thread.
///
/// Each file of this room has the SQL of one subject.
public final class Store {
    let database: any Database
    /// The words in which the engine's SQL differs.
    let dialect: Dialect
    /// Sorts names.
    let collation: Collation

    /// Opens the database, and upgrades an older one.
    ///
    /// Throws ``StoreError`` if another program or a newer Daybreak wrote the file.
    ///
    /// - Parameter mayBegin: a practice is begun in an empty file. False wherever one is known to have been: an empty one in its
    ///   place would be taken for all that there ever was.
    public init(
        _ path: String, collation: Collation = Collation(), patience: Duration = .seconds(5), mayBegin: Bool = true
    ) throws {
        let database = try SQLiteDatabase(path, .writing, patience: patience)
        (self.database, self.collation, dialect) = (database, collation, .sqlite)
        try database.checkDefinitions(path)
        if try !mayBegin && database.number("PRAGMA user_version") == 0 { throw StoreError.damaged(path) }
        guard try database.keepLog() else { throw StoreError.noLog(path) }
        // 4 MiB, because a list of 200 clients reads the same pages several times.
        try database.execute("PRAGMA cache_size = -4096")
        // After a crash or a failed sync, some pages of the log may be in memory only. The next commits must not depend on
        // them, so the log starts again.
        try database.emptyLog()
        try bringUpToDate(database, path)
        // The log's directory entry must be durable before the first commit. SQLite syncs the folder too, but ignores
        // errors.
        try Folder.sync(of: path)
    }

    /// A connection that only reads a practice that another thread has open.
    public init(reading path: String, collation: Collation = Collation(), patience: Duration = .seconds(5)) throws {
        (self.collation, dialect) = (collation, .sqlite)
        database = try SQLiteDatabase(path, .reading, patience: patience)
    }

    init(_ database: any Database, _ dialect: Dialect, _ collation: Collation) {
        (self.database, self.dialect, self.collation) = (database, dialect, collation)
    }

    private func bringUpToDate(_ database: SQLiteDatabase, _ path: String) throws {
        try database.transaction {
            let version = try database.number("PRAGMA user_version") ?? 0
            let application = try database.number("PRAGMA application_id") ?? 0
            if version == 0 {
                let tables = try database.number("SELECT count(*) FROM sqlite_master") ?? 0
                guard tables == 0, application == 0 else { throw StoreError.notAPractice(path) }
                try database.execute("PRAGMA application_id = \(Tables.applicationID)")
            } else {
                guard application == Tables.applicationID else { throw StoreError.notAPractice(path) }
            }
            guard version <= Tables.steps.count else { throw StoreError.newer(path, version: version) }
            try upgrade(from: version)
            if version < Tables.steps.count { try database.execute("PRAGMA user_version = \(Tables.steps.count)") }
        }
    }

    /// Makes the tables of the versions after that one, and what they count.
    func upgrade(from version: Int) throws {
        for step in Tables.steps.dropFirst(version) { try database.execute(dialect.sql(step)) }
        if (Tables.withLetters..<Tables.withLettersAbout).contains(version) {
            for change in Tables.letterGuardsAnew { try database.execute(dialect.removal(of: change)) }
            try eraseWhatWasLeft()
        }
        if (Tables.withLetters..<Tables.withDraftsIndexed).contains(version) { try indexDrafts() }
        if version < Tables.steps.count {
            for change in Tables.guards(after: version, upTo: Tables.steps.count) {
                try database.execute(dialect.sql(change))
            }
        }
        if version < Tables.withTallies { try countSessionsAnew() }
        try updateSortKeys()
    }

    /// Atomic: commits the changes of `body`, or rolls them back if it throws. A nested transaction is a savepoint.
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result { try database.transaction(body) }

    /// Copies the log into the file, and closes it. No other method may be called afterwards. A connection to a server ends with
    /// its last owner.
    ///
    /// - Parameter keepingLog: leaves the file and the log unchanged.
    public func close(keepingLog: Bool = false) throws { try sqlite?.close(keepingLog: keepingLog) }

    /// The connection, if the practice is kept in a file.
    var sqlite: SQLiteDatabase? { database as? SQLiteDatabase }

    /// The next number of a counter, from 1.
    func nextNumber(of name: String) throws -> Int {
        let number = try database.first(
            """
            INSERT INTO counter (name, number) VALUES ($1, 1)
            ON CONFLICT (name) DO UPDATE SET number = counter.number + 1 RETURNING number
            """, name
        ) { $0.int(0) }
        guard case .some(.some(let number)) = number else { preconditionFailure("a counter returns its number") }
        return number
    }
}

/// The reason why a file cannot be opened as a practice.
public enum StoreError: Error, Equatable, CustomStringConvertible {
    case notAPractice(String)
    case otherTables(String)
    case newer(String, version: Int)
    case noLog(String)
    case damaged(String)
    case gone(String)
    case wrongTallies(String)
    /// The tables on a server are not such as this daemon needs, and its role may not make them so.
    case notMigrated
    /// The address for the tables' owner leads to other tables than the daemon's.
    case migratedElsewhere
    /// The tables on a server are older, and a daemon uses them now.
    case servedByEarlier

    /// True if only a restore helps.
    public var isDamage: Bool {
        switch self {
        case .notAPractice, .otherTables, .damaged, .gone: true
        case .newer, .noLog, .wrongTallies, .notMigrated, .migratedElsewhere, .servedByEarlier: false
        }
    }

    /// A sentence about the file, without its name and without a full stop.
    public var ofFile: String {
        switch self {
        case .notAPractice: "The file is not the database of a practice"
        case .otherTables: "The file has other tables than those that Daybreak makes"
        case .newer: "The file was written by a newer Daybreak: install that one first"
        case .noLog: "The disk allows no write-ahead log"
        case .damaged, .gone: "The file is damaged"
        case .wrongTallies: "The file's tallies are not those of its sessions"
        case .notMigrated, .migratedElsewhere, .servedByEarlier: description
        }
    }

    public var description: String {
        switch self {
        case .damaged(let path): "The database \(path) is damaged"
        case .gone(let path): "The database \(path) is gone, but what stood beside it is left"
        case .wrongTallies(let path):
            "Reports of the database \(path) are wrong, and nothing else: restore a backup of it, which counts its sessions anew"
        case .notMigrated:
            "The tables of the server's database are missing, older, or not for the role of `[storage] url`, which may not "
                + "make them: `migration_url` is for a role that may"
        case .migratedElsewhere:
            "`[storage] migration_url` leads to another database, or to another schema, than `url`"
        case .servedByEarlier:
            "A practiced of an earlier version serves the practice, or did so a moment ago: once all of them are stopped, this one "
                + "brings the tables up to date"
        case .otherTables(let path): "The database \(path) has other tables than those that Daybreak makes"
        case .notAPractice(let path): "\(path) is not the database of a practice"
        case .newer(let path, let version):
            "\(path) was written by a newer Daybreak (version \(version) of its tables; this one knows \(Tables.steps.count))"
        case .noLog(let path): "\(path) stands on a disk that allows no write-ahead log, a network's perhaps"
        }
    }
}

extension Row {
    /// A day; nil if it is NULL.
    func day(_ column: Int) -> CalendarDay? { text(column).flatMap { CalendarDay($0) } }

    /// An instant; nil if it is NULL.
    func instant(_ column: Int) -> Instant? { integer(column).map(Instant.init(microseconds:)) }
}

extension CalendarDay: Bindable {
    public var databaseValue: Value { .text(description) }
}

extension Instant: Bindable {
    public var databaseValue: Value { .integer(microseconds) }
}
