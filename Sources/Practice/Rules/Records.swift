public import Time

/// A turn in a client's record.
public enum TurnKind: String, CaseIterable, Sendable {
    case opened, closed, reopened, transferred
}

/// Why a closed record is opened again.
public enum ReopeningCause: String, CaseIterable, Sendable {
    /// The closing was wrong: the gap is undone, and the episode goes on.
    case mistake
    /// The client came back: a new episode of the same record begins.
    case `return`
}

/// What may be recorded of a session.
public enum SessionRules {
    /// A day long.
    public static let minutes = 1...1_440
    /// Of the currency's smallest unit: below what a 64-bit sum of a hundred million sessions holds.
    public static let fee = 0...10_000_000_000

    /// The day of a session: not to come, and not before the record.
    public static func day(_ text: String, today: CalendarDay, recordSince: CalendarDay) throws(Unfit) -> CalendarDay {
        let day = try Field.day(text)
        guard day <= today else { throw Unfit("must not be to come: today is \(today).") }
        guard day >= recordSince else { throw Unfit("must not be before the record, which begins on \(recordSince).") }
        return day
    }
}
