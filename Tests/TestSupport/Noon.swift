import Glibc
import Time

/// A zone in which it was noon when the tests began, so that no day and no reminder time comes while they run.
public enum Noon {
    /// When the tests began, in seconds since 1970.
    public static let instant = Int64(time(nil)) / 60 * 60
    /// The value for the variable TZ. POSIX counts westwards.
    public static let zone = "<NOON>\(ahead > 0 ? "-" : "+")\(abs(ahead) / 60):\(digits(abs(ahead) % 60))"
    /// The offset in a time: `+03:27`.
    public static let offset = "\(ahead < 0 ? "-" : "+")\(digits(abs(ahead) / 60)):\(digits(abs(ahead) % 60))"
    /// The day that the calendar shows there.
    public static let today = CalendarDay(ordinal: Int32((instant + Int64(ahead) * 60) / 86_400))
    public static let yesterday = today - 1

    /// How many minutes its clock is ahead of UTC.
    private static let ahead = 720 - Int(instant / 60 % 1_440)

    private static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
