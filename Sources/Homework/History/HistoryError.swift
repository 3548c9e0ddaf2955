import Files
import Glibc
import Storage

/// The reason why the history cannot be written or read: the reason, the file, and the remedy.
public enum HistoryError: Error, Equatable, CustomStringConvertible {
    /// It cannot be opened, read or written at the moment: a full disk, a read-only folder, a lock that is held too
    /// long, a failing device. Trying again later may succeed.
    case unavailable(reason: String)
    /// Unavailable, and the events may be on the disk: a sync failed, and the disk could not be read afterwards.
    case inDoubt(reason: String)
    /// The file is no history, or is damaged. It is left as it is.
    case damaged(reason: String)
    /// A later Daybreak wrote it. It is left as it is.
    case newer(found: Int, known: Int)

    /// True if the fault will not pass by itself.
    public var isDamage: Bool {
        if case .damaged = self { true } else { false }
    }

    /// True if the file may be read all the same: it could not be opened to be written, as on a full disk.
    public var leavesReading: Bool {
        switch self {
        case .unavailable, .inDoubt: true
        case .damaged, .newer: false
        }
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
    /// From any error that was thrown while the history at that path was used.
    public init(_ error: any Error, path: String) {
        switch error {
        case let known as HistoryError: self = known
        case let file as FileError: self = .unavailable(reason: file.description)
        case let database as SQLiteError: self.init(database, path)
        default: self = .unavailable(reason: "The history \(path) cannot be used")
        }
    }

    /// SQLite's own message is left out, because it may quote the client's data.
    private init(_ error: SQLiteError, _ path: String) {
        switch error.code {
        case SQLiteError.notADatabase: self = .damaged(reason: "The file \(path) is no history")
        case SQLiteError.corrupt: self = Self.damage(at: path)
        case SQLiteError.constraint: self = Self.foreign(path)
        case _ where error.mayHaveCommitted: self = .inDoubt(reason: Self.reason(error, path))
        default: self = .unavailable(reason: Self.reason(error, path))
        }
    }

    static func foreign(_ path: String) -> HistoryError {
        .damaged(reason: "The history \(path) holds events that this daybreakd did not write")
    }

    static func missing(_ sequence: Int, _ path: String) -> HistoryError {
        .damaged(reason: "The history \(path) is damaged: its event \(sequence) is missing")
    }

    static func unsound(_ path: String) -> HistoryError {
        .damaged(reason: "The history \(path) is damaged: restore it from a backup")
    }

    /// Reads the file once more, because SQLite also calls a file damaged that the disk failed to read
    /// (`SQLITE_IOERR_CORRUPTFS`).
    static func damage(at path: String) -> HistoryError {
        do {
            for file in [path, path + "-wal"] { try File.checkReadable(file) }
            return try HistoryFile.isSound(path)
                ? .unavailable(reason: "The disk failed while the history \(path) was read") : unsound(path)
        } catch {
            return HistoryError(error, path: path)
        }
    }

    private static func reason(_ error: SQLiteError, _ path: String) -> String {
        switch error.code {
        case _ where error.extendedCode == SQLiteError.failedToExtendIndex, SQLiteError.full:
            "The disk is full, and the history \(path) cannot be written: make room"
        case SQLiteError.busy, SQLiteError.locked: "Another program keeps the history \(path) locked: close it"
        case SQLiteError.readOnly, SQLiteError.permission, SQLiteError.authorization:
            "The history \(path) is read-only: make it and its folder writable"
        case SQLiteError.cannotOpen where [EMFILE, ENFILE].contains(error.errorNumber):
            "Could not open \(path): \(String(cString: strerror(error.errorNumber)))"
        case SQLiteError.cannotOpen: "The history \(path) cannot be opened: look at its folder's owner and mode"
        case SQLiteError.inputOutput:
            "The disk refuses to read or write the history \(path) (SQLite's error \(error.extendedCode))"
        default: "The history \(path) cannot be used (SQLite's error \(error.extendedCode))"
        }
    }
}
