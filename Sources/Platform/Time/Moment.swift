/// A minute that a wall clock shows, on a person's own day: 09:00 on 2027-03-05.
///
/// A person's day may begin after midnight. The hours before it belong to the day before and count on: where days begin at
/// 04:00, 01:30 on 6 March is minute 1530 of 5 March.
public struct WallTime: Hashable, Comparable, Sendable {
    public let day: CalendarDay
    /// Minutes since midnight of `day`, as a wall clock counts them.
    public let minute: Int

    public init(day: CalendarDay, minute: Int) {
        self.day = day
        self.minute = minute
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.day, left.minute) < (right.day, right.minute)
    }

    /// Minutes since 1970-01-01, 00:00, as a wall clock counts them. It does not depend on when days begin.
    public var count: Int { Int(day.ordinal) * 1_440 + minute }

    /// The minute with this count, on the day it belongs to if days begin `dayStartsAt` minutes after midnight.
    public init(count: Int, dayStartsAt: Int) {
        let since = count - dayStartsAt
        let days = since / 1_440 - (since % 1_440 < 0 ? 1 : 0)
        self.init(day: CalendarDay(ordinal: Int32(clamping: days)), minute: count - days * 1_440)
    }
}

/// When something happened: the instant, the wall clock's time and zone, and the monotonic clock.
///
/// An event stores its moment, so that replaying it never asks a time zone.
public struct Moment: Hashable, Sendable {
    public let instant: Instant
    /// The person's day, and the minute that the wall clock showed.
    public let wall: WallTime
    /// The time zone of the wall clock, such as `Europe/Berlin`.
    public let zone: String
    public let steady: SteadyInstant
    /// When the person's next day begins.
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
