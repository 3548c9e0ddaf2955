public import Systemd
public import Varlink
import VarlinkClient

/// A call with `more` that is repeated when its connection ends, so that it outlives a restart of the daemon.
public final class DaemonStream<M: Method> {
    private let loop: EventLoop
    private let path: String
    private let method: M
    private let say: (String) -> Void
    private let hear: (M.Reply) -> Void
    private let lose: () -> Void
    private let longestReply: Int
    private var retry: Retry?
    private var connection: ClientConnection?
    private var source: IOSource?

    /// - Parameters:
    ///   - path: the control socket.
    ///   - hear: is called with each reply.
    ///   - say: writes a line for an administrator.
    ///   - longestReply: in bytes; usually many times a few reminders of a few hundred bytes.
    ///   - lose: is called when the daemon disconnects.
    public init(
        _ loop: EventLoop, at path: String, _ method: M, longestReply: Int = 256 * 1_024,
        say: @escaping (String) -> Void, lose: @escaping () -> Void = {}, hear: @escaping (M.Reply) -> Void
    ) throws(SystemdError) {
        self.loop = loop
        self.path = path
        self.method = method
        self.say = say
        self.hear = hear
        self.lose = lose
        self.longestReply = longestReply
        retry = try Retry(loop) { [unowned self] in connect() }
        connect()
    }

    deinit { source?.cancel() }

    private func connect() {
        do {
            let connection = ClientConnection(try Transport.socket(at: path), longestReply: longestReply)
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
        lose()
        retry?.schedule()
    }
}
