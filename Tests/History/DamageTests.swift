import GRDB
import Homework
import TestSupport
import Testing

@testable import History

/// Rows that Daybreak would not have written are told of by their number, never by what they hold.
struct DamageTests {
    let place = TemporaryHistory()

    @Test(arguments: [
        ("kind = 'sprouted'", "kind"), ("day = '2027-02-30'", "day"), ("client = -1", "client"),
        ("assignment = NULL", "assignment"), ("assignment = 'näh'", "assignment"), ("due = '5 March'", "due"),
        ("breaths = NULL", "breaths"), ("moods = '[\"secret'", "moods"), ("position = NULL", "position"),
    ])
    func `a row that makes no sense is told by its number and column`(change: String, column: String) throws {
        try place.record([OneOfEach.event(.snoozeEnded), OneOfEach.event(.assigned(.sample()))])
        try place.beside { database in
            try database.execute(
                sql: "DROP TRIGGER event_is_never_changed; UPDATE event SET \(change) WHERE seq = 2")
        }
        let history = try place.open()
        expectRefusal("The history is damaged: event 2 has no sound \(column)") { _ = try history.plan() }
    }

    @Test(arguments: [(1, 1), (2, 2), (3, 3)])
    func `a missing event is told by its number`(deleted: Int, missing: Int) throws {
        let history = try place.open()
        try history.record(Array(OneOfEach.events[..<3]))
        try place.beside { database in
            try database.execute(sql: "DROP TRIGGER event_is_never_deleted; DELETE FROM event WHERE seq = \(deleted)")
        }
        expectRefusal("The history \(place.path) is damaged: its event \(missing) is missing") {
            _ = try history.plan()
        }
    }

    @Test func `events of another program are refused and left alone`() throws {
        let history = try place.open()
        try history.record([OneOfEach.event(.snoozeEnded)])
        try place.beside { database in
            try database.execute(
                sql: """
                    INSERT INTO event (at, day, minute, zone, steady, day_ends, actor, by_daemon, client, kind)
                    SELECT at, day, minute, zone, steady, day_ends, actor, by_daemon, client, kind FROM event
                    """)
        }
        let foreign = "The history \(place.path) holds events that this daybreakd did not write"
        expectRefusal(foreign) { try history.record([OneOfEach.event(.dayBegan("2027-03-05"))]) }
        expectRefusal(foreign) { try history.record([OneOfEach.event(.dayBegan("2027-03-05"))]) }
        #expect(try place.shell("SELECT count(*) FROM event") == "2")
    }
}
