/// A point on the world's clock.
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

/// A point on the machine's own clock, which nobody sets (`CLOCK_MONOTONIC`): for lengths, never for days.
public struct SteadyInstant: Hashable, Comparable, Sendable {
    /// Microseconds since some instant of this boot.
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

    /// As a decimal number of seconds.
    public var inSeconds: Double { Double(microseconds) / 1_000_000 }
}

/// A minute of a client's day on the wall: 09:00 on 2027-03-05.
///
/// Where the day begins later than midnight, the small hours belong to the day before and count on: 01:30 is minute 1530.
public struct WallTime: Hashable, Comparable, Sendable {
    public let day: CalendarDay
    /// Minutes since that date's midnight, as the wall counts them.
    public let minute: Int

    public init(day: CalendarDay, minute: Int) {
        self.day = day
        self.minute = minute
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.day, left.minute) < (right.day, right.minute)
    }

    /// Minutes since 1970-01-01, 00:00, as the wall counts them: the same for one time, whatever day it belongs to.
    public var count: Int { Int(day.ordinal) * 1_440 + minute }

    /// The time that has this count, on the day to which it belongs where days begin so many minutes after midnight.
    public init(count: Int, dayStartsAt: Int) {
        let since = count - dayStartsAt
        let days = since / 1_440 - (since % 1_440 < 0 ? 1 : 0)
        self.init(day: CalendarDay(ordinal: Int32(clamping: days)), minute: count - days * 1_440)
    }
}

/// When something is decided: the instant, what the wall showed then, and the machine's own clock.
///
/// Events keep moments, so that replaying them never asks a time zone.
public struct Moment: Hashable, Sendable {
    public let instant: Instant
    /// The client's day and minute on the wall.
    public let wall: WallTime
    /// The zone that the wall was in, `Europe/Berlin`.
    public let zone: String
    public let steady: SteadyInstant
    /// When the next day begins there.
    public let dayEnds: Instant

    public var day: CalendarDay { wall.day }

    public init(instant: Instant, wall: WallTime, zone: String, steady: SteadyInstant, dayEnds: Instant) {
        self.instant = instant
        self.wall = wall
        self.zone = zone
        self.steady = steady
        self.dayEnds = dayEnds
    }
}
