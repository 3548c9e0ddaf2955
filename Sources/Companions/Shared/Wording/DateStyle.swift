import Glibc

/// In which order the parts of a date are said, and whether the clock has twelve hours: as the client's locale has it. The
/// words stay English.
public struct DateStyle: Equatable, Sendable {
    public enum Order: Equatable, Sendable {
        case dayFirst, monthFirst, yearFirst
    }

    public var order = Order.dayFirst
    public var hasHalfDays = false

    /// As the locale of this program says (man 7 locale, LC_TIME), once it was set: `setlocale` comes first.
    public static let current = ofLocale()

    /// From what `strftime` would be given for a date and for a time: `%d.%m.%Y` and `%T`, say.
    public init(date: String, time: String) {
        let parts = Self.conversions(date).compactMap { letter -> Order? in
            switch letter {
            case "d", "e": .dayFirst
            case "m", "b", "B", "h", "D": .monthFirst
            case "y", "Y", "C", "F", "G": .yearFirst
            default: nil
            }
        }
        order = parts.first ?? .dayFirst
        hasHalfDays = Self.conversions(time).contains { "Ilrp".contains($0) }
    }

    public init() {}

    /// The letters that follow `%`, without what may stand between: `%-d`, `%Ey`.
    private static func conversions(_ format: String) -> [Character] {
        format.split(separator: "%", omittingEmptySubsequences: false).dropFirst().compactMap { part in
            part.first { !"-_0^#EO+".contains($0) }
        }
    }

    /// "C" says nothing of its user; what it has for a date is nobody's.
    private static func ofLocale() -> DateStyle {
        guard let name = setlocale(LC_TIME, nil).map({ String(cString: $0) }), name != "C", name != "POSIX",
            !name.hasPrefix("C."), let date = nl_langinfo(Int32(D_FMT)), let time = nl_langinfo(Int32(T_FMT))
        else { return DateStyle() }
        return DateStyle(date: String(cString: date), time: String(cString: time))
    }

    /// "Friday 20 November 2026", "Friday, November 20, 2026", "2026 November 20, Friday".
    public func date(weekday: String, day: Int, month: String, year: Int?) -> String {
        switch order {
        case .dayFirst: "\(weekday) \(day) \(month)" + (year.map { " \($0)" } ?? "")
        case .monthFirst: "\(weekday), \(month) \(day)" + (year.map { ", \($0)" } ?? "")
        case .yearFirst: (year.map { "\($0) " } ?? "") + "\(month) \(day), \(weekday)"
        }
    }

    /// "18:05", "6:05 pm".
    public func clock(_ hour: Int, _ minute: Int) -> String {
        let minutes = minute < 10 ? "0\(minute)" : "\(minute)"
        guard hasHalfDays else { return "\(hour < 10 ? "0" : "")\(hour):\(minutes)" }
        return "\((hour + 11) % 12 + 1):\(minutes) \(hour < 12 ? "am" : "pm")"
    }

    /// As wide as a time can be.
    public var clockWidth: Int { hasHalfDays ? 8 : 5 }
}
