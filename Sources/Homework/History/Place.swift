import Glibc

/// Where a history is kept: a folder and a file that are one user's own, held by one program at a time.
final class Place {
    let path: String
    /// The file as it was when it was opened: another one may take its name meanwhile.
    private var opened: FileIdentity?
    private let lock: CInt

    /// Makes the folder where there is none (mode 0700), and holds the place until it is let go.
    init(_ path: String) throws(HistoryError) {
        self.path = path
        try Self.makeFolder(Self.folder(of: path))
        try Self.checkFolder(Self.folder(of: path))
        lock = try Self.hold(path)
    }

    deinit {
        flock(lock, LOCK_UN)  // Closing is not enough while a process that was just forked has it, too.
        close(lock)
    }

    /// The file is there, a plain one, this user's, and 0600 from now on. False where there is none, and never was.
    func find() throws(HistoryError) -> Bool {
        guard let found = try Self.look(at: path) else {
            guard opened == nil else { throw gone }
            guard try Self.look(at: path + "-wal") == nil else {
                throw .damaged(reason: "The history \(path) is gone, but its \(path)-wal is left: bring it back")
            }
            return false
        }
        guard found.isPlain else { throw .damaged(reason: "The history \(path) is not a plain file") }
        guard found.owner == geteuid() else {
            throw .unavailable(
                reason: "The history \(path) belongs to user \(found.owner), not to user \(geteuid()) who asks for it")
        }
        guard opened == nil || opened == found.identity else { throw replaced }
        guard found.mode == 0o600 || chmod(path, 0o600) == 0 else { throw Self.failed("make private", path) }
        return true
    }

    /// The file is still the one that was opened: SQLite itself would write on into a file that has lost its name.
    func checkStillThere() throws(HistoryError) {
        guard let found = try Self.look(at: path) else { throw gone }
        guard found.identity == opened else { throw replaced }
    }

    /// Throws where there was a history before: none is begun in its place.
    func checkIsFirst() throws(HistoryError) {
        guard Backups(of: path).nights.isEmpty else {
            throw .damaged(reason: "The history \(path) is gone, but its backups are left: bring it back")
        }
    }

    /// What was recorded last stands in a log, as after a crash.
    func hasLog() throws(HistoryError) -> Bool { try Self.size(of: path + "-wal") > 0 }

    /// Enough for a database, its log, its index, and what libdispatch wants beside: here, and on the whole machine.
    var hasDescriptorsLeft: Bool {
        let copies = (0..<8).map { _ in fcntl(lock, F_DUPFD_CLOEXEC, 0) }
        let another = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for descriptor in copies + [another] where descriptor >= 0 { close(descriptor) }
        return !copies.contains(-1) && another >= 0
    }

    func noteOpened() throws(HistoryError) { opened = try Self.look(at: path)?.identity }

    private var gone: HistoryError {
        .unavailable(reason: "The history \(path) has vanished: bring it back")
    }

    private var replaced: HistoryError {
        .unavailable(reason: "The history \(path) was replaced by another file: restart daybreakd to use that one")
    }
}

extension Place {
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// With all that leads there: XDG's own folders are private, too.
    static func makeFolder(_ folder: String) throws(HistoryError) {
        guard access(folder, F_OK) != 0 else { return }
        guard errno == ENOENT else { throw failed("look at the folder", folder) }
        let parent = Self.folder(of: folder)
        if parent != folder { try makeFolder(parent) }
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failed("make the folder", folder) }
        try syncFolder(of: folder)
    }

    /// Where others may write, they may put another file in the history's place, or a link in a copy's: SQLite opens by
    /// name what was made before, and follows it.
    static func checkFolder(_ folder: String) throws(HistoryError) {
        var status = stat()
        guard stat(folder, &status) == 0 else { throw failed("look at the folder", folder) }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw .unavailable(
                reason: "The folder \(folder) belongs to user \(status.st_uid), not to user \(geteuid())")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw .unavailable(reason: "Others may write in the folder \(folder): run chmod go-w \(folder)")
        }
    }

    /// A lock of its own beside the database: SQLite's are let go between transactions.
    private static func hold(_ path: String) throws(HistoryError) -> CInt {
        let file = path + ".lock"
        let lock = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw failed("open", file) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            let error: HistoryError =
                errno == EWOULDBLOCK
                ? .unavailable(reason: "Another daybreakd holds the history \(path): stop it first")
                : failed("lock", file)
            close(lock)
            throw error
        }
        return lock
    }

    /// Made durable: what a folder lists is its own to write out.
    static func syncFolder(of path: String) throws(HistoryError) {
        let folder = folder(of: path)
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failed("open the folder", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failed("write the folder", folder) }
    }

    /// The disk gives all of the file, where it is there.
    static func checkReadable(_ path: String) throws(HistoryError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw failed("open", path)
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        var count = 1
        while count > 0 { count = read(descriptor, &bytes, bytes.count) }
        guard count == 0 else { throw failed("read", path) }
    }

    /// In bytes; 0 where there is none.
    static func size(of path: String) throws(HistoryError) -> Int {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw failed("look at", path) }
            return 0
        }
        return Int(status.st_size)
    }

    /// What the file holds is durable.
    static func sync(_ path: String) throws(HistoryError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw failed("open", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failed("write", path) }
    }

    /// A second name for a file; where there is none, nothing.
    static func link(_ path: String, to new: String) throws(HistoryError) {
        guard Glibc.link(path, new) == 0 || errno == ENOENT else { throw failed("keep", path) }
    }

    /// The folder is there itself: a link would lead to another, of which nothing is known.
    static func checkIsNoLink(_ folder: String) throws(HistoryError) {
        var status = stat()
        guard lstat(folder, &status) == 0 else { throw failed("look at the folder", folder) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw .unavailable(reason: "\(folder) is a link, or no folder: put a folder in its place")
        }
    }

    /// An empty file of mode 0600 under a name that was free, or held what an interrupted start left.
    static func makeEmpty(_ path: String) throws(HistoryError) { close(try make(path)) }

    /// The same, open for writing: nothing that takes its name meanwhile is written to.
    static func make(_ path: String) throws(HistoryError) -> CInt {
        try checkFolder(folder(of: path))
        remove(path)
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failed("make", path) }
        return descriptor
    }

    /// Into a new file of mode 0600.
    static func copy(_ file: String, to path: String) throws(HistoryError) {
        let input = open(file, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw failed("open", file) }
        defer { close(input) }
        let output = try make(path)
        defer { close(output) }
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(input, &bytes, bytes.count)
            guard count >= 0 else { throw failed("read", file) }
            if count == 0 { return }
            try write(bytes[..<count], to: output, named: path)
        }
    }

    /// All of them, however few the disk takes at a time.
    static func write(_ bytes: ArraySlice<UInt8>, to descriptor: CInt, named path: String) throws(HistoryError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failed("write", path) }
            rest = rest.dropFirst(count)
        }
    }

    /// With what SQLite keeps beside it.
    static func remove(_ path: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    }

    static func rename(_ path: String, to new: String) throws(HistoryError) {
        guard Glibc.rename(path, new) == 0 else { throw failed("rename", path) }
    }

    static func failed(_ deed: String, _ path: String) -> HistoryError {
        let reason = String(cString: strerror(errno))
        return .unavailable(reason: "Could not \(deed) \(path): \(reason)")
    }

    private static func look(at path: String) throws(HistoryError) -> FoundFile? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw failed("look at", path) }
            return nil
        }
        return FoundFile(
            identity: FileIdentity(device: status.st_dev, number: status.st_ino), owner: status.st_uid,
            mode: status.st_mode & 0o7777, isPlain: status.st_mode & S_IFMT == S_IFREG)
    }
}

private struct FileIdentity: Equatable {
    let device: dev_t
    let number: ino_t
}

private struct FoundFile {
    let identity: FileIdentity
    let owner: uid_t
    let mode: mode_t
    let isPlain: Bool
}
