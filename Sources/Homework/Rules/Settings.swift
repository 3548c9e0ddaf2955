public import Time

/// The settings of the rules.
public struct Settings: Hashable, Sendable {
    /// How many days after its due day an assignment can still be done.
    public var graceDays: Int
    /// When the client's day begins, in minutes after midnight.
    public var dayStartsAt: Int
    /// When to remind of the open task, in minutes of the client's day, ascending.
    public var reminderMinutes: [Int]
    /// The days on which to remind of the open task.
    public var reminderDays: Set<Weekday>
    /// When reminders that can wait are held.
    public var quietHours: QuietHours?
    /// True if urgent letters of the practice are told of in quiet hours, too.
    public var tellsUrgentInQuietHours: Bool
    /// How many reminders that can wait are given on one day.
    public var remindersADay: Int
    /// How late a reminder may be. A later one is not given.
    public var lateWithin: Duration
    public var pattern: BreathPattern

    /// The most days of grace. After a year homework is missed, not late.
    public static let graceLimit = 365

    public init(
        graceDays: Int = 7, reminderMinutes: [Int] = [9 * 60, 18 * 60], pattern: BreathPattern = .calm,
        dayStartsAt: Int = 0, reminderDays: Set<Weekday> = Set(Weekday.allCases), quietHours: QuietHours? = nil,
        tellsUrgentInQuietHours: Bool = false, remindersADay: Int = 24, lateWithin: Duration = .seconds(3 * 3_600)
    ) {
        self.graceDays = graceDays
        self.dayStartsAt = dayStartsAt
        self.reminderMinutes = reminderMinutes.sorted()
        self.reminderDays = reminderDays
        self.quietHours = quietHours
        self.tellsUrgentInQuietHours = tellsUrgentInQuietHours
        self.remindersADay = remindersADay
        self.lateWithin = lateWithin
        self.pattern = pattern
    }

    /// The assignment's own pattern, else the configured one.
    public func pattern(of assignment: Assignment) -> BreathPattern { assignment.pattern ?? pattern }
}

/// The hours of every day in which reminders that can wait are held. They may pass midnight.
public struct QuietHours: Hashable, Sendable {
    /// Minutes after midnight on the wall clock. `from` belongs to the quiet hours, `to` does not.
    public let from: Int
    public let to: Int

    /// Nil if both are equal, which could mean always or never.
    public init?(from: Int, to: Int) {
        guard from != to else { return nil }
        self.from = from
        self.to = to
    }

    /// When the quiet hours at `count` end (as `WallTime.count`); nil if it is not quiet then.
    func end(at count: Int) -> Int? {
        let (into, length) = (Self.minutes(from: from, to: count), Self.minutes(from: from, to: to))
        return into < length ? count + length - into : nil
    }

    /// Minutes from one time of day to the next occurrence of another.
    private static func minutes(from: Int, to: Int) -> Int { ((to - from) % 1_440 + 1_440) % 1_440 }
}
