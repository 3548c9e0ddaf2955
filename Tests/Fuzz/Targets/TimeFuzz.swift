import HomeworkRules
import Time

@testable import DaybreakInterfaces
@testable import HomeworkDaemon

/// Days, times, lengths and patterns, as people and programs write them.
enum TimeFuzz {
    private static var clock: LocalClock { LocalClock() }
    /// Noon of 5 March 2027.
    private static let noon = Moment(
        instant: Instant(microseconds: 1_804_248_000_000_000),
        wall: WallTime(day: CalendarDay(ordinal: 20_882), minute: 720), zone: "UTC",
        steady: SteadyInstant(microseconds: 0), dayEnds: Instant(microseconds: 1_804_291_200_000_000))

    static func run(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        if let day = CalendarDay(text) { try promise("a day says the same again", "\(day)" == text) }
        if let pattern = try? BreathPattern(text) {
            try promise("a pattern says the same again", try BreathPattern("\(pattern)") == pattern)
        }
        if let length = Length(text)?.duration {
            try promise("a length is not negative", length >= .zero)
            let later = When.instant(text, after: noon, on: clock)
            try promise("a length is counted from now", later == noon.instant + length)
        }
        _ = When.instant(text, after: noon, on: clock)
        if let instant = DateTime(text)?.instant { try hold(instant) }
        try holdDueDate(text)
    }

    /// The wall's text of an instant names that instant, except on the first and the last days of the calendar.
    private static func hold(_ instant: Instant) throws {
        let day = clock.wall(at: instant).day
        guard day - 2 > CalendarDay.range.lowerBound, day + 2 < CalendarDay.range.upperBound else { return }
        try promise("an instant says the same again", DateTime(clock.rfc3339(instant))?.instant == instant)
    }

    private static func holdDueDate(_ text: String) throws {
        guard let day = DueDate.day(in: text) else {
            return try promise("a fault is fit for the journal", isLine(DueDate.fault(in: text)))
        }
        try promise("a due date is its own day", text.hasPrefix("\(day)"))
    }
}
