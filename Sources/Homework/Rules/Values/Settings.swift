public import Time

/// What the configuration says to the rules.
public struct Settings: Hashable, Sendable {
    /// How many days after its own an assignment can still be done.
    public var graceDays: Int
    /// Minutes after midnight at which a client's day begins.
    public var dayStartsAt: Int
    /// When to remind of what is still open: minutes of the client's day, ascending.
    public var reminderMinutes: [Int]
    /// The days on which to remind of it.
    public var reminderDays: Set<Weekday>
    /// When nothing is said that can wait.
    public var quietHours: QuietHours?
    /// How many reminders that can wait a day may bring.
    public var remindersADay: Int
    /// A time for a reminder that is further back than this is let go.
    public var lateWithin: Duration
    public var pattern: BreathPattern

    /// Longer than this nothing is "between sessions" any more.
    public static let graceLimit = 365

    public init(
        graceDays: Int = 7, reminderMinutes: [Int] = [9 * 60, 18 * 60], pattern: BreathPattern = .calm,
        dayStartsAt: Int = 0, reminderDays: Set<Weekday> = Set(Weekday.allCases), quietHours: QuietHours? = nil,
        remindersADay: Int = 24, lateWithin: Duration = .seconds(3 * 3_600)
    ) {
        self.graceDays = graceDays
        self.dayStartsAt = dayStartsAt
        self.reminderMinutes = reminderMinutes.sorted()
        self.reminderDays = reminderDays
        self.quietHours = quietHours
        self.remindersADay = remindersADay
        self.lateWithin = lateWithin
        self.pattern = pattern
    }

    /// How each breath of it goes: as its provider said, else as is usual here.
    public func pattern(of assignment: Assignment) -> BreathPattern { assignment.pattern ?? pattern }
}

/// A stretch of every day in which nothing is said that can wait. It may go over midnight.
public struct QuietHours: Hashable, Sendable {
    /// Minutes after midnight, as the wall counts them: from the first on, and at the second no more.
    public let from: Int
    public let to: Int

    /// Nil where both are the same: that would be always, or never.
    public init?(from: Int, to: Int) {
        guard from != to else { return nil }
        self.from = from
        self.to = to
    }

    /// When they are over, counted like `WallTime.count`; nil where it is not quiet then.
    func end(at count: Int) -> Int? {
        let (into, length) = (Self.minutes(from: from, to: count), Self.minutes(from: from, to: to))
        return into < length ? count + length - into : nil
    }

    /// From one time of the day on to the next time that it is another.
    private static func minutes(from: Int, to: Int) -> Int { ((to - from) % 1_440 + 1_440) % 1_440 }
}
