public import Varlink

/// How much one client may ask of the server. The defaults suit one person's daemon; each daemon may set its own.
public struct Limits: Sendable {
    /// Bytes of one call. An ordinary call has a few hundred.
    public var callBytes = 64 * 1_024
    /// Limits in bytes of methods with longer calls, by the method's name. The name must stand within the first 1,024 bytes
    /// of the call, where every known client writes it.
    public var longCalls: [String: Int] = [:]
    /// Long calls that one user, or one person, may be sending at a time. Nobody's rights are known before a call has come
    /// whole, so a stranger's connections could otherwise fill the memory with them.
    public var longCallsOfOneUser = 4
    /// The time from the first byte of a call to its last. A program sends a call at once; a person may type one.
    public var callTime = Duration.seconds(30)
    /// Connections at one time: enough for every program of one person's desktop.
    public var connections = 256
    /// Connections of one user, or of one person: lower than `connections`, so that one user cannot keep out the others.
    public var connectionsOfOneUser = 192
    /// Users whose connections carry other people's calls. Such a connection counts for its person, once the person is
    /// known.
    public var carriers: Set<UInt32> = []
    /// Calls of one connection in one turn; the other connections' calls come before the rest. With 1, a call is handed
    /// over once the one before it has been answered.
    public var callsInTurn = 1_024
    /// Bytes of unread replies above which a client's next call waits: about a hundred statuses.
    public var unreadBytes = 64 * 1_024
    /// Bytes of unread replies above which a client is disconnected: one long list.
    public var backlogBytes = 64 * 1_024 * 1_024
    /// The same for a client that watches: no person waits for its replies.
    public var watcherBacklogBytes = 256 * 1_024

    public init() {}
}

/// The last error that a client reads before the server disconnects it, in the daemon's own interface.
public struct DisconnectErrors {
    /// The client has left more bytes of replies unread than the limit.
    public var repliesUnread: (_ limit: Int) -> any ErrorReply
    /// The client began a call and did not finish it within this many seconds.
    public var callUnfinished: (_ seconds: Int) -> any ErrorReply
    /// There are as many connections as the limit. Nil: the client is disconnected without an error.
    public var tooManyConnections: ((_ limit: Int) -> any ErrorReply)?
    /// The error for a user at the limit of connections of one user. Nil: `tooManyConnections` is used.
    public var tooManyOfUser: ((_ limit: Int, _ user: UInt32) -> any ErrorReply)?
    /// The same of a person.
    public var tooManyOfPerson: ((_ limit: Int, _ person: String) -> any ErrorReply)?

    public init(
        repliesUnread: @escaping (Int) -> any ErrorReply, callUnfinished: @escaping (Int) -> any ErrorReply,
        tooManyConnections: ((Int) -> any ErrorReply)? = nil, tooManyOfUser: ((Int, UInt32) -> any ErrorReply)? = nil,
        tooManyOfPerson: ((Int, String) -> any ErrorReply)? = nil
    ) {
        self.repliesUnread = repliesUnread
        self.callUnfinished = callUnfinished
        self.tooManyConnections = tooManyConnections
        self.tooManyOfUser = tooManyOfUser
        self.tooManyOfPerson = tooManyOfPerson
    }
}
