import Time

/// When one day reminds of what is still open. All is counted as `WallTime.count` does.
struct ReminderTimes {
    /// A time for a reminder, and when the reminder comes: then, or when the quiet hours end into which it falls.
    struct Time {
        /// The day whose time it is.
        let day: CalendarDay
        /// Its minute of that day; nil for the end of a snooze.
        let minute: Int?
        let comes: Int
    }

    /// Those that are not settled, in the order in which they come.
    let ahead: [Time]
    private let settings: Settings
    /// What comes up is settled as whoever is in the middle of it leaves.
    private let isAttended: Bool

    /// The day's own times and those of the evening before whose quiet hours end on it, without what is settled.
    /// `snoozeOver`: when the last snooze will have been to end, if that is yet to come.
    init(_ plan: Plan, _ settings: Settings, on day: CalendarDay, snoozeOver: Int? = nil) {
        self.settings = settings
        isAttended = plan.flow?.isAttended ?? false
        let settled = plan.settledThrough?.count ?? (plan.day ?? day).begins(by: settings) - 1
        let days = settings.quietHours == nil ? [day] : [day - 1, day]
        var times = days.flatMap { day in
            settings.remindsOn(day) ? settings.reminderMinutes.map { settings.time($0, of: day) } : []
        }
        times.removeAll { WallTime(day: $0.day, minute: $0.minute ?? 0).count <= settled }
        if let over = snoozeOver ?? plan.snoozeOver?.count {
            times.append(Time(day: day, minute: nil, comes: settings.comes(over)))
        }
        let today = day.begins(by: settings)..<day.next.begins(by: settings)
        // Of two that come together the later one speaks for both; the end of a snooze speaks for all.
        ahead = times.filter { today.contains($0.comes) }.enumerated().sorted {
            ($0.element.comes, $0.offset) < ($1.element.comes, $1.offset)
        }.map(\.element)
    }

    /// The one to be given then, if any: what came up too long ago is let go.
    func due(by now: Int) -> Time? {
        let late = Int(clamping: settings.lateWithin.microseconds / 60_000_000)
        return ahead.last { $0.comes <= now }.flatMap { now - $0.comes <= late ? $0 : nil }
    }

    /// When the next one comes, or what was due is told because the quiet hours end into which the machine woke.
    func next(after now: Int) -> Int? {
        let next = ahead.first { $0.comes > now }?.comes
        guard !isAttended, let end = settings.quietHours?.end(at: now), due(by: end) != nil else { return next }
        return min(end, next ?? end)
    }
}

extension Settings {
    /// When what comes up then can be told.
    func comes(_ count: Int) -> Int { quietHours?.end(at: count) ?? count }

    fileprivate func remindsOn(_ day: CalendarDay) -> Bool {
        reminderDays.contains(day.weekday)
    }

    fileprivate func time(_ minute: Int, of day: CalendarDay) -> ReminderTimes.Time {
        ReminderTimes.Time(day: day, minute: minute, comes: comes(WallTime(day: day, minute: minute).count))
    }
}

extension CalendarDay {
    /// When it begins on the wall.
    func begins(by settings: Settings) -> Int { WallTime(day: self, minute: settings.dayStartsAt).count }
}

extension Plan {
    /// What is still true of a held word about what was missed: since then something may have been withdrawn.
    func whatIsLeft(of held: Reminder, by settings: Settings) -> Reminder? {
        guard let day else { return nil }
        let over = agenda.due(from: CalendarDay.range.lowerBound, through: day - settings.graceDays - 1)
        let missed = over.filter { !isCompleted($0.id) && $0.id != flow?.assignment }
        guard !missed.isEmpty else { return nil }
        let about = missed.last { $0.id == held.assignment }
        return Reminder(
            id: held.id, kind: held.kind, assignment: about?.id, due: about?.due, count: min(held.count, missed.count))
    }

    /// The present day may bring more of what can wait.
    func hasRoom(by settings: Settings) -> Bool {
        let given = remindersToday.reduce(0) { $0 + ($1.key.canWait ? $1.value : 0) }
        return given < settings.remindersADay
    }
}
