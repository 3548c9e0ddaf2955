/// A day as people write it: `2027-03-05`, `yesterday`, `today`, `tomorrow`, or a weekday by its name or the first three
/// letters of it (`Monday`, `mon`), with `last` or `next` before it where today is not meant.
public struct SpokenDay: Equatable, Sendable {
    /// The day that a weekday's name alone means, which may be today.
    public enum Direction: String, Sendable {
        /// The latest one: for things that happened.
        case last
        /// The nearest one to come: for things that are planned.
        case next
    }

    private enum Meaning: Equatable {
        case exactly(CalendarDay)
        case daysAhead(Int)
        /// `other`: today is not meant.
        case weekday(Weekday, other: Direction?)
    }

    private let meaning: Meaning

    /// Nil if the text says no day.
    public init?(_ text: String) {
        let words = text.lowercased().split(whereSeparator: \.isWhitespace)
        guard let last = words.last else { return nil }
        let other = words.count == 2 ? Direction(rawValue: String(words[0])) : nil
        guard words.count == 1 || other != nil else { return nil }
        if let weekday = Weekday.allCases.first(where: {
            last == $0.name.lowercased() || last == $0.shortName.lowercased()
        }) {
            meaning = .weekday(weekday, other: other)
            return
        }
        switch (words.count, last) {
        case (1, "yesterday"): meaning = .daysAhead(-1)
        case (1, "today"): meaning = .daysAhead(0)
        case (1, "tomorrow"): meaning = .daysAhead(1)
        case (1, _):
            guard let day = CalendarDay(last) else { return nil }
            meaning = .exactly(day)
        default: return nil
        }
    }

    /// The day, where it does not depend on today.
    public var exactly: CalendarDay? { if case .exactly(let day) = meaning { day } else { nil } }

    public var isWeekday: Bool { if case .weekday = meaning { true } else { false } }

    /// - Parameter weekdays: the day that a weekday's name alone means.
    public func day(today: CalendarDay, weekdays: Direction) -> CalendarDay {
        switch meaning {
        case .exactly(let day): day
        case .daysAhead(let days): today + days
        case .weekday(let weekday, let other):
            switch other ?? weekdays {
            case .last: (today - (other == nil ? 0 : 1)).latest(weekday)
            case .next: (today + (other == nil ? 0 : 1)).nearest(weekday)
            }
        }
    }
}

extension CalendarDay {
    /// The last such day up to this one.
    fileprivate func latest(_ wanted: Weekday) -> CalendarDay { self - (weekday.rawValue - wanted.rawValue + 7) % 7 }

    /// The first such day from this one on.
    fileprivate func nearest(_ wanted: Weekday) -> CalendarDay { self + (wanted.rawValue - weekday.rawValue + 7) % 7 }
}
