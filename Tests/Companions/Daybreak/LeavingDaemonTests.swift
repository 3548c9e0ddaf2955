import DaybreakInterfaces
import Foundation
import Glibc
import Testing

@testable import Companion
@testable import DaybreakCompanion

// Leaving with a real daemon, which is killed, and with lines of text.
extension LeavingTests {
    /// One breath takes a minute, so that the first one lasts for the whole test.
    private static let slow = "[breathing]\npattern = \"30-0-30-0\"\n"

    private func isBreathing(_ pane: TmuxPane) -> Bool {
        let picture = pane.picture()
        return picture.contains("Breathe in\n") && !picture.contains("Daybreak is away")
    }

    private func isAway(_ pane: TmuxPane) -> Bool { pane.picture().contains("Daybreak is away") }

    @Test(arguments: ["q", "C-c"])
    func `the screen goes on when a real daemon is killed and started again`(key: String) throws {
        let daemon = try RealDaemon(settings: Self.slow)
        let pane = try TmuxPane(
            columns: 80, rows: 24, environment: daemon.surroundings.merging(["NO_COLOR": "1"]) { $1 },
            "cd; stty -a > before; daybreak start; stty -a > after; echo left; cat")
        var album = ApprovedScreens("the real daemon dies")
        album.compare("instructions", pane)
        pane.type("Space")
        #expect(pane.waits { isBreathing(pane) })
        daemon.die()
        #expect(pane.waits { isAway(pane) })
        try daemon.begin()
        #expect(pane.waits { isBreathing(pane) })
        pane.type("Space")
        album.compare("paused", pane)
        daemon.die()
        album.compare("paused, and away", pane)
        try daemon.begin()
        // A paused exercise does not go on by itself.
        album.compare("paused", pane)
        pane.type("Space")
        #expect(pane.waits { isBreathing(pane) })
        daemon.die()
        #expect(pane.waits { isAway(pane) })
        #expect(pane.says("#{alternate_on} #{cursor_flag} #{wrap_flag}") == "1 0 0")
        pane.type(key)
        expectAsFound(pane, saying: "\(Self.paused)\n")
        album.close()
    }

    @Test func `a note outlives a restart of the daemon while it is written`() throws {
        let daemon = try RealDaemon()
        let pane = try TmuxPane(
            columns: 80, rows: 24, environment: daemon.surroundings, "daybreak note; echo \"= $?\"; cat")
        pane.waits { pane.picture().contains("Write the note.") }
        pane.type("-l", "I slept well.")
        pane.type("Enter")
        pane.waits { pane.picture().contains("I slept well.") }
        daemon.die()
        try daemon.begin()
        pane.type("C-d")
        pane.waits { pane.picture().contains("= ") }
        #expect(pane.picture().contains("= 0"), "\(pane.picture())")
    }

    @Test func `a daemon that dies while breathe follows it is told on a line of its own`() throws {
        let stage = StagedDaemon.Stage(
            status: Sample.status(Sample.flow()), assignment: Sample.assignment("inProgress"),
            flow: Sample.flow(exercise: Sample.exercise(elapsed: 4, remaining: 46)))
        let daemon = StagedDaemon(stage)
        let pane = try TmuxPane(columns: 80, rows: 24, daemon: daemon, "daybreak breathe; echo left; cat")
        pane.waits { pane.picture().contains("Breathe in") }
        daemon.die()
        pane.waits { pane.picture().contains("left") }
        let lines = pane.picture().split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("  Breathe in") && !$0.contains("daybreakd") })
        #expect(lines.contains { $0.hasPrefix("daybreakd") })
    }

    @Test func `piped lines print the outcome`() throws {
        let daemon = try RealDaemon()
        let online = try ProgramTests.run(
            ["provider", "online"], socket: daemon.path, environment: daemon.surroundings)
        #expect(online.status == 0)
        let run = try ProgramTests.run(
            ["start", "--plain"], socket: daemon.path, input: "\nl\ny\ncalm\ny\n", environment: daemon.surroundings)
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n").suffix(4)
        #expect(
            lines == [
                "Completed", "Today's task is done.", "Your mood: calm.", "Nothing more is scheduled.",
            ])
    }

    /// The answer to the last step comes before the status, on another connection.
    @Test func `piped lines say that another task is open, and not that nothing more is scheduled`() throws {
        let task = #"[1, ["calm"], "TODAY"]"#
        let daemon = try RealDaemon(schedule: "[\(task), \(task), \(task)]")
        func run(_ arguments: String..., input: String = "") throws -> String {
            try ProgramTests.run(
                arguments, socket: daemon.path, input: input, environment: daemon.surroundings
            ).output
        }
        let other = "Another task is open now; `daybreak start` begins it."
        for next in [other, other, "Nothing more is scheduled."] {
            // The provider comes anew for each session.
            _ = try run("provider", "offline")
            _ = try run("provider", "online")
            let lines = try run("start", "--plain", input: "\nl\ny\ncalm\ny\n").split(separator: "\n")
            #expect(lines.last.map(String.init) == next)
        }
    }

    /// Runs in a shell, which takes the terminal back when a program is stopped.
    private func shell(_ daemon: StagedDaemon, _ options: String) throws -> TmuxPane {
        let pane = try TmuxPane(
            columns: 80, rows: 24, environment: ["NO_COLOR": "1"], daemon: daemon,
            "cd; exec env PS1='$ ' bash --norc --noprofile -i")
        pane.waits { pane.ends(with: "$") }
        pane.type("stty -a > before; daybreak start \(options); stty -a > after", "Enter")
        return pane
    }

    @Test func `lines leave the terminal as it was after Ctrl-C and Ctrl-Z`() throws {
        let daemon = stage()
        let pane = try shell(daemon, "--plain")
        var album = ApprovedScreens("lines")
        album.compare("welcome back", pane)
        pane.type("", "Enter")
        album.compare("breathed in", pane)
        pane.type("C-z")
        album.compare("stopped", pane)
        // A stopped program does not lead the client.
        daemon.stage.flow = Sample.flow(exercise: Sample.exercise(paused: true))
        pane.type("stty -a > stopped; fg", "Enter")
        album.compare("taken up again", pane)
        daemon.stage.flow = Sample.flow(exercise: Sample.exercise(elapsed: 4, remaining: 46))
        daemon.lead()
        album.compare("breathed in again", pane)
        pane.type("C-c")
        album.compare("left", pane)
        #expect(text(pane, "after") == text(pane, "before"))
        #expect(text(pane, "stopped") == text(pane, "before"))
        #expect(text(pane, "before").isEmpty == false)
        #expect(pane.says("#{alternate_on} #{cursor_flag} #{wrap_flag}") == "0 1 1")
        album.close()
    }

    @Test func `a dumb terminal gets lines`() throws {
        let daemon = stage()
        let pane = try shell(daemon, "")
        pane.waits { pane.picture().contains("goes on") }
        pane.type("q")
        pane.waits { pane.ends(with: "$") }
        pane.type("clear; TERM=dumb daybreak start", "Enter")
        var album = ApprovedScreens("a dumb terminal")
        album.compare("welcome back", pane)
        #expect(pane.says("#{alternate_on}") == "0")
        album.close()
    }
}
