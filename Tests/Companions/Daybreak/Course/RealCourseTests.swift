import Foundation
import PracticeInterfaces
import TestSupport
import Testing

@testable import Companion
@testable import DaybreakCompanion

/// `daybreak course` and `daybreak survey` with the real daybreakd and the real practiced.
@Suite struct `A course with a real practice` {
    private let course: RealCourse

    init() throws { course = try RealCourse() }

    private let begin = """
        The week. It can be answered until DAY.
        Written for these tests.
        An answer is a line. An empty line keeps the answer that is there, or leaves the question open; - takes it back, < goes back, . leaves.

        """
    private let mood = """

        Think of the last seven days.
        Question 1 of 2, needs an answer.
        1. How was your week?
        1 Good
        2 Bad
        Answer (1 to 2):

        """
    private let nights = """

        Question 2 of 3, needs an answer.
        2. How many nights did you lie awake?
        Answer (a whole number):

        """
    private let words = """

        Question 3 of 3.
        3. What else is there to say?
        Answer (as many words as you like):

        """

    @Test func `the course is shown, and a lesson is read, marked, and opens the next`() throws {
        #expect(
            try course.run("course")
                == .init(
                    output: """
                          Finding your feet
                          0 of 2 lessons read · since DAY · 1 survey to answer: `daybreak survey`

                             Lesson        Time
                          1  First steps           open
                          2  A short walk  10 min  locked

                          `daybreak course read` opens lesson 1.
                          Lesson 2: It unlocks once “First steps” is read.

                        """))
        #expect(
            try course.run("course", "read", "2")
                == .init(error: "Lesson 2 is locked. It unlocks once “First steps” is read.\n", status: 1))
        #expect(
            try course.run("course", "read", "--mark")
                == .init(
                    output: """
                          First steps

                          Stand up.
                          1 of 2 lessons read. `daybreak course` shows what is next.

                        """))
        #expect(
            try course.run("course", "read", "2", "--plain")
                == .init(output: "  A short walk\n\n  Go outside.\n"))
        #expect(try course.says("enrolments", "Cleo").contains("1 of 2"))
    }

    @Test func `a course that ended is shown when the past is asked for, and its lessons can still be read`() throws {
        _ = try course.says("withdraw", "Cleo", "--reason", "Her wish.")
        #expect(try course.run("course") == .init(output: "  You take part in no programme now.\n"))
        #expect(
            try course.run("course", "--past")
                == .init(
                    output: """
                          Finding your feet
                          0 of 2 lessons read · ended DAY

                             Lesson        Time
                          1  First steps           open
                          2  A short walk  10 min  locked

                        """))
        #expect(try course.run("course", "--past", "--json").output.contains(#""state":"withdrawn""#))
        #expect(
            try course.run("course", "read", "1", "--course", "feet", "--plain")
                == .init(output: "  First steps\n\n  Stand up.\n"))
        // The client is not told the reason.
        #expect(try !course.run("course", "--past", "--json").output.contains("Her wish."))
    }

    @Test func `a survey is answered question by question, and its answers reach the practice`() throws {
        let run = try course.run("survey", input: "bad\n7.5\n7\n\nfinish\n")
        #expect(run.error == "" && run.status == 0)
        #expect(
            run.output == begin + mood + nights + "Type a whole number, such as 3.\n" + nights + words + """

                That was the last question.
                Left open, as you may:
                • 3. What else is there to say?
                Once it is finished, the answers go to your therapist and stay as they are.
                Type finish to finish it, < to go back, . to leave:
                The survey is answered. Thank you.

                """)
        #expect(
            try course.says("survey", "q1") == """
                  The week

                  Programme   Finding your feet
                  Occurrence  1 of 2
                  State       answered DAY

                  1. How was your week?
                      Bad
                  2. How many nights did you lie awake?
                      7
                  3. What else is there to say?
                      no answer

                  Written for these tests.

                """)
        #expect(
            try course.run("survey")
                == .init(error: "There is no survey to answer now. The next one opens DAY.\n", status: 1))
        #expect(
            try course.run("survey", "q1")
                == .init(
                    error: "The survey is answered already; its answers stay as they are.\n", status: 1))
    }

    @Test func `a survey that is killed is taken up again where it was`() throws {
        let process = Process()
        let (typed, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: Programs.path(of: "daybreak"))
        process.arguments = ["survey"]
        process.environment = course.environment.merging([
            "DAYBREAK_SOCKET": course.stage.daemon.path, "LLVM_PROFILE_FILE": "/dev/null",
        ]) { $1 }
        (process.standardInput, process.standardOutput) = (typed, output)
        try process.run()
        try typed.fileHandleForWriting.write(contentsOf: Data("2\n".utf8))
        var said = ""
        while !said.contains("How many nights") {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "it ended: \(said)")
            said += String(decoding: more, as: UTF8.self)
        }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        // The therapist sees nothing that is not finished.
        #expect(try !course.says("survey", "q1").contains("Bad"))
        #expect(
            try course.run("survey", input: ".\n").output == begin + nights
                + "Kept: 1 of 3 questions answered. `daybreak survey` goes on, until DAY.\n")
    }

    /// - Parameter signal: nil closes the terminal.
    @Test(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot), arguments: ["HUP", "TERM", nil])
    func `an answer that is being typed outlives its terminal`(signal: String?) throws {
        var environment = course.stage.environment
        environment["TERM"] = nil
        let pane = try TmuxPane(
            columns: 60, rows: 16,
            environment: environment.merging(["DAYBREAK_SOCKET": course.stage.daemon.path]) { $1 },
            "PATH=\(course.stage.folder)/bin:$PATH; daybreak survey; echo \"= $?\"; read -r _")
        pane.waits { pane.picture().contains("How was your week?") }
        pane.type("2", "Enter")
        pane.waits { pane.picture().contains("How many nights") }
        pane.type("7")
        pane.waits { pane.picture().contains("> 7") }
        if let signal { try pane.send(signal: signal, to: "daybreak") } else { pane.closeTerminal() }
        pane.waits { drafts.contains { $0.contains("-before") && $0.hasSuffix(".txt") } }
        let again = try course.run("survey", input: "<\n.\n").output
        #expect(again.hasPrefix(begin + "Answers that were not at the practice yet are there again.\n" + words))
        #expect(again.contains("Answer (a whole number, now 7):\n"))
    }

    /// The names of the texts that are not sent. The answers of before are written last.
    private var drafts: [String] {
        let folder = (course.stage.environment["XDG_RUNTIME_DIR"] ?? "") + "/practice-drafts"
        return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []  // There may be none yet.
    }

    @Test(arguments: ["lost before", "lost after"])
    func `a line that is cut at an answer loses and doubles nothing`(how: String) throws {
        try course.faults("Answer", how)
        #expect(try course.run("survey", input: "2\n3\n\nfinish\n").output.hasSuffix("Thank you.\n"))
        #expect(try course.says("survey", "q1").contains("      Bad\n"))
    }

    @Test(arguments: ["finish", "."])
    func `a survey that was finished without an answer is answered, whatever is typed then`(line: String) throws {
        _ = try course.run("survey", input: "2\n3\n")
        try course.faults("Answer", "lost after", times: 2)
        let run = try course.run("survey", input: "\nfinish\n\(line)\n")
        #expect(run.status == 0)
        let said = run.output.split(separator: "\n").map(String.init)
        #expect(said.contains(SurveyLines.notFinished(isInDoubt: true)))
        #expect(said.last?.hasSuffix("The survey is answered. Thank you.") == true)
        #expect(drafts == [])
        #expect(try course.says("survey", "q1").contains("State       answered DAY"))
    }

    @Test func `answers that were finished without an answer are not said to have come too late`() throws {
        _ = try course.run("survey", input: "2\n3\n")
        // The finish is tried twice, and then the answers are to be kept.
        try course.faults("Answer", "lost after", times: 4)
        #expect(
            try course.run("survey", input: "\nfinish\n.\n").output.hasSuffix(
                "It is not known whether the survey is finished, because the practice did not answer. If it is not, "
                    + "`daybreak survey` goes on: the answers are kept until this machine is switched off.\n"))
        #expect(drafts != [])
        #expect(
            try course.run("survey", "q1")
                == .init(
                    error: "The survey is answered already; its answers stay as they are.\n", status: 1))
        #expect(drafts == [])
    }

    @Test func `answers that do not get through are kept, and sent the next time`() throws {
        // Each answer is tried twice: once as it is typed, and once more at the end.
        try course.faults("Answer", "lost before", times: 4)
        #expect(
            try course.run("survey", input: "2\n.\n").output
                == begin + mood + SurveyLines.unsent + "\n" + nights + SurveyLines.unsent + "\n"
                + "The last answers are not at the practice yet. They are kept until this machine is switched off: "
                + "`daybreak survey` sends them, until DAY.\n")
        try course.practice.withoutDaemon {}
        #expect(
            try course.run("survey", input: "3\n\nfinish\n").output.hasPrefix(
                begin + "Answers that were not at the practice yet are there again.\n" + nights))
        #expect(try course.says("survey", "q1").contains("      Bad\n"))
    }

    @Test func `an answer that the practice refuses is said, kept, and goes through once it is another`() throws {
        try course.faults(
            "Answer", "refused", error: "org.daybreak.Practice.Invalid",
            parameters: ["faults": [["field": "answers.mood", "reason": "must be one of the choices."]]])
        let unfit =
            "The practice does not take this answer: it must be one of the choices. Type another one, or take it back.\n"
        let run = try course.run("survey", input: "2\n1\n\nfinish\n")
        #expect(
            run.output.hasPrefix(
                begin + mood + unfit
                    + mood.replacing("1 of 2", with: "1 of 3", maxReplacements: 1)
                    .replacing("(1 to 2)", with: "(1 to 2, now Bad)")))
        #expect(run.output.hasSuffix("Thank you.\n"))
        #expect(try course.says("survey", "q1").contains("      Good\n"))
    }

    @Test func `a survey whose days are over takes no answer, and answers that did not get there are named`() throws {
        try course.faults(
            "Answer", "refused", times: 2, error: "org.daybreak.Practice.StorageUnavailable",
            parameters: ["reason": "The disk is full."])
        let left = try course.run("survey", input: "2\n")
        #expect(left.status == 0)
        try course.change(
            "UPDATE survey_pending SET opens = opens - 691200000000, closes = closes - 691200000000 WHERE survey = 1")
        #expect(
            try course.run("survey")
                == .init(error: "There is no survey to answer now. The next one opens DAY.\n", status: 1))
        let missed = try course.run("survey", "q1")
        #expect(missed.status == 1)
        #expect(
            missed.error.hasPrefix(
                "The survey is closed, and can be answered no more.\nAnswers that did not reach the practice in time are in /"
            ))
        #expect(
            try course.run("survey", "q2")
                == .init(error: "The survey opens DAY.\n", status: 1))
        let list = try course.says("surveys", "Cleo")
        #expect(list.contains("not answered"))
    }

    @Test func `the status tells of the survey, until it is answered`() throws {
        try course.stage.startLink()
        try course.stage.waits("it is told") { try course.run("status").output.contains("1 survey to answer") }
        #expect(try course.run("survey", input: "1\n\nfinish\n").status == 0)
        try course.stage.waits("it is answered") { try !course.run("status").output.contains("survey") }
    }
}
