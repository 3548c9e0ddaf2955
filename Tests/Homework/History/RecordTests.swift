import HomeworkRules
import Storage
import TestSupport
import Testing
import Time

@testable import HomeworkHistory

/// Recorded events are read back unchanged, and never change.
struct RecordTests {
    let place = TemporaryHistory()

    @Test func `every kind of event is read back as it was recorded`() throws {
        let history = try place.open()
        try history.record(OneOfEach.events)
        #expect(try history.events() == OneOfEach.events)
    }

    @Test func `every kind of event is read back after a restart`() throws {
        try place.record(OneOfEach.events)
        #expect(try place.open().events() == OneOfEach.events)
    }

    @Test func `the sample has every kind of event`() {
        let names = Set(OneOfEach.happenings.map { OneOfEach.name(of: $0) })
        #expect(names == Set(EventKind.all.map(\.name)))
    }

    @Test func `the plan follows from the events`() throws {
        let history = try place.open()
        try history.record(OneOfEach.events)
        #expect(try history.plan() == Plan(replaying: OneOfEach.events))
    }

    @Test func `the plan of recorded events is the one of the rules`() throws {
        let history = try place.open()
        var plan = Plan()
        for command in [
            Command.lookAtClock, .take(.sample(), .sample(due: "2027-03-06")), .online(), .start(nil), .leave,
        ] {
            let moment = OneOfEach.event(.snoozeEnded).moment
            let events = try Rules().decide(command, in: plan, at: moment, by: Actor(user: 1), for: 1)
            try history.record(events)
            plan.apply(events)
        }
        #expect(plan.flow?.stage == .mood)
        #expect(try history.plan() == plan)
    }

    @Test func `events are counted as they are recorded`() throws {
        let history = try place.open()
        #expect(history.eventCount == 0)
        try history.record(Array(OneOfEach.events[..<5]))
        try history.record(Array(OneOfEach.events[5..<7]))
        #expect(history.eventCount == 7)
    }

    @Test func `events are counted after a restart`() throws {
        try place.record(Array(OneOfEach.events[..<5]))
        try place.record(Array(OneOfEach.events[5..<7]))
        #expect(try place.open().eventCount == 7)
    }

    @Test func `recording nothing writes nothing, and waits for no lock`() throws {
        let history = try place.open()
        let before = place.bytes
        try place.beside { database in
            try database.execute("BEGIN EXCLUSIVE")
            try history.record([])
            try database.execute("ROLLBACK")
        }
        #expect(place.bytes == before)
        #expect(try history.events() == [])
        #expect(try history.plan() == Plan())
    }

    @Test func `the last reminders are in the order in which they were given`() throws {
        let history = try place.open()
        let ids = ["a", "b", "c", "d"]
        for (index, id) in ids.enumerated() {
            let what = Happening.reminded(Reminder(id: id, kind: .stillOpen))
            try history.record([OneOfEach.event(.snoozeEnded), OneOfEach.event(what, number: index)])
        }
        let all = ids.enumerated().map { index, id in
            let at = OneOfEach.event(.snoozeEnded, number: index).moment.instant
            return GivenReminder(reminder: Reminder(id: id, kind: .stillOpen), at: at)
        }
        #expect(try history.reader.reminders(since: nil, limit: 10) == all)
        #expect(try history.reader.reminders(since: nil, limit: 2) == Array(all[2...]))
        #expect(try history.reader.reminders(since: all[1].at, limit: 2) == Array(all[2...]))
        #expect(try history.reader.reminders(since: all[1].at, limit: 10) == Array(all[1...]))
        #expect(try history.reader.reminders(since: all[3].at + .microseconds(1), limit: 10) == [])
        #expect(try history.reader.reminders(since: nil, limit: 0) == [])
        #expect(try history.reader.reminders(since: nil, limit: -1) == [])
    }

    @Test(arguments: [
        ("UPDATE event SET kind = 'left'", "what happened is never changed"),
        ("DELETE FROM event WHERE seq = 2", "what happened is never deleted"),
    ])
    func `recorded events cannot be changed or deleted`(sql: String, refusal: String) throws {
        let history = try place.open()
        try history.record(OneOfEach.events)
        let error = #expect(throws: SQLiteError.self) { try place.beside { try $0.execute(sql) } }
        #expect(error?.message == refusal)
        #expect(error?.extendedCode == SQLiteError.trigger)
        #expect(try history.events() == OneOfEach.events)
    }
}
