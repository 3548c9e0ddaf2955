public import Time

/// A due date in a schedule: an ISO 8601 date, or a date-time of which only the date counts.
public enum DueDate {
    /// Nil if the text is neither, or the calendar has no such day.
    public static func day(in text: String) -> CalendarDay? { CalendarDay(text) ?? DateTime(text)?.day }

    /// The reason why `day(in:)` gave nil, as a sentence.
    public static func fault(in text: String) -> String {
        let bytes = text.utf8.prefix(10)
        let shape: [Character] = bytes.map { (48...57).contains($0) ? "0" : $0 == 45 ? "-" : "x" }
        guard String(shape) == "0000-00-00" else {
            return "The due date is an ISO 8601 date such as \"2027-03-05\"."
        }
        let date = String(decoding: bytes, as: UTF8.self)
        return CalendarDay(date) == nil
            ? "The calendar has no day \(date)."
            : "After the due date comes something that is not a time such as T18:30:00+01:00."
    }
}
