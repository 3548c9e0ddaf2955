import Foundation
import Glibc
import Testing

@testable import HomeworkDaemon

extension Workload {
    /// Words that only the client or the provider has written.
    static let words = ["qmoodq", "qnoteq", "qnameq", "qtaskq"]

    func started(_ environment: [String: String] = [:]) throws -> DaemonProcess {
        let daemon = DaemonProcess(in: folder, environment: environment.merging(["TZ": zone]) { $1 })
        try #require(daemon.isReady(), "\(daemon.errors ?? "")")
        return daemon
    }

    /// A history with private texts: a completed task with unique words.
    func lived() throws -> DaemonProcess {
        let daemon = try started()
        let client = daemon.client()
        let schedule =
            #"[{\"breaths\": 3, \"moods\": [\"qmoodq\", \"b\"], \"due\": \"2026-11-01\", \"id\": \"qtaskq\"}]"#
        for asked in [
            call("Homework.Import", "{\"schedule\":\"\(schedule.replacing("2026-11-01", with: yesterday))\"}"),
            call("Provider.SetPresence", #"{"online":true,"name":"qnameq"}"#), call("Homework.Start"),
            call("Homework.Leave"), call("Homework.AddNote", #"{"text":"qnoteq","assignment":"qtaskq"}"#),
            call("Homework.LogMood", #"{"mood":"qmoodq"}"#),
        ] {
            let reply = client.ask(asked)
            #expect(reply?.hasPrefix("{\"parameters\"") == true, "\(reply ?? "no reply")")
            daemon.forgetNotifications()
        }
        return daemon
    }

    /// The daemon's files that contain the word, byte for byte; once for each occurrence.
    func places(of word: String) -> [String] {
        [state, folder["runtime"]].flatMap { places(of: word, in: $0) }
    }

    func places(of word: String, in folder: String) -> [String] {
        let wanted = Data(word.utf8)
        var found: [String] = []
        for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
            guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
            var rest = bytes[...]
            while let range = rest.range(of: wanted) {
                found.append(name)
                rest = rest[range.upperBound...]
            }
        }
        return found
    }
}

/// How a program ended.
struct Run: Equatable {
    var output = ""
    var error = ""
    var status: Int32 = 0
}

/// The path of one of the two programs.
func program(_ name: String) -> String {
    URL(filePath: DaemonProcess.program).deletingLastPathComponent().appending(path: name).path()
}

/// Runs `daybreak` with that daemon, or with none.
func daybreak(_ daemon: DaemonProcess?, _ arguments: String..., environment: [String: String] = [:]) throws -> Run {
    daemon?.forgetNotifications()
    var environment = environment.merging(["TERM": "xterm"]) { $1 }
    if let daemon { environment["DAYBREAK_SOCKET"] = daemon.runtime + "/control" }
    return try run(program("daybreak"), arguments, environment)
}

/// Runs any program to its end.
func run(_ program: String, _ arguments: [String], _ environment: [String: String]) throws -> Run {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = environment
    let (output, error) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = error
    try process.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complained = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Run(output: said, error: complained, status: process.terminationStatus)
}
