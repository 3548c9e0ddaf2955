public import Time

/// A turn in a client's record.
public enum RecordTurnKind: String, CaseIterable, Sendable {
    case opened, closed, reopened, transferred
}

/// The cause for opening a closed record again.
public enum ReopeningCause: String, CaseIterable, Sendable {
    /// The record was closed by mistake: the episode continues without a gap.
    case mistake
    /// The client came back: a new episode of the same record begins.
    case `return`
}

/// A period in which a record was open. A return after a closing begins a new episode.
public struct Episode: Equatable, Sendable {
    /// Counted from 1.
    public let number: Int
    public let first: CalendarDay
    /// The day of the closing; nil while the record is open.
    public var last: CalendarDay?

    public init(number: Int, first: CalendarDay, last: CalendarDay? = nil) {
        (self.number, self.first, self.last) = (number, first, last)
    }

    /// The episodes that follow from a record's turns, which are given from the oldest on.
    public static func all(of turns: [(kind: RecordTurnKind, cause: ReopeningCause?, on: CalendarDay)]) -> [Episode] {
        turns.reduce(into: []) { episodes, turn in
            switch (turn.kind, turn.cause) {
            case (.opened, _), (.reopened, .return):
                episodes.append(Episode(number: episodes.count + 1, first: turn.on))
            case (.closed, _): episodes[episodes.count - 1].last = turn.on
            case (.reopened, _): episodes[episodes.count - 1].last = nil
            case (.transferred, _): break
            }
        }
    }

    fileprivate func contains(_ day: CalendarDay) -> Bool { first <= day && last.map { day <= $0 } ?? true }
}

/// The days of a record.
public enum RecordRules {
    /// Checks the day on which a record begins: not in the future, and at most 100 years ago.
    public static func since(_ text: String, today: CalendarDay) throws(FieldError) -> CalendarDay {
        let day = try Field.day(text)
        guard day <= today else { throw FieldError("must not be to come: today is \(today).") }
        guard today.year - day.year <= 100 else { throw FieldError("must be within the last 100 years.") }
        return day
    }

    /// Checks the day of a closing, which is today unless given: not in the future, and not before the episode or its last
    /// session.
    public static func closing(
        _ text: String?, today: CalendarDay, since: CalendarDay?, lastSession: CalendarDay?
    ) throws(FieldError) -> CalendarDay {
        let day = try text.map { text throws(FieldError) in try Field.day(text) } ?? today
        guard day <= today else { throw FieldError("must not be to come: today is \(today).") }
        if let since, day < since { throw FieldError("must not be before the record was opened, on \(since).") }
        if let lastSession, day < lastSession {
            throw FieldError("must not be before the last session, on \(lastSession).")
        }
        return day
    }
}

/// The limits of a session's fields.
public enum SessionRules {
    /// The minutes of a session: at most a day.
    public static let minutes = 1...1_440
    /// The fee, in the currency's smallest unit. A 64-bit number holds the sum of a hundred million such fees.
    public static let fee = 0...10_000_000_000
    /// The most motives, and the most tools, of a session.
    public static let terms = 20
    /// The most addenda of a session.
    public static let addenda = 100

    /// Checks the text of an addendum: at most about four pages.
    public static func addendum(_ text: String) throws(FieldError) -> String {
        try Field.someText(text, limit: 16 * 1_024)
    }

    /// Checks the notes of a session; may be empty.
    public static func notes(_ text: String) throws(FieldError) -> String {
        try Field.text(text, limit: Field.notesLimit)
    }

    /// Checks that a day is not in the future.
    public static func past(_ text: String, today: CalendarDay) throws(FieldError) -> CalendarDay {
        let day = try Field.day(text)
        guard day <= today else { throw FieldError("must not be to come: today is \(today).") }
        return day
    }

    /// Checks the day of a session, and returns its episode. The day is not in the future, and the record was open. A day on
    /// which a record was both closed and reopened belongs to the later episode.
    public static func day(
        _ text: String, today: CalendarDay, in episodes: [Episode]
    ) throws(FieldError) -> (day: CalendarDay, episode: Int) {
        let day = try past(text, today: today)
        if let episode = episodes.last(where: { $0.contains(day) }) { return (day, episode.number) }
        guard let before = episodes.last(where: { $0.first <= day }), let closed = before.last else {
            let first = episodes.first?.first ?? today
            throw FieldError("must not be before the record, which begins on \(first).")
        }
        let again = episodes.first { $0.first > day }.map { " and opened again on \($0.first)" } ?? ""
        throw FieldError("must be a day on which the record was open: it was closed on \(closed)\(again).")
    }
}
