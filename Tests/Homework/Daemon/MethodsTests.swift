import DaybreakInterfaces
import HomeworkRules
import TestSupport
import Testing
import Time
import UnixTestSupport
import Varlink

@testable import HomeworkDaemon

/// Each method of the interfaces once, with its whole reply.
@Suite struct MethodsTests {
    private let station: ControlServerFixture
    private var machine: Machine { station.machine }

    init() throws { station = try ControlServerFixture() }

    private func expect(_ call: String, _ reply: String, _ location: SourceLocation = #_sourceLocation) throws {
        let found = try station.ask(call)
        #expect(found == reply, sourceLocation: location)
    }

    private static let today = "It is today's task; it can be done through Friday 12 March 2027."
    private static let causeToday = #""day":"2027-03-12","kind":"today""#
    private static let causeCompleted = #""day":"2027-03-05","kind":"completed""#
    private static let paused = ExpectedReply.flow(ExpectedReply.exercise(paused: true))

    @Test func `GetInfo and GetInterfaceDescription describe the service`() throws {
        try expect(
            #"{"method":"org.varlink.service.GetInfo"}"#,
            #"{"parameters":{"interfaces":["org.varlink.service","org.daybreak.Homework","org.daybreak.Link","#
                + #""org.daybreak.Provider","org.daybreak.Service"],"product":"daybreak","url":"","vendor":"The Daybreak project","version":"0.1.0"}}"#
        )
        for interface in Interfaces.all {
            let ask =
                #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"\#(interface.name)"}}"#
            let reply = try Reply(frame: Array(#require(try station.ask(ask)).utf8))
            #expect(try reply.decode(GetInterfaceDescription.Reply.self).description == interface.text)
        }
    }

    @Test func `List returns the tasks of a day`() throws {
        let one = ExpectedReply.assignment(state: "eligible", Self.today, cause: Self.causeToday, changes: "2027-03-13")
        try expect(
            call("Homework.List", #"{"day":"2027-03-05"}"#),
            "{\"parameters\":{\"assignments\":[\(one)],\"earlier\":0,\"later\":0,\"today\":\"2027-03-05\"}}")
        try expect(
            call("Homework.List", #"{"day":"2027-03-06"}"#),
            #"{"parameters":{"assignments":[],"earlier":1,"later":0,"today":"2027-03-05"}}"#)
        try expect(
            call("Homework.List", #"{"day":"soon"}"#),
            error("org.varlink.service.InvalidParameter", #"{"parameter":"day"}"#))
    }

    @Test func `List and Get return assignments`() throws {
        let one = ExpectedReply.assignment(state: "eligible", Self.today, cause: Self.causeToday, changes: "2027-03-13")
        let list = "{\"parameters\":{\"assignments\":[\(one)],\"earlier\":0,\"later\":0,\"today\":\"2027-03-05\"}}"
        try expect(call("Homework.List"), list)
        try expect(call("Homework.List", #"{"all":true}"#), list)
        try expect(call("Homework.Get", #"{"assignment":"1"}"#), ExpectedReply.reply("assignment", one))
    }

    @Test func `List returns the tasks near today, and counts the rest`() throws {
        let before: CalendarDay = "2027-02-13"
        let entries = (1...40).map { number in Schedule.Entry.sample("\(number)", due: before + number) }
        machine.ask(.takeSchedule(.of(entries), file: nil))
        func list(_ parameters: String) throws -> Homework.List.Reply {
            try Reply(frame: Array(#require(try station.ask(call("Homework.List", parameters))).utf8)).decode(
                Homework.List.Reply.self)
        }
        let short = try list("{}")
        #expect(short.assignments.map(\.id) == (15...25).map { "\($0)" })
        #expect((short.earlier, short.later) == (14, 15))
        let all = try list(#"{"all":true}"#)
        #expect(all.assignments.map(\.id) == (1...40).map { "\($0)" })
        #expect((all.earlier, all.later) == (0, 0))
    }

    @Test func `GetStatus returns the content of the status file`() throws {
        try expect(call("Homework.GetStatus"), ExpectedReply.reply("status", ExpectedReply.opened))
        let text = try #require(machine.status?.text)
        #expect(String(decoding: text, as: UTF8.self) == ExpectedReply.opened + "\n")
    }

    @Test func `Start begins the exercise, and repeated goes on where the flow is`() throws {
        try expect(call("Homework.Start"), ExpectedReply.reply("flow", Self.paused))
        try expect(call("Homework.Start", #"{"assignment":"1"}"#), ExpectedReply.reply("flow", Self.paused))
    }

    @Test func `GetPattern returns the seconds of a name`() throws {
        try expect(
            call("Homework.GetPattern", #"{"pattern":"4-7-8"}"#),
            ExpectedReply.reply("pattern", #"{"exhale":8,"hold":7,"inhale":4,"rest":0}"#))
    }

    @Test func `Start takes a pattern by name`() throws {
        _ = try station.ask(call("Homework.Start", #"{"pattern":"box"}"#))
        #expect(try machine.history?.plan().flow?.exercise.pattern == .box)
    }

    @Test func `GetPreferences returns the client's preferences`() throws {
        try expect(
            call("Service.GetPreferences"),
            ExpectedReply.reply(
                "preferences",
                #"{"countdown":true,"desktop":true,"motion":true,"plain":false,"sound":false,"soundCommand":[]}"#))
    }

    @Test func `Pause and Restart leave an exercise without a guide paused`() throws {
        machine.ask(.start(nil))
        try expect(call("Homework.Pause"), ExpectedReply.reply("flow", Self.paused))
        try expect(call("Homework.Restart"), ExpectedReply.reply("flow", Self.paused))
    }

    @Test func `Start, Leave and LogMood lead to the completed task while the provider is online`() throws {
        try expect(
            call("Provider.SetPresence", #"{"online":true,"name":"Dr. X","forSeconds":60}"#), #"{"parameters":{}}"#)
        try expect(
            call("Provider.Presence"),
            #"{"parameters":{"name":"Dr. X","online":true,"until":"2027-03-05T00:01:00+00:00"}}"#)
        try expect(call("Homework.Start"), ExpectedReply.reply("flow", ExpectedReply.flow(stage: "session")))
        machine.clock.advance(by: .seconds(30))
        let left = ExpectedReply.assignment(
            state: "inProgress", "It is in progress: only its mood is missing.",
            cause: #""kind":"inProgress","stage":"mood""#, changes: "2027-03-07",
            startedAt: "00:00:00")
        let flow = ExpectedReply.flow(stage: "mood", at: "00:00:30")
        try expect(call("Homework.Leave"), "{\"parameters\":{\"assignment\":\(left),\"flow\":\(flow)}}")
        let completed = ExpectedReply.assignment(
            state: "completed", "It was completed on Friday 5 March 2027.", cause: Self.causeCompleted,
            startedAt: "00:00:00",
            completedAt: "00:00:30",
            mood: "calm")
        try expect(call("Homework.LogMood", #"{"mood":"calm"}"#), "{\"parameters\":{\"assignment\":\(completed)}}")
    }

    @Test func `Join leads from the wait room into the session`() throws {
        machine.ask(.start(nil), .breathe)
        machine.ring(after: .seconds(50))
        machine.ask(.online())
        try expect(
            call("Homework.Join"), ExpectedReply.reply("flow", ExpectedReply.flow(stage: "session", at: "00:00:50")))
    }

    @Test func `LogMood is allowed in the wait room`() throws {
        machine.ask(.start(nil), .breathe)
        machine.ring(after: .seconds(50))
        let waiting = ExpectedReply.assignment(
            state: "inProgress", "It is in progress: in the wait room.",
            cause: #""kind":"inProgress","stage":"waiting""#, changes: "2027-03-07", breathsDone: 5,
            startedAt: "00:00:00", mood: "tired")
        let flow = ExpectedReply.flow(stage: "waiting", at: "00:00:50", moodLogged: true)
        try expect(
            call("Homework.LogMood", #"{"mood":"tired"}"#),
            "{\"parameters\":{\"assignment\":\(waiting),\"flow\":\(flow)}}")
    }

    @Test func `CorrectMood without a task tells the one in progress, whose mood was logged last`() throws {
        machine.ask(.start(nil), .breathe)
        machine.ring(after: .seconds(50))
        machine.ask(.logMood("calm"))
        let waiting = ExpectedReply.assignment(
            state: "inProgress", "It is in progress: in the wait room.",
            cause: #""kind":"inProgress","stage":"waiting""#, changes: "2027-03-07", breathsDone: 5,
            startedAt: "00:00:00", mood: "tired")
        try expect(call("Homework.CorrectMood", #"{"mood":"tired"}"#), ExpectedReply.reply("assignment", waiting))
    }

    @Test func `Cancel ends the flow`() throws {
        machine.ask(.start(nil))
        let open = ExpectedReply.assignment(
            state: "eligible", Self.today, cause: Self.causeToday, changes: "2027-03-13", startedAt: "00:00:00")
        try expect(call("Homework.Cancel"), ExpectedReply.reply("assignment", open))
    }

    @Test func `Snooze mutes the reminders`() throws {
        try expect(
            call("Homework.Snooze", #"{"until":"30m"}"#),
            ExpectedReply.reply("status", ExpectedReply.status(nextReminder: "00:30:00", snoozedUntil: "00:30:00")))
        try expect(
            call("Homework.Snooze", #"{"until":"2027-03-05T02:00:00+01:00"}"#),
            ExpectedReply.reply("status", ExpectedReply.status(nextReminder: "01:00:00", snoozedUntil: "01:00:00")))
    }

    @Test func `EndSnooze ends the muting`() throws {
        machine.ask(.snooze(until: machine.clock.moment.instant + .seconds(1_800)))
        try expect(call("Homework.EndSnooze"), ExpectedReply.reply("status", ExpectedReply.status()))
    }

    @Test func `Show returns the whole history of a task`() throws {
        machine.ask(.start(nil), .breathe)
        machine.ring(after: .seconds(25))
        machine.ask(.pause)
        machine.ask(.resume, .addNote(Note(recorded: "Quiet"), .here))
        machine.ring(after: .seconds(30))
        machine.ask(.online(), .join, .leave, .logMood("calm"))
        machine.ring(after: .seconds(5))
        let assignment = ExpectedReply.assignment(
            state: "completed", "It was completed on Friday 5 March 2027.", cause: Self.causeCompleted, breathsDone: 5,
            startedAt: "00:00:00",
            completedAt: "00:00:55", mood: "tired")
        try expect(call("Homework.CorrectMood", #"{"mood":"Tired"}"#), ExpectedReply.reply("assignment", assignment))
        func step(_ what: String, at time: String, _ more: String = "") -> String {
            "{\"at\":\"2027-03-05T\(time)+00:00\",\(more)\"what\":\"\(what)\"}"
        }
        func mood(_ what: String, at time: String, _ word: String) -> String {
            step(what, at: time, "\"mood\":\"\(word)\",")
        }
        let steps = [
            step("unlocked", at: "00:00:00"),
            step("started", at: "00:00:00", #""pattern":{"exhale":6,"hold":0,"inhale":4,"rest":0},"#),
            step("breathingBegan", at: "00:00:00"), step("breathed", at: "00:00:25", #""breaths":2,"#),
            step("breathingPaused", at: "00:00:25"), step("breathingBegan", at: "00:00:25"),
            step("breathed", at: "00:00:55", #""breaths":5,"#), step("exerciseFinished", at: "00:00:55"),
            step("joined", at: "00:00:55"), step("left", at: "00:00:55"), mood("moodLogged", at: "00:00:55", "calm"),
            step("completed", at: "00:00:55"), mood("moodCorrected", at: "00:01:00", "tired"),
        ]
        let note = #"{"assignment":"1","at":"2027-03-05T00:00:25+00:00","text":"Quiet"}"#
        try expect(
            call("Homework.Show", #"{"assignment":"1"}"#),
            "{\"parameters\":{\"assignment\":\(assignment),\"notes\":[\(note)],\"steps\":[\(steps.joined(separator: ","))]}}"
        )
    }

    @Test func `Import returns the changes, and a dry run only counts them`() throws {
        let schedule = #"[[5,[\"calm\",\"tired\",\"hopeful\"],\"2027-03-05\"],[3,\"well, ill\",\"2027-03-06\"]]"#
        let reply = #"{"parameters":{"added":1,"changed":0,"kept":0,"unchanged":1,"withdrawn":0}}"#
        try expect(call("Homework.Import", "{\"schedule\":\"\(schedule)\",\"dryRun\":true}"), reply)
        #expect(machine.status?.counts.locked == 0)
        let taken = #"{"parameters":{"added":1,"changed":0,"fileDiffers":true,"kept":0,"unchanged":1,"withdrawn":0}}"#
        try expect(call("Homework.Import", "{\"schedule\":\"\(schedule)\"}"), taken)
        #expect(machine.status?.counts.locked == 1)
        machine.schedule = .missing
        try expect(
            call("Homework.Import", "{\"schedule\":\"\(schedule)\"}"),
            #"{"parameters":{"added":0,"changed":0,"kept":0,"unchanged":2,"withdrawn":0}}"#)
    }

    @Test func `Import of the file's own text reports no difference from the file`() throws {
        let text = #"[[5,["calm","tired","hopeful"],"2027-03-05"]]"#
        machine.schedule = .sound(.of(.sample()), Fingerprint(of: Array(text.utf8)))
        machine.daemon.scheduleFileChanged()
        try expect(
            call("Homework.Import", #"{"schedule":"[[5,[\"calm\",\"tired\",\"hopeful\"],\"2027-03-05\"]]"}"#),
            #"{"parameters":{"added":0,"changed":0,"kept":0,"unchanged":1,"withdrawn":0}}"#)
    }

    @Test func `Reminders returns the given reminders`() throws {
        let taken =
            #"{"at":"2027-03-05T00:00:00+00:00","id":"2027-03-05/scheduleTaken/1","kind":"scheduleTaken","#
            + #""message":"The schedule was taken in; it has 1 entry."}"#
        let unlocked =
            #"{"assignment":"1","at":"2027-03-05T00:00:00+00:00","id":"2027-03-05/unlocked/1","kind":"unlocked","#
            + #""message":"A task is open. `daybreak start` begins it."}"#
        try expect(call("Homework.Reminders"), ExpectedReply.reply("reminders", "[\(taken),\(unlocked)]"))
        try expect(call("Homework.Reminders", #"{"limit":1}"#), ExpectedReply.reply("reminders", "[\(unlocked)]"))
        try expect(call("Homework.Reminders", #"{"limit":0}"#), ExpectedReply.reply("reminders", "[]"))
        try expect(
            call("Homework.Reminders", #"{"since":"2027-03-05T00:00:01Z"}"#), ExpectedReply.reply("reminders", "[]"))
        try expect(call("Homework.Reminders", #"{"since":"2027-03-07"}"#), ExpectedReply.reply("reminders", "[]"))
        try expect(
            call("Homework.Reminders", #"{"since":"24h"}"#), ExpectedReply.reply("reminders", "[\(taken),\(unlocked)]"))
    }

    @Test func `Reload answers once it is done`() throws {
        try expect(call("Service.Reload"), #"{"parameters":{}}"#)
    }

    @Test func `Reload says that an imported schedule is in force`() throws {
        let schedule = #"[[5,[\"calm\",\"tired\",\"hopeful\"],\"2027-03-05\"],[3,\"well, ill\",\"2027-03-06\"]]"#
        _ = try station.ask(call("Homework.Import", "{\"schedule\":\"\(schedule)\"}"))
        try expect(call("Service.Reload"), #"{"parameters":{"isScheduleImported":true}}"#)
    }
}
