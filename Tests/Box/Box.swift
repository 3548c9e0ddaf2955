import Foundation
import TestSupport
import Testing
import TestingSupport

extension Trait where Self == HangGuard {
    /// For a test that boots boxes.
    static var boxed: Self { HangGuard(places: Box.places) }
}

/// A machine for tests: a real systemd with journal, logins and a user's manager, booted by `Tests/Box/box`.
///
/// It is this machine with a root of its own in memory. Its changes are lost with the last reference to it. If the tests
/// are killed, it ends by itself. The clone is at ``clone``, and the built programs are at ``programs``.
final class Box: Sendable {
    /// The reason why this machine cannot boot a box; nil if it can.
    static let missing: String? = {
        guard let said = try? launch(["possible"]) else { return "Tests/Box/box cannot be run" }
        return said.status == 0 ? nil : said.output
    }()

    /// The kernel counts inotify instances by user, over all boxes (man 7 inotify); a test has up to two boxes.
    static let places = TestSlots(6)

    static var isPossible: Bool { missing == nil }
    static var whyNot: Comment { "\(missing ?? "nothing is missing")" }

    /// The folder of the client's programs, if `Tests/run` has built them.
    static let programs = ProcessInfo.processInfo.environment["DAYBREAK_BIN"]
    static let noPrograms: Comment = "DAYBREAK_BIN does not say where the programs are; Tests/run builds them"

    /// The path of the clone in the box, and that of the folder that `DAYBREAK_BIN` names.
    static let clone = "/srv/daybreak"
    static let shown = "/srv/show"

    /// A zone in which it is about noon now.
    static var noon: String {
        let ahead = 12 - Int(Date().timeIntervalSince1970) / 3_600 % 24
        // POSIX counts hours west of Greenwich.
        return "/usr/share/zoneinfo/Etc/GMT\(ahead > 0 ? "-" : "+")\(abs(ahead))"
    }

    /// The user of a command: root, a user in a login session, or a user without one, as with `su` in a container.
    enum CommandUser {
        case root
        case user(String)
        case bare(String)
        static let client = CommandUser.user("client")
    }

    private let keeper: Process
    private let lifeline: Pipe
    private let number: String

    /// Boots. Returns when the system and the manager of each user have started.
    ///
    /// By default it is about noon in the box, so that no day begins in the middle of a test.
    ///
    /// - Parameter isApart: the box has a network of its own, without a cable; else it has the machine's.
    init(localtime: String = Box.noon, users: [String] = ["client"], isApart: Bool = false) async throws {
        var words = ["boot", "--localtime", localtime]
        if isApart { words += ["--apart", "yes"] }
        if let programs = Box.programs { words += ["--show", programs] }
        for user in users { words += ["--user", user] }
        let (keeper, input, output) = (Process(), Pipe(), Pipe())
        keeper.executableURL = URL(filePath: Box.script)
        keeper.arguments = words
        keeper.standardInput = input
        keeper.standardOutput = output
        try Box.start(keeper)
        var lines = Box.lines(of: output).makeAsyncIterator()
        guard let number = await lines.next() else { throw Failure(words: words, said: "it did not boot") }
        self.keeper = keeper
        self.lifeline = input
        self.number = number
    }

    deinit {
        try? lifeline.fileHandleForWriting.close()  // It may have ended before.
        keeper.waitUntilExit()
    }

    /// The output of a command, and how it ended.
    struct CommandOutput: Sendable {
        var output: String
        var errors: String
        var status: Int32
    }

    /// Runs a line of shell in the box. It may fail.
    func attempt(_ line: String, as someone: CommandUser = .client) async throws -> CommandOutput {
        let words = self.words(for: someone) + ["bash", "-c", line]
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try Box.launch(words) }) }
        }
    }

    /// Runs a line of shell in the box, which must succeed. Returns its output without the last line's end.
    @discardableResult
    func run(_ line: String, as someone: CommandUser = .client) async throws -> String {
        let said = try await attempt(line, as: someone)
        guard said.status == 0 else {
            throw Failure(words: [line], said: "status \(said.status)\n\(said.output)\n\(said.errors)")
        }
        return said.output
    }

    /// The lines of a command's output as they come, so that tests wait for one instead of sleeping. The command ends with
    /// the last reference.
    func follow(_ line: String, as someone: CommandUser = .client) throws -> Following {
        try Following(words: words(for: someone) + ["bash", "-c", line])
    }

    /// Gives the box a zone whose next midnight is this many seconds away, in place of its `/etc/localtime`.
    func bringMidnight(in seconds: Int) async throws {
        try Self.order(["midnight", number, String(seconds)])
    }

    /// Lays a cable between two boxes that are apart. This one is 10.9.0.1, the other one 10.9.0.2.
    func layCable(to other: Box) async throws { try Self.order(["cable", number, other.number]) }

    /// Moves the clocks of these boxes ahead, as if they had slept. Only programs that started after a first leap see it.
    static func leap(by seconds: Int, _ boxes: Box...) async throws {
        try order(["leap", String(seconds)] + boxes.map(\.number))
    }

    private static func order(_ words: [String]) throws {
        let said = try launch(words)
        guard said.status == 0 else { throw Failure(words: words, said: said.errors) }
    }

    private func words(for someone: CommandUser) -> [String] {
        switch someone {
        case .root: ["root", number]
        case .user(let name): ["user", number, name]
        case .bare(let name): ["bare", number, name]
        }
    }

    /// A command whose lines are read one by one.
    final class Following: Sendable {
        private let process = Process()
        private let words: [String]
        private let lines: AsyncStream<String>

        fileprivate init(words: [String]) throws {
            let pipe = Pipe()
            self.words = words
            process.executableURL = URL(filePath: "/usr/bin/timeout")
            process.arguments = Box.bounded(words)
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = pipe
            try Box.start(process)
            lines = Box.lines(of: pipe)
        }

        deinit { process.terminate() }

        /// Waits for the next line that matches.
        func line(where matches: (String) -> Bool) async throws -> String {
            for await line in lines where matches(line) { return line }
            throw Failure(words: words, said: "it ended before the line came")
        }
    }

    struct Failure: Error, CustomStringConvertible {
        var words: [String]
        var said: String
        var description: String { "\(words.joined(separator: " ")): \(said)" }
    }

    private static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "box")
        .path(percentEncoded: false)

    /// Ends a command that takes too long, and the test with it. A command in a box takes seconds, on a busy machine a
    /// minute. Without an end, a test that waits in vain would hold its place for ever.
    private static func bounded(_ words: [String]) -> [String] {
        ["--kill-after=10", isThorough ? "7200" : "240", script] + words
    }

    /// Runs the script to its end. Its outputs go to files, so that neither of them blocks the other.
    private static func launch(_ words: [String]) throws -> CommandOutput {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }  // Files left in /tmp fail no test.
        let files = [folder.appending(path: "output"), folder.appending(path: "errors")]
        for file in files { try Data().write(to: file) }

        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = bounded(words)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try start(process)
        process.waitUntilExit()

        let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
            .map { $0.hasSuffix("\n") ? String($0.dropLast()) : $0 }
        return CommandOutput(output: texts[0], errors: texts[1], status: process.terminationStatus)
    }

    /// Starts a process that takes every signal. The threads of Swift and Dispatch block them, and a child inherits that.
    private static func start(_ process: Process) throws {
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_UNBLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try process.run()
    }

    /// The lines from a pipe, read by a thread that may wait.
    private static func lines(of pipe: Pipe) -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                var rest = Data()
                while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
                    rest += data
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                        rest = Data(rest[(end + 1)...])
                    }
                }
                continuation.finish()
            }
        }
    }
}
