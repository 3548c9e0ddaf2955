import HomeworkRules
import Time

/// Spells instants and days in the client's time zone. The daemon's clock makes one; a test makes its own.
struct Spelling {
    /// An instant in RFC 3339 with the offset that holds then, `2027-03-05T09:00:00+01:00`.
    let instant: (Instant) -> String
    /// The first instant of a day.
    let start: (CalendarDay) -> Instant
    /// The first instant at which the wall clock shows that time or a later one.
    let at: (WallTime) -> Instant

    init(
        instant: @escaping (Instant) -> String, start: @escaping (CalendarDay) -> Instant,
        at: @escaping (WallTime) -> Instant
    ) {
        self.instant = instant
        self.start = start
        self.at = at
    }

    func beginning(of day: CalendarDay) -> String { instant(start(day)) }

    func next(_ next: Outlook.Next) -> String {
        switch next {
        case .day(let day): beginning(of: day)
        case .wall(let time): instant(at(time))
        case .instant(let known): instant(known)
        }
    }
}
