import Files
import Glibc
import Storage
import Testing

/// SQLite takes the first damaged frame of a log for its end: the commits behind it vanish silently.
struct WriteAheadLogTests {
    private let place = TemporaryDatabase()
    private static let frame = 24 + 4_096

    /// A log of six commits, of one frame each but the fourth, which has about a dozen.
    private func log() throws -> [UInt8] {
        let database = try place.openWords()
        try #require(try database.keepLog())
        try database.emptyLog()
        for count in 1...6 { try database.add(String(repeating: "a", count: count == 4 ? 50_000 : 10)) }
        try database.close(keepingLog: true)
        return try File.prefix(1 << 20, of: place.path + "-wal")
    }

    private func isLost(_ log: [UInt8]) throws -> Bool {
        unlink(place.path + "-wal")
        try NewFile(at: place.path + "-wal").write(log)
        return try WriteAheadLog.hasLostCommit(of: place.path)
    }

    @Test func `a flipped bit in a commit that is not the last one is found`() throws {
        let log = try log()
        let frames = (log.count - 32) / Self.frame
        try #require(frames > 10)
        #expect(try !isLost(log))
        for number in 0..<frames - 1 {
            for offset in [0, 16, 20, 24, 2_000, Self.frame - 1] {
                var flipped = log
                flipped[32 + number * Self.frame + offset] ^= 4
                // The last but one is also found, because the last one is valid behind it.
                let isFound = try isLost(flipped)
                #expect(isFound == (number < frames - 2 || offset != 16 && offset != 20), "\(number) \(offset)")
            }
        }
    }

    /// The salts are in the bytes 16 to 23: without them, no frame seems to belong to the log.
    @Test func `a flipped bit in any byte of the header is found, also before a single commit`() throws {
        let log = try log()
        for offset in 0..<32 {
            for log in [log, Array(log[..<(32 + Self.frame)])] {
                var flipped = log
                flipped[offset] ^= 1
                // Where the header's own checksum is wrong, one frame alone cannot be told from garbage.
                let isFound = try isLost(flipped)
                #expect(isFound == (offset < 24 || log.count > 32 + Self.frame), "\(offset) \(log.count)")
            }
        }
    }

    /// No power cut moves bytes. Where the last frame alone is shorter, it may be torn.
    @Test(arguments: [1, 7, 10, 4_096, WriteAheadLogTests.frame, WriteAheadLogTests.frame + 8])
    func `bytes that are missing from the middle are found`(count: Int) throws {
        let log = try log()
        let frames = (log.count - 32) / Self.frame
        for begin in [0, 5, 20, 32, 40, 60, 1_000, 32 + Self.frame, 32 + 3 * Self.frame + 100] {
            var cut = log
            cut.removeSubrange(begin..<begin + count)
            #expect(try isLost(cut), "\(begin)")
        }
        var cut = log
        let begin = 32 + (frames - 2) * Self.frame + 100
        cut.removeSubrange(begin..<begin + min(count, 4_000))
        #expect(try isLost(cut))
    }

    @Test(arguments: [1, 7, 10, 4_096, WriteAheadLogTests.frame, WriteAheadLogTests.frame + 8], [0, 255] as [UInt8])
    func `bytes that are too many in the middle are found`(count: Int, byte: UInt8) throws {
        let log = try log()
        for begin in [0, 5, 20, 32, 40, 60, 1_000, 32 + Self.frame, 32 + 3 * Self.frame + 100] {
            var longer = log
            longer.insert(contentsOf: [UInt8](repeating: byte, count: count), at: begin)
            #expect(try isLost(longer), "\(begin)")
        }
    }

    @Test(arguments: [32, 512, 4_096]) func `a log whose beginning is zeroed has lost its commits`(count: Int) throws {
        var log = try log()
        for index in 0..<count { log[index] = 0 }
        #expect(try isLost(log))
    }

    @Test func `a file that is no log has lost no commit`() throws {
        _ = try log()
        for byte in [0, 120, 255] as [UInt8] { #expect(try !isLost([UInt8](repeating: byte, count: 100_000))) }
    }

    @Test func `the torn end of a log, which a power cut leaves, is no lost commit`() throws {
        let log = try log()
        for count in stride(from: 0, through: log.count, by: 513) { #expect(try !isLost(Array(log[..<count]))) }
        var torn = log
        for index in torn.count - 600..<torn.count - 100 { torn[index] = 0 }
        #expect(try !isLost(torn))
    }

    /// The pages of one commit reach the disk in any order.
    @Test func `a gap within the last commit is no lost commit`() throws {
        let log = try log()
        let frames = (log.count - 32) / Self.frame
        var torn = Array(log[..<(log.count - 2 * Self.frame)])
        let begin = 32 + 5 * Self.frame
        try #require(frames > 12)
        for index in begin..<begin + Self.frame { torn[index] = 0 }
        #expect(try !isLost(torn))
    }

    @Test func `frames of an earlier log behind the end are no lost commit`() throws {
        let database = try place.openWords()
        try #require(try database.keepLog())
        for _ in 1...6 { try database.add("a") }
        try database.execute("PRAGMA wal_checkpoint(RESTART)")
        try database.add("b")
        try database.close(keepingLog: true)
        #expect(try !WriteAheadLog.hasLostCommit(of: place.path))
    }

    /// A hole takes no room on the disk, and would take an hour to read.
    @Test func `a hole of a terabyte behind the frames is not read, and a frame behind it is found`() throws {
        let log = try log()
        #expect(try !isLost(log))
        try #require(truncate(place.path + "-wal", 1 << 40) == 0)
        #expect(try !WriteAheadLog.hasLostCommit(of: place.path))
        // Nine bytes before a place where a frame would begin.
        let place = place.path + "-wal"
        try #require(truncate(place, off_t(32 + (1 << 28) * Self.frame - 9)) == 0)
        try File.append(Array(log[32..<32 + Self.frame]), to: place)
        #expect(try WriteAheadLog.hasLostCommit(of: self.place.path))
    }
}
