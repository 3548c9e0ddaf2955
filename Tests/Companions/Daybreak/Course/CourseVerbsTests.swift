import Foundation
import Testing

@testable import Companion
@testable import DaybreakCompanion

/// `daybreak course` itself, on a machine that is linked with a practice.
@Suite struct `The course on the command line` {
    private let practice: ProgrammeStage

    init() throws { practice = try ProgrammeStage() }

    @Test func `where I am is printed`() throws {
        #expect(
            try practice.run("course")
                == .init(
                    output: """
                          Finding your feet
                          1 of 3 lessons read · since Monday 1 March

                             Lesson        Time
                          1  First steps           read
                          2  A short walk  10 min  open
                          3  Looking back          locked

                          `daybreak course read` opens lesson 2.
                          Lesson 3: It opens 7 days after the first day. It opens Monday 8 March at 00:00.

                        """))
        #expect(
            try practice.run("course", "--json").output
                == "{\"courses\":[{\"enrolment\":" + sorted(ProgrammeStage.enrolment) + ",\"lessons\":["
                + [
                    #"{"id":"l1","read":true,"title":"First steps","unlocked":true}"#,
                    #"{"id":"l2","minutes":10,"read":false,"title":"A short walk","unlocked":true}"#,
                    #"{"id":"l3","read":false,"reason":"it opens 7 days after the first day","title":"Looking back","#
                        + #""unlocked":false,"unlocksAt":"2027-03-08T00:00:00+01:00"}"#,
                ].joined(separator: ",") + "]}]}\n")
    }

    private func sorted(_ json: String) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
        return String(
            decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
    }

    private static let walk = """
          A short walk

          Go outside, by the map [1].

          Links
          [1] https://example.org/map

        """

    @Test func `a lesson is read, and stays as new as it was where nobody is asked`() throws {
        #expect(try practice.run("course", "read") == .init(output: Self.walk))
        #expect(try practice.run("course", "read", "2", "--plain") == .init(output: Self.walk))
        #expect(practice.calls(of: "MarkRead") == 0)
        #expect(practice.given("GetLesson") == #"{"enrolment":"e1","lesson":"l2"}"#)
    }

    @Test func `a lesson is marked as read`() throws {
        #expect(
            try practice.run("course", "read", "--mark")
                == .init(output: Self.walk + "  2 of 3 lessons read. `daybreak course` shows what is next.\n"))
        #expect(practice.given("MarkRead") == #"{"enrolment":"e1","lesson":"l2"}"#)
        #expect(
            try practice.run("course", "read", "--mark", "--unread").error.hasPrefix(
                "Error: --mark and --unread contradict each other."))
    }

    @Test func `a page is written that nobody else can read`() throws {
        let file = practice.stage.folder + "/lesson.html"
        #expect(
            try practice.run("course", "read", "2", "--html", file)
                == .init(output: "Written to \(file); only you can read it.\n"))
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        let page = try String(contentsOfFile: file, encoding: .utf8)
        #expect(
            page.hasSuffix(
                """
                <body>
                <header><p dir="auto">Finding your feet</p></header>
                <main dir="auto">
                <h1>A short walk</h1>
                <p>Go <em>outside</em>, by <a href="https://example.org/map" rel="noreferrer">the map</a>.</p>
                </main>
                </body>
                </html>

                """))
        #expect(try practice.run("course", "read", "2", "--html", "-").output == page)
        #expect(try practice.run("course", "read", "2", "--html", file).status == 1)
        #expect(practice.calls(of: "MarkRead") == 0)
    }

    @Test func `a locked lesson is refused with its reason and its moment`() throws {
        #expect(
            try practice.run("course", "read", "3")
                == .init(
                    error:
                        "Lesson 3 is locked. It opens 7 days after the first day. It opens Monday 8 March at 00:00.\n",
                    status: 1))
        #expect(
            try practice.run("course", "read", "9")
                == .init(
                    error: "There is no lesson 9: the programme has 3 lessons.\n", status: Failure.misusedStatus))
        try practice.reply(
            "ListLessons", #"{"lessons":[{"id":"l1","title":"First steps","unlocked":true,"read":true}]}"#)
        #expect(
            try practice.run("course", "read")
                == .init(
                    error: "There is no new lesson now. `daybreak course read N` opens one again.\n", status: 1))
        try practice.reply("ListEnrolments", #"{"enrolments":[]}"#)
        #expect(try practice.run("course") == .init(output: "  You take part in no programme now.\n"))
        #expect(
            try practice.run("course", "read")
                == .init(
                    error:
                        "You take part in no programme now. `daybreak course --past` lists those that have ended.\n",
                    status: 1))
    }

    @Test(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot))
    func `a lesson longer than the screen is read in the pager, and asked about when that is left`() throws {
        let text = "# A long walk\\n\\n" + (1...60).map { "Step \($0) of the walk.\\n\\n" }.joined()
        try practice.reply(
            "GetLesson",
            #"{"lesson":{"id":"l2","title":"A long walk","unlocked":true,"read":false},"text":"\#(text)"}"#)
        var environment = practice.stage.environment
        environment["DAYBREAK_SOCKET"] = practice.stage.daemon.path
        let path = environment.removeValue(forKey: "PATH") ?? ""
        let pane = try TmuxPane(
            columns: 40, rows: 8, environment: environment.merging(["PAGER": "less"]) { $1 },
            "PATH=\(practice.stage.folder)/bin:$PATH:\(path); daybreak course read; echo \"= $?\"; read -r _")
        pane.waits { pane.lastLine == ":" }
        #expect(
            pane.picture() == "  A long walk\n  ───────────\n\n  Step 1 of the walk.\n\n  Step 2 of the walk.\n\n:",
            "\(pane.picture())")
        pane.type("G")
        pane.waits { pane.picture().contains("  Step 60 of the walk.\n") && pane.lastLine.hasPrefix("(END)") }
        #expect(practice.calls(of: "MarkRead") == 0)
        pane.type("q")
        pane.waits { pane.picture().contains("Does it count as read?") }
        pane.type("Enter")
        pane.waits { pane.ends(with: "= 0") }
        #expect(practice.calls(of: "MarkRead") == 1)
    }

    @Test func `of several programmes one is named`() throws {
        try practice.reply(
            "ListEnrolments",
            "{\"enrolments\":[\(ProgrammeStage.enrolment),"
                + ProgrammeStage.enrolment.replacing("e1", with: "e2").replacing("Finding your feet", with: "Sleep")
                + "]}")
        #expect(
            try practice.run("course", "read")
                == .init(
                    error: """
                        You take part in several programmes; say which, with --course:
                          e1  Finding your feet
                          e2  Sleep

                        """, status: 1))
        #expect(try practice.run("course", "read", "--course", "sleep").status == 0)
        #expect(practice.given("GetLesson") == #"{"enrolment":"e2","lesson":"l2"}"#)
    }
}
