import HomeworkRules
import Time

/// The clocks of a test: the wall clock and the steady clock. They move only when the test moves them.
public struct VirtualClock: Hashable, Sendable {
    /// The wall clock, as an instant.
    public var instant: Instant
    public var steady: SteadyInstant
    /// The zone of the wall. A journey changes only this.
    public var zone: VirtualZone
    /// Minutes after midnight at which a day begins.
    public var dayStartsAt = 0

    public init(_ day: CalendarDay, _ time: String = "00:00", offset: Duration = .zero) {
        steady = SteadyInstant(microseconds: 1_000_000_000)
        zone = VirtualZone(offset)
        instant = Self.instant(day, time) - offset
    }

    /// How far the wall is ahead of UTC. Setting it holds from then on.
    public var offset: Duration {
        get { zone.ahead(at: instant) }
        set { zone = VirtualZone(newValue) }
    }

    /// The result of `host.now()`.
    public var moment: Moment {
        let minutes = Self.floorDivide((instant + offset).microseconds, 60_000_000)
        var wall = WallTime(count: Int(minutes), dayStartsAt: dayStartsAt)
        // A day that has begun stays begun, even if the wall shows the day before again.
        if start(of: wall.day.next) <= instant { wall = WallTime(day: wall.day.next, minute: wall.minute - 1_440) }
        return Moment(
            instant: instant, wall: wall, zone: zone.name, steady: steady, dayEnds: start(of: wall.day.next))
    }

    /// The first instant at which the wall shows that time or a later one.
    public func instant(of wall: WallTime) -> Instant {
        zone.first(Instant(microseconds: Int64(wall.count) * 60_000_000))
    }

    /// The first instant of a day.
    public func start(of day: CalendarDay) -> Instant { instant(of: WallTime(day: day, minute: dayStartsAt)) }

    /// Lets time pass.
    public mutating func advance(by length: Duration) {
        instant = instant + length
        steady = steady + length
    }

    /// Lets time pass until the wall shows that time. If the wall shows it or a later one already, sets the wall clock
    /// instead.
    public mutating func move(to day: CalendarDay, _ time: String) {
        let target = Self.instant(day, time) - offset
        advance(by: max(.zero, target - instant))
        instant = target
    }

    /// Sets the wall clock. The steady clock does not change.
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
