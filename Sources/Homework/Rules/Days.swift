import Time

// A day begins, or is taken back.

extension Decision {
    /// Begins the day that the wall clock shows.
    ///
    /// A clock that is set back, or a client who travels west, does not take the day back. The day is taken back only if
    /// the clock shows a day two or more days earlier and an instant before the day began. No journey reaches that: the
    /// clock was wrong before. A clock that shows a day before `Rules.earliestDay` is wrong now.
    mutating func turnTheDay() {
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

    /// Ends a flow that was not finished by the day after it was begun. Its progress is kept.
    private mutating func setAsideOldFlow() -> Assignment? {
        guard let flow = plan.flow, day >= flow.makesWay else { return nil }
        happen(.setAside(flow.assignment))
        return plan.agenda[flow.assignment]
    }

    /// Ends a flow whose assignment is locked again because a day was taken back.
    private mutating func setAsideEarlyFlow() {
        guard let flow = plan.flow, let assignment = plan.agenda[flow.assignment], assignment.due > day else { return }
        happen(.setAside(flow.assignment))
    }

    /// Gives one reminder for all assignments that the new day makes missed.
    private mutating func remindOfMissed(since before: CalendarDay, and aside: Assignment?) {
        let missed = plan.missed(since: before, on: day, and: aside, by: settings)
        guard let latest = missed.last else { return }
        if plan.sharesCompletion { happen(missed.map { .missed($0.id) }) }
        remind(.missed, named: latest.id.text, about: latest, count: missed.count)
    }
}

extension Plan {
    mutating func begin(_ day: CalendarDay, at moment: Moment) {
        self.day = day
        dayBegan = moment.instant
        mutedUntil = nil
        remindersToday = [:]
        lastReminders.removeAll { $0.reminder.kind.isNewsOfTheDay }
    }

    mutating func takeBack(to day: CalendarDay, at moment: Moment) {
        begin(day, at: moment)
        daysTakenBack += 1
        settledThrough = moment.wall
        mutedThrough = nil
        // The other held reminders were about days that have not come yet.
        held.removeAll { $0.kind != .scheduleTaken }
        if let begun = flow?.day { flow?.day = min(begun, day) }
        // Assignments that were unlocked on a later day must be unlocked again on their own day.
        progress.forgetUnlocked(after: day)
        // The practice sends its schedule again: what it dropped meanwhile counted as missed, and was kept.
        link?.revision = nil
    }
}

extension CalendarDay {
    /// When this day begins on the wall clock, as `WallTime.count` counts.
    func begins(by settings: Settings) -> Int { WallTime(day: self, minute: settings.dayStartsAt).count }
}
