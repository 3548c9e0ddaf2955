/// A point in time, the same everywhere.
public struct Instant: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z, without leap seconds (POSIX time).
    public let microseconds: Int64

    public init(microseconds: Int64) { self.microseconds = microseconds }

    public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

    public static func + (instant: Self, length: Duration) -> Self {
        Instant(microseconds: instant.microseconds &+ length.microseconds)
    }

    public static func - (left: Self, right: Self) -> Duration {
        .microseconds(left.microseconds - right.microseconds)
    }
}

/// A point on this machine's monotonic clock (`CLOCK_MONOTONIC`). Nobody can set that clock, so the difference of two points
/// is the time between them.
public struct SteadyInstant: Hashable, Comparable, Sendable {
    /// Microseconds since an unspecified instant of this boot.
    public let microseconds: Int64

    public init(microseconds: Int64) { self.microseconds = microseconds }

    public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

    public static func + (instant: Self, length: Duration) -> Self {
        SteadyInstant(microseconds: instant.microseconds &+ length.microseconds)
    }

    public static func - (left: Self, right: Self) -> Duration {
        .microseconds(left.microseconds - right.microseconds)
    }
}

extension Duration {
    /// Whole microseconds, rounded towards zero.
    public var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000
    }

    /// Seconds, with a fraction.
    public var inSeconds: Double { Double(microseconds) / 1_000_000 }
}
