import DaybreakInterfaces
import Testing

@testable import Companion
@testable import DaybreakCompanion

/// The explanation of a task's state, and the simulation, as lines.
@Suite struct ExplanationTests {
    private static let assignment: Homework.Assignment = {
        var assignment = Sample.assignment(due: "2027-03-05", also: #","changesAt":"2027-03-13T04:00:00+01:00""#)
        assignment.id = "1"
        assignment.reason = "It is today's task; it can be done through Friday 12 March 2027."
        return assignment
    }()

    private static func explanation(
        _ assignment: Homework.Assignment, becomes: Homework.State?
    ) -> String {
        let settings = [
            Homework.Setting(name: "day.grace_days", value: "7", file: "/c/daybreak.toml", line: nil),
            Homework.Setting(name: "day.starts_at", value: "04:00", file: "/c/daybreak.toml", line: 12),
        ]
        let one = Homework.Explanation(
            assignment: assignment, rule: "Today's task is the one to do.", settings: settings, becomes: becomes)
        return Explain.text(of: [one], ink: .plain)
    }

    @Test func `an explanation has the state, the rule, the settings with their places, and the change`() {
        #expect(
            Self.explanation(Self.assignment, becomes: .missed) == """
                The task of Friday 5 March 2027 (1)
                  Open. It is today's task; it can be done through Friday 12 March 2027.
                  Today's task is the one to do.
                  day.grace_days = 7 (the default; /c/daybreak.toml does not set it)
                  day.starts_at = 04:00 (/c/daybreak.toml:12)
                  That changes on Saturday 13 March 2027 at 04:00: it is missed then, if nobody does anything until then.

                """)
    }

    @Test func `the next reminder, and the rules that decide it`() {
        let reminding = Homework.Reminding(
            rule: "It is told of at each of the times.",
            settings: [.init(name: "reminders.at", value: "09:00, 18:00", file: "/c/daybreak.toml", line: 3)],
            next: "2027-03-05T18:00:00+01:00")
        let one = Homework.Explanation(
            assignment: Self.assignment, rule: "Today's task is the one to do.", settings: [], becomes: .missed,
            reminding: reminding)
        #expect(
            Explain.text(of: [one], ink: .plain) == """
                The task of Friday 5 March 2027 (1)
                  Open. It is today's task; it can be done through Friday 12 March 2027.
                  Today's task is the one to do.
                  That changes on Saturday 13 March 2027 at 04:00: it is missed then, if nobody does anything until then.
                  The next reminder comes on Friday 5 March 2027 at 18:00.
                  It is told of at each of the times.
                  reminders.at = 09:00, 18:00 (/c/daybreak.toml:3)

                """)
    }

    @Test func `an explanation of a task that time does not change says so`() {
        var assignment = Self.assignment
        assignment.changesAt = nil
        #expect(
            Self.explanation(assignment, becomes: nil).hasSuffix("\n  Time alone changes nothing about it.\n"))
        let second = Sample.assignment("locked", due: "2026-11-21")
        #expect(Self.explanation(second, becomes: nil).hasSuffix("\n  Time alone does not open it.\n"))
    }

    @Test(arguments: [
        ("Tomorrow", "tomorrow"), ("2027-03-07", "on Sunday 7 March 2027"), ("sunday", "on Sunday 7 March 2027"),
    ]) func `a day without a task`(what: String, said: String) {
        let sentence = "No task is due \(said); `daybreak list --all` shows the days."
        #expect(TaskName(what).noTask(on: "2027-03-07") == sentence)
    }

    @Test func `the simulation is sorted by days`() {
        func entry(_ kind: Homework.SimulatedEvent.Kind, _ at: String, _ day: String, _ message: String)
            -> Homework.SimulatedEvent
        {
            Homework.SimulatedEvent(
                at: at, day: day, kind: kind, assignment: "1", due: day, reminder: nil, message: message)
        }
        let simulation = Homework.Simulation(
            from: "2027-03-05", through: "2027-03-06", timeZone: "Europe/Berlin",
            entries: [
                entry(.unlocked, "2027-03-05T00:00:00+01:00", "2027-03-05", "It is today's task."),
                entry(.reminded, "2027-03-05T00:00:00+01:00", "2027-03-05", "A task is open."),
                entry(.missed, "2027-03-06T00:00:00+01:00", "2027-03-06", "It could be done."),
            ])
        #expect(
            Simulate.text(simulation, ink: .plain) == """
                The coming events if nobody does anything
                Friday 5 March 2027 to Saturday 6 March 2027 · Europe/Berlin

                Friday 5 March 2027
                  2027-03-05T00:00:00+01:00  unlocks  1: It is today's task.
                  2027-03-05T00:00:00+01:00  reminds  A task is open.

                Saturday 6 March 2027
                  2027-03-06T00:00:00+01:00  misses   1: It could be done.

                """)
    }

    @Test func `a simulation without events`() {
        let nothing = Homework.Simulation(from: "2027-03-05", through: "2027-03-05", timeZone: "UTC", entries: [])
        #expect(
            Simulate.text(nothing, ink: .plain)
                == "The coming events if nobody does anything\nFriday 5 March 2027 · UTC\n\nNothing.\n")
    }
}
