import DaybreakInterfaces
import Foundation
import Testing
import Varlink

@testable import Companion
@testable import DaybreakCompanion

// Notes, looking back and bars: the calls of `daybreak` to a scripted daemon, and its output.
extension ProgramTests {
    private static let note = Reply.frame(
        Homework.AddNote.Reply(
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

    @Test func `a note names the task that it is kept with, and so does an empty list of notes`() throws {
        let listener = Listener()
        let kept = try run("note", "Ask", socket: listener.path) {
            let peer = listener.accept()
            _ = peer.call()
            let note = #"{"at":"2026-11-20T14:05:00+01:00","text":"Ask","assignment":"2026-11-20"}"#
            peer.send(Reply.frame(Homework.AddNote.Reply(note: Sample.decode(note))))
            _ = peer.call()
            peer.send(Reply.frame(Homework.GetStatus.Reply(status: Sample.status())))
            #expect(peer.call() == #"{"method":"org.daybreak.Homework.List","parameters":{"day":"2026-11-20"}}"#)
            let tasks = [Sample.assignment("completed")]
            peer.send(
                Reply.frame(
                    Homework.List.Reply(today: "2026-11-20", assignments: tasks, earlier: 0, later: 0)))
        }
        #expect(kept == Run(output: "Kept with today's task. `daybreak show today` shows it.\n"))
        let none = try run(
            "notes", answering: Reply.frame(Homework.Notes.Reply(notes: [])),
            to: #"{"method":"org.daybreak.Homework.Notes","parameters":{}}"#)
        let said = "There are no notes for the next session. `daybreak notes TASK` shows those kept with a task.\n"
        #expect(none == Run(output: said))
    }

    @Test func `a list can be of one state`() throws {
        let tasks = ["completed", "missed", "locked", "eligible", "inProgress"].map { Sample.assignment($0) }
        let reply = Reply.frame(
            Homework.List.Reply(today: "2026-11-20", assignments: tasks, earlier: 0, later: 0))
        let call = #"{"method":"org.daybreak.Homework.List","parameters":{"all":true}}"#
        func states(_ flag: String) throws -> [String] {
            let run = try run("--json", "list", flag, answering: reply, to: call)
            let list: Homework.List.Reply = Sample.decode(run.output)
            return list.assignments.map(\.state.rawValue)
        }
        #expect(try states("--completed") == ["completed"])
        #expect(try states("--missed") == ["missed"])
        #expect(try states("--upcoming") == ["locked", "eligible", "inProgress"])
        #expect(try states("--all") == ["completed", "missed", "locked", "eligible", "inProgress"])
        let none = Reply.frame(Homework.List.Reply(today: "2026-11-20", assignments: [], earlier: 0, later: 0))
        #expect(try run("list", "--missed", answering: none, to: call) == Run(output: "No task was missed.\n"))
    }

    @Test func `show takes the open task, or all tasks of a day`() throws {
        func everything(_ id: String) -> [UInt8] {
            var task = Sample.assignment()
            task.id = id
            return Reply.frame(Homework.Show.Reply(assignment: task, steps: [], notes: []))
        }
        func shown(_ output: String) -> [String] {
            struct Tasks: Decodable { let tasks: [Homework.Show.Reply] }
            // Sample.decode refuses a second value.
            if output.hasPrefix("{\"tasks\"") {
                let several: Tasks = Sample.decode(output)
                return several.tasks.map(\.assignment.id)
            }
            let reply: Homework.Show.Reply = Sample.decode(output)
            return [reply.assignment.id]
        }
        let listener = Listener()
        let open = try run("show", "--json", socket: listener.path) {
            let peer = listener.accept()
            _ = peer.call()
            peer.send(Reply.frame(Homework.GetStatus.Reply(status: Sample.status(Sample.flow("waiting")))))
            #expect(
                peer.call() == #"{"method":"org.daybreak.Homework.Show","parameters":{"assignment":"2026-11-20"}}"#)
            peer.send(everything("2026-11-20"))
        }
        #expect(shown(open.output) == ["2026-11-20"])
        let ofDay = try run("show", "2026-11-20", "--json", socket: listener.path) {
            let peer = listener.accept()
            #expect(peer.call() == #"{"method":"org.daybreak.Homework.List","parameters":{"day":"2026-11-20"}}"#)
            let tasks = ["one", "two"].map { id in
                var task = Sample.assignment()
                task.id = id
                return task
            }
            peer.send(
                Reply.frame(
                    Homework.List.Reply(today: "2026-11-20", assignments: tasks, earlier: 0, later: 0)))
            for id in ["one", "two"] {
                _ = peer.call()
                peer.send(everything(id))
            }
        }
        #expect(shown(ofDay.output) == ["one", "two"])
    }

    @Test func `a mood is corrected for the last task or for a named one`() throws {
        let assignment = Sample.assignment("completed", also: #","mood":"tired","completedOn":"2026-11-20""#)
        let reply = Reply.frame(Homework.Get.Reply(assignment: assignment))
        let said = "The mood is corrected. The task of Friday 20 November 2026 is completed. Mood: tired.\n"
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

    @Test func `a backup to - is printed, and makes no file`() throws {
        let daemon = try RealDaemon()
        let run = try ProgramTests.run(["backup", "-"], socket: daemon.path, environment: daemon.surroundings)
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("SQLite format 3\0"))
        #expect(!FileManager.default.fileExists(atPath: "-"))
    }

    @Test func `reminders since yesterday are asked for from that day`() throws {
        let listener = Listener()
        let run = try run("reminders", "--since", "yesterday", socket: listener.path) {
            let peer = listener.accept()
            _ = peer.call()
            peer.send(Reply.frame(Homework.GetStatus.Reply(status: Sample.status())))
            #expect(
                peer.call() == #"{"method":"org.daybreak.Homework.Reminders","parameters":{"since":"2026-11-19"}}"#)
            peer.send(Reply.frame(Homework.Reminders.Reply(reminders: [])))
        }
        #expect(run == Run(output: "No reminder was given since Thursday 19 November 2026.\n"))
    }

    @Test(arguments: [
        ("monday", "2026-11-16", "Monday 16"), ("Fri", "2026-11-20", "Friday 20"),
        ("last friday", "2026-11-13", "Friday 13"),
    ])
    func `a weekday is the last one where something was`(word: String, day: String, shown: String) throws {
        let listener = Listener()
        let run = try run("reminders", "--since", word, socket: listener.path) {
            let peer = listener.accept()
            _ = peer.call()
            peer.send(Reply.frame(Homework.GetStatus.Reply(status: Sample.status())))
            #expect(peer.call() == #"{"method":"org.daybreak.Homework.Reminders","parameters":{"since":"\#(day)"}}"#)
            peer.send(Reply.frame(Homework.Reminders.Reply(reminders: [])))
        }
        #expect(run == Run(output: "No reminder was given since \(shown) November 2026.\n"))
    }

    @Test(arguments: [("monday", "monday"), ("Monday", "2026-11-16"), ("next friday", "2026-11-27")])
    func `a weekday that names a task is the last one, but for a task of that name`(
        word: String, task: String
    ) throws {
        let listener = Listener()
        var asked: [String] = []
        _ = try run("explain", word, "--json", socket: listener.path) {
            let peer = listener.accept()
            var named = Sample.assignment("completed", due: "2026-11-19")
            named.id = "monday"
            asked.append(peer.call())
            peer.send(
                Reply.frame(
                    Homework.List.Reply(today: "2026-11-20", assignments: [named], earlier: 0, later: 0)))
            asked.append(peer.call())
            if task != "monday" {
                peer.send(Reply.frame(Homework.GetStatus.Reply(status: Sample.status())))
                asked.append(peer.call())
            }
            peer.send(Reply.frame(error: Homework.NoFlow()))
        }
        #expect(asked.first == #"{"method":"org.daybreak.Homework.List","parameters":{"all":true}}"#)
        #expect(asked.last == #"{"method":"org.daybreak.Homework.Explain","parameters":{"task":"\#(task)"}}"#)
    }

    @Test(arguments: [true, false])
    func `a kind of reminder is explained, but for a task of that name`(isTask: Bool) throws {
        let listener = Listener()
        var asked = ""
        let run = try run("explain", "unlocked", "--json", socket: listener.path) {
            let looking = listener.accept()
            _ = looking.call()
            var named = Sample.assignment("completed", due: "2026-11-19")
            named.id = isTask ? "unlocked" : "monday"
            looking.send(
                Reply.frame(
                    Homework.List.Reply(today: "2026-11-20", assignments: [named], earlier: 0, later: 0)))
            guard isTask else { return }
            let peer = listener.accept()
            asked = peer.call()
            peer.send(Reply.frame(Homework.Explain.Reply(explanations: [])))
        }
        #expect(
            asked
                == (isTask ? #"{"method":"org.daybreak.Homework.Explain","parameters":{"task":"unlocked"}}"# : ""))
        #expect(run.output.contains(#""kind":"unlocked""#) != isTask)
    }

    @Test(arguments: [["30min"], ["1h", "30m"], ["until", "6pm"], ["for", "1h 30m"]])
    func `a snooze takes the words that a person types`(words: [String]) throws {
        let listener = Listener()
        let until = words.filter { $0 != "until" && $0 != "for" }.joined(separator: " ")
        let run = try ProgramTests.run(["snooze"] + words, socket: listener.path) {
            let peer = listener.accept()
            #expect(
                peer.call() == #"{"method":"org.daybreak.Homework.Snooze","parameters":{"until":"\#(until)"}}"#)
            var status = Sample.status()
            status.snoozedUntil = "2026-11-20T18:00:00+01:00"
            status.nextReminder = status.snoozedUntil
            peer.send(Reply.frame(Homework.GetStatus.Reply(status: status)))
        }
        #expect(run == Run(output: "Today's reminders are muted until 18:00; one comes then.\n"))
    }

    @Test(arguments: [
        ("2026-11-21T07:00:00+01:00" as String?, "the next one comes tomorrow at 07:00."),
        (nil, "none comes afterwards, as reminders.at_most in the settings says."),
    ]) func `a snooze promises no reminder that quiet hours or the limit keep back`(next: String?, says: String) {
        var status = Sample.status()
        (status.snoozedUntil, status.nextReminder) = ("2026-11-20T23:00:00+01:00", next)
        #expect(Snooze.text(status) == "Today's reminders are muted until 23:00; \(says)")
    }

    @Test(arguments: [["snooze", "30"], ["provider", "online", "--for", "30"]])
    func `a number without its unit is refused alike in every verb`(words: [String]) throws {
        let run = try ProgramTests.run(words, socket: "/nowhere/control")
        #expect(run.error.split(separator: "\n").first == "Error: “30” may be seconds or minutes; write 30s or 30m.")
        #expect(run.status == 64)
    }

    @Test(arguments: ["waybar", "i3status-rust", "plain"])
    func `a status is asked for in one form`(format: String) throws {
        let run = try run("status", "--format", format, "--json", socket: "/nowhere/control")
        let sentence = "--json and --format \(format) name two forms: say one of them."
        #expect(run == Run(error: #"{"error":"Misused","parameters":{"reason":"\#(sentence)"}}"# + "\n", status: 64))
    }

    @Test(arguments: [
        ("2026-11-20T18:30:00Z", "The snooze is over: reminders come at their times again.\n"),
        (nil, "The reminders were not muted: they come at their times.\n"),
    ])
    func `a snooze is ended with off, and off says if there was none`(until: String?, said: String) throws {
        let listener = Listener()
        let run = try run("snooze", "off", socket: listener.path) {
            let peer = listener.accept()
            #expect(peer.call() == #"{"method":"org.daybreak.Homework.GetStatus","parameters":{}}"#)
            var status = Sample.status()
            status.snoozedUntil = until
            peer.send(Reply.frame(Homework.GetStatus.Reply(status: status)))
            #expect(peer.call() == #"{"method":"org.daybreak.Homework.EndSnooze","parameters":{}}"#)
            peer.send(Reply.frame(Homework.GetStatus.Reply(status: Sample.status())))
        }
        #expect(run == Run(output: said))
    }

    @Test func `a task may be named by its day`() throws {
        let listener = Listener()
        let run = try run("note", "Ask", "about", "sleep", "--task", "yesterday", "--json", socket: listener.path) {
            let peer = listener.accept()
            #expect(peer.call() == #"{"method":"org.daybreak.Homework.GetStatus","parameters":{}}"#)
            peer.send(Reply.frame(Homework.GetStatus.Reply(status: Sample.status())))
            #expect(peer.call() == #"{"method":"org.daybreak.Homework.List","parameters":{"day":"2026-11-19"}}"#)
            let tasks = [Sample.assignment("completed", due: "2026-11-19")]
            peer.send(
                Reply.frame(
                    Homework.List.Reply(today: "2026-11-20", assignments: tasks, earlier: 0, later: 0)))
            #expect(
                peer.call()
                    == #"{"method":"org.daybreak.Homework.AddNote","parameters":{"assignment":"2026-11-19","#
                    + #""text":"Ask about sleep"}}"#)
            peer.send(Self.note)
        }
        #expect(
            run == Run(output: #"{"note":{"at":"2026-11-20T14:05:00+01:00","text":"Ask about sleep"}}"# + "\n"))
    }

    @Test(arguments: [
        (["explain", "yesterday"], "Homework.Explain", "task"), (["show", "Yesterday"], "Homework.Show", "assignment"),
        (["start", "yesterday"], "Homework.Start", "assignment"),
        (["notes", "yesterday"], "Homework.Notes", "assignment"),
        (["erase", "yesterday", "--yes"], "Homework.Show", "assignment"),
    ])
    func `every verb reads the same words for a day`(verb: [String], method: String, name: String) throws {
        let listener = Listener()
        var asked = ""
        let run = try Self.run(verb + ["--json"], socket: listener.path) {
            let peer = listener.accept()
            #expect(peer.call() == #"{"method":"org.daybreak.Homework.GetStatus","parameters":{}}"#)
            peer.send(Reply.frame(Homework.GetStatus.Reply(status: Sample.status())))
            asked = peer.call()
            if asked == #"{"method":"org.daybreak.Homework.List","parameters":{"day":"2026-11-19"}}"# {
                let tasks = [Sample.assignment("completed", due: "2026-11-19")]
                peer.send(
                    Reply.frame(
                        Homework.List.Reply(today: "2026-11-20", assignments: tasks, earlier: 0, later: 0)))
                asked = peer.call()
            }
            peer.send(Reply.frame(error: Homework.NoSuchAssignment(assignment: "2026-11-19")))
        }
        #expect(asked == #"{"method":"org.daybreak.\#(method)","parameters":{"\#(name)":"2026-11-19"}}"#)
        #expect(run.status == 1)
    }

    /// The answer of a daemon that knows no task.
    private static func answer(to call: String) -> [UInt8] {
        if call.contains("GetStatus") { return Reply.frame(Homework.GetStatus.Reply(status: Sample.status())) }
        if call.contains("Explain") { return Reply.frame(Homework.Explain.Reply(explanations: [])) }
        if call.contains("List") {
            return Reply.frame(Homework.List.Reply(today: "2026-11-20", assignments: [], earlier: 0, later: 0))
        }
        return Reply.frame(error: Homework.NoSuchAssignment(assignment: "none"))
    }

    @Test func `an erasure looks for the task before it asks`() throws {
        let run = try run(
            "erase", "nonsense", answering: Reply.frame(error: Homework.NoSuchAssignment(assignment: "nonsense")),
            to: #"{"method":"org.daybreak.Homework.Show","parameters":{"assignment":"nonsense"}}"#)
        let sentence = """
            There is no task named “nonsense”; `daybreak list --all` shows the names.
            If a history that was replaced has it: `daybreak erase --everything` erases those, too.

            """
        #expect(run == Run(error: sentence, status: 1))
    }

    @Test(
        arguments: [
            (nil, "Task “1” had no mood and no notes to erase here; what Daybreak's own copies had of it is erased.\n"),
            ("calm", "The mood and the notes of task “1” are erased, here and in Daybreak's own backups.\n"),
        ] as [(String?, String)])
    func `an erasure says whether there was anything to erase`(mood: String?, said: String) throws {
        let listener = Listener()
        let run = try run("erase", "1", "--yes", socket: listener.path) {
            let peer = listener.accept()
            _ = peer.call()
            var task = Sample.assignment("completed")
            task.mood = mood
            peer.send(Reply.frame(Homework.Show.Reply(assignment: task, steps: [], notes: [], withdrawn: nil)))
            #expect(peer.call() == #"{"method":"org.daybreak.Service.Erase","parameters":{"assignment":"1"}}"#)
            peer.send(Reply.frame(Service.Erase.Reply(removed: nil, practice: nil)))
        }
        #expect(run == Run(output: said))
    }

    @Test(
        arguments: [
            ([Homework.StepKind](), 1, "the note for the next session"), ([], 2, "the 2 notes for the next session"),
            ([.joined, .left], 2, "the 2 notes for its session"),
        ])
    func `an erasure names the notes for the session, which go with their task`(
        steps: [Homework.StepKind], count: Int, named: String
    ) throws {
        let listener = Listener()
        let run = try run("erase", "1", "--yes", socket: listener.path) {
            let peer = listener.accept()
            _ = peer.call()
            let at = "2026-11-20T09:00:00Z"
            let own = Homework.Note(at: at, text: "Own", assignment: "1")
            peer.send(
                Reply.frame(
                    Homework.Show.Reply(
                        assignment: Sample.assignment("inProgress"),
                        steps: steps.map { Homework.Step(at: at, what: $0) },
                        notes: [own] + Array(repeating: Homework.Note(at: at, text: "Ask"), count: count),
                        withdrawn: nil)))
            _ = peer.call()
            peer.send(Reply.frame(Service.Erase.Reply(removed: nil, practice: nil)))
        }
        let said = "The mood and the notes of task “1” and \(named) are erased, here and in Daybreak's own backups.\n"
        #expect(run == Run(output: said))
    }

    @Test(arguments: [("thursday", "2026-11-19"), ("2026-11-19", "2026-11-19"), ("next thursday", "2026-11-26")])
    func `explain and show find the same day, and name it alike where no task is due`(word: String, day: String) throws
    {
        var runs: [Run] = []
        for verb in ["explain", "show"] {
            let listener = Listener()
            runs.append(
                try run(verb, word, socket: listener.path) {
                    let peer = listener.accept()
                    var call = peer.call()
                    while !call.isEmpty {
                        peer.send(Self.answer(to: call))
                        call = peer.call()
                    }
                })
        }
        let sentence = "No task is due on \(Wording.day(day, today: nil)); `daybreak list --all` shows the days.\n"
        #expect(runs == [Run(output: sentence), Run(error: sentence, status: 1)])
    }

    @Test(
        arguments: [
            (nil, "Tasks that were imported, or came from a practice, are erased, too."),
            (
                Homework.List.Reply(today: "2026-11-20", assignments: [], earlier: 0, later: 0),
                "Tasks that were imported, or came from a practice, are erased, too."
            ),
            (
                Homework.List.Reply(today: "2026-11-20", assignments: [], earlier: 0, later: 1),
                "The schedule file was taken in anew."
            ),
        ] as [(Homework.List.Reply?, String)])
    func `an erasure says what tasks there are, and that the practice keeps what it has heard`(
        list: Homework.List.Reply?, tasks: String
    ) throws {
        let (listener, address) = (Listener(), "practice@clinic")
        let erased = try Self.run(["erase", "--everything", "--yes"], socket: listener.path) {
            let peer = listener.accept()
            _ = peer.call()
            peer.send(Reply.frame(Service.EraseEverything.Reply(practice: address)))
            #expect(peer.call() == #"{"method":"org.daybreak.Homework.List","parameters":{}}"#)
            if let list { peer.send(Reply.frame(list)) }
        }
        #expect(
            erased
                == Run(
                    output: """
                        Everything is erased. \(tasks)
                        practice@clinic keeps what it has heard already: ask your therapist about that. The link is ended; \
                        `daybreak link end` also removes its key.

                        """))
    }

    @Test func `a restore says what became of the link`() {
        #expect(
            Restore.text(.init(events: 3, kept: "", link: "There is none."))
                == "The history was restored: 3 events.\nThere is none.")
    }

    @Test func `moods are written to a file of mode 0600, and never over another file`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "daybreak-moods-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "moods.svg").path
        let reply = Reply.frame(
            Homework.List.Reply(today: "2026-11-20", assignments: MoodsTests.tasks, earlier: 0, later: 0))
        let call = #"{"method":"org.daybreak.Homework.List","parameters":{"all":true}}"#
        let written = Run(output: "Written to \(file); only you can read it.\n")
        #expect(try run("moods", "--svg", file, answering: reply, to: call) == written)
        let drawing = Moods.drawing(MoodsTests.log)
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

    @Test(arguments: ["--svg", "--html"]) func `a file of moods is written also where there are none`(option: String)
        throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "daybreak-moods-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "moods").path
        let run = try run(
            "moods", option, file,
            answering: Reply.frame(Homework.List.Reply(today: "2026-11-20", assignments: [], earlier: 0, later: 0)),
            to: #"{"method":"org.daybreak.Homework.List","parameters":{"all":true}}"#)
        #expect(run == Run(output: "Written to \(file); only you can read it.\n"))
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("No mood is logged yet."))
    }

    @Test func `moods as JSON are days and words`() throws {
        let reply = Reply.frame(
            Homework.List.Reply(
                today: "2026-11-20", assignments: Array(MoodsTests.tasks.prefix(2)), earlier: 0, later: 0))
        let run = try run(
            "moods", "--json", answering: reply,
            to: #"{"method":"org.daybreak.Homework.List","parameters":{"all":true}}"#)
        let moods = #"{"moods":[{"day":"2026-10-30","mood":"hopeful"},{"day":"2026-11-02","mood":"tired"}]}"#
        #expect(run == Run(output: moods + "\n"))
    }

    @Test func `without a daemon a bar gets an empty line and the exit status 69`() throws {
        #expect(
            try run("status", "--format", "plain", socket: "/nowhere/control") == Run(output: "\n", status: 69))
        #expect(try run("status", "--json", socket: "/nowhere/control").status == 69)
    }
}
