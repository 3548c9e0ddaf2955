public import Glibc

/// Operations on files, by path or by descriptor.
public enum File {
    /// The last part of a path.
    public static func name(in path: String) -> String {
        String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    }

    /// The path as a shell takes it for one word, to be shown in a command.
    public static func quoted(_ path: String) -> String {
        let plain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
                true
            default: "/._-+:@%,".utf8.contains(byte)
            }
        }
        guard !plain || path.isEmpty else { return path }
        return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    /// Writes all of the bytes, however few the kernel takes at a time. False if the kernel refuses; errno says why.
    public static func write(_ bytes: ArraySlice<UInt8>, to descriptor: CInt) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count == 0 { errno = EIO }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    public static func write(_ bytes: [UInt8], to descriptor: CInt) -> Bool { write(bytes[...], to: descriptor) }

    /// Removes a file. Nothing is to be done where there is none.
    public static func remove(_ path: String) throws(FileError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .failed("remove", path) }
    }

    /// Removes the files that SQLite may have left beside a database. A log that belongs to another file of that name would
    /// be taken for this one's. The log goes last, because it may hold what the file does not.
    public static func removeLogs(of database: String) throws(FileError) {
        for suffix in ["-shm", "-journal", "-wal"] { try remove(database + suffix) }
    }

    /// Replaces the file at the path: `fill` writes a draft, `path.new`, which is then renamed.
    ///
    /// Atomic and durable: after an interruption or a power cut at any instant, the path has either the old file or the whole
    /// new one. Where `fill` throws, the draft is removed.
    public static func replace(_ path: String, _ fill: (_ draft: String) throws -> Void) throws {
        let draft = path + ".new"
        do {
            try fill(draft)
            try sync(draft)
            try rename(draft, to: path)
            try Folder.sync(of: path)
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Makes the file's bytes durable.
    public static func sync(_ path: String) throws(FileError) {
        let descriptor = try openToRead(path)
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .failed("write", path) }
    }

    public static func rename(_ path: String, to new: String) throws(FileError) {
        guard Glibc.rename(path, new) == 0 else { throw .failed("rename", path) }
    }

    /// Gives the file a second name; without effect if there is no file.
    public static func link(_ path: String, to new: String) throws(FileError) {
        guard Glibc.link(path, new) == 0 || errno == ENOENT else { throw .failed("keep", path) }
    }

    /// True if a file, a folder or a link has the path.
    public static func exists(_ path: String) throws(FileError) -> Bool {
        guard access(path, F_OK) != 0 else { return true }
        guard errno == ENOENT else { throw .failed("look at", path) }
        return false
    }

    /// The path that a symbolic link holds; nil if there is no link of that name.
    public static func linkTarget(_ path: String) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink(path, &target, target.count)
        return length > 0 ? String(decoding: target[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    /// The owner of the file; nil if there is no regular file of that name. A link counts as none.
    public static func owner(of path: String) -> uid_t? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return status.st_uid
    }

    /// The path without symbolic links; nil if it cannot be found out.
    static func resolved(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// In bytes; 0 if there is no file.
    public static func size(of path: String) throws(FileError) -> Int {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .failed("look at", path) }
            return 0
        }
        return Int(status.st_size)
    }

    /// When the file was last written: microseconds since 1970.
    public static func written(_ path: String) throws(FileError) -> Int64 {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .failed("look at", path) }
        return Int64(status.st_mtim.tv_sec) * 1_000_000 + Int64(status.st_mtim.tv_nsec) / 1_000
    }

    /// `count` bytes of the file from `offset` on; fewer at its end.
    public static func piece(of path: String, from offset: Int, count: Int) throws(FileError) -> [UInt8] {
        let input = try openToRead(path)
        defer { close(input) }
        guard lseek(input, off_t(offset), SEEK_SET) >= 0 else { throw .failed("read", path) }
        var bytes: [UInt8] = []
        while bytes.count < count, let more = try read(from: input, named: path, atMost: count - bytes.count) {
            bytes += more
        }
        return bytes
    }

    /// SEEK_DATA of Linux, which Swift's Glibc leaves out.
    private static let seekData: Int32 = 3

    /// Where the first byte at or behind `offset` stands that is in no hole of the file (man 2 lseek, SEEK_DATA); nil if there is
    /// none. A file system without holes tells `offset` itself.
    public static func data(in path: String, from offset: Int) throws(FileError) -> Int? {
        let input = try openToRead(path)
        defer { close(input) }
        let found = lseek(input, off_t(offset), seekData)
        guard found < 0 else { return Int(found) }
        guard errno == ENXIO else { throw .failed("read", path) }
        return nil
    }

    /// Writes the bytes at the end of an existing file.
    public static func append(_ bytes: [UInt8], to path: String) throws(FileError) {
        let output = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
        guard output >= 0 else { throw .failed("open", path) }
        defer { close(output) }
        guard write(bytes, to: output) else { throw .failed("write", path) }
    }

    /// Copies a regular file into a new one, of mode 0600.
    public static func copy(_ path: String, to new: String) throws(FileError) {
        let input = try openToRead(path, followingLinks: true)
        defer { close(input) }
        try copy(input, named: path, to: new)
    }

    /// Copies the rest of an open file.
    static func copy(_ input: CInt, named path: String, to new: String) throws(FileError) {
        let output = try NewFile(at: new)
        while let bytes = try read(from: input, named: path) { try output.write(bytes) }
    }

    /// Reads the whole file, and throws if the disk fails to return a byte of it. A missing file is no error.
    public static func checkReadable(_ path: String) throws(FileError) {
        guard try exists(path) else { return }
        let input = try openToRead(path)
        defer { close(input) }
        while try read(from: input, named: path) != nil {}
    }

    /// The first `count` bytes of the file; fewer if the file is shorter.
    public static func prefix(_ count: Int, of path: String) throws(FileError) -> [UInt8] {
        let input = try openToRead(path)
        defer { close(input) }
        var prefix: [UInt8] = []
        // A file of the kernel's comes in pieces of a page (man 5 proc).
        while let next = try read(from: input, named: path, atMost: min(count - prefix.count, 64 * 1_024)) {
            prefix += next
        }
        return prefix
    }

    /// Returns a descriptor, which the caller closes. Throws if the path is not a regular file, because a device may have no end,
    /// and a pipe makes its reader wait.
    public static func openToRead(_ path: String, followingLinks: Bool = false) throws(FileError) -> CInt {
        // O_NONBLOCK, because opening a pipe waits for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followingLinks ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { throw .failed("open", path) }
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        guard isKnown, status.st_mode & S_IFMT == S_IFREG else {
            defer { close(descriptor) }
            throw isKnown ? FileError(path, "The file \(path) is not a regular file") : .failed("look at", path)
        }
        return descriptor
    }

    /// The next bytes; nil at the end of the file.
    public static func read(
        from descriptor: CInt, named path: String, atMost limit: Int = 64 * 1_024
    ) throws(FileError) -> ArraySlice<UInt8>? {
        var bytes = [UInt8](repeating: 0, count: limit)
        while true {
            let count = Glibc.read(descriptor, &bytes, limit)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .failed("read", path) }
            return count == 0 ? nil : bytes[..<count]
        }
    }
}
