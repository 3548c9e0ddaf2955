import Glibc
import Systemd
import Text
import Varlink
import VarlinkClient

/// A connection to the practice over `ssh`. Dropping it ends the `ssh`.
final class PracticeLine {
    private let connection: ClientConnection
    private var source: IOSource?
    private var errorSource: IOSource?
    private let errors: ChildErrors

    /// The practice's longest news have half of it: a schedule of 128 KiB, and twenty talking points of 4 KiB. JSON in a JSON
    /// string is up to twice as long.
    static var longestReply: Int { 1_024 * 1_024 }

    /// - Parameters:
    ///   - count: is called with the number of bytes that came, before their replies.
    ///   - hear: is called with each reply.
    ///   - end: is called once, with the trouble, if the connection ends by itself.
    init(
        _ loop: EventLoop, _ ssh: SSH, count: @escaping (Int) -> Void, hear: @escaping (Reply) -> Void,
        end: @escaping (LinkMachine.Trouble) -> Void
    ) throws {
        errors = try ChildErrors()
        let transport = try Transport.program(ssh.command("varlink"), errors: errors)
        connection = ClientConnection(transport, longestReply: Self.longestReply)
        source = try loop.onIO(connection.descriptor, .readable) { [unowned self] _ in
            // A reply may end this connection.
            withExtendedLifetime(self) { receive(count, hear, end) }
        }
        // ssh must not wait at a full pipe.
        errorSource = try loop.onIO(errors.descriptor, .readable) { [unowned self] _ in
            withExtendedLifetime(self) {
                let before = errors.receivedBytes
                errors.read()
                count(errors.receivedBytes - before)
                // Its end would be ready for ever, while the program lives on.
                if errors.receivedBytes == before { errorSource?.cancel() }
            }
        }
    }

    deinit {
        source?.cancel()
        errorSource?.cancel()
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
            // ssh is about to say why it ends. The pipe is at its end then, and would be ready for ever.
            errors.readToEnd()
            errorSource?.cancel()
            end(trouble(error))
        }
    }

    private func trouble(_ error: ConversationError) -> LinkMachine.Trouble {
        switch error {
        case .ended: Trouble.of(errors.said)
        case .tooLong: .tooMuch
        case .notAReply: .notUnderstood
        }
    }

    func ask(_ method: some Method, more: Bool) throws(ConversationError) { try connection.send(method, more: more) }
}

/// The words of `ssh`, as sentences for the client.
enum Trouble {
    static func of(_ said: [UInt8]) -> LinkMachine.Trouble {
        let text = String(decoding: said, as: UTF8.self)
        if text.includes("REMOTE HOST IDENTIFICATION HAS CHANGED") || text.includes("Host key verification failed") {
            return LinkMachine.Trouble(
                kind: .final,
                sentence: "The practice's machine shows another key than the one of the invitation. Nothing was sent. "
                    + "Ask the practice; with a new invitation, `daybreak link set-up` knows the new key.")
        }
        if text.includes("opens nothing any more") { return .unknownKey }
        if text.includes("Permission denied") { return .refusedKey }
        if text.includes("daemon does not answer") || text.includes("cannot look anything up") {
            return .closed
        }
        return LinkMachine.Trouble(kind: .passing, sentence: "The practice cannot be reached\(lastLine(of: text)).")
    }

    private static func lastLine(of text: String) -> String {
        text.split(whereSeparator: \.isNewline).last.map { ": \($0.prefix(200))" } ?? ""
    }
}
