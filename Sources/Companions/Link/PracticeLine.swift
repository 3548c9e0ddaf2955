import Glibc
import Systemd
import Varlink
import VarlinkClient

/// A connection to the practice over `ssh`. Dropping it ends the `ssh`.
final class PracticeLine {
    private let connection: ClientConnection
    private var source: IOSource?
    private var errorSource: IOSource?
    private let errors: Int32
    /// The last bytes of `ssh`'s standard error.
    private var said: [UInt8] = []

    /// The practice's longest news have half of it: a schedule of 128 KiB, and twenty talking points of 4 KiB. JSON in a JSON
    /// string is up to twice as long.
    static var longestReply: Int { 1_024 * 1_024 }
    private static var longestError: Int { 4_096 }

    /// - Parameters:
    ///   - count: is called with the number of bytes that came, before their replies.
    ///   - hear: is called with each reply.
    ///   - end: is called once, with the trouble, if the connection ends by itself.
    init(
        _ loop: EventLoop, _ ssh: SSH, count: @escaping (Int) -> Void, hear: @escaping (Reply) -> Void,
        end: @escaping (LinkMachine.Trouble) -> Void
    ) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemdError(call: "pipe", errno: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        errors = ends[0]
        defer { close(ends[1]) }
        let transport: Transport
        do { transport = try Transport.program(ssh.command("varlink"), errors: ends[1]) } catch {
            close(errors)
            throw error
        }
        connection = ClientConnection(transport, longestReply: Self.longestReply)
        source = try loop.onIO(connection.descriptor, .readable) { [unowned self] _ in
            // A reply may end this connection.
            withExtendedLifetime(self) { receive(count, hear, end) }
        }
        // ssh must not wait at a full pipe.
        errorSource = try loop.onIO(errors, .readable) { [unowned self] _ in readErrors() }
    }

    deinit {
        source?.cancel()
        errorSource?.cancel()
        close(errors)
        // Without it, the transport would wait for as long as ssh waits for a dead network.
        if let child = connection.child { kill(child, SIGTERM) }
    }

    private func receive(
        _ count: (Int) -> Void, _ hear: (Reply) -> Void, _ end: (LinkMachine.Trouble) -> Void
    ) {
        let before = connection.receivedBytes
        do {
            let replies = try connection.repliesSoFar()
            count(connection.receivedBytes - before)
            for reply in replies { hear(reply) }
        } catch {
            source?.cancel()
            readErrors(patiently: true)
            end(trouble(error))
        }
    }

    private func trouble(_ error: ConversationError) -> LinkMachine.Trouble {
        switch error {
        case .ended: Trouble.of(said)
        case .tooLong: .tooMuch
        case .notAReply: .notUnderstood
        }
    }

    func ask(_ method: some Method, more: Bool) throws(ConversationError) { try connection.send(method, more: more) }

    /// - Parameter patiently: to the end, because ssh is about to say why it ends.
    private func readErrors(patiently: Bool = false) {
        var chunk = [UInt8](repeating: 0, count: Self.longestError)
        while true {
            let count = read(errors, &chunk, chunk.count)
            if count > 0 {
                said = Array((said + chunk[..<count]).suffix(Self.longestError))
                continue
            }
            guard patiently, count < 0, errno == EAGAIN || errno == EINTR else { break }
            var waiting = pollfd(fd: errors, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 1_000) > 0 else { break }
        }
        // The pipe is at its end, and would be ready for ever.
        if patiently { errorSource?.cancel() }
    }
}

/// The words of `ssh`, as sentences for the client.
enum Trouble {
    static func of(_ said: [UInt8]) -> LinkMachine.Trouble {
        let text = String(decoding: said, as: UTF8.self)
        if text.contains("REMOTE HOST IDENTIFICATION HAS CHANGED") || text.contains("Host key verification failed") {
            return LinkMachine.Trouble(
                kind: .final,
                sentence: "The practice's machine shows another key than the one of the invitation. Nothing was sent. "
                    + "Ask the practice; with a new invitation, `daybreak link set-up` knows the new key.")
        }
        if text.contains("Permission denied") || text.contains("opens nothing any more") {
            return .unknownKey
        }
        if text.contains("daemon does not answer") || text.contains("cannot look anything up") {
            return .closed
        }
        return LinkMachine.Trouble(kind: .passing, sentence: "The practice cannot be reached\(lastLine(of: text)).")
    }

    private static func lastLine(of text: String) -> String {
        text.split(whereSeparator: \.isNewline).last.map { ": \($0.prefix(200))" } ?? ""
    }
}
