import Glibc

/// The order of a date's parts, and whether the clock has twelve hours, as in the client's locale. The words stay English.
public struct DateStyle: Equatable, Sendable {
    public enum Order: Equatable, Sendable {
        case dayFirst, monthFirst, yearFirst
    }

    public var order = Order.dayFirst
    public var hasHalfDays = false

    /// The style of the program's locale (man 7 locale, LC_TIME). `setlocale` has to be called before.
    public static let current = ofLocale()

    /// From the locale's formats for `strftime`, such as `%d.%m.%Y` and `%T`.
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

    /// The letters that follow `%`, without flags and modifiers: `%-d`, `%Ey`.
    private static func conversions(_ format: String) -> [Character] {
        format.split(separator: "%", omittingEmptySubsequences: false).dropFirst().compactMap { part in
            part.first { !"-_0^#EO+".contains($0) }
        }
    }

    /// The locale "C" says nothing about its user, so it means the default.
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

    /// The columns of the longest time.
    public var clockWidth: Int { hasHalfDays ? 8 : 5 }
}
