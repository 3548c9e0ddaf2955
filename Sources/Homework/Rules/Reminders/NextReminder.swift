public import Time

// The next reminder, if nobody does anything until then. All counts are `WallTime.count`.
extension Rules {
    /// When the reminder of the provider comes that waits; nil if none does.
    public func reminderOfProvider(_ plan: Plan, at moment: Moment) -> Instant? {
        plan.reminderOfProviderComes(at: moment, by: settings)
    }

    func nextReminder(_ plan: Plan, open: Assignment?, at moment: Moment) -> Outlook.Next? {
        let next = nextThatCanWait(plan, open: open, at: moment)
        guard let provider = plan.reminderOfProviderComes(at: moment, by: settings) else { return next }
        let isFirst =
            switch next {
            case nil: true
            case .day(let day): count(of: provider, at: moment) < day.begins(by: settings)
            case .wall(let time): count(of: provider, at: moment) < time.count
            case .instant(let other): provider < other
            }
        return isFirst ? .instant(provider) : next
    }

    private func nextThatCanWait(_ plan: Plan, open: Assignment?, at moment: Moment) -> Outlook.Next? {
        guard settings.remindersADay > 0 else { return nil }
        if plan.hasRoom(by: settings), let next = laterToday(plan, open, at: moment) { return next }
        return onADayToCome(plan, open, at: moment) ?? plan.nextUnlock(by: settings).map { atBeginning(of: $0) }
    }

    private func laterToday(_ plan: Plan, _ open: Assignment?, at moment: Moment) -> Outlook.Next? {
        let now = moment.wall.count
        switch attention(plan, at: moment) {
        case .free: break
        case .led(let end):
            let next = ReminderTimes(plan, settings, on: plan.day ?? moment.day).next(after: end, isAttended: true)
            return next.flatMap { $0 < (plan.day ?? moment.day).next.begins(by: settings) ? wall($0) : nil }
        case .busy(let end): return laterToday(plan, afterAttention: end, at: moment)
        }
        let muted = plan.mutedUntil.map { ($0, count(of: $0, at: moment)) }
        // While muted, a held reminder of the open task waits for the end of the muting.
        let held = givesHeld(plan, muted == nil ? open : nil, on: plan.day ?? moment.day)
        var times = [held ? settings.quietHours?.end(at: now) : nil]
        let isAfterMuting = open != nil || givesHeld(unmuted(plan, at: moment), nil, on: plan.day ?? moment.day)
        if isAfterMuting, let (until, count) = muted {
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

    /// The first reminder of the open task after its client counts as gone.
    private func laterToday(_ plan: Plan, afterAttention end: Instant, at moment: Moment) -> Outlook.Next? {
        let day = plan.day ?? moment.day
        let others = givesHeld(plan, nil, on: day) { !$0.isOfPractice }
        let quietEnd = others ? settings.quietHours?.end(at: moment.wall.count) : nil
        let free = max(end, plan.mutedUntil ?? end)
        // Both may fall into one minute, which begins with the end of the quiet hours.
        if let quietEnd, quietEnd <= count(of: free, at: moment) { return wall(quietEnd) }
        let now = count(of: free, at: moment)
        guard now < day.next.begins(by: settings) else { return nil }
        let coming = unmuted(plan, at: moment)
        let times = ReminderTimes(coming, settings, on: day)
        let open = plan.flow.flatMap { plan.agenda[$0.assignment] }
        let comes = settings.comes(now)
        let isDue = times.due(by: comes) != nil || givesHeld(coming, open, on: day)
        if isDue, comes == now { return .instant(free) }
        let next = isDue ? comes : times.next(after: now)
        return next.flatMap { $0 < day.next.begins(by: settings) ? wall($0) : nil }
    }

    /// How far the client is from being reminded of the open task.
    private enum Attention: Equatable {
        case free
        /// The client is led through the breathing until then, if the clock is not changed.
        case led(until: Int)
        /// The client is in the session, or pauses the breathing: nobody knows until when, but not beyond that instant.
        case busy(until: Instant)
    }

    private func attention(_ plan: Plan, at moment: Moment) -> Attention {
        guard let flow = plan.flow, flow.isAttended(at: moment.instant) else { return .free }
        if let end = flow.attentionEnds { return .busy(until: end) }
        let left = flow.exercise.position(at: moment.steady).remaining
        return .led(until: count(of: moment.instant + left, at: moment))
    }

    /// The first reminder on a later day, if a task is open or a reminder is held.
    private func onADayToCome(_ plan: Plan, _ open: Assignment?, at moment: Moment) -> Outlook.Next? {
        guard open != nil || !plan.held.isEmpty else { return nil }
        // Until then the client is in the middle of the task, perhaps beyond midnight.
        let end: Instant? = if case .busy(let end) = attention(plan, at: moment) { end } else { nil }
        let gone = end.map { count(of: $0, at: moment) }
        // After this many days the open task is missed, or another is open.
        for ahead in 1...settings.graceDays + 2 {
            let day = (plan.day ?? moment.day) + ahead
            let coming = left(plan, to: day, at: moment)
            let next = coming.flow == nil ? plan.nextOpen(on: day, by: settings) : open
            let isNews =
                isMissed(on: day, plan, coming.flow)
                || coming.flow == nil && next.map(plan.isToBeUnlocked) ?? false
                || givesHeld(coming, next, on: day) { gone == nil || !$0.isOfPractice }
            let news = isNews ? settings.comes(day.begins(by: settings)) : nil
            let later = gone.flatMap { ofPractice(coming, next, on: day, attendedUntil: $0) }
            let times = next == nil ? nil : ReminderTimes(coming, settings, on: day).first(attendedUntil: gone)
            if let first = [news, later, times].compactMap({ $0 }).min() {
                if let end, first == gone, first != news { return .instant(end) }
                return first == day.begins(by: settings) ? .day(day) : wall(first)
            }
            guard next != nil else { return nil }
        }
        return nil
    }

    /// When the practice's held reminders come on a day, to a client who is in the middle of a task until then.
    private func ofPractice(
        _ plan: Plan, _ open: Assignment?, on day: CalendarDay, attendedUntil gone: Int
    ) -> Int? {
        let comes = settings.comes(max(gone, day.begins(by: settings)))
        guard comes < day.next.begins(by: settings) else { return nil }
        return givesHeld(plan, open, on: day) { $0.isOfPractice } ? comes : nil
    }

    /// The plan on a later day, before its reminders, if nobody does anything until then.
    private func left(_ plan: Plan, to day: CalendarDay, at moment: Moment) -> Plan {
        var coming = unmuted(plan, at: moment)
        coming.day = day
        coming.remindersToday = [:]
        if let flow = plan.flow, day >= flow.makesWay { coming.flow = nil }
        return coming
    }

    /// The plan after the end of its muting.
    private func unmuted(_ plan: Plan, at moment: Moment) -> Plan {
        guard let until = plan.mutedUntil else { return plan }
        var coming = plan
        coming.mutedUntil = nil
        coming.mutedThrough = WallTime(count: count(of: until, at: moment), dayStartsAt: settings.dayStartsAt)
        return coming
    }

    /// True if a held reminder of these kinds can be given while `open` is the open task, and the day has room for it.
    private func givesHeld(
        _ plan: Plan, _ open: Assignment?, on day: CalendarDay, _ isMeant: (Reminder.Kind) -> Bool = { _ in true }
    ) -> Bool {
        let hasRoomForNews = plan.hasRoomForNews(by: settings, on: day)
        return plan.held.contains {
            isMeant($0.kind) && (hasRoomForNews || !plan.isNews($0.kind)) && isTrue($0, plan, if: open)
        }
    }

    /// True if a held reminder could be given while `open` is the open task.
    private func isTrue(_ held: Reminder, _ plan: Plan, if open: Assignment?) -> Bool {
        // The reminder of the provider has a time of its own.
        guard held.kind.canWait else { return false }
        if held.kind == .missed { return plan.stillMissed(of: held, by: settings) != nil }
        if held.kind.isOfPractice { return !plan.isMuted && plan.stillUnread(of: held) != nil }
        return !held.kind.isOfOpenTask || open != nil && held.assignment == open?.id
    }

    /// True if an assignment becomes missed on that day: its grace ends, or its flow is set aside after its grace ended.
    private func isMissed(on day: CalendarDay, _ plan: Plan, _ flow: Flow?) -> Bool {
        let over = day - settings.graceDays - 1
        let late = plan.agenda.due(from: over, through: over)
        if late.contains(where: { !plan.isCompleted($0.id) && $0.id != flow?.assignment }) { return true }
        guard let aside = plan.flow, day == aside.makesWay else { return false }
        return plan.agenda[aside.assignment].map { $0.due < over } ?? false
    }

    /// The reminder of an unlocking: at the beginning of the day, or at the end of the quiet hours.
    private func atBeginning(of day: CalendarDay) -> Outlook.Next {
        let beginning = day.begins(by: settings)
        let time = WallTime(count: settings.comes(beginning), dayStartsAt: settings.dayStartsAt)
        return time.count == beginning ? .day(time.day) : .wall(time)
    }

    private func wall(_ count: Int) -> Outlook.Next { .wall(WallTime(count: count, dayStartsAt: settings.dayStartsAt)) }

    /// The wall clock's time at an instant of the present day, if the clock is not changed until then.
    private func count(of instant: Instant, at moment: Moment) -> Int {
        let left = (moment.dayEnds - instant).microseconds
        // Of a minute that has begun, also beyond the present day.
        let minutes = left > 0 ? (left + 59_999_999) / 60_000_000 : left / 60_000_000
        return moment.day.next.begins(by: settings) - Int(clamping: minutes)
    }
}
