public import Time

/// A part of the way through an assignment.
public enum Stage: String, Hashable, Sendable, CaseIterable {
    case exercise, waiting, session, mood
}

/// The way through an assignment that somebody is on. There is at most one.
public struct Flow: Hashable, Sendable {
    public let assignment: AssignmentID
    public internal(set) var stage: Stage
    /// The day on which it was begun.
    public internal(set) var day: CalendarDay
    /// When the present stage began.
    public internal(set) var since: Instant
    public internal(set) var exercise: Exercise

    /// Somebody is in the middle of it: being led through the breathing, or in the session.
    public var isAttended: Bool { stage == .session || exercise.guided }

    /// The day on which it makes way for others, if nobody has finished it by then.
    public var makesWay: CalendarDay { day + 2 }
}

/// What an assignment has seen so far. It outlives the flows in which it came about.
public struct Progress: Hashable, Sendable {
    /// The day on which the client was last told that it is open.
    public internal(set) var unlockedOn: CalendarDay?
    public internal(set) var startedAt: Instant?
    public internal(set) var breathsDone = 0
    public internal(set) var exerciseFinished = false
    public internal(set) var sessionLeft = false
    public internal(set) var mood: Mood?
    /// How many are kept with it.
    public internal(set) var notes = 0
    public internal(set) var completedAt: Instant?
    public internal(set) var completedOn: CalendarDay?

    public init() {}

    /// From here on the schedule cannot take it back.
    public var isTouched: Bool { startedAt != nil }
}
