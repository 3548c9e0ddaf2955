import HomeworkRules
import Time

/// A zone of a test: how far its wall is ahead of UTC, and when that changes. Worked out for itself, not by `LocalClock`.
public struct VirtualZone: Hashable, Sendable {
    public let name: String
    /// In their order.
    private var stretches: [Stretch]

    private struct Stretch: Hashable {
        let begins: Instant
        let ahead: Duration
    }

    /// One in which nothing changes.
    public init(_ ahead: Duration, name: String = "UTC") {
        self.name = name
        stretches = [Stretch(begins: Self.always, ahead: ahead)]
    }

    private static let always = Instant(microseconds: .min / 2)

    /// From that instant on its wall is so far ahead; what was to change later does not any more.
    public mutating func change(at instant: Instant, to ahead: Duration) {
        stretches.removeAll { $0.begins >= instant }
        stretches.append(Stretch(begins: stretches.isEmpty ? Self.always : instant, ahead: ahead))
    }

    public func ahead(at instant: Instant) -> Duration {
        var ahead = stretches[0].ahead
        for stretch in stretches where stretch.begins <= instant { ahead = stretch.ahead }
        return ahead
    }

    /// The first instant at which its wall, read as if it were UTC's, shows that or something later.
    public func first(_ shown: Instant) -> Instant {
        for (index, stretch) in stretches.enumerated() {
            let reached = max(shown + (.zero - stretch.ahead), stretch.begins)
            if index + 1 == stretches.count || reached < stretches[index + 1].begins { return reached }
        }
        preconditionFailure("a zone has a last stretch")
    }

    /// Whether its clock is changed between the two.
    public func changes(from begin: Instant, to end: Instant) -> Bool {
        stretches.contains { begin < $0.begins && $0.begins <= end }
    }
}
