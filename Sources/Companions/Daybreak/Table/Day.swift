import Glibc

/// A civil day as the daemon spells it, 2026-11-20, with just enough arithmetic to say "tomorrow".
struct Day: Equatable, Comparable {
    let year: Int
    let month: Int
    let day: Int

    /// Reads the ISO 8601 date that `text` begins with, so an RFC 3339 instant will do.
    init?(_ text: some StringProtocol) {
        let parts = text.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        self.init(year: year, month: month, day: day)
        // Counted out and back a day that the calendar does not have is another one.
        guard Day(number: number).text == text.prefix(10) else { return nil }
    }

    /// Days since 1970-01-01 (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil).
    var number: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The day of that number (ibid., civil_from_days).
    init(number: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * fromMarch + 2) / 5 + 1
        month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// As the daemon spells it.
    var text: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return String(repeating: "0", count: max(0, 4 - "\(year)".count)) + "\(year)-\(two(month))-\(two(day))"
    }

    /// 0 is Monday.
    var weekday: Int { ((number + 3) % 7 + 7) % 7 }

    static func < (one: Day, other: Day) -> Bool { one.number < other.number }
}

extension Day {
    /// The date that this machine's wall shows now. What the client's day is, the daemon knows.
    static var onTheWall: Day? {
        var now = time_t()
        time(&now)
        var local = tm()
        guard localtime_r(&now, &local) != nil else { return nil }
        return Day(year: Int(local.tm_year) + 1_900, month: Int(local.tm_mon) + 1, day: Int(local.tm_mday))
    }

    private init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }
}

/// An RFC 3339 instant, read for what the wall showed then: its own offset is the client's.
struct WallTime: Equatable {
    let day: Day
    let hour: Int
    let minute: Int

    /// 18:05, or as the client's locale has it.
    var clock: String { DateStyle.current.clock(hour, minute) }

    init?(_ text: String) {
        guard let day = Day(text) else { return nil }
        let clock = text.dropFirst(11).prefix(5).split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 2, clock[0].count == 2, clock[1].count == 2, let hour = Int(clock[0]),
            let minute = Int(clock[1])
        else { return nil }
        self.day = day
        self.hour = hour
        self.minute = minute
    }
}
