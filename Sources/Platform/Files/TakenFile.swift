import Glibc

/// A file that another program made for this one, and that has lost its name. An erasure leaves its content alone while this
/// object lives, because the content is on its way to a file of the user's own.
public final class TakenFile {
    public let descriptor: CInt

    /// Throws if the path is no regular file, or if the file is being erased.
    public init(_ path: String) throws(FileError) {
        descriptor = try File.openToRead(path)
        // Waits for an erasure, which has the lock while it writes. Where a disk has no locks, nothing can be told.
        while flock(descriptor, LOCK_SH) != 0, errno == EINTR {}
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .failed("look at", path) }
        guard status.st_nlink > 0 else { throw FileError(path, "The file \(path) was erased meanwhile") }
        // If that fails, the program that made the file removes it in the end.
        unlink(path)
    }

    deinit { close(descriptor) }
}
