public import Time

/// A task's state, by the client's happenings.
public struct TaskStanding: Equatable, Sendable {
    public enum State: String, Sendable { case assigned, inProgress, completed, missed }

    public var state = State.assigned
    public var completedOn: CalendarDay?
    public var breathsDone: Int?
    public var mood: String?
    public var isLate = false

    /// Days after the due day on which a task can still be done, unless the client's settings say otherwise.
    public static let grace = 7

    /// - Parameters:
    ///   - told: the happenings of the task in their order, each with the device that told it. Where several devices completed the
    ///     task, the first counts, with its breaths and its mood.
    ///   - today: the client's day.
    ///   - sharedOn: the client's day since which they share completed tasks; nil if they do not.
    ///   - heardOn: the client's day on which a device of theirs was last heard; nil if none was.
    public init(
        due: CalendarDay, _ told: [(device: String, happening: Happening)], today: CalendarDay, sharedOn: CalendarDay?,
        heardOn: CalendarDay?
    ) {
        var begunOn: CalendarDay?
        var isMissed = false
        let completing = told.filter { $0.happening.what == .completed }.map(\.device)
        let others = Set(completing.filter { $0 != completing.first })
        for (device, happening) in told where !others.contains(device) {
            breathsDone = happening.breaths.map { max($0, breathsDone ?? 0) } ?? breathsDone
            mood = happening.mood ?? mood
            switch happening.what {
            case .started, .breathed, .exerciseFinished, .joined, .left, .moodLogged: begunOn = happening.day
            case .cancelled, .setAside: begunOn = nil
            case .completed: completedOn = completedOn ?? happening.day
            // A task that was missed can be given another day.
            case .missed: isMissed = happening.day > due
            case .scheduleTaken, .moodCorrected, .noteWritten: break
            }
        }
        if completedOn != nil {
            state = .completed
        } else if begunOn == today {
            state = .inProgress
        } else if isMissed || Self.isTold(due, sharedOn) && Self.isHeard(after: due + Self.grace, heardOn) {
            state = .missed
        }
        isLate =
            completedOn == nil && !isMissed
            && Self.isLate(due: due, today: today, sharedOn: sharedOn, heardOn: heardOn)
    }

    /// A task that is due after the day on which the sharing began was not done if nothing tells of it. An earlier one may
    /// have been done before the sharing.
    private static func isTold(_ due: CalendarDay, _ sharedOn: CalendarDay?) -> Bool {
        sharedOn.map { $0 < due } ?? false
    }

    /// True if a device was heard after that day. Of a machine that is offline nobody knows what was done on it.
    private static func isHeard(after day: CalendarDay, _ heardOn: CalendarDay?) -> Bool {
        heardOn.map { $0 > day } ?? false
    }

    /// True if a task without an end was not done on its day, as a device was heard since, and can still be done.
    public static func isLate(
        due: CalendarDay, today: CalendarDay, sharedOn: CalendarDay?, heardOn: CalendarDay?
    ) -> Bool {
        isTold(due, sharedOn) && isHeard(after: due, heardOn) && due < today && today <= due + grace
    }
}
