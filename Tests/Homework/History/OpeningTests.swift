import Files
import Glibc
import HomeworkRules
import Storage
import TestSupport
import Testing
import Time

@testable import HomeworkHistory

/// Some files are opened; the others are refused and left unchanged.
struct OpeningTests {
    let place = TemporaryHistory()

    @Test func `a new history has mode 0600, in folders of mode 0700`() throws {
        let path = place.folder + "/share/daybreak/history.db"
        let history = try History(at: path)
        try history.record(OneOfEach.events)
        #expect(mode(place.folder + "/share") == "700")
        #expect(mode(place.folder + "/share/daybreak") == "700")
        for suffix in ["", "-wal", "-shm", ".lock"] { #expect(mode(path + suffix) == "600", "\(suffix)") }
        #expect(mode(path + ".new") == "nothing")
    }

    @Test func `a history that others can read is made private`() throws {
        try place.record([])
        chmod(place.path, 0o644)
        _ = try place.open()
        #expect(mode(place.path) == "600")
    }

    @Test func `a second daemon is refused while the first one runs`() throws {
        let first = try place.open()
        expectRefusal("Another daybreakd holds the history \(place.path): stop it first (process \(getpid()))") {
            _ = try place.open()
        }
        try first.record(OneOfEach.events)
    }

    @Test func `a second daemon can open the history when the first has ended`() throws {
        try place.record(OneOfEach.events)
        try place.record(OneOfEach.events)
        #expect(try place.open().eventCount == 2 * OneOfEach.events.count)
    }

    @Test func `a folder in which others may write is refused`() {
        chmod(place.folder, 0o770)
        expectRefusal("Others may write in the folder \(place.folder): run chmod go-w \(place.folder)") {
            _ = try place.open()
        }
        #expect(mode(place.path) == "nothing")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `another user's history is refused`() throws {
        try place.record([])
        chown(place.path, 65_534, 65_534)
        let before = place.bytes
        expectRefusal("The history \(place.path) belongs to user 65534, not to user 0 who asks for it") {
            _ = try place.open()
        }
        #expect(place.bytes == before)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
    func `another user's folder is refused`() {
        chown(place.folder, 65_534, 65_534)
        expectRefusal("The folder \(place.folder) belongs to user 65534, not to user 0") { _ = try place.open() }
    }

    @Test func `a link in the history's place is refused`() throws {
        write(Array("Somebody's file".utf8), to: place.path + ".other")
        symlink(place.path + ".other", place.path)
        expectRefusal("The history \(place.path) is not a plain file") { _ = try place.open() }
    }

    @Test(arguments: ["", "SQLite format 3\0", "Dear diary, this is no database, however long it may go on and on. "])
    func `a file that is no database is refused and left unchanged`(text: String) {
        let bytes = Array(String(repeating: text, count: text.hasPrefix("D") ? 100 : 1).utf8)
        write(bytes, to: place.path)
        expectRefusal("The file \(place.path) is no history: it does not begin as an SQLite database does") {
            _ = try place.open()
        }
        #expect(place.bytes == ["history.db": bytes])
    }

    @Test func `another program's database is refused and left unchanged`() throws {
        write([], to: place.path)
        try place.beside { try $0.execute("CREATE TABLE event (seq INTEGER PRIMARY KEY)") }
        let before = place.bytes
        expectRefusal("The file \(place.path) is a database of another program, no history") { _ = try place.open() }
        #expect(place.bytes == before)
    }

    @Test func `a newer history is refused and left unchanged`() throws {
        try place.record(OneOfEach.events)
        try place.beside { try $0.execute("PRAGMA user_version = 8") }
        let before = place.bytes
        let error = #expect(throws: HistoryError.self) { try place.open() }
        #expect(error == .newer(found: 8, known: 7))
        #expect(
            error?.description
                == "The history has version 8, and this Daybreak knows version 7: install the Daybreak that wrote it")
        #expect(place.bytes == before)
    }

    @Test func `a truncated history is refused and left unchanged`() throws {
        try place.record(OneOfEach.events)
        let half = Array(try #require(contents(place.path)).prefix(8_192))
        write(half, to: place.path)
        expectRefusal("The history \(place.path) is damaged: restore it from a backup") { _ = try place.open() }
        #expect(contents(place.path) == half)
    }

    @Test func `no history is begun beside a log that lost its history`() throws {
        write([1, 2, 3], to: place.path + "-wal")
        expectRefusal("The history \(place.path) is gone, but its \(place.path)-wal is left: bring it back") {
            _ = try place.open()
        }
        #expect(place.bytes == ["history.db-wal": [1, 2, 3]])
    }

    @Test func `no history is begun beside backups that lost their history`() throws {
        write([1], to: try Backups(of: place.path).path("night-2027-03-05.db"))
        expectRefusal("The history \(place.path) is gone, but its backups are left: bring it back") {
            _ = try place.open()
        }
        #expect(place.bytes == [:])
    }

    /// Root can read every folder, so the test needs another user.
    @Test(.enabled(if: geteuid() == 0, "only root can be another user"), arguments: [true, false])
    func `while the folder of its copies cannot be read, a history is opened, and none is made`(isThere: Bool) async {
        await #expect(processExitsWith: .success) { [isThere] in
            let place = TemporaryHistory()
            let nobody: uid_t = 65_534
            let copies = place.folder + "/backups"
            chown(place.folder, nobody, nobody)
            #expect(seteuid(nobody) == 0)
            if isThere { try place.record(OneOfEach.events) }
            mkdir(copies, 0o300)
            if isThere {
                let count = try place.open().eventCount
                #expect(count == OneOfEach.events.count)
            } else {
                expectRefusal("Could not read the folder \(copies): Permission denied") { _ = try place.open() }
            }
            #expect(mode(place.path) == (isThere ? "600" : "nothing"))
            #expect(Backups(of: place.path).areLeft)
            chmod(copies, 0o700)
            let count = try place.open().eventCount
            #expect(count == (isThere ? OneOfEach.events.count : 0))
            seteuid(0)
        }
    }

    @Test func `files of an interrupted first start are removed`() throws {
        write([1, 2, 3], to: place.path + ".new")
        write([1, 2, 3], to: place.path + ".new-journal")
        #expect(try place.open().events() == [])
        #expect(mode(place.path + ".new") == "nothing")
        #expect(mode(place.path + ".new-journal") == "nothing")
    }

    /// A crash leaves a full log that no process has open.
    @Test func `the log of a crash is copied into the history and emptied`() throws {
        try crash { try $0.record(OneOfEach.events) }
        let next = try place.open()
        #expect(contents(place.path + "-wal") == [])
        #expect(try next.events() == OneOfEach.events)
    }

    private func crash(after body: (History) throws -> Void) throws {
        let crashed = TemporaryHistory()
        let history = try crashed.open()
        try body(history)
        for (name, bytes) in crashed.bytes where name != "history.db-shm" {
            write(bytes, to: place.folder + "/" + name)
        }
    }

    /// SQLite would silently take the flipped frame for the log's end, and drop the events behind it.
    @Test func `a flipped bit in the log of a crash is damage, and nothing is written`() throws {
        try crash { history in for event in OneOfEach.events.prefix(8) { try history.record([event]) } }
        var log = try #require(contents(place.path + "-wal"))
        log[log.count / 2] ^= 1
        write(log, to: place.path + "-wal")
        let before = place.bytes
        expectRefusal("The history \(place.path) is damaged: restore it from a backup") { _ = try place.open() }
        #expect(place.bytes.filter { $0.key != "history.db-shm" } == before)
    }

    @Test func `a damaged event keeps the log of a crash from being copied`() throws {
        try place.record(OneOfEach.events)
        try place.beside { database in
            try database.execute(
                "\(Tables.allowChanges); UPDATE event SET minute = 9999 WHERE seq = 3; \(Tables.neverChanged)")
        }
        let damaged = TemporaryHistory()
        write(try #require(contents(place.path)), to: damaged.path)
        let history = try damaged.open()
        try history.record(OneOfEach.events)
        for (name, bytes) in damaged.bytes where name != "history.db-shm" {
            write(bytes, to: place.folder + "/" + name)
        }
        let before = place.bytes
        expectRefusal("The history is damaged: event 3 has no sound minute") { _ = try place.open() }
        #expect(place.bytes.filter { $0.key != "history.db-shm" } == before)
    }

    /// It would be recorded, and called damaged at the next start.
    @Test(arguments: [253_402_500_000_000_000, -62_135_800_000_000_000] as [Int64])
    func `an event of a year that no calendar has is refused, and the history stays sound`(instant: Int64) throws {
        let history = try place.open()
        try history.record(OneOfEach.events)
        let sound = OneOfEach.event(.snoozeEnded)
        let moment = Moment(
            instant: Instant(microseconds: instant), wall: sound.moment.wall, zone: sound.moment.zone,
            steady: sound.moment.steady, dayEnds: sound.moment.dayEnds)
        let event = Event(moment: moment, actor: sound.actor, client: sound.client, what: sound.what)
        expectRefusal("The clock shows no year from 1 to 9999: set it") { try history.record([event]) }
        try history.record([sound])
        #expect(try history.events().count == OneOfEach.events.count + 1)
    }

    @Test(arguments: ["", "-wal", "-shm", "-journal"])
    func `a pipe in the place of the history, or of a file beside it, is not waited for`(suffix: String) throws {
        try place.record(OneOfEach.events)
        unlink(place.path + suffix)
        #expect(mkfifo(place.path + suffix, 0o600) == 0)
        let refused = "The history \(place.path + suffix) is not a plain file"
        expectRefusal(refused) { _ = try place.open() }
        expectRefusal(refused) { _ = try History.verify(at: place.path) }
        expectRefusal(refused) {
            _ = try History.copyThroughMemory(place.path, through: nil, asText: false, to: place.folder + "/copy")
        }
    }

    @Test(arguments: [
        ("synchronous", "2"), ("temp_store", "2"), ("foreign_keys", "1"), ("trusted_schema", "0"),
        ("secure_delete", "1"),
        ("busy_timeout", "70"), ("journal_mode", "wal"),
    ])
    func `a connection is durable and careful`(pragma: String, value: String) throws {
        let database = try HistoryFile(place.path).open(patience: .milliseconds(70), mayMake: true)
        #expect(try database.rows("PRAGMA \(pragma)") { $0.text(0) } == [value])
    }
}
