import Homework

/// The clocks of a test: a wall without time zones, and the machine's own. They move when they are told to.
public struct VirtualClock: Hashable, Sendable {
    /// UTC.
    public var instant: Instant
    public var steady: SteadyInstant
    /// How far the wall is ahead of UTC: a traveller changes this, and nothing else.
    public var offset: Duration
    /// Minutes after midnight at which a day begins.
    public var dayStartsAt = 0

    public init(_ day: CalendarDay, _ time: String = "00:00", offset: Duration = .zero) {
        steady = SteadyInstant(microseconds: 1_000_000_000)
        self.offset = offset
        instant = Self.instant(day, time) - offset
    }

    /// What `host.now()` would say.
    public var moment: Moment {
        let minutes = Self.floorDivide((instant + offset).microseconds, 60_000_000)
        let wall = WallTime(count: Int(minutes), dayStartsAt: dayStartsAt)
        return Moment(
            instant: instant, wall: wall, zone: "UTC", steady: steady,
            dayEnds: instant(of: WallTime(day: wall.day.next, minute: dayStartsAt)))
    }

    /// When the wall shows that.
    public func instant(of wall: WallTime) -> Instant {
        Instant(microseconds: Int64(wall.count) * 60_000_000) - offset
    }

    /// Time passes.
    public mutating func advance(by length: Duration) {
        instant = instant + length
        steady = steady + length
    }

    /// Time passes until the wall shows that; where the wall is there or beyond, it is set, and no time passes.
    public mutating func move(to day: CalendarDay, _ time: String) {
        let target = Self.instant(day, time) - offset
        advance(by: max(.zero, target - instant))
        instant = target
    }

    /// Somebody sets the wall clock; the machine's own goes on as it was.
    public mutating func set(to day: CalendarDay, _ time: String) {
        instant = Self.instant(day, time) - offset
    }

    /// The instant of a time of day such as `09:00` or `09:00:30` in UTC.
    public static func instant(_ day: CalendarDay, _ time: String) -> Instant {
        let parts = time.split(separator: ":").map { Int64($0) }
        guard (2...3).contains(parts.count), let hours = parts[0], let minutes = parts[1],
            let seconds = parts.count == 3 ? parts[2] : 0
        else { preconditionFailure("\(time) is no time of day") }
        return Instant(
            microseconds: Int64(day.ordinal) * dayLength + (hours * 3_600 + minutes * 60 + seconds) * 1_000_000)
    }

    private static let dayLength: Int64 = 86_400_000_000

    private static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
        number / divisor - (number % divisor < 0 ? 1 : 0)
    }
}

private func - (instant: Instant, length: Duration) -> Instant { instant + (.zero - length) }
