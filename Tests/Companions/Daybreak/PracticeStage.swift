import Foundation
import TestSupport
import Testing

/// A practice behind a program that stands in for `ssh`, and the real daemon of a client.
final class PracticeStage {
    let daemon: RealDaemon
    let folder: String
    private var link: Process?
    /// The fingerprint of its host key.
    private(set) var fingerprint = ""

    init(settings: String = "") throws {
        daemon = try RealDaemon(settings: settings)
        var template = Array("/tmp/daybreak-practice-XXXXXX".utf8CString)
        folder = String(cString: mkdtemp(&template))
        try FileManager.default.createDirectory(atPath: folder + "/bin", withIntermediateDirectories: true)
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "practice.py").path()
        for name in ["ssh", "ssh-keyscan", "systemctl"] {
            let text = "#!/bin/sh\nexec python3 '\(script)' \(name) \"$@\"\n"
            try text.write(toFile: "\(folder)/bin/\(name)", atomically: true, encoding: .utf8)
            chmod("\(folder)/bin/\(name)", 0o755)
        }
        let key = try shell("ssh-keygen -q -t ed25519 -N '' -f \(folder)/host && cut -d' ' -f2 \(folder)/host.pub")
        fingerprint = try shell("ssh-keygen -lf \(folder)/host.pub | cut -d' ' -f2")
        try save([
            "hostKey": key, "word": "AAAA-BBBB-CCCC-DDDD-EEEE", "redeemed": false, "trouble": "", "shares": [String](),
            "heard": [String: Any](), "taken": [Any](), "schedule": "[]",
            "profile": [
                "name": "Cleo", "number": 7, "timeZone": "UTC", "thanatologist": "Ana", "since": "2026-01-02",
            ],
            "news": [
                "revision": 0, "available": false, "talkingPoints": [Any](), "unreadMail": 0, "urgentMail": 0,
                "unreadChat": 0, "surveysDue": 0, "broadcasts": 0,
            ],
        ])
    }

    deinit {
        link?.terminate()
        link?.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }

    var environment: [String: String] {
        daemon.surroundings.merging([
            "PATH": "\(folder)/bin:/usr/bin:/bin", "PRACTICE": folder, "LLVM_PROFILE_FILE": "/dev/null",
        ]) { $1 }
    }

    func run(_ words: String..., input: String? = nil) throws -> ProgramTests.Run {
        try ProgramTests.run(words, socket: daemon.path, input: input, environment: environment)
    }

    func setUp(_ shares: String) throws -> ProgramTests.Run {
        try run(
            "link", "set-up", "practice@clinic.example", "--share", shares,
            input: "\(fingerprint)\nAAAA-BBBB-CCCC-DDDD-EEEE\n")
    }

    /// Runs `daybreak` on a pseudoterminal (man 1 script), and returns what stands there.
    func onTerminal(_ words: String, input: String) throws -> String {
        let program = Programs.path(of: "daybreak")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/script")
        process.arguments = ["-qec", "\(program) \(words)", "/dev/null"]
        process.environment = environment.merging(["DAYBREAK_SOCKET": daemon.path, "TERM": "xterm"]) { $1 }
        let (typed, output) = (Pipe(), Pipe())
        process.standardInput = typed
        process.standardOutput = output
        try process.run()
        try typed.type(input)
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return said
    }

    /// Starts the link's process.
    func startLink() throws {
        let process = Process()
        process.executableURL = URL(filePath: Programs.path(of: "daybreak-link"))
        process.arguments = [daemon.path, linkFolder]
        process.environment = environment
        process.standardError = FileHandle(forWritingAtPath: "/dev/null")
        try process.run()
        link = process
    }

    func killLink() {
        guard let link else { return }
        kill(link.processIdentifier, SIGKILL)
        link.waitUntilExit()
        self.link = nil
    }

    var linkFolder: String { (daemon.surroundings["XDG_CONFIG_HOME"] ?? "") + "/daybreak/link" }

    // MARK: The practice's state

    func state() -> [String: Any] {
        guard let data = FileManager.default.contents(atPath: folder + "/state.json"),
            let state = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { return [:] }
        return state
    }

    func save(_ state: [String: Any]) throws {
        let data = try JSONSerialization.data(withJSONObject: state)
        try data.write(to: URL(filePath: folder + "/state.json"), options: .atomic)
    }

    func change(_ change: (inout [String: Any]) -> Void) throws {
        var state = state()
        change(&state)
        try save(state)
    }

    func tell(_ news: [String: Any]) throws {
        try change { state in
            let before = state["news"] as? [String: Any] ?? [:]
            state["news"] = before.merging(news) { $1 }
        }
    }

    /// The happenings that the practice has taken, by their kinds.
    var taken: [String] {
        (state()["taken"] as? [[String: Any]] ?? []).compactMap { $0["what"] as? String }
    }

    var log: [String] {
        (try? String(contentsOfFile: folder + "/log", encoding: .utf8).split(separator: "\n").map(String.init)) ?? []
    }

    /// Asks again until it is so.
    func waits(_ what: String, until isSo: () throws -> Bool) rethrows {
        for _ in 0..<1_000 {
            if try isSo() { return }
            usleep(20_000)
        }
        Issue.record("not seen: \(what)")
    }

    private func shell(_ command: String) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.trimmingCharacters(in: .newlines)
    }
}
