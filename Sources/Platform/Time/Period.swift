/// A whole week, month or year of the calendar. Reports count by periods.
///
/// Weeks are ISO 8601's: they begin on Monday, and the week that has a year's first Thursday is its first. So a week's year
/// may differ from that of some of its days: 2026-W53 has the first three days of 2027.
public enum Period: Hashable, Sendable {
    /// The week's own year, and its number from 1 to 52 or 53.
    case week(year: Int, week: Int)
    /// 1 is January.
    case month(year: Int, month: Int)
    case year(Int)

    /// The kinds of period.
    public enum Unit: String, Sendable, CaseIterable {
        case week, month, year
    }

    /// The period of this unit that contains the day.
    public init(_ unit: Unit, with day: CalendarDay) {
        let (year, month, _) = day.parts
        switch unit {
        case .week:
            // The week belongs to the year that its Thursday is in.
            let thursday = day - (day.weekday.rawValue - 4)
            let ofYear = thursday.parts.year
            self = .week(year: ofYear, week: (thursday - Self.newYear(ofYear)) / 7 + 1)
        case .month: self = .month(year: year, month: month)
        case .year: self = .year(year)
        }
    }

    /// From ISO 8601's forms `2027-W09`, `2027-03` and `2027`; nil for any other text, and for a week that its year does not
    /// have.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let year = Self.number(parts[0], digits: 4), year > 0 else { return nil }
        switch parts.count {
        case 1: self = .year(year)
        case 2 where parts[1].hasPrefix("W"):
            guard let week = Self.number(parts[1].dropFirst(), digits: 2), week > 0,
                week <= 52 || Period(.week, with: Self.newYear(year) + 363) == .week(year: year, week: week)
            else { return nil }
            self = .week(year: year, week: week)
        case 2:
            guard let month = Self.number(parts[1], digits: 2), (1...12).contains(month) else { return nil }
            self = .month(year: year, month: month)
        default: return nil
        }
    }

    /// The kind of this period.
    public var unit: Unit {
        switch self {
        case .week: .week
        case .month: .month
        case .year: .year
        }
    }

    /// Its days, the first and the last.
    public var days: ClosedRange<CalendarDay> {
        switch self {
        case .week(let year, let week):
            // 4 January is in the first week.
            let fourth = Self.newYear(year) + 3
            let monday = fourth - (fourth.weekday.rawValue - 1) + 7 * (week - 1)
            return monday...monday + 6
        case .month(let year, let month):
            let first = Self.day(year, month)
            let next = month == 12 ? Self.newYear(year + 1) : Self.day(year, month + 1)
            return first...max(first, next - 1)
        case .year(let year): return Self.newYear(year)...max(Self.newYear(year), Self.newYear(year + 1) - 1)
        }
    }

    /// The period just after it.
    public var next: Self { Period(unit, with: days.upperBound + 1) }

    /// The period just before it.
    public var previous: Self { Period(unit, with: days.lowerBound - 1) }

    private static func newYear(_ year: Int) -> CalendarDay { day(year, 1) }

    private static func day(_ year: Int, _ month: Int) -> CalendarDay {
        CalendarDay(year: year, month: month, day: 1) ?? CalendarDay.range.upperBound
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        text.utf8.count == digits && text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
    }
}

extension Period: CustomStringConvertible {
    /// ISO 8601: `2027-W09`, `2027-03`, `2027`.
    public var description: String {
        switch self {
        case .week(let year, let week): "\(Self.padded(year, 4))-W\(Self.padded(week, 2))"
        case .month(let year, let month): "\(Self.padded(year, 4))-\(Self.padded(month, 2))"
        case .year(let year): Self.padded(year, 4)
        }
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
