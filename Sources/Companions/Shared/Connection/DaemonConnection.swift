public import Glibc
public import Varlink

/// A connection to a daemon's control socket. A call waits for its reply; the replies of a stream can also be taken as they
/// come, by polling ``descriptor``.
public final class DaemonConnection {
    /// A hundred thousand tasks, listed, are some twenty megabytes.
    static let longestReply = 64 * 1024 * 1024
    private static let chunk = 64 * 1024

    public let descriptor: Int32
    public let path: String
    public let daemon: Daemon
    private var frames = FrameReader(limit: longestReply)

    public init(to path: String, of daemon: Daemon) throws(Failure) {
        self.path = path
        self.daemon = daemon
        guard let connected = Self.connect(to: path) else {
            throw .noDaemon(daemon, at: path, why: systemError(errno))
        }
        descriptor = connected
        if let peer, !Self.isTrusted(peer, by: geteuid()) { throw .notOurs(path) }
    }

    deinit { close(descriptor) }

    /// The user at the other end, as the kernel tells it: the daemon's, or systemd's where systemd listens for it.
    public var peer: uid_t? {
        // struct ucred, which glibc's headers show to C alone (man 7 unix).
        var credentials: (process: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
        var length = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
        return credentials.user
    }

    /// A daemon of this user's or root's is trusted with a mood, no other. Root speaks to everybody's daemon.
    static func isTrusted(_ user: uid_t, by asker: uid_t) -> Bool { user == asker || user == 0 || asker == 0 }

    /// The other end is this user, or root.
    public var isOurs: Bool { peer.map { $0 == geteuid() || $0 == 0 } ?? false }

    /// Calls, and waits for the one reply.
    public func call<M: Method>(_ method: M) throws(Failure) -> M.Reply {
        try decode(M.self, from: reply(to: method))
    }

    /// Calls, and waits for the one reply, which may be an error.
    public func reply(to method: some Method) throws(Failure) -> Reply {
        try send(method)
        return try nextReply()
    }

    public func send<M: Method>(_ method: M, more: Bool = false) throws(Failure) {
        var rest = Call.frame(method, more: more)[...]
        let longest = daemon.longestCall(M.name)
        guard rest.count <= longest else {
            throw .misused("That is too long: \(daemon.name) takes at most \(longest / 1024) KB at once.")
        }
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if sent < 0 && errno == EINTR { continue }
            guard sent > 0 else { throw ended() }
            rest = rest.dropFirst(sent)
        }
    }

    /// Waits for the next reply.
    public func nextReply() throws(Failure) -> Reply {
        while true {
            if let reply = try readyReply() { return reply }
            try receive(flags: 0)
        }
    }

    /// The replies that have come so far, perhaps none. Throws when the daemon has hung up.
    public func repliesSoFar() throws(Failure) -> [Reply] {
        try receive(flags: Int32(MSG_DONTWAIT))
        var replies: [Reply] = []
        while let reply = try readyReply() { replies.append(reply) }
        return replies
    }

    /// The reply's parameters; throws the failure that an error reply stands for.
    public func decode<M: Method>(_: M.Type, from reply: Reply) throws(Failure) -> M.Reply {
        if reply.error != nil { throw Failure(reply, from: daemon, at: path) }
        do { return try reply.decode(M.Reply.self) } catch { throw .notUnderstood(error.reason, from: daemon) }
    }

    private func readyReply() throws(Failure) -> Reply? {
        guard let frame = frames.next() else { return nil }
        do { return try Reply(frame: frame) } catch { throw .notUnderstood(error.reason, from: daemon) }
    }

    private func receive(flags: Int32) throws(Failure) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, flags)
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN { return }
            guard count > 0 else { throw ended() }
            do { return try frames.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) } catch {
                throw .notUnderstood("a reply of more than \(error.limit) bytes", from: daemon)
            }
        }
    }

    private func ended() -> Failure { .noDaemon(daemon, at: path, why: "it hung up") }

    private static func connect(to path: String) -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard path.utf8.count < room.count else { return false }
            room.copyBytes(from: path.utf8)
            return true
        }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let connected =
            fits
            && withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, size) == 0 }
            }
        guard connected else {
            let why = fits ? errno : ENAMETOOLONG
            close(descriptor)
            errno = why
            return nil
        }
        return descriptor
    }
}

/// The system's words for an error number, such as "No such file or directory".
public func systemError(_ number: Int32) -> String { String(cString: strerror(number)) }
