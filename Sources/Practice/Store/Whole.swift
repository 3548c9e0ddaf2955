import Files
public import Storage

// The database as a whole.
extension Store {
    /// Copies everything into an empty file.
    public func copy(to path: String) throws(DatabaseError) { try database.copy(to: path) }

    /// How many rows were written over this connection.
    public var changeCount: Int { database.changeCount }

    /// True if SQLite finds no fault in the file and its log. It reads over a connection of its own, whose cache is empty.
    ///
    /// Throws if the disk does not give the bytes. SQLite calls such a file unsound, too, so it is read whole, and looked at
    /// once more.
    public static func isSound(_ path: String) throws -> Bool {
        if try seemsSound(path) { return true }
        for file in [path, path + "-wal"] { try File.checkReadable(file) }
        return try seemsSound(path)
    }

    private static func seemsSound(_ path: String) throws -> Bool {
        do { return try Database(path, .reading).isSound(withIndexes: false) } catch let error as DatabaseError
            where [DatabaseError.corrupt, DatabaseError.notADatabase].contains(error.code)
        {
            return false
        }
    }

    /// Looks at the file before it is opened, while this process does not have it open. Throws ``StoreError`` where it must
    /// be left as it is: another program's, a newer Daybreak's, damaged, or gone while its log is left. SQLite, which may
    /// write where it opens, has no part in it unless a log is there.
    public static func inspect(_ path: String) throws {
        let log = try File.size(of: path + "-wal")
        guard try File.exists(path) else {
            if log > 0 { throw StoreError.gone(path) }
            return
        }
        guard try File.size(of: path) > 0 else {
            if log > 0 { throw StoreError.damaged(path) }
            return
        }
        guard let header = try DatabaseHeader(of: path) else { throw StoreError.notAPractice(path) }
        // Where its maker was killed, the file may be empty still, or have its numbers in the log alone.
        let isBegun = header.applicationID == 0 && header.version == 0
        guard isBegun || header.applicationID == Tables.applicationID else { throw StoreError.notAPractice(path) }
        guard header.version <= Tables.steps.count else { throw StoreError.newer(path, version: header.version) }
        // Opening it writes the log into it. A damaged one, and its log, must stay as they are.
        if log > 0, try !isSound(path) { throw StoreError.damaged(path) }
    }

    /// Looks at a file from end to end before it takes the database's place. It is of this version, and one file, afterwards.
    public static func prepare(_ path: String) throws {
        // An earlier attempt that the disk cut short may have left one.
        try File.removeLogs(of: path)
        try inspect(path)
        guard try File.size(of: path) > 0 else { throw StoreError.notAPractice(path) }
        let store = try Store(path)
        guard try store.database.isSound(withIndexes: true) else { throw StoreError.damaged(path) }
        try store.database.emptyLog()
        try store.close()
    }

    /// Reads all of a practice that a daemon may be writing to, from a copy in memory; nothing is touched. Returns its
    /// counts. Throws if it is not sound.
    public static func verify(_ path: String) throws -> Counts {
        let database = try Database(copyOf: path)
        guard try database.number("PRAGMA application_id") == Tables.applicationID else {
            throw StoreError.notAPractice(path)
        }
        let version = try database.number("PRAGMA user_version") ?? 0
        guard version <= Tables.steps.count else { throw StoreError.newer(path, version: version) }
        guard try database.isSound(withIndexes: true) else { throw StoreError.damaged(path) }
        return try Store(database, Collation()).counts()
    }
}
