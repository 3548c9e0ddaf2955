import Glibc

/// What files leave behind that have lost their names: their bytes are still on the disk, until they are written over.
final class Remains {
    private var files: [(descriptor: CInt, path: String)] = []

    deinit { for file in files { close(file.descriptor) } }

    /// Is called while the file has its name. What cannot be written to (there is none, a link, one made read-only) is only
    /// to lose it.
    func take(_ path: String) throws(HistoryError) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if [ENOENT, ELOOP, ENXIO, EACCES, EPERM, EISDIR].contains(errno) { return }
            throw Place.failed("open", path)
        }
        files.append((descriptor, path))
    }

    /// Is called once the names are durably gone: no power cut brings back one with half of its bytes. What has yet another
    /// name is somebody's own copy, and stays.
    func overwrite() throws(HistoryError) {
        for file in files {
            var status = stat()
            guard fstat(file.descriptor, &status) == 0 else { throw Place.failed("look at", file.path) }
            guard status.st_nlink == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            guard Self.fill(file.descriptor, Int(status.st_size)), fsync(file.descriptor) == 0 else {
                throw Place.failed("overwrite", file.path)
            }
        }
    }

    private static func fill(_ descriptor: CInt, _ size: Int) -> Bool {
        let zeros = [UInt8](repeating: 0, count: 64 * 1024)
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
