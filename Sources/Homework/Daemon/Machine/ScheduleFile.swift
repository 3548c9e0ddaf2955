import DaybreakInterfaces
import Glibc
import HomeworkRules
import Time

/// The watched schedule file as it is at one instant.
enum ScheduleFile {
    case missing
    /// Its text is the one that was looked at before.
    case known
    case sound(Schedule, Fingerprint)
    /// The sentence says where and why, with its full stop; it carries no mood, since the journal hears of it.
    case faulty(String, Fingerprint)
    /// The machine would not give it, which says nothing of what is in it: that passes, or is mended. Why, without a full stop.
    case unreadable(String)

    /// A text that is known is not read as a schedule again: to start takes no longer for what lies there unchanged.
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
    /// FNV-1a, 64 bits, and the length: enough to tell one saved text from the next; not against forgery.
    init(of bytes: [UInt8]) {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        self.init("\(bytes.count)-" + String(hash, radix: 16))
    }
}
