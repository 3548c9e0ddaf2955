import Glibc
import Time

/// A zone in which it was noon when these tests began: no day and no reminder's time comes while they run, whatever the hour.
public enum Noon {
    /// When the tests began, in seconds since 1970.
    public static let instant = Int64(time(nil)) / 60 * 60
    /// As the variable TZ has it. POSIX counts westwards.
    public static let zone = "<NOON>\(ahead > 0 ? "-" : "+")\(abs(ahead) / 60):\(digits(abs(ahead) % 60))"
    /// As a time has it: `+03:27`.
    public static let offset = "\(ahead < 0 ? "-" : "+")\(digits(abs(ahead) / 60)):\(digits(abs(ahead) % 60))"
    /// What the calendar shows there.
    public static let today = CalendarDay(ordinal: Int32((instant + Int64(ahead) * 60) / 86_400))
    public static let yesterday = today - 1

    /// How many minutes its clock is ahead of UTC.
    private static let ahead = 720 - Int(instant / 60 % 1_440)

    private static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
