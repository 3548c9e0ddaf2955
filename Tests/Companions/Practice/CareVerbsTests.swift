import Foundation
import PracticeInterfaces
import TestSupport
import Testing
import Time

@testable import Companion
@testable import PracticeCompanion

@Suite struct `Homework on the command line` {
    private func practice() throws -> RealPractice {
        let practice = try RealPractice()
        try practice.begin()
        try practice.says("client", "add", "--name", "Cleo Vidal")
        return practice
    }

    @Test func `a schedule is looked at first, then assigned, and shown`() throws {
        let practice = try practice()
        let file = practice.folder + "/tasks.json"
        try #"[[5, "calm,tired", "2090-03-05"], [3, "calm", "2090-03-06"]]"#
            .write(toFile: file, atomically: true, encoding: .utf8)
        let would = "This adds 2 tasks, changes 0, and withdraws 0."
        #expect(
            try practice.run("assign", "Cleo", file)
                == .init(error: "\(would) Nothing was assigned, because nobody could be asked: say --yes.\n", status: 1)
        )
        #expect(try practice.says("assign", "Cleo", file, "--dry-run") == would + "\n")
        #expect(
            try practice.says("assign", "Cleo", "-", "--yes", input: String(contentsOfFile: file, encoding: .utf8))
                == "Assigned, as revision 1: 2 tasks added, 0 changed, 0 withdrawn.\n")
        #expect(
            try practice.says("assign", "Cleo", file, "--yes")
                == "Assigned, as revision 1: 0 tasks added, 0 changed, 0 withdrawn.\n")
        let homework = try practice.says("homework", "1", "--plain")
        #expect(homework.contains("2090-03-06") && homework.contains("assigned"))
        #expect(homework.contains("1, not taken in yet") && homework.contains("nothing") && homework.contains("never"))
        #expect(
            try practice.says("homework", "1", "--json").hasPrefix(
                #"{"notes":[],"revision":1,"shares":[],"tasks":[{"breaths":5,"due":"2090-03-05","id":"2090-03-05","state":"assigned"}"#
            ))
    }

    @Test func `tasks that are withdrawn are named before and afterwards, with their programme`() throws {
        let practice = try practice()
        let file = practice.folder + "/tasks.json"
        try #"[[5, "calm", "2090-03-05"], [3, "calm", "2090-03-06"]]"#
            .write(toFile: file, atomically: true, encoding: .utf8)
        try practice.says("assign", "Cleo", file, "--yes")
        let would = "This adds 0 tasks, changes 0, and withdraws 2.\n"
        let days = "  Withdrawn: Sunday 5 March 2090, Monday 6 March 2090\n"
        #expect(
            try practice.run("assign", "Cleo", "-", input: "[]").error
                == "\(would)\(days)Nothing was assigned, because nobody could be asked: say --yes.\n")
        #expect(try practice.says("assign", "Cleo", "-", "--dry-run", input: "[]") == would + days)
        #expect(
            try practice.says("assign", "Cleo", "-", "--yes", input: "[]")
                == "Assigned, as revision 2: 0 tasks added, 0 changed, 2 withdrawn.\n" + days)
        let tasks = (1...12).map { day in
            Care.Assign.Reply.WithdrawnTasks(id: "t\(day)", due: "t\(day)", programme: "Weeks")
        }
        let own = Care.Assign.Reply.WithdrawnTasks(id: "t", due: "2090-03-05", programme: nil)
        #expect(
            Assign.withdrawn(
                .init(revision: 1, added: 0, changed: 0, withdrawn: 13, withdrawnTasks: tasks + [own]))
                    == """
                      Withdrawn of Weeks: t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, and 2 more
                      Withdrawn: Sunday 5 March 2090

                    """)
    }

    @Test func `a fault of a schedule has its file, line, column and entry`() throws {
        let practice = try practice()
        let file = practice.folder + "/tasks.json"
        try "[\n  [0, \"calm\", \"2090-03-05\"]]".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(
            try practice.run("assign", "Cleo", file)
                == .init(error: "\(file):2:4: entry 1: The breath count must be at least 1.\n", status: 1))
    }

    @Test func `a task on many days needs no file`() throws {
        let practice = try practice()
        #expect(
            try practice.says(
                "assign", "Cleo", "--every", "monday,thursday", "--from", "2090-03-05", "--times", "3", "--breaths",
                "4",
                "--moods", "calm, at ease", "--yes")
                == "Assigned, as revision 1: 3 tasks added, 0 changed, 0 withdrawn.\n"
        )
        #expect(
            try practice.run("assign", "Cleo", "--every", "day", "--times", "3").error
                .hasPrefix("--every needs --moods, such as calm,tired."))
        #expect(
            try practice.run("assign", "Cleo").error
                .hasPrefix("Name a file, or say --every day and --moods calm,tired."))
    }

    @Test func `the therapist comes and goes, and nobody waits`() throws {
        let practice = try practice()
        #expect(
            try practice.says("available", "--for", "1h", "--link", "https://meet.example/a")
                == "Your clients see that you are there for 1h. `practice away` ends it.\n")
        #expect(
            try practice.says("available", "Cleo")
                == "The client sees that you are there until the end of the day. `practice away` ends it.\n")
        #expect(try practice.says("away", "Cleo") == "The client sees that you are away.\n")
        #expect(try practice.says("away") == "Your clients see that you are away.\n")
        #expect(try practice.says("waiting") == "  Nobody waits.\n")
        #expect(
            try practice.says("waiting", "--json") == "{\"clients\":[],\"today\":\"\(practice.today())\"}\n")
        for verb in ["available", "away"] {
            #expect(
                try practice.run(verb, "Zoe")
                    == .init(
                        error: "There is no client “Zoe”. `practice clients` lists those that you may see.\n",
                        status: 1))
        }
        #expect(
            try practice.run("available", "--link", "http://meet.example").error
                == "Nothing was written:\n  link must be a web address that begins with https:// and holds no spaces.\n"
        )
        #expect(try practice.run("available", "--for", "2 days").status == 64)
    }

    @Test func `a talking point comes from the line, or from standard input`() throws {
        let practice = try practice()
        let kept =
            "It is kept for the next session. The wait room shows it once the client's Daybreak has heard of it.\n"
        #expect(try practice.says("point", "Cleo", "How do you sleep?") == kept)
        #expect(try practice.says("point", "Cleo", "-", input: "And eat?\n") == kept)
        #expect(try practice.run("feedback").error.contains("it is for administrators"))
    }

    @Test func `the days of a template`() throws {
        let first: CalendarDay = "2027-03-05"
        func days(_ every: String, until: CalendarDay? = nil, times: Int? = nil) throws -> [String] {
            try TemplateOptions.days(TemplateOptions.weekdays(every), from: first, until: until, times: times)
                .map(\.description)
        }
        #expect(try days("day", times: 2) == ["2027-03-05", "2027-03-06"])
        #expect(try days("weekday", times: 2) == ["2027-03-05", "2027-03-08"])
        #expect(try days("Monday,thursday", until: "2027-03-11") == ["2027-03-08", "2027-03-11"])
        for wrong in ["", ",", "month", "mon"] {
            #expect(throws: Failure.self) { try days(wrong, times: 1) }
        }
        #expect(throws: Failure.self) { try days("day", times: 0) }
        #expect(throws: Failure.self) { try days("day", times: 1_001) }
        #expect(throws: Failure.self) { try days("monday", until: "2027-03-06") }
        #expect(throws: Failure.self) { try days("day", until: "2027-03-04") }
        #expect(throws: Failure.self) { try days("day", until: "9999-12-31") }
        let atEnd = try TemplateOptions.days([.monday], from: "9999-12-14", until: "9999-12-31", times: nil)
        #expect(atEnd == ["9999-12-20", "9999-12-27"])
        #expect(throws: Failure.self) { try TemplateOptions.days([.monday], from: "9999-12-14", until: nil, times: 3) }
    }

    @Test func `the clients who wait are listed with their stage and its beginning`() {
        let clients: [Care.Waiting.Reply.Clients] = [
            .init(client: "p2", name: "Cleo\u{1B}", stage: .waiting, since: "2027-03-05T23:50:00+01:00"),
            .init(client: "p3", name: "Dino", stage: .session, since: "2027-03-06T00:10:00+01:00"),
        ]
        func text(_ today: String) -> String {
            Waiting.text(.init(clients: clients, today: today), columns: nil, ink: .plain)
        }
        #expect(
            text("2027-03-06") == """
                  Client  Where             Since
                  Cleo    in the wait room  yesterday at 23:50
                  Dino    in the session    00:10

                """)
        #expect(
            text("2027-03-05") == """
                  Client  Where             Since
                  Cleo    in the wait room  23:50
                  Dino    in the session    tomorrow at 00:10

                """)
    }

    @Test func `the list of those who wait is printed again as clients come and go`() throws {
        let practice = try RealPractice()
        try practice.begin(isMadeUp: true)
        try practice.says("client", "add", "--name", "Cleo Vidal")
        let following = try practice.follows("waiting", "--follow")
        #expect(try following.line() == "  Nobody waits.")
        #expect(try following.line() == "")
        let cleo = try practice.connection(as: "p3")
        _ = try cleo.call(Care.SetShares(shares: ["waiting"]))
        let zone = try cleo.call(Care.Profile()).timeZone
        let now = try #require(Self.now(in: zone))
        func report(_ sequence: Int, _ what: String) throws {
            let happening = Care.Happening(
                sequence: sequence, id: "e\(sequence)", at: now.text, day: now.day, what: what, task: "t")
            _ = try cleo.call(Care.Report(device: "laptop", happenings: [happening]))
        }
        let device = try practice.connection(as: "p3")
        try device.send(Care.Follow(device: "laptop"), more: true)
        _ = try device.nextReply()
        try report(1, "exerciseFinished")
        #expect(try following.line() == "  Client      Where             Since")
        #expect(try following.line() == "  Cleo Vidal  in the wait room  \(now.clock)")
        #expect(try following.line() == "")
        try report(2, "cancelled")
        #expect(try following.line() == "  Nobody waits.")
    }

    /// The present in a zone, as a device tells it.
    private static func now(in zone: String) -> (text: String, day: String, clock: String)? {
        guard let zone = TimeZone(identifier: zone) else { return nil }
        let form = DateFormatter()
        form.locale = Locale(identifier: "en_US_POSIX")
        form.timeZone = zone
        func spelled(_ format: String, _ date: Date) -> String {
            form.dateFormat = format
            return form.string(from: date)
        }
        let date = Date()
        return (
            spelled("yyyy-MM-dd'T'HH:mm:ssXXXXX", date), spelled("yyyy-MM-dd", date), spelled("HH:mm", date)
        )
    }

    @Test func `moods that came back are a chart, and notes are shown as text`() {
        let homework = Care.Homework.Reply(
            revision: 2, takenIn: 1, shares: ["completed", "moods"],
            tasks: [
                .init(
                    id: "a", due: "2027-03-04", breaths: 5, breathsDone: 5, state: .completed,
                    completedOn: "2027-03-04",
                    mood: "calm"),
                .init(
                    id: "b", due: "2027-03-05", breaths: 5, state: .completed, completedOn: "2027-03-05", mood: "tired"),
            ], lastHeard: "2027-03-05T09:00:00+01:00",
            notes: [.init(at: "2027-03-05T09:00:00+01:00", text: "Slept.\n\u{1B}[2J")])
        func text(_ isPlain: Bool) -> String {
            HomeworkPage(homework: homework, today: "2027-03-05", columns: 60, ink: .plain).text(isPlain: isPlain)
        }
        #expect(text(false).contains("calm  │"))
        #expect(!text(true).contains("│"))
        #expect(text(true).contains("Slept.") && !text(true).contains("\u{1B}"))
        #expect(text(true).contains("2, revision 1 is taken in"))
    }

    @Test func `notes are shown before anything is assigned, and that there are older ones`() {
        let homework = Care.Homework.Reply(
            revision: 0, shares: ["notes"], tasks: [], lastHeard: "2027-03-05T09:00:00+01:00",
            notes: [.init(at: "2027-03-05T09:00:00+01:00", text: "Slept.")], moreNotes: true,
            talkingPoints: [.init(at: "2027-03-04T09:00:00+01:00", text: "The letter\nto her mother")])
        let text = HomeworkPage(homework: homework, today: "2027-03-05", columns: nil, ink: .plain).text(isPlain: true)
        #expect(
            text == """
                  Nothing is assigned yet. `practice assign` assigns homework.

                  The practice's talking points
                  yesterday at 09:00
                    The letter
                    to her mother

                  Notes for the session
                    older ones: `practice client file`
                  today at 09:00
                    Slept.

                  Revision    0
                  Shares      notes
                  Last heard  today at 09:00

                """)
    }

    @Test func `a late task is said to be late`() {
        let homework = Care.Homework.Reply(
            revision: 1, takenIn: 1, shares: ["completed"],
            tasks: [
                .init(id: "a", due: "2027-03-03", breaths: 5, state: .assigned),
                .init(id: "b", due: "2027-03-04", breaths: 5, state: .assigned, late: true),
                .init(id: "c", due: "2027-03-04", breaths: 5, breathsDone: 2, state: .inProgress, late: true),
            ])
        let text = HomeworkPage(homework: homework, today: "2027-03-05", columns: nil, ink: .plain).text(isPlain: true)
        #expect(
            text == """
                  Due                Task  State        Breaths
                  Wednesday 3 March  a     no word yet  5
                  yesterday          b     late         5
                  yesterday          c     late, begun  2 of 5

                  Revision    1, taken in
                  Shares      completed
                  Last heard  never

                """)
    }
}
