import Glibc
import Systemd
import Unix
import Varlink

/// A call with `more` that is made anew whenever its connection has ended, and so outlives a restart of the daemon.
final class DaemonStream<M: Method> {
    private let loop: EventLoop
    private let path: String
    private let method: M
    private let say: (String) -> Void
    private let hear: (M.Reply) -> Void
    private var retry: Retry?
    private var connection: Connection?

    /// - Parameters:
    ///   - path: the control socket.
    ///   - hear: is called with each reply.
    ///   - say: writes a line for an administrator.
    init(
        _ loop: EventLoop, at path: String, _ method: M, say: @escaping (String) -> Void,
        hear: @escaping (M.Reply) -> Void
    ) throws(SystemdError) {
        self.loop = loop
        self.path = path
        self.method = method
        self.say = say
        self.hear = hear
        retry = try Retry(loop) { [unowned self] in connect() }
        connect()
    }

    private func connect() {
        do {
            connection = try Connection(to: path, Call.frame(method, more: true), in: loop) { [unowned self] in
                receive()
            }
        } catch {
            // No daemon, for now.
            retry?.schedule()
        }
    }

    private func receive() {
        do {
            guard let connection else { return }
            let isOver = try connection.receive()
            while let frame = connection.frames.next() {
                hear(try Reply(frame: frame).decode(M.Reply.self))
                retry?.reset()
            }
            if isOver { end() }
        } catch {
            let why = (error as? NotAReply)?.reason ?? "\(error)"
            say("The daemon's reply to \(M.name) cannot be used: \(why)")
            end()
        }
    }

    private func end() {
        connection = nil
        retry?.schedule()
    }
}

/// One connection over which one call is made.
private final class Connection {
    var frames = FrameReader(limit: byteLimit)
    private let descriptor: Int32
    private var source: IOSource?

    /// A few reminders of a few hundred bytes fit many times.
    private static let byteLimit = 256 * 1_024

    init(
        to path: String, _ call: [UInt8], in loop: EventLoop, _ ready: @escaping () -> Void
    ) throws(SystemdError) {
        descriptor = try DaemonSocket.send(call, to: path)
        do throws(SystemdError) { source = try loop.onIO(descriptor, .readable) { _ in ready() } } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        source?.cancel()
        close(descriptor)
    }

    /// Takes in what has come; true when the daemon will send no more.
    func receive() throws(FrameTooLong) -> Bool {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1_024, alignment: 1)
        defer { room.deallocate() }
        let count = recv(descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return count == 0 || errno != EAGAIN && errno != EINTR }
        try frames.append(UnsafeRawBufferPointer(rebasing: room[..<count]))
        return false
    }
}

enum DaemonSocket {
    /// Connects to the control socket and sends one call, which fits into the socket's buffer. Nobody is waited for.
    /// - Returns: the connection, for the caller to close.
    static func send(_ call: [UInt8], to path: String) throws(SystemdError) -> Int32 {
        let descriptor = try connect(to: path)
        let sent = Glibc.send(descriptor, call, call.count, Int32(MSG_NOSIGNAL))
        guard sent == call.count else {
            let why = sent < 0 ? errno : EAGAIN
            close(descriptor)
            throw SystemdError(call: "send", errno: why)
        }
        return descriptor
    }

    private static func connect(to path: String) throws(SystemdError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            room.copyBytes(from: path.utf8.prefix(room.count - 1))
            return path.utf8.count < room.count
        }
        guard fits else { throw SystemdError(call: path, errno: ENAMETOOLONG) }
        let descriptor = LocalSocket.stream()
        guard descriptor >= 0 else { throw SystemdError(call: "socket", errno: errno) }
        let connected = withUnsafeBytes(of: &address) { bytes in
            Glibc.connect(
                descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
        guard connected == 0 else {
            let why = errno
            close(descriptor)
            throw SystemdError(call: path, errno: why)
        }
        return descriptor
    }
}
