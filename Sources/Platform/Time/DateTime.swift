/// A date and a time of day as a wall clock showed them, with that clock's offset from UTC: 2027-03-05T09:00:00+01:00.
public struct DateTime: Hashable, Sendable {
    public let day: CalendarDay
    public let time: TimeOfDay
    /// From 0 to 60; 60 is a leap second.
    public let second: Int
    /// How far the clock was ahead of UTC, in whole minutes; nil if the text did not say.
    public let offset: Duration?

    public init(day: CalendarDay, time: TimeOfDay, second: Int = 0, offset: Duration?) {
        self.day = day
        self.time = time
        self.second = second
        self.offset = offset
    }

    /// The date and time on a clock that is `offset` ahead of UTC, at `instant`. Fractions of a second are dropped.
    public init(_ instant: Instant, offset: Duration) {
        let seconds = floorDivide(Int(instant.microseconds), by: 1_000_000).quotient + Int(offset.components.seconds)
        let (days, ofDay) = floorDivide(seconds, by: 86_400)
        self.init(
            day: CalendarDay(ordinal: Int32(clamping: days)), time: TimeOfDay(minutes: ofDay / 60), second: ofDay % 60,
            offset: offset)
    }

    /// Reads an RFC 3339 date-time, and the wider ISO 8601 extended forms that people write: without seconds
    /// (`2027-03-05T09:00Z`), with a space for the `T`, with an offset of hours (`+01`), or without an offset. A fraction
    /// of a second is dropped. Nil for any other text and for a day or time that does not exist.
    public init?(_ text: some StringProtocol) {
        var rest = TextScanner(text)
        guard let day = CalendarDay(String(text.prefix(10))), rest.skip(10),
            rest.take("T") || rest.take("t") || rest.take(" "),
            let hour = rest.number(digits: 2...2), rest.take(":"), let minute = rest.number(digits: 2...2),
            let time = TimeOfDay(hour: hour, minute: minute), let second = Self.second(&rest), second <= 60
        else { return nil }
        var offset: Duration?
        if !rest.isAtEnd {
            offset = Self.offset(&rest)
            guard offset != nil, rest.isAtEnd else { return nil }
        }
        self.init(day: day, time: time, second: second, offset: offset)
    }

    /// `:05`, `:05.25` or nothing, which is 0.
    private static func second(_ rest: inout TextScanner) -> Int? {
        guard rest.take(":") else { return 0 }
        guard let second = rest.number(digits: 2...2) else { return nil }
        if rest.take(".") || rest.take(",") {
            guard rest.skipDigits() else { return nil }
        }
        return second
    }

    /// `Z`, `+01:00`, `-0130` or `+01`.
    private static func offset(_ rest: inout TextScanner) -> Duration? {
        if rest.take("Z") || rest.take("z") { return .zero }
        let isBehind = rest.take("-")
        guard isBehind || rest.take("+"), let hours = rest.number(digits: 2...2), hours < 24 else { return nil }
        var minutes = 0
        if !rest.isAtEnd {
            _ = rest.take(":")
            guard let read = rest.number(digits: 2...2), read < 60 else { return nil }
            minutes = read
        }
        return .seconds((isBehind ? -60 : 60) * (hours * 60 + minutes))
    }

    /// Nil if the offset is unknown. A leap second is the first second of the next minute (POSIX time).
    public var instant: Instant? {
        guard let offset else { return nil }
        let onTheWall = Int64(day.ordinal) * 86_400 + Int64(time.minutes * 60 + second)
        return Instant(microseconds: (onTheWall - offset.components.seconds) * 1_000_000)
    }
}

extension DateTime: CustomStringConvertible {
    /// RFC 3339: `2027-03-05T09:00:00+01:00`; without the offset if it is unknown.
    public var description: String {
        let offset = offset.map { offset in
            let minutes = Int(offset.components.seconds) / 60
            return "\(minutes < 0 ? "-" : "+")\(twoDigits(abs(minutes) / 60)):\(twoDigits(abs(minutes) % 60))"
        }
        return "\(day)T\(time):\(twoDigits(second))\(offset ?? "")"
    }
}
