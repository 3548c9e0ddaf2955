import Foundation
import Glibc
import TestSupport
import Testing
import TestingSupport

/// The commands on all pages: those that a person types by hand are run, and every other verb and option is looked up.
@Suite(.enabled(if: Given.programs != nil, Given.why), .hangGuard) struct PageCommandTests {
    private let folder: String
    private let programs = Given.programs ?? ""

    init() throws {
        var template = Array("/tmp/daybreak-pages-XXXXXX".utf8CString)
        folder = String(cString: mkdtemp(&template)!)
    }

    private var environment: [String: String] {
        [
            "HOME": folder, "TMPDIR": folder, "TZ": Noon.zone, "LC_ALL": "C.UTF-8", "COLUMNS": "1000",
            "NOTIFY_SOCKET": "\(folder)/notify",
            "PATH": "\(programs):\(ProcessInfo.processInfo.environment["PATH"] ?? "")",
        ]
    }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }  // Files left in /tmp fail no test.

    // MARK: Verbs and options

    /// A command as its program looks it up.
    struct Command: Hashable, CustomTestStringConvertible {
        let page: String
        /// The program and its verbs. Words after them are arguments.
        let words: [String]
        let options: [String]
        var testDescription: String { "\(page): \((words + options).joined(separator: " "))" }

        /// Nil for words of another program. The help hides the library's own option.
        init?(_ text: some StringProtocol, on page: String) {
            let words = String(text).split(separator: " ").map(String.init).drop { $0.contains("=") }
            guard let program = words.first, ["daybreak", "practice"].contains(program) else { return nil }
            self.page = page
            self.words = [program] + words.dropFirst().prefix { $0.wholeMatch(of: #/[a-z][a-z-]*/#) != nil }
            options = words.filter { $0.hasPrefix("--") && $0 != "--generate-completion-script" }
        }
    }

    private static let commands: [Command] = {
        let found = ReadmeTests.pages.flatMap { page in
            // An unreadable page fails a test of the shell blocks.
            let text = (try? String(contentsOfFile: "\(Given.root)/\(page)", encoding: .utf8)) ?? ""
            let spans = text.matches(of: #/`((?:daybreak|practice) [^`\n]*)`/#).map { String($0.1) }
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("    ") }.flatMap(typed)
            return (spans + lines).compactMap { Command($0, on: page) }
        }
        return Set(found).sorted { $0.testDescription < $1.testDescription }
    }()

    /// The commands of an indented line, without its explanation: `practice mail, chat  letters and talk` has two.
    private static func typed(_ line: Substring) -> [String] {
        let line = line.drop { $0 == " " }.trimmingPrefix("$ ").trimmingPrefix("ExecStart=/usr/local/bin/")
        let command = String(line.firstRange(of: "  ").map { line[..<$0.lowerBound] } ?? line)
        let program = String(command.prefix { $0 != " " })
        return command.components(separatedBy: ", ").enumerated().map { $0 == 0 ? $1 : "\(program) \($1)" }
    }

    @Test func `the pages have commands of both companions`() {
        #expect(Self.commands.contains { $0.words == ["daybreak", "start"] && $0.page == "README.md" })
        #expect(Self.commands.contains { $0.words == ["practice", "terms"] && $0.page == "README.md" })
        #expect(Self.commands.contains { $0.options == ["--watch", "--once", "--share"] })
    }

    @Test(arguments: commands) func `a command on a page is a verb with its options`(command: Command) {
        defer { remove() }
        // Options before any verb are those that every verb has.
        let verb = command.words.count == 1 && !command.options.isEmpty ? ["status"] : []
        let said = Program(
            ["\(programs)/\(command.words[0])"] + command.words.dropFirst() + verb + ["--help"], environment
        ).end()
        #expect((said.errors, said.status) == ("", 0))
        let missing = command.options.filter { option in !said.output.contains("  \(option)") && option != "--help" }
        #expect(missing == [], "\(said.output)")
    }

    // MARK: By hand

    /// A daemon that is started by hand, and a companion that calls it.
    struct ByHand: CustomTestStringConvertible, Sendable {
        let page: String
        let firstLine: String
        /// Paths on the page, and those of the test.
        let changes: [(of: String, to: String)]
        /// The beginning of the companion's output.
        let says: String
        var testDescription: String { page }
    }

    @Test(arguments: [
        ByHand(
            page: "Sources/README.md", firstLine: "export HOME", changes: [(".build/debug/", "")],
            says: "There are no tasks yet. `daybreak schedule import FILE` takes a schedule in.\n"),
        ByHand(
            page: "systemd/README.md", firstLine: "mkdir --mode 755 /tmp/clinic",
            changes: [("/tmp/clinic", "$HOME/clinic"), ("FILE", "\(Given.root)/Config/practice.toml")],
            says: "  The practice · "),
    ]) func `a daemon that is started by hand serves its companion`(block: ByHand) throws {
        defer { remove() }
        let text = try String(contentsOfFile: "\(Given.root)/\(block.page)", encoding: .utf8)
        let begin = try #require(text.range(of: "    " + block.firstLine)).lowerBound
        var lines = text[begin...].split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { $0.hasPrefix("    ") }
            .map { line in block.changes.reduce(line.dropFirst(4)) { $0.replacing($1.of, with: $1.to) } }
        let start = try #require(lines.firstIndex { $0.contains("daybreakd") || $0.contains("practiced") })
        if !lines[start].hasSuffix("&") { lines[start] = "{ \(lines[start]); } &" }
        let ready = try ReadyNotice(at: "\(folder)/notify")
        try #require(mkfifo("\(folder)/go", 0o600) == 0)
        lines.insert("read -r < '\(folder)/go'", at: start + 1)
        let shell = Program(
            [
                "/bin/bash", "-uc",
                lines.joined(separator: "\n") + "\nstatus=$?; trap '' TERM; kill 0; wait; exit $status",
            ],
            environment)
        #expect(ready.waits())
        try "go\n".write(to: URL(filePath: "\(folder)/go"), atomically: false, encoding: .utf8)
        let said = shell.end()
        #expect(said.status == 0, "\(said.errors)")
        #expect(said.output.hasPrefix(block.says), "\(said.output)")
    }
}

/// The socket on which a daemon says that it is ready (man 3 sd_notify).
private final class ReadyNotice {
    private let descriptor: Int32

    init(at path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        try #require(Line.withAddress(path) { bind(descriptor, $0, $1) } == 0, "\(path): \(errno)")
    }

    deinit { close(descriptor) }

    /// False if the daemon says nothing for a minute.
    func waits() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { return false }
            if String(decoding: chunk[..<count], as: UTF8.self).contains("READY=1") { return true }
        }
    }
}
