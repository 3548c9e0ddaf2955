import DaybreakInterfaces
import Foundation
import TestSupport
import Testing
import Varlink

@testable import Companion
@testable import DaybreakCompanion

/// `daybreak` itself with a scripted daemon: its output, its errors and its exit status.
@Suite struct ProgramTests {
    struct Run: Equatable {
        var output = ""
        var error = ""
        var status: Int32 = 0
    }

    /// Runs it. `serve` is the daemon's side of the conversation.
    func run(
        _ arguments: String..., socket: String, input: String? = nil, serve: () -> Void = {}
    ) throws -> Run {
        try Self.run(arguments, socket: socket, input: input, serve: serve)
    }

    /// Runs it in other surroundings.
    static func run(
        _ arguments: [String], socket: String, input: String? = nil, environment: [String: String] = [:],
        serve: () -> Void = {}
    ) throws -> Run {
        let process = Process()
        process.executableURL = URL(filePath: Programs.path(of: "daybreak"))
        process.arguments = arguments
        process.environment = ["DAYBREAK_SOCKET": socket, "TERM": "xterm"].merging(environment) { _, new in new }
        let (output, error) = (Pipe(), Pipe())
        let typed = Pipe()
        process.standardInput = input == nil ? FileHandle.nullDevice : typed
        process.standardOutput = output
        process.standardError = error
        try process.run()
        try typed.type(input ?? "")
        serve()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let complained = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        // On a busy machine an answer may take more than three seconds, which is said: SilenceTests looks at that.
        let rest = complained.replacing(#/[^\n]+ does not answer yet\. [^\n]*\n/#, with: "")
        return Run(output: said, error: rest, status: process.terminationStatus)
    }

    func run(_ arguments: String..., answering reply: [UInt8], to call: String) throws -> Run {
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
        let reply = Homework.List.Reply(
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

    @Test func `--json prints the reply's parameters on one line, and nothing else`() throws {
        let reply = Homework.Start.Reply(flow: Sample.flow("waiting"))
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
            "join", answering: Reply.frame(error: Homework.ProviderUnavailable()),
            to: #"{"method":"org.daybreak.Homework.Join","parameters":{}}"#)
        #expect(
            run
                == Run(
                    error: "The provider is not available now; "
                        + "`daybreak start` goes on with the task, and says when they are.\n", status: 1))
    }

    @Test func `with --json a refusal is printed by its name and parameters`() throws {
        let run = try run(
            "snooze", "26h", "--json",
            answering: Reply.frame(error: Homework.CannotSnooze(reason: "too long")),
            to: #"{"method":"org.daybreak.Homework.Snooze","parameters":{"until":"26h"}}"#)
        let error = #"{"error":"org.daybreak.Homework.CannotSnooze","parameters":{"reason":"too long"}}"# + "\n"
        #expect(run == Run(error: error, status: 1))
    }

    @Test func `following prints each reply as it comes, until the daemon ends`() throws {
        let listener = Listener()
        let run = try run("reminders", "--follow", "--json", socket: listener.path) {
            let peer = listener.accept()
            _ = peer.call()
            peer.send(Reply.frame(Homework.Reminders.Reply(reminders: []), continues: true))
            peer.send(Reply.frame(Homework.Reminders.Reply(reminders: []), continues: false))
        }
        #expect(run == Run(output: #"{"reminders":[]}"# + "\n" + #"{"reminders":[]}"# + "\n"))
    }

    @Test func `reminders are followed across a restart of the daemon, each once`() throws {
        let listener = Listener()
        func reminder(_ id: String, _ minute: Int) -> Homework.Reminder {
            Homework.Reminder(
                id: id, kind: .stillOpen, at: "2026-11-20T09:0\(minute):00+01:00", assignment: nil,
                message: "Reminder \(id).")
        }
        func reply(_ reminders: [Homework.Reminder], continues: Bool) -> [UInt8] {
            Reply.frame(Homework.Reminders.Reply(reminders: reminders), continues: continues)
        }
        var calls: [String] = []
        let run = try run("reminders", "--follow", socket: listener.path) {
            do {
                let peer = listener.accept()
                calls.append(peer.call())
                peer.send(reply([reminder("a", 0)], continues: true))
            }
            let peer = listener.accept()
            calls.append(peer.call())
            peer.send(reply([reminder("a", 0), reminder("b", 1)], continues: false))
        }
        let day = Wording.fullDay("2026-11-20", today: nil)
        #expect(run == Run(output: "\(day)\n  09:00  Reminder a.\n  09:01  Reminder b.\n"))
        #expect(calls.last?.contains(#""since":"2026-11-20T09:00:00+01:00""#) == true, "\(calls)")
    }

    @Test(arguments: [
        ["moods", "--html", "m.html"], ["moods", "--svg", "-"], ["course", "read", "1", "--html", "l.html"],
    ])
    func `a file and --json are two answers, of which none is left out silently`(words: [String]) throws {
        let run = try Self.run(words + ["--json"], socket: "/nowhere/control")
        let option = words[words.count - 2]
        #expect(
            run
                == Run(
                    error:
                        #"{"error":"Misused","parameters":{"reason":"--json and \#(option) are two forms of the answer: "#
                        + #"choose one."}}"# + "\n", status: 64))
    }

    @Test func `two files do not both go to standard output`() throws {
        let run = try run("moods", "--svg", "-", "--html", "-", socket: "/nowhere/control")
        #expect(
            run.error.split(separator: "\n").first
                == "Error: --svg and --html both go to standard output: name a file for one of them.")
        #expect(run.status == 64 && run.output == "")
    }

    @Test(arguments: [
        (nil, #""#, "Today's task is not begun yet: `daybreak start` begins it, and asks for the mood at its end.\n"),
        ("waiting", #""#, ""),
        (
            "waiting", #","mood":"tired""#,
            "The mood of this task is logged already: “tired”. `daybreak mood --correct WORD` changes it.\n"
        ),
    ])
    func `the choices of mood say whether one can be logged`(stage: String?, also: String, says: String) throws {
        let listener = Listener()
        let run = try run("mood", socket: listener.path) {
            let peer = listener.accept()
            _ = peer.call()
            let status = stage.map { Sample.status(Sample.flow($0)) } ?? Sample.eligible(Sample.status())
            peer.send(Reply.frame(Homework.GetStatus.Reply(status: status)))
            _ = peer.call()
            let assignment = Sample.assignment(stage == nil ? "eligible" : "inProgress", also: also)
            peer.send(Reply.frame(Homework.Get.Reply(assignment: assignment)))
        }
        #expect(run.output == Wording.numbered(Sample.assignment().moods) + says)
        #expect(run.status == 0)
    }

    @Test(arguments: [["--for", "5m"], ["--name", "Ada"], ["offline", "--for", "5m"]])
    func `an option of a provider who comes is refused without one`(words: [String]) throws {
        let run = try Self.run(["provider"] + words, socket: "/nowhere/control")
        let option = words[words.count - 2]
        #expect(
            run.error.split(separator: "\n").first
                == "Error: \(option) goes with online: `daybreak provider online \(option) …`.")
        #expect(run.status == 64)
    }

    @Test(arguments: [(["help", "nonsense"], "nonsense"), (["help", "link", "nonsense"], "link nonsense")])
    func `help about something that is no verb is refused`(words: [String], named: String) throws {
        let run = try Self.run(words, socket: "/nowhere/control")
        #expect(run.error.hasPrefix("There is no `daybreak \(named)`."), "\(run.error)")
        #expect(run.status == 64)
        #expect(try Self.run(["help", "snooze"], socket: "/nowhere/control").status == 0)
    }

    @Test(arguments: [["status", "--json"], ["status", "--format", "json"]])
    func `a status for programs has its hidden characters as escapes`(words: [String]) throws {
        let listener = Listener()
        let run = try Self.run(words, socket: listener.path) {
            let peer = listener.accept()
            _ = peer.call()
            var status = Sample.status()
            status.problem = "/home/\u{202E}cleo/tasks.json is refused"
            peer.send(Reply.frame(Homework.GetStatus.Reply(status: status)))
        }
        #expect(run.output.contains(#"\u202ecleo"#), "\(run.output)")
        #expect(!run.output.unicodeScalars.contains("\u{202E}"))
    }

    /// The shell passes on the bytes as a terminal with another encoding types them.
    @Test(arguments: ["note", "start --pattern", "restore", "--json"])
    func `a word that is not UTF-8 is refused before anything is asked`(words: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", #"exec "$0" \#(words) "$(printf 'caf\351 au lait')""#, Programs.path(of: "daybreak"),
        ]
        let listener = Listener()
        process.environment = ["DAYBREAK_SOCKET": listener.path, "TERM": "xterm"]
        let errors = Pipe()
        (process.standardInput, process.standardError) = (FileHandle.nullDevice, errors)
        try process.run()
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 64)
        let place = words.split(separator: " ").count + 1
        let sentence = "Word \(place) of the command line, “caf\u{FFFD} au lait”, is not UTF-8 text. Nothing was done."
        if words == "--json" {
            #expect(said.hasPrefix(#"{"error":"Misused""#) && said.contains(sentence), "\(said)")
        } else {
            #expect(said == sentence + "\n")
        }
    }

    /// It may have been killed between the history and the copies.
    @Test func `an erasure whose daemon hangs up is said to be worth repeating`() throws {
        let listener = Listener()
        let run = try Self.run(["erase", "--next", "--yes"], socket: listener.path) {
            let peer = listener.accept()
            #expect(peer.call().contains("Homework.Notes"))
            peer.send(Reply.frame(Homework.Notes.Reply(notes: [.init(at: "2027-03-05T09:00:00Z", text: "Ask.")])))
            #expect(peer.call() == #"{"method":"org.daybreak.Service.Erase","parameters":{}}"#)
            peer.hangUp()
        }
        #expect(run.status == 69 && run.output == "")
        #expect(
            run.error.hasSuffix(
                "Perhaps nothing is erased, or not every copy: once daybreakd runs again, erase it again.\n"),
            "\(run.error)")
    }

    @Test func `a status of which nothing is known says so, and ends with 1`() throws {
        for words in [["status"], ["status", "--json"]] {
            let listener = Listener()
            let run = try Self.run(words, socket: listener.path, environment: ["TZ": "UTC"]) {
                let peer = listener.accept()
                _ = peer.call()
                var status = Sample.status()
                (status.problem, status.unread, status.eligible) = ("The history is damaged", true, nil)
                peer.send(Reply.frame(Homework.GetStatus.Reply(status: status)))
            }
            #expect(run.status == 1)
            guard words.count == 1 else { continue }
            #expect(
                run.output.split(separator: "\n").dropFirst().joined(separator: "\n") == """
                      Task      not known
                      Reminder  not known
                      Provider  not known
                      Tasks     not known
                      Problem   The history is damaged.
                    """)
        }
    }

    @Test(arguments: [["mood", "2"], ["mood", "--correct", "2"]])
    func `a mood can be named by its number`(words: [String]) throws {
        let listener = Listener()
        var calls: [String] = []
        let run = try Self.run(words, socket: listener.path) {
            let peer = listener.accept()
            calls.append(peer.call())
            peer.send(Reply.frame(error: Homework.MoodNotOffered(moods: ["calm", "tired"])))
            calls.append(peer.call())
            peer.send(Reply.frame(Homework.LogMood.Reply(assignment: Sample.assignment("completed"))))
        }
        #expect(run.status == 0 && run.error == "")
        #expect(
            calls.map { $0.suffix(16) } == [#"eters":{"mood":"2"}}"#.suffix(16), #"s":{"mood":"tired"}}"#.suffix(16)])
    }

    /// A place in the list would be taken for one of the numbers.
    @Test func `a scale of numbers has its words alone`() throws {
        let listener = Listener()
        let run = try Self.run(["mood", "2"], socket: listener.path) {
            let peer = listener.accept()
            _ = peer.call()
            peer.send(Reply.frame(error: Homework.MoodNotOffered(moods: ["0", "1", "3"])))
        }
        let said = "That mood is not among this task's choices; type one of them:\n  0\n  1\n  3\n"
        #expect(run == Run(error: said, status: 1))
        var walk = Sample.walk(Sample.flow("mood"))
        walk.presentation.isPlain = true
        walk.assignment.moods = ["0", "1", "3"]
        #expect(TypedLine.inputs(for: "2", in: walk) == [.mistyped("2")])
        #expect(TypedLine.inputs(for: "3", in: walk) == [.chosen(2)])
        var speaker = Speaker()
        #expect(speaker.say(walk, at: 0).hasSuffix("  0\n  1\n  3\n[the word chooses · q leaves]\n"))
    }

    @Test func `the notes of a day with several tasks are shown together, each once`() throws {
        let listener = Listener()
        let note: Homework.Note = Sample.decode(#"{"at":"2026-11-20T14:06:00+01:00","text":"Ask about sleep"}"#)
        let run = try run("notes", "2026-11-20", socket: listener.path) {
            let peer = listener.accept()
            var other = Sample.assignment()
            other.id = "second"
            for _ in 1...1 {
                _ = peer.call()
                peer.send(
                    Reply.frame(
                        Homework.List.Reply(
                            today: "2026-11-20", assignments: [Sample.assignment(), other], earlier: 0, later: 0)))
            }
            for _ in 1...2 {
                _ = peer.call()
                peer.send(Reply.frame(Homework.Notes.Reply(notes: [note])))
            }
        }
        #expect(run == Run(output: "Friday 20 November 2026, 14:06 · for the session\n  Ask about sleep\n"))
    }

    @Test func `only one part of the list is shown`() throws {
        let run = try run("list", "--completed", "--missed", socket: "/nowhere")
        #expect(run.status == 64)
        #expect(run.error.hasPrefix("Error: Say one of --all, --completed, --upcoming and --missed.\n"), "\(run.error)")
    }

    @Test func `a backup is named by the client's file with --json, too`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "daybreak-backup-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (made, file) = (folder.appending(path: "asked-1.db").path(), folder.appending(path: "mine.db").path())
        for verb in [["backup", file], ["export", file], ["backup", "--force", file]] {
            if verb[0] == "export" { try FileManager.default.removeItem(atPath: file) }
            try Data("whole".utf8).write(to: URL(filePath: made))
            let listener = Listener()
            let run = try Self.run(verb + ["--json"], socket: listener.path) {
                let peer = listener.accept()
                _ = peer.call()
                peer.send(Reply.frame(Service.Backup.Reply(file: made)))
            }
            #expect(run == Run(output: "{\"file\":\"\(file)\"}\n"))
            #expect(try Data(contentsOf: URL(filePath: file)) == Data("whole".utf8))
        }
    }

    @Test func `mood without a word lists the choices`() throws {
        let listener = Listener()
        let run = try run("mood", socket: listener.path) {
            let peer = listener.accept()
            _ = peer.call()
            peer.send(Reply.frame(Homework.GetStatus.Reply(status: Sample.status(Sample.flow("waiting")))))
            #expect(
                peer.call() == #"{"method":"org.daybreak.Homework.Get","parameters":{"assignment":"2026-11-20"}}"#)
            peer.send(Reply.frame(Homework.Get.Reply(assignment: Sample.assignment("inProgress"))))
        }
        #expect(run == Run(output: "  1 calm\n  2 tired\n  3 hopeful\n  4 穏やか\n"))
    }

    @Test func `breathe is led through the exercise, and says where it ended`() throws {
        let listener = Listener()
        let run = try run("breathe", socket: listener.path) {
            let peer = listener.accept()
            #expect(peer.call() == #"{"method":"org.daybreak.Service.GetPreferences","parameters":{}}"#)
            peer.send(Reply.frame(Service.GetPreferences.Reply(preferences: Service.Preferences())))
            #expect(peer.call() == #"{"method":"org.daybreak.Homework.Breathe","more":true,"parameters":{}}"#)
            peer.send(Reply.frame(Homework.Start.Reply(flow: Sample.flow("waiting"))))
        }
        #expect(run == Run(output: "The exercise is done. `daybreak start` leads on to the wait room.\n"))
    }

    @Test func `a mood can be read from the input, so that no list of processes shows it`() throws {
        let listener = Listener()
        var asked = ""
        let run = try run("mood", "-", socket: listener.path, input: "\u{FEFF}calm\n") {
            let peer = listener.accept()
            asked = peer.call()
            peer.send(Reply.frame(error: Homework.NoFlow()))
        }
        #expect(asked == #"{"method":"org.daybreak.Homework.LogMood","parameters":{"mood":"calm"}}"#)
        #expect(run.status == 1)
    }

    @Test(arguments: [(#","mood":"tired""#, ": “tired”"), ("", "")])
    func `a mood that is logged already is named, with the way to correct it`(logged: String, named: String) throws {
        let listener = Listener()
        let run = try run("mood", "calm", socket: listener.path) {
            let peer = listener.accept()
            _ = peer.call()
            peer.send(Reply.frame(error: Homework.MoodAlreadyLogged()))
            _ = peer.call()
            peer.send(Reply.frame(Homework.GetStatus.Reply(status: Sample.status(Sample.flow("waiting")))))
            #expect(
                peer.call() == #"{"method":"org.daybreak.Homework.Get","parameters":{"assignment":"2026-11-20"}}"#)
            peer.send(Reply.frame(Homework.Get.Reply(assignment: Sample.assignment("inProgress", also: logged))))
        }
        #expect(
            run
                == Run(
                    error:
                        "The mood of this task is logged already\(named). `daybreak mood --correct WORD` changes it.\n",
                    status: 1))
    }

    @Test func `a mood for a completed task is refused with the way to correct one`() throws {
        let refusal = Reply.frame(error: Homework.NoFlow())
        let call = #"{"method":"org.daybreak.Homework.LogMood","parameters":{"mood":"calm"}}"#
        let said =
            "No task is in progress; `daybreak start` begins one. `daybreak mood --correct WORD` changes the last mood.\n"
        #expect(try run("mood", "calm", answering: refusal, to: call) == Run(error: said, status: 1))
        let json = #"{"error":"org.daybreak.Homework.NoFlow","parameters":{}}"# + "\n"
        #expect(try run("mood", "calm", "--json", answering: refusal, to: call) == Run(error: json, status: 1))
    }

    @Test func `a name can be read from the input as well`() throws {
        let listener = Listener()
        var asked = ""
        let run = try run("provider", "online", "--name", "-", socket: listener.path, input: "Dr. Vogel\n") {
            let peer = listener.accept()
            asked = peer.call()
            peer.send(Reply.frame(Nothing()))
        }
        #expect(
            asked
                == #"{"method":"org.daybreak.Provider.SetPresence","parameters":{"name":"Dr. Vogel","online":true}}"#)
        #expect(run.status == 0)
    }

    @Test func `a refusal for want of room says whose connections there are, even before the call is sent`() throws {
        let listener = Listener()
        let user = geteuid()
        let name = String(cString: getpwuid(user).pointee.pw_name)
        let refusal = #"{"error":"org.daybreak.Service.TooManyConnections","parameters":{"limit":192,"user":\#(user)}}"#
        let said =
            "daybreakd takes no more connections of \(name): there are 192, which is the limit.\n"
            + "End programs that hold some (`pgrep -af daybreak` lists those of Daybreak), and run this again.\n"
        for _ in 0..<20 {
            let run = try run("pause", socket: listener.path) { listener.accept().send(Array(refusal.utf8) + [0]) }
            #expect(run == Run(error: said, status: 1))
        }
    }

    @Test func `list and start report a fault of the schedule`() throws {
        let problem = "The schedule was refused: /t:1:1: No. Until there is a sound one, there are no tasks."
        let list =
            #"{"parameters":{"assignments":[],"earlier":0,"later":0,"problem":"\#(problem)","today":"2026-11-20"}}"#
        let listed = try run(
            answering: Array(list.utf8) + [0], to: #"{"method":"org.daybreak.Homework.List","parameters":{}}"#)
        #expect(listed == Run(output: problem + "\n"))
        let none = #"{"error":"org.daybreak.Homework.NothingEligible","parameters":{"problem":"\#(problem)"}}"#
        let refused = try run(
            "start", "--json", answering: Array(none.utf8) + [0],
            to: #"{"method":"org.daybreak.Homework.Start","parameters":{}}"#)
        #expect(refused == Run(error: none + "\n", status: 1))
        let start = "There is no task to do now, and none is scheduled after it. \(problem)"
        #expect(Failure(try Reply(frame: Array(none.utf8)), from: .daybreakd, at: "/none").sentence == start)
    }

    @Test func `a reload without a schedule says so, and reports the configuration`() throws {
        let reason = "The schedule was refused: /t:1:1: No. The schedule before stays in force."
        let error = #"{"error":"org.daybreak.Service.ScheduleNotTaken","parameters":{"reason":"\#(reason)"}}"#
        let run = try run(
            "reload", answering: Array(error.utf8) + [0],
            to: #"{"method":"org.daybreak.Service.Reload","parameters":{}}"#)
        #expect(run == Run(error: "The configuration was read again. \(reason)\n", status: 1))
    }

    @Test(arguments: [
        (nil, "The configuration and the schedule were read again.\n"),
        (
            true,
            "The configuration was read again. The schedule in force was imported, or came from a practice, and stays.\n"
        ),
    ])
    func `a reload says if an imported schedule stays in force`(isImported: Bool?, said: String) throws {
        let run = try run(
            "reload", answering: Reply.frame(Service.Reload.Reply(isScheduleImported: isImported)),
            to: #"{"method":"org.daybreak.Service.Reload","parameters":{}}"#)
        #expect(run == Run(output: said))
    }

    @Test func `without a daemon the exit status is 69`() throws {
        #expect(try run(socket: "/nowhere/control").status == 69)
    }

    @Test func `a misused verb has the exit status 64`() throws {
        for verbs in ["dance", "snooze"] { #expect(try run(verbs, socket: "/nowhere").status == 64) }
        #expect(try run("provider", "maybe", socket: "/nowhere").status == 64)
        #expect(try run("explain", "weather", "today", socket: "/nowhere").status == 64)
        #expect(try run("snooze", "banana", socket: "/nowhere").status == 64)
        #expect(try run("list", "--all", "--missed", socket: "/nowhere").status == 64)
    }

    @Test func `an unknown verb is refused with the nearest one`() throws {
        let none = "There is no `daybreak moood`. Did you mean `daybreak mood`? `daybreak --help` lists the verbs."
        #expect(try run("moood", "calm", socket: "/none") == Run(error: none + "\n", status: 64))
        #expect(
            try run("--json", "moood", socket: "/none")
                == Run(error: #"{"error":"Misused","parameters":{"reason":"\#(none)"}}"# + "\n", status: 64))
    }

    @Test func `with --json a misused verb is an error in JSON`() throws {
        let bogus = #"{"error":"Misused","parameters":{"reason":"Unknown option '--bogus'"}}"# + "\n"
        #expect(try run("list", "--bogus", "--json", socket: "/none") == Run(error: bogus, status: 64))
        let snooze = try run("snooze", "x", "--json", socket: "/none")
        #expect(snooze.error.hasPrefix(#"{"error":"Misused","parameters":{"reason":"Say until when: "#))
        #expect(snooze.status == 64)
    }

    @Test func `a length with a minus is refused as a time, not as an option`() throws {
        let run = try run("snooze", "-5m", socket: "/none")
        #expect(run.error.hasPrefix("Error: Say until when: `daybreak snooze 30m`"), "\(run.error)")
        #expect(run.status == 64)
    }

    @Test func `an argument over the limit is refused before anything is sent`() throws {
        let listener = Listener()
        let note = String(repeating: "x", count: 100_000)
        let said = "That is too long: daybreakd takes at most 64 KB at once.\n"
        let hangUp = { _ = listener.accept() }
        #expect(try run("note", note, socket: listener.path, serve: hangUp) == Run(error: said, status: 64))
    }

    @Test func `the help lists the verbs by their purpose`() throws {
        let help = try run("--help", socket: "/none")
        let groups = help.output.split(separator: "\n").filter { $0.hasSuffix("SUBCOMMANDS:") }
        #expect(
            groups == [
                "TODAY SUBCOMMANDS:", "STEP BY STEP SUBCOMMANDS:", "YOUR PRACTICE SUBCOMMANDS:",
                "LOOKING BACK SUBCOMMANDS:",
                "LOOKING AHEAD SUBCOMMANDS:", "UPKEEP SUBCOMMANDS:",
            ])
    }

    @Test func `an unreadable schedule is refused without asking the daemon`() throws {
        let run = try run("schedule", "check", "/nowhere/tasks.json", socket: "/nowhere/control")
        #expect(run == Run(error: "/nowhere/tasks.json cannot be read: No such file or directory.\n", status: 1))
    }

    @Test func `--version prints the version`() throws {
        #expect(try run("--version", socket: "/nowhere") == Run(output: "0.1.0\n"))
    }
}
