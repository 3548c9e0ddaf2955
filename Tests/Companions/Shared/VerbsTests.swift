import ArgumentParser
import Testing

@testable import Companion
@testable import DaybreakCompanion

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

    /// A verb is found by the name that it declares. ArgumentParser would look through every conformance for its name.
    @Test func `every verb declares its name`() {
        #expect(unnamed(in: Daybreak.self) == [])
    }

    private func unnamed(in verb: any ParsableCommand.Type) -> [String] {
        (verb.configuration.commandName == nil ? ["\(verb)"] : []) + verb.configuration.subcommands.flatMap(unnamed)
    }
}
