import CSQLite
import Files
import Glibc

/// How a file and its log are read without being written ("URI Filenames in SQLite", "Write-Ahead Logging").
struct Look: Equatable {
    enum Way: Equatable {
        /// No program has the file open, and there is no log: the file alone is read.
        case fileAlone
        /// The log is read with the index that is there. A program may be writing it.
        case sharedIndex
        /// The log was left without an index: by a crash in the first commit, or by whoever copied the file. It is read with an
        /// index in memory, and without locks.
        case ownIndex
    }

    let way: Way
    private let stamps: [FileStamp?]

    init(at path: String) {
        func isThere(_ suffix: String) -> Bool { access(path + suffix, F_OK) == 0 }
        // Of an empty file SQLite removes the log.
        if Self.size(of: path) == 0 || !isThere("-wal") {
            way = .fileAlone
        } else if isThere("-shm") {
            way = .sharedIndex
        } else {
            way = Self.size(of: path + "-wal") == 0 ? .fileAlone : .ownIndex
        }
        // A file that cannot be looked at cannot be opened either.
        stamps = ["", "-wal"].map { suffix in (try? FileStamp(of: path + suffix)) ?? nil }
    }

    /// Nil if it cannot be looked at.
    private static func size(of path: String) -> off_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_size : nil
    }

    /// Opens the file. Nothing is read yet.
    func open(_ path: String, _ handle: inout OpaquePointer?) -> CInt {
        let flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        let option =
            switch way {
            case .fileAlone: "immutable=1"
            case .sharedIndex: "readonly_shm=1"
            case .ownIndex: "vfs=unix-none"
            }
        let code = sqlite3_open_v2("file:\(Self.escaped(path))?mode=ro&\(option)", &handle, flags, nil)
        guard code == SQLITE_OK, way == .ownIndex else { return code }
        // In this mode SQLite keeps the log's index in memory.
        return sqlite3_exec(handle, "PRAGMA locking_mode = EXCLUSIVE", nil, nil, nil)
    }

    private static func escaped(_ path: String) -> String {
        let plain = Set("/-_.~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        return path.utf8.map { byte in
            plain.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

extension SQLiteDatabase {
    /// A copy in memory of that file's content at one instant. It does not disturb writers, and writes neither the file nor its
    /// log.
    public convenience init(copyOf path: String) throws(SQLiteError) {
        try self.init(":memory:")
        // Without the shared index nothing keeps a program that begins to write from changing the file meanwhile.
        for _ in 1...Self.looks {
            let source = try SQLiteDatabase(path, .looking)
            let result = Result { () throws(SQLiteError) in try copyAll(from: source) }
            guard source.look?.way == .sharedIndex || source.look == Look(at: path) else { continue }
            try result.get()
            return
        }
        throw SQLiteError(code: SQLITE_BUSY)
    }

    /// How often a file is looked at that other programs change.
    private static let looks = 10
}
