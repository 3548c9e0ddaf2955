public import Time

/// How a task stands, by what the client told of it.
public struct TaskStanding: Equatable, Sendable {
    public enum State: String, Sendable { case assigned, inProgress, completed, missed }

    public var state = State.assigned
    public var completedOn: CalendarDay?
    public var breathsDone: Int?
    public var mood: String?

    /// Days after the due day on which a task can still be done, unless the client's settings say otherwise.
    public static let grace = 7

    /// - Parameters:
    ///   - happenings: of that task, in their order.
    ///   - today: on the client's wall.
    ///   - isTold: the client shares what is completed, so that a task that is not told of was not done.
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
