import Foundation
import Testing

@testable import Companion
@testable import PracticeCompanion

/// The verbs of programmes, with a folder as somebody writes it, and the real practice.
@Suite struct `Programmes on the command line` {
    private let practice: RealPractice
    private var folder: String { practice.folder + "/feet" }

    /// Olga, an administrator, calls; Ana Ruiz is the therapist of Cleo.
    init() throws {
        practice = try RealPractice()
        try practice.begin(isMadeUp: true)
        try practice.says("client", "add", "--name", "Cleo")
        practice.plays("Olga")
        try FileManager.default.createDirectory(atPath: practice.folder + "/feet", withIntermediateDirectories: true)
        try write(
            "programme.toml",
            """
            id = "feet"
            name = "Finding your feet"

            [[lesson]]
            file = "steps.md"

            [[lesson]]
            file = "walk.md"
            after_lesson = "steps"

            """)
        try write("steps.md", "# First steps\n\nStand up.\n")
        try write("walk.md", "# A short walk\n\nGo outside.\n")
    }

    private func write(_ name: String, _ text: String) throws {
        try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }

    @Test func `a folder is checked, taken in, changed and listed`() throws {
        #expect(
            try practice.says("programme", "list")
                == "  There are no programmes yet. `practice programme import FOLDER` takes one in.\n")
        let counted = "Finding your feet: 2 lessons and 0 surveys"
        #expect(
            try practice.says("programme", "check", folder)
                == "\(counted), and no fault. It would be revision 1.\n")
        // A check takes nothing in.
        #expect(try practice.says("programme", "--json") == "{\"programmes\":[]}\n")
        #expect(
            try practice.says("programme", "import", folder)
                == "\(counted), taken in as revision 1. `practice enrol CLIENT feet` enrols a client.\n")
        #expect(
            try practice.says("programme", "check", folder)
                == "\(counted), and no fault. The practice has it as it is.\n")
        #expect(
            try practice.says("programme", "import", folder)
                == "The practice has it as it is, as revision 1. Nothing was changed.\n")
        try write("walk.md", "# A long walk\n\nGo outside.\n")
        #expect(
            try practice.says("programme", "check", folder) == "\(counted), and no fault. It would be revision 2.\n")
        try practice.says("programme", "import", folder)
        #expect(
            try practice.says("programme", "list") == """
                        Programme          Lessons  Surveys  Revision
                  feet  Finding your feet        2        0         2

                """)
    }

    @Test func `each fault of a folder has its file and line, and nothing of it is taken in`() throws {
        try write(
            "programme.toml", "id = \"feet\"\nname = \"\"\n\n[[lesson]]\nfile = \"none.md\"\nafter_days = -1\n")
        let faults = """
            \(folder)/programme.toml:2: "name" must not be empty.
            \(folder)/programme.toml:4: There is no file none.md.
            \(folder)/programme.toml:6: "after_days" must be a whole number from 0 to 1000.
            \(folder)/steps.md: No [[lesson]] and no [[survey]] names this file.
            \(folder)/walk.md: No [[lesson]] and no [[survey]] names this file.
            """
        let checked = try practice.run("programme", "check", folder)
        #expect(checked == .init(error: faults + "\n", status: 1))
        #expect(
            try practice.run("programme", "import", folder)
                == .init(error: faults + "\nNothing was taken in.\n", status: 1))
        #expect(try practice.says("programme", "--json") == "{\"programmes\":[]}\n")
        #expect(
            try practice.run("programme", "check", practice.folder + "/run")
                == .init(
                    error: "There is no programme.toml in \(practice.folder)/run. "
                        + "A programme is a folder with that file in it.\n", status: 1))
    }

    @Test func `a programme that is offered no more takes nobody new, until it is offered again`() throws {
        try practice.says("programme", "import", folder)
        #expect(
            try practice.says("programme", "offer", "feet", "--no")
                == "Finding your feet is offered no more. Those who are enrolled go on.\n")
        #expect(
            try practice.says("programme") == """
                        Programme          Lessons  Surveys  Revision
                  feet  Finding your feet        2        0         1  not offered

                """)
        practice.plays("p2")
        #expect(
            try practice.run("enrol", "Cleo", "feet")
                == .init(
                    error: "Finding your feet is offered no more. `practice programme offer` offers it again.\n",
                    status: 1))
        // It is the administrators' to say.
        #expect(try practice.run("programme", "offer", "feet").status == 1)
        practice.plays("Olga")
        #expect(
            try practice.says("programme", "offer", "finding")
                == "Finding your feet is offered: clients can be enrolled.\n")
        practice.plays("p2")
        #expect(
            try practice.says("enrol", "Cleo", "feet")
                == "Cleo is enrolled in Finding your feet, from today, as e1.\n")
    }

    @Test func `today is left to the client's calendar`() throws {
        #expect(try Enrol.day("today", "2027-03-05") == nil)
        #expect(try Enrol.day("tomorrow", "2027-03-05") == "2027-03-06")
    }

    @Test func `a client is taken out of a programme with the reason, and past programmes are listed when asked for`()
        throws
    {
        try practice.says("programme", "import", folder)
        practice.plays("p2")
        #expect(
            try practice.run("withdraw", "Cleo", "--reason", "Her wish.")
                == .init(error: "Cleo takes part in no programme now.\n", status: 1))
        try practice.says("enrol", "Cleo", "feet", "--from", "today")
        #expect(
            try practice.says("enrolments", "Cleo") == """
                      Programme          Since  State      Lessons read  Waits
                  e1  Finding your feet  today  under way  0 of 2        1 lesson

                """)
        #expect(
            try practice.says("withdraw", "Cleo", "feet", "--reason", "Her wish.")
                == "Cleo is out of Finding your feet. What was answered and read stays.\n")
        #expect(
            try practice.says("enrolments", "Cleo")
                == "  There is none now. `practice enrol CLIENT PROGRAMME` enrols a client.\n")
        #expect(
            try practice.says("enrolments", "Cleo", "--past") == """
                      Programme          Since  State            Lessons read  Reason
                  e1  Finding your feet  today  withdrawn today  0 of 2        Her wish.

                """)
        #expect(try practice.says("enrolments", "Cleo", "--past", "--json").contains(#""reason":"Her wish.""#))
    }

    @Test(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot))
    func `the closing of a record says before that it ends a programme, and afterwards that it did`() throws {
        try practice.says("programme", "import", folder)
        practice.plays("p2")
        try practice.says("enrol", "Cleo", "feet")
        let pane = try practice.pane("client close 1", columns: 100)
        pane.fill([("Reason", "Her wish."), ("Enter closes it, and ends “Finding your feet”", "")])
        pane.waits { pane.picture().contains("= 0") }
        #expect(pane.picture().contains("The closing ended “Finding your feet” and removed its coming tasks."))
    }
}
