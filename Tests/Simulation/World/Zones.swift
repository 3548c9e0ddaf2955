import Glibc
import HomeworkRules
import TestSupport
import Time

/// The world's zones from this machine's zone data (RFC 8536), read without glibc.
enum Zones {
    private static let folder = "/usr/share/zoneinfo"

    /// The names of all zones in which people live.
    static let names: [String] = text(of: "\(folder)/zone1970.tab").split(separator: "\n").compactMap { line in
        line.hasPrefix("#") ? nil : line.split(separator: "\t").dropFirst(2).first.map(String.init)
    }

    /// The zones with a skipped or repeated hour at midnight or near it, or with a change of other than an hour.
    static let strange = [
        "Africa/Cairo", "America/Havana", "America/Santiago", "Asia/Beirut", "Atlantic/Azores", "America/Nuuk",
        "America/Asuncion", "Africa/Casablanca", "Australia/Lord_Howe", "Antarctica/Troll", "Asia/Gaza",
    ]

    /// The years of each zone. Earlier times have the offset of their beginning.
    private static let years = (
        begin: VirtualClock.instant("2026-01-01", "00:00"), end: VirtualClock.instant("2031-01-01", "00:00")
    )

    static func named(_ name: String) -> VirtualZone {
        var reader = Reader(bytes: bytes(of: "\(folder)/\(name)"))
        let changes = reader.changes()
        let past = changes.last { $0.at <= years.begin } ?? changes[0]
        var zone = VirtualZone(past.ahead, name: name)
        for change in changes where change.at > years.begin && change.at < years.end {
            zone.change(at: change.at, to: change.ahead)
        }
        return zone
    }

    private struct Reader {
        let bytes: [UInt8]
        private var offset = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        /// The changes of the offset. The first one has always been so.
        mutating func changes() -> [(at: Instant, ahead: Duration)] {
            let old = header()
            // The data of version 1 has times of four bytes; that of version 2 follows, with eight.
            offset += old.times * 5 + old.types * 6 + old.characters + old.leaps * 8 + old.indicators
            let counts = header()
            let times = (0..<counts.times).map { _ in number(8) }
            let types = (0..<counts.times).map { _ in number(1) }
            let ahead = (0..<counts.types).map { _ in
                let seconds = number(4)
                offset += 2
                return Duration.seconds(seconds)
            }
            let first = (at: Instant(microseconds: .min), ahead: ahead[0])
            return [first] + zip(times, types).map { (Instant(microseconds: Int64($0) * 1_000_000), ahead[$1]) }
        }

        private mutating func header() -> (times: Int, types: Int, characters: Int, leaps: Int, indicators: Int) {
            let isKnown = bytes[offset...].starts(with: "TZif".utf8) && bytes[offset + 4] >= UInt8(ascii: "2")
            precondition(isKnown, "zone data as RFC 8536 has it")
            offset += 20
            let (utc, standard, leaps) = (number(4), number(4), number(4))
            let (times, types, characters) = (number(4), number(4), number(4))
            return (times, types, characters, leaps, utc + standard)
        }

        /// Big-endian, in two's complement.
        private mutating func number(_ length: Int) -> Int {
            defer { offset += length }
            let first = length == 1 ? Int(bytes[offset]) : Int(Int8(bitPattern: bytes[offset]))
            return bytes[(offset + 1)..<(offset + length)].reduce(first) { $0 << 8 | Int($1) }
        }
    }

    private static func text(of path: String) -> String { String(decoding: bytes(of: path), as: UTF8.self) }

    private static func bytes(of path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { preconditionFailure("\(path): the world needs the package tzdata") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte >= 0 { bytes.append(UInt8(byte)) }
        return bytes
    }
}
