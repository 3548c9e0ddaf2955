/// The offsets of a zone after the last transition in its file: a POSIX TZ string such as `CET-1CEST,M3.5.0,M10.5.0/3`
/// (RFC 9636, section 3.3; POSIX.1-2024, "Other Environment Variables", TZ).
struct ZoneRule: Hashable, Sendable {
    /// Seconds east of UTC in standard time.
    let standard: Int
    /// Daylight saving time, if the zone has any.
    let daylight: Daylight?

    struct Daylight: Hashable, Sendable {
        let offset: Int
        let begins, ends: Date
    }

    /// A day of each year and the time on the wall before the change, in seconds since midnight: -167 to 167 hours.
    struct Date: Hashable, Sendable {
        enum Day: Hashable, Sendable {
            /// `Jn`: 1 to 365; 29 February is never counted.
            case withoutLeapDay(Int)
            /// `n`: 0 to 365; 29 February is counted.
            case ofYear(Int)
            /// `Mm.w.d`: the week's (1 to 5, the last) weekday (0 is Sunday) of a month.
            case ofMonth(month: Int, week: Int, weekday: Int)
        }

        let day: Day
        let time: Int
    }

    func offset(at second: Int64) -> Int {
        guard let daylight else { return standard }
        let last = transitions(around: second).last { $0.at <= second }
        return last?.offset ?? daylight.offset
    }

    func nextTransition(after second: Int64) -> Zone.Transition? {
        daylight == nil ? nil : transitions(around: second).first { $0.at > second }
    }

    /// The transitions of that second's year, the year before and the year after.
    private func transitions(around second: Int64) -> [Zone.Transition] {
        guard let daylight else { return [] }
        let year = CalendarDay(ordinal: Int32(clamping: second.flooredDays)).parts.year
        let found = (year - 1...year + 1).flatMap { year in
            [
                Zone.Transition(at: daylight.begins.second(in: year) - Int64(standard), offset: daylight.offset),
                Zone.Transition(at: daylight.ends.second(in: year) - Int64(daylight.offset), offset: standard),
            ]
        }
        // If one summer ends as the next begins (`XXX3EDT4,0/0,J365/23`), the later beginning counts.
        return found.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }
}

extension ZoneRule.Date {
    /// Seconds from 1970-01-01, 00:00 to the change, both as the wall counts them.
    fileprivate func second(in year: Int) -> Int64 { Int64(ordinal(in: year)) * 86_400 + Int64(time) }

    private func ordinal(in year: Int) -> Int {
        let newYear = Self.first(of: 1, in: year)
        switch day {
        case .ofYear(let number): return newYear + number
        case .withoutLeapDay(let number):
            let isLeap = Self.first(of: 3, in: year) - newYear == 60
            return newYear + number - 1 + (isLeap && number >= 60 ? 1 : 0)
        case .ofMonth(let month, let week, let weekday):
            let first = Self.first(of: month, in: year)
            let next = month == 12 ? Self.first(of: 1, in: year + 1) : Self.first(of: month + 1, in: year)
            let firstWeekday = CalendarDay(ordinal: Int32(clamping: first)).weekday.rawValue % 7
            let found = first + (weekday - firstWeekday + 7) % 7 + 7 * (week - 1)
            return found < next ? found : found - 7
        }
    }

    private static func first(of month: Int, in year: Int) -> Int {
        Int(CalendarDay(year: min(max(year, 1), 9999), month: month, day: 1)?.ordinal ?? 0)
    }
}

extension ZoneRule {
    /// Nil if the text is no POSIX TZ string.
    init?(_ text: some Sequence<UInt8>) {
        var parser = ZoneRuleParser(rest: Array(text)[...])
        guard let rule = parser.rule() else { return nil }
        self = rule
    }

    fileprivate init(standard: Int, _ daylight: Daylight?) {
        self.standard = standard
        self.daylight = daylight
    }
}

private struct ZoneRuleParser {
    var rest: ArraySlice<UInt8>

    mutating func rule() -> ZoneRule? {
        guard name(), let west = time() else { return nil }
        guard !rest.isEmpty else { return ZoneRule(standard: -west, nil) }
        guard name() else { return nil }
        var offset = -west + 3_600
        if rest.first != UInt8(ascii: ",") {
            guard let west = time() else { return nil }
            offset = -west
        }
        guard take(","), let begins = date(), take(","), let ends = date(), rest.isEmpty else { return nil }
        return ZoneRule(standard: -west, .init(offset: offset, begins: begins, ends: ends))
    }

    /// Three letters or more, or anything in angle brackets.
    private mutating func name() -> Bool {
        if take("<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")), end - rest.startIndex >= 3 else { return false }
            rest = rest[(end + 1)...]
            return true
        }
        let letters = rest.prefix { (65...90).contains($0) || (97...122).contains($0) }
        rest = rest.dropFirst(letters.count)
        return letters.count >= 3
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    private mutating func time() -> Int? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard var seconds = number().map({ $0 * 3_600 }), seconds <= 167 * 3_600 else { return nil }
        for unit in [60, 1] where take(":") {
            guard let part = number(), part < 60 else { return nil }
            seconds += part * unit
        }
        return isNegative ? -seconds : seconds
    }

    private mutating func date() -> ZoneRule.Date? {
        guard let day = day() else { return nil }
        guard take("/") else { return .init(day: day, time: 7_200) }
        return time().map { .init(day: day, time: $0) }
    }

    private mutating func day() -> ZoneRule.Date.Day? {
        if take("J") { return number().flatMap { (1...365).contains($0) ? .withoutLeapDay($0) : nil } }
        guard take("M") else { return number().flatMap { (0...365).contains($0) ? .ofYear($0) : nil } }
        guard let month = number(), take("."), let week = number(), take("."), let weekday = number(),
            (1...12).contains(month), (1...5).contains(week), (0...6).contains(weekday)
        else { return nil }
        return .ofMonth(month: month, week: week, weekday: weekday)
    }

    private mutating func number() -> Int? {
        let digits = rest.prefix { (48...57).contains($0) }
        rest = rest.dropFirst(digits.count)
        guard (1...3).contains(digits.count) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1) - 48 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }
}
