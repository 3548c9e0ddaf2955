import Control
import Foundation
import Testing
import Varlink

@testable import daybreak

/// `daybreak` itself, run against a scripted daemon: what it says, on which stream, and how it ends.
@Suite struct ProgramTests {
    struct Run: Equatable {
        var output = ""
        var error = ""
        var status: Int32 = 0
    }

    /// Runs it. `serve` is the daemon's side of its conversation.
    private func run(_ arguments: String..., socket: String, input: String? = nil, serve: () -> Void = {}) throws -> Run
    {
        let process = Process()
        process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "daybreak")
        process.arguments = arguments
        process.environment = ["DAYBREAK_SOCKET": socket, "TERM": "xterm"]
        let (output, error) = (Pipe(), Pipe())
        let typed = Pipe()
        process.standardInput = input == nil ? FileHandle.nullDevice : typed
        process.standardOutput = output
        process.standardError = error
        try process.run()
        if let input { try typed.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
        try typed.fileHandleForWriting.close()
        serve()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let complained = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Run(output: said, error: complained, status: process.terminationStatus)
    }

    private func run(_ arguments: String..., answering reply: [UInt8], to call: String) throws -> Run {
        let listener = Listener()
        var asked = ""
        let serve = {
            let peer = listener.accept()
            asked = peer.call()
            peer.send(reply)
        }
        let run =
            switch arguments.count {
            case 0: try run(socket: listener.path, serve: serve)
            case 1: try run(arguments[0], socket: listener.path, serve: serve)
            case 2: try run(arguments[0], arguments[1], socket: listener.path, serve: serve)
            default: try run(arguments[0], arguments[1], arguments[2], socket: listener.path, serve: serve)
            }
        #expect(asked == call)
        return run
    }

    @Test func `daybreak alone prints My tasks`() throws {
        let reply = HomeworkInterface.ListReply(
            today: "2026-11-20", assignments: [Sample.assignment()], earlier: 0, later: 2)
        let run = try run(
            answering: Reply.frame(reply), to: #"{"method":"org.daybreak.Homework.List","parameters":{}}"#)
        #expect(
            run
                == Run(
                    output: """
                          My tasks · Friday 20 November 2026

                          ● Today   5 breaths   open now: `daybreak start`
                            It is today's task.
                            … and 2 later

                        """))
    }

    @Test func `--json prints the reply's parameters as one line, and nothing else`() throws {
        let reply = HomeworkInterface.FlowReply(flow: Sample.flow("waiting"))
        let run = try run(
            "pause", "--json", answering: Reply.frame(reply),
            to: #"{"method":"org.daybreak.Homework.Pause","parameters":{}}"#)
        #expect(
            run
                == Run(
                    output: #"{"flow":{"assignment":"2026-11-20","mayJoin":false,"moodLogged":false,"#
                        + #""since":"2026-11-20T14:03:00+01:00","stage":"waiting"}}"# + "\n"))
    }

    @Test func `a refusal goes to standard error and ends with 1`() throws {
        let run = try run(
            "join", answering: Reply.frame(error: HomeworkInterface.ProviderUnavailable()),
            to: #"{"method":"org.daybreak.Homework.Join","parameters":{}}"#)
        #expect(
            run
                == Run(
                    error: "The provider is not available now; "
                        + "`daybreak start` keeps you in the wait room until then.\n", status: 1))
    }

    @Test func `with --json a refusal is its name and parameters`() throws {
        let run = try run(
            "snooze", "26h", "--json",
            answering: Reply.frame(error: HomeworkInterface.CannotSnooze(reason: "too long")),
            to: #"{"method":"org.daybreak.Homework.Snooze","parameters":{"until":"26h"}}"#)
        let error = #"{"error":"org.daybreak.Homework.CannotSnooze","parameters":{"reason":"too long"}}"# + "\n"
        #expect(run == Run(error: error, status: 1))
    }

    @Test func `following prints each reply as it comes, until the daemon has no more`() throws {
        let listener = Listener()
        let run = try run("reminders", "--follow", "--json", socket: listener.path) {
            let peer = listener.accept()
            _ = peer.call()
            peer.send(Reply.frame(HomeworkInterface.RemindersReply(reminders: []), continues: true))
            peer.send(Reply.frame(HomeworkInterface.RemindersReply(reminders: []), continues: false))
        }
        #expect(run == Run(output: #"{"reminders":[]}"# + "\n" + #"{"reminders":[]}"# + "\n"))
    }

    @Test func `mood without a word lists the choices`() throws {
        let listener = Listener()
        let run = try run("mood", socket: listener.path) {
            let peer = listener.accept()
            _ = peer.call()
            peer.send(Reply.frame(HomeworkInterface.StatusReply(status: Sample.status(Sample.flow("waiting")))))
            #expect(
                peer.call() == #"{"method":"org.daybreak.Homework.Get","parameters":{"assignment":"2026-11-20"}}"#)
            peer.send(Reply.frame(HomeworkInterface.AssignmentReply(assignment: Sample.assignment("inProgress"))))
        }
        #expect(run == Run(output: "calm\ntired\nhopeful\n穏やか\n"))
    }

    @Test func `breathe asks to be led, and says where the exercise ends`() throws {
        let listener = Listener()
        let run = try run("breathe", socket: listener.path) {
            let peer = listener.accept()
            #expect(peer.call() == #"{"method":"org.daybreak.Homework.Breathe","more":true,"parameters":{}}"#)
            peer.send(Reply.frame(HomeworkInterface.FlowReply(flow: Sample.flow("waiting"))))
        }
        #expect(run == Run(output: "The exercise is done. `daybreak start` leads on to the wait room.\n"))
    }

    private static let note = Reply.frame(
        HomeworkInterface.NoteReply(
            note: Sample.decode(#"{"at":"2026-11-20T14:05:00+01:00","text":"Ask about sleep"}"#)))

    @Test(arguments: [nil, "-"] as [String?]) func `a note is read from standard input`(dash: String?) throws {
        let listener = Listener()
        let serve = {
            let peer = listener.accept()
            #expect(
                peer.call() == #"{"method":"org.daybreak.Homework.AddNote","parameters":{"text":"Two\nlines"}}"#)
            peer.send(Self.note)
        }
        let run =
            dash == nil
            ? try run("note", socket: listener.path, input: "Two\nlines\n\n", serve: serve)
            : try run("note", "-", socket: listener.path, input: "Two\nlines\n\n", serve: serve)
        let said = "Kept for the next session; the wait room shows it. `daybreak notes` shows it now.\n"
        #expect(run == Run(output: said))
    }

    @Test func `a list may be of one kind`() throws {
        let tasks = ["completed", "missed", "locked", "eligible", "inProgress"].map { Sample.assignment($0) }
        let reply = Reply.frame(
            HomeworkInterface.ListReply(today: "2026-11-20", assignments: tasks, earlier: 0, later: 0))
        let call = #"{"method":"org.daybreak.Homework.List","parameters":{"all":true}}"#
        func states(_ flag: String) throws -> [String] {
            let run = try run("--json", "list", flag, answering: reply, to: call)
            let list: HomeworkInterface.ListReply = Sample.decode(run.output)
            return list.assignments.map(\.state.rawValue)
        }
        #expect(try states("--completed") == ["completed"])
        #expect(try states("--missed") == ["missed"])
        #expect(try states("--upcoming") == ["locked", "eligible", "inProgress"])
        #expect(try states("--all") == ["completed", "missed", "locked", "eligible", "inProgress"])
        let none = Reply.frame(HomeworkInterface.ListReply(today: "2026-11-20", assignments: [], earlier: 0, later: 0))
        #expect(try run("list", "--missed", answering: none, to: call) == Run(output: "No task was missed.\n"))
    }

    @Test func `a mood is corrected, of the last task or of the one named`() throws {
        let assignment = Sample.assignment("completed", also: #","mood":"tired","completedOn":"2026-11-20""#)
        let reply = Reply.frame(HomeworkInterface.AssignmentReply(assignment: assignment))
        let said = "The task of Friday 20 November 2026 is completed. Mood: tired.\n"
        #expect(
            try run(
                "mood", "--correct", "tired", answering: reply,
                to: #"{"method":"org.daybreak.Homework.CorrectMood","parameters":{"mood":"tired"}}"#)
                == Run(output: said))
        let listener = Listener()
        let named = try run("mood", "--correct", "tired", "the-exam", socket: listener.path) {
            let peer = listener.accept()
            #expect(
                peer.call()
                    == #"{"method":"org.daybreak.Homework.CorrectMood","parameters":{"assignment":"the-exam","#
                    + #""mood":"tired"}}"#)
            peer.send(reply)
        }
        #expect(named == Run(output: said))
    }

    @Test func `a snooze is ended with off`() throws {
        let run = try run(
            "snooze", "off", answering: Reply.frame(HomeworkInterface.StatusReply(status: Sample.status())),
            to: #"{"method":"org.daybreak.Homework.EndSnooze","parameters":{}}"#)
        #expect(run == Run(output: "Reminders are not snoozed.\n"))
    }

    @Test func `a task is named by its day`() throws {
        let listener = Listener()
        let run = try run("note", "Ask", "about", "sleep", "--task", "yesterday", "--json", socket: listener.path) {
            let peer = listener.accept()
            #expect(peer.call() == #"{"method":"org.daybreak.Homework.GetStatus","parameters":{}}"#)
            peer.send(Reply.frame(HomeworkInterface.StatusReply(status: Sample.status())))
            #expect(peer.call() == #"{"method":"org.daybreak.Homework.List","parameters":{"day":"2026-11-19"}}"#)
            let tasks = [Sample.assignment("completed", due: "2026-11-19")]
            peer.send(
                Reply.frame(
                    HomeworkInterface.ListReply(today: "2026-11-20", assignments: tasks, earlier: 0, later: 0)))
            #expect(
                peer.call()
                    == #"{"method":"org.daybreak.Homework.AddNote","parameters":{"assignment":"2026-11-19","#
                    + #""text":"Ask about sleep"}}"#)
            peer.send(Self.note)
        }
        #expect(
            run == Run(output: #"{"note":{"at":"2026-11-20T14:05:00+01:00","text":"Ask about sleep"}}"# + "\n"))
    }

    @Test func `without a daemon it ends with 69`() throws {
        #expect(try run(socket: "/nowhere/control").status == 69)
    }

    @Test func `what nobody can mean ends with 64`() throws {
        for verbs in ["dance", "snooze"] { #expect(try run(verbs, socket: "/nowhere").status == 64) }
        #expect(try run("provider", "maybe", socket: "/nowhere").status == 64)
        #expect(try run("explain", "weather", "today", socket: "/nowhere").status == 64)
        #expect(try run("snooze", "banana", socket: "/nowhere").status == 64)
        #expect(try run("list", "--all", "--missed", socket: "/nowhere").status == 64)
    }

    @Test func `a schedule that cannot be read is refused before anybody is asked`() throws {
        let run = try run("schedule", "check", "/nowhere/tasks.json", socket: "/nowhere/control")
        #expect(run == Run(error: "/nowhere/tasks.json cannot be read: No such file or directory.\n", status: 1))
    }

    @Test func `moods are written to a file that only their owner reads, and not over another`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "daybreak-moods-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "moods.svg").path
        let reply = Reply.frame(
            HomeworkInterface.ListReply(today: "2026-11-20", assignments: MoodsTests.tasks, earlier: 0, later: 0))
        let call = #"{"method":"org.daybreak.Homework.List","parameters":{"all":true}}"#
        let written = Run(output: "Written to \(file); only you can read it.\n")
        #expect(try run("moods", "--svg", file, answering: reply, to: call) == written)
        let drawing = MoodDrawing(log: MoodsTests.log).text(isWhole: true)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == drawing)
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(
            try run("moods", "--svg", file, answering: reply, to: call)
                == Run(
                    error: "\(file) is there already and was left as it is; --force writes over it.\n", status: 1))
        try Data("other".utf8).write(to: URL(filePath: file))
        let listener = Listener()
        let forced = try run("moods", "--svg", file, "--force", socket: listener.path) {
            let peer = listener.accept()
            _ = peer.call()
            peer.send(reply)
        }
        #expect(forced == written)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == drawing)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["moods.svg"])
    }

    @Test func `moods as JSON are days and words`() throws {
        let reply = Reply.frame(
            HomeworkInterface.ListReply(
                today: "2026-11-20", assignments: Array(MoodsTests.tasks.prefix(2)), earlier: 0, later: 0))
        let run = try run(
            "moods", "--json", answering: reply,
            to: #"{"method":"org.daybreak.Homework.List","parameters":{"all":true}}"#)
        let moods = #"{"moods":[{"day":"2026-10-30","mood":"hopeful"},{"day":"2026-11-02","mood":"tired"}]}"#
        #expect(run == Run(output: moods + "\n"))
    }

    @Test func `a bar is told by the status that nobody answers, a person in words`() throws {
        #expect(
            try run("status", "--format", "plain", socket: "/nowhere/control") == Run(output: "\n", status: 69))
        #expect(try run("status", "--json", socket: "/nowhere/control").status == 69)
    }

    @Test func `its version`() throws {
        #expect(try run("--version", socket: "/nowhere") == Run(output: "0.1.0\n"))
    }
}
