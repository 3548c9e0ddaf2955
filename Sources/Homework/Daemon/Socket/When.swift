internal import HomeworkRules
internal import Time

/// A time to come as people write it: a length (`30m`), a time of today's clock (`18:00`) or an RFC 3339 instant.
enum When {
    /// Nil where the text is none of these.
    static func instant(_ text: String, after now: Moment, on clock: LocalClock) -> Instant? {
        if let length = Length.duration(text) { return now.instant + length }
        if let minute = minute(text) {
            // Before the day's beginning on the clock means its end: 01:30 of a day that begins at 04:00.
            let late = minute < clock.dayStartsAt ? minute + 1_440 : minute
            return clock.first(WallTime(day: now.day, minute: late))
        }
        return rfc3339(text)
    }

    /// `2027-03-05T09:00:00+01:00` or `…Z`; fractions of a second are dropped (RFC 3339, section 5.6).
    static func rfc3339(_ text: String) -> Instant? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, let day = CalendarDay(text.prefix(10)), bytes[10] | 0x20 == UInt8(ascii: "t"),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"), hour < 24, minute < 60, second <= 60
        else { return nil }
        var rest = bytes[19...]
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix { (48...57).contains($0) }
            guard !fraction.isEmpty else { return nil }
            rest = rest.dropFirst(1 + fraction.count)
        }
        guard let offset = offset(rest) else { return nil }
        let local = Int64(day.ordinal) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
        return Instant(microseconds: (local - Int64(offset)) * 1_000_000)
    }

    /// Seconds east of UTC.
    private static func offset(_ zone: ArraySlice<UInt8>) -> Int? {
        let bytes = Array(zone)
        if bytes == [UInt8(ascii: "Z")] || bytes == [UInt8(ascii: "z")] { return 0 }
        guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
            bytes[3] == UInt8(ascii: ":"), let hours = number(bytes[1..<3]), let minutes = number(bytes[4..<6]),
            hours < 24, minutes < 60
        else { return nil }
        return (bytes[0] == UInt8(ascii: "-") ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }

    /// `9:05` or `18:00`, as minutes.
    private static func minute(_ text: String) -> Int? {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            let hour = number(Array(parts[0])[...]), let minute = number(Array(parts[1])[...]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1) - 48 }
    }
}
