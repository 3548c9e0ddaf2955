import Foundation
import Glibc
import HomeworkHistory
import HomeworkRules
import Testing
import Time
import UnixTestSupport

@testable import HomeworkDaemon

/// The real program is started again in another zone, as after a change of the service's `TZ`.
@Suite struct JourneyTests {
    private let folder = Folder()
    /// How far ahead of UTC a wall is that shows about noon, in half hours.
    private static let noon = (12 - Int(Date().timeIntervalSince1970) / 3_600 % 24) * 2
    private static let today = CalendarDay(
        ordinal: Int32((Int(Date().timeIntervalSince1970) + noon * 1_800) / 86_400))

    init() {
        mkdir(folder["config"], 0o755)
        mkdir(folder["config/daybreak"], 0o755)
        write("[reminders]\nat = []\n", to: folder["config/daybreak/daybreak.toml"])
        let days = [Self.today, Self.today.next].map { "[1, [\"calm\"], \"\($0)\"]" }
        write("[\(days.joined(separator: ", "))]", to: folder["config/daybreak/tasks.json"])
    }

    /// A daemon in a zone that is this many half hours east of one in which it is noon.
    private func daemon(_ east: Int) throws -> DaemonProcess {
        let ahead = Self.noon + east
        let zone = "<ZONE>\(ahead > 0 ? "-" : "+")\(abs(ahead) / 2):\(ahead % 2 == 0 ? "00" : "30")"
        let daemon = DaemonProcess(in: folder, environment: ["TZ": zone])
        try #require(daemon.isReady(), "\(daemon.errors ?? "")")
        return daemon
    }

    private func today(of daemon: DaemonProcess) throws -> String {
        let file = try Data(contentsOf: URL(filePath: daemon.runtime + "/status.json"))
        let status = try JSONSerialization.jsonObject(with: file) as? [String: Any]
        return try #require(status?["today"] as? String)
    }

    private func complete(on daemon: DaemonProcess) {
        let client = daemon.client()
        for ask in [
            call("Provider.SetPresence", #"{"online":true}"#), call("Homework.Start"), call("Homework.Leave"),
            call("Homework.LogMood", #"{"mood":"calm"}"#),
        ] { #expect(client.ask(ask)?.contains("\"error\"") == false) }
    }

    @Test func `a journey east over midnight and back west undoes nothing and repeats no reminder`() throws {
        let (today, next) = (Self.today, Self.today.next)
        var shown: [String] = []
        for east in [0, 25, -26, 0] {
            let daemon = try daemon(east)
            if shown.isEmpty { complete(on: daemon) }
            shown.append(try self.today(of: daemon))
            #expect(daemon.end(SIGTERM) == 0)
        }
        #expect(shown == [today, next, next, next].map { "\($0)" })
        let history = try History(at: folder["state/daybreak/history.db"])
        let events = try history.events().map(\.what)
        #expect(
            events.filter { if case .dayBegan = $0 { true } else { false } } == [.dayBegan(today), .dayBegan(next)])
        let ids = [today, next].compactMap { AssignmentID("\($0)") }
        #expect(events.filter { if case .unlocked = $0 { true } else { false } } == ids.map { .unlocked($0) })
        #expect(events.filter { if case .completed = $0 { true } else { false } } == [.completed(ids[0], on: today)])
        let reminders = events.compactMap { if case .reminded(let reminder) = $0 { reminder.id } else { nil } }
        #expect(
            reminders == [
                "\(today)/scheduleTaken/1", "\(today)/unlocked/\(today)", "\(today)/providerAvailable/1",
                "\(today)/completed/\(today)", "\(next)/unlocked/\(next)",
            ])
        try history.close()
    }
}
