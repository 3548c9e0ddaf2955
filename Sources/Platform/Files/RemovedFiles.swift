import Glibc

/// Overwrites removed files, because removing a file leaves its bytes on the disk.
public final class RemovedFiles {
    private var files: [(descriptor: CInt, path: String)] = []

    public init() {}

    deinit { for file in files { close(file.descriptor) } }

    /// Opens a file that is about to be removed. A file that cannot be written to (a link, a read-only one) is not
    /// overwritten.
    public func add(_ path: String) throws(FileError) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if [ENOENT, ELOOP, ENXIO, EACCES, EPERM, EISDIR].contains(errno) { return }
            throw .failed("open", path)
        }
        files.append((descriptor, path))
    }

    /// Fills the files with zeros. Call it once the removal is durable, so that no power cut brings back a file that is half
    /// overwritten. A file that has another name as well is the user's own copy, and is kept.
    public func overwrite() throws(FileError) {
        for file in files {
            var status = stat()
            guard fstat(file.descriptor, &status) == 0 else { throw .failed("look at", file.path) }
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
