public import Time

/// The client's view of the plan, and when it next changes. It is derived from the plan and never stored.
public struct Outlook: Equatable, Sendable {
    public let day: CalendarDay
    /// The assignment that is eligible or in progress.
    public let open: Assignment?
    public let standing: Standing?
    public let flow: Flow?
    /// The breath and phase at the moment of this outlook; nil outside the exercise.
    public let breathing: Exercise.Position?
    /// The client is in the middle of the task, and no reminder disturbs them.
    public let isAttended: Bool
    public let isProviderOnline: Bool
    /// A task that is started now goes straight into the session: the provider was announced since the last one.
    public let startsWithSession: Bool
    public let counts: Counts
    public let nextUnlock: CalendarDay?
    public let nextReminder: Next?
    /// Reminders of the open task are held until then; nil if they are not.
    public let mutedUntil: Instant?
    public let wake: Wake

    public struct Counts: Hashable, Sendable {
        public var completed = 0
        public var missed = 0
        public var open = 0
        public var locked = 0
    }

    /// A time to come, as a day, a wall clock's time or an instant.
    public enum Next: Hashable, Sendable {
        case day(CalendarDay)
        case wall(WallTime)
        case instant(Instant)
    }

    /// When to look at the clock again: at the first of these.
    public struct Wake: Hashable, Sendable {
        public let day: CalendarDay
        public let wall: WallTime?
        public let instant: Instant?
        public let steady: SteadyInstant?
    }

    /// True if a client would see no difference. Time that passes within one phase of a breath makes none.
    public func looks(like other: Outlook) -> Bool {
        day == other.day && open == other.open && standing == other.standing && flow == other.flow
            && breathing?.breath == other.breathing?.breath && breathing?.phase == other.breathing?.phase
            && isProviderOnline == other.isProviderOnline && startsWithSession == other.startsWithSession
            && counts == other.counts && nextUnlock == other.nextUnlock
            && nextReminder == other.nextReminder && mutedUntil == other.mutedUntil
    }
}

extension Rules {
    /// The outlook at a moment, after `.lookAtClock` was carried out for it.
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
            isAttended: plan.flow?.isAttended(at: moment.instant) ?? false,
            isProviderOnline: plan.presence?.isOnline(at: moment.instant) ?? false,
            startsWithSession: plan.startsWithSession(at: moment.instant)
                && open.flatMap { plan.progress[$0.id] }?.sessionLeft != true,
            counts: plan.counts(by: settings),
            nextUnlock: plan.nextUnlock(by: settings),
            nextReminder: nextReminder(plan, open: open, at: moment),
            mutedUntil: plan.mutedUntil,
            wake: wake(plan, open: open, exercise: exercise, at: moment))
    }

    private func wake(_ plan: Plan, open: Assignment?, exercise: Exercise?, at moment: Moment) -> Outlook.Wake {
        let instants = [
            plan.mutedUntil, plan.presence?.changes(after: moment.instant),
            plan.flow.flatMap { $0.isAttended(at: moment.instant) ? $0.attentionEnds : nil },
            plan.reminderOfProviderComes(at: moment, by: settings),
        ].compactMap { $0 }
        return Outlook.Wake(
            day: max(plan.day ?? moment.day, moment.day).next,
            wall: nextOnTheWall(plan, open: open, at: moment),
            instant: instants.min(),
            steady: exercise?.phaseEnds(after: moment.steady))
    }

    /// When the present day's next reminder time comes, or the quiet hours end that hold a reminder.
    private func nextOnTheWall(_ plan: Plan, open: Assignment?, at moment: Moment) -> WallTime? {
        guard plan.hasRoom(by: settings) else { return nil }
        let now = moment.wall.count
        let quiet = plan.held.isEmpty ? nil : settings.quietHours?.end(at: now)
        let time =
            open == nil || plan.isMuted
            ? nil
            : ReminderTimes(plan, settings, on: plan.day ?? moment.day).next(
                after: now, isAttended: plan.flow?.isAttended(at: moment.instant) ?? false)
        return [quiet, time].compactMap { $0 }.min().map { WallTime(count: $0, dayStartsAt: settings.dayStartsAt) }
    }
}

extension Plan {
    /// The next day that unlocks an assignment if nobody does anything until then; nil if none does. Nothing unlocks before a
    /// task in progress makes way.
    public func nextUnlock(by settings: Settings) -> CalendarDay? {
        // No day follows the calendar's last.
        guard let day, day < CalendarDay.range.upperBound else { return nil }
        // Today's is unlocked, unless a task in progress is in its way.
        let first = max(flow?.makesWay ?? day.next, day.next)
        let coming = agenda.ordered[agenda.firstPlace(from: first)...].first { !isCompleted($0.id) }?.due
        return nextUnlockOfLate(from: first, before: coming, by: settings) ?? coming
    }

    /// The day on which a late assignment is open that never was; nil if there is none before the day `coming`.
    private func nextUnlockOfLate(
        from first: CalendarDay, before coming: CalendarDay?, by settings: Settings
    ) -> CalendarDay? {
        var day = first
        while coming.map({ day < $0 }) ?? true {
            let late = agenda.due(from: day - settings.graceDays, through: first - 1).first { !isCompleted($0.id) }
            guard let late else { return nil }
            if isToBeUnlocked(late) { return day }
            // It is the open one until it is missed.
            let after = lastDay(of: late, by: settings).next
            guard after > day else { return nil }
            day = after
        }
        return nil
    }

    /// How many assignments are in each state.
    public func counts(by settings: Settings) -> Outlook.Counts {
        var counts = Outlook.Counts()
        counts.completed = completed.count
        guard let day else { return counts }
        // Computed, not counted: every status has these figures, and a schedule has up to 100,000 assignments.
        let kept = day - settings.graceDays
        let isFlowKept = flow.flatMap { agenda[$0.assignment] }.map { $0.due < kept } ?? false
        counts.missed = agenda.firstPlace(from: kept) - completed.count(before: kept) - (isFlowKept ? 1 : 0)
        counts.open = flow != nil || eligible(by: settings) != nil ? 1 : 0
        counts.locked = agenda.ordered.count - counts.completed - counts.missed - counts.open
        return counts
    }
}
