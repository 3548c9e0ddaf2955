import Glibc

/// A lock that one program holds at a time, on a file of its own (man 2 flock). It ends with this object.
public final class FileLock {
    private let descriptor: CInt

    /// Makes the file, mode 0600, if there is none.
    ///
    /// Any account that may open a file may lock it. So a file that others may open is closed to them, and one that another
    /// account keeps locked all the same is replaced by a new one.
    ///
    /// - Parameter refusal: the error's sentence if another program has the lock, without its full stop.
    public init(_ path: String, refusal: String) throws(FileError) {
        descriptor = try Self.open(path)
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        // An initializer that throws here runs deinit, which closes the descriptor.
        guard errno == EWOULDBLOCK else { throw .failed("lock", path) }
        let holders = Self.holders(of: descriptor)
        let named = holders.first { !Self.isStranger($0) }.map { " (process \($0))" } ?? ""
        guard !holders.isEmpty, holders.allSatisfy(Self.isStranger), Self.replace(path, descriptor) else {
            throw FileError(path, refusal + named)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw FileError(path, refusal) }
    }

    deinit {
        flock(descriptor, LOCK_UN)  // Closing is not enough while a process that was just forked has it, too.
        close(descriptor)
    }

    private static func open(_ path: String) throws(FileError) -> CInt {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw .failed("open", path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FileError(path, "The lock \(path) is no plain file: remove it")
        }
        guard status.st_mode & 0o077 == 0 || fchmod(descriptor, 0o600) == 0 else {
            let error = FileError.failed("make private", path)
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Puts a new file in the place of the open one, under the same descriptor. False if that cannot be done, or another file
    /// has the name by now.
    private static func replace(_ path: String, _ descriptor: CInt) -> Bool {
        var (opened, named) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0, lstat(path, &named) == 0, opened.st_ino == named.st_ino,
            opened.st_dev == named.st_dev, unlink(path) == 0
        else { return false }
        let new = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard new >= 0 else { return false }
        defer { close(new) }
        return dup2(new, descriptor) >= 0 && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    }

    /// The processes that have locked the file, or one of the same number in another file system, by the kernel's list (man 5
    /// proc, /proc/locks); none if that does not tell. The list comes in pieces, and misses a lock if others are given back between
    /// them: it is read again.
    private static func holders(of descriptor: CInt) -> [pid_t] {
        for _ in 1...5 {
            let found = listedHolders(of: descriptor)
            if !found.isEmpty { return found }
        }
        return []
    }

    private static func listedHolders(of descriptor: CInt) -> [pid_t] {
        var status = stat()
        // Without the list, nobody is named.
        guard fstat(descriptor, &status) == 0, let list = try? File.prefix(1 << 20, of: "/proc/locks") else {
            return []
        }
        return String(decoding: list, as: UTF8.self).split(separator: "\n").compactMap { line in
            // 1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF
            let words = line.split(separator: " ")
            guard words.count > 5, words[1] == "FLOCK", words[5].split(separator: ":").last == "\(status.st_ino)",
                let holder = pid_t(words[4]), holder > 0
            else { return nil }
            return holder
        }
    }

    /// True if the process certainly belongs to another account, and not to root.
    private static func isStranger(_ process: pid_t) -> Bool {
        var status = stat()
        guard stat("/proc/\(process)", &status) == 0 else { return false }
        // Within a user namespace, root and all strangers are the kernel's overflow user.
        return status.st_uid != geteuid() && status.st_uid != 0 && status.st_uid != overflowUser
    }

    private static let overflowUser: uid_t = 65_534
}
