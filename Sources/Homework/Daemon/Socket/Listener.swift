import Glibc
import Systemd

/// The control socket where no service manager hands one over.
enum Listener {
    /// Binds and listens there, mode 0600. A socket that nobody answers at is taken away first; throws where somebody
    /// does answer.
    static func open(at path: String) throws(PathError) -> Int32 {
        let descriptor = LocalSocket.stream()
        guard descriptor >= 0 else { throw failure(path) }
        do {
            try bind(descriptor, to: path)
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func bind(_ descriptor: Int32, to path: String) throws(PathError) {
        // Clients connect by that path, which must fit.
        _ = try address(path)
        let folder = try lockFolder(of: path)
        defer { close(folder) }
        // In what was opened: whoever puts a link in the folder's place has nothing made or removed elsewhere.
        let name = String(path[(path.lastIndex(of: "/") ?? path.startIndex)...].drop { $0 == "/" })
        let address = try address("/proc/self/fd/\(folder)/\(name)")
        if isAnswered(address) { throw PathError(path: path, reason: "Another daybreakd answers there already.") }
        guard unlinkat(folder, name, 0) == 0 || errno == ENOENT else { throw failure(path) }
        // Of the descriptor before it has a name: the socket is private from its first instant on.
        guard fchmod(descriptor, 0o600) == 0, call(Glibc.bind, descriptor, address) == 0,
            Glibc.listen(descriptor, SOMAXCONN) == 0
        else {
            throw failure(path)
        }
    }

    /// Of two that begin at once, the second looks when the first is listening. It unlocks when it is closed.
    private static func lockFolder(of path: String) throws(PathError) -> Int32 {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(folder) }
        guard flock(descriptor, LOCK_EX) == 0 else {
            close(descriptor)
            throw failure(folder)
        }
        return descriptor
    }

    private static func isAnswered(_ address: sockaddr_un) -> Bool {
        let probe = LocalSocket.stream()
        guard probe >= 0 else { return false }
        defer { close(probe) }
        // EAGAIN: so many wait there already that there is no room for another.
        return call(Glibc.connect, probe, address) == 0 || errno == EAGAIN
    }

    private static func address(_ path: String) throws(PathError) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else {
            throw PathError(path: path, reason: "A socket's path has at most \(room - 1) bytes (man 7 unix).")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return address
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32, _ address: sockaddr_un
    ) -> Int32 {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func failure(_ path: String) -> PathError {
        PathError(path: path, reason: String(cString: strerror(errno)))
    }
}
