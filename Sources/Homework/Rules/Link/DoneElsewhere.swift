public import ScheduleFormat
public import Time

/// A task of the practice's schedule that the client completed on another of their machines.
public struct DoneElsewhere: Hashable, Sendable {
    public let assignment: AssignmentID
    /// The client's day.
    public let day: CalendarDay

    public init(_ assignment: AssignmentID, on day: CalendarDay) {
        self.assignment = assignment
        self.day = day
    }
}

extension Decision {
    /// Each counts once. A task that the client is in the middle of is theirs to finish here. The practice's word is of its own
    /// schedule: another one may have other tasks of the same names.
    mutating func take(_ done: [DoneElsewhere]) {
        guard plan.link?.revision != nil, plan.isImported else { return }
        for one in done where plan.agenda[one.assignment] != nil && !plan.isCompleted(one.assignment) {
            guard plan.flow?.assignment != one.assignment, one.day <= day.next else { continue }
            happen(.completedElsewhere(one.assignment, on: one.day))
        }
    }
}
