import GRDB

/// Why the history cannot be kept or read: what, where, and what to do.
public enum HistoryError: Error, Equatable, CustomStringConvertible {
    /// It cannot be opened, read or written at the moment: a full disk, a read-only folder, a lock that is held too
    /// long, a failing device. Trying again later may succeed.
    case unavailable(reason: String)
    /// The same, and the disk may have kept what was to be written: a sync failed, and the disk could not be asked since.
    case inDoubt(reason: String)
    /// What is there is no history, or one that was harmed. It is left as it is.
    case damaged(reason: String)
    /// A later Daybreak wrote it. It is left as it is.
    case newer(found: Int, known: Int)

    /// It will not pass by itself.
    public var isDamage: Bool {
        if case .damaged = self { true } else { false }
    }

    /// A sentence for a person, without its full stop.
    public var description: String {
        switch self {
        case .unavailable(let reason), .inDoubt(let reason), .damaged(let reason): reason
        case .newer(let found, let known):
            "The history has version \(found), and this Daybreak knows version \(known): install the Daybreak that wrote it"
        }
    }
}

extension HistoryError {
    /// From what GRDB threw. SQLite's own message stays out of it: it may repeat what was to be written.
    init(_ error: any Error, path: String) {
        if let known = error as? HistoryError {
            self = known
            return
        }
        guard let failure = error as? DatabaseError else {
            self = .unavailable(reason: "The history \(path) cannot be used")
            return
        }
        switch failure.resultCode {
        case .SQLITE_NOTADB: self = .damaged(reason: "The file \(path) is no history")
        case .SQLITE_CORRUPT: self = Self.damage(at: path)
        case .SQLITE_CONSTRAINT:
            self = .damaged(reason: "The history \(path) holds events that this daybreakd did not write")
        // A write that failed cannot have brought its transaction's end to the disk. Whatever else fails may come after.
        case .SQLITE_IOERR where failure.extendedResultCode != .SQLITE_IOERR_WRITE, .SQLITE_NOMEM:
            self = .inDoubt(reason: Self.reason(failure.extendedResultCode, path))
        default: self = .unavailable(reason: Self.reason(failure.extendedResultCode, path))
        }
    }

    /// SQLite calls damaged also what the disk would not read (its `SQLITE_IOERR_CORRUPTFS`), so it is read once more.
    static func damage(at path: String) -> HistoryError {
        do throws(HistoryError) {
            for file in [path, path + "-wal"] { try Place.checkReadable(file) }
            return try Connection.isSound(path)
                ? .unavailable(reason: "The disk failed while the history \(path) was read")
                : .damaged(reason: "The history \(path) is damaged: restore it from a backup")
        } catch {
            return error
        }
    }

    private static func reason(_ code: ResultCode, _ path: String) -> String {
        switch code {
        case .SQLITE_FULL: "The disk is full, and the history \(path) cannot be written: make room"
        case .SQLITE_BUSY, .SQLITE_LOCKED: "Another program keeps the history \(path) locked: close it"
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            "The history \(path) is read-only: make it and its folder writable"
        case .SQLITE_CANTOPEN: "The history \(path) cannot be opened: look at its folder's owner and mode"
        case .SQLITE_IOERR:
            "The disk refuses to read or write the history \(path) (SQLite's error \(code.rawValue))"
        default: "The history \(path) cannot be used (SQLite's error \(code.rawValue))"
        }
    }
}
