public import Time

/// Something that happened. It is kept for ever and never changed.
public struct Event: Hashable, Sendable {
    public let moment: Moment
    public let actor: Actor
    /// The user (uid) whose plan it concerns.
    public let client: UInt32
    public let what: Happening

    public init(moment: Moment, actor: Actor, client: UInt32, what: Happening) {
        self.moment = moment
        self.actor = actor
        self.client = client
        self.what = what
    }
}

/// The user who caused an event, as the kernel reports it.
public struct Actor: Hashable, Sendable {
    /// The user's number (uid).
    public let user: UInt32
    /// True if no person asked: the clock, a file or a simulated provider caused the event.
    public let isDaemon: Bool

    public init(user: UInt32, isDaemon: Bool = false) {
        self.user = user
        self.isDaemon = isDaemon
    }
}

/// Identifies the text of a schedule file.
public struct Fingerprint: Hashable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }
}
