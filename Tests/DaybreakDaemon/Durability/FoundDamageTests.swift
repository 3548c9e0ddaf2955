import Foundation
import GRDB
import Glibc
import Testing

@testable import DaybreakDaemon

/// A page that a failing disk has spoiled, where no start reads: whoever meets it, nothing is written any more.
@Suite(.timeLimit(.minutes(20))) struct FoundDamageTests {
    private let household = Household()
    private let clock: MovedClock
    private let note = call("Homework.AddNote", #"{"text":"more"}"#)
    private let presence = call("Provider.SetPresence", #"{"online":true,"name":"somebody"}"#)

    init() { clock = MovedClock(household) }

    private var file: String { household.state + "/history.db" }
    private var reason: String { "The history \(file) is damaged: restore it from a backup" }
    private var refusal: String {
        error("org.daybreak.Homework.StorageUnavailable", "{\"reason\":\"\(reason)\"}")
    }

    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    private func ask(_ daemon: DaemonProcess, _ call: String) -> String? {
        daemon.forgetNotifications()
        return daemon.client().ask(call)
    }

    /// The second half of an index's first page.
    private func spoil(_ index: String) throws {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        let page = try DatabaseQueue(path: file, configuration: configuration).read { database in
            try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [index])
        }
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        try handle.seek(toOffset: UInt64(try #require(page) - 1) * 4_096 + 2_000)
        try handle.write(contentsOf: Data(repeating: 0xff, count: 2_096))
        try handle.close()
    }

    /// A daemon whose history was spoiled while none ran.
    private func started() throws -> DaemonProcess {
        let first = try household.lived()
        for _ in 1...20 { _ = ask(first, note) }
        #expect(first.end(SIGTERM) == 0)
        try spoil("event_note")
        return try household.started(clock.environment)
    }

    /// However long it is tried again.
    private func expectNothingIsWritten(_ daemon: DaemonProcess, _ before: Data) throws {
        for _ in 1...3 {
            #expect(problem(daemon) == reason)
            #expect(ask(daemon, presence) == refusal)
            clock.goOn(seconds: 31)
            _ = ask(daemon, call("Homework.GetStatus"))
        }
        let said = daemon.errors?.split(separator: "\n").filter { $0.contains("history") } ?? []
        #expect(said.count == 1 && said[0].hasPrefix("daybreakd: \(reason), carrying on without recording."), "\(said)")
        #expect(try bytes(file) == before)
        #expect(daemon.end(SIGTERM) == 0)
        #expect(try bytes(file) == before)
    }

    @Test func `a command that meets it is refused, and so is all that follows`() throws {
        let daemon = try started()
        let before = try bytes(file)
        #expect(ask(daemon, presence)?.hasPrefix("{\"parameters\"") == true)
        #expect(ask(daemon, note) == refusal)
        try expectNothingIsWritten(daemon, before)
    }

    @Test func `what the night finds ends the writing`() throws {
        let daemon = try started()
        let before = try bytes(file)
        #expect(ask(daemon, presence)?.hasPrefix("{\"parameters\"") == true)
        clock.goOn(seconds: 310)
        for _ in 1...1_000 where problem(daemon) == nil { _ = ask(daemon, call("Homework.GetStatus")) }
        try expectNothingIsWritten(daemon, before)
    }

    @Test func `what somebody finds who asks what is wrong ends the writing`() throws {
        let daemon = try started()
        let before = try bytes(file)
        #expect(ask(daemon, presence)?.hasPrefix("{\"parameters\"") == true)
        #expect(ask(daemon, call("Service.Diagnose"))?.contains("is damaged") == true)
        try expectNothingIsWritten(daemon, before)
    }

    @Test func `a log that a crash left is not written into it, and kept with it`() throws {
        #expect(try household.lived().end(SIGTERM) == 0)
        let copy = household.folder["copy.db"]
        try FileManager.default.copyItem(atPath: file, toPath: copy)
        let crashed = try household.started(clock.environment)
        #expect(ask(crashed, presence)?.hasPrefix("{\"parameters\"") == true)
        #expect(crashed.end(SIGKILL) == -SIGKILL)
        try spoil("event_step")
        let (before, log) = (try bytes(file), try bytes(file + "-wal"))
        #expect(!log.isEmpty)

        let daemon = try household.started(clock.environment)
        #expect(problem(daemon) == reason)
        #expect(ask(daemon, presence) == refusal)
        #expect(try bytes(file) == before && bytes(file + "-wal") == log)
        #expect(try daybreak(daemon, "restore", copy).status == 0)
        #expect(problem(daemon) == nil)
        let backups = household.state + "/backups/"
        let kept = try FileManager.default.contentsOfDirectory(atPath: backups).sorted()
        try #require(kept.count == 2)
        #expect(try bytes(backups + kept[0]) == before && bytes(backups + kept[1]) == log)
    }
}
