import DiskSupport
import Foundation
import Glibc
import HomeworkRules
import Storage
import TestSupport
import Testing
import TestingSupport
import Time
import UnixTestSupport

@testable import HomeworkDaemon
@testable import HomeworkHistory

/// A kill or a power cut during a migration leaves a whole history of the old or the new version; with the new one, there
/// is a whole copy of the old one.
@Suite(.hangGuard) struct MigrationCutsTests {
    @Test(arguments: 1..<Tables.version) func `after a kill or a power cut during a migration no event is lost`(
        version: Int
    ) throws {
        let household = Workload()
        let history = household.state + "/history.db"
        let fixture = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../History/Fixtures/version-\(version).db")
        try Data(contentsOf: fixture).write(to: URL(filePath: history))
        must(chmod(history, 0o600))
        let count = try #require(try History.verify(at: history))
        let before = try ForgetfulDisk(household.state, seed: 0)
        let log = household.folder["disk.log"]
        let daemon = try household.started(DiskFaults(household).environment.merging(["DISK_LOG": log]) { $1 })
        _ = daemon.end(SIGKILL)
        let records = try DiskLog(log).records

        let place = Folder()
        let seed = testSeed
        var dice = SplitMix64(seed: seed)
        var found: [Int: Int] = [:]
        var events: [Event] = []
        for end in 0...records.count {
            for isKill in [true] + Array(repeating: false, count: isThorough ? 20 : 1) {
                let note: Comment = "version \(version) \(isKill ? "killed" : "cut") at \(end), seed \(seed)"
                var disk = before
                disk.play(records[..<end])
                disk.dice = SplitMix64(seed: dice.next())
                if isKill { try disk.kill(into: place.path) } else { try disk.cut(into: place.path) }

                let now = try Self.version(of: place["history.db"])
                found[now, default: 0] += 1
                #expect(now == version || now == Tables.version, note)
                let copies = try copies(in: place)
                #expect(now == version || copies == ["before-version-\(Tables.version).db"], note)
                for copy in copies {
                    #expect(try Self.version(of: place["backups/" + copy]) == version, note)
                    #expect(try History.verify(at: place["backups/" + copy]) == count, note)
                }
                let all = try History(at: place["history.db"]).events()
                if events.isEmpty { events = all }
                #expect(all.count >= count && all.starts(with: events.prefix(count)), note)
            }
        }
        #expect(found[version] != nil && found[Tables.version] != nil)
        print("version \(version) brought up to date: found \(found)")
    }

    /// The version that SQLite reads, with the log. Reading does not migrate.
    private static func version(of path: String) throws -> Int {
        try SQLiteDatabase(path, .reading).number("PRAGMA user_version") ?? 0
    }

    /// The files with a copy's name.
    private func copies(in place: Folder) throws -> [String] {
        guard try place.names.contains("backups") else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: place["backups"]).filter { $0.hasSuffix(".db") }
    }
}
