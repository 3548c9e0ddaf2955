import Foundation
import Glibc
import Testing

@testable import DaybreakDaemon

/// The status file, while many read it and it changes all the time.
@Suite(.timeLimit(.minutes(20))) struct StatusFileReadersTests {
    @Test func `whoever reads it sees it whole, and never an older state after a newer one`() throws {
        let changes = isThorough ? 100_000 : 5_000
        let folder = Folder()
        let file = StatusFile(path: folder["status.json"])
        try file.write(Self.text(0))
        let readers = try (0..<4).map {
            try Reader(folder["status.json"], last: changes, report: folder["report-\($0)"])
        }
        for change in 1...changes { try file.write(Self.text(change)) }
        let reports = readers.map { $0.end() }
        print("status file: changes \(changes), \(reports.map { "read \($0)" }.joined(separator: ", "))")
        for report in reports { #expect(report.hasSuffix(" times, torn 0, older 0")) }
        #expect(try folder.names.filter { $0.hasPrefix("status") } == ["status.json"])
    }

    /// Of changing length, so that a part of one would be seen.
    private static func text(_ change: Int) -> [UInt8] {
        Array(#"{"change":\#(change),"more":"\#(String(repeating: "x", count: change % 3_000))"}"#.utf8)
    }

    /// A program of its own, in another language.
    private final class Reader {
        private let process = Process()
        private let report: String

        init(_ path: String, last: Int, report: String) throws {
            self.report = report
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["python3", "-c", Self.program, path, "\(last)", report]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            _ = output.fileHandleForReading.availableData
        }

        func end() -> String {
            process.waitUntilExit()
            return DaybreakDaemonTests.text(of: report) ?? "nothing"
        }

        private static let program = """
            import json, sys
            path, last, report = sys.argv[1], int(sys.argv[2]), sys.argv[3]
            reads = torn = older = seen = 0
            print("ready", flush=True)
            while seen < last:
                try:
                    change = json.load(open(path))["change"]
                    older += change < seen
                    seen = max(seen, change)
                except (ValueError, OSError):
                    torn += 1
                reads += 1
            open(report, "w").write(f"{reads} times, torn {torn}, older {older}")
            """
    }
}
