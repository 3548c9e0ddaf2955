import DaybreakInterfaces
import Testing

@testable import Companion
@testable import DaybreakCompanion

@Suite struct ShowTests {
    private static func step(_ time: String, _ what: String, _ more: String = "", day: String = "2026-11-20") -> String
    {
        #"{"at":"\#(day)T\#(time)+01:00","what":"\#(what)"\#(more)}"#
    }

    private static func reply(
        _ assignment: Homework.Assignment, _ steps: [String], notes: String = "[]"
    ) -> Homework.Show.Reply {
        Homework.Show.Reply(
            assignment: assignment, steps: Sample.decode("[\(steps.joined(separator: ","))]"),
            notes: Sample.decode(notes))
    }

    @Test func `a task that was withdrawn is called so`() {
        var reply = Self.reply(Sample.assignment(), [])
        (reply.assignment.reason, reply.assignment.cause) = ("It was withdrawn from the schedule.", nil)
        reply.withdrawn = true
        #expect(
            Show.text(reply, ink: .plain).contains("State     Withdrawn. It was withdrawn from the schedule.\n"))
    }

    @Test func `a task that was paused, completed late and corrected is shown whole`() {
        let steps = [
            Self.step("00:00:00", "unlocked"),
            Self.step("23:58:00", "started", #","pattern":{"inhale":4.5,"hold":0,"exhale":6,"rest":0}"#),
            Self.step("23:58:01", "breathingBegan"), Self.step("23:58:11", "breathed", #","breaths":1"#),
            Self.step("23:58:21", "breathed", #","breaths":2"#), Self.step("23:58:22", "breathingPaused"),
            Self.step("23:58:30", "exerciseRestarted"), Self.step("23:58:31", "breathingBegan"),
            Self.step("23:58:35", "guideLeft"), Self.step("23:58:40", "breathingBegan"),
            Self.step("23:59:30", "breathed", #","breaths":5"#), Self.step("23:59:30", "exerciseFinished"),
            Self.step("00:05:00", "joined", day: "2026-11-21"), Self.step("00:50:00", "left", day: "2026-11-21"),
            Self.step("00:50:10", "moodLogged", #","mood":"tired"#.appending("\""), day: "2026-11-21"),
            Self.step("00:50:10", "completed", day: "2026-11-21"),
            Self.step("01:00:00", "moodCorrected", #","mood":"hopeful"#.appending("\""), day: "2026-11-21"),
        ]
        let assignment = Sample.assignment("completed", also: #","mood":"hopeful","completedOn":"2026-11-21""#)
        let notes = #"[{"at":"2026-11-20T23:59:50+01:00","text":"Ask about sleep","assignment":"2026-11-20"}]"#
        #expect(
            Show.text(Self.reply(assignment, steps, notes: notes), ink: .plain) == """
                Friday 20 November 2026
                  Task      2026-11-20
                  State     Completed. It is today's task.
                  Breaths   5 of 5, seconds 4.5-0-6-0
                  Pauses    2
                  Mood      hopeful, corrected; first logged as tired
                  Choices   calm, tired, hopeful or 穏やか

                Friday 20 November 2026
                  00:00:00  It unlocked.
                  23:58:00  Taken up.
                  23:58:01  The breathing ran.
                  23:58:21  2 breaths drawn.
                  23:58:22  Paused.
                  23:58:30  Begun again, from the first breath.
                  23:58:31  The breathing ran.
                  23:58:35  Nobody was led any more: the breathing paused.
                  23:58:40  The breathing ran.
                  23:59:30  5 breaths drawn.
                  23:59:30  The exercise was done: into the wait room.

                Saturday 21 November 2026
                  00:05:00  Into the session.
                  00:50:00  Out of the session.
                  00:50:10  Mood: tired.
                  00:50:10  Completed.
                  01:00:00  Mood corrected: hopeful.

                Notes
                Friday 20 November 2026, 23:59
                  Ask about sleep

                """)
    }

    @Test func `a locked task has no steps to show`() {
        #expect(
            Show.text(Self.reply(Sample.assignment("locked", breaths: 7), []), ink: .plain) == """
                Friday 20 November 2026
                  Task      2026-11-20
                  State     Locked. It is today's task.
                  Breaths   0 of 7
                  Choices   calm, tired, hopeful or 穏やか

                """)
    }

    @Test func `a guide who leaves an exercise that is paused pauses nothing`() {
        let steps = [
            Self.step("08:01:00", "started"), Self.step("08:01:01", "breathingBegan"),
            Self.step("08:01:05", "breathingPaused"), Self.step("08:01:09", "guideLeft"),
        ]
        let text = Show.text(Self.reply(Sample.assignment("inProgress"), steps), ink: .plain)
        #expect(text.contains("  Pauses    1\n"))
        #expect(text.contains("  08:01:05  Paused.\n  08:01:09  Nobody was led any more.\n"))
    }

    @Test func `a task in progress is said once to be so`() {
        let begun = [Self.step("08:00:00", "unlocked"), Self.step("08:01:00", "started")]
        var reply = Self.reply(Sample.assignment("inProgress"), begun)
        reply.assignment.cause = Homework.Cause(kind: .inProgress, stage: .waiting)
        #expect(Show.text(reply, ink: .plain).contains("State     It is in progress: in the wait room.\n"))
    }

    @Test(arguments: [
        (["--json", "status"], ["status", "--json"]),
        (["--socket", "/s", "list", "--all"], ["list", "--all", "--socket", "/s"]),
        (["--socket=/s", "--json", "schedule", "check", "f"], ["schedule", "check", "f", "--socket=/s", "--json"]),
        (["--json", "note", "--", "-x"], ["note", "--json", "--", "-x"]),
        (["status", "--json"], ["status", "--json"]),
        (["--json"], ["--json"]), (["--socket"], ["--socket"]), (["--json", "--help"], ["--json", "--help"]), ([], []),
    ])
    func `common options may come before the verb`(given: [String], meant: [String]) {
        #expect(Verbs.optionsAfterVerb(given) == meant)
    }
}
