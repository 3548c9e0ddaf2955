import Files
import Glibc
import HomeworkRules
import Storage
import TestSupport
import Testing
import TestingSupport
import Time

@testable import HomeworkHistory

/// The write-ahead log beside a history, which other programs can remove, replace or write.
@Suite(.hangGuard) struct LogTests {
    let place = TemporaryHistory()
    private var log: String { place.path + "-wal" }
    private static let count = OneOfEach.events.count

    /// Each way leaves the connection the log that it has open.
    @Test(arguments: ["removed", "replaced by nothing", "replaced by another", "replaced by an earlier one"])
    func `a log that loses its name is copied into the history before an event is recorded`(way: String) throws {
        let history = try place.open()
        try history.record(OneOfEach.events)
        let earlier = try #require(contents(log))
        try history.record(OneOfEach.events)
        switch way {
        case "removed": unlink(log)
        case "replaced by nothing": write([], to: log + "x")
        case "replaced by another": write([UInt8](repeating: 120, count: 5_000), to: log + "x")
        default: write(earlier, to: log + "x")
        }
        if way != "removed" { rename(log + "x", log) }
        try history.record(OneOfEach.events)
        // A program that opens the files now, as after a crash, sees each event that was recorded.
        #expect(try History.verify(at: place.path) == 3 * Self.count)
        #expect(try history.events().count == 3 * Self.count)
    }

    @Test func `a log that loses its name while it is used is copied into the history`() throws {
        let history = try place.open()
        try history.record(OneOfEach.events)
        try history.use { _ in
            unlink(log)
            write([120], to: log)
        }
        try history.record(OneOfEach.events)
        #expect(try History.verify(at: place.path) == 2 * Self.count)
    }

    @Test func `a log that loses its name is kept until the disk takes it`() async {
        await #expect(processExitsWith: .success) {
            FaultyDisk.insert()
            let place = TemporaryHistory()
            let history = try place.open()
            try history.record(OneOfEach.events)
            unlink(place.path + "-wal")
            FaultyDisk.fail(at: 1, .fromThenOn)
            for _ in 1...2 { #expect(refusal { try history.record(OneOfEach.events) } != "nothing") }
            FaultyDisk.heal()
            try history.record(OneOfEach.events)
            let verified = try History.verify(at: place.path)
            #expect(verified == 2 * OneOfEach.events.count)
        }
    }

    /// While its disk is full, the log stays without a name. The open history has it, and nobody else.
    @Test func `a copy through memory and a read of the file are refused if they would lack a recorded event`() throws {
        let history = try place.open()
        try history.record(OneOfEach.events)
        unlink(log)
        let said = "The history \(place.path) is damaged: its event 1 is missing"
        let copy = place.folder + "/copy"
        for asText in [false, true] {
            expectRefusal(said) {
                try History.copyThroughMemory(place.path, through: Self.count, asText: asText, to: copy)
            }
        }
        expectRefusal(said) {
            _ = try HistoryReader.file(place.path, through: Self.count).reminders(since: nil, limit: 9)
        }
        #expect(mode(copy) == "nothing")
        #expect(try history.events() == OneOfEach.events)
        try History.copyThroughMemory(place.path, through: Self.count, asText: false, to: copy)
        #expect(try History.verify(at: copy) == Self.count)
    }

    @Test(arguments: [false, true])
    func `a copy of the file is refused if it would lack a recorded event`(asText: Bool) throws {
        try place.record(OneOfEach.events)
        let copy = place.folder + "/copy"
        expectRefusal("The history \(place.path) is damaged: its event \(Self.count + 1) is missing") {
            try History.copy(place.path, through: Self.count + 1, asText: asText, to: copy)
        }
        #expect(mode(copy) == "nothing")
    }

    @Test(arguments: [true, false])
    func `a log that was cut off or overwritten is damage, and no event is recorded`(isCut: Bool) throws {
        let history = try place.open()
        try history.record(OneOfEach.events)
        let earlier = try #require(contents(log))
        try history.record(OneOfEach.events)
        let before = contents(place.path)
        if isCut { truncate(log, 0) } else { write(earlier, to: log) }
        let left = contents(log)
        let found = isCut ? 0 : Self.count
        let said = "The history \(place.path) is damaged: its event \(found + 1) is missing"
        for _ in 1...2 { expectRefusal(said) { try history.record(OneOfEach.events) } }
        expectRefusal(said) { _ = try history.plan() }
        try history.close()
        #expect(contents(place.path) == before && contents(log) == left)
    }

    /// SQLite would copy it without looking at its checksums.
    @Test(arguments: [true, false])
    func `a log that was overwritten is not copied into the history when that is closed`(isClosed: Bool) throws {
        var history: History? = try place.open()
        try history?.record(OneOfEach.events)
        let before = contents(place.path)
        let other = [UInt8](repeating: 120, count: 200_000)
        write(other, to: log)
        if isClosed { try history?.close() }
        history = nil
        #expect(contents(place.path) == before && contents(log) == other)
    }

    @Test func `a log that another program only touched is used on`() throws {
        let history = try place.open()
        try history.record(OneOfEach.events)
        utimensat(AT_FDCWD, log, [timespec(), timespec()], 0)
        try history.record(OneOfEach.events)
        #expect(try history.events() == OneOfEach.events + OneOfEach.events)
    }

    @Test func `a log that SQLite copied and cut off in another program is used on`() throws {
        let history = try place.open()
        try history.record(OneOfEach.events)
        try place.beside { try $0.emptyLog() }
        #expect(contents(log) == [])
        try history.record(OneOfEach.events)
        #expect(try history.events() == OneOfEach.events + OneOfEach.events)
    }

    @Test func `a history and a log that take both names stay as they are`() throws {
        var history: History? = try place.open()
        try history?.record(OneOfEach.events)
        let (database, frames) = (try #require(contents(place.path)), try #require(contents(log)))
        write(database, to: place.path + "x")
        write(frames, to: log + "x")
        for suffix in ["", "-wal"] { rename(place.path + suffix + "x", place.path + suffix) }
        let said =
            "The history \(place.path) was replaced by another file: bring the former one back, or give the other one to "
            + "`daybreak restore`"
        for _ in 1...2 { expectRefusal(said) { try history?.record(OneOfEach.events) } }
        history = nil
        #expect(contents(place.path) == database && contents(log) == frames)
    }
}

/// A history that opens with fewer events than the newest night's copy.
@Suite(.hangGuard) struct LostEventsTests {
    let place = TemporaryHistory()
    private static let count = OneOfEach.events.count

    /// A night's copy, and the bytes of the history when it had no events.
    private func lived() throws -> (night: String, empty: [UInt8]) {
        let history = try place.open()
        let empty = try #require(contents(place.path))
        try history.record(OneOfEach.events)
        let night = try Backups(of: place.path).path("night-2027-03-05.db")
        try history.backUp(to: night)
        try history.record(OneOfEach.events)
        try history.close()
        return (night, empty)
    }

    @Test func `a history with fewer events than the newest night's copy is damaged, and is not written`() throws {
        let (night, empty) = try lived()
        write(empty, to: place.path)
        for _ in 1...2 {
            expectRefusal(
                "The history \(place.path) has lost events: it has 0, and its backup \(night) has \(Self.count)"
            ) { _ = try place.open() }
        }
        #expect(contents(place.path) == empty)
        unlink(night)
        #expect(try place.open().events() == [])
    }

    @Test(arguments: [
        "\(Tables.allowDeletions); DELETE FROM event WHERE seq = 3; \(Tables.neverDeleted)",
        "CREATE TABLE other (what)", nil,
    ])
    func `a night's copy that lacks an event, has other tables or cannot be read does not count`(change: String?) throws
    {
        let (night, empty) = try lived()
        write(empty, to: place.path)
        if let change { try SQLiteDatabase(night).execute(change) } else { write([1, 2, 3], to: night) }
        #expect(try place.open().events() == [])
    }

    /// A view may have no end.
    @Test func `the events of a history with other tables are not counted`() throws {
        _ = try lived()
        try SQLiteDatabase(place.path).execute("DROP TABLE event; CREATE VIEW event AS SELECT 0 AS seq")
        expectRefusal(
            "The history \(place.path) has other tables than those that Daybreak makes: restore it from a backup"
        ) { _ = try place.open() }
    }

    @Test func `an older history that was restored is opened`() throws {
        _ = try lived()
        let (older, aside) = (place.folder + "/older.db", try Backups(of: place.path).path("replaced-2027-03-05-1.db"))
        let earlier = TemporaryHistory()
        try earlier.record([OneOfEach.events[0]])
        write(try #require(contents(earlier.path)), to: older)
        let prepared = try History.prepare(older)
        #expect(try History.replace(place.path, with: prepared, keepingAs: aside) == aside)
        #expect(try place.open().events() == [OneOfEach.events[0]])
    }

    @Test func `a history that was erased is opened`() throws {
        _ = try lived()
        try History.prepareAnew(at: place.path, noting: OneOfEach.event(.erased(nil)))
        try History.beginAnew(at: place.path)
        #expect(try place.open().eventCount == 1)
    }
}
