// What the clock brings about. Level, not edge: each look finds everything that has fallen due since the one before.
extension Decision {
    mutating func lookAtClock() {
        turnTheDay()
        countBreaths()
        endSnooze()
        unlock()
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

    /// One reminder for all that this day has put beyond their grace: those whose time is over since the day before, and
    /// the one whose time was over already, and that only its flow kept.
    private mutating func remindOfMissed(since before: CalendarDay, and aside: Assignment?) {
        let first = before - settings.graceDays
        let over = plan.agenda.due(from: first, through: day - settings.graceDays - 1)
            .filter { !plan.isCompleted($0.id) && $0.id != plan.flow?.assignment }
        let lost = [aside].compactMap { $0 }.filter { $0.due < first } + over
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
        guard let open = whatIsOpen else { return }
        remind(.stillOpen, what: "snoozed-\(nextNumber(of: .stillOpen))", about: open)
    }

    private mutating func unlock() {
        guard let open = plan.eligible(by: settings), plan.isToBeUnlocked(open) else { return }
        happen(.unlocked(open.id))
        remind(.unlocked, what: open.id.text, about: open)
    }

    /// However many of the configured times have passed unseen, one reminder catches up.
    private mutating func remindOfWhatIsOpen() {
        guard plan.snoozedUntil == nil, let open = whatIsOpen else { return }
        let settled = plan.remindedThrough ?? WallTime(day: day, minute: -1)
        let due = settings.reminderMinutes.last {
            let time = WallTime(day: day, minute: $0)
            return settled < time && time <= moment.wall
        }
        guard let due else { return }
        remind(.stillOpen, what: clock(due), about: open)
    }

    /// What a reminder would be about: not what somebody is in the middle of.
    private var whatIsOpen: Assignment? {
        guard let flow = plan.flow else { return plan.eligible(by: settings) }
        guard flow.stage != .session, !flow.exercise.guided else { return nil }
        return plan.agenda[flow.assignment]
    }

    /// `discriminator` tells it from the others of its kind on the same day.
    mutating func remind(
        _ kind: Reminder.Kind, what discriminator: String, about assignment: Assignment?, count: Int = 1
    ) {
        let again = plan.daysTakenBack > 0 ? "~\(plan.daysTakenBack)" : ""
        let id = "\(day)/\(kind.rawValue)/\(discriminator)\(again)"
        happen(.reminded(Reminder(id: id, kind: kind, assignment: assignment?.id, due: assignment?.due, count: count)))
    }

    /// Counts the reminders of a kind on this day, from 1.
    func nextNumber(of kind: Reminder.Kind) -> Int { plan.remindersToday[kind, default: 0] + 1 }

    private func clock(_ minute: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minute / 60 % 24)):\(two(minute % 60))"
    }
}
