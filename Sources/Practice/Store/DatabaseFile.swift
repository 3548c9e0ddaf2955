import Files
import Storage

// Operations on the database as a whole.
extension Store {
    /// Copies everything into an empty file.
    public func copy(to path: String) throws { try sqlite?.copy(to: path) }

    /// The number of rows that were written over this connection.
    public var changeCount: Int { database.changeCount }

    /// True if SQLite finds no fault in the file and its log, over a new connection with an empty cache. Throws if they define
    /// other tables than Daybreak.
    ///
    /// Throws if the disk cannot be read. SQLite calls such a file damaged too, so the file is read whole and checked again.
    public static func isSound(_ path: String) throws -> Bool {
        if try seemsSound(path) { return true }
        for file in [path, path + "-wal"] { try File.checkReadable(file) }
        return try seemsSound(path)
    }

    private static func seemsSound(_ path: String) throws -> Bool {
        do {
            guard try !WriteAheadLog.hasLostCommit(of: path) else { return false }
            let database = try SQLiteDatabase(path, .reading)
            try database.checkDefinitions(path)
            return try database.isSound(withIndexes: false)
        } catch let error as SQLiteError
            where [SQLiteError.corrupt, SQLiteError.notADatabase].contains(error.code)
        {
            return false
        }
    }

    /// Throws unless the file begins as the database of a practice does. Reads no more than the beginning.
    public static func checkHeader(of path: String) throws {
        guard let header = try DatabaseHeader(of: path), header.applicationID == Tables.applicationID else {
            throw StoreError.notAPractice(path)
        }
    }

    /// Checks the file before this process opens it. False if there is no practice in it yet, or no file. Throws
    /// ``StoreError`` if it must stay unchanged: another program's, a newer Daybreak's, damaged, or missing while its log is
    /// left. SQLite may write when it opens a file, so it is only used if there is a log.
    @discardableResult public static func inspect(_ path: String) throws -> Bool {
        let log = try File.size(of: path + "-wal")
        guard try File.exists(path) else {
            if log > 0 { throw StoreError.gone(path) }
            return false
        }
        guard try File.size(of: path) > 0 else {
            if log > 0 { throw StoreError.damaged(path) }
            return false
        }
        guard let header = try DatabaseHeader(of: path) else { throw StoreError.notAPractice(path) }
        // If the daemon was killed while it made the file, the file may be empty, or its header only in the log.
        let isBegun = header.applicationID == 0 && header.version == 0
        guard isBegun || header.applicationID == Tables.applicationID else { throw StoreError.notAPractice(path) }
        guard header.version <= Tables.steps.count else { throw StoreError.newer(path, version: header.version) }
        // Opening the file copies the log into it. A damaged file and its log must stay unchanged.
        if log > 0, try !isSound(path) { throw StoreError.damaged(path) }
        return !isBegun || log > 0
    }

    /// Checks a file from end to end before it replaces the database. Upgrades it, counts its sessions anew, lets `mark` write into it, and leaves it
    /// without a log.
    public static func prepare(_ path: String, _ mark: (Store) throws -> Void) throws {
        // An interrupted attempt may have left a log.
        try File.removeLogs(of: path)
        // A practice with nothing in it would be taken for all that there ever was.
        guard try inspect(path) else { throw StoreError.notAPractice(path) }
        let store = try Store(path, mayBegin: false)
        // A backup of a database has its damaged index, too.
        try store.sqlite?.makeSound(path)
        // The file may come from anywhere, and its tallies need not be those of its sessions.
        try store.transaction { try store.countSessionsAnew() }
        try mark(store)
        try store.emptyLog()
        try store.close()
    }

    /// Checks a practice from a copy in memory, and returns its counts. A daemon may have it open; nothing is changed.
    /// Throws if it is damaged, or if its tallies are not those of its sessions. A file in which the daemon was killed before it
    /// had made the tables is sound.
    public static func verify(_ path: String) throws -> Counts {
        let database = try SQLiteDatabase(copyOf: path)
        if try database.isUnused { return .none }
        guard try database.number("PRAGMA application_id") == Tables.applicationID else {
            throw StoreError.notAPractice(path)
        }
        let version = try database.number("PRAGMA user_version") ?? 0
        guard version <= Tables.steps.count else { throw StoreError.newer(path, version: version) }
        try database.checkDefinitions(path)
        try database.makeSound(path)
        let store = Store(database, .sqlite, Collation())
        guard try version < Tables.withTallies || store.areTalliesRight() else { throw StoreError.wrongTallies(path) }
        return try store.counts()
    }
}

extension Store {
    /// False if an index is not its table's: a statement that finds its rows by it overlooks rows. A server looks after its own.
    public func areIndexesSound() throws -> Bool { try sqlite?.isSound(withIndexes: true) ?? true }

    /// Makes the indexes anew if one is not its table's. Needs an open transaction.
    public func mendIndexes() throws { _ = try sqlite?.mendIndexes() }
}

extension SQLiteDatabase {
    /// Throws unless the database is sound. A damaged index is no fault: it is made anew.
    fileprivate func makeSound(_ path: String) throws {
        do { _ = try transaction { try mendIndexes() } } catch let error as SQLiteError
            where error.code == SQLiteError.corrupt
        {
            throw StoreError.damaged(path)
        }
    }

    /// True if no program has made anything in it yet.
    fileprivate var isUnused: Bool {
        get throws {
            try number("PRAGMA application_id") == 0 && number("PRAGMA user_version") == 0 && definitions().isEmpty
        }
    }

    /// Throws unless the tables, indexes and triggers are those of the database's version, or there are none yet.
    ///
    /// Call it before any other statement: a trigger or view of a file that another program made runs when it is used.
    func checkDefinitions(_ path: String) throws {
        let version = try number("PRAGMA user_version") ?? 0
        guard version <= Tables.steps.count else { throw StoreError.newer(path, version: version) }
        let found = try definitions()
        guard version > 0 else {
            guard found.isEmpty else { throw StoreError.notAPractice(path) }
            return
        }
        guard try found == Tables.definitions(of: version) else { throw StoreError.otherTables(path) }
    }
}
