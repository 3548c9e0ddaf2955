import DiskSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TestingSupport
import UnixTestSupport

@testable import HomeworkDaemon

/// An export, and its restoring, when a write or a read fails.
@Suite(.hangGuard) struct ExportTests {
    private let household = Workload()

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: household.state + "/backups")
    }

    @Test(arguments: ["export", "backup \"$1\""])
    func `a full disk at standard output is reported, and leaves no file behind`(verb: String) throws {
        let daemon = try household.lived()
        let surroundings = ["DAYBREAK_SOCKET": daemon.runtime + "/control", "TERM": "xterm"]
        let arguments = ["-c", "exec \"$0\" \(verb) >/dev/full", program("daybreak"), household.folder["copy.db"]]
        let full = Run(error: "Standard output cannot be written: No space left on device.\n", status: 1)
        #expect(try run("/bin/sh", arguments, surroundings) == full)
        #expect(try names() == [])
    }

    @Test func `hidden characters are printed as their escapes, and restored as they were`() throws {
        let daemon = try household.lived()
        let note = "one\u{202E}two\u{E0041}, ünd drei"
        _ = daemon.client().ask(call("Homework.AddNote", "{\"text\":\"\(note)\"}"))
        let text = try daybreak(daemon, "export").output
        #expect(text.contains(#"one\u202etwo\udb40\udc41, ünd drei"#))
        let file = household.folder["export.jsonl"]
        write(text, to: file)
        #expect(try daybreak(daemon, "restore", file).status == 0)
        #expect(try daybreak(daemon, "export").output.contains(#"one\u202etwo\udb40\udc41, ünd drei"#))
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test func `a reader that closes the pipe ends an export quietly, and leaves no file behind`() throws {
        let daemon = try household.lived()
        let surroundings = ["DAYBREAK_SOCKET": daemon.runtime + "/control", "TERM": "xterm"]
        // The reader closes the pipe before anything is written.
        let script = "mkfifo \"$1\"; (exec <\"$1\") & exec 9>\"$1\"; wait; exec \"$0\" export >&9"
        let ended = try run("/bin/sh", ["-c", script, program("daybreak"), household.folder["pipe"]], surroundings)
        #expect(ended == Run())
        #expect(try names() == [])
    }

    /// The first versions did not write the number of events.
    @Test(arguments: [true, false]) func `after a failed read an export is restored whole or not at all`(
        saysHowMany: Bool
    ) throws {
        let first = try household.lived()
        var text = try daybreak(first, "export").output
        if !saysHowMany { text = text.replacing(/,"events":\d+/, with: "", maxReplacements: 1) }
        #expect(text.prefix { $0 != "\n" }.contains("events") == saysHowMany)
        let export = Data(text.utf8)
        let count = export.split(separator: UInt8(ascii: "\n")).count - 1
        #expect(first.end(SIGTERM) == 0)
        let faults = DiskFaults(household)
        let daemon = try household.started(faults.environment)
        let candidate = household.state + "/backups/restore-1"
        var (refused, restored) = (0, 0)
        for number in 1...1_000 {
            // The call makes the folder.
            #expect(daemon.client().ask(call("Service.GetStorage"))?.contains("backups") == true)
            try export.write(to: URL(filePath: candidate))
            must(chmod(candidate, 0o600))
            faults.fail(.reads, number, error: EIO)
            let reply = daemon.client().ask(call("Service.Restore", #"{"file":"restore-1"}"#)) ?? ""
            let failed = faults.failed
            faults.heal()
            if reply.hasPrefix("{\"error\"") {
                refused += 1
            } else {
                restored += 1
                #expect(reply.hasPrefix("{\"parameters\":{\"events\":\(count),"), "\(number): \(reply)")
            }
            guard failed > 0 else { break }
        }
        #expect(refused > 1 && restored > 0)
        print("reads of an export: \(refused) refused, \(restored) restored whole")
    }
}
