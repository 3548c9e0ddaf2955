import Glibc
import Storage
import TestSupport
import Testing

/// SQLite on real files.
struct DatabaseTests {
    let place = TemporaryDatabase()

    // MARK: Values

    @Test(arguments: [
        Value.null, .integer(.min), .integer(0), .integer(.max), .real(-0.5), .text(""), .text("zażółć 🌅"),
        .text("a\0b\0"), .text(String(repeating: "ä", count: 3_000_000)), .blob([]), .blob([0, 255, 0]),
    ])
    func `a value is read back as it was stored`(value: Value) throws {
        let database = try place.open()
        try database.execute("CREATE TABLE thing (it ANY) STRICT")
        try database.run("INSERT INTO thing VALUES ($1)", value)
        let found = try database.first("SELECT it FROM thing") { $0.value(0) }
        let isSame = found == value
        #expect(isSame)
    }

    @Test func `columns are read by type, and NULL is nil`() throws {
        let database = try place.open()
        let query = "SELECT $1, $2, $3, $4, $5, $6"
        let isRead = try database.first(query, 7, true, 2.5, "word", [1, 2] as [UInt8], nil as Int?) { row in
            row.count == 6 && row.int(0) == 7 && row.bool(1) == true && row.double(2) == 2.5 && row.text(3) == "word"
                && row.blob(4) == [1, 2] && row.int(5) == nil && row.bool(5) == nil && row.double(5) == nil
                && row.text(5) == nil && row.blob(5) == nil && row.isNull(5)
        }
        #expect(isRead == true)
    }

    @Test func `a parameter gets the value of its number, wherever and however often it is used`() throws {
        let database = try place.open()
        let found = try database.first("SELECT $2 || $1 || $2", "a", "b") { $0.text(0) }
        #expect(found == "bab")
    }

    // MARK: Indexes

    /// A table of two words, the second of which its index does not list.
    private func withDamagedIndex() throws -> SQLiteDatabase {
        let database = try place.openWords()
        try database.execute("CREATE UNIQUE INDEX word_by_text ON word (text)")
        try database.add("listed")
        let page = try database.number("SELECT rootpage FROM sqlite_schema WHERE name = 'word_by_text'") ?? 0
        try database.close()
        let pages = EarlierPages([page], of: place.path)
        let next = try place.open()
        try next.add("overlooked")
        try next.close()
        pages.putBack()
        return try place.open()
    }

    @Test func `an index that overlooks a row is made anew`() throws {
        let database = try withDamagedIndex()
        let query = "SELECT count(*) FROM word WHERE text = 'overlooked'"
        #expect(try database.number(query) == 0)
        #expect(try database.isSound(withIndexes: false) && !database.isSound(withIndexes: true))
        #expect(try database.transaction { try database.mendIndexes() })
        #expect(try database.number(query) == 1)
        #expect(try database.transaction { try !database.mendIndexes() })
    }

    @Test func `an index that cannot be made anew, because it let a row in twice, is damage`() throws {
        let database = try withDamagedIndex()
        try database.add("overlooked")
        let fault = refusal { try database.transaction { _ = try database.mendIndexes() } }
        #expect(fault?.code == SQLiteError.corrupt)
        #expect(try database.words == ["listed", "overlooked", "overlooked"])
    }

    // MARK: Copies

    @Test(arguments: ["", "-wal", "-shm", "-journal"])
    func `a pipe in the place of the file, or of a file that SQLite keeps beside it, is not waited for`(
        suffix: String
    ) throws {
        let database = try place.openWords()
        try database.close()
        unlink(place.path + suffix)
        #expect(mkfifo(place.path + suffix, 0o600) == 0)
        // Keeps the open that would wait for a writer from hanging this test.
        let writer = open(place.path + suffix, O_RDWR)
        defer { close(writer) }
        let refused = SQLiteError(code: SQLiteError.cannotOpen)
        #expect(throws: refused) { _ = try SQLiteDatabase(copyOf: place.path) }
        for access in [SQLiteDatabase.Access.reading, .writing, .looking] {
            #expect(throws: refused) { _ = try SQLiteDatabase(place.path, access) }
        }
    }

    /// Files in /var/tmp would hold the client's words.
    @Test func `large results are sorted in memory`() throws {
        try place.openWords().close()
        for access in [SQLiteDatabase.Access.reading, .writing, .looking] {
            #expect(try SQLiteDatabase(place.path, access).number("PRAGMA temp_store") == 2)
        }
    }

    // MARK: Statements

    @Test func `a statement can be run again while its rows are being read`() throws {
        let database = try place.openWords()
        for word in ["a", "b"] { try database.add(word) }
        var pairs: [String] = []
        try database.each("SELECT text FROM word ORDER BY number") { outer in
            let first = outer.text(0) ?? ""
            try database.each("SELECT text FROM word ORDER BY number") { pairs.append(first + ($0.text(0) ?? "")) }
        }
        #expect(pairs == ["aa", "ab", "ba", "bb"])
    }

    @Test func `a statement can be run again after its reading was cut short`() throws {
        struct Enough: Error {}
        let database = try place.openWords()
        for word in ["a", "b"] { try database.add(word) }
        #expect(throws: Enough.self) {
            try database.each("SELECT text FROM word ORDER BY number") { _ in throw Enough() }
        }
        #expect(try database.words == ["a", "b"])
        try database.close()
    }

    @Test func `an error has its codes, SQLite's message and the statement`() throws {
        let database = try place.openWords()
        let unknown = refusal { try database.execute("SELECT 1 FROM nowhere") }
        #expect(unknown == SQLiteError(code: 1, message: "no such table: nowhere", sql: "SELECT 1 FROM nowhere"))
        let insert = "INSERT INTO word VALUES ($1, 'a')"
        try database.run(insert, 1)
        let twice = refusal { try database.run(insert, 1) }
        #expect(twice?.code == SQLiteError.constraint && twice?.extendedCode == 1_555)
        #expect(twice?.sql == insert)
    }

    // MARK: Transactions

    @Test func `a transaction that throws changes nothing`() throws {
        let database = try place.openWords()
        try database.add("before")
        let failed = refusal {
            try database.transaction {
                try database.add("within")
                try database.execute("nonsense")
            }
        }
        #expect(failed?.code == SQLiteError.error)
        #expect(try database.words == ["before"])
    }

    @Test func `an inner transaction that throws rolls back only its own writes`() throws {
        let database = try place.openWords()
        try database.transaction {
            try database.add("outer")
            try database.transaction { try database.add("first") }
            _ = refusal {
                try database.transaction {
                    try database.add("second")
                    try database.transaction { try database.add("third") }
                    try database.execute("nonsense")
                }
            }
            try database.add("last")
        }
        #expect(try database.words == ["outer", "first", "last"])
        #expect(try place.open(.reading).words == ["outer", "first", "last"])
    }

    @Test func `a transaction works after one that failed`() throws {
        let database = try place.openWords()
        for _ in 1...3 { _ = refusal { try database.transaction { try database.execute("nonsense") } } }
        try database.transaction { try database.add("well") }
        #expect(try database.words == ["well"])
    }

    // MARK: Failing

    @Test func `a transaction fails when another connection holds the lock for longer than the patience`() throws {
        let (one, other) = (try place.openWords(), try place.open())
        try one.transaction {
            #expect(refusal { try other.transaction {} }?.code == SQLiteError.busy)
        }
        try other.transaction {}
    }

    @Test func `a full database refuses a write, keeps its rows, and takes writes when there is room again`() throws {
        let database = try place.openWords()
        try database.add("before")
        let full = refusal {
            try database.transaction {
                _ = try database.number("PRAGMA max_page_count = 10")
                try database.add(String(repeating: "a", count: 100_000))
            }
        }
        #expect(full?.code == SQLiteError.full)
        #expect(try database.words == ["before"])
        _ = try database.number("PRAGMA max_page_count = 1000000")
        try database.add("after")
        #expect(try database.words == ["before", "after"])
    }

    @Test func `a missing file and a file that is no database are refused`() throws {
        place.write(Array(String(repeating: "Dear diary. ", count: 100).utf8))
        #expect(refusal { _ = try place.open() }?.code == SQLiteError.notADatabase)
        unlink(place.path)
        let missing = refusal { _ = try place.open() }
        #expect(missing?.code == SQLiteError.cannotOpen && missing?.errorNumber == ENOENT)
        #expect(place.size("") == nil)
    }

    @Test func `damage to a page is found`() throws {
        var database = try place.openWords()
        for _ in 1...200 { try database.add(String(repeating: "a", count: 100)) }
        #expect(try database.isSound(withIndexes: false) && database.isSound(withIndexes: true))
        try database.close()
        let file = open(place.path, O_WRONLY)
        defer { close(file) }
        #expect(pwrite(file, [UInt8](repeating: 0xFF, count: 3_000), 3_000, 8_192) == 3_000)
        database = try place.open(.reading)
        let isSound = try? database.isSound(withIndexes: false)
        #expect(isSound != true)
    }

    @Test func `a read-only connection cannot write`() throws {
        try place.openWords().add("word")
        let reader = try place.open(.reading)
        #expect(reader.isReadOnly)
        #expect(refusal { try reader.add("more") }?.code == SQLiteError.readOnly)
    }

    // MARK: The log

    @Test func `closing leaves one file, or on request keeps the log beside it`() throws {
        try place.openWords().add("first")
        #expect(place.size("-wal") == nil)
        let database = try place.open()
        try database.add("second")
        let log = place.size("-wal")
        try database.close(keepingLog: true)
        #expect(place.size("-wal") == log && log != 0)
        #expect(try place.open().words == ["first", "second"])
        #expect(place.size("-wal") == nil)
    }

    @Test func `the log is emptied, but not while a reader uses it`() throws {
        let database = try place.openWords()
        try database.add("word")
        let reader = try place.open(.reading)
        try reader.each("SELECT text FROM word") { _ in
            try database.add("more")
            #expect(refusal { try database.emptyLog() }?.code == SQLiteError.busy)
        }
        try database.emptyLog()
        #expect(place.size("-wal") == 0)
    }

    // MARK: Copies

    @Test func `a copy in memory holds the committed rows, and leaves the writer undisturbed`() throws {
        let database = try place.openWords()
        try database.add("committed")
        try database.transaction {
            try database.add("not yet")
            let copy = try SQLiteDatabase(copyOf: place.path)
            #expect(try copy.words == ["committed"])
            try copy.add("of its own")
        }
        #expect(try database.words == ["committed", "not yet"])
    }

    @Test func `a database without a log can be copied with the right to read it alone`() throws {
        try place.openWords().add("word")
        chmod(place.folder, 0o500)
        defer { chmod(place.folder, 0o700) }
        #expect(try SQLiteDatabase(copyOf: place.path).words == ["word"])
        #expect(place.size("-shm") == nil)
    }

    @Test func `a copy is a whole database, and can be attached to the original`() throws {
        let database = try place.openWords()
        try database.add("word")
        try database.copy(to: place.path + ".copy")
        try database.add("another")
        let missing = try database.attaching(place.path + ".copy", as: "earlier") {
            try database.rows("SELECT text FROM main.word EXCEPT SELECT text FROM earlier.word") { $0.text(0) }
        }
        #expect(missing == ["another"])
        #expect(try SQLiteDatabase(place.path + ".copy").words == ["word"])
    }

    @Test func `the header is read without opening the database`() throws {
        #expect(try DatabaseHeader(of: place.path) == nil)
        let database = try place.openWords()
        try database.execute("PRAGMA application_id = 77; PRAGMA user_version = 5")
        try database.close()
        let header = try DatabaseHeader(of: place.path)
        #expect(header?.applicationID == 77 && header?.version == 5)
    }
}
