import ArgumentParser
import Testing

@testable import Companion
@testable import DaybreakCompanion
@testable import PracticeCompanion

/// Only the named verb is parsed, so that the program starts quickly.
@Suite struct VerbsTests {
    @Test(arguments: [
        [], ["list"], ["status"], ["mood", "calm", "and", "tired"], ["list", "--all"], ["--json", "status"],
        ["provider", "online", "--for", "5m"], ["schedule", "check", "tasks.json"], ["mood", "--", "-"],
    ])
    func `one verb's parser reads the same as the whole program's`(arguments: [String]) throws {
        let verb = try Verbs.command(arguments, of: Daybreak.self)
        #expect(try "\(verb)" == "\(Daybreak.parseAsRoot(Verbs.optionsAfterVerb(arguments)))")
    }

    @Test(arguments: [
        ["--help"], ["--version"], ["help", "snooze"], ["snooze", "--help"], ["snooze"], ["list", "more"],
    ])
    func `help and errors are those of the whole program`(arguments: [String]) {
        func said(_ parse: () throws -> any ParsableCommand) -> String {
            do {
                var command = try parse()
                try command.run()
                return "\(command)"
            } catch { return Daybreak.fullMessage(for: error) }
        }
        let ours = said { try Verbs.command(arguments, of: Daybreak.self) }
        #expect(ours == said { try Daybreak.parseAsRoot(arguments) })
        #expect(ours.contains("daybreak") || ours == "0.1.0")
    }

    @Test(arguments: [
        (["explain", "next", "friday"], ["explain", "next friday"]),
        (["moods", "--since", "last", "Mon", "--plot"], ["moods", "--since", "last Mon", "--plot"]),
        (["note", "next", "week"], ["note", "next", "week"]), (["next"], ["next"]),
    ])
    func `a weekday with next or last needs no quotation marks`(typed: [String], read: [String]) {
        #expect(Verbs.withDaysJoined(typed) == read)
    }

    @Test(arguments: [
        ("moood", "mood"), ("staus", "status"), ("Status", "status"), ("lsit", "list"), ("weather", nil), ("x", nil),
    ])
    func `a mistyped verb is guessed`(word: String, verb: String?) {
        let names = Daybreak.configuration.subcommands.compactMap { $0.configuration.commandName }
        #expect(Verbs.nearest(to: word, among: names) == verb)
    }

    @Test func `an error's name from a daemon is a JSON string of visible characters`() {
        let failure = Failure.refused("org.example.\u{1B}[2J\"", saying: "No.")
        #expect(failure.json == #"{"error":"org.example.[2J\"","parameters":{"reason":"No."}}"#)
    }

    @Test func `the completion script has every verb`() {
        let script = Daybreak.completionScript(for: .bash)
        for verb in Daybreak.configuration.subcommands {
            #expect(script.contains("_daybreak_\(verb.configuration.commandName ?? "?")()"))
        }
    }

    private static let programs: [any ParsableCommand.Type] = [Daybreak.self, PracticeVerbs.self]

    /// A verb is found by the name that it declares. ArgumentParser would look through every conformance for its name.
    @Test(arguments: programs) func `every verb declares its name`(program: any ParsableCommand.Type) {
        #expect(faults(in: program) { $0.commandName == nil } == [])
    }

    /// ArgumentParser would look among the arguments of each verb for a request of a completion script.
    @Test(arguments: programs) func `every verb without verbs names a program above it`(
        program: any ParsableCommand.Type
    ) {
        #expect(faults(in: program) { $0.subcommands.isEmpty && $0._superCommandName == nil } == [])
    }

    private func faults(
        in verb: any ParsableCommand.Type, _ isFaulty: (CommandConfiguration) -> Bool
    ) -> [String] {
        (isFaulty(verb.configuration) ? ["\(verb)"] : [])
            + verb.configuration.subcommands.flatMap { faults(in: $0, isFaulty) }
    }
}
