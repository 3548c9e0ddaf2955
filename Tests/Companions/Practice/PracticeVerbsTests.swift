import ArgumentParser
import Testing

@testable import Companion
@testable import PracticeCompanion

@Suite struct `The verbs of practice` {
    @Test(arguments: [
        [], ["clients"], ["clients", "an", "--closed"], ["client", "show", "12"], ["--json", "client", "show", "12"],
        ["staff"], ["staff", "ana"], ["staff", "--role", "support"], ["staff", "add", "--name", "-"],
        ["session", "add", "12", "--json", "-"], ["terms", "--all"], ["term", "add", "motives", "loss"],
        ["session", "show", "12", "3"], ["--socket", "/a", "staff", "show", "p3"],
    ])
    func `the parser of one verb reads the same arguments as the parser of all verbs`(arguments: [String]) throws {
        let verb = try Verbs.command(arguments, of: PracticeVerbs.self)
        #expect(try "\(verb)" == "\(PracticeVerbs.parseAsRoot(Verbs.optionsAfterVerb(arguments)))")
    }

    @Test(arguments: [
        (
            ["stafff"],
            "There is no `practice stafff`. Did you mean `practice staff`? `practice --help` lists the verbs."
        ),
        (
            ["terms", "add", "motives", "Loss"],
            "There is no `practice terms add`. Did you mean `practice term add`? `practice term --help` lists the verbs."
        ),
        (
            ["sessions", "add", "12", "--minutes", "50"],
            "There is no `practice sessions add`. Did you mean `practice session add`? "
                + "`practice session --help` lists the verbs."
        ),
        (
            ["client", "shwo", "3"],
            "There is no `practice client shwo`. Did you mean `practice client show`? "
                + "`practice client --help` lists the verbs."
        ),
        (["client", "12"], "There is no `practice client 12`. `practice client --help` lists the verbs."),
        (
            ["staff", "shwo", "p3"],
            "There is no `practice staff shwo`. Did you mean `practice staff show`? "
                + "`practice staff --help` lists the verbs."
        ),
    ])
    func `a mistyped verb is reported with the nearest verb`(arguments: [String], sentence: String) {
        let failure = #expect(throws: Failure.self) { try Verbs.command(arguments, of: PracticeVerbs.self) }
        #expect(failure?.sentence == sentence)
        #expect(failure?.status == 64)
    }

    @Test func `help and errors have the full name of a verb of two words`() {
        for arguments in [["client", "show"], ["client", "show", "--help"], ["session", "add", "1", "2", "3"]] {
            let error = #expect(throws: (any Error).self) {
                var command = try Verbs.command(arguments, of: PracticeVerbs.self)
                try command.run()
            }
            let said = error.map { PracticeVerbs.fullMessage(for: $0) } ?? ""
            #expect(said.contains("practice \(arguments[0]) \(arguments[1])"))
        }
    }

    @Test(arguments: [["session"], ["--as", "Ana", "session"], ["client", "--socket=/a", "--json"]])
    func `a group without a verb lists its verbs`(arguments: [String]) {
        let error = #expect(throws: (any Error).self) {
            var command = try Verbs.command(arguments, of: PracticeVerbs.self)
            try command.run()
        }
        let said = error.map { PracticeVerbs.fullMessage(for: $0) } ?? ""
        #expect(said.contains("SUBCOMMANDS:\n  show "))
    }

    @Test func `a completion script knows every verb`() {
        let script = PracticeVerbs.completionScript(for: .bash)
        for verb in PracticeVerbs.configuration.subcommands {
            let name = verb.configuration.commandName ?? "?"
            #expect(script.contains("_practice_\(name)()"))
            for second in verb.configuration.subcommands {
                #expect(script.contains("_practice_\(name)_\(second.configuration.commandName ?? "?")()"))
            }
        }
    }
}
