import DaybreakInterfaces
import HomeworkRules
import TestSupport
import Testing
import Time
import UnixTestSupport
import Varlink

@testable import HomeworkDaemon

/// Why a task is locked, open or missed: the rule, the settings, and what comes next.
@Suite struct ExplainTests {
    /// Days of grace: two. On 2027-03-05 there are a missed task, a late one, two of the day, one of the next day and a
    /// later one.
    private static func machine() throws -> Machine {
        let machine = Machine()
        machine.fresh = .success(
            try Configuration.read("[day]\nstarts_at = \"00:00\"\ngrace_days = 2\n", file: "/etc/daybreak.toml"))
        machine.schedule = .sound(
            .of(
                .sample("lost", due: "2027-03-01"), .sample("late", due: "2027-03-04"),
                .sample("first", due: "2027-03-05"), .sample("second", due: "2027-03-05"),
                .sample("next", due: "2027-03-06"), .sample("last", due: "2027-03-09")), Fingerprint("several"))
        machine.ring()
        _ = machine.reload()
        return machine
    }

    private static func explain(_ task: String?, on machine: Machine) -> [String] {
        var lines: [String] = []
        let job = Job(actor: Actor(user: 1_000), action: .look) { view in
            lines = try view.explanations(of: task).map { one in
                let settings = one.settings.map {
                    "\($0.name)=\($0.value) \($0.file):\($0.line.map(String.init) ?? "-")"
                }
                let next = one.becomes.map { "\(one.assignment.changesAt ?? "") \($0)" } ?? "stays"
                return
                    "\(one.assignment.id) \(one.assignment.state) | \(one.rule) | \(settings.joined(separator: ", ")) | \(next)"
            }
            return []
        }
        machine.daemon.turn([job])
        return lines
    }

    private static let grace = "day.grace_days=2 /etc/daybreak.toml:3, day.starts_at=00:00 /etc/daybreak.toml:2"

    @Test func `a later task is locked until the first instant of its day`() throws {
        #expect(
            Self.explain("last", on: try Self.machine()) == [
                """
                last locked | A task unlocks at the first instant of its day. | day.starts_at=00:00 \
                /etc/daybreak.toml:2 | 2027-03-09T00:00:00+00:00 eligible
                """
            ])
    }

    @Test func `the second task of a later day waits for the first`() throws {
        let machine = try Self.machine()
        machine.schedule = .sound(
            .of(.sample("one", due: "2027-03-07"), .sample("two", due: "2027-03-07")), Fingerprint("two of one day"))
        machine.daemon.scheduleFileChanged()
        #expect(
            Self.explain("2027-03-07", on: machine) == [
                """
                one locked | A task unlocks at the first instant of its day. | day.starts_at=00:00 \
                /etc/daybreak.toml:2 | 2027-03-07T00:00:00+00:00 eligible
                """,
                """
                two locked | There is one task at a time: today's, in the schedule's order, before any that is late. | \
                \(Self.grace) | 2027-03-10T00:00:00+00:00 missed
                """,
            ])
        var shown: [String] = []
        machine.daemon.turn([
            Job(actor: Actor(user: 1_000), action: .look) { view in
                shown = try ["one", "two"].map { try view.assignment($0) }.map { "\($0.reason) \($0.changesAt ?? "-")" }
                return []
            }
        ])
        #expect(
            shown == [
                "It unlocks when Sunday 7 March 2027 begins. 2027-03-07T00:00:00+00:00",
                "It unlocks on Sunday 7 March 2027, after the other one of that day. 2027-03-10T00:00:00+00:00",
            ])
    }

    @Test func `of today's tasks one is open, and the other is behind it`() throws {
        #expect(
            Self.explain("today", on: try Self.machine()) == [
                """
                first eligible | Today's task is the one to do; of several, the first in the schedule's order that is \
                not completed. | \(Self.grace) | 2027-03-06T00:00:00+00:00 locked
                """,
                """
                second locked | There is one task at a time: today's, in the schedule's order, before any that is \
                late. | \(Self.grace) | 2027-03-08T00:00:00+00:00 missed
                """,
            ])
    }

    @Test func `a task beyond its grace stays missed`() throws {
        #expect(
            Self.explain("lost", on: try Self.machine()) == [
                """
                lost missed | A task can be done on its own day and for the days of grace after it; then it is \
                missed. | \(Self.grace) | stays
                """
            ])
    }

    @Test func `a day stands for all tasks due on it`() throws {
        let machine = try Self.machine()
        #expect(Self.explain("2027-03-05", on: machine) == Self.explain("today", on: machine))
        #expect(Self.explain("2027-03-06", on: machine) == Self.explain("tomorrow", on: machine))
        #expect(Self.explain("tomorrow", on: machine) == Self.explain("next", on: machine))
        #expect(Self.explain("2027-03-07", on: machine) == [])
    }

    @Test func `without a name, today's tasks and an open late one are explained`() throws {
        let machine = try Self.machine()
        #expect(Self.explain(nil, on: machine) == Self.explain("today", on: machine))
        machine.clock = VirtualClock("2027-03-07")
        machine.ring()
        #expect(
            Self.explain(nil, on: machine) == [
                """
                first eligible | If no task is left for today, the oldest late task is the one to do, within its \
                days of grace. | \(Self.grace) | 2027-03-08T00:00:00+00:00 missed
                """
            ])
    }

    @Test func `a task in progress comes first, and is set aside when its time is over`() throws {
        let machine = try Self.machine()
        machine.ask(.start(nil))
        #expect(
            Self.explain("today", on: machine) == [
                """
                first inProgress | A task in progress can be finished after midnight too, through the day after; then it \
                makes way. | day.starts_at=00:00 /etc/daybreak.toml:2 | 2027-03-07T00:00:00+00:00 eligible
                """,
                """
                second locked | There is one task at a time: the one in progress; else today's; else the oldest late \
                one. | \(Self.grace) | 2027-03-08T00:00:00+00:00 missed
                """,
            ])
    }

    private static let settings = """
        [reminders]
        at = ["18:00", "09:00"]
        days = ["sunday", "friday"]
        quiet = "22:00-07:00"
        at_most = 3
        late_within = "90m"
        """

    /// The next reminder of a task, its rule and the settings behind it.
    private static func reminding(_ task: String, on machine: Machine) throws -> String {
        var said = ""
        let job = Job(actor: Actor(user: 1_000), action: .look) { view in
            let one = try view.explanations(of: task)[0].reminding
            let settings = one?.settings.map { "\($0.name)=\($0.value):\($0.line.map(String.init) ?? "-")" } ?? []
            said = (["\(one?.next ?? "-") \(one?.rule ?? "-")"] + settings).joined(separator: "\n")
            return []
        }
        machine.daemon.turn([job])
        return said
    }

    @Test func `the settings that decide about a reminder are named`() throws {
        let machine = Machine.withSample()
        machine.fresh = .success(try Configuration.read(Self.settings, file: "/etc/daybreak.toml"))
        _ = machine.reload()
        let all = """
            reminders.at=09:00, 18:00:2
            reminders.days=friday, sunday:3
            reminders.quiet=22:00-07:00:4
            reminders.at_most=3:5
            reminders.late_within=1h30m:6
            """
        #expect(
            try Self.reminding("1", on: machine) == """
                2027-03-05T09:00:00+00:00 These are quiet hours: one reminder comes when they end.
                \(all)
                """)
        machine.clock.move(to: "2027-03-05", "08:00")
        #expect(
            try Self.reminding("1", on: machine) == """
                2027-03-05T09:00:00+00:00 \(ReminderRule.atTimes.sentence)
                \(all)
                """)
        machine.ask(.snooze(until: VirtualClock.instant("2027-03-05", "10:00")))
        #expect(
            try Self.reminding("1", on: machine) == """
                2027-03-05T10:00:00+00:00 \(ReminderRule.muted.sentence)
                reminders.quiet=22:00-07:00:4
                """)
        machine.ring(after: .seconds(2 * 3_600))
        #expect(
            try Self.reminding("1", on: machine) == """
                2027-03-07T09:00:00+00:00 This day has had as many reminders as reminders.at_most allows.
                reminders.at_most=3:5
                """)
        machine.ask(.start(nil), .breathe)
        #expect(
            try Self.reminding("1", on: machine)
                == "- There is no reminder of a task while the client is doing it; a pause counts for half an hour, a session for "
                + "four hours.")
    }

    /// The provider, who comes again within ten minutes, is told of when these are over.
    @Test func `a reminder of the provider is not given out as one of the task`() throws {
        let machine = Machine.withSample()
        machine.clock.move(to: "2027-03-05", "08:00")
        for isOnline in [true, false, true] {
            machine.ask(.setPresence(online: isOnline, name: nil, lasts: .seconds(3_600)))
        }
        #expect(try Self.reminding("1", on: machine).hasPrefix("- \(ReminderRule.atTimes.sentence)"))
    }

    @Test func `a locked task has the reminder of its day, and a missed one has none`() throws {
        let machine = try Self.machine()
        #expect(
            try Self.reminding("last", on: machine) == """
                - \(ReminderRule.withItsDay.sentence)
                reminders.quiet=none:-
                reminders.at_most=24:-
                """)
        #expect(try Self.reminding("lost", on: machine) == "- -")
        #expect(try Self.reminding("second", on: machine) == "- -")
    }

    @Test func `a setting that the file leaves out has its default and no line`() {
        let machine = Machine.withSample()
        #expect(
            Self.explain("1", on: machine).first?.contains(
                "| day.grace_days=7 daybreak.toml:-, day.starts_at=00:00 daybreak.toml:- |") == true)
    }

    @Test func `an unknown task is an error, and a day without tasks has no explanations`() throws {
        let station = try ControlServerFixture()
        #expect(
            try station.ask(call("Homework.Explain", #"{"task":"nothing"}"#))
                == error("org.daybreak.Homework.NoSuchAssignment", #"{"assignment":"nothing"}"#))
        #expect(
            try station.ask(call("Homework.Explain", #"{"task":"2030-01-01"}"#))
                == #"{"parameters":{"explanations":[]}}"#)
    }
}
