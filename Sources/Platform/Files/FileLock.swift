import Glibc

/// A lock that one program holds at a time, on a file of its own (man 2 flock). It ends with this object.
public final class FileLock {
    private let descriptor: CInt

    /// Makes the file, mode 0600, if there is none.
    ///
    /// - Parameter refusal: the error's sentence if another program has the lock, without its full stop.
    public init(_ path: String, refusal: String) throws(FileError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .failed("open", path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            // An initializer that throws here runs deinit, which closes the descriptor.
            guard errno == EWOULDBLOCK else { throw .failed("lock", path) }
            throw FileError(path, refusal)
        }
    }

    deinit {
        flock(descriptor, LOCK_UN)  // Closing is not enough while a process that was just forked has it, too.
        close(descriptor)
    }
}
