import DiskSupport
import Foundation
import Glibc
import Storage
import TestSupport
import Testing
import TestingSupport
import UnixTestSupport

@testable import HomeworkDaemon
@testable import HomeworkHistory

/// A damaged page that no start reads. Once any call finds it, nothing is written any more.
@Suite(.hangGuard) struct FoundDamageTests {
    private let household = Workload()
    private let clock: MovedClock
    private let note = call("Homework.AddNote", #"{"text":"more"}"#)
    private let notes = call("Homework.Notes", #"{"assignment":"qtaskq"}"#)
    private let watching = """
        {"method":"org.daybreak.Homework.Notes","parameters":{"assignment":"qtaskq"},"more":true}
        """
    private let presence = call("Provider.SetPresence", #"{"online":true,"name":"somebody"}"#)

    init() { clock = MovedClock(in: household.folder) }

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

    /// Damages the second half of an index's first page; or, lightly, only the number of free pages (SQLite's "Database
    /// File Format", 1.3), which copying or reading events does not use.
    private func spoil(_ index: String, lightly: Bool = false) throws {
        let page = try SQLiteDatabase(file, .reading).number(
            "SELECT rootpage FROM sqlite_schema WHERE name = $1", index)
        let begin = UInt64(try #require(page) - 1) * 4_096 + 2_000
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        try handle.seek(toOffset: lightly ? 39 : begin)
        try handle.write(contentsOf: Data(repeating: 0xff, count: lightly ? 1 : 2_096))
        try handle.close()
    }

    /// Starts a daemon whose history was damaged while none ran.
    private func started(lightly: Bool = false) throws -> DaemonProcess {
        let first = try household.lived()
        for _ in 1...20 { _ = ask(first, note) }
        #expect(first.end(SIGTERM) == 0)
        try spoil("event_note", lightly: lightly)
        return try household.started(clock.environment)
    }

    /// Nothing is written, however long the daemon tries again.
    private func expectNothingIsWritten(_ daemon: DaemonProcess, _ before: Data) throws {
        for _ in 1...3 {
            #expect(problem(daemon) == reason)
            #expect(ask(daemon, presence) == refusal)
            clock.goOn(seconds: 31)
            _ = ask(daemon, call("Homework.GetStatus"))
        }
        let said = daemon.errors?.split(separator: "\n").filter { $0.contains("history") } ?? []
        #expect(
            said.count == 1 && said[0].hasPrefix("daybreakd: \(reason). Daybreak carries on without recording."),
            "\(said)")
        #expect(try bytes(file) == before)
        #expect(daemon.end(SIGTERM) == 0)
        #expect(try bytes(file) == before)
    }

    @Test func `a command that finds the damage is refused, and so are all later ones`() throws {
        let daemon = try started()
        let before = try bytes(file)
        #expect(ask(daemon, presence)?.hasPrefix("{\"parameters\"") == true)
        #expect(ask(daemon, note) == refusal)
        try expectNothingIsWritten(daemon, before)
    }

    @Test(arguments: [false, true]) func `damage that the nightly backup finds ends the writing`(lightly: Bool) throws {
        let daemon = try started(lightly: lightly)
        let before = try bytes(file)
        #expect(ask(daemon, presence)?.hasPrefix("{\"parameters\"") == true)
        clock.goOn(seconds: 310)
        while problem(daemon) == nil { daemon.client().waitForMaintenance() }
        try expectNothingIsWritten(daemon, before)
    }

    @Test(arguments: [false, true]) func `damage that Diagnose finds ends the writing`(
        lightly: Bool
    ) throws {
        let daemon = try started(lightly: lightly)
        let before = try bytes(file)
        #expect(ask(daemon, presence)?.hasPrefix("{\"parameters\"") == true)
        #expect(ask(daemon, call("Service.Diagnose"))?.contains("is damaged") == true)
        try expectNothingIsWritten(daemon, before)
    }

    @Test(arguments: ["Backup", "Export"]) func `damage that a copy finds ends the writing`(method: String) throws {
        let first = try household.lived()
        for _ in 1...20 { _ = ask(first, note) }
        #expect(first.end(SIGTERM) == 0)
        let daemon = try household.started(clock.environment)
        try spoil("event")
        let before = try bytes(file)
        #expect(ask(daemon, call("Service.\(method)")) == refusal)
        try expectNothingIsWritten(daemon, before)
    }

    /// An erasure removes the nights, and reads only the pages that it changes.
    @Test(arguments: [false, true]) func `an erasure that finds damage keeps the nights, and ends the writing`(
        lightly: Bool
    ) throws {
        let first = try household.lived()
        for _ in 1...20 { _ = ask(first, note) }
        let copy = household.folder["copy.db"]
        first.forgetNotifications()
        #expect(try daybreak(first, "backup", copy).status == 0)
        #expect(first.end(SIGTERM) == 0)
        try spoil("event_note", lightly: lightly)
        let night = household.state + "/backups/night-2026-01-01.db"
        try FileManager.default.copyItem(atPath: copy, toPath: night)
        let daemon = try household.started(clock.environment)
        let before = try bytes(file)
        #expect(ask(daemon, presence)?.hasPrefix("{\"parameters\"") == true)
        #expect(ask(daemon, call("Service.Erase", #"{"assignment":"qtaskq"}"#)) == refusal)
        #expect(exists(night))
        try expectNothingIsWritten(daemon, before)
    }

    @Test func `damage during the run is found, whatever pages are in memory`() throws {
        let first = try household.lived()
        for _ in 1...20 { _ = ask(first, note) }
        #expect(first.end(SIGTERM) == 0)
        let daemon = try household.started(clock.environment)
        #expect(ask(daemon, notes)?.contains("more") == true)
        try spoil("event_step")
        let before = try bytes(file)
        #expect(ask(daemon, call("Service.Diagnose"))?.contains("is damaged") == true)
        try expectNothingIsWritten(daemon, before)
    }

    @Test func `an erasure that finds the damage changes nothing, and ends the writing`() throws {
        let daemon = try started()
        let before = try bytes(file)
        #expect(ask(daemon, call("Service.Erase", #"{"assignment":"qtaskq"}"#)) == refusal)
        try expectNothingIsWritten(daemon, before)
    }

    /// SQLite finds no fault in what is left: that events are missing is known by the number of those that were recorded.
    @Test func `a log that was cut off stays damage after a refused erasure`() throws {
        let daemon = try household.lived()
        for _ in 1...3 { _ = ask(daemon, note) }
        try #require(truncate(file + "-wal", 0) == 0)
        #expect(ask(daemon, note)?.contains("is missing") == true)
        #expect(ask(daemon, call("Service.Erase", #"{"assignment":"qtaskq"}"#))?.contains("is missing") == true)
        #expect(ask(daemon, note)?.contains("is missing") == true)
        #expect(problem(daemon)?.contains("is missing") == true)
        #expect(daemon.errors?.contains("can be written again") == false)
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test(arguments: [false, true])
    func `an invalid event ends the writing as soon as it is read`(isWatched: Bool) throws {
        #expect(try household.lived().end(SIGTERM) == 0)
        let faults = DiskFaults(household)
        let daemon = try household.started(faults.environment)
        let watcher = daemon.client()
        if isWatched { #expect(watcher.ask(watching)?.contains("qnoteq") == true) }
        try SQLiteDatabase(file).execute(
            "\(Tables.allowChanges); UPDATE event SET client = -1 WHERE kind = 'noteWritten'; \(Tables.neverChanged)")
        let fault = "has no sound client"
        #expect(ask(daemon, isWatched ? presence : notes)?.contains(fault) == true)
        #expect(ask(daemon, presence)?.contains(fault) == true)
        // Another trouble in between does not clear the damage.
        faults.fail(.reads, 1, error: EIO)
        _ = ask(daemon, presence)
        faults.heal()
        #expect(ask(daemon, presence)?.contains(fault) == true)
        #expect(problem(daemon)?.hasSuffix(fault) == true)
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test func `damage that a watcher's new reply finds ends the writing`() throws {
        #expect(try household.lived().end(SIGTERM) == 0)
        let daemon = try household.started(clock.environment)
        let watcher = daemon.client()
        #expect(watcher.ask(watching)?.contains("qnoteq") == true)
        try spoil("event_step")
        let before = try bytes(file)
        // Recording does not read that page.
        #expect(ask(daemon, presence)?.hasPrefix("{\"parameters\"") == true)
        _ = ask(daemon, call("Homework.GetStatus"))
        try expectNothingIsWritten(daemon, before)
    }

    /// A damaged history with the log of a crash, and an earlier copy.
    private func crash() throws -> (history: Data, log: Data, copy: String) {
        #expect(try household.lived().end(SIGTERM) == 0)
        let copy = household.folder["copy.db"]
        try FileManager.default.copyItem(atPath: file, toPath: copy)
        let crashed = try household.started(clock.environment)
        #expect(ask(crashed, presence)?.hasPrefix("{\"parameters\"") == true)
        #expect(crashed.end(SIGKILL) == -SIGKILL)
        try spoil("event_step")
        let log = try bytes(file + "-wal")
        #expect(!log.isEmpty)
        return (try bytes(file), log, copy)
    }

    @Test func `after a failed sync of a restore the damaged history and its log are unchanged`() throws {
        let (before, log, copy) = try crash()
        let faults = DiskFaults(household)
        let daemon = try household.started(faults.environment)
        #expect(ask(daemon, call("Service.GetStorage"))?.contains("backups") == true)
        let laid = household.state + "/backups/restore-1"
        var refused = 0
        for number in 1...20 {
            unlink(laid)
            try FileManager.default.copyItem(atPath: copy, toPath: laid)
            faults.fail(.syncs, number, error: EIO)
            let reply = ask(daemon, call("Service.Restore", #"{"file":"restore-1"}"#)) ?? "no reply"
            faults.heal()
            guard Sender.outcome(of: reply) == .refused else { break }
            refused += 1
            #expect(try bytes(file) == before && bytes(file + "-wal") == log, "sync \(number): \(reply)")
        }
        #expect(refused > 3)
    }

    @Test func `the log of a crash is not written into a damaged history, and is kept with it`() throws {
        let (before, log, copy) = try crash()
        let done = household.folder["disk.log"]
        let recording = interposed(DiskFaults(household).environment, clock.environment, ["DISK_LOG": done])
        let daemon = try household.started(recording)
        #expect(problem(daemon) == reason)
        #expect(
            ask(daemon, presence)
                == error("org.daybreak.Homework.StorageUnavailable", "{\"reason\":\"\(reason)\",\"unread\":true}"))
        #expect(try bytes(file) == before && bytes(file + "-wal") == log)
        #expect(try daybreak(daemon, "restore", copy).status == 0)
        #expect(problem(daemon) == nil)
        let backups = household.state + "/backups/"
        let kept = try FileManager.default.contentsOfDirectory(atPath: backups).sorted()
        try #require(kept.count == 2)
        #expect(try bytes(backups + kept[0]) == before && bytes(backups + kept[1]) == log)
        // After a power cut the old log does not return beside the new history: the folder was synced between its removal
        // and the renaming.
        let records = try DiskLog(done).records
        let gone = try #require(records.lastIndex { $0.kind == .unlinked && $0.text == file + "-wal" })
        let there = try #require(records.lastIndex { $0.kind == .renamed && $0.text.hasSuffix("\n" + file) })
        #expect(records[gone..<there].contains { $0.kind == .folderSynced && $0.text == household.state })
    }
}
