import Foundation
import Glibc
import TestSupport
import Testing
import TestingSupport
import UnixTestSupport

@testable import HomeworkDaemon

/// The daemon's status file, while it changes all the time and many programs read it.
@Suite(.hangGuard) struct StatusFileReadersTests {
    private let household = Workload()

    @Test func `readers always find a whole status, and never an older one after a newer one`() throws {
        let daemon = try household.started()
        let client = daemon.client()
        let states = States(household)
        for call in states.first { try change(daemon, client, call) }
        let readers = try (0..<4).map { try Reader(states, daemon, report: household.folder["report-\($0)"]) }
        var changes = 0
        // A reader that has seen enough ends by itself.
        while changes < Reader.changes || changes < 100 * Reader.changes && readers.contains(where: \.isRunning) {
            changes += 1
            try change(daemon, client, states.call(for: changes))
        }
        let reports = try readers.map { try $0.end() }
        print("status file: changes \(changes), \(reports.map(\.figures).joined(separator: "; "))")
        for report in reports {
            #expect(report.torn == 0 && report.older == 0)
            #expect(report.states >= Reader.enough)
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: daemon.runtime).sorted() == ["control", "status.json"])
        #expect(daemon.end(SIGTERM) == 0)
    }

    /// Makes one change and waits for its answer. Each change is recorded and shown before the next.
    private func change(_ daemon: DaemonProcess, _ client: Client, _ call: String) throws {
        daemon.forgetNotifications()
        let reply = client.ask(call)
        try #require(reply?.hasPrefix("{\"parameters\"") == true, "\(reply ?? "no reply")")
    }

    /// A sequence of states, each of which tells its number: by the provider's presence, by the length of the snooze, which
    /// goes up and then down, and by the number of later tasks, which changes when the length turns.
    private struct States {
        /// How many lengths of a snooze there are. The number is even.
        static let lengths = 30_000

        let household: Workload

        init(_ household: Workload) { self.household = household }

        var first: [String] { [household.importing(0), Self.snooze(household.later(0)), Self.presence(false)] }

        /// The call that leads to the state of that number from the one before.
        func call(for number: Int) -> String {
            let (turn, rest) = number.quotientAndRemainder(dividingBy: 2 * Self.lengths)
            if rest == 0 { return household.importing(turn) }
            // Absent and then present at one length, present and then absent at the next.
            if rest % 2 == 1 { return Self.presence(rest / 2 % 2 == 0) }
            return Self.snooze(household.later(turn % 2 == 0 ? rest / 2 : Self.lengths - 1 - rest / 2))
        }

        private static func presence(_ online: Bool) -> String {
            HomeworkDaemonTests.call("Provider.SetPresence", #"{"online":\#(online)}"#)
        }

        private static func snooze(_ until: String) -> String {
            HomeworkDaemonTests.call("Homework.Snooze", #"{"until":"\#(until)"}"#)
        }
    }

    /// A reader in another language, as a process of its own.
    private final class Reader {
        struct Report: Decodable {
            let reads, states, torn, older: Int
            var figures: String { "read \(reads) times, \(states) states, torn \(torn), older \(older)" }
        }

        static let changes = isThorough ? 20_000 : 2_000
        /// How many states in sequence each reader sees.
        static let enough = 1_000

        private let process = Process()
        private let report: String

        init(_ states: States, _ daemon: DaemonProcess, report: String) throws {
            self.report = report
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [
                "python3", "-c", Self.program, daemon.runtime + "/status.json", report, "\(Self.changes)",
                "\(Self.enough)", "\(States.lengths)", states.household.later(0),
            ]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            _ = output.fileHandleForReading.availableData
        }

        var isRunning: Bool { process.isRunning }

        func end() throws -> Report {
            process.waitUntilExit()
            return try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(filePath: report)))
        }

        private static let program = """
            import json, sys
            from datetime import datetime
            path, report, changes, enough, lengths = *sys.argv[1:3], *map(int, sys.argv[3:6])
            begin = datetime.fromisoformat(sys.argv[6].replace("Z", "+00:00"))
            def number(status):
                turn = status["counts"]["locked"]
                until = datetime.fromisoformat(status["snoozedUntil"].replace("Z", "+00:00"))
                length = round((until - begin).total_seconds())
                place = lengths - 1 - length if turn % 2 else length
                return 2 * (turn * lengths + place) + (status["providerOnline"] ^ place % 2)
            reads = torn = older = last = 0
            states = set()
            print("ready", flush=True)
            while last < changes or len(states) < enough:
                reads += 1
                try:
                    state = number(json.load(open(path)))
                except (ValueError, KeyError, OSError):
                    torn += 1
                    continue
                older += state < last
                last = max(last, state)
                states.add(state)
            json.dump({"reads": reads, "states": len(states), "torn": torn, "older": older}, open(report, "w"))
            """
    }
}
