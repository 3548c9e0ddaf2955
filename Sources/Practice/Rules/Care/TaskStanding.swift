public import Time

/// A task's state, by the client's happenings.
public struct TaskStanding: Equatable, Sendable {
    public enum State: String, Sendable { case assigned, inProgress, completed, missed }

    public var state = State.assigned
    public var completedOn: CalendarDay?
    public var breathsDone: Int?
    public var mood: String?

    /// Days after the due day on which a task can still be done, unless the client's settings say otherwise.
    public static let grace = 7

    /// - Parameters:
    ///   - happenings: those of the task, in their order.
    ///   - today: the client's day.
    ///   - isTold: the client shares completed tasks, so a task without happenings was not done.
    public init(due: CalendarDay, _ happenings: [Happening], today: CalendarDay, isTold: Bool) {
        var begunOn: CalendarDay?
        var isMissed = false
        for happening in happenings {
            breathsDone = happening.breaths.map { max($0, breathsDone ?? 0) } ?? breathsDone
            mood = happening.mood ?? mood
            switch happening.what {
            case .started, .breathed, .exerciseFinished, .joined, .left, .moodLogged: begunOn = happening.day
            case .cancelled, .setAside: begunOn = nil
            case .completed: completedOn = completedOn ?? happening.day
            case .missed: isMissed = true
            case .scheduleTaken, .moodCorrected, .noteWritten: break
            }
        }
        if completedOn != nil {
            state = .completed
        } else if begunOn == today {
            state = .inProgress
        } else if isMissed || isTold && due + Self.grace < today {
            state = .missed
        }
    }
}
