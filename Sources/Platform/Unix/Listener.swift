import Files
public import Glibc

/// A listening socket that this program has made, and its name in the file system.
public struct OwnSocket {
    public let descriptor: Int32
    private let path: String
    private let identity: FileIdentity?

    /// As ``LocalSocket/listen(at:mode:)`` does.
    public init(at path: String, mode: mode_t = 0o600) throws(SocketError) {
        descriptor = try LocalSocket.listen(at: path, mode: mode)
        self.path = path
        // Without it, the name counts as another's.
        identity = try? FileIdentity(of: path)
    }

    /// True once another socket has the name, as that of a program that was started after somebody had removed this one's.
    public var isReplaced: Bool {
        // The name is gone, or cannot be looked at.
        guard let found = try? FileIdentity(of: path) else { return false }
        return found != identity
    }

    /// Removes the name, unless it is another socket's by now.
    public func removeName() { if !isReplaced { unlink(path) } }
}

extension LocalSocket {
    /// Binds and listens at the path. Removes a socket there at which no program answers; throws if a program does
    /// answer. The descriptor is the caller's to close.
    ///
    /// - Parameter mode: who may connect; this user alone unless given.
    public static func listen(at path: String, mode: mode_t = 0o600) throws(SocketError) -> Int32 {
        let descriptor = stream()
        guard descriptor >= 0 else { throw SocketError(path: path, errno: errno) }
        do {
            try bind(descriptor, to: path, mode)
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func bind(_ descriptor: Int32, to path: String, _ mode: mode_t) throws(SocketError) {
        // Clients connect by this path, so it must fit into an address.
        _ = try address(path)
        let name = File.name(in: path)
        let folder = try open(Folder.parent(of: path))
        defer { close(folder) }
        let lock = try lock(name, in: folder, at: path)
        defer {
            unlinkat(folder, Self.lockName(name), 0)
            close(lock)
        }
        // By way of the opened folder, so that a link put in the folder's place cannot lead elsewhere.
        let address = try address("/proc/self/fd/\(folder)/\(name)")
        if isAnswered(address) { throw SocketError(path: path, reason: "Another program answers there already") }
        guard unlinkat(folder, name, 0) == 0 || errno == ENOENT else { throw SocketError(path: path, errno: errno) }
        // The mode is set before the socket has a name: it holds from its first instant on.
        guard fchmod(descriptor, mode) == 0, call(Glibc.bind, descriptor, address) == 0,
            Glibc.listen(descriptor, SOMAXCONN) == 0
        else { throw SocketError(path: path, errno: errno) }
        // The umask has removed other users' rights from the mode.
        guard mode == 0o600 || fchmodat(folder, name, mode, 0) == 0 else { throw SocketError(path: path, errno: errno) }
    }

    private static func open(_ folder: String) throws(SocketError) -> Int32 {
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw SocketError(path: folder, errno: errno) }
        return descriptor
    }

    private static func lockName(_ name: String) -> String { ".\(name).lock" }

    /// Locks the socket's name; closing the descriptor unlocks it. Of two programs that start at once, the second waits here
    /// until the first one listens.
    ///
    /// The lock is on a file that no other account can open. All accounts can open the folder of a socket for all, and one
    /// that locked the folder would keep the daemon from starting.
    private static func lock(_ name: String, in folder: Int32, at path: String) throws(SocketError) -> Int32 {
        while true {
            let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
            let descriptor = openat(folder, lockName(name), flags, 0o600)
            guard descriptor >= 0 else { throw SocketError(path: path, errno: errno) }
            var (opened, named) = (stat(), stat())
            guard fstat(descriptor, &opened) == 0, opened.st_uid == geteuid(), opened.st_mode & 0o077 == 0 else {
                close(descriptor)
                throw SocketError(path: path, reason: "The file \(lockName(name)) beside it is not this user's alone")
            }
            while flock(descriptor, LOCK_EX) != 0 {
                let reason = errno
                if reason == EINTR { continue }
                close(descriptor)
                throw SocketError(path: path, errno: reason)
            }
            // The program before has removed the name of its lock.
            if fstatat(folder, lockName(name), &named, AT_SYMLINK_NOFOLLOW) == 0, named.st_ino == opened.st_ino {
                return descriptor
            }
            close(descriptor)
        }
    }

    private static func isAnswered(_ address: sockaddr_un) -> Bool {
        let probe = stream()
        guard probe >= 0 else { return false }
        defer { close(probe) }
        // EAGAIN: a program listens, and its queue of waiting clients is full.
        return call(Glibc.connect, probe, address) == 0 || errno == EAGAIN
    }
}
