public import Time

/// The state of an assignment, with the facts behind it.
public enum Standing: Hashable, Sendable {
    public enum Lock: Hashable, Sendable {
        /// The assignment is not due yet.
        case untilItsDay(CalendarDay)
        /// It is not due yet, and on its day this other assignment comes first.
        case afterAnother(AssignmentID, on: CalendarDay)
        /// Another assignment comes first or is in progress. This one can be done until the end of the day `through`.
        case behind(AssignmentID, through: CalendarDay)
    }

    case locked(Lock)
    /// It can be done until the end of the day `through`. `late` is true after its due day.
    case eligible(late: Bool, through: CalendarDay)
    case inProgress(Stage)
    case completed(on: CalendarDay, mood: Mood?)
    case missed(after: CalendarDay)
}

extension Plan {
    /// The assignment to be done now; nil while one is in progress, and if there is none.
    ///
    /// It is the first of today's, in the schedule's order, that is not completed. If today has none, it is the oldest late
    /// one within its grace.
    public func eligible(by settings: Settings) -> Assignment? {
        guard flow == nil, let day else { return nil }
        return nextOpen(on: day, by: settings)
    }

    /// The assignment that would be eligible on a day, today or later, if nobody did anything until then.
    func nextOpen(on day: CalendarDay, by settings: Settings) -> Assignment? {
        let today = agenda.due(from: day, through: day)
        let late = agenda.due(from: day - settings.graceDays, through: day - 1)
        return today.first { !isCompleted($0.id) } ?? late.first { !isCompleted($0.id) }
    }

    /// True if no `unlocked` event has happened since its present due day.
    func isToBeUnlocked(_ assignment: Assignment) -> Bool {
        guard let unlocked = progress[assignment.id]?.unlockedOn else { return true }
        return unlocked < assignment.due
    }

    func isCompleted(_ id: AssignmentID) -> Bool { progress[id]?.completedOn != nil }

    /// The last day on which it can be started.
    public func lastDay(of assignment: Assignment, by settings: Settings) -> CalendarDay {
        assignment.due + settings.graceDays
    }

    /// `eligible` must be the result of `eligible(by:)`; a caller with many assignments asks for it once.
    public func standing(of assignment: Assignment, eligible: Assignment?, by settings: Settings) -> Standing {
        if let seen = progress[assignment.id], let day = seen.completedOn {
            return .completed(on: day, mood: seen.mood)
        }
        if let flow, flow.assignment == assignment.id { return .inProgress(flow.stage) }
        let last = lastDay(of: assignment, by: settings)
        if let flow, assignment.due < flow.makesWay, assignment.due > day ?? assignment.due {
            return .locked(.behind(flow.assignment, through: last))
        }
        guard let day, assignment.due <= day else { return .locked(lockUntilItsDay(assignment)) }
        guard day <= last else { return .missed(after: last) }
        if let first = flow?.assignment ?? eligible?.id, first != assignment.id {
            return .locked(.behind(first, through: last))
        }
        return .eligible(late: assignment.due < day, through: last)
    }

    private func lockUntilItsDay(_ assignment: Assignment) -> Standing.Lock {
        let first = agenda.sameDay(before: assignment) { !isCompleted($0) }
        return first.map { .afterAnother($0.id, on: assignment.due) } ?? .untilItsDay(assignment.due)
    }

    /// The day on which the state changes if nobody does anything until then; nil if time changes nothing.
    public func standingChanges(
        of assignment: Assignment, _ standing: Standing, by settings: Settings
    ) -> CalendarDay? {
        switch standing {
        case .locked(.untilItsDay(let day)): return day
        // Nobody does the one before it, so it stays locked until both are missed.
        case .locked(.afterAnother): return lastDay(of: assignment, by: settings).next
        case .locked(.behind(_, let last)): return comesFirst(assignment, through: last, by: settings) ?? last.next
        case .eligible(_, let last):
            let tomorrow = (day ?? assignment.due).next
            // Tomorrow this assignment is late too, and an older late one comes first.
            if predecessor(of: assignment, on: tomorrow, by: settings) != nil { return tomorrow }
            return min(nextUnlock(by: settings) ?? last.next, last.next)
        case .inProgress: return flow?.makesWay
        case .completed, .missed: return nil
        }
    }

    /// The assignments that become missed when `day` follows `before`: those whose grace ended in between, and the
    /// assignment `aside`, whose flow was set aside, if its grace had ended.
    public func missed(
        since before: CalendarDay, on day: CalendarDay, and aside: Assignment?, by settings: Settings
    ) -> [Assignment] {
        let first = before - settings.graceDays
        let over = agenda.due(from: first, through: day - settings.graceDays - 1)
            .filter { !isCompleted($0.id) && $0.id != flow?.assignment }
        return [aside].compactMap { $0 }.filter { $0.due < first } + over
    }

    /// The next day on which no other assignment comes first; nil if there is none within its grace.
    private func comesFirst(
        _ assignment: Assignment, through last: CalendarDay, by settings: Settings
    ) -> CalendarDay? {
        var candidate = max(assignment.due, day ?? assignment.due).next
        if let flow { candidate = max(candidate, flow.makesWay) }
        if let older = predecessor(of: assignment, on: candidate, by: settings) {
            candidate = max(candidate, lastDay(of: older, by: settings).next)
        }
        guard candidate <= last else { return nil }
        return (0...last - candidate).lazy.map { candidate + $0 }.first { day in
            agenda.due(from: day, through: day).allSatisfy { isCompleted($0.id) }
        }
    }

    /// The last older assignment that can still be done on that day.
    private func predecessor(of assignment: Assignment, on day: CalendarDay, by settings: Settings) -> Assignment? {
        agenda.from(day - settings.graceDays, before: assignment).last { !isCompleted($0.id) }
    }
}
