import HomeworkRules
import Time

/// The clocks of a test: a wall, and the machine's own. They move when they are told to.
public struct VirtualClock: Hashable, Sendable {
    /// UTC.
    public var instant: Instant
    public var steady: SteadyInstant
    /// Where the wall is: a traveller changes this, and nothing else.
    public var zone: VirtualZone
    /// Minutes after midnight at which a day begins.
    public var dayStartsAt = 0

    public init(_ day: CalendarDay, _ time: String = "00:00", offset: Duration = .zero) {
        steady = SteadyInstant(microseconds: 1_000_000_000)
        zone = VirtualZone(offset)
        instant = Self.instant(day, time) - offset
    }

    /// How far the wall is ahead of UTC; set, it is so from then on and for ever.
    public var offset: Duration {
        get { zone.ahead(at: instant) }
        set { zone = VirtualZone(newValue) }
    }

    /// What `host.now()` would say.
    public var moment: Moment {
        let minutes = Self.floorDivide((instant + offset).microseconds, 60_000_000)
        var wall = WallTime(count: Int(minutes), dayStartsAt: dayStartsAt)
        // Begun is begun, also where the wall shows the day before again.
        if start(of: wall.day.next) <= instant { wall = WallTime(day: wall.day.next, minute: wall.minute - 1_440) }
        return Moment(
            instant: instant, wall: wall, zone: zone.name, steady: steady, dayEnds: start(of: wall.day.next))
    }

    /// When the wall first shows that, or something later.
    public func instant(of wall: WallTime) -> Instant {
        zone.first(Instant(microseconds: Int64(wall.count) * 60_000_000))
    }

    /// The first instant of a day.
    public func start(of day: CalendarDay) -> Instant { instant(of: WallTime(day: day, minute: dayStartsAt)) }

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
