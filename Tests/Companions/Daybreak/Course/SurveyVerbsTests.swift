import Foundation
import Testing

@testable import Companion
@testable import DaybreakCompanion

/// `daybreak survey` itself, on a machine that is linked with a practice.
@Suite struct `A survey on the command line` {
    private let practice: ProgrammeStage

    init() throws { practice = try ProgrammeStage() }

    @Test func `a title that is a question gets no full stop`() {
        #expect(SurveyLines.sentence("How was your week?") == "How was your week?")
        #expect(SurveyLines.sentence("The week") == "The week.")
    }

    private static let beginning = """
        The week. It can be answered until the end of Sunday 7 March.
        Written for these tests.
        An answer is a line. An empty line keeps the answer that is there, or leaves the question open; - takes it back, < goes back, . leaves.

        """
    private static let first = """

        Think of the last seven days.
        Question 1 of 2, needs an answer.
        1. How was your week?
        1 Good
        2 Bad
        Answer (1 to 2):

        """

    @Test func `a survey is answered in lines`() throws {
        #expect(
            try practice.run("survey", input: "bad\n7.5\n7\n<\n\n\nfinish\n")
                == .init(
                    output: Self.beginning + Self.first + """

                        Question 2 of 3, needs an answer.
                        2. How many nights did you lie awake?
                        Answer (a whole number):
                        Type a whole number, such as 3.

                        Question 2 of 3, needs an answer.
                        2. How many nights did you lie awake?
                        Answer (a whole number):

                        Question 3 of 3.
                        3. What else is there to say?
                        Answer (as many words as you like):

                        Question 2 of 3, needs an answer.
                        2. How many nights did you lie awake?
                        Answer (a whole number, now 7):

                        Question 3 of 3.
                        3. What else is there to say?
                        Answer (as many words as you like):

                        That was the last question.
                        Left open, as you may:
                        • 3. What else is there to say?
                        Once it is finished, the answers go to your therapist and stay as they are.
                        Type finish to finish it, < to go back, . to leave:
                        The survey is answered. Thank you.

                        """))
        #expect(
            practice.given("Answer")
                == #"{"answers":{"item":[{"answer":[{"valueCoding":{"code":"bad","display":"Bad","system":"s"}}],"linkId":"mood"},"#
                + #"{"answer":[{"valueInteger":7}],"linkId":"nights"}],"resourceType":"QuestionnaireResponse","status":"completed"},"#
                + #""changed":[],"finish":true,"survey":"v1"}"#)
        // Two answers were kept before.
        #expect(practice.calls(of: "Answer") == 3)
    }

    @Test func `a survey that is left goes on later`() throws {
        #expect(
            try practice.run("survey", input: "2\n")
                == .init(
                    output: Self.beginning + Self.first + """

                        Question 2 of 3, needs an answer.
                        2. How many nights did you lie awake?
                        Answer (a whole number):
                        Kept: 1 of 3 questions answered. `daybreak survey` goes on, until the end of Sunday 7 March.

                        """))
        let kept =
            #"{"item":[{"answer":[{"valueCoding":{"code":"bad","display":"Bad","system":"s"}}],"linkId":"mood"}],"#
            + #""resourceType":"QuestionnaireResponse","status":"in-progress"}"#
        #expect(
            practice.given("Answer")
                == "{\"answers\":\(kept),\"changed\":[\"mood\"],\"finish\":false,\"survey\":\"v1\"}")
        try practice.tellSurvey(answers: kept)
        #expect(
            try practice.run("survey", "v1", input: ".\n").output
                == Self.beginning + """

                    Question 2 of 3, needs an answer.
                    2. How many nights did you lie awake?
                    Answer (a whole number):
                    Kept: 1 of 3 questions answered. `daybreak survey` goes on, until the end of Sunday 7 March.

                    """)
    }

    @Test func `an answer that does not reach the practice is said, kept, and sent the next time`() throws {
        try practice.lose("Answer")
        let unsent = "Not at the practice yet: kept on this machine, and sent with the next answer.\n"
        let left = try practice.run("survey", input: "1\n.\n")
        #expect(
            left.output == Self.beginning + Self.first + unsent + """

                Question 2 of 2.
                3. What else is there to say?
                Answer (as many words as you like):
                \(unsent)The last answers are not at the practice yet. They are kept until this machine is switched off: \
                `daybreak survey` sends them, until the end of Sunday 7 March.

                """)
        try practice.lose()
        let again = try practice.run("survey", input: "A walk\nfinish\n")
        #expect(
            again.output.hasPrefix(
                Self.beginning + "Answers that were not at the practice yet are there again.\n\nQuestion 2 of 2.\n"))
        #expect(again.output.hasSuffix("\nThe survey is answered. Thank you.\n"))
        #expect(
            practice.given("Answer")
                == #"{"answers":{"item":[{"answer":[{"valueCoding":{"code":"good","display":"Good","system":"s"}}],"linkId":"mood"},"#
                + #"{"answer":[{"valueString":"A walk"}],"linkId":"words"}],"resourceType":"QuestionnaireResponse","#
                + #""status":"completed"},"changed":[],"finish":true,"survey":"v1"}"#)
        // Nothing is left on the machine.
        let drafts = (practice.stage.environment["XDG_RUNTIME_DIR"] ?? "") + "/practice-drafts"
        #expect(try FileManager.default.contentsOfDirectory(atPath: drafts) == [])
    }

    private var drafts: String { (practice.stage.environment["XDG_RUNTIME_DIR"] ?? "") + "/practice-drafts" }

    private func draft() throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: drafts)
        return drafts + "/" + (try #require(names.first { !$0.contains("-before") }))
    }

    @Test func `an answer that was taken back out of reach of the practice does not come back`() throws {
        let kept =
            #"{"resourceType":"QuestionnaireResponse","status":"in-progress","item":[{"linkId":"mood","answer":["#
            + #"{"valueCoding":{"system":"s","code":"bad"}}]}]}"#
        try practice.tellSurvey(answers: kept)
        try practice.lose("Answer")
        _ = try practice.run("survey", input: "<\n-\n.\n")
        try practice.lose()
        let again = try practice.run("survey", input: ".\n")
        #expect(again.output.contains("Question 1 of 2, needs an answer.") && !again.output.contains("now Bad"))
        #expect(
            practice.given("Answer")
                == #"{"answers":{"resourceType":"QuestionnaireResponse","status":"in-progress"},"changed":["mood"],"#
                + #""finish":false,"survey":"v1"}"#)
        #expect(try FileManager.default.contentsOfDirectory(atPath: drafts) == [])
    }

    @Test func `a practice of an earlier version is told all answers`() throws {
        try practice.refuse(
            "Answer", #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"changed"}}"#)
        _ = try practice.run("survey", input: "1\n.\n")
        #expect(practice.calls(of: "Answer") >= 2)
        #expect(practice.given("Answer")?.contains("changed") == false)
    }

    @Test func `an answer that the practice does not take is said, asked again and not lost`() throws {
        let unfit =
            "The practice does not take this answer: it must be a whole number from 0 to 7. Type another one, or take it back."
        try practice.refuse(
            "Answer",
            #"{"error":"org.daybreak.Practice.Invalid","parameters":{"faults":["#
                + #"{"field":"answers.nights","reason":"must be a whole number from 0 to 7."}]}}"#)
        let run = try practice.run("survey", input: "2\n9\n.\n")
        let nights = "\nQuestion 2 of 3, needs an answer.\n2. How many nights did you lie awake?\n"
        #expect(
            run.output == Self.beginning + Self.first + unfit + "\n\(nights)Answer (a whole number):\n" + unfit
                + "\n\(nights)Answer (a whole number, now 9):\n" + unfit + "\n"
                + "The last answers are not at the practice yet. They are kept until this machine is switched off: "
                + "`daybreak survey` sends them, until the end of Sunday 7 March.\n")
        #expect(run.status == 0)
        let kept = try String(contentsOfFile: draft(), encoding: .utf8)
        #expect(kept.contains(#"{"linkId":"nights","answer":[{"valueInteger":9}]}"#))
        // The next time it is said before anything is asked, and another answer goes through.
        #expect(
            try practice.run("survey", input: ".\n").output.hasPrefix(
                Self.beginning + "Answers that were not at the practice yet are there again.\n" + unfit + "\n" + nights)
        )
        try practice.refuse("Answer", nil)
        #expect(try practice.run("survey", input: "7\n.\n").status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: drafts) == [])
    }

    @Test func `answers that cannot be sent or read are named with their place`() throws {
        try practice.lose("Answer")
        _ = try practice.run("survey", input: "1\n.\n")
        try practice.lose()
        let file = try draft()
        try practice.refuse(
            "Answer",
            #"{"error":"org.daybreak.Practice.Invalid","parameters":{"faults":[{"field":"answers","reason":"must be short."}]}}"#
        )
        #expect(
            try practice.run("survey", input: ".\n").error.hasSuffix(
                "\nThe answers are kept in \(file) until this machine is switched off, and are sent the next time.\n"))
        try practice.tellSurvey("missed")
        #expect(
            try practice.run("survey", "v1")
                == .init(
                    error:
                        "The survey is closed, and can be answered no more.\nAnswers that did not reach the practice in time "
                        + "are in \(file), which only you can read.\n", status: 1))
        try practice.tellSurvey()
        try "{\"item\":".write(toFile: file, atomically: false, encoding: .utf8)
        let run = try practice.run("survey")
        #expect(
            run.error.hasSuffix(
                "They are in \(file), which only you can read. Look at them, move that file away, and run this again.\n"
            ))
        #expect(run.status == 1 && FileManager.default.fileExists(atPath: file))
    }

    @Test func `nothing is finished while a question needs an answer`() throws {
        let run = try practice.run("survey", input: "\n\n\n.\n")
        #expect(
            run.output.hasSuffix(
                """
                This question needs an answer before the end:
                • 1. How was your week?
                An empty line goes to the first of them, < goes back, . leaves:
                \(Self.first)Kept: 0 of 2 questions answered. `daybreak survey` goes on, until the end of Sunday 7 March.

                """))
        #expect(practice.calls(of: "Answer") == 0)
        try practice.refuse(
            "Answer",
            #"{"error":"org.daybreak.Programmes.NotDue","parameters":{"state":"missed","opens":"2027-03-05T00:00:00+01:00"}}"#
        )
        #expect(
            try practice.run("survey", input: "1\n").output
                == Self.beginning + Self.first
                + "The survey is closed, and can be answered no more.\nAnswers that did not reach the practice in time are in "
                + "\(draft()), which only you can read.\n")
    }

    @Test func `an answer that another window took back is given again at the end`() throws {
        let kept =
            #"{"resourceType":"QuestionnaireResponse","status":"in-progress","item":[{"linkId":"mood","answer":["#
            + #"{"valueCoding":{"system":"s","code":"good"}}]}]}"#
        try practice.tellSurvey(answers: kept)
        try practice.refuse(
            "Answer", #"{"error":"org.daybreak.Programmes.Incomplete","parameters":{"questions":["mood"]}}"#)
        _ = try practice.run("survey", input: "\nfinish\n")
        // Nothing has changed here, so the first call names no answer; the second one gives all.
        #expect(practice.calls(of: "Answer") == 2)
        let given = try #require(practice.given("Answer"))
        #expect(given.contains(#""finish":true"#) && given.contains("good") && !given.contains("changed"))
    }

    @Test func `the list tells of days and states, and of no score`() throws {
        try practice.reply(
            "ListSurveys",
            "{\"surveys\":[\(ProgrammeStage.survey("due", also: #","kept":true"#)),\(ProgrammeStage.survey("upcoming")),"
                + "\(ProgrammeStage.survey("missed")),"
                + "\(ProgrammeStage.survey("answered", also: #","answered":"2027-03-05T09:30:00+01:00""#))]}")
        #expect(
            try practice.run("survey", "list", "--all").output == """
                      Survey            State         When
                  v1  The week  1 of 8  begun         until the end of Sunday 7 March
                  v1  The week  1 of 8  to come       opens today at 00:00
                  v1  The week  1 of 8  not answered  until the end of Sunday 7 March
                  v1  The week  1 of 8  answered      today at 09:30

                  `daybreak survey` asks the one that closes first.

                """)
        try practice.reply("ListSurveys", #"{"surveys":[]}"#)
        #expect(
            try practice.run("survey", "list").output
                == "  There is no survey to answer, and none to come. `daybreak survey list --all` shows those before.\n"
        )
        #expect(try practice.run("survey") == .init(error: "There is no survey to answer now.\n", status: 1))
        try practice.reply("ListSurveys", "{\"surveys\":[\(ProgrammeStage.survey("upcoming"))]}")
        #expect(
            try practice.run("survey")
                == .init(
                    error: "There is no survey to answer now. The next one opens today at 00:00.\n", status: 1))
    }

    @Test func `the survey that closes first is asked first, by the instant of its end`() throws {
        // In UTC, v2 closes at 06:00 and v3 at 08:00.
        let all = [
            ProgrammeStage.survey("due"), ProgrammeStage.survey("upcoming", id: "v9", closes: "2027-03-06T00:00:00Z"),
            ProgrammeStage.survey("due", id: "v3", closes: "2027-03-07T00:00:00-08:00"),
            ProgrammeStage.survey("due", id: "v2", closes: "2027-03-07T19:00:00+13:00"),
        ]
        try practice.reply("ListSurveys", "{\"surveys\":[\(all.joined(separator: ","))]}")
        _ = try practice.run("survey", input: ".\n")
        #expect(practice.given("GetSurvey") == #"{"survey":"v2"}"#)
    }

    @Test func `the client's own day names the days, where the practice's is another`() throws {
        try practice.reply(
            "WhoAmI",
            #"{"practice":"Clinic","timeZone":"UTC","today":"2027-03-06","clientToday":"2027-03-07","currency":"EUR","rights":[]}"#
        )
        #expect(try practice.run("survey", "list").output.contains("to answer  until the end of today\n"))
    }

    @Test func `a survey that is over is refused before it is asked`() throws {
        for (state, sentence) in [
            ("answered", "The survey is answered already; its answers stay as they are.\n"),
            ("missed", "The survey is closed, and can be answered no more.\n"),
        ] {
            try practice.tellSurvey(state)
            #expect(try practice.run("survey", "v1") == .init(error: sentence, status: 1))
        }
    }
}

/// A survey on a real terminal.
@Suite(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot))
struct `A survey in a terminal` {
    private let practice: ProgrammeStage

    init() throws { practice = try ProgrammeStage() }

    private func pane(_ columns: Int, _ rows: Int) throws -> TmuxPane {
        var environment = practice.stage.environment
        environment["DAYBREAK_SOCKET"] = practice.stage.daemon.path
        let path = environment.removeValue(forKey: "PATH") ?? ""
        return try TmuxPane(
            columns: columns, rows: rows, environment: environment,
            "PATH=\(practice.stage.folder)/bin:$PATH:\(path); daybreak survey; echo \"= $?\"; read -r _")
    }

    private func wait(_ pane: TmuxPane, for picture: String, line: SourceLocation = #_sourceLocation) {
        pane.waits { pane.picture() == picture }
        #expect(pane.picture() == picture, sourceLocation: line)
    }

    @Test func `it is answered at 40 columns and 12 rows`() throws {
        let pane = try pane(40, 12)
        wait(
            pane,
            for: """
                 1 of 2, needs an answer · The week
                 Think of the last seven days.

                 1. How was your week?

                  1  Good
                  2  Bad



                Written for these tests.
                Enter on · ← back · ? keys · Esc leaves
                """)
        pane.type("2", "Enter")
        wait(
            pane,
            for: """
                 2 of 3, needs an answer · The week
                 2. How many nights did you lie awake?

                >

                 a whole number




                Written for these tests.
                Enter on · PgUp back · Ctrl-G keys · Es…
                """)
        pane.type("4", "Enter", "Enter")
        pane.waits { pane.picture().hasPrefix(" The end · The week") }
        pane.type("f")
        pane.waits { pane.ends(with: "= 0") }
        #expect(pane.ends(with: "The survey is answered. Thank you.\n= 0"), "\(pane.picture())")
        #expect(practice.given("Answer")?.hasSuffix(#""finish":true,"survey":"v1"}"#) == true)
    }

    @Test func `it is killed and taken up again at 80 columns and 24 rows`() throws {
        let pane = try pane(80, 24)
        pane.waits { pane.picture().hasPrefix(" 1 of 2, needs an answer") }
        pane.type("2", "Enter")
        pane.waits { pane.picture().hasPrefix(" 2 of 3, needs an answer") }
        try pane.send(signal: "KILL", to: "daybreak")
        // The screen is left as it was, where the shell's words do not break into lines.
        pane.waits { pane.picture().contains("Killed") }
        try practice.tellSurvey(
            answers:
                #"{"resourceType":"QuestionnaireResponse","status":"in-progress","item":[{"linkId":"mood","answer":["#
                + #"{"valueCoding":{"system":"s","code":"bad"}}]}]}"#)
        let again = try self.pane(80, 24)
        again.waits { again.picture().hasPrefix(" 2 of 3, needs an answer") }
        again.type("Escape")
        again.waits { again.ends(with: "= 0") }
        #expect(
            again.ends(
                with:
                    "Kept: 1 of 3 questions answered. `daybreak survey` goes on, until the end of\nSunday 7 March.\n= 0"
            ),
            "\(again.picture())")
    }
}
