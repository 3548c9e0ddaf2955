import DaybreakInterfaces
import Foundation
import Testing

@testable import Companion
@testable import DaybreakCompanion

/// Notes that are typed and pasted in a terminal, with a real daemon.
@Suite(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot)) struct KeptNoteTests {
    private func daemonInTheWaitRoom() throws -> RealDaemon {
        let daemon = try RealDaemon(
            settings: "[breathing]\npattern = \"1-0-1-0\"\n", schedule: #"[[1, "calm, tired", "TODAY"]]"#)
        let run = try ProgramTests.run(
            ["start", "--plain"], socket: daemon.path, input: "\n\nq\n", environment: daemon.surroundings)
        #expect(run.status == 0)
        return daemon
    }

    private func pane(_ daemon: RealDaemon, _ option: String = "") throws -> TmuxPane {
        let pane = try TmuxPane(
            columns: 80, rows: 24, environment: daemon.surroundings.merging(["NO_COLOR": "1"]) { $1 },
            "daybreak start \(option)")
        pane.waits { pane.picture().contains("logs the mood") }
        return pane
    }

    private func notes(_ daemon: RealDaemon) throws -> [String] {
        let run = try ProgramTests.run(["notes", "--json"], socket: daemon.path, environment: daemon.surroundings)
        let reply: Homework.Notes.Reply = Sample.decode(run.output)
        return reply.notes.map(\.text)
    }

    @Test(arguments: ["", "--plain"])
    func `a note that is entered while the daemon is away is kept once it is back`(option: String) throws {
        let daemon = try daemonInTheWaitRoom()
        let pane = try pane(daemon, option)
        pane.type("n")
        if !option.isEmpty { pane.type("Enter") }
        pane.waits { pane.picture().contains(option.isEmpty ? "keeps the note" : "a line is the note") }
        daemon.die()
        pane.waits { pane.picture().contains("Daybreak is away") }
        pane.type("sleep", "Enter")
        pane.waits { pane.picture().contains("The note is sent when it is back.") }
        try daemon.begin()
        pane.waits { pane.picture().contains("The note is kept.") }
        #expect(try notes(daemon) == ["sleep"])
    }

    /// - Parameter signal: nil closes the terminal.
    @Test(arguments: ["HUP", "TERM", nil])
    func `a note in its field outlives its terminal`(signal: String?) throws {
        let daemon = try daemonInTheWaitRoom()
        func drafts() -> [String] {
            let folder = (daemon.surroundings["XDG_RUNTIME_DIR"] ?? "") + "/practice-drafts"
            return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []  // There may be none yet.
        }
        let pane = try pane(daemon, "; read -r _")
        pane.type("n")
        pane.waits { pane.picture().contains("keeps the note") }
        pane.type("sleep")
        pane.waits { pane.picture().contains("Note: sleep_") }
        if let signal { try pane.send(signal: signal, to: "daybreak") } else { pane.closeTerminal() }
        pane.waits { drafts().contains { $0.hasPrefix("note.") && $0.hasSuffix(".txt") } }
        let again = try self.pane(daemon)
        again.type("n")
        again.waits { again.picture().contains("Note: sleep_") }
        again.type("Enter")
        again.waits { again.picture().contains("The note is kept.") }
        #expect(try notes(daemon) == ["sleep"])
        again.waits { drafts().isEmpty }
    }

    @Test(arguments: [true, false])
    func `all lines that are pasted into the field are one note, and no keys`(isMarked: Bool) throws {
        let daemon = try daemonInTheWaitRoom()
        let pane = try pane(daemon)
        pane.type("n")
        pane.waits { pane.picture().contains("keeps the note") }
        pane.paste("one\nq\nlast\n", isMarked: isMarked)
        pane.waits { pane.picture().contains("Note: one / q / last / _") }
        pane.type("Enter")
        pane.waits { pane.picture().contains("The note is kept.") }
        #expect(try notes(daemon) == ["one\nq\nlast"])
    }

    @Test func `a note that is typed ahead with its Enter is kept`() throws {
        let daemon = try daemonInTheWaitRoom()
        let pane = try pane(daemon)
        pane.type("n", "dreams", "Enter")
        pane.waits { pane.picture().contains("The note is kept.") }
        #expect(try notes(daemon) == ["dreams"])
    }

    @Test func `the daemon's limit of a note is that of its field`() throws {
        let daemon = try daemonInTheWaitRoom()
        for (count, status) in [(4_096, 0), (4_097, 1)] {
            let run = try ProgramTests.run(
                ["note", "-"], socket: daemon.path, input: String(repeating: "x", count: count),
                environment: daemon.surroundings)
            #expect(run.status == Int32(status))
        }
    }

    @Test func `a line that is too long for a note is not taken, and the one after it is`() throws {
        let daemon = try daemonInTheWaitRoom()
        let run = try ProgramTests.run(
            ["start", "--plain"], socket: daemon.path,
            input: "n\n" + String(repeating: "x", count: 70_000) + "\nsleep\n", environment: daemon.surroundings)
        #expect(run.status == 0)
        let said =
            "The note was not taken: a note takes 4,096 bytes, a long page, and this text has 65904 bytes too many."
        #expect(run.output.split(separator: "\n").map(String.init).contains(said))
        #expect(try notes(daemon) == ["sleep"])
    }

    @Test func `a call that cannot be sent is refused, and the daemon is still there`() throws {
        let daemon = try daemonInTheWaitRoom()
        let (conversation, _) = try Conversation.begin(
            path: daemon.path, task: nil, pattern: nil, presentation: Presentation())
        let note = Walk.Request.note(String(repeating: "x", count: 70_000))
        let refusal = conversation.perform(.call(note))
        #expect(refusal == .refused(note, "That is too long: daybreakd takes at most 64 KB at once."))
        #expect(conversation.isOpen && conversation.untilSilent == nil)
    }

    @Test func `a sentence and an empty line do not leave the session`() throws {
        let daemon = try RealDaemon()
        let online = try ProgramTests.run(
            ["provider", "online"], socket: daemon.path, environment: daemon.surroundings)
        #expect(online.status == 0)
        let run = try ProgramTests.run(
            ["start", "--plain"], socket: daemon.path, input: "\nleaving the house was hard today\n\n",
            environment: daemon.surroundings)
        #expect(
            run.output.split(separator: "\n").suffix(3) == [
                "“leaving the house was hard today” is not one of the keys.",
                "[l leaves the session · n notes · ? keys · q closes]",
                "The session goes on. `daybreak start` comes back to it; `daybreak leave` leaves it.",
            ])
    }
}
