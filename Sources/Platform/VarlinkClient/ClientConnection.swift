public import Glibc
public import Varlink

/// A conversation with a Varlink service. A call waits for its reply. A program that polls ``descriptor`` can also take the
/// replies of a stream as they come.
public final class ClientConnection {
    private let transport: Transport
    private var frames: FrameReader
    /// The bytes that have come so far.
    public private(set) var receivedBytes = 0

    private static let chunk = 64 * 1_024

    /// - Parameter longestReply: the limit in bytes; a longer reply is an error.
    public init(_ transport: consuming Transport, longestReply: Int = 64 * 1_024 * 1_024) {
        self.transport = transport
        frames = FrameReader(limit: longestReply)
    }

    /// The socket, for poll(2).
    public var descriptor: Int32 { transport.descriptor }

    /// The process that carries the bytes, such as `ssh`; nil for a socket.
    public var child: pid_t? { transport.child }

    /// Calls, and waits for the reply, which may be an error.
    public func reply(to method: some Method) throws(ConversationError) -> Reply {
        try send(method)
        return try nextReply()
    }

    /// Sends a call. With `more`, several replies follow.
    public func send(_ method: some Method, more: Bool = false) throws(ConversationError) {
        try send(Call.frame(method, more: more))
    }

    /// Sends an encoded call. Throws if the service has disconnected, unless unread bytes are left, which may say why.
    public func send(_ call: [UInt8]) throws(ConversationError) {
        var rest = call[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                guard hasUnread else { throw .ended }
                return
            }
            rest = rest.dropFirst(count)
        }
    }

    private var hasUnread: Bool { peek() > 0 }

    /// The service has disconnected, and no byte of it is left to read.
    public var hasEnded: Bool { peek() == 0 }

    /// The bytes that can be read, one at most; less than 0 if there are none yet.
    private func peek() -> Int {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    }

    /// Waits for the next reply.
    public func nextReply() throws(ConversationError) -> Reply {
        while true {
            if let reply = try readyReply() { return reply }
            try receive(flags: 0)
        }
    }

    /// Waits for the next reply; nil once no byte has come for so many seconds.
    public func nextReply(silentFor seconds: Double) throws(ConversationError) -> Reply? {
        while true {
            if let reply = try readyReply() { return reply }
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, Int32(seconds * 1_000)) != 0 else { return nil }
            try receive(flags: Int32(MSG_DONTWAIT))
        }
    }

    /// The next reply, if bytes came within so many seconds and completed it; else nil.
    public func replySoFar(waiting seconds: Double) throws(ConversationError) -> Reply? {
        if let reply = try readyReply() { return reply }
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, Int32(max(0, min(3_600, seconds)) * 1_000)) > 0 else { return nil }
        try receive(flags: Int32(MSG_DONTWAIT))
        return try readyReply()
    }

    /// The replies that have arrived. Throws if the service has disconnected.
    public func repliesSoFar() throws(ConversationError) -> [Reply] {
        try receive(flags: Int32(MSG_DONTWAIT))
        var replies: [Reply] = []
        while let reply = try readyReply() { replies.append(reply) }
        return replies
    }

    private func readyReply() throws(ConversationError) -> Reply? {
        guard let frame = frames.next() else { return nil }
        do { return try Reply(frame: frame) } catch { throw .notAReply(reason: error.reason) }
    }

    private func receive(flags: Int32) throws(ConversationError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, flags)
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN { return }
            guard count > 0 else { throw .ended }
            receivedBytes += count
            do { return try frames.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) } catch {
                throw .tooLong(limit: error.limit)
            }
        }
    }
}

/// The reason why a conversation cannot go on.
public enum ConversationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The service has disconnected.
    case ended
    /// The service sent bytes that are no reply.
    case notAReply(reason: String)
    /// A reply has more bytes than the limit.
    case tooLong(limit: Int)

    public var description: String {
        switch self {
        case .ended: "it hung up"
        case .notAReply(let reason): reason
        case .tooLong(let limit): "a reply of more than \(limit) bytes"
        }
    }
}
