/// A civil day in the proleptic Gregorian calendar, such as 2027-03-05. It knows no time zone.
public struct CalendarDay: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    public let ordinal: Int32

    /// 0001-01-01 to 9999-12-31: the days that ISO 8601 spells with four digits of a year.
    public static let range = CalendarDay(ordinal: -719_162)...CalendarDay(ordinal: 2_932_896)

    /// The day `ordinal` days after 1970-01-01, held within ``range``.
    public init(ordinal: Int32) {
        self.ordinal = min(max(ordinal, -719_162), 2_932_896)
    }

    /// Nil if the calendar has no such day, such as 30 February or a day of the year 0.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1, day <= Self.length(of: month, in: year)
        else { return nil }
        self.init(ordinal: Self.ordinal(year, month, day))
    }

    /// Reads ISO 8601's extended form, `2027-03-05`; nil for any other text and for a day that does not exist.
    public init?(_ text: String) { self.init(text.utf8.span) }

    /// Reads ISO 8601's extended form.
    public init?(_ text: Substring) { self.init(text.utf8.span) }

    /// Reads ISO 8601's extended form from UTF-8.
    public init?(_ text: Span<UInt8>) {
        guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            let year = Self.number(text, 0..<4), let month = Self.number(text, 5..<7),
            let day = Self.number(text, 8..<10)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    public static func < (left: Self, right: Self) -> Bool { left.ordinal < right.ordinal }

    /// The day `days` later, held within ``range``.
    public static func + (day: Self, days: Int) -> Self {
        CalendarDay(ordinal: Int32(clamping: Int(day.ordinal) + days))
    }

    public static func - (day: Self, days: Int) -> Self { day + -days }

    /// Days from `right` to `left`; negative if `right` is later.
    public static func - (left: Self, right: Self) -> Int { Int(left.ordinal) - Int(right.ordinal) }

    public var next: Self { self + 1 }
}

extension CalendarDay: CustomStringConvertible {
    /// Year, month (1 to 12) and day of the month.
    public var parts: (year: Int, month: Int, day: Int) {
        // Days to civil date by eras of 400 years that begin in March: Howard Hinnant, "chrono-compatible low-level
        // date algorithms".
        let shifted = Int(ordinal) + 719_468
        let era = shifted / 146_097 - (shifted < 0 && shifted % 146_097 != 0 ? 1 : 0)
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * ofYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * march + 2) / 5 + 1)
    }

    /// Years from 1 to 9999.
    public var year: Int { parts.year }

    public var month: Month { Month(parts.month) }

    public var weekday: Weekday { Weekday(((Int(ordinal) + 3) % 7 + 7) % 7 + 1) }

    /// `Friday 5 March 2027`.
    public var spoken: String {
        let (year, month, day) = parts
        return "\(weekday.name) \(day) \(Month(month).name) \(year)"
    }

    /// ISO 8601's extended form, `2027-03-05`.
    public var description: String {
        let (year, month, day) = parts
        return String(unsafeUninitializedCapacity: 10) { text in
            text.initialize(repeating: UInt8(ascii: "-"))
            Self.put(year, before: 4, in: text)
            Self.put(month, before: 7, in: text)
            Self.put(day, before: 10, in: text)
            return 10
        }
    }

    /// Writes four digits at the beginning of the text, two elsewhere.
    private static func put(_ number: Int, before end: Int, in text: UnsafeMutableBufferPointer<UInt8>) {
        var rest = number
        for place in (end == 4 ? 0..<4 : end - 2..<end).reversed() {
            text[place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
    }

    private static func number(_ text: Span<UInt8>, _ digits: Range<Int>) -> Int? {
        var sum = 0
        for place in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[place]) else { return nil }
            sum = sum * 10 + Int(text[place] - UInt8(ascii: "0"))
        }
        return sum
    }

    static func length(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func ordinal(_ year: Int, _ month: Int, _ day: Int) -> Int32 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let ofEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear
        return Int32(era * 146_097 + ofEra - 719_468)
    }
}
