import Files
import Glibc

/// The write-ahead log of a database ("Database File Format", 4). It is read without SQLite, which silently takes the first
/// damaged frame for the log's end.
public struct WriteAheadLog {
    /// With its last bit, the checksums are of big-endian words.
    private static let magic = 0x377F_0682
    private static let headerLength = 32
    private static let frameHeaderLength = 24
    /// How many frames are read at once.
    private static let slice = 256

    private let path: String
    private let salts: ArraySlice<UInt8>
    private let pageSize: Int
    private let isBigEndian: Bool
    private let isHeaderSound: Bool
    private let checksum: Checksum

    /// True if the log of that database holds a commit that is damaged and was durable: a later commit follows it.
    ///
    /// A power cut leaves damaged frames, too, but only in the last commit, because each commit is synced before the next one is
    /// written. If only the last commit is damaged, the answer is therefore false. The header is synced before any frame: behind
    /// a damaged one, each commit that is still whole is lost. A power cut moves no bytes: a frame that stands where none
    /// begins was moved by bytes that are missing before it, or too many.
    public static func hasLostCommit(of database: String) throws -> Bool {
        guard let log = try WriteAheadLog(of: database) else { return false }
        switch try log.state() {
        case .whole: return false
        case .lost: return true
        case .broken(let offset): return try log.isHeaderSound ? log.hasMovedFrame(from: offset) : log.hasMovedCommit()
        }
    }

    /// The log as it is if every frame stands in its place.
    private enum State {
        case whole, lost
        /// No commit is known to be lost. The first frame that is not valid begins there.
        case broken(at: Int)
    }

    /// Nil if there is no log, or it has no frames.
    private init?(of database: String) throws {
        path = database + "-wal"
        guard try File.size(of: path) > Self.headerLength else { return nil }
        let header = try File.prefix(Self.headerLength, of: path)
        let magic = Self.number(header[0..<4])
        let saysBigEndian = magic & 1 == 1
        salts = header[16..<24]
        checksum = Checksum(header[24...])
        isHeaderSound =
            magic & ~1 == Self.magic && Checksum().adding(header[..<24], saysBigEndian) == checksum
        isBigEndian = isHeaderSound ? saysBigEndian : Int(bigEndian: 1) == 1
        let size = Self.number(header[8..<12])
        pageSize = isHeaderSound && (512...65_536).contains(size) ? size : 4_096
    }

    private func state() throws -> State {
        var broken = isHeaderSound ? nil : Self.headerLength
        var hasBrokenCommit = false
        var last = checksum
        let length = Self.frameHeaderLength + pageSize
        var offset = Self.headerLength
        while case let bytes = try File.piece(of: path, from: offset, count: length * Self.slice), bytes.count >= length
        {
            // A file that is made longer without writing has a hole, which may be as long as a file can be.
            guard let data = try File.data(in: path, from: offset) else { return .broken(at: broken ?? offset) }
            if data >= offset + bytes.count {
                broken = broken ?? offset
                last = Checksum()
                offset += (data - offset) / length * length
                continue
            }
            for begin in stride(from: 0, through: bytes.count - length, by: length) {
                let frame = bytes[begin..<begin + length]
                // The salts of a damaged header may be wrong. The chain of the checksums tells the frames of one log.
                let isOurs = !isHeaderSound || frame[begin + 8..<begin + 16].elementsEqual(salts)
                let isCommit = isOurs && Self.number(frame[begin + 4..<begin + 8]) != 0
                let found = Checksum(frame[begin + 16..<begin + 24])
                let isValid = isOurs && found == last.adding(frame, isBigEndian, isFrame: true)
                if isValid, hasBrokenCommit || isCommit && !isHeaderSound { return .lost }
                if !isValid, broken == nil { broken = offset + begin }
                if broken != nil, isCommit { hasBrokenCommit = true }
                last = found  // Also of a damaged frame: the next one was computed from it.
            }
            offset += bytes.count / length * length
        }
        return broken.map(State.broken) ?? .whole
    }

    /// True if the salts of this log stand behind that offset where no frame has them. No text repeats them: they are random.
    private func hasMovedFrame(from offset: Int) throws -> Bool {
        let (length, salts) = (Self.frameHeaderLength + pageSize, Array(salts))
        var begin = offset
        while let data = try File.data(in: path, from: begin) {
            begin = max(begin, data - salts.count)
            let bytes = try File.piece(of: path, from: begin, count: Self.searched)
            guard bytes.count >= salts.count else { return false }
            for place in Self.places(of: salts, in: bytes) where (begin + place - Self.headerLength - 8) % length != 0 {
                return true
            }
            begin += bytes.count - salts.count + 1
        }
        return false
    }

    private static let searched = 1 << 20

    private static func places(of part: [UInt8], in bytes: [UInt8]) -> [Int] {
        bytes.withUnsafeBytes { bytes in
            part.withUnsafeBytes { part in
                let first = part[0]
                return (0...bytes.count - part.count).filter { place in
                    bytes[place] == first
                        && memcmp(bytes.baseAddress! + place, part.baseAddress!, part.count) == 0  // Neither is empty.
                }
            }
        }
    }

    /// Behind a header that is damaged, nobody knows the salts. But two frames of one log repeat them, and the second frame's
    /// checksum follows from the first one's. True if the second is a whole commit.
    private func hasMovedCommit() throws -> Bool {
        let length = Self.frameHeaderLength + pageSize
        let bytes = try File.prefix(5 * length, of: path)
        guard bytes.count >= 2 * length else { return false }
        for begin in 0...bytes.count - 2 * length {
            let (salts, next) = (bytes[begin + 8..<begin + 16], begin + length)
            guard Set(salts).count > 2, salts.elementsEqual(bytes[next + 8..<next + 16]),
                Self.number(bytes[next + 4..<next + 8]) != 0
            else { continue }
            let frame = bytes[next..<next + length]
            let found = Checksum(frame[next + 16..<next + 24])
            for isBigEndian in [false, true]
            where Checksum(bytes[begin + 16..<begin + 24]).adding(frame, isBigEndian, isFrame: true) == found {
                return true
            }
        }
        return false
    }

    fileprivate static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

/// The two sums of the log's checksums.
private struct Checksum: Equatable {
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init() {}

    init(_ bytes: ArraySlice<UInt8>) {
        first = UInt32(truncatingIfNeeded: WriteAheadLog.number(bytes.prefix(4)))
        second = UInt32(truncatingIfNeeded: WriteAheadLog.number(bytes.dropFirst(4).prefix(4)))
    }

    /// - Parameter isFrame: of a frame's header, only the first eight bytes count.
    func adding(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool, isFrame: Bool = false) -> Checksum {
        var sum = self
        bytes.withUnsafeBytes { bytes in
            func word(_ offset: Int) -> UInt32 {
                let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
            }
            for offset in stride(from: 0, through: bytes.count - 8, by: 8) where !(isFrame && (8..<24).contains(offset))
            {
                sum.first &+= word(offset) &+ sum.second
                sum.second &+= word(offset + 4) &+ sum.first
            }
        }
        return sum
    }
}
