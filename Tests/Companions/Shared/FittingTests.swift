import DaybreakInterfaces
import Testing

@testable import Companion
@testable import DaybreakCompanion

/// Every printed text on a narrow terminal.
@Suite struct FittingTests {
    private func widest(_ text: String) -> Int {
        text.split(separator: "\n").map { DisplayWidth.of($0) }.max() ?? 0
    }

    @Test func `a line that fits stays as it is`() {
        let text = "  Task      none now\n\n  Provider  not available\n"
        #expect(text.fitted(to: 40) == text)
        #expect("".fitted(to: 40) == "")
    }

    @Test func `the status at 40 columns has its text under its text`() {
        var status = Sample.eligible(Sample.status())
        status.problem = "The schedule was refused: /t:1:1: No. The schedule before stays in force."
        #expect(
            Wording.status(status, wall: nil, ink: .plain).fitted(to: 40) == """
                Friday 20 November 2026 · Europe/Berlin
                  Task      the one of today is open:
                            `daybreak start`
                  Next      unlocks tomorrow at 00:00
                  Reminder  today at 18:00
                  Provider  not available
                  Tasks     35 completed, 2 missed, 1
                            open, 12 locked
                  Problem   The schedule was refused:
                            /t:1:1: No. The schedule
                            before stays in force.

                """)
    }

    @Test func `the doctor's findings at 40 columns stand behind their marks`() {
        let finding = Finding.wrong(
            .lingering, "Lingering is off: you must log in.", do: "An administrator turns it on.")
        #expect(
            Doctor.line(finding, .plain).fitted(to: 40) == """
                  ✗ lingering      Lingering is off: you
                    must log in.
                    → An administrator turns it on.

                """)
        let all = Examination(facts: Facts(socket: "/run/user/1000/daybreak/control")).findings
        #expect(widest(all.map { Doctor.line($0, .plain) }.joined().fitted(to: 40)) <= 40)
    }

    @Test func `reminders at 40 columns stand beside their times`() {
        #expect(
            "  09:00  A task is open. `daybreak start` begins it.".fitted(to: 40) == """
                  09:00  A task is open. `daybreak
                         start` begins it.
                """)
    }

    @Test func `a line that is drawn anew with the cursor stays as it is`() {
        let drawn = "\r  Name: somebody with a name of forty columns\u{1B}[K\r\u{1B}[12C"
        #expect(drawn.fitted(to: 20) == drawn)
    }

    @Test func `colours take no room, and a word that is too long stays whole`() {
        let ink = Ink(isOn: true)
        #expect(
            (ink.strong("12345") + " " + ink.faint("67 89")).fitted(to: 8) == ink.strong("12345")
                + " \u{1B}[2m67\n89\u{1B}[0m")
        #expect("see /a/long/path now".fitted(to: 8) == "see\n/a/long/path\nnow")
    }
}

/// The same on a real terminal, whose width the program asks for.
@Suite(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot)) struct NarrowTerminalTests {
    @Test func `a status and a refusal are fitted to the terminal`() throws {
        let daemon = StagedDaemon(
            StagedDaemon.Stage(
                status: Sample.status(Sample.flow("session")), assignment: Sample.assignment("inProgress")))
        let pane = try TmuxPane(
            columns: 40, rows: 24, environment: ["NO_COLOR": "1"], daemon: daemon,
            "daybreak status; daybreak moods --since never; exec cat")
        #expect(pane.waits { pane.picture().contains("yesterday") })
        let lines = pane.picture().split(separator: "\n").map { $0.drop { $0 == " " } }
        // No line begins in the middle of a word.
        #expect(
            lines.contains("You have been in the session")
                || lines.contains { $0.hasPrefix("Task      You have been in the") })
        #expect(lines.contains { $0.hasPrefix("“never” is not a day; write it as") })
    }
}
