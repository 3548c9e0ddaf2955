/// What the configuration says to the rules.
public struct Settings: Hashable, Sendable {
    /// How many days after its own an assignment can still be done.
    public var graceDays: Int
    /// When to remind of what is still open: minutes of the client's day, ascending.
    public var reminderMinutes: [Int]
    public var pattern: BreathPattern

    /// Longer than this nothing is "between sessions" any more.
    public static let graceLimit = 365

    public init(graceDays: Int = 7, reminderMinutes: [Int] = [9 * 60, 18 * 60], pattern: BreathPattern = .calm) {
        self.graceDays = graceDays
        self.reminderMinutes = reminderMinutes.sorted()
        self.pattern = pattern
    }

    /// How each breath of it goes: as its provider said, else as is usual here.
    public func pattern(of assignment: Assignment) -> BreathPattern { assignment.pattern ?? pattern }
}
