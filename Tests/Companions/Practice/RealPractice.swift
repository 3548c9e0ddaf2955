import Foundation
import Glibc
import PracticeInterfaces
import StaffInterfaces
import TestSupport
import Testing

@testable import Companion
@testable import PracticeCompanion

/// The real `practiced`, in folders of its own, and the real `practice`, which calls it.
///
/// The user that runs it is an administrator. Once a member of the staff has that user's account, the user is that person. Root
/// has no person, and plays them as in a made-up practice.
final class RealPractice {
    let folder: String
    private let programs: URL
    private var process = Process()
    /// The person that root plays.
    fileprivate var played: [String] = []
    func plays(_ name: String) { played = ["--as", name] }
    var path: String { folder + "/run/control" }
    /// Added to the environment of `practice`.
    var also: [String: String] = [:]
    /// The environment of `practice`.
    var surroundings: [String: String] {
        ["PRACTICE_SOCKET": path, "XDG_RUNTIME_DIR": folder, "HOME": folder, "LANG": "C.UTF-8", "TERM": "dumb"]
            .merging(also) { $1 }
    }

    /// The account that the tests run as.
    static let account = String(cString: getpwuid(geteuid()).pointee.pw_name)

    init(_ settings: String = "") throws {
        programs = URL(filePath: Programs.folder)
        var template = Array("/tmp/practice-real-XXXXXX".utf8CString)
        folder = String(cString: mkdtemp(&template))
        for name in ["state", "run"] { mkdir("\(folder)/\(name)", 0o700) }
        let file = folder + "/practice.toml"
        try """
        [practice]
        name = "Clinic at the Park"
        time_zone = "Europe/Madrid"
        currency = "EUR"
        therapist = "therapist"
        \(settings)
        """.write(toFile: file, atomically: true, encoding: .utf8)
        try start()
    }

    fileprivate func start(_ options: String...) throws {
        let readiness = Readiness(in: folder)
        process = Process()
        process.executableURL = programs.appending(path: "practiced")
        process.arguments = ["--config", folder + "/practice.toml"] + options
        process.environment = [
            "STATE_DIRECTORY": "\(folder)/state", "RUNTIME_DIRECTORY": "\(folder)/run", "NOTIFY_SOCKET": readiness.path,
            "LLVM_PROFILE_FILE": "/dev/null",
        ]
        for stream in [\Process.standardInput, \.standardOutput, \.standardError] {
            process[keyPath: stream] = FileHandle.nullDevice
        }
        try process.run()
        try readiness.wait()
    }

    /// Ends the daemon, and starts it again with another text in its settings.
    func restart(replacing text: String, with other: String) throws {
        end()
        let file = folder + "/practice.toml"
        try String(contentsOfFile: file, encoding: .utf8).replacing(text, with: other)
            .write(toFile: file, atomically: true, encoding: .utf8)
        if played.isEmpty { try start() } else { try start("--demo") }
    }

    func end() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    deinit {
        end()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Runs `practice` without a terminal.
    func run(_ arguments: String..., input: String? = nil) throws -> ProgramTests.Run {
        try run(arguments, input: input)
    }

    func run(_ arguments: [String], input: String?) throws -> ProgramTests.Run {
        let process = Process()
        process.executableURL = programs.appending(path: "practice")
        process.arguments = arguments + played
        process.environment = surroundings
        let (output, error, typed) = (Pipe(), Pipe(), Pipe())
        process.standardInput = input == nil ? FileHandle.nullDevice : typed
        process.standardOutput = output
        process.standardError = error
        try process.run()
        try typed.type(input ?? "")
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let complained = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return ProgramTests.Run(output: said, error: complained, status: process.terminationStatus)
    }

    /// A verb that prints lines until it is ended, such as `practice chat listen --json`.
    final class Listening {
        fileprivate let process = Process()
        fileprivate let output = Pipe()
        private var rest: [UInt8] = []

        /// Waits for the next line.
        func line() throws -> String {
            while true {
                if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { rest.removeFirst(end + 1) }
                    return String(decoding: rest[..<end], as: UTF8.self)
                }
                let more = output.fileHandleForReading.availableData
                try #require(!more.isEmpty, "it ended")
                rest += more
            }
        }

        func end() {
            // It inherits that the test's thread blocks the others.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        deinit { if process.isRunning { end() } }
    }

    func listens(_ arguments: String...) throws -> Listening {
        try follows(["chat", "listen", "--json"] + arguments)
    }

    /// A verb that goes on until it is ended, such as `waiting --follow`.
    func follows(_ arguments: String...) throws -> Listening { try follows(arguments) }

    private func follows(_ arguments: [String]) throws -> Listening {
        let listening = Listening()
        listening.process.executableURL = programs.appending(path: "practice")
        listening.process.arguments = arguments + played
        listening.process.environment = surroundings
        listening.process.standardInput = FileHandle.nullDevice
        listening.process.standardOutput = listening.output
        try listening.process.run()
        return listening
    }

    /// The command's output. The test fails if the command is refused.
    @discardableResult func says(_ arguments: String..., input: String? = nil) throws -> String {
        let run = try run(arguments, input: input)
        #expect(run.status == 0 && run.error == "", "\(run)")
        return run.output
    }

    /// The names of the texts that were begun and not sent.
    func drafts() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder + "/practice-drafts")
    }

    /// The day of the practice.
    func today() throws -> String {
        try DaemonConnection(to: path).call(Practice.WhoAmI()).today
    }

    /// Runs `practice` in a real terminal. The shell waits after the exit status: tmux would write into the picture of a
    /// terminal whose program has ended.
    func pane(
        _ arguments: String, columns: Int = 80, rows: Int = 40, editor: String = "false", runtime: String? = nil,
        terminal: String? = nil
    ) throws -> TmuxPane {
        var environment = surroundings
        if let runtime { environment["XDG_RUNTIME_DIR"] = runtime }
        environment["TERM"] = terminal
        environment["EDITOR"] = editor
        return try TmuxPane(
            columns: columns, rows: rows, environment: environment,
            "practice \((CollectionOfOne(arguments) + played).joined(separator: " ")); echo \"= $?\"; read -r _")
    }
}

extension RealPractice {
    /// Makes the caller a therapist.
    ///
    /// - Parameter isMadeUp: the practice is a made-up one, in which anybody can be played.
    func begin(isMadeUp: Bool = geteuid() == 0) throws {
        try says("staff", "add", "--name", "Olga", "--role", "administrator", "--account", "daemon")
        guard isMadeUp else {
            try says("staff", "add", "--name", "Ana Ruiz", "--role", "thanatologist", "--account", Self.account)
            return
        }
        try says("staff", "add", "--name", "Ana Ruiz", "--role", "thanatologist")
        end()
        let sqlite = Process()
        sqlite.executableURL = URL(filePath: "/usr/bin/sqlite3")
        sqlite.arguments = ["\(folder)/state/practice.db", "INSERT INTO fact (name, value) VALUES ('made_up', '1')"]
        try sqlite.run()
        sqlite.waitUntilExit()
        try #require(sqlite.terminationStatus == 0)
        try start("--demo")
        played = ["--as", "p2"]
    }

    /// Runs `body` while the daemon of a made-up practice is killed, and starts it again.
    func withoutDaemon(_ body: () -> Void) throws {
        end()
        body()
        try start("--demo")
    }

    /// A connection of somebody in a made-up practice.
    func connection(as person: String) throws -> DaemonConnection {
        let connection = try DaemonConnection(to: path)
        _ = try connection.call(Upkeep.PlayAs(who: person))
        return connection
    }
}
