public import Systemd

/// Microseconds, longer than any test takes: only a failing test waits so long.
public let patience: UInt64 = 60_000_000

/// A server on a real socket, in a loop that the test turns.
public protocol ServerInLoop {
    var loop: EventLoop { get }
    /// The socket's path.
    var path: String { get }
    /// Handles everything that is ready.
    func settle() throws
}

extension ServerInLoop {
    public func client() -> Client { Client(to: path) }

    /// Waits for the next message; nil if the connection was closed instead.
    public func message(for client: Client) throws -> String? {
        while true {
            if let message = client.message() { return message }
            guard !client.isCutOff, try loop.step(timeoutMicroseconds: patience) else { return nil }
        }
    }

    /// Makes one call and returns its reply.
    public func ask(_ client: Client, _ call: String) throws -> String? {
        client.send(call)
        return try message(for: client)
    }

    /// Does the same over a connection of its own.
    public func ask(_ call: String) throws -> String? { try ask(client(), call) }

    /// Sends more bytes than the socket holds at once.
    public func send(bytes: ArraySlice<UInt8>, over client: Client) throws {
        var rest = bytes
        while !rest.isEmpty, !client.isCutOff {
            // No more than a socket holds: the rest of a long call is not copied for each reading.
            let count = client.send(bytes: Array(rest.prefix(1_024 * 1_024)))
            rest = rest.dropFirst(count)
            if count == 0, try !loop.step(timeoutMicroseconds: 0) { return }
        }
    }

    /// Sends a message that is longer than the socket holds at once.
    public func send(_ message: String, over client: Client) throws {
        try send(bytes: (Array(message.utf8) + [0])[...], over: client)
    }

    public func settle() throws { while try loop.step(timeoutMicroseconds: 0) {} }
}

/// An encoded call. The parameters are JSON.
public func encodedCall(
    _ method: String, _ parameters: String = "", more: Bool = false, oneway: Bool = false
) -> String {
    let flags = (more ? ",\"more\":true" : "") + (oneway ? ",\"oneway\":true" : "")
    let rest = parameters.isEmpty ? "" : ",\"parameters\":\(parameters)"
    return "{\"method\":\"\(method)\"\(flags)\(rest)}"
}

/// An encoded error.
public func encodedError(_ name: String, _ parameters: String = "{}") -> String {
    "{\"error\":\"\(name)\",\"parameters\":\(parameters)}"
}
