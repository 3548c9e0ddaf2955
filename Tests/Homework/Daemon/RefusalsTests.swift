import Glibc
import HomeworkRules
import TestSupport
import Testing
import Time
import UnixTestSupport

@testable import HomeworkDaemon

/// Each error of the interfaces once, with all of its parameters.
@Suite struct RefusalsTests {
    private let station: ControlServerFixture
    private var machine: Machine { station.machine }

    init() throws {
        station = try ControlServerFixture()
        machine.ask(.take(.sample("1"), .sample("2"), .sample("3", due: "2027-03-06")))
    }

    private func expect(
        _ call: String, _ name: String, _ parameters: String = "{}", _ location: SourceLocation = #_sourceLocation
    ) throws {
        let found = try station.ask(call)
        #expect(found == error("org.daybreak.\(name)", parameters), sourceLocation: location)
    }

    private func start(_ id: String) -> String { call("Homework.Start", "{\"assignment\":\"\(id)\"}") }

    private func complete() { machine.ask(.offline, .online(), .start(nil), .leave, .logMood("calm")) }

    @Test func `Locked`() throws {
        try expect(start("3"), "Homework.Locked", #"{"assignment":"3","unlocksAt":"2027-03-06T00:00:00+00:00"}"#)
    }

    @Test func `NotEligible`() throws {
        try expect(
            start("2"), "Homework.NotEligible",
            #"{"assignment":"2","cause":{"day":"2027-03-12","first":"1","kind":"behindAnother"},"eligible":"1","#
                + #""reason":"Task 1 comes first; this one can be done through Friday 12 March 2027."}"#
        )
    }

    @Test func `NothingEligible`() throws {
        complete()
        complete()
        try expect(call("Homework.Start"), "Homework.NothingEligible", #"{"nextUnlock":"2027-03-06T00:00:00+00:00"}"#)
    }

    @Test func `NothingEligible tells of a schedule that was refused, and so does the list`() throws {
        let station = try ControlServerFixture(Machine())
        station.machine.schedule = .faulty("tasks.json:1:1: No.", Fingerprint("x"))
        station.machine.ring()
        let problem = "The schedule was refused: tasks.json:1:1: No. Until there is a sound one, there are no tasks."
        #expect(
            try station.ask(call("Homework.Start"))
                == error("org.daybreak.Homework.NothingEligible", "{\"problem\":\"\(problem)\"}"))
        #expect(
            try station.ask(call("Homework.List"))
                == "{\"parameters\":{\"assignments\":[],\"earlier\":0,\"later\":0,\"problem\":\"\(problem)\",\"today\":\"2027-03-05\"}}"
        )
    }

    @Test func `TooManyConnections, and a line in the log`() throws {
        let station = try ControlServerFixture()
        let crowd = (0..<192).map { _ in station.client() }
        for one in crowd { _ = try station.ask(one, call("Homework.GetPattern", #"{"pattern":"box"}"#)) }
        let user = geteuid()
        #expect(
            try station.message(for: station.client())
                == error("org.daybreak.Service.TooManyConnections", "{\"limit\":192,\"user\":\(user)}"))
        #expect(
            station.machine.said
                == ["warning: Connections of user \(user) are refused: there are 192, which is the limit, carrying on"])
    }

    @Test func `AlreadyCompleted`() throws {
        complete()
        try expect(start("1"), "Homework.AlreadyCompleted", #"{"assignment":"1","completedOn":"2027-03-05"}"#)
    }

    @Test func `NotCompleted`() throws {
        try expect(call("Homework.CorrectMood", #"{"mood":"calm"}"#), "Homework.NotCompleted")
        try expect(
            call("Homework.CorrectMood", #"{"mood":"calm","assignment":"1"}"#), "Homework.NotCompleted",
            #"{"assignment":"1"}"#)
    }

    @Test func `CannotAddNote`() throws {
        try expect(
            call("Homework.AddNote", #"{"text":" "}"#), "Homework.CannotAddNote",
            #"{"reason":"The note is empty."}"#)
        try expect(
            call("Homework.AddNote", #"{"text":"A\u001bB"}"#), "Homework.CannotAddNote",
            #"{"reason":"The note has a control character in it, which a terminal would obey."}"#)
    }

    @Test func `NoSuchAssignment, also for a text that is no id`() throws {
        try expect(start("9"), "Homework.NoSuchAssignment", #"{"assignment":"9"}"#)
        try expect(
            call("Homework.Get", #"{"assignment":"no name"}"#), "Homework.NoSuchAssignment",
            #"{"assignment":"no name"}"#)
    }

    @Test func `InvalidPattern lists the names, and PatternStands names the pattern`() throws {
        for method in ["Start", "GetPattern"] {
            try expect(
                call("Homework.\(method)", #"{"pattern":"bxo"}"#), "Homework.InvalidPattern",
                #"{"patterns":["4-7-8","box","calm","coherent"],"reason":"There is no pattern of that name; there are "#
                    + #"4-7-8, box, calm, coherent, and seconds such as 4-0-6-0."}"#)
        }
        machine.ask(.start(nil))
        try expect(
            call("Homework.Start", #"{"pattern":"box"}"#), "Homework.PatternStands", #"{"pattern":"4-0-6-0"}"#)
    }

    @Test(arguments: ["Pause", "Resume", "Restart", "Join", "Leave", "Cancel"]) func `NoFlow`(method: String) throws {
        try expect(call("Homework.\(method)"), "Homework.NoFlow")
    }

    @Test func `WrongStage`() throws {
        machine.ask(.start(nil))
        try expect(call("Homework.Leave"), "Homework.WrongStage", #"{"allowed":["session"],"stage":"exercise"}"#)
        try expect(
            call("Homework.LogMood", #"{"mood":"calm"}"#), "Homework.WrongStage",
            #"{"allowed":["waiting","mood"],"stage":"exercise"}"#)
    }

    @Test func `NotGuided and ProviderUnavailable`() throws {
        machine.ask(.start(nil))
        try expect(call("Homework.Resume"), "Homework.NotGuided")
        try expect(call("Homework.Join"), "Homework.ProviderUnavailable")
    }

    @Test func `MoodNotOffered and MoodAlreadyLogged`() throws {
        machine.ask(.start(nil), .breathe)
        machine.ring(after: .seconds(50))
        try expect(
            call("Homework.LogMood", #"{"mood":"angry"}"#), "Homework.MoodNotOffered",
            #"{"moods":["calm","tired","hopeful"]}"#)
        machine.ask(.logMood("calm"))
        try expect(call("Homework.LogMood", #"{"mood":"calm"}"#), "Homework.MoodAlreadyLogged")
    }

    @Test(arguments: [
        ("soon", "The time is a length (30m, 1h30m), a time of today's clock (18:00), or an RFC 3339 instant."),
        ("2027-03-04T00:00:00Z", "That time has passed already."), ("24h", "A snooze ends with the day at the latest."),
        ("2027-03-04T06:00:00Z", "That time has passed already."),
        ("2027-03-04 06:00Z", "That time has passed already."),
        ("2027-03-04t06:00:00+00:00", "That time has passed already."),
    ]) func `CannotSnooze`(until: String, reason: String) throws {
        try expect(
            call("Homework.Snooze", "{\"until\":\"\(until)\"}"), "Homework.CannotSnooze", "{\"reason\":\"\(reason)\"}")
    }

    @Test func `CannotSnooze if nothing is open`() throws {
        complete()
        complete()
        try expect(
            call("Homework.Snooze", #"{"until":"30m"}"#), "Homework.CannotSnooze",
            #"{"reason":"Nothing is open, so there is nothing to be reminded of."}"#)
    }

    @Test func `InvalidSchedule`() throws {
        try expect(
            call("Homework.Import", #"{"schedule":"[\n  [0, \"calm\", \"2027-03-05\"]]"}"#), "Homework.InvalidSchedule",
            #"{"column":4,"entry":1,"line":2,"reason":"The breath count must be at least 1."}"#)
        #expect(machine.status?.counts.locked == 2)
    }

    @Test func `StorageUnavailable, and a status with the problem`() throws {
        machine.hideHistory()
        let problem = "The history \(machine.databaseFile) has vanished: bring it back"
        try expect(call("Homework.Start"), "Homework.StorageUnavailable", "{\"reason\":\"\(problem)\"}")
        try expect(
            call("Provider.SetPresence", #"{"online":true}"#), "Homework.StorageUnavailable",
            "{\"reason\":\"\(problem)\"}")
        let counts = #"{"completed":0,"locked":2,"missed":0,"open":1}"#
        let reason = "It is today's task; it can be done through Friday 12 March 2027."
        let shown = ExpectedReply.status(
            eligible: ExpectedReply.summary("eligible", reason, "2027-03-06"), counts: counts,
            nextUnlock: "2027-03-06T00:00:00+00:00", problem: problem)
        let status = try station.ask(call("Homework.GetStatus"))
        #expect(status == ExpectedReply.reply("status", shown))
    }

    @Test func `InvalidConfiguration`() throws {
        machine.fresh = .failure(ConfigurationError(file: "/c/daybreak.toml", line: nil, reason: "Reason."))
        try expect(
            call("Service.Reload"), "Service.InvalidConfiguration", #"{"file":"/c/daybreak.toml","reason":"Reason."}"#)
    }
}
