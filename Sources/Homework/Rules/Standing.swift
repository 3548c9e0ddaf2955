public import Time

/// The state of an assignment with the reason for it.
public enum Standing: Hashable, Sendable {
    public enum Lock: Hashable, Sendable {
        /// Its day has not come.
        case untilItsDay(CalendarDay)
        /// Its day has not come, and will not open it: this other one of that day comes first.
        case afterAnother(AssignmentID, on: CalendarDay)
        /// Another one comes first, or is in progress; it can be done until the end of that day.
        case behind(AssignmentID, through: CalendarDay)
    }

    case locked(Lock)
    /// `late`: its own day is over. It can be done until the end of that day.
    case eligible(late: Bool, through: CalendarDay)
    case inProgress(Stage)
    case completed(on: CalendarDay, mood: Mood?)
    case missed(after: CalendarDay)
}

extension Plan {
    /// The one to be done now; nil while one is in progress, and where nothing is open.
    ///
    /// Today's first, in the schedule's order; when none is open today, the oldest late one within its grace.
    public func eligible(by settings: Settings) -> Assignment? {
        flow == nil ? nextOpen(by: settings) : nil
    }

    private func nextOpen(by settings: Settings) -> Assignment? {
        guard let day else { return nil }
        return nextOpen(on: day, by: settings)
    }

    /// Who would be open on a day, this one or a later one, if nobody did anything until then.
    func nextOpen(on day: CalendarDay, by settings: Settings) -> Assignment? {
        let today = agenda.due(from: day, through: day)
        let late = agenda.due(from: day - settings.graceDays, through: day - 1)
        return today.first { !isCompleted($0.id) } ?? late.first { !isCompleted($0.id) }
    }

    /// Its client has not been told that it is open, since it is due on the day that it is due on now.
    func isToBeUnlocked(_ assignment: Assignment) -> Bool {
        guard let told = progress[assignment.id]?.unlockedOn else { return true }
        return told < assignment.due
    }

    func isCompleted(_ id: AssignmentID) -> Bool { progress[id]?.completedOn != nil }

    /// The last day on which it can be begun.
    public func lastDay(of assignment: Assignment, by settings: Settings) -> CalendarDay {
        assignment.due + settings.graceDays
    }

    /// Its state and why. `eligible` must be what `eligible(by:)` says: asked once for many.
    public func standing(of assignment: Assignment, eligible: Assignment?, by settings: Settings) -> Standing {
        if let seen = progress[assignment.id], let day = seen.completedOn {
            return .completed(on: day, mood: seen.mood)
        }
        if let flow, flow.assignment == assignment.id { return .inProgress(flow.stage) }
        guard let day, assignment.due <= day else { return .locked(lockUntilItsDay(assignment)) }
        let last = lastDay(of: assignment, by: settings)
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

    /// The day on which it will be in another state if nobody does anything until then; nil where time opens nothing.
    public func standingChanges(
        of assignment: Assignment, _ standing: Standing, by settings: Settings
    ) -> CalendarDay? {
        switch standing {
        case .locked(.untilItsDay(let day)): return day
        case .locked(.afterAnother): return nil
        case .locked(.behind(_, let last)): return comesFirst(assignment, through: last, by: settings) ?? last.next
        case .eligible(_, let last):
            let tomorrow = (day ?? assignment.due).next
            // An older one comes first again, once this one is late itself.
            if predecessor(of: assignment, on: tomorrow, by: settings) != nil { return tomorrow }
            return min(nextUnlock ?? last.next, last.next)
        case .inProgress: return flow?.makesWay
        case .completed, .missed: return nil
        }
    }

    /// What a day puts beyond its grace: those whose time is over since the day before it, and what was set aside, where its
    /// time was over already, and only its flow kept it.
    public func lost(
        since before: CalendarDay, on day: CalendarDay, and aside: Assignment?, by settings: Settings
    ) -> [Assignment] {
        let first = before - settings.graceDays
        let over = agenda.due(from: first, through: day - settings.graceDays - 1)
            .filter { !isCompleted($0.id) && $0.id != flow?.assignment }
        return [aside].compactMap { $0 }.filter { $0.due < first } + over
    }

    /// The first day to come on which nothing is before it any more.
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

    /// The last before it that can still be done on that day.
    private func predecessor(of assignment: Assignment, on day: CalendarDay, by settings: Settings) -> Assignment? {
        agenda.from(day - settings.graceDays, before: assignment).last { !isCompleted($0.id) }
    }
}
