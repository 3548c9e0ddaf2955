import ArgumentParser
import Testing

@testable import DaybreakCompanion

/// What is understood without the parser, so that the program starts quickly.
@Suite struct EverydayTests {
    @Test(arguments: [[], ["list"], ["status"], ["mood", "calm"], ["mood", "calm", "and", "tired"]])
    func `what is said every day means what the parser makes of it`(arguments: [String]) throws {
        let verb = try #require(Everyday.verb(arguments))
        #expect(try "\(verb)" == "\(Daybreak.parseAsRoot(arguments))")
    }

    @Test(arguments: [
        ["--json"], ["--help"], ["help"], ["list", "--all"], ["list", "more"], ["list", "-h"], ["status", "--follow"],
        ["mood"], ["mood", "-"], ["mood", "calm", "--json"], ["mood", "--correct", "calm"], ["mood", "--", "-"],
        ["start"], ["Mood", "calm"], [""],
    ])
    func `anything else is the parser's`(arguments: [String]) {
        #expect(Everyday.verb(arguments).map { "\($0)" } == nil)
    }

    /// Where a verb says no name the parser makes one of its type, for all of them at each start: the runtime looks through
    /// every conformance in the program five times for that.
    @Test func `every verb says its name`() {
        #expect(unnamed(in: Daybreak.self) == [])
    }

    private func unnamed(in verb: any ParsableCommand.Type) -> [String] {
        (verb.configuration.commandName == nil ? ["\(verb)"] : []) + verb.configuration.subcommands.flatMap(unnamed)
    }
}
