public import Time

/// Whether the provider is available, as last told, and for how long the word is good.
public struct Presence: Hashable, Sendable {
    public let online: Bool
    /// What to call the provider, if told. Never shown outside the client's own screen.
    public let name: String?
    public let since: Instant
    public let until: Instant

    /// A word about a person's presence is good for this long at the most.
    public static let longest = Duration.seconds(24 * 3_600)
    /// In UTF-8; a person's name fits many times.
    public static let nameByteLimit = 200

    public init(online: Bool, name: String?, since: Instant, until: Instant) {
        self.online = online
        self.name = name
        self.since = since
        self.until = until
    }

    /// A clock set back to before the word was given makes it worth nothing, too.
    public func isOnline(at instant: Instant) -> Bool {
        online && since <= instant && instant < until
    }

    /// When that is next different; nil where it stays.
    func changes(after instant: Instant) -> Instant? {
        guard online, since < until else { return nil }
        return [since, until].first { $0 > instant }
    }
}
