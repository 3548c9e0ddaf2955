import Foundation
import Glibc
import TestSupport
import Testing
import Text

@testable import Companion
@testable import DaybreakCompanion

/// The programs with closed descriptors, a full output, a limit of the file's size, or a pipe as the time zone.
@Suite struct EnvironmentTests {
    private struct Run: Equatable {
        var output = ""
        var error = ""
        var status: Int32 = 0
    }

    /// Runs a shell command; 124 if it takes longer than a minute.
    private static func shell(_ command: String, _ environment: [String: String] = [:]) throws -> Run {
        let programs = Programs.folder
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = ["60", "/bin/sh", "-c", command]
        process.environment = ["PATH": "\(programs):/usr/bin:/bin", "HOME": "/tmp", "TERM": "xterm"]
            .merging(environment) { $1 }
        let (output, error) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = error
        // A process inherits the signals that its maker's thread blocks, and the test's thread blocks some.
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let complained = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Run(output: said, error: complained, status: process.terminationStatus)
    }

    /// The socket took the number of the closed output, and the daemon got the copy.
    @Test(arguments: ["export", "backup -", "list"])
    func `without standard output, a verb that prints fails`(verb: String) throws {
        let daemon = try RealDaemon()
        let run = try Self.shell("exec daybreak --socket \(daemon.path) \(verb) >&-", daemon.surroundings)
        #expect(run == Run(error: "Standard output cannot be written: Bad file descriptor.\n", status: 1))
    }

    @Test(arguments: ["", "--json"]) func `a note that was kept is said to be kept where its answer cannot be written`(
        option: String
    ) throws {
        let daemon = try RealDaemon()
        let run = try Self.shell(
            "exec daybreak --socket \(daemon.path) note Ask \(option) > /dev/full", daemon.surroundings)
        let sentence = "daybreakd carried this out; only its answer cannot be written: No space left on device."
        let json = #"{"error":"Unwritable","parameters":{"reason":"\#(sentence)"}}"#
        #expect(run == Run(error: (option.isEmpty ? sentence : json) + "\n", status: 1))
        let notes = try Self.shell("exec daybreak --socket \(daemon.path) notes --json", daemon.surroundings)
        #expect(notes.output.contains(#""text":"Ask""#))
    }

    @Test func `standard input that is closed is named so`() throws {
        let daemon = try RealDaemon()
        let run = try Self.shell("exec daybreak --socket \(daemon.path) note - <&-", daemon.surroundings)
        #expect(run == Run(error: "Standard input cannot be read: Bad file descriptor.\n", status: 1))
    }

    @Test func `without any standard stream, the guided task ends`() throws {
        let daemon = try RealDaemon()
        let run = try Self.shell(
            "daybreak --socket \(daemon.path) start --plain <&- >&- 2>&-; test $? -ne 0", daemon.surroundings)
        #expect(run == Run())
    }

    @Test(arguments: [
        "daybreak --help", "daybreak --version", "daybreakd --help", "daybreakd --version", "daybreak-notify --help",
        "daybreak-notify --version", "daybreak-link --help", "practice --help", "practiced --help",
        "practiced --version", "practice-gate --help",
    ])
    func `help and version that cannot be printed are a failure`(command: String) throws {
        let run = try Self.shell("exec \(command) > /dev/full")
        #expect(
            run == Run(error: "Standard output cannot be written: No space left on device.\n", status: 1))
    }

    @Test(arguments: ["daybreak --help", "daybreakd --help"])
    func `beyond the limit of a file's size, writing fails`(command: String) throws {
        let file = "/tmp/daybreak-limit-\(UUID())"
        defer { unlink(file) }
        let run = try Self.shell("ulimit -f 0; exec \(command) > \(file)")
        #expect(run == Run(error: "Standard output cannot be written: File too large.\n", status: 1))
    }

    /// The daemon ends, because its runtime folder is missing.
    @Test(arguments: ["daybreakd --check", "daybreakd"])
    func `the daemon repeats no control character of a file's name`(command: String) throws {
        let folder = "/tmp/daybreak-\u{1B}[2J-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: folder) }  // Only this test makes it.
        try FileManager.default.createDirectory(atPath: "\(folder)/daybreak", withIntermediateDirectories: true)
        try Data("nonsense".utf8).write(to: URL(filePath: "\(folder)/daybreak/daybreak.toml"))
        let surroundings = ["XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder, "RUNTIME_DIRECTORY": "\(folder)/run"]
        let run = try Self.shell("exec \(command)", surroundings)
        #expect(run.status != 0 && run.error.contains("/tmp/daybreak-"), "\(run)")
        #expect(run.error == run.error.visibleLines, "\(run.error)")
    }

    @Test(arguments: ["", ":"]) func `a pipe is no time zone, and is not waited for`(prefix: String) throws {
        let pipe = "/tmp/daybreak-zone-\(UUID())"
        #expect(mkfifo(pipe, 0o600) == 0)
        defer { unlink(pipe) }
        let zone = ["TZ": prefix + pipe, "XDG_CONFIG_HOME": "/nowhere", "XDG_STATE_HOME": "/nowhere"]
        let run = try Self.shell("exec daybreakd --simulate --days 1", zone)
        #expect(run.status == 0 && run.output.contains(#""timeZone":"UTC""#), "\(run)")
        #expect(try Self.shell("exec daybreak status --socket /nowhere", zone).status == 69)
    }

    @Test(arguments: ["--nosuch\u{1B}[2J", "status --format q\u{202E}q", "nosuch\u{9B}2J", "list \u{1B}]0;t\u{7}"])
    func `an error repeats no control character of the command line`(words: String) throws {
        let run = try Self.shell("exec daybreak '\(words.replacing(" ", with: "' '"))'")
        #expect(run.status == 64)
        #expect(!run.error.isEmpty && run.error == run.error.visibleLines)
    }
}
