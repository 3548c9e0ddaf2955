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

    /// A history that was copied from under a daemon, without its log.
    @Test func `a file without an event takes no history's place`() throws {
        try place.open().close()
        try FileManager.default.copyItem(atPath: place.path, toPath: copy)
        expectRefusal("It holds no event: copy a history that is in use with `daybreak backup`") {
            _ = try History.prepare(copy)
        }
    }

    /// Its export could not be restored.
    @Test func `an event that is longer than a line of an export takes no history's place`() throws {
        try place.record([OneOfEach.event(.snoozeEnded)])
        try place.beside { database in
            try database.execute(
                """
                \(Tables.allowChanges);
                UPDATE event SET body = '{"x":"' || printf('%.*c', \(SQLiteDatabase.longestBody), 'x') || '"}';
                \(Tables.neverChanged)
                """)
        }
        try FileManager.default.copyItem(atPath: place.path, toPath: copy)
        expectRefusal("Event 1 is longer than any that Daybreak writes") { _ = try History.prepare(copy) }
    }

    /// The history has no checksums. Its events never change, so every copy must be equal to its beginning.
    @Test func `a changed event is found by comparing with an earlier copy`() throws {
        let history = try place.open()
        try history.record(OneOfEach.events)
        try history.backUp(to: copy)
        try history.record(OneOfEach.events)
        #expect(try History.firstDifference(of: place.path, from: copy) == nil)
        try place.beside { database in
            try database.execute(
                "\(Tables.allowChanges); UPDATE event SET minute = 7 WHERE seq = 5; \(Tables.neverChanged)")
        }
        #expect(try History.firstDifference(of: place.path, from: copy) == 5)
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

    /// The night of a damaged history may be the last sound copy of it.
    @Test func `nights that are set aside take no other copy's name`() throws {
        let backups = Backups(of: place.path)
        for number in UInt8(1)...3 {
            write([number], to: try backups.path("night-2027-03-05.db"))
            var moved: [(path: String, aside: String)] = []
            try backups.setNightsAside(&moved)
            #expect(moved.count == 1)
        }
        for (name, number) in [("", UInt8(1)), ("-2", 2), ("-3", 3)] {
            #expect(contents(try backups.path("replaced-night-2027-03-05\(name).db")) == [number])
        }
    }

    @Test func `of one day, seven nights are set aside: the first six and the newest`() throws {
        let backups = Backups(of: place.path)
        for number in UInt8(1)...9 {
            write([number], to: try backups.path("night-2027-03-05.db"))
            var moved: [(path: String, aside: String)] = []
            try backups.setNightsAside(&moved)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: place.folder + "/backups").sorted()
        #expect(
            names == ["-2", "-3", "-4", "-5", "-6", "-7", ""].map { "replaced-night-2027-03-05\($0).db" })
        for (name, number) in [("", UInt8(1)), ("-6", 6), ("-7", 9)] {
            #expect(contents(try backups.path("replaced-night-2027-03-05\(name).db")) == [number])
        }
    }

    @Test func `nights of later days go first, so that a night of today is kept by a clock that was set back`() throws {
        let backups = Backups(of: place.path)
        for day in 1...7 { write([1], to: try backups.path("night-2027-04-0\(day).db")) }
        write([2], to: try backups.path("night-2027-03-05.db"))
        backups.removeOld(on: "2027-03-05", at: Self.now)
        let kept = try FileManager.default.contentsOfDirectory(atPath: place.folder + "/backups").sorted()
        #expect(kept == ["night-2027-03-05.db"] + (2...7).map { "night-2027-04-0\($0).db" })
    }

    @Test func `the history that was just replaced is kept, whatever its day`() throws {
        let backups = Backups(of: place.path)
        for day in 1...8 { write([1], to: try backups.path("replaced-2027-03-0\(day)-1.db")) }
        let newest = try backups.path("replaced-2026-12-01-1.db")
        write([2], to: newest)
        backups.removeOldReplaced(keeping: newest)
        let kept = try FileManager.default.contentsOfDirectory(atPath: place.folder + "/backups").sorted()
        #expect(kept == ["replaced-2026-12-01-1.db"] + (3...8).map { "replaced-2027-03-0\($0)-1.db" })
    }

    @Test func `of a day's replaced histories the first one stays, however many follow`() throws {
        let backups = Backups(of: place.path)
        let names = (1...9).map { "replaced-2027-03-05-\($0).db" }
        for name in ["replaced-2027-03-04-1.db"] + names {
            write([1], to: try backups.path(name))
            backups.removeOldReplaced(keeping: try backups.path(name))
        }
        let kept = try FileManager.default.contentsOfDirectory(atPath: place.folder + "/backups").sorted()
        #expect(kept == ["replaced-2027-03-04-1.db", names[0]] + names[4...])
    }

    private static let now: Int64 = 1_804_237_200_000_000

    private func lay(_ name: String, in backups: Backups, secondsAgo seconds: Int) throws {
        let path = try backups.path(name)
        write([1], to: path)
        let date = Date(timeIntervalSince1970: TimeInterval(Self.now / 1_000_000 - Int64(seconds)))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    /// A client copies the file that it restores, and its call may wait until a night's copy is made.
    @Test
    func `a night leaves the draft of a restore that is about to be carried out, and a copy that is being fetched`()
        throws
    {
        let backups = Backups(of: place.path)
        let names = ["asked-1.db", "restore-2", "restore-2.wal"]
        for name in names { try lay(name, in: backups, secondsAgo: 3_600) }
        backups.removeOld(on: "2027-03-05", at: Self.now)
        let kept = try FileManager.default.contentsOfDirectory(atPath: place.folder + "/backups").sorted()
        #expect(kept == names)
    }

    @Test func `seven nightly copies are kept, and unfetched copies are removed`() throws {
        let backups = Backups(of: place.path)
        for day in 1...9 { write([1], to: try backups.path("replaced-night-2027-02-0\(day).db")) }
        for day in 1...9 { write([1], to: try backups.path("night-2027-03-0\(day).db")) }
        for name in ["asked-1.db", "restore-2", "restore-2.wal", "before-version-2.db"] {
            try lay(name, in: backups, secondsAgo: 3_601)
        }
        for day in 1...9 { write([1], to: try backups.path("replaced-2027-03-0\(day)-1.db")) }
        for day in [2, 9] { write([1], to: try backups.path("replaced-2027-03-0\(day)-1.db-wal")) }
        backups.removeOld(at: Self.now)
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
