import Glibc
public import Time

// Days and times of day as people say them, from ISO 8601 and RFC 3339 as daemons spell them. Any other text is shown as it
// is.
extension Wording {
    /// "today", "tomorrow", "yesterday", else "Friday 20 November", with the year if it is not today's.
    public static func day(_ day: CalendarDay, today: CalendarDay?) -> String {
        switch today.map({ day - $0 }) {
        case 0: "today"
        case 1: "tomorrow"
        case -1: "yesterday"
        default: fullDay(day, today: today)
        }
    }

    public static func day(_ text: String, today: String?) -> String {
        guard let read = CalendarDay(text) else { return text.shown }
        return day(read, today: today.flatMap { CalendarDay($0) })
    }

    /// "Friday 20 November", with the year if it is not today's.
    public static func fullDay(_ day: CalendarDay, today: CalendarDay?, style: DateStyle = .current) -> String {
        style.date(
            weekday: day.weekday.name, day: day.parts.day, month: day.month.name,
            year: day.year == today?.year ? nil : day.year)
    }

    /// "20 November 2026".
    public static func shortDay(_ day: CalendarDay) -> String { "\(day.parts.day) \(month(day))" }

    /// "November 2026".
    public static func month(_ day: CalendarDay) -> String { "\(day.month.name) \(day.year)" }

    /// "today at 18:00", "Friday 20 November at 00:00".
    public static func time(_ instant: String, today: String?) -> String {
        guard let read = DateTime(instant) else { return instant.shown }
        return "\(day(read.day, today: today.flatMap { CalendarDay($0) })) at \(read.time.clock)"
    }

    /// "18:00" if it is today, else with the day.
    public static func clock(_ instant: String, today: String?) -> String {
        guard let read = DateTime(instant) else { return instant.shown }
        return read.day == today.flatMap { CalendarDay($0) } ? read.time.clock : time(instant, today: today)
    }

    /// A future time: "today at 18:00", "tomorrow at 09:00", and "tonight at 01:30" in the hours between midnight and
    /// `dayEnds`. On a wall clock that was set back behind today, "Friday 20 November at 23:30".
    public static func time(_ instant: String, today: String, dayEnds: String?) -> String {
        besideToday(instant, today: today, dayEnds: dayEnds) ?? time(instant, today: today)
    }

    /// The future time, without the day if it is today.
    public static func clock(_ instant: String, today: String, dayEnds: String?) -> String {
        besideToday(instant, today: today, dayEnds: dayEnds) ?? clock(instant, today: today)
    }

    /// A future time that belongs to today, and has another date on the wall clock; nil if it is none.
    private static func besideToday(_ instant: String, today: String, dayEnds: String?) -> String? {
        guard let read = DateTime(instant), let day = CalendarDay(today) else { return nil }
        if isTonight(read, today: today, dayEnds: dayEnds) { return "tonight at \(read.time.clock)" }
        return read.day < day ? "\(fullDay(read.day, today: day)) at \(read.time.clock)" : nil
    }

    private static func isTonight(_ time: DateTime, today: String, dayEnds: String?) -> Bool {
        guard let day = CalendarDay(today), let end = dayEnds.flatMap({ DateTime($0) }) else { return false }
        return time.day == day.next && time.day == end.day && time.time < end.time
    }

    /// A past time: the clock alone if it is today, also in the hours after midnight that still belong to today.
    public static func since(_ instant: String, today: String?) -> String {
        guard let read = DateTime(instant), let day = today.flatMap({ CalendarDay($0) }), read.day == day.next
        else { return clock(instant, today: today) }
        return read.time.clock
    }

    /// The day as a heading: "Monday 23 November 2026", or if the wall clock shows another date, "still Monday 23 November
    /// 2026; Tuesday begins at 04:00".
    public static func heading(_ today: String, ends: String?, wall: CalendarDay?) -> String {
        guard let day = CalendarDay(today) else { return today.shown }
        return stillToday(today, ends: ends, wall: wall) ?? fullDay(day, today: nil)
    }

    /// "still Monday 23 November 2026; Tuesday begins at 04:00"; nil if the wall clock shows the same date.
    public static func stillToday(_ today: String, ends: String?, wall: CalendarDay?) -> String? {
        guard let day = CalendarDay(today), let ends = ends.flatMap({ DateTime($0) }), let wall, wall != day else {
            return nil
        }
        let next = "\(fullDay(day, today: nil)); \(ends.day.weekday.name) begins at \(ends.time.clock)"
        return wall > day ? "still \(next)" : "already \(next)"
    }
}

extension TimeOfDay {
    /// "18:05", or "6:05 pm" in a locale with a twelve-hour clock.
    public var clock: String { DateStyle.current.clock(hour, minute) }
}

extension DateTime {
    /// The date and time on this machine's wall clock at that second since 1970.
    init?(onTheWallAt second: time_t) {
        var (second, local) = (second, tm())
        guard localtime_r(&second, &local) != nil,
            let day = CalendarDay(
                year: Int(local.tm_year) + 1_900, month: Int(local.tm_mon) + 1, day: Int(local.tm_mday)),
            let time = TimeOfDay(hour: Int(local.tm_hour), minute: Int(local.tm_min))
        else { return nil }
        self.init(day: day, time: time, offset: nil)
    }
}

extension CalendarDay {
    /// The date of an RFC 3339 instant, on the wall clock whose offset it carries.
    public init?(of instant: String) {
        guard let read = DateTime(instant) else { return nil }
        self = read.day
    }

    /// The date on this machine's wall clock. The client's day may begin later; only the daemon knows when.
    public static var onTheWall: CalendarDay? {
        var now = time_t()
        Glibc.time(&now)
        return DateTime(onTheWallAt: now)?.day
    }

    public var firstOfMonth: CalendarDay { self - (parts.day - 1) }
    /// No month is longer than 31 days, and none shorter than 28.
    public var firstOfNextMonth: CalendarDay { (firstOfMonth + 31).firstOfMonth }

    /// The weeks of this day's month, from Monday on; nil for the days of other months.
    public var weeks: [[CalendarDay?]] {
        let first = firstOfMonth
        let blanks = [CalendarDay?](repeating: nil, count: first.weekday.rawValue - 1)
        let cells = blanks + (0..<(firstOfNextMonth - first)).map { CalendarDay?(first + $0) }
        return stride(from: 0, to: cells.count, by: 7).map { start in
            let week = cells[start..<min(start + 7, cells.count)]
            return week + [CalendarDay?](repeating: nil, count: 7 - week.count)
        }
    }
}
