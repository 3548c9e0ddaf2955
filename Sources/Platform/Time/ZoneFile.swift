/// Bytes that are no zone file, and why.
public struct ZoneFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Part of a sentence: `it ends in the middle of its header`.
    public let reason: String

    /// `no zone file (RFC 9636): it ends in the middle of its header`.
    public var description: String { "no zone file (RFC 9636): \(reason)" }
}

/// Reads a TZif file of version 2 or later (RFC 9636, section 3): its second, 64-bit block and its footer.
struct ZoneFileReader {
    struct Contents {
        let first: Int
        let transitions: [Zone.Transition]
        let rule: ZoneRule?
    }

    private struct Counts {
        let universal, standard, leap, times, types, characters: Int
    }

    /// No real zone has a thousand transitions. A file with more than this limit is refused.
    private static let limit = 10_000

    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func read() throws(ZoneFileError) -> Contents {
        let old = try header()
        try skip(block(old, timeSize: 4))
        let counts = try header()
        guard counts.leap == 0 else { throw ZoneFileError(reason: "it counts leap seconds, as POSIX time does not") }
        guard counts.types > 0 else { throw ZoneFileError(reason: "it has no type of local time") }
        var times: [Int64] = []
        for _ in 0..<counts.times { times.append(try number(8)) }
        guard zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw ZoneFileError(reason: "its transitions are out of order")
        }
        var indices: [Int] = []
        for _ in 0..<counts.times { indices.append(Int(UInt8(truncatingIfNeeded: try number(1)))) }
        var offsets: [Int] = []
        for _ in 0..<counts.types {
            offsets.append(Int(try number(4)))
            try skip(2)
        }
        guard indices.allSatisfy({ $0 < offsets.count }) else {
            throw ZoneFileError(reason: "a transition leads to a type that there is not")
        }
        guard offsets.allSatisfy({ (-93_599...93_599).contains($0) }) else {
            throw ZoneFileError(reason: "an offset is of more than 26 hours")
        }
        try skip(counts.characters + counts.leap * 12 + counts.standard + counts.universal)
        let transitions = zip(times, indices).map { Zone.Transition(at: $0, offset: offsets[$1]) }
        return Contents(first: offsets[0], transitions: transitions, rule: try footer())
    }

    private mutating func header() throws(ZoneFileError) -> Counts {
        guard place + 44 <= bytes.count else { throw ZoneFileError(reason: "it ends in the middle of its header") }
        guard bytes[place..<place + 4].elementsEqual("TZif".utf8) else {
            throw ZoneFileError(reason: "it does not begin with TZif")
        }
        guard bytes[place + 4] >= UInt8(ascii: "2") else {
            throw ZoneFileError(reason: "it is of version 1, which ends in 2038")
        }
        place += 20
        var counts: [Int] = []
        for _ in 0..<6 { counts.append(Int(try number(4))) }
        guard counts.allSatisfy({ (0...Self.limit).contains($0) }) else {
            throw ZoneFileError(reason: "it has more than \(Self.limit) of something")
        }
        return Counts(
            universal: counts[0], standard: counts[1], leap: counts[2], times: counts[3], types: counts[4],
            characters: counts[5])
    }

    private func block(_ counts: Counts, timeSize: Int) -> Int {
        counts.times * (timeSize + 1) + counts.types * 6 + counts.characters + counts.leap * (timeSize + 4)
            + counts.standard + counts.universal
    }

    /// A line with a POSIX TZ string, or nothing.
    private mutating func footer() throws(ZoneFileError) -> ZoneRule? {
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\n"),
            let end = bytes[(place + 1)...].firstIndex(of: UInt8(ascii: "\n"))
        else { throw ZoneFileError(reason: "its footer is missing") }
        let text = bytes[place + 1..<end]
        guard !text.isEmpty else { return nil }
        guard let rule = ZoneRule(text) else { throw ZoneFileError(reason: "its footer is no POSIX TZ string") }
        return rule
    }

    private mutating func skip(_ count: Int) throws(ZoneFileError) {
        guard place + count <= bytes.count else { throw ZoneFileError(reason: "it ends too early") }
        place += count
    }

    /// Big-endian, with a sign.
    private mutating func number(_ size: Int) throws(ZoneFileError) -> Int64 {
        let start = place
        try skip(size)
        var number = Int64(Int8(bitPattern: bytes[start]))
        for byte in bytes[start + 1..<start + size] { number = number << 8 | Int64(byte) }
        return number
    }
}
