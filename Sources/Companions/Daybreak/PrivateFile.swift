import Glibc

/// A new file that only its owner can read, written by the client's own hand.
struct PrivateFile {
    private let descriptor: Int32
    private let path: String

    /// Has `fill` write the file. Interrupted at any instant it is there whole or not at all, and no power cut takes it away
    /// again. What stands there already stays, and `sentence` says so, unless it is to be replaced.
    static func write(
        to path: String, replacing: Bool = false, orSaying sentence: String,
        _ fill: (PrivateFile) throws(Failure) -> Void
    ) throws(Failure) {
        let draft = "\(path).new-\(getpid())"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw errno == EEXIST ? isThere(Wording.isThere(draft)) : unwritable(path) }
        defer { close(descriptor) }
        do throws(Failure) {
            try fill(PrivateFile(descriptor: descriptor, path: path))
            guard fsync(descriptor) == 0 else { throw unwritable(path) }
            if replacing { try rename(draft, to: path) } else { try link(draft, to: path, orSaying: sentence) }
        } catch {
            unlink(draft)
            throw error
        }
        try syncFolder(of: path)
    }

    func append(_ bytes: ArraySlice<UInt8>) throws(Failure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Self.unwritable(path) }
            rest = rest.dropFirst(count)
        }
    }

    /// For those who would rather know before there is anything to write.
    static func checkFree(_ path: String, orSaying sentence: String) throws(Failure) {
        var found = stat()
        guard lstat(path, &found) != 0 else { throw isThere(sentence) }
    }

    /// Takes no other file's place.
    private static func link(_ draft: String, to path: String, orSaying sentence: String) throws(Failure) {
        if Glibc.link(draft, path) == 0 {
            unlink(draft)
            return
        }
        guard errno != EEXIST else { throw isThere(sentence) }
        // File systems without links, as sticks have them: that nobody was quicker is seen there, not certain.
        guard errno == EPERM || errno == EOPNOTSUPP else { throw unwritable(path) }
        try checkFree(path, orSaying: sentence)
        try rename(draft, to: path)
    }

    private static func rename(_ draft: String, to path: String) throws(Failure) {
        guard Glibc.rename(draft, path) == 0 else { throw unwritable(path) }
    }

    private static func syncFolder(of path: String) throws(Failure) {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unwritable(folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw unwritable(folder) }
    }

    private static func isThere(_ sentence: String) -> Failure { .refused("FileExists", saying: sentence) }

    private static func unwritable(_ path: String) -> Failure {
        .refused("Unwritable", saying: Wording.unwritable(path, why: DaemonConnection.reason(errno)))
    }
}
