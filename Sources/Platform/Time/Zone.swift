/// A time zone as a value, read from the system's own zone file (RFC 9636, TZif), so that one process can know many.
///
/// Offsets follow the file's transitions, and after the last of them its footer, a POSIX TZ string. Leap seconds are not
/// counted, as POSIX time does not count them.
public struct Zone: Hashable, Sendable {
    /// `Europe/Berlin`.
    public let name: String
    /// The changes of the offset, oldest first. Each offset holds from its instant on.
    private let transitions: [Transition]
    /// The offset before the first transition: seconds east of UTC.
    private let first: Int
    /// The rule after the last transition.
    private let rule: ZoneRule?

    struct Transition: Hashable, Sendable {
        /// Seconds since 1970-01-01T00:00:00Z.
        let at: Int64
        /// Seconds east of UTC from then on.
        let offset: Int
    }

    /// Reads the bytes of a zone file.
    public init(name: String, file bytes: [UInt8]) throws(ZoneFileError) {
        var reader = ZoneFileReader(bytes)
        let contents = try reader.read()
        self.name = name
        first = contents.first
        transitions = contents.transitions
        rule = contents.rule
    }

    /// UTC, which needs no file.
    public static let utc = Zone()

    private init() {
        name = "UTC"
        first = 0
        transitions = []
        rule = nil
    }

    /// Seconds by which the wall is ahead of UTC at `instant`.
    public func offset(at instant: Instant) -> Int { offset(atSecond: instant.second) }

    /// The civil day that the wall shows at `instant`, where days begin at midnight.
    public func day(at instant: Instant) -> CalendarDay { day(atSecond: instant.second) }

    /// The first instant at which the wall shows that day or a later one.
    ///
    /// A day that the zone skips (Samoa's 2011-12-30) starts when the next one does; of two midnights the first counts.
    public func start(of day: CalendarDay) -> Instant {
        let midnight = Int64(day.ordinal) * 86_400
        // No wall is more than a day off UTC, and none was ever moved by more than one.
        var from = midnight - 3 * 86_400
        while true {
            let offset = offset(atSecond: from)
            let shown = max(from, midnight - Int64(offset))
            guard let next = nextTransition(after: from), next.at <= shown else { return Instant(second: shown) }
            from = next.at
        }
    }
}

extension Zone {
    private func offset(atSecond second: Int64) -> Int {
        guard let last = transitions.last, second >= transitions[0].at else {
            return transitions.isEmpty ? rule?.offset(at: second) ?? first : first
        }
        if second >= last.at, let rule { return rule.offset(at: second) }
        return transitions[place(after: second) - 1].offset
    }

    private func day(atSecond second: Int64) -> CalendarDay {
        CalendarDay(ordinal: Int32(clamping: (second + Int64(offset(atSecond: second))).flooredDays))
    }

    private func nextTransition(after second: Int64) -> Transition? {
        let place = place(after: second)
        if place < transitions.count { return transitions[place] }
        return rule?.nextTransition(after: second)
    }

    /// The place of the first transition later than `second`.
    private func place(after second: Int64) -> Int {
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].at <= second { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Instant {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    fileprivate var second: Int64 {
        let (quotient, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return rest < 0 ? quotient - 1 : quotient
    }

    fileprivate init(second: Int64) { self.init(microseconds: second * 1_000_000) }
}

extension Int64 {
    /// Whole days of 86,400 seconds, rounded down.
    var flooredDays: Int64 {
        let (quotient, rest) = quotientAndRemainder(dividingBy: 86_400)
        return rest < 0 ? quotient - 1 : quotient
    }
}
