public import Glibc

/// Stream sockets between programs of one machine (man 7 unix).
public enum LocalSocket {
    /// A new socket, not inherited by child processes; -1 and errno where the machine cannot make one.
    public static func stream(isBlocking: Bool = false) -> Int32 {
        let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | (isBlocking ? 0 : SOCK_NONBLOCK.rawValue)
        return socket(AF_UNIX, Int32(flags), 0)
    }

    /// Connects, and waits until the connection is made. The descriptor is the caller's to close.
    public static func connect(to path: String) throws(SocketError) -> Int32 {
        let address = try address(path)
        let descriptor = stream(isBlocking: true)
        guard descriptor >= 0 else { throw SocketError(path: path, errno: errno) }
        guard call(Glibc.connect, descriptor, address) == 0 else {
            let reason = errno
            close(descriptor)
            throw SocketError(path: path, errno: reason)
        }
        return descriptor
    }

    /// Two sockets connected to each other. Both are the caller's to close.
    public static func pair() throws(SocketError) -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw SocketError(path: "socketpair", errno: errno)
        }
        return (ends[0], ends[1])
    }

    /// The user of the process at the other end, by the kernel's record (`SO_PEERCRED`). For a listening socket from the
    /// service manager, it is the service manager's user. Nil if the descriptor is no local socket.
    public static func peer(of descriptor: Int32) -> uid_t? {
        // struct ucred: glibc's headers declare it only for C (man 7 unix).
        var credentials: (process: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
        var length = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
        return credentials.user
    }

    static func address(_ path: String) throws(SocketError) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else {
            throw SocketError(path: path, reason: "A socket's path has at most \(room - 1) bytes (man 7 unix)")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return address
    }

    /// Calls bind(2) or connect(2) with that address.
    static func call(
        _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32, _ address: sockaddr_un
    ) -> Int32 {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
