/// What there is to see now, and when that next changes. Derived, never stored.
public struct Outlook: Equatable, Sendable {
    public let day: CalendarDay
    /// The assignment that is eligible or in progress.
    public let open: Assignment?
    public let standing: Standing?
    public let flow: Flow?
    /// Where the breathing stood when this was looked at; nil outside the exercise.
    public let breathing: Exercise.Position?
    public let isProviderOnline: Bool
    public let counts: Counts
    public let nextUnlock: CalendarDay?
    public let nextReminder: Next?
    public let snoozedUntil: Instant?
    public let wake: Wake

    public struct Counts: Hashable, Sendable {
        public var completed = 0
        public var missed = 0
        public var open = 0
        public var locked = 0
    }

    /// A time to come, in the terms in which it is known.
    public enum Next: Hashable, Sendable {
        case day(CalendarDay)
        case wall(WallTime)
        case instant(Instant)
    }

    /// When to look again: the first of these to come.
    public struct Wake: Hashable, Sendable {
        public let day: CalendarDay
        public let wall: WallTime?
        public let instant: Instant?
        public let steady: SteadyInstant?
    }

    /// Whether anybody would see a difference: the passing of time within one phase is none.
    public func looks(like other: Outlook) -> Bool {
        day == other.day && open == other.open && standing == other.standing && flow == other.flow
            && breathing?.breath == other.breathing?.breath && breathing?.phase == other.breathing?.phase
            && isProviderOnline == other.isProviderOnline && counts == other.counts && nextUnlock == other.nextUnlock
            && nextReminder == other.nextReminder && snoozedUntil == other.snoozedUntil
    }
}

extension Rules {
    /// The plan as it is to be seen at that moment. The clock must have been looked at.
    public func outlook(_ plan: Plan, at moment: Moment) -> Outlook {
        let eligible = plan.eligible(by: settings)
        let open = plan.flow.flatMap { plan.agenda[$0.assignment] } ?? eligible
        let exercise = plan.flow.flatMap { $0.stage == .exercise ? $0.exercise : nil }
        return Outlook(
            day: plan.day ?? moment.day,
            open: open,
            standing: open.map { plan.standing(of: $0, eligible: eligible, by: settings) },
            flow: plan.flow,
            breathing: exercise?.position(at: moment.steady),
            isProviderOnline: plan.presence?.isOnline(at: moment.instant) ?? false,
            counts: plan.counts(by: settings),
            nextUnlock: plan.nextUnlock,
            nextReminder: nextReminder(plan, open: open, at: moment),
            snoozedUntil: plan.snoozedUntil,
            wake: wake(plan, open: open, exercise: exercise, at: moment))
    }

    private func nextTimeToday(_ plan: Plan, at moment: Moment) -> WallTime? {
        let day = plan.day ?? moment.day
        let settled = max(plan.remindedThrough ?? moment.wall, moment.wall)
        return settings.reminderMinutes.lazy.map { WallTime(day: day, minute: $0) }.first { $0 > settled }
    }

    private func nextReminder(_ plan: Plan, open: Assignment?, at moment: Moment) -> Outlook.Next? {
        let unlock = plan.nextUnlock.map(Outlook.Next.day)
        guard let open else { return unlock }
        if let until = plan.snoozedUntil { return .instant(until) }
        if let time = nextTimeToday(plan, at: moment) { return .wall(time) }
        return nextReminder(plan, after: plan.day ?? moment.day, open: open) ?? unlock
    }

    /// That of the next day that brings one, while anything is open.
    private func nextReminder(_ plan: Plan, after day: CalendarDay, open: Assignment) -> Outlook.Next? {
        // By then everything that is open now is missed, or something new has come.
        for day in (1...settings.graceDays + 2).map({ day + $0 }) {
            let flow = plan.flow.flatMap { day < $0.makesWay ? $0 : nil }
            if isMissed(on: day, plan, flow) { return .day(day) }
            guard let next = flow == nil ? plan.nextOpen(on: day, by: settings) : open else { return nil }
            if flow == nil, plan.isToBeUnlocked(next) { return .day(day) }
            if let first = settings.reminderMinutes.first { return .wall(WallTime(day: day, minute: first)) }
        }
        return nil
    }

    /// That day puts something beyond its grace, or sets a flow aside that was all that kept it.
    private func isMissed(on day: CalendarDay, _ plan: Plan, _ flow: Flow?) -> Bool {
        let over = day - settings.graceDays - 1
        let lost = plan.agenda.due(from: over, through: over)
        if lost.contains(where: { !plan.isCompleted($0.id) && $0.id != flow?.assignment }) { return true }
        guard let aside = plan.flow, day == aside.makesWay else { return false }
        return plan.agenda[aside.assignment].map { $0.due < over } ?? false
    }

    private func wake(_ plan: Plan, open: Assignment?, exercise: Exercise?, at moment: Moment) -> Outlook.Wake {
        let instants = [plan.snoozedUntil, plan.presence?.changes(after: moment.instant)].compactMap { $0 }
        return Outlook.Wake(
            day: max(plan.day ?? moment.day, moment.day).next,
            wall: open == nil || plan.snoozedUntil != nil ? nil : nextTimeToday(plan, at: moment),
            instant: instants.min(),
            steady: exercise?.phaseEnds(after: moment.steady))
    }
}

extension Plan {
    /// The next day that unlocks something; nil at the end of the schedule.
    public var nextUnlock: CalendarDay? {
        guard let day else { return nil }
        return agenda.ordered[agenda.firstPlace(after: day)...].first { !isCompleted($0.id) }?.due
    }

    /// How many there are in each state.
    public func counts(by settings: Settings) -> Outlook.Counts {
        var counts = Outlook.Counts()
        counts.completed = progress.values.count { $0.completedOn != nil }
        guard let day else { return counts }
        let lost = agenda.firstPlace(from: day - settings.graceDays)
        counts.missed = agenda.ordered[..<lost].count { !isCompleted($0.id) && $0.id != flow?.assignment }
        counts.open = flow != nil || eligible(by: settings) != nil ? 1 : 0
        counts.locked = agenda.ordered.count - counts.completed - counts.missed - counts.open
        return counts
    }
}
