import Foundation
import GRDB
import GRDBSQLite
import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkHistory

/// A start reads the events from the file's own pages. SQL says what stands there.
struct PagesTests {
    let place = TemporaryHistory()

    /// Notes and choices from none to some pages long, so that cells of every length are there.
    private func long(_ count: Int) -> [Event] {
        var random = SplitMix64(seed: UInt64(count))
        return (1...count).map { number in
            let length = Int.random(in: 1...9, using: &random) > 7 ? number * 37 % 20_000 : number % 300
            let words = (1...max(1, length / 400)).map { Mood("\($0) " + String(repeating: "é", count: 40)) }
            let note = Note(recorded: String(repeating: "ä", count: length))
            return OneOfEach.event(
                number % 3 == 0 ? .assigned(.sample("\(number)", moods: words)) : .noteWritten(nil, note),
                number: Int.random(in: 0...1_000_000_000, using: &random))
        }
    }

    private func expectSame(_ history: History, _ location: SourceLocation = #_sourceLocation) throws {
        var read: [Event] = []
        #expect(try history.eachInPages { read.append($0) }, sourceLocation: location)
        let isSame = try read == history.events()
        #expect(isSame, sourceLocation: location)
    }

    @Test func `the pages hold every kind of event, as SQL reads it`() throws {
        for _ in 1...40 { try place.record(OneOfEach.events) }
        try expectSame(place.open())
    }

    @Test(arguments: [(512, 0), (1_024, 0), (4_096, 16), (65_536, 0)])
    func `what overflows a page is read on, whatever a page has room for`(size: Int, reserved: CInt) throws {
        try place.record(OneOfEach.events + long(300))
        try place.beside { database in
            var reserved = reserved
            try database.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA page_size = \(size)")
            sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved)
            try database.execute(sql: "VACUUM; PRAGMA journal_mode = WAL")
        }
        #expect(try place.shell("PRAGMA page_size") == "\(size)")
        #expect(try #require(contents(place.path))[20] == UInt8(reserved))
        try expectSame(place.open())
    }

    @Test(arguments: [1, 2])
    func `rows from before a column was added end earlier`(version: Int) throws {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Fixtures/version-\(version).db")
        write(try Array(Data(contentsOf: fixture)), to: place.path)
        try place.open().close()  // What brings it up to date stands in the log.
        try expectSame(place.open())
    }

    @Test func `an empty history has no event on its pages`() throws { try expectSame(place.open()) }

    @Test func `while the log holds something, SQL has the word`() throws {
        try place.record([OneOfEach.event(.moodLogged("1", "early"))])
        let history = try place.open()
        try place.beside { database in
            try database.execute(sql: "DROP TRIGGER event_is_never_changed; UPDATE event SET mood = 'late'")
        }
        #expect(try history.eachInPages { _ in } == false)
        #expect(try history.plan().progress["1"]?.mood == "late")
    }

    @Test func `a text where the table has numbers is no record of ours`() throws {
        let head = Column.allCases.map { $0 == .minute ? UInt8(13 + 2 * 2) : 0 }
        let bytes = [UInt8(head.count + 1)] + head + Array("ab".utf8)
        var row = PageRow()
        let refused = bytes.withUnsafeBytes { bytes in refusal { try row.stand(on: bytes, numbered: 1) } }
        #expect(refused == "Unreadable()")
    }

    @Test func `a page that is said to be in the table twice is not read`() throws {
        var head = [UInt8](repeating: 0, count: 512)
        (head[16], head[59]) = (2, 1)  // Pages of 512 bytes, text in UTF-8.
        // One cell that leads to the third page, which is also the last one that it leads to.
        let fork: [UInt8] = [5, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 0, 14, 0, 0, 0, 3, 1]
        let emptyLeaf: [UInt8] = [13]
        let file = head + [fork, emptyLeaf].flatMap { $0 + [UInt8](repeating: 0, count: 512 - $0.count) }
        let pages = try TablePages(length: file.count) { room, offset in
            room.copyBytes(from: file[offset..<offset + room.count])
            return true
        }
        #expect(refusal { try pages.each(from: 2) { _, _ in } } == "Unreadable()")
    }

    /// Wherever a bit tips over: the pages say the same as SQL, or leave it the word.
    @Test func `damaged pages are never read in another way than by SQL`() throws {
        for _ in 1...3 { try place.record(OneOfEach.events) }
        try place.record(long(20))
        let sound = try #require(contents(place.path))
        var random = SplitMix64(seed: 7)
        var counts: [String: Int] = [:]
        for _ in 1...600 {
            var bytes = sound
            for _ in 0...Int.random(in: 0...2, using: &random) {
                bytes[Int.random(in: 100..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            write(bytes, to: place.path)
            // Some no longer open.
            guard let history = try? place.open() else { continue }
            var read: [Event] = []
            guard (try? history.eachInPages { read.append($0) }) == true else {
                counts["left to SQL", default: 0] += 1
                continue
            }
            counts["read", default: 0] += 1
            let told = try? history.events()
            if told != read { counts["another", default: 0] += 1 }
        }
        #expect(counts["another"] == nil)
        #expect(counts["read", default: 0] > 100)
        #expect(counts["left to SQL", default: 0] > 20)
    }
}
