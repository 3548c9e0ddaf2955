import DaybreakInterfaces
import Glibc
import HomeworkRules
import Time

/// The watched schedule file as it is at one instant.
enum ScheduleFile {
    case missing
    /// Its text is the one that was read before.
    case known
    case sound(Schedule, Fingerprint)
    /// The sentence says where and why, with its full stop. It names no mood, because it is written to the journal.
    case faulty(String, Fingerprint)
    /// The machine refused to read it, perhaps for a while; the content is unknown. The reason has no full stop.
    case unreadable(String)

    var isMissing: Bool { if case .missing = self { true } else { false } }
    var isUnreadable: Bool { if case .unreadable = self { true } else { false } }

    /// A text with the fingerprint `known` is not parsed again, so an unchanged file does not slow the start.
    static func read(_ path: String, patterns: PatternBook = .standard, known: Fingerprint? = nil) -> ScheduleFile {
        let bytes: [UInt8]
        do {
            guard let found = try WrittenFile.contents(of: path, limit: Schedule.byteLimit) else { return .missing }
            bytes = found
        } catch {
            switch error {
            case .denied(let reason): return .unreadable("\(path) cannot be read: \(String(cString: strerror(reason)))")
            case .link: return .unreadable("\(path) \(WrittenFile.isBroken)")
            case .noFile(let reason):
                let fingerprint = Fingerprint(reason)
                return fingerprint == known ? .known : .faulty("\(path): \(reason)", fingerprint)
            }
        }
        let fingerprint = Fingerprint(of: bytes)
        guard fingerprint != known else { return .known }
        do {
            return .sound(try ScheduleReader.read(bytes, patterns: patterns), fingerprint)
        } catch {
            let entry = error.entry.map { " entry \($0):" } ?? ""
            let place = "\(path):\(error.line):\(error.column):\(entry)"
            let stop = error.reason.hasSuffix(".") ? "" : "."
            return .faulty("\(place) \(error.reason)\(stop)", fingerprint)
        }
    }
}

extension Fingerprint {
    /// FNV-1a, 64 bits, and the length: enough to tell one saved text from the next, though not from a forged one.
    init(of bytes: [UInt8]) {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        self.init("\(bytes.count)-" + String(hash, radix: 16))
    }
}
