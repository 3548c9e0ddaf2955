import HomeworkRules
import Time

/// A zone of a test: how far its wall is ahead of UTC, and when that changes. It is calculated without `LocalClock`.
public struct VirtualZone: Hashable, Sendable {
    public let name: String
    /// The periods with one offset, in their order.
    private var periods: [OffsetPeriod]

    private struct OffsetPeriod: Hashable {
        let begins: Instant
        let ahead: Duration
    }

    /// A zone without changes.
    public init(_ ahead: Duration, name: String = "UTC") {
        self.name = name
        periods = [OffsetPeriod(begins: Self.always, ahead: ahead)]
    }

    private static let always = Instant(microseconds: .min / 2)

    /// From that instant on the wall is this far ahead. Later changes are dropped.
    public mutating func change(at instant: Instant, to ahead: Duration) {
        periods.removeAll { $0.begins >= instant }
        periods.append(OffsetPeriod(begins: periods.isEmpty ? Self.always : instant, ahead: ahead))
    }

    public func ahead(at instant: Instant) -> Duration {
        var ahead = periods[0].ahead
        for period in periods where period.begins <= instant { ahead = period.ahead }
        return ahead
    }

    /// The first instant at which the wall, read as UTC, shows `shown` or a later time.
    public func first(_ shown: Instant) -> Instant {
        for (index, period) in periods.enumerated() {
            let reached = max(shown + (.zero - period.ahead), period.begins)
            if index + 1 == periods.count || reached < periods[index + 1].begins { return reached }
        }
        preconditionFailure("a zone has a last period")
    }

    /// Whether the offset changes between the two instants.
    public func changes(from begin: Instant, to end: Instant) -> Bool {
        periods.contains { begin < $0.begins && $0.begins <= end }
    }
}
