public import Time

// What the clock brings about. Level, not edge: each look finds everything that has fallen due since the one before.

extension Plan {
    /// True only where a look at the clock now finds nothing, because one at `seen` left the plan as it is.
    ///
    /// By what that look goes by: the minute on the wall is the same (the day, the times for reminders, quiet hours), no
    /// snooze has ended, nobody is breathing, and the clock was not set back behind the beginning of a day.
    public func isStill(since seen: Moment, at now: Moment) -> Bool {
        now.wall == seen.wall && now.instant >= seen.instant && flow?.exercise.run == nil
            && snoozedUntil.map { now.instant < $0 } ?? true
    }
}

extension Decision {
    mutating func lookAtClock() {
        turnTheDay()
        countBreaths()
        endSnooze()
        unlock()
        giveWhatWasHeld()
        remindOfWhatIsOpen()
    }

    /// The day never goes backwards by itself: a clock set back, or a journey west, holds the day that has begun.
    /// Two days or more back, and to before the instant at which that day began, which no journey reaches, the clock was
    /// wrong before: the day is taken back. Unless the clock is wrong now, and shows a day on which nobody had Daybreak.
    private mutating func turnTheDay() {
        let wall = moment.day
        guard let begun = plan.day, let since = plan.dayBegan else { return happen(.dayBegan(wall)) }
        if wall > begun {
            happen(.dayBegan(wall))
            let aside = setAsideOldFlow()
            remindOfMissed(since: begun, and: aside)
        } else if begun - wall >= 2, moment.instant < since, wall >= Rules.earliestDay {
            happen(.dayTakenBack(to: wall))
            setAsideEarlyFlow()
        }
    }

    /// A flow may be finished through the day after the one on which it was begun. Then it makes way, and loses nothing.
    private mutating func setAsideOldFlow() -> Assignment? {
        guard let flow = plan.flow, day >= flow.makesWay else { return nil }
        happen(.setAside(flow.assignment))
        return plan.agenda[flow.assignment]
    }

    /// What a day opened that was taken back is locked again.
    private mutating func setAsideEarlyFlow() {
        guard let flow = plan.flow, let assignment = plan.agenda[flow.assignment], assignment.due > day else { return }
        happen(.setAside(flow.assignment))
    }

    /// One reminder for all that this day has put beyond their grace.
    private mutating func remindOfMissed(since before: CalendarDay, and aside: Assignment?) {
        let lost = plan.lost(since: before, on: day, and: aside, by: settings)
        guard let latest = lost.last else { return }
        remind(.missed, what: latest.id.text, about: latest, count: lost.count)
    }

    private mutating func countBreaths() {
        guard let flow = plan.flow, flow.stage == .exercise else { return }
        let drawn = flow.exercise.drawn(at: moment.steady)
        if drawn > flow.exercise.done { happen(.breathed(flow.assignment, breaths: drawn)) }
        if drawn >= flow.exercise.breaths { happen(.exerciseFinished(flow.assignment)) }
    }

    private mutating func endSnooze() {
        guard let until = plan.snoozedUntil, until <= moment.instant else { return }
        happen(.snoozeEnded)
    }

    private mutating func unlock() {
        guard let open = plan.eligible(by: settings), plan.isToBeUnlocked(open) else { return }
        happen(.unlocked(open.id))
        // Whoever has just finished one is not sent on to an older one: that is spoken of at the times.
        guard open.due >= day || !hasJustCompleted else { return }
        remindOfUnlocked(open)
    }

    private var hasJustCompleted: Bool {
        events.contains { if case .completed = $0.what { true } else { false } }
    }

    /// `unlocked`: the day on which it did, if that is not the present one.
    private mutating func remindOfUnlocked(_ open: Assignment, on unlocked: CalendarDay? = nil) {
        // No identifier has a colon: this is no time's name, and no snooze's.
        let isLate = open.due < day
        remind(
            isLate ? .overdue : .unlocked, what: isLate ? "unlocked:\(open.id)" : open.id.text, about: open,
            on: unlocked)
    }

    /// What came up in quiet hours, in a snooze, or beyond what a day may bring is given once, if it is still true.
    private mutating func giveWhatWasHeld() {
        for reminder in plan.held where mayTell {
            if reminder.kind == .missed {
                if let left = plan.whatIsLeft(of: reminder, by: settings) { happen(.reminded(left)) }
            } else if !reminder.kind.isOfWhatIsOpen {
                happen(.reminded(reminder))
            } else if plan.snoozedUntil == nil, let open = whatIsOpen, open.id == reminder.assignment {
                remindOfUnlocked(open, on: reminder.day)
            }
        }
    }

    /// However many of the times have passed unseen, one reminder catches up.
    private mutating func remindOfWhatIsOpen() {
        guard plan.snoozedUntil == nil, let open = whatIsOpen else { return }
        let times = ReminderTimes(plan, settings, on: day)
        guard let due = times.due(by: moment.wall.count), mayTell else { return }
        let kind: Reminder.Kind = open.due < day ? .overdue : .stillOpen
        if let minute = due.minute {
            remind(kind, what: clock(minute), about: open, on: due.day)
        } else {
            remind(kind, what: "snoozed-\(nextNumber(of: kind))", about: open)
        }
    }

    /// What a reminder would be about: not what somebody is in the middle of.
    private var whatIsOpen: Assignment? {
        guard let flow = plan.flow else { return plan.eligible(by: settings) }
        return flow.isAttended ? nil : plan.agenda[flow.assignment]
    }

    /// It is not quiet, and the day may bring more.
    private var mayTell: Bool {
        settings.quietHours?.end(at: moment.wall.count) == nil && plan.hasRoom(by: settings)
    }

    /// Gives a reminder, or holds it. `discriminator` tells it from the others of its kind on that day, which is the
    /// present one unless it is said.
    mutating func remind(
        _ kind: Reminder.Kind, what discriminator: String, about assignment: Assignment?, count: Int = 1,
        on due: CalendarDay? = nil
    ) {
        let again = plan.daysTakenBack > 0 ? "~\(plan.daysTakenBack)" : ""
        let id = "\(due ?? day)/\(kind.rawValue)/\(discriminator)\(again)"
        // What was missed before and could not be told yet is told with it.
        let untold = kind == .missed ? plan.held.first { $0.kind == .missed }?.count ?? 0 : 0
        let reminder = Reminder(
            id: id, kind: kind, assignment: assignment?.id, due: assignment?.due, count: untold + count)
        let isSnoozed = kind.isOfWhatIsOpen && plan.snoozedUntil != nil
        happen(!kind.canWait || mayTell && !isSnoozed ? .reminded(reminder) : .held(reminder))
    }

    /// Counts the reminders of a kind on this day, from 1.
    func nextNumber(of kind: Reminder.Kind) -> Int { plan.remindersToday[kind, default: 0] + 1 }

    /// The small hours of a long day count on: 01:30 is 25:30 of the day before, and no other time's name.
    private func clock(_ minute: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }
}
