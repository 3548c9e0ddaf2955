public import Varlink

/// One call of a client, handed to the daemon to be answered: any number of times with `continue`, if the client asked for
/// `more`, then once with `reply` or `fail`. The answer may come in a later turn of the loop.
///
/// Replies reach the client in the order of its calls: an early answer waits for those before it. A call that wants no
/// answer (`oneway`) is ended in the same way, and nothing is sent.
public final class Request {
    public let call: Call
    /// The caller of this call. Later calls of the connection may have another (`enter`).
    public let caller: Caller

    /// Nil once the request is ended, or its client has disconnected.
    private unowned var connection: Connection?
    /// Answers that wait for the answers to earlier calls.
    private(set) var waiting: [UInt8] = []
    private(set) var isEnded = false
    /// At least one reply that continues was given.
    private(set) var isStreaming = false

    init(_ call: Call, on connection: Connection) {
        self.call = call
        self.connection = connection
        caller = connection.caller
    }

    /// True if an answer can still reach the client.
    public var isOpen: Bool { connection.map { !$0.isGone } ?? false }

    /// Ends the request with a reply.
    public func reply(_ parameters: some Encodable) { reply(frame: Reply.frame(parameters)) }

    /// Ends the request with an error.
    public func fail(_ error: some ErrorReply) { reply(frame: Reply.frame(error: error)) }

    /// Ends the request with an encoded reply or error, its NUL included.
    public func reply(frame: [UInt8]) {
        precondition(!isEnded, "a request is ended once")
        isEnded = true
        answer(frame)
        connection = nil
    }

    /// Sends an encoded reply that has `continues`. More replies follow; `reply` or `fail` gives the last.
    public func `continue`(frame: [UInt8]) {
        precondition(call.wantsMore && !isEnded, "only a call with more has several replies")
        isStreaming = true
        answer(frame)
    }

    /// Makes this caller the caller of the connection's later calls.
    public func enter(as caller: Caller) { connection?.caller = caller }

    private func answer(_ frame: [UInt8]) {
        connection?.answer(self, call.isOneway ? [] : frame)
    }

    func hold(_ frame: [UInt8]) { waiting += frame }

    func takeWaiting() -> [UInt8] {
        defer { waiting = [] }
        return waiting
    }

    /// The client has disconnected.
    func disconnect() { connection = nil }
}
