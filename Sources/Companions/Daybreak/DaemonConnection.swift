import Glibc
import Varlink

/// A conversation with daybreakd over its control socket. Calls wait for their reply; a stream's replies can also be taken
/// as they come, by who polls ``descriptor``.
final class DaemonConnection {
    /// No schedule is longer, nor any answer of the daemon's: ten thousands of tasks listed are some megabytes.
    static let longestReply = 64 * 1024 * 1024
    private static let chunk = 64 * 1024

    let descriptor: Int32
    let path: String
    private var frames = FrameReader(limit: longestReply)

    init(to path: String) throws(Failure) {
        self.path = path
        guard let connected = Self.connect(to: path) else {
            throw .noDaemon(at: path, why: Self.reason(errno))
        }
        descriptor = connected
        if let user = Self.user(at: connected), !Self.isTrusted(user, by: geteuid()) {
            throw .notOurs(Wording.notOurs(path))
        }
    }

    /// Who listens there, by the kernel's word; that of systemd where systemd does. Nobody else is told a mood: a daemon of this
    /// user, or of root. Root speaks to anybody's.
    static func isTrusted(_ user: uid_t, by asker: uid_t) -> Bool { user == asker || user == 0 || asker == 0 }

    private static func user(at descriptor: Int32) -> uid_t? {
        // struct ucred, which glibc's headers show to C alone (man 7 unix).
        var credentials: (process: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
        var length = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
        return credentials.user
    }

    deinit { close(descriptor) }

    /// Refuses a daemon that is another user's. What it names is not opened, written or removed: it would be by the rights of
    /// this user, who is root here, and could be any file.
    func checkNamesOwnFiles(in verb: String) throws(Failure) {
        guard !isOurs else { return }
        let user = Self.user(at: descriptor) ?? uid_t.max
        let name = getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
        throw .refused("NotYours", saying: Wording.namesFiles(path, of: name, verb))
    }

    /// Whoever is at the other end is this user, or root.
    var isOurs: Bool { Self.user(at: descriptor).map { $0 == geteuid() || $0 == 0 } ?? false }

    /// Calls, and waits for the one reply.
    func call<M: Method>(_ method: M) throws(Failure) -> M.Reply {
        try decode(M.self, from: reply(to: method))
    }

    /// Calls, and waits for the one reply as it is, be it an error.
    func reply(to method: some Method) throws(Failure) -> Reply {
        try send(method)
        return try nextReply()
    }

    func send(_ method: some Method, more: Bool = false) throws(Failure) {
        var rest = Call.frame(method, more: more)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if sent < 0 && errno == EINTR { continue }
            guard sent > 0 else { throw ended() }
            rest = rest.dropFirst(sent)
        }
    }

    /// Waits for the next reply.
    func nextReply() throws(Failure) -> Reply {
        while true {
            if let reply = try readyReply() { return reply }
            try receive(flags: 0)
        }
    }

    /// The replies that are there already; none where nothing came. Throws when the daemon has hung up.
    func repliesSoFar() throws(Failure) -> [Reply] {
        try receive(flags: Int32(MSG_DONTWAIT))
        var replies: [Reply] = []
        while let reply = try readyReply() { replies.append(reply) }
        return replies
    }

    /// A reply as the method's own type, or as the failure that it tells of.
    func decode<M: Method>(_: M.Type, from reply: Reply) throws(Failure) -> M.Reply {
        if let error = reply.error { throw Failure(reply, named: error, at: path) }
        do { return try reply.decode(M.Reply.self) } catch { throw .ourFault(Wording.notUnderstood(error.reason)) }
    }

    private func readyReply() throws(Failure) -> Reply? {
        guard let frame = frames.next() else { return nil }
        do { return try Reply(frame: frame) } catch { throw .ourFault(Wording.notUnderstood(error.reason)) }
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
                throw .ourFault(Wording.notUnderstood(Wording.replyTooLong(error.limit)))
            }
        }
    }

    private func ended() -> Failure { .noDaemon(at: path, why: Wording.connectionEnded) }

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

    /// What an error number means, in words.
    static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}
