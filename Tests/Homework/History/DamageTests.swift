import Glibc
import HomeworkRules
import Storage
import TestSupport
import Testing
import Time

@testable import HomeworkHistory

/// A row that Daybreak would not write is reported by its number. Its content is not repeated.
struct DamageTests {
    let place = TemporaryHistory()

    @Test(arguments: [
        ("kind = 'sprouted'", "kind"), ("day = '2027-02-30'", "day"), ("client = -1", "client"),
        ("assignment = NULL", "assignment"), ("assignment = 'näh'", "assignment"),
        ("body = json_set(body, '$.due', '5 March')", "due"), ("body = json_remove(body, '$.breaths')", "breaths"),
        ("body = json_set(body, '$.moods', '[\"secret')", "moods"),
        ("body = json_set(body, '$.moods', json('[7]'))", "body"), ("body = NULL", "due"),
        ("body = '[\"secret\"]'", "body"), ("body = '{\"due\":\"2027-03-05\",\"due\":\"2027-03-05\"}'", "body"),
        ("body = json_remove(body, '$.position')", "position"),
        ("body = json_set(body, '$.position', -1)", "position"), ("body = json_set(body, '$.breaths', -1)", "breaths"),
        ("body = json_set(body, '$.breaths', 1 << 31)", "breaths"),
        ("minute = 2880", "minute"), ("minute = -1441", "minute"), ("minute = 0x7FFFFFFFFFFFFFFF", "minute"),
        ("at = at | 1 << 63", "at"), ("at = at | 1 << 62", "at"), ("steady = steady | 1 << 63", "steady"),
        ("day_ends = day_ends | 1 << 63", "day_ends"), ("actor = 1 << 32", "actor"),
    ])
    func `an invalid row is reported by its number and column`(change: String, column: String) throws {
        try place.record([OneOfEach.event(.snoozeEnded), OneOfEach.event(.assigned(.sample()))])
        try place.beside { database in
            try database.execute(
                "\(Tables.allowChanges); UPDATE event SET \(change) WHERE seq = 2; \(Tables.neverChanged)")
        }
        let history = try place.open()
        expectRefusal("The history is damaged: event 2 has no sound \(column)") { _ = try history.plan() }
    }

    @Test(arguments: [
        (Happening.snoozed(until: Instant(microseconds: 3)), "until"), (.breathed("1", breaths: 3), "breaths"),
        (.presenceTold(Presence(online: true, name: nil, since: now, until: now)), "since"),
        (.presenceTold(Presence(online: true, name: nil, since: now, until: now)), "until"),
        (.reminded(Reminder(id: "2027-03-05/missed/1", kind: .missed, count: 4)), "count"),
        (.scheduleTaken(ScheduleChange(), file: nil), "kept"), (.moved("1", position: 3), "position"),
    ])
    func `a number out of bounds is damage, and is not used for counting`(
        what: Happening, column: String
    ) throws {
        for flipped in [62, 63] {
            let place = TemporaryHistory()
            try place.record([OneOfEach.event(what)])
            try place.beside { database in
                try database.execute(
                    """
                    \(Tables.allowChanges);
                    UPDATE event SET body = json_set(body, '$.\(column)', json_extract(body, '$.\(column)') | 1 << \(flipped));
                    \(Tables.neverChanged)
                    """
                )
            }
            let history = try place.open()
            expectRefusal("The history is damaged: event 1 has no sound \(column)") { _ = try history.plan() }
        }
    }

    private static let now = Instant(microseconds: 1_804_233_600_000_000)

    /// The bounds of clocks, days and schedules.
    @Test(arguments: [
        ("-62135596800000000 - 86400000000", -1_440), ("253402300800000000 + 86400000000", 2_879),
    ])
    func `the largest and smallest valid times are read`(at: String, minute: Int) throws {
        try place.record([OneOfEach.event(.dayBegan("9999-12-31"))])
        try place.beside { database in
            try database.execute(
                "\(Tables.allowChanges); UPDATE event SET at = \(at), day_ends = at, minute = \(minute); \(Tables.neverChanged)"
            )
        }
        _ = try place.open().plan()
        #expect(try History.verify(at: place.path) == 1)
    }

    @Test(arguments: [(1, 1), (2, 2), (3, 3)])
    func `a missing event is reported by its number`(deleted: Int, missing: Int) throws {
        let history = try place.open()
        try history.record(Array(OneOfEach.events[..<3]))
        try place.beside { database in
            try database.execute(
                "\(Tables.allowDeletions); DELETE FROM event WHERE seq = \(deleted); \(Tables.neverDeleted)")
        }
        expectRefusal("The history \(place.path) is damaged: its event \(missing) is missing") {
            _ = try history.plan()
        }
    }

    /// The pages on the disk are checked, not those in memory.
    @Test func `damage to a page is found even if the page was read before`() throws {
        let event = OneOfEach.event(.snoozeEnded)
        try place.record(Array(repeating: event, count: 200))
        let page = try place.beside { database in
            try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return try database.number("SELECT rootpage FROM sqlite_schema WHERE name = 'event'")
        }
        let history = try place.open()
        // Recording reads the root page on its way to the table's last page.
        try history.record([event])
        let descriptor = open(place.path, O_WRONLY)
        defer { close(descriptor) }
        let spoiled = [UInt8](repeating: 0xff, count: 2_096)
        #expect(pwrite(descriptor, spoiled, spoiled.count, off_t(try #require(page) * 4_096 - spoiled.count)) == 2_096)
        expectRefusal("The history \(place.path) is damaged: restore it from a backup") { try history.check() }
    }

    @Test func `events of another program are refused and left alone`() throws {
        let history = try place.open()
        try history.record([OneOfEach.event(.snoozeEnded)])
        try place.beside { database in
            try database.execute(
                """
                INSERT INTO event (at, day, minute, zone, steady, day_ends, actor, by_daemon, client, kind)
                SELECT at, day, minute, zone, steady, day_ends, actor, by_daemon, client, kind FROM event
                """)
        }
        let foreign = "The history \(place.path) holds events that this daybreakd did not write"
        expectRefusal(foreign) { try history.record([OneOfEach.event(.dayBegan("2027-03-05"))]) }
        expectRefusal(foreign) { try history.record([OneOfEach.event(.dayBegan("2027-03-05"))]) }
        #expect(try place.shell("SELECT count(*) FROM event") == "2")
    }

    /// The first 100 bytes: "Database File Format", 1.3. SQLite opens a file for reading alone where byte 18 is greater than 2,
    /// and does not look at some others.
    @Test(arguments: [0x01, 0x03, 0x80, 0xFF] as [UInt8])
    func `a byte of the header that is spoiled is damage, or does no harm`(mask: UInt8) throws {
        try place.record(OneOfEach.events)
        let sound = try #require(contents(place.path))
        let plan = Plan(replaying: OneOfEach.events)
        for index in 0..<100 {
            for suffix in ["-wal", "-shm"] { unlink(place.path + suffix) }
            var spoiled = sound
            spoiled[index] ^= mask
            write(spoiled, to: place.path)
            let verified = fault { _ = try History.verify(at: place.path) }
            let opened = fault {
                let history = try place.open()
                #expect(try history.plan() == plan, "byte \(index)")
                try history.record([OneOfEach.event(.snoozeEnded)])
            }
            // The verification also compares the header with the pages.
            #expect(verified != nil || opened == nil, "byte \(index)")
            switch opened {
            case nil, .damaged, .newer: break
            case .unavailable, .inDoubt: Issue.record("byte \(index): \(opened?.description ?? "")")
            }
        }
    }

    /// The error that the body throws, if any.
    private func fault(_ body: () throws -> Void) -> HistoryError? {
        do { try body() } catch { return HistoryError(error, path: place.path) }
        return nil
    }
}
