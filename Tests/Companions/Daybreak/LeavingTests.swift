import DaybreakInterfaces
import Foundation
import Glibc
import Testing

@testable import Companion
@testable import DaybreakCompanion

/// Leaving the screen restores the terminal: its modes, its cursor and its content.
@Suite(.serialized, .enabled(if: TmuxPane.isThere, TmuxPane.whyNot)) struct LeavingTests {
    static let paused = "The exercise is paused at breath 1 of 5. `daybreak start` goes on from there."

    func stage() -> StagedDaemon {
        StagedDaemon(
            StagedDaemon.Stage(
                status: Sample.status(Sample.flow()), assignment: Sample.assignment("inProgress"),
                flow: Sample.flow(exercise: Sample.exercise(elapsed: 4, remaining: 46))))
    }

    func text(_ pane: TmuxPane, _ file: String) -> String {
        (try? String(contentsOfFile: pane.file(file), encoding: .utf8)) ?? ""
    }

    /// A pane in the exercise, after the terminal's modes were written to a file.
    private func breathing(_ daemon: StagedDaemon) throws -> TmuxPane {
        let pane = try TmuxPane(
            columns: 80, rows: 24, environment: ["NO_COLOR": "1"], daemon: daemon,
            """
            cd; stty -a > before; { sh -c 'echo $$ > pid; exec daybreak start'; } 2>/dev/null; echo $? > status; \
            stty -a > after; echo left; cat
            """)
        pane.waits { pane.picture().contains("goes on") }
        pane.type("Space")
        #expect(pane.waits { daemon.called.last == "Breathe" })
        return pane
    }

    func expectAsFound(_ pane: TmuxPane, saying: String, _ location: SourceLocation = #_sourceLocation) {
        let expected = saying + "left"
        pane.waits { pane.picture().trimmingCharacters(in: .newlines) == expected }
        #expect(pane.picture().trimmingCharacters(in: .newlines) == expected, sourceLocation: location)
        #expect(text(pane, "after") == text(pane, "before"), sourceLocation: location)
        #expect(text(pane, "after").isEmpty == false, sourceLocation: location)
        #expect(pane.says("#{alternate_on} #{cursor_flag} #{wrap_flag}") == "0 1 1", sourceLocation: location)
    }

    @Test(arguments: ["q", "C-c"]) func `by a key`(key: String) throws {
        let daemon = stage()
        let pane = try breathing(daemon)
        pane.type(key)
        expectAsFound(pane, saying: "\n\(Self.paused)\n".trimmingCharacters(in: .newlines) + "\n")
        #expect(text(pane, "status") == (key == "q" ? "0\n" : "130\n"))
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV, SIGABRT, SIGILL])
    func `by a signal, or by a crash`(signal: Int32) throws {
        let daemon = stage()
        let pane = try breathing(daemon)
        let process = try #require(pid_t(text(pane, "pid").trimmingCharacters(in: .newlines)))
        kill(process, signal)
        expectAsFound(pane, saying: "")
    }

    @Test func `a daemon that ends and starts again does not end the screen`() throws {
        let daemon = stage()
        let pane = try breathing(daemon)
        var album = ApprovedScreens("the daemon dies")
        album.compare("breathing", pane)
        daemon.die()
        album.compare("away", pane)
        daemon.open()
        album.compare("back", pane)
        #expect(pane.waits { daemon.called.suffix(2).sorted() == ["Breathe", "GetStatus"] })
        daemon.die()
        album.compare("away again", pane)
        pane.type("q")
        expectAsFound(pane, saying: "\(Self.paused)\n")
        album.close()
    }

    @Test func `Ctrl-Z gives the terminal back, and the screen is drawn again afterwards`() throws {
        let daemon = stage()
        let pane = try TmuxPane(
            columns: 80, rows: 24, environment: ["NO_COLOR": "1"], daemon: daemon,
            "cd; exec env PS1='$ ' bash --norc --noprofile -i")
        pane.waits { pane.ends(with: "$") }
        pane.type("stty -a > before; daybreak start; stty -a > after", "Enter")
        pane.waits { pane.says("#{alternate_on}") == "1" }
        var album = ApprovedScreens("stopped")
        album.compare("welcome back", pane)
        pane.type("C-z")
        album.compare("stopped", pane)
        #expect(pane.says("#{alternate_on} #{cursor_flag} #{wrap_flag}") == "0 1 1")
        pane.type("stty -a > stopped; fg", "Enter")
        album.compare("taken again", pane)
        pane.type("q")
        album.compare("left", pane)
        #expect(text(pane, "stopped") == text(pane, "before"))
        album.close()
    }
}
