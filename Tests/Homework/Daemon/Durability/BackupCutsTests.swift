import DiskSupport
import Foundation
import Glibc
import HomeworkHistory
import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time
import UnixTestSupport

@testable import HomeworkDaemon

/// A kill or a power cut in the middle of a backup, a restore or an erasure leaves the whole history from before or from
/// after.
@Suite(.hangGuard) struct BackupCutsTests {
    enum Operation: String, CaseIterable {
        case backup, restore, erase, eraseEverything

        var call: String {
            switch self {
            case .backup: HomeworkDaemonTests.call("Service.Backup")
            case .restore: HomeworkDaemonTests.call("Service.Restore", #"{"file":"restore-1"}"#)
            case .erase: HomeworkDaemonTests.call("Service.Erase", #"{"assignment":"qtaskq"}"#)
            case .eraseEverything: HomeworkDaemonTests.call("Service.EraseEverything")
            }
        }

        /// Words that no file contains once the operation is acknowledged.
        var gone: [String] {
            switch self {
            case .backup, .restore: []
            case .erase: ["qnoteq"]
            case .eraseEverything: Workload.words
            }
        }
    }

    /// The record of one operation: the disk before it, its calls, and the place of the acknowledgement.
    private struct Recording {
        var disk: ForgetfulDisk
        let records: ArraySlice<DiskLog.Record>
        let acknowledged: Int
    }

    @Test(arguments: Operation.allCases) func `after a kill or a power cut the history is the old or the new one`(
        operation: Operation
    )
        throws
    {
        let recording = try record(operation)
        let place = Folder()
        let old = try events(kill(recording, recording.records.startIndex, into: place))
        let new = try expected(operation, events(kill(recording, recording.acknowledged, into: place)), insteadOf: old)
        let seed = testSeed
        var dice = SplitMix64(seed: seed)
        var (kills, cuts, olds, news, neither) = (0, 0, 0, 0, 0)
        for end in recording.records.startIndex...recording.records.endIndex {
            for isKill in [true] + Array(repeating: false, count: isThorough ? 20 : 1) {
                let note: Comment = "\(operation) \(isKill ? "killed" : "cut") at \(end), seed \(seed)"
                if isKill { try kill(recording, end, into: place) } else { try cut(recording, end, &dice, into: place) }
                (kills, cuts) = isKill ? (kills + 1, cuts) : (kills, cuts + 1)
                let gone = end > recording.acknowledged ? operation.gone : []
                #expect(gone.flatMap { Workload().places(of: $0, in: place.path) } == [], note)
                let copies = try wholeCopies(in: place, note)
                #expect(!copies.isEmpty || operation != .backup || end <= recording.acknowledged, note)
                let found = try events(place.path)
                let isOld = found.starts(with: old)
                let isNew = !isOld && new.map(found.starts(with:)) ?? false
                #expect(isNew || isOld && (end <= recording.acknowledged || new == nil), note)
                if isNew, operation == .restore { #expect(try keptAside(in: place).starts(with: old), note) }
                if isOld { olds += 1 } else if isNew { news += 1 } else { neither += 1 }
            }
        }
        #expect(neither == 0 && olds > 0 && (news > 0 || new == nil))
        print(
            "\(operation): kills \(kills), power cuts \(cuts), the old history \(olds), the new one \(news), neither \(neither)"
        )
    }

    /// A backup for the user is written by `daybreak`.
    @Test func `after a kill or a power cut a user's backup is whole or absent`() throws {
        let household = Workload()
        let daemon = try household.lived()
        let out = household.folder["out"]
        must(mkdir(out, 0o700))
        var before = try ForgetfulDisk(out, seed: 0)
        let log = household.folder["out.log"]
        let harness = DiskFaults(household, folder: out).environment.merging(["DISK_LOG": log]) { $1 }
        #expect(try daybreak(daemon, "backup", out + "/copy.db", environment: harness).status == 0)
        let records = try DiskLog(log).records
        let place = Folder()
        var dice = SplitMix64(seed: testSeed)
        for end in 0...records.count {
            for _ in 1...10 {
                before.dice = SplitMix64(seed: dice.next())
                var disk = before
                disk.play(records[..<end])
                if dice.flip() { try disk.cut(into: place.path) } else { try disk.kill(into: place.path) }
                let isThere = try place.names.contains("copy.db")
                if isThere {
                    #expect(
                        try History.verify(at: place["copy.db"]) == History.verify(at: household.state + "/history.db"))
                }
                #expect(isThere || end < records.count, "\(end) of \(records.count)")
            }
        }
    }

    /// SQLite finds nothing to write in such a history, so only Daybreak's own calls make it durable.
    @Test func `after a kill or a power cut during a restore without a daemon the history is the old or the new one`()
        throws
    {
        let household = Workload()
        #expect(try household.lived().end(SIGTERM) == 0)
        let (copy, log) = (household.folder["copy.db"], household.folder["restore.log"])
        try FileManager.default.copyItem(atPath: household.state + "/history.db", toPath: copy)
        let daemon = try household.started()
        _ = daemon.client().ask(call("Homework.AddNote", #"{"text":"after the copy"}"#))
        #expect(daemon.end(SIGTERM) == 0)
        let before = try ForgetfulDisk(household.state, seed: 0)
        let surroundings = [
            "HOME": household.folder.path, "XDG_STATE_HOME": household.folder["state"],
            "XDG_RUNTIME_DIR": household.folder["runtime"], "DISK_LOG": log,
        ]
        let harness = DiskFaults(household).environment.merging(surroundings) { $1 }
        let restored = try run(DaemonProcess.program, ["--restore", copy], harness)
        #expect(restored.status == 0, "\(restored.error)")
        let records = try DiskLog(log).records
        let recording = Recording(disk: before, records: records[...], acknowledged: records.endIndex)
        let place = Folder()
        let old = try events(kill(recording, 0, into: place))
        let new = try events(kill(recording, records.endIndex, into: place))
        #expect(old.count > new.count && old.starts(with: new))
        let seed = testSeed
        var dice = SplitMix64(seed: seed)
        for end in 0...records.count {
            for _ in 1...10 {
                try cut(recording, end, &dice, into: place)
                let found = try events(place.path)
                #expect(found == new || found == old && end < records.count, "\(end) of \(records.count), seed \(seed)")
            }
        }
    }

    private func record(_ operation: Operation) throws -> Recording {
        let household = Workload()
        let first = try household.lived()
        let client = first.client()
        let copy = try #require(client.ask(call("Service.Backup"))).split(separator: "\"")
        let folder = household.state + "/backups"
        must(rename(String(copy[copy.count - 2]), folder + "/restore-1"))
        try FileManager.default.copyItem(atPath: folder + "/restore-1", toPath: folder + "/night-2026-01-01.db")
        _ = client.ask(call("Homework.AddNote", #"{"text":"after the copy"}"#))
        #expect(first.end(SIGTERM) == 0)
        if operation == .backup { try FileManager.default.removeItem(atPath: folder) }

        let disk = try ForgetfulDisk(household.state, seed: 0)
        let log = household.folder["disk.log"]
        let daemon = try household.started(DiskFaults(household).environment.merging(["DISK_LOG": log]) { $1 })
        let begin = try DiskLog(log).records.count
        let reply = daemon.client().ask(operation.call)
        #expect(reply?.hasPrefix("{\"parameters\"") == true, "\(reply ?? "no reply")")
        _ = daemon.client().ask(call("Homework.AddNote", #"{"text":"after the operation"}"#))
        _ = daemon.end(SIGKILL)
        let records = try DiskLog(log).records
        let sent = try #require(records[begin...].firstIndex { $0.kind == .sent })
        var before = disk
        before.play(records[..<begin])
        return Recording(disk: before, records: records[begin...], acknowledged: sent)
    }

    @discardableResult private func kill(_ recording: Recording, _ end: Int, into place: Folder) throws -> String {
        var disk = recording.disk
        disk.play(recording.records[..<end])
        try disk.kill(into: place.path)
        return place.path
    }

    private func cut(_ recording: Recording, _ end: Int, _ dice: inout SplitMix64, into place: Folder) throws {
        var disk = recording.disk
        disk.play(recording.records[..<end])
        disk.dice = SplitMix64(seed: dice.next())
        try disk.cut(into: place.path)
    }

    /// The beginning of the history after the operation; nil if the operation does not change it.
    private func expected(_ operation: Operation, _ after: [Event], insteadOf old: [Event]) throws -> [Event]? {
        switch operation {
        case .backup: return nil
        case .restore: return zip(old, after).prefix { $0 == $1 }.map(\.0)
        case .erase, .eraseEverything: return try Array(after[...#require(after.lastIndex { $0.what.isErasure })])
        }
    }

    private func events(_ folder: String) throws -> [Event] {
        // Opening would begin a history if there was none.
        try #require(exists(folder + "/history.db"))
        let history = try History(at: folder + "/history.db")
        defer { try? history.close() }  // The copy is only read once.
        _ = try history.plan()
        try history.checkWhole()
        return try history.events()
    }

    /// The history that was replaced.
    private func keptAside(in place: Folder) throws -> [Event] {
        let copies = try FileManager.default.contentsOfDirectory(atPath: place["backups"])
        let kept = copies.filter { $0.hasPrefix("replaced-") && !$0.hasPrefix("replaced-night-") }
        let name = try #require(kept.first { $0.hasSuffix(".db") })
        return try History(at: place["backups/" + name]).events()
    }

    /// The copies. A file with a copy's name must be a whole one.
    private func wholeCopies(in place: Folder, _ note: Comment) throws -> [String] {
        guard try place.names.contains("backups") else { return [] }
        let copies = try FileManager.default.contentsOfDirectory(atPath: place["backups"])
        return copies.filter { copy in
            guard copy.hasSuffix(".db") else { return false }
            do { _ = try History.verify(at: place["backups/" + copy]) } catch {
                Issue.record("\(note): \(copy): \(error)")
            }
            return true
        }
    }
}

extension Happening {
    fileprivate var isErasure: Bool { if case .erased = self { true } else { false } }
}
