import DaybreakInterfaces
import Files
import Glibc
import HomeworkRules
import Time

/// The wall clock's time, from glibc's zone data. No other type of the daemon reads a clock.
struct LocalClock {
    /// Minutes after midnight at which a client's day begins.
    var dayStartsAt: Int

    init(dayStartsAt: Int = 0) { self.dayStartsAt = dayStartsAt }

    /// The present moment, on the wall clock and the monotonic clock.
    func now() -> Moment {
        tzset()  // Notices a changed /etc/localtime; localtime_r alone need not.
        return moment(
            at: Instant(microseconds: Self.read(CLOCK_REALTIME)),
            steady: SteadyInstant(microseconds: Self.read(CLOCK_MONOTONIC)))
    }

    /// The moment at another instant.
    func moment(at instant: Instant, steady: SteadyInstant) -> Moment {
        var wall = wall(at: instant)
        var ends = start(of: wall.day.next)
        // If a day's beginning comes twice, the day begins at the first, although the wall then shows the day before again.
        if ends <= instant {
            wall = WallTime(day: wall.day.next, minute: wall.minute - 1_440)
            ends = start(of: wall.day.next)
        }
        return Moment(instant: instant, wall: wall, zone: zone, steady: steady, dayEnds: ends)
    }

    /// The client's day and minute at an instant.
    func wall(at instant: Instant) -> WallTime {
        let local = Self.localTime(Self.second(of: instant))
        let day = Self.day(local)
        let minute = Int(local.tm_hour) * 60 + Int(local.tm_min)
        return minute >= dayStartsAt
            ? WallTime(day: day, minute: minute) : WallTime(day: day - 1, minute: minute + 1_440)
    }

    /// The first instant of a day.
    func start(of day: CalendarDay) -> Instant { first(WallTime(day: day, minute: dayStartsAt)) }

    /// The first instant at which the wall shows that time or a later one.
    ///
    /// A midnight that the clock skips is the instant of the jump, a midnight that comes twice is the first of the two, and
    /// a skipped day begins with the next one. `mktime` is no help: its answers in these cases depend on earlier calls.
    func first(_ time: WallTime) -> Instant {
        let target = Int(time.day.ordinal) * 86_400 + time.minute * 60
        let early = Self.lead(at: target - Self.widest)
        if early == Self.lead(at: target - early), early == Self.lead(at: target + Self.widest) {
            return Self.instant(target - early)
        }
        return Self.instant(Self.search(target))
    }

    /// RFC 3339 with the offset that holds then: `2027-03-05T09:00:00+01:00`. Parts of a second are dropped.
    func rfc3339(_ instant: Instant) -> String {
        let second = Self.second(of: instant)
        var local = Self.localTime(second)
        // RFC 3339 has no seconds in an offset, and only zones before 1972 or of a test have them. The text names the same
        // instant, on a wall clock without these seconds.
        let rest = local.tm_gmtoff % 60
        if rest != 0 { local = Self.localTime(second - rest) }
        guard let time = TimeOfDay(hour: Int(local.tm_hour), minute: Int(local.tm_min)) else {
            preconditionFailure("localtime_r(\(second)) has no such time")
        }
        let offset = Duration.seconds(local.tm_gmtoff - rest)
        return DateTime(day: Self.day(local), time: time, second: Int(local.tm_sec), offset: offset).description
    }

    /// How the daemon's replies spell time.
    var spelling: Spelling {
        Spelling(instant: rfc3339, start: start(of:), at: first)
    }

    /// The zone's name, `Europe/Berlin`: from `TZ` (UTC if it names no zone), else from the target of /etc/localtime, else the
    /// zone's abbreviation (man 3 tzset, man 5 localtime).
    var zone: String {
        let name = zoneAsSet
        if Self.isName(name) { return name }
        return Self.isName(Self.abbreviation) ? Self.abbreviation : "UTC"
    }

    /// The value of `TZ` if glibc finds no such zone, and therefore takes UTC; nil if it finds it, or `TZ` is not set.
    static var unknownZone: String? {
        guard let set = getenv("TZ").map({ String(cString: $0) }), !ZoneSetting(set).isKnown else { return nil }
        return set
    }

    /// `TZ` may hold anything, and each event has the zone's name.
    private static func isName(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
    }

    private var zoneAsSet: String {
        Self.zoneOfVariable ?? Self.zone(linkedFrom: "/etc/localtime") ?? Self.abbreviation
    }

    /// Looked up once, because the variable stays as it was when the program began to use a clock.
    private static let zoneOfVariable: String? = getenv("TZ").map { set in
        let name = String(cString: set)
        guard !name.isEmpty, ZoneSetting(name).isKnown else { return "UTC" }
        return zone(ofFile: name) ?? (name.hasPrefix(":") ? String(name.dropFirst()) : name)
    }

    /// The zone that a link leads to; nil if it is no link, or its target is no zone file.
    static func zone(linkedFrom path: String) -> String? {
        File.linkTarget(path).flatMap(zone(ofFile:))
    }

    private static func zone(ofFile path: String) -> String? {
        let folder = "/zoneinfo/".utf8
        var rest = path.utf8[...]
        while let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
            rest = rest[slash...]
            if rest.starts(with: folder) {
                rest = rest.dropFirst(folder.count)
                return rest.isEmpty ? nil : String(rest)
            }
            rest = rest.dropFirst()
        }
        return nil
    }
}

extension LocalClock {
    /// The largest possible offset from UTC, in seconds: a POSIX `TZ` may say up to 24:59:59.
    private static let widest = 25 * 3_600

    /// Goes through the stretches of time with one lead, to the first in which the wall clock reaches the target, and returns
    /// the first second at which it does.
    private static func search(_ target: Int) -> Int {
        let step = 2 * 3_600
        var begin = target - widest
        var lead = lead(at: begin)
        while begin < target + widest {
            let end = begin + step
            let next = Self.lead(at: end)
            let change = next == lead ? end : transition(between: begin, and: end)
            if target - lead < change { return max(begin, target - lead) }
            (begin, lead) = (change, next)
        }
        return target - lead
    }

    /// The first second whose lead differs from that of `begin`.
    private static func transition(between begin: Int, and end: Int) -> Int {
        let before = lead(at: begin)
        var low = begin
        var high = end
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if lead(at: middle) == before { low = middle } else { high = middle }
        }
        return high
    }

    /// How far the wall clock is ahead of the second count: the offset, and the leap seconds if the zone counts them.
    private static func lead(at second: Int) -> Int {
        let local = localTime(second)
        // A leap second is the 60th of its minute, and shows no later time than the 59th.
        let ofDay = Int(local.tm_hour) * 3_600 + Int(local.tm_min) * 60 + min(Int(local.tm_sec), 59)
        return Int(day(local).ordinal) * 86_400 + ofDay - second
    }

    private static func localTime(_ second: Int) -> tm {
        var time = time_t(second)
        var local = tm()
        // Fails only for years beyond an Int32, and CalendarDay ends long before.
        guard localtime_r(&time, &local) != nil else { preconditionFailure("localtime_r(\(second)): \(errno)") }
        return local
    }

    private static func day(_ local: tm) -> CalendarDay {
        let year = Int(local.tm_year) + 1_900
        if let day = CalendarDay(year: year, month: Int(local.tm_mon) + 1, day: Int(local.tm_mday)) { return day }
        return year < 1 ? CalendarDay.range.lowerBound : CalendarDay.range.upperBound
    }

    private static func second(of instant: Instant) -> Int {
        let (quotient, rest) = instant.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return Int(quotient) - (rest < 0 ? 1 : 0)
    }

    private static func instant(_ second: Int) -> Instant { Instant(microseconds: Int64(second) * 1_000_000) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { preconditionFailure("clock_gettime: \(errno)") }
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    private static var abbreviation: String {
        localTime(second(of: Instant(microseconds: read(CLOCK_REALTIME)))).tm_zone.map { String(cString: $0) } ?? "UTC"
    }
}
