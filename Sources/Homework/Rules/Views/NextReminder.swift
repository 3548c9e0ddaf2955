import Time

// When the client is reminded next, if nobody does anything until then. All is counted as `WallTime.count` does.
extension Rules {
    func nextReminder(_ plan: Plan, open: Assignment?, at moment: Moment) -> Outlook.Next? {
        guard settings.remindersADay > 0 else { return nil }
        if plan.hasRoom(by: settings), let next = laterToday(plan, open, at: moment) { return next }
        return onADayToCome(plan, open, at: moment) ?? plan.nextUnlock.map { told(at: $0.begins(by: settings)) }
    }

    private func laterToday(_ plan: Plan, _ open: Assignment?, at moment: Moment) -> Outlook.Next? {
        let now = moment.wall.count
        let snoozed = plan.snoozedUntil.map { ($0, count(of: $0, at: moment)) }
        // In a snooze what is held of what is open waits for its end.
        let held = plan.held.contains { isTrue($0, plan, where: snoozed == nil ? open : nil) }
        var times = [held ? settings.quietHours?.end(at: now) : nil]
        if open != nil, let (until, count) = snoozed {
            if settings.comes(count) == count, times.allSatisfy({ $0.map { count < $0 } ?? true }) {
                return .instant(until)
            }
            times.append(settings.comes(count))
        } else if open != nil {
            times.append(ReminderTimes(plan, settings, on: plan.day ?? moment.day).next(after: now))
        }
        let first = times.compactMap { $0 }.min()
        return first.flatMap { $0 < (plan.day ?? moment.day).next.begins(by: settings) ? wall($0) : nil }
    }

    /// That of the next day that brings one, while anything is open or held.
    private func onADayToCome(_ plan: Plan, _ open: Assignment?, at moment: Moment) -> Outlook.Next? {
        guard open != nil || !plan.held.isEmpty else { return nil }
        let over = plan.snoozedUntil.map { count(of: $0, at: moment) }
        // By then everything that is open now is missed, or something new has come.
        for ahead in 1...settings.graceDays + 2 {
            let day = (plan.day ?? moment.day) + ahead
            let flow = plan.flow.flatMap { day < $0.makesWay ? $0 : nil }
            let next = flow == nil ? plan.nextOpen(on: day, by: settings) : open
            let isNews =
                isMissed(on: day, plan, flow) || flow == nil && next.map(plan.isToBeUnlocked) ?? false
                || plan.held.contains { isTrue($0, plan, where: next) }
            let news = isNews ? settings.comes(day.begins(by: settings)) : nil
            let times = next == nil ? nil : ReminderTimes(plan, settings, on: day, snoozeOver: over)
            if let first = [news, times?.ahead.first?.comes].compactMap({ $0 }).min() {
                return first == day.begins(by: settings) ? .day(day) : wall(first)
            }
            guard next != nil else { return nil }
        }
        return nil
    }

    /// What is held could be told while that one is open.
    private func isTrue(_ held: Reminder, _ plan: Plan, where open: Assignment?) -> Bool {
        if held.kind == .missed { return plan.whatIsLeft(of: held, by: settings) != nil }
        return !held.kind.isOfWhatIsOpen || open != nil && held.assignment == open?.id
    }

    /// That day puts something beyond its grace, or sets a flow aside that was all that kept it.
    private func isMissed(on day: CalendarDay, _ plan: Plan, _ flow: Flow?) -> Bool {
        let over = day - settings.graceDays - 1
        let lost = plan.agenda.due(from: over, through: over)
        if lost.contains(where: { !plan.isCompleted($0.id) && $0.id != flow?.assignment }) { return true }
        guard let aside = plan.flow, day == aside.makesWay else { return false }
        return plan.agenda[aside.assignment].map { $0.due < over } ?? false
    }

    /// What comes up as a day begins is told then, or when it is not quiet any more.
    private func told(at beginning: Int) -> Outlook.Next {
        let time = WallTime(count: settings.comes(beginning), dayStartsAt: settings.dayStartsAt)
        return time.count == beginning ? .day(time.day) : .wall(time)
    }

    private func wall(_ count: Int) -> Outlook.Next { .wall(WallTime(count: count, dayStartsAt: settings.dayStartsAt)) }

    /// What the wall shows at an instant of the present day, if no clock is changed until then.
    private func count(of instant: Instant, at moment: Moment) -> Int {
        let left = (moment.dayEnds - instant).microseconds
        return moment.day.next.begins(by: settings) - Int(clamping: (left + 59_999_999) / 60_000_000)
    }
}
