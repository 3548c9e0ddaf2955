import HomeworkRules
import Time

/// A zone of a test: how far its wall is ahead of UTC, and when that changes. It is calculated without `LocalClock`.
public struct VirtualZone: Hashable, Sendable {
    public let name: String
    /// The periods with one offset, in their order.
    private var stretches: [Stretch]

    private struct Stretch: Hashable {
        let begins: Instant
        let ahead: Duration
    }

    /// A zone without changes.
    public init(_ ahead: Duration, name: String = "UTC") {
        self.name = name
        stretches = [Stretch(begins: Self.always, ahead: ahead)]
    }

    private static let always = Instant(microseconds: .min / 2)

    /// From that instant on the wall is this far ahead. Later changes are dropped.
    public mutating func change(at instant: Instant, to ahead: Duration) {
        stretches.removeAll { $0.begins >= instant }
        stretches.append(Stretch(begins: stretches.isEmpty ? Self.always : instant, ahead: ahead))
    }

    public func ahead(at instant: Instant) -> Duration {
        var ahead = stretches[0].ahead
        for stretch in stretches where stretch.begins <= instant { ahead = stretch.ahead }
        return ahead
    }

    /// The first instant at which the wall, read as UTC, shows `shown` or a later time.
    public func first(_ shown: Instant) -> Instant {
        for (index, stretch) in stretches.enumerated() {
            let reached = max(shown + (.zero - stretch.ahead), stretch.begins)
            if index + 1 == stretches.count || reached < stretches[index + 1].begins { return reached }
        }
        preconditionFailure("a zone has a last stretch")
    }

    /// Whether the offset changes between the two instants.
    public func changes(from begin: Instant, to end: Instant) -> Bool {
        stretches.contains { begin < $0.begins && $0.begins <= end }
    }
}
