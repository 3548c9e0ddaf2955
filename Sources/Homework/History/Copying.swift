import Files
public import HomeworkRules
import Storage

// Copies of the whole history, and the comparison with a copy.
extension History {
    /// Copies all that is recorded into one file (mode 0600), which replaces the file at that path. Atomic and durable.
    public func backUp(to path: String) throws(HistoryError) { try use { try $0.copyWhole(to: path) } }

    /// Copies or exports the history at that path, on any thread, while another thread may record. Atomic and durable. Throws if
    /// one of the recorded events is missing.
    ///
    /// - Parameter last: the number of the last recorded event. Later ones are left out, because they may still be refused.
    public static func copy(
        _ path: String, through last: Int, asText: Bool, to copy: String
    ) throws(HistoryError) {
        do {
            try HistoryFile.checkPlain(path)
            let database = try SQLiteDatabase(path, .reading, patience: .seconds(1))
            try database.checkDefinitions(path)
            if last < .max { try database.checkHas(last, path) }
            if asText {
                try database.export(to: copy, through: last)
            } else {
                try database.copyWhole(to: copy, through: last)
            }
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// The number of the first event of an earlier copy that differs from the same event of the history at that path; nil if
    /// the copy is the beginning of the history. Events never change, so a difference means that one of the two is damaged, or
    /// that words were erased since. On any thread, while another thread may record. Throws `damaged` if SQLite finds the copy
    /// damaged.
    public static func firstDifference(of path: String, from copy: String) throws(HistoryError) -> Int? {
        do { try HistoryFile.checkSound(copy, .zero) } catch { throw HistoryError(error, path: copy) }
        return try beside(copy, path) { database in
            let (then, same) = try comparable(database)
            return try database.number(
                """
                SELECT min(seq) FROM (SELECT \(then) FROM earlier.event) AS was
                WHERE NOT EXISTS (SELECT 1 FROM main.event AS now WHERE \(same))
                """)
        }
    }

    /// The erasures since that copy was made, oldest first. The copy may still hold the erased words. On any thread.
    public static func erasures(of path: String, since copy: String) throws(HistoryError) -> [Event] {
        try beside(copy, path) { database in
            let last = try database.number("SELECT max(seq) FROM earlier.event") ?? 0
            var found: [Event] = []
            try database.eachEvent(
                "SELECT \(Event.columns) FROM main.event WHERE kind IN ('erased', 'talkingPointsErased') "
                    + "AND seq > $1 ORDER BY seq", last
            ) { event, _ in found.append(event) }
            return found
        }
    }

    /// Calls `body` with the history at that path, over a new connection. The copy's tables are called `earlier.table`.
    private static func beside<Result>(
        _ copy: String, _ path: String, _ body: (SQLiteDatabase) throws -> Result
    ) throws(HistoryError) -> Result {
        do {
            try HistoryFile.checkPlain(path)
            let database = try SQLiteDatabase(path, .reading, patience: .seconds(1))
            try database.checkDefinitions(path)
            return try database.attaching(copy, as: "earlier") { try body(database) }
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// The columns of the copy that can be compared, which depend on its version, and the condition that they are the same now.
    private static func comparable(_ database: SQLiteDatabase) throws -> (then: String, same: String) {
        let columns = try database.rows("SELECT name FROM pragma_table_info('event', 'earlier')") { $0.text(0) }
        let shared = Tables.shared.map { "now.\($0) IS was.\($0)" }.joined(separator: " AND ")
        let all = "\(shared) AND now.body IS was.body"
        if columns.contains("body") { return (Event.columns, all) }
        // Versions 2 and 3 have the same columns.
        if columns.contains("note") { return ("\(Tables.sharedColumns), \(Tables.bodyOfVersion3) AS body", all) }
        return (Tables.sharedColumns, shared)
    }

    /// True if each index of the history at that path is its table's, on any thread. It takes many times as long as
    /// ``check(at:)``. Throws if the disk cannot be read: SQLite then tells of a damaged index as well.
    public static func areIndexesSound(at path: String) throws(HistoryError) -> Bool {
        do {
            if try seemsIndexed(path) { return true }
            for file in [path, path + "-wal"] { try File.checkReadable(file) }
            return try seemsIndexed(path)
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    private static func seemsIndexed(_ path: String) throws -> Bool {
        try HistoryFile.checkPlain(path)
        let database = try SQLiteDatabase(path, .reading, patience: .seconds(1))
        try database.checkDefinitions(path)
        return try database.isSound(withIndexes: true)
    }

    /// Throws if SQLite finds the file or one of its indexes damaged. It takes many times as long as ``check()``.
    public func checkWhole() throws(HistoryError) {
        try use { database in
            guard try database.isSound(withIndexes: true) else { throw HistoryError.unsound(file.path) }
        }
    }
}
