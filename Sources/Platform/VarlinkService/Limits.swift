public import Varlink

/// How much one client may ask of the server. The defaults suit the daemon of one person; each daemon sets its own.
public struct Limits: Sendable {
    /// The bytes of one call. An ordinary call fits many times over.
    public var callBytes = 64 * 1_024
    /// Methods whose calls may be longer, with their own limit. The call must name its method within its first 1,024 bytes,
    /// as every known client does.
    public var longCalls: [String: Int] = [:]
    /// From the first byte of a call to its last. Programs send a call at once; a person who types one has this long.
    public var callTime = Duration.seconds(30)
    /// Connections at one time. Every program of one person's desktop has room.
    public var connections = 256
    /// Connections of one user. Lower than `connections`, so that no user can keep the others out.
    public var connectionsOfOneUser = 192
    /// Calls of one connection in one turn. The calls of other connections come before the rest. With 1, a call is handed
    /// over once the one before it has been answered.
    public var callsInTurn = 1_024
    /// Bytes of replies that a client may leave unread before its next call is taken: about a hundred statuses.
    public var unreadBytes = 64 * 1_024
    /// Bytes of replies that a client may leave unread before it is disconnected: one long list.
    public var backlogBytes = 64 * 1_024 * 1_024
    /// The same for a client that watches: nobody waits for it.
    public var watcherBacklogBytes = 256 * 1_024

    public init() {}
}

/// The errors that a client reads last, before the server disconnects it, in the daemon's own interface.
public struct DisconnectErrors {
    /// More replies lie unread than the limit, in bytes.
    public var repliesUnread: (_ limit: Int) -> any ErrorReply
    /// A call was begun and not ended within so many seconds.
    public var callUnfinished: (_ seconds: Int) -> any ErrorReply
    /// There are as many connections as the limit; nil where the client is told nothing.
    public var tooManyConnections: ((_ limit: Int) -> any ErrorReply)?

    public init(
        repliesUnread: @escaping (Int) -> any ErrorReply, callUnfinished: @escaping (Int) -> any ErrorReply,
        tooManyConnections: ((Int) -> any ErrorReply)? = nil
    ) {
        self.repliesUnread = repliesUnread
        self.callUnfinished = callUnfinished
        self.tooManyConnections = tooManyConnections
    }
}
