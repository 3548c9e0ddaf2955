import GRDB
import GRDBSQLite
import HomeworkRules
import Time

extension History {
    /// Every event in its order, from the pages of the file. False where they are not all there is, or not as they should be:
    /// then nothing was said, and SQL has the word, which tells what is wrong if anything is.
    func eachInPages(_ body: (Event) -> Void) throws(HistoryError) -> Bool {
        var isWhole = false
        try use { connection throws(HistoryError) in isWhole = try connection.eachInPages(eventCount, body) }
        return isWhole
    }

    /// The same of a copy in memory, of which SQLite gives the bytes.
    static func eachInPages(ofCopy database: Database, _ count: Int, _ body: (Event) -> Void) throws -> Bool {
        var length: Int64 = 0
        guard let bytes = sqlite3_serialize(database.sqliteConnection, "main", &length, 0) else { return false }
        defer { sqlite3_free(bytes) }
        let file = UnsafeRawBufferPointer(start: bytes, count: Int(length))
        let pages = try? TablePages(length: file.count) { room, offset in  // SQL has the word.
            guard offset + room.count <= file.count else { return false }
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: file[offset..<offset + room.count]))
            return true
        }
        return try pages?.eachEvent(count, in: database, body) ?? false
    }
}

extension Connection {
    fileprivate func eachInPages(_ count: Int, _ body: (Event) -> Void) throws(HistoryError) -> Bool {
        try access { database in
            var isWhole = false
            try database.inTransaction(.deferred) {
                isWhole = try Self.pages(of: database)?.eachEvent(count, in: database, body) ?? false
                return .commit
            }
            database.releaseMemory()
            return isWhole
        }
    }

    /// Nil where the file is not all there is.
    private static func pages(of database: Database) throws -> TablePages? {
        // The first look begins what this transaction sees. If the log is empty then, it sees nothing but the file, and
        // nobody writes in that until the transaction ends ("Write-Ahead Logging", 2.2).
        _ = try Int.fetchOne(database, sql: SQL.root)
        guard let file = OpenFile(SQLITE_FCNTL_FILE_POINTER, of: database), let length = file.length,
            OpenFile(SQLITE_FCNTL_JOURNAL_POINTER, of: database)?.length == 0
        else { return nil }
        return try? TablePages(length: length, read: file.read)  // SQL has the word.
    }
}

extension TablePages {
    /// False where that many events are not found there.
    fileprivate func eachEvent(_ count: Int, in database: Database, _ body: (Event) -> Void) throws -> Bool {
        guard try String.fetchAll(database, sql: SQL.columns) == Column.allCases.map(\.name),
            let root = try Int.fetchOne(database, sql: SQL.root)
        else { return false }
        var reader = EventReader(PageRow(), in: database)
        var last = 0
        do {
            try each(from: root) { number, record in
                guard number == last + 1 else { throw Unreadable() }
                last += 1
                try reader.row.stand(on: record, numbered: number)
                body(try reader.event())
            }
        } catch is Unreadable { return false } catch is HistoryError { return false }
        return last == count
    }
}

/// A file that SQLite has open. Were it opened a second time, SQLite's locks on it would go as soon as that one is closed.
private struct OpenFile {
    private let file: UnsafeMutablePointer<sqlite3_file>
    private let methods: sqlite3_io_methods

    init?(_ which: CInt, of database: Database) {
        var found: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(database.sqliteConnection, "main", which, &found) == SQLITE_OK, let found,
            let methods = found.pointee.pMethods
        else { return nil }
        file = found
        self.methods = methods.pointee
    }

    var length: Int? {
        var length: Int64 = 0
        return methods.xFileSize?(file, &length) == SQLITE_OK ? Int(length) : nil
    }

    func read(_ room: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
        methods.xRead?(file, room.baseAddress, CInt(room.count), Int64(offset)) == SQLITE_OK
    }
}
