import Systemd
import Varlink
import VarlinkClient

/// A call with `more` that is repeated when its connection ends, so that it outlives a restart of the daemon.
final class DaemonStream<M: Method> {
    private let loop: EventLoop
    private let path: String
    private let method: M
    private let say: (String) -> Void
    private let hear: (M.Reply) -> Void
    private var retry: Retry?
    private var connection: ClientConnection?
    private var source: IOSource?

    /// In bytes: many times a few reminders of a few hundred bytes.
    private static var longestReply: Int { 256 * 1_024 }

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

    deinit { source?.cancel() }

    private func connect() {
        do {
            let connection = ClientConnection(try Transport.socket(at: path), longestReply: Self.longestReply)
            try connection.send(method, more: true)
            source = try loop.onIO(connection.descriptor, .readable) { [unowned self] _ in receive() }
            self.connection = connection
        } catch {
            // No daemon answers now.
            retry?.schedule()
        }
    }

    private func receive() {
        do {
            for reply in try connection?.repliesSoFar() ?? [] {
                hear(try reply.decode(M.Reply.self))
                retry?.reset()
            }
        } catch ConversationError.ended {
            end()
        } catch {
            let why = (error as? NotAReply)?.reason ?? "\(error)"
            say("The daemon's reply to \(M.name) cannot be used: \(why)")
            end()
        }
    }

    private func end() {
        source?.cancel()
        source = nil
        connection = nil
        retry?.schedule()
    }
}
