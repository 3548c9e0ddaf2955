import HomeworkRules
import Time

/// Reads a future time as people write it: a length (`30m`), a time of today (`18:00`, `6pm`) or an RFC 3339 instant.
enum When {
    /// Nil if the text is none of these.
    static func instant(_ text: String, after now: Moment, on clock: LocalClock) -> Instant? {
        if let length = Length(text) { return now.instant + length.duration }
        if let time = TimeOfDay(text) {
            // Where days begin at 04:00, 01:30 means the end of today.
            let minute = time.minutes < clock.dayStartsAt ? time.minutes + 1_440 : time.minutes
            return clock.first(WallTime(day: now.day, minute: minute))
        }
        return DateTime(text)?.instant
    }
}
