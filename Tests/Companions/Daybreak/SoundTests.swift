import DaybreakInterfaces
import Foundation
import Glibc
import Testing

@testable import Companion
@testable import DaybreakCompanion

/// The sound at each phase: the terminal's bell, or the input of a program of the settings.
@Suite(.serialized, .enabled(if: TmuxPane.isThere, TmuxPane.whyNot)) struct SoundTests {
    private static func stage(_ command: [String] = [], sound: Bool = false) -> StagedDaemon.Stage {
        var stage = StagedDaemon.Stage(
            status: Sample.status(Sample.flow()), assignment: Sample.assignment("inProgress"),
            flow: Sample.flow(exercise: Sample.exercise(elapsed: 4, remaining: 46)))
        stage.preferences.soundCommand = command
        stage.preferences.sound = sound
        return stage
    }

    /// Breathes in and out, and pauses: two phases begin. Tests that read a file wait for it here.
    private static func breathe(_ pane: TmuxPane, _ daemon: StagedDaemon) {
        pane.waits { pane.picture().contains("goes on") }
        pane.type("Space")
        pane.waits { pane.picture().contains("Breathe in") }
        daemon.stage.flow = Sample.flow(
            exercise: Sample.exercise(phase: "exhale", seconds: 6, elapsed: 6, remaining: 40))
        daemon.lead()
        pane.waits { pane.picture().contains("Breathe out") }
        daemon.stage.flow = Sample.flow(exercise: Sample.exercise(paused: true))
        pane.type("Space")
        pane.waits { pane.picture().contains("Paused") }
    }

    private static func cues(_ pane: TmuxPane) -> String {
        (try? String(contentsOfFile: pane.file("cues"), encoding: .utf8)) ?? ""
    }

    private static let command = ["sh", "-c", "echo $DAYBREAK_PHASE $1 >> \"$HOME/cues\"", "sh", "a bell"]

    @Test(arguments: [("--sound", false, 2), ("", true, 2), ("", false, 0)])
    func `the terminal's bell rings at each phase if the settings ask for it`(
        option: String, setting: Bool, bells: Int
    ) throws {
        let daemon = StagedDaemon(Self.stage(sound: setting))
        let pane = try TmuxPane(columns: 80, rows: 24, daemon: daemon, "daybreak start \(option)")
        pane.countBells()
        Self.breathe(pane, daemon)
        #expect(pane.bells == bells)
    }

    @Test func `a program of the settings gets each phase, and no bell rings`() throws {
        let daemon = StagedDaemon(Self.stage(Self.command))
        let pane = try TmuxPane(columns: 80, rows: 24, daemon: daemon, "daybreak start --sound")
        pane.countBells()
        Self.breathe(pane, daemon)
        pane.waits { Self.cues(pane).hasSuffix("exhale a bell\n") }
        #expect(Self.cues(pane) == "inhale a bell\nexhale a bell\n")
        #expect(pane.bells == 0)
    }

    @Test func `the bell rings where the sound's program is missing`() throws {
        let daemon = StagedDaemon(Self.stage(["no-such-player"]))
        let pane = try TmuxPane(columns: 80, rows: 24, daemon: daemon, "daybreak start --sound")
        pane.countBells()
        Self.breathe(pane, daemon)
        #expect(pane.bells == 2)
    }

    @Test func `plain lines have the bell as well`() throws {
        let daemon = StagedDaemon(Self.stage(sound: true))
        let pane = try TmuxPane(columns: 80, rows: 24, daemon: daemon, "cd; daybreak start > said; echo left; cat")
        func said() -> String { (try? String(contentsOfFile: pane.file("said"), encoding: .utf8)) ?? "" }
        pane.waits { said().hasSuffix("leaves]\n") }
        pane.type("Enter")
        pane.waits { said().hasSuffix("1\u{7}") }
        daemon.stage.flow = Sample.flow(
            exercise: Sample.exercise(phase: "exhale", seconds: 6, elapsed: 6, remaining: 40))
        daemon.lead()
        pane.waits { said().hasSuffix("1\u{7}") && said().contains("out") }
        pane.type("q", "Enter")
        pane.waits { pane.ends(with: "left") }
        #expect(
            said() == """

                Welcome back
                The exercise waits where you left it, at breath 1 of 5.
                Sit comfortably, and go on when you are ready.
                [Enter goes on · ? keys · q leaves]
                [p pauses · r begins again · n notes · ? keys · q leaves]
                Breath 1 of 5
                  Breathe in … 1\u{7}
                  Breathe out … 1\u{7}
                The exercise is paused at breath 1 of 5. `daybreak start` goes on from there.

                """)
    }

    @Test func `breathe goes by the settings, too`() throws {
        var stage = Self.stage(sound: true)
        stage.preferences.countdown = false
        let daemon = StagedDaemon(stage)
        let pane = try TmuxPane(columns: 80, rows: 24, daemon: daemon, "cd; daybreak breathe > said; echo left; cat")
        func said() -> String { (try? String(contentsOfFile: pane.file("said"), encoding: .utf8)) ?? "" }
        pane.waits { said() == "Breath 1 of 5\n  Breathe in\n\u{7}" }
    }

    @Test(.enabled(if: geteuid() == 0, "only root may talk to another user's daemon"))
    func `another user's program is not run, and the bell rings instead`() async {
        await #expect(processExitsWith: .success) {
            seteuid(65_534)
            let daemon = StagedDaemon(Self.stage(Self.command))
            seteuid(0)
            let pane = try TmuxPane(columns: 80, rows: 24, daemon: daemon, "daybreak start --sound")
            pane.countBells()
            Self.breathe(pane, daemon)
            #expect(pane.bells == 2)
            #expect(Self.cues(pane) == "")
        }
    }
}
