internal import HomeworkRules
internal import Time

/// A due date as a schedule spells it: an ISO 8601 date, or a date-time whose date is taken.
enum DueDate {
    /// Nil where the text is neither, and where the calendar has no such day.
    static func day(in text: String) -> CalendarDay? {
        if text.utf8.count == 10 { return CalendarDay(text) }
        let bytes = Array(text.utf8)
        guard bytes.count > 10, isTimeOrNothing(bytes[10...]) else { return nil }
        return CalendarDay(text.prefix(10))
    }

    /// Why `day(in:)` gave nil, as a sentence.
    static func fault(in text: String) -> String {
        let bytes = text.utf8.prefix(10)
        let shape: [Character] = bytes.map { (48...57).contains($0) ? "0" : $0 == 45 ? "-" : "x" }
        guard String(shape) == "0000-00-00" else {
            return "The due date is an ISO 8601 date such as \"2027-03-05\"."
        }
        let date = String(decoding: bytes, as: UTF8.self)
        return CalendarDay(date) == nil
            ? "The calendar has no day \(date)."
            : "What follows the due date's day is no time such as T18:30:00+01:00."
    }

    /// `T18:30`, `T18:30:05.25Z`, ` 18:30:00+01:00`, or nothing at all.
    private static func isTimeOrNothing(_ rest: ArraySlice<UInt8>) -> Bool {
        var time = rest
        guard !time.isEmpty else { return true }
        guard take("T", from: &time) || take("t", from: &time) || take(" ", from: &time) else { return false }
        guard takeNumber(&time, below: 24), take(":", from: &time), takeNumber(&time, below: 60) else { return false }
        if take(":", from: &time) {
            guard takeNumber(&time, below: 61), takeFraction(&time) else { return false }
        }
        return isZoneOrNothing(time)
    }

    private static func isZoneOrNothing(_ rest: ArraySlice<UInt8>) -> Bool {
        var zone = rest
        guard !zone.isEmpty else { return true }
        if take("Z", from: &zone) || take("z", from: &zone) { return zone.isEmpty }
        guard take("+", from: &zone) || take("-", from: &zone), takeNumber(&zone, below: 24) else { return false }
        guard !zone.isEmpty else { return true }
        _ = take(":", from: &zone)
        return takeNumber(&zone, below: 60) && zone.isEmpty
    }

    private static func takeFraction(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard take(".", from: &rest) || take(",", from: &rest) else { return true }
        let digits = rest.prefix { (48...57).contains($0) }
        rest = rest.dropFirst(digits.count)
        return !digits.isEmpty
    }

    private static func take(_ character: Unicode.Scalar, from rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Two digits.
    private static func takeNumber(_ rest: inout ArraySlice<UInt8>, below limit: Int) -> Bool {
        let digits = rest.prefix(2)
        guard digits.count == 2, digits.allSatisfy({ (48...57).contains($0) }) else { return false }
        rest = rest.dropFirst(2)
        return digits.reduce(0) { $0 * 10 + Int($1) - 48 } < limit
    }
}
