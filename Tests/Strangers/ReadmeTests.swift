import Foundation
import TestSupport
import Testing
import TestingSupport

/// Every fenced `sh`, `python` and `swift` block of every page in the repository is run with a daemon.
///
/// Other texts, such as a session on a terminal, are indented or fenced as `text`.
@Suite(.enabled(if: Given.isComplete, Given.why), .hangGuard) struct ReadmeTests {
    private let household: ClientFixture

    init() throws { household = try ClientFixture() }

    /// A block of a page.
    struct Block: CustomTestStringConvertible, Sendable {
        var page: String
        var text: String
        var testDescription: String { "\(page): \(text.prefix { $0 != "\n" })" }
    }

    static let pages: [String] = {
        let all = FileManager.default.enumerator(atPath: Given.root)
        var found: [String] = []
        while let path = all?.nextObject() as? String {
            if [".build", ".git", "Corpus"].contains((path as NSString).lastPathComponent) { all?.skipDescendants() }
            if path.hasSuffix(".md") { found.append(path) }
        }
        return found.sorted()
    }()

    static func blocks(_ language: String) -> [Block] {
        pages.flatMap { page in
            // An unreadable page fails the first test.
            let text = (try? String(contentsOfFile: "\(Given.root)/\(page)", encoding: .utf8)) ?? ""
            return text.components(separatedBy: "```\(language)\n").dropFirst()
                .map { Block(page: page, text: $0.components(separatedBy: "```")[0]) }
        }
    }

    @Test func `each language is in a block of some page`() {
        #expect(Self.pages.contains("README.md"))
        for language in ["sh", "python", "swift"] { #expect(!Self.blocks(language).isEmpty, "\(language)") }
    }

    /// Lines that other tests run: the installer in boxes; the build and the tests before this one.
    private static let elsewhere = [
        "./systemd/install", "./Tests/", "Tests/", "swift build", "swift test", "swift run", "systemctl ",
        "journalctl ",
    ]

    @Test(arguments: blocks("sh")) func `each line of shell succeeds`(block: Block) throws {
        for line in lines(of: block) {
            if Self.elsewhere.contains(where: line.hasPrefix) {
                let program = String(line.prefix { $0 != " " })
                #expect(
                    !program.contains("/") || FileManager.default.isExecutableFile(atPath: "\(Given.root)/\(program)"))
                continue
            }
            guard !line.hasPrefix("varlinkctl ") || Given.varlinkctl != nil else { continue }
            let program = household.start(["/bin/bash", "-euc", "cd \(Given.root)\n\(line)"])
            if line.contains("GetStatus") {
                // RFC 7464 has a record separator before each text of a sequence.
                let printed = try #require(program.output { $0 == "}" || $0.hasPrefix("\u{1E}") })
                let status = try household.ask("Homework.GetStatus").parameters
                #expect(try sorted(printed.utf8.drop { $0 == 0x1E }) == sorted(status))
            } else if [" -m ", " --more ", " --follow"].contains(where: line.contains) {
                #expect(program.output { !$0.isEmpty } != nil, "\(line) prints nothing")
            } else {
                let said = program.end()
                #expect(said.status == 0, "\(line): \(said.errors)")
            }
        }
    }

    /// The lines without comments. A backslash at the end joins a line with the next.
    private func lines(of block: Block) -> [String] {
        block.text.replacing("\\\n", with: "").split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("#") }
    }

    private struct List: Decodable {
        struct Task: Decodable { var due: String, state: String, reason: String }
        var assignments: [Task]
    }

    private struct Status: Decodable {
        struct Inner: Decodable { var today: String }
        var status: Inner
    }

    @Test(arguments: blocks("python")) func `the lines of Python succeed`(block: Block) throws {
        let list = try household.ask("Homework.List").decode(List.self)
        let said = household.python(block.text)
        #expect((said.errors, said.status) == ("", 0))
        #expect(list.assignments.count == 1)
        guard block.text.contains(".List(") else { return #expect(!said.output.isEmpty) }
        #expect(said.output == list.assignments.map { "\($0.due) \($0.state) \($0.reason)\n" }.joined())
    }

    @Test(arguments: blocks("swift"))
    func `the program in Swift compiles without a warning, and prints the status`(block: Block) throws {
        let (source, program) = ("\(household.folder)/main.swift", "\(household.folder)/program")
        try block.text.write(toFile: source, atomically: true, encoding: .utf8)
        // The modules that were built for these tests are beside them.
        let built = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .path(percentEncoded: false)
        let objects = try ["JSON", "Varlink"].flatMap { module in
            try FileManager.default.contentsOfDirectory(atPath: "\(built)/\(module).build")
                .filter { $0.hasSuffix(".o") }.map { "\(built)/\(module).build/\($0)" }
        }
        let flags = ["-swift-version", "6", "-warnings-as-errors", "-I", "\(built)/Modules", "-o", program]
        #expect(household.run(["swiftc"] + flags + [source] + objects) == .init(output: "", errors: "", status: 0))
        guard block.text.contains("the provider is") else {
            let said = household.run([program])
            return #expect((said.output.isEmpty, said.errors, said.status) == (false, "", 0))
        }
        let today = try household.ask("Homework.GetStatus").decode(Status.self).status.today
        #expect(household.run([program]) == .init(output: "\(today) the provider is away\n", errors: "", status: 0))
        try household.ask("Provider.SetPresence", #"{"online":true}"#)
        #expect(household.run([program]) == .init(output: "\(today) the provider is there\n", errors: "", status: 0))
    }
}
