public import ScheduleFormat
public import Time

/// One piece of homework. Clients read the word *task*; in Swift, `Task` is taken.
public struct Assignment: Hashable, Sendable {
    public let id: AssignmentID
    public let due: CalendarDay
    /// How many slow breaths the exercise has.
    public let breaths: Int
    public let moods: [Mood]
    /// Nil if the provider left it to the settings.
    public let pattern: BreathPattern?
    /// Its place within its day, from 0, in the schedule's order.
    public let position: Int

    public init(
        id: AssignmentID, due: CalendarDay, breaths: Int, moods: [Mood], pattern: BreathPattern? = nil, position: Int
    ) {
        self.id = id
        self.due = due
        self.breaths = breaths
        self.moods = moods
        self.pattern = pattern
        self.position = position
    }

    /// Compares the days, then the places within the day.
    public static func precedes(_ left: Self, _ right: Self) -> Bool {
        if left.due != right.due { return left.due < right.due }
        if left.position != right.position { return left.position < right.position }
        return left.id.text < right.id.text
    }
}
