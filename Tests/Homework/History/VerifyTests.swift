import Glibc
import HomeworkRules
import Storage
import TestSupport
import Testing
import Time

@testable import HomeworkHistory

/// The result of `daybreakd --verify`, beside a daemon that goes on writing.
struct VerifyTests {
    let place = TemporaryHistory()

    @Test func `a missing history is no fault`() throws {
        #expect(try History.verify(at: place.path) == nil)
        #expect(place.bytes == [:])
    }

    @Test func `a sound history is verified with its number of events, and left unchanged`() throws {
        let history = try place.open()
        try history.record(OneOfEach.events)
        // The log's index, which marks the readers, may change.
        let before = place.bytes.filter { $0.key != "history.db-shm" }
        #expect(try History.verify(at: place.path) == OneOfEach.events.count)
        let isAsBefore = place.bytes.filter { $0.key != "history.db-shm" } == before
        #expect(isAsBefore)
        try history.record(OneOfEach.events)
        #expect(try History.verify(at: place.path) == 2 * OneOfEach.events.count)
    }

    @Test func `an invalid event is found`() throws {
        try place.record([OneOfEach.event(.snoozeEnded), OneOfEach.event(.assigned(.sample()))])
        try place.beside { database in
            try database.execute(
                "\(Tables.allowChanges); UPDATE event SET body = json_remove(body, '$.breaths') WHERE seq = 2; \(Tables.neverChanged)"
            )
        }
        expectRefusal("The history is damaged: event 2 has no sound breaths") { _ = try History.verify(at: place.path) }
    }

    @Test func `a missing event is found`() throws {
        try place.record(Array(OneOfEach.events[..<3]))
        try place.beside { database in
            try database.execute(
                "\(Tables.allowDeletions); DELETE FROM event WHERE seq = 2; \(Tables.neverDeleted)")
        }
        expectRefusal("The history \(place.path) is damaged: its event 2 is missing") {
            _ = try History.verify(at: place.path)
        }
    }

    @Test(arguments: ["", "-wal", "-shm"])
    func `a pipe in the place of the history, its log or the log's index is not waited for`(suffix: String) throws {
        try place.record(OneOfEach.events)
        let pipe = place.path + suffix
        unlink(pipe)
        #expect(mkfifo(pipe, 0o600) == 0)
        // Keeps the open that would wait for a writer from hanging this test.
        let writer = open(pipe, O_RDWR)
        defer { close(writer) }
        expectRefusal("The history \(pipe) is not a plain file") { _ = try History.verify(at: place.path) }
    }

    /// The damaged page is an index's. A replay reads no index and would not notice.
    @Test func `damage to a page is found`() throws {
        for _ in 1...20 { try place.record(OneOfEach.events) }
        let pages = try place.beside { database in
            try database.number("SELECT rootpage FROM sqlite_master WHERE name = 'event_reminded'")
        }
        var bytes = try #require(contents(place.path))
        let start = try #require(pages).advanced(by: -1) * 4_096
        for index in start + 2_000..<start + 4_096 { bytes[index] = 0xFF }
        write(bytes, to: place.path)
        expectRefusal("The history \(place.path) is damaged: restore it from a backup") {
            _ = try History.verify(at: place.path)
        }
        // Such a file takes no history's place either.
        let draft = place.folder + "/restore-1"
        write(bytes, to: draft)
        expectRefusal("The file is damaged") { _ = try History.prepare(draft) }
    }

    /// SQLite takes the damaged frame for the log's end.
    @Test func `a log that has lost commits is damage`() throws {
        let history = try place.open()
        for event in OneOfEach.events.prefix(3) { try history.record([event]) }
        let copied = TemporaryHistory()
        for suffix in ["", "-wal"] { write(try #require(contents(place.path + suffix)), to: copied.path + suffix) }
        #expect(try History.verify(at: copied.path) == 3)
        var log = try #require(contents(copied.path + "-wal"))
        log[1_000] ^= 1
        write(log, to: copied.path + "-wal")
        expectRefusal("The history \(copied.path) is damaged: restore it from a backup") {
            _ = try History.verify(at: copied.path)
        }
    }

    /// SIGKILL between the making of the log and that of its index, or the copy of a folder.
    @Test func `a history whose log has no index is verified, and left as it is`() throws {
        let history = try place.open()
        try history.record(OneOfEach.events)
        let copied = TemporaryHistory()
        for suffix in ["", "-wal"] { write(try #require(contents(place.path + suffix)), to: copied.path + suffix) }
        let before = copied.bytes
        #expect(try History.verify(at: copied.path) == OneOfEach.events.count)
        #expect(try History.readPlan(at: copied.path) == history.plan())
        #expect(copied.bytes == before)
        write([], to: copied.path + "-wal")
        _ = try History.verify(at: copied.path)
    }
}
