import Files
import Foundation
import Glibc
import HomeworkRules
import Storage
import TestSupport
import Testing
import TestingSupport
import Time

@testable import HomeworkHistory

/// Copies of a history: whole, compared with it, and removed in time.
@Suite(.hangGuard) struct CopyingTests {
    let place = TemporaryHistory()
    private var copy: String { place.folder + "/copy.db" }

    @Test func `a copy has every event and mode 0600, and replaces an earlier copy`() throws {
        let history = try place.open()
        try history.record(OneOfEach.events)
        try history.backUp(to: copy)
        try history.backUp(to: copy)
        #expect(mode(copy) == "600")
        #expect(mode(copy + ".new") == "nothing")
        #expect(try History.prepare(copy).eventCount == OneOfEach.events.count)
        #expect(try History(at: copy).events() == OneOfEach.events)
    }

    /// The history has no checksums. Its events never change, so every copy must be equal to its beginning.
    @Test func `a changed event is found by comparing with an earlier copy`() throws {
        let history = try place.open()
        try history.record(OneOfEach.events)
        try history.backUp(to: copy)
        try history.record(OneOfEach.events)
        #expect(try history.firstDifference(from: copy) == nil)
        try place.beside { database in
            try database.execute(
                "\(Tables.allowChanges); UPDATE event SET minute = 7 WHERE seq = 5; \(Tables.neverChanged)")
        }
        #expect(try history.firstDifference(from: copy) == 5)
        try history.record(OneOfEach.events)
    }

    /// Runs until some copies were made, and the link was found as often.
    @Test(arguments: ["", ".new"], [false, true])
    func `swapping a copy for a link writes nothing elsewhere`(
        ending: String, isExport: Bool
    ) throws {
        let history = try place.open()
        try history.record(OneOfEach.events)
        let (victim, done) = (place.folder + "/victim", place.folder + "/done")
        try Data("precious".utf8).write(to: URL(filePath: victim))
        let swapped = copy + ending
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var isHard = false
            while access(done, F_OK) != 0 {
                unlink(swapped)
                _ = isHard ? link(victim, swapped) : symlink(victim, swapped)
                isHard.toggle()
                usleep(200)
            }
            ended.signal()
        }
        var (made, met) = (0, 0)
        while made + met < 100 || met < 20 {
            do {
                if isExport { try history.export(to: copy) } else { try history.backUp(to: copy) }
                made += 1
            } catch { met += 1 }
            var seen = stat()
            met += lstat(swapped, &seen) == 0 && seen.st_mode & S_IFMT == S_IFLNK ? 1 : 0
        }
        try Data().write(to: URL(filePath: done))
        ended.wait()
        #expect(try Data(contentsOf: URL(filePath: victim)) == Data("precious".utf8))
    }

    @Test func `seven nightly copies are kept, and unfetched copies are removed`() throws {
        let backups = Backups(of: place.path)
        for day in 1...9 { write([1], to: try backups.path("replaced-night-2027-02-0\(day).db")) }
        for day in 1...9 { write([1], to: try backups.path("night-2027-03-0\(day).db")) }
        for name in ["asked-1.db", "restore-2", "before-version-2.db"] { write([1], to: try backups.path(name)) }
        for day in 1...9 { write([1], to: try backups.path("replaced-2027-03-0\(day)-1.db")) }
        for day in [2, 9] { write([1], to: try backups.path("replaced-2027-03-0\(day)-1.db-wal")) }
        backups.removeOld()
        let kept = try FileManager.default.contentsOfDirectory(atPath: place.folder + "/backups").sorted()
        #expect(
            kept == ["before-version-2.db"] + (3...9).map { "night-2027-03-0\($0).db" }
                + (3...9).map { "replaced-2027-03-0\($0)-1.db" } + ["replaced-2027-03-09-1.db-wal"]
                + (3...9).map { "replaced-night-2027-02-0\($0).db" })
        #expect(backups.nights.last == place.folder + "/backups/night-2027-03-09.db")
        try backups.removeAll()
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder + "/backups") == [])
    }
}
