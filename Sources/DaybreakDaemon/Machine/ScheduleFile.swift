import Control
import Glibc
import Homework

/// The watched schedule file as it is at one instant.
enum ScheduleFile {
    case missing
    /// Its text is the one that was looked at before.
    case known
    case sound(Schedule, Fingerprint)
    /// The sentence says where and why, for the journal: it carries no mood.
    case faulty(String, Fingerprint)
    /// The machine would not give it, which says nothing of what is in it: that passes, or is mended.
    case unreadable(String)

    /// A text that is known is not read as a schedule again: to start takes no longer for what lies there unchanged.
    static func read(_ path: String, patterns: PatternBook = .standard, known: Fingerprint? = nil) -> ScheduleFile {
        let bytes: [UInt8]
        do {
            guard let found = try contents(path) else { return .missing }
            bytes = found
        } catch {
            switch error {
            case .denied(let reason): return .unreadable("\(path) cannot be read: \(String(cString: strerror(reason)))")
            case .link: return .unreadable(ServiceInterface.Diagnose.leadsNowhere(path))
            case .noFile(let reason):
                let fingerprint = Fingerprint(reason)
                let stop = reason.hasSuffix(".") ? "" : "."
                return fingerprint == known ? .known : .faulty("\(path): \(reason)\(stop) \(stays)", fingerprint)
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
            return .faulty("\(place) \(error.reason)\(stop) \(stays)", fingerprint)
        }
    }

    static let stays = "The schedule before stays in force."

    private enum Unread: Error {
        /// By the machine, with its errno.
        case denied(Int32)
        case noFile(String)
        /// To where nothing is seen, which under systemd may be for the sandbox.
        case link
    }

    private static func isLink(_ path: String) -> Bool {
        var found = stat()
        return lstat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFLNK
    }

    /// Nil where there is no such file. One byte more than is allowed is read, so that too long a file is seen as such.
    private static func contents(_ path: String) throws(Unread) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            switch errno {
            case ENOENT:
                if isLink(path) { throw .link }
                return nil
            case ELOOP: throw .noFile(String(cString: strerror(ELOOP)))
            default: throw .denied(errno)
            }
        }
        defer { close(file) }
        var found = stat()
        guard fstat(file, &found) == 0 else { throw .denied(errno) }
        guard found.st_mode & S_IFMT == S_IFREG else {
            throw .noFile("It is \(kind(of: found)), where a file must be.")
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
        while bytes.count <= Schedule.byteLimit {
            let count = Glibc.read(file, &chunk, chunk.count)
            guard count >= 0 else { throw .denied(errno) }
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return bytes
    }
}

extension ScheduleFile {
    private static func kind(of found: stat) -> String {
        switch found.st_mode & S_IFMT {
        case S_IFDIR: "a folder"
        case S_IFIFO: "a pipe"
        default: "a device"
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
