import Glibc

/// Files that hold a whole history: read and written by the client's own hand, for this user alone.
enum KeptFile {
    private static let chunk = 64 * 1024

    /// Nothing is ever written over.
    static func checkFree(_ path: String) throws(Failure) {
        var found = stat()
        guard lstat(path, &found) != 0 else { throw isThere(path) }
    }

    /// Into a new file of mode 0600 that no power cut takes away again. Interrupted at any instant, it is there whole or not at all.
    static func copy(_ source: String, to path: String) throws(Failure) {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw unreadable(source) }
        defer { close(input) }
        let draft = "\(path).new-\(getpid())"
        let output = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw errno == EEXIST ? isThere(draft) : unwritable(path) }
        defer { close(output) }
        do throws(Failure) {
            try each(of: input, named: source) { bytes throws(Failure) in
                try write(bytes, to: output, named: path)
            }
            guard fsync(output) == 0 else { throw unwritable(path) }
            try rename(draft, to: path)
        } catch {
            unlink(draft)
            throw error
        }
        try syncFolder(of: path)
    }

    /// Takes no other file's place.
    private static func rename(_ draft: String, to path: String) throws(Failure) {
        if link(draft, path) == 0 {
            unlink(draft)
            return
        }
        guard errno != EEXIST else { throw isThere(path) }
        // File systems without links, as sticks have them: that nobody was quicker is seen there, not certain.
        guard errno == EPERM || errno == EOPNOTSUPP else { throw unwritable(path) }
        try checkFree(path)
        guard Glibc.rename(draft, path) == 0 else { throw unwritable(path) }
    }

    private static func isThere(_ path: String) -> Failure { .refused("Exists", saying: Wording.isThere(path)) }

    static func print(_ path: String) throws(Failure) {
        let input = open(path, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw unreadable(path) }
        defer { close(input) }
        try each(of: input, named: path) { bytes throws(Failure) in Standard.output(Array(bytes)) }
    }

    static func remove(_ path: String) { unlink(path) }

    private static func each(
        of input: Int32, named path: String, _ body: (ArraySlice<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        var bytes = [UInt8](repeating: 0, count: chunk)
        while true {
            let count = read(input, &bytes, chunk)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path) }
            if count == 0 { return }
            try body(bytes[..<count])
        }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to output: Int32, named path: String) throws(Failure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw unwritable(path) }
            rest = rest.dropFirst(count)
        }
    }

    private static func syncFolder(of path: String) throws(Failure) {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unwritable(folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw unwritable(folder) }
    }

    private static func unreadable(_ path: String) -> Failure {
        .refused("Unreadable", saying: Wording.unreadable(path, why: DaemonConnection.reason(errno)))
    }

    private static func unwritable(_ path: String) -> Failure {
        .refused("Unwritable", saying: Wording.unwritable(path, why: DaemonConnection.reason(errno)))
    }
}
