import Time

/// The times at which one day's reminders of the open task come. All counts are `WallTime.count`.
struct ReminderTimes {
    /// A reminder time of the settings, or the end of muting.
    struct Time {
        let day: CalendarDay
        /// The minute of `day`; nil for the end of muting.
        let minute: Int?
        /// When the reminder comes: at that minute, or when the quiet hours end into which it falls.
        let comes: Int
    }

    /// The times that are not settled, in the order in which their reminders come.
    let ahead: [Time]
    private let settings: Settings

    /// The times of `day`, and those of the evening before whose quiet hours end on it. `mutedThrough`: when muting will
    /// end, if it has not yet.
    init(_ plan: Plan, _ settings: Settings, on day: CalendarDay, mutedThrough: Int? = nil) {
        self.settings = settings
        let settled = plan.settledThrough?.count ?? (plan.day ?? day).begins(by: settings) - 1
        let days = settings.quietHours == nil ? [day] : [day - 1, day]
        var times = days.flatMap { day in
            settings.remindsOn(day) ? settings.reminderMinutes.map { settings.time($0, of: day) } : []
        }
        times.removeAll { WallTime(day: $0.day, minute: $0.minute ?? 0).count <= settled }
        if let end = mutedThrough ?? plan.mutedThrough?.count {
            times.append(Time(day: day, minute: nil, comes: settings.comes(end)))
        }
        let today = day.begins(by: settings)..<day.next.begins(by: settings)
        // Of two reminders that come together, the later one replaces the earlier; the end of muting replaces all.
        ahead = times.filter { today.contains($0.comes) }.enumerated().sorted {
            ($0.element.comes, $0.offset) < ($1.element.comes, $1.offset)
        }.map(\.element)
    }

    /// The time whose reminder is to be given at `now`; nil if there is none, or if it is late by more than `late_within`.
    func due(by now: Int) -> Time? {
        let late = Int(clamping: settings.lateWithin.microseconds / 60_000_000)
        return ahead.last { $0.comes <= now }.flatMap { now - $0.comes <= late ? $0 : nil }
    }

    /// When the first reminder comes. The times that pass until the client counts as gone are made up for then, unless it is too late.
    func first(attendedUntil gone: Int?) -> Int? {
        guard let gone, let first = ahead.first, first.comes <= gone else { return ahead.first?.comes }
        let comes = settings.comes(gone)
        return due(by: comes) == nil ? ahead.first { $0.comes > gone }?.comes : comes
    }

    /// When the next reminder comes: at the next time, or at the end of the quiet hours that hold a due one.
    /// - Parameter isAttended: the client is in the middle of the task, and the times that pass meanwhile are settled then.
    func next(after now: Int, isAttended: Bool = false) -> Int? {
        let next = ahead.first { $0.comes > now }?.comes
        guard !isAttended, let end = settings.quietHours?.end(at: now), due(by: end) != nil else { return next }
        return min(end, next ?? end)
    }
}

extension Settings {
    /// When a reminder of the time `count` can be given: then, or at the end of the quiet hours.
    func comes(_ count: Int) -> Int { quietHours?.end(at: count) ?? count }

    fileprivate func remindsOn(_ day: CalendarDay) -> Bool { reminderDays.contains(day.weekday) }

    fileprivate func time(_ minute: Int, of day: CalendarDay) -> ReminderTimes.Time {
        ReminderTimes.Time(day: day, minute: minute, comes: comes(WallTime(day: day, minute: minute).count))
    }
}
