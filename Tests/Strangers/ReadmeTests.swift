import Foundation
import TestSupport
import Testing

/// "Talk to Daybreak from your own program" in the README: what stands there is taken out of it, and run.
@Suite(.enabled(if: Given.isComplete, Given.why), .hangGuard) struct ReadmeTests {
    private let household: Household

    init() throws { household = try Household() }

    /// The one block of the section that is in this language.
    private func block(_ language: String) throws -> String {
        let readme = try String(contentsOfFile: "\(Given.root)/README.md", encoding: .utf8)
        let parts = readme.components(separatedBy: "```\(language)\n")
        try #require(parts.count == 2)
        return try #require(parts[1].components(separatedBy: "```").first)
    }

    private struct List: Decodable {
        struct Task: Decodable { var due: String, state: String, reason: String }
        var assignments: [Task]
    }

    private struct Status: Decodable {
        struct Inner: Decodable { var today: String }
        var status: Inner
    }

    @Test func `the shell's lines print the status`() throws {
        let lines = try block("sh").split(separator: "\n").map(String.init)
        try #require(lines.map { $0.prefix { $0 != " " } } == ["python3", "varlinkctl"])
        for line in lines where line.hasPrefix("python3") || Given.varlinkctl != nil {
            let watching = household.start(["/bin/sh", "-c", line])
            // RFC 7464 has a record separator before each text of a sequence.
            let printed = try #require(watching.output { $0 == "}" || $0.hasPrefix("\u{1E}") })
            #expect(
                try sorted(printed.utf8.drop { $0 == 0x1E }) == sorted(household.ask("Homework.GetStatus").parameters))
        }
    }

    @Test func `the lines of Python print the tasks`() throws {
        let list = try household.ask("Homework.List").decode(List.self)
        let expected = list.assignments.map { "\($0.due) \($0.state) \($0.reason)\n" }.joined()
        #expect(list.assignments.count == 1)
        #expect(household.python(try block("python")) == .init(output: expected, errors: "", status: 0))
    }

    @Test func `the program in Swift compiles without a warning, and prints how things stand`() throws {
        let (source, program) = ("\(household.folder)/main.swift", "\(household.folder)/program")
        try block("swift").write(toFile: source, atomically: true, encoding: .utf8)
        // The module as it was built for these tests, which lie beside it.
        let built = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .path(percentEncoded: false)
        let objects = try FileManager.default.contentsOfDirectory(atPath: "\(built)/Varlink.build")
            .filter { $0.hasSuffix(".o") }.map { "\(built)/Varlink.build/\($0)" }
        let flags = ["-swift-version", "6", "-warnings-as-errors", "-I", "\(built)/Modules", "-o", program]
        #expect(household.run(["swiftc"] + flags + [source] + objects) == .init(output: "", errors: "", status: 0))
        let today = try household.ask("Homework.GetStatus").decode(Status.self).status.today
        #expect(household.run([program]) == .init(output: "\(today) the provider is away\n", errors: "", status: 0))
        try household.ask("Provider.SetPresence", #"{"online":true}"#)
        #expect(household.run([program]) == .init(output: "\(today) the provider is there\n", errors: "", status: 0))
    }
}
