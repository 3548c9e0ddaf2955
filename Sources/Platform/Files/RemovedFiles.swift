import Glibc

/// Overwrites removed files, because removing a file leaves its bytes on the disk.
public final class RemovedFiles {
    private var files: [(descriptor: CInt, path: String)] = []

    public init() {}

    deinit { for file in files { close(file.descriptor) } }

    /// Opens a file that is about to be removed, also a read-only one. Without effect if there is no file. Throws if the file
    /// is not a regular one: the file at the other end of a link would stay.
    public func add(_ path: String) throws(FileError) {
        try Self.check(path)
        var descriptor = open(path, Self.mode)
        if descriptor < 0, errno == EACCES, chmod(path, 0o600) == 0 { descriptor = open(path, Self.mode) }
        guard descriptor >= 0 else {
            guard errno != ENOENT else { return }
            throw .failed("open", path)
        }
        files.append((descriptor, path))
    }

    private static let mode = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

    /// Throws if there is a link, a folder or a pipe of that name, whose content cannot be overwritten.
    public static func check(_ path: String) throws(FileError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno != ENOENT else { return }
            throw .failed("look at", path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileError(path, "\(path) is a link, or no file, and its content would be left: remove it yourself")
        }
    }

    /// Fills the files with zeros. Call it once the removal is durable, so that no power cut brings back a file that is half
    /// overwritten. A file that has another name as well is the user's own copy, and is kept; so is a ``TakenFile``.
    public func overwrite() throws(FileError) {
        for file in files {
            let isLocked = flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
            var status = stat()
            guard fstat(file.descriptor, &status) == 0 else { throw .failed("look at", file.path) }
            // A client takes a file that is its owner's alone. Any account may have locked another one.
            if isLocked, status.st_mode & 0o077 == 0 { continue }
            guard status.st_nlink == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            guard Self.fill(file.descriptor, Int(status.st_size)), fsync(file.descriptor) == 0 else {
                throw .failed("overwrite", file.path)
            }
        }
    }

    private static func fill(_ descriptor: CInt, _ size: Int) -> Bool {
        let zeros = [UInt8](repeating: 0, count: 64 * 1_024)
        var offset = 0
        while offset < size {
            let count = pwrite(descriptor, zeros, min(zeros.count, size - offset), off_t(offset))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            offset += count
        }
        return true
    }
}
