import HomeworkRules
import TestSupport
import Time

/// The events that must come while the machine is on, calculated from the settings in another way than in the rules.
struct Expectation {
    /// When the next reminder of the open task comes, if nobody does anything until then.
    private var reminder: Instant?
    private let dayBegins: (CalendarDay) -> Instant

    init(_ world: World) {
        let (plan, clock, settings) = (world.plan, world.clock, world.rules.settings)
        dayBegins = { clock.start(of: $0) }
        guard let day = plan.day, day == clock.moment.day, plan.mutedUntil == nil,
            plan.flow?.isAttended(at: clock.instant) != true,
            plan.flow != nil || plan.eligible(by: settings) != nil,
            world.checker.givenToday < settings.remindersADay
        else { return }
        let now = clock.moment.wall.count
        let today = WallTime(day: day, minute: clock.dayStartsAt).count
        let spoken = world.checker.spokenThrough ?? today - 1
        for day in [day - 1, day] where settings.isReminderDay(day) {
            for minute in settings.reminderMinutes {
                let time = WallTime(day: day, minute: minute).count
                let comes = settings.whenNotQuiet(time)
                guard time > spoken, comes > now, comes >= today, comes < today + 1_440 else { continue }
                let instant = clock.instant(of: WallTime(count: comes, dayStartsAt: clock.dayStartsAt))
                // In an hour that comes twice, the first occurrence is past. At the end of a skipped hour it may be too
                // late, quiet again, or the next day.
                let shown = clock.count(at: instant)
                guard instant > clock.instant, instant < clock.moment.dayEnds,
                    shown - comes <= settings.lateMinutes, !settings.isQuiet(shown)
                else { continue }
                reminder = reminder.map { min($0, instant) } ?? instant
            }
        }
    }

    /// Checks that the daemon did not sleep through a reminder: it wakes at `stop`.
    func check(wokenAt stop: Instant) throws(Violation) {
        guard reminder.map({ $0 >= stop }) ?? true else {
            throw Violation("a reminder comes in time: the daemon slept")
        }
    }

    /// Checks the turn that the daemon made at `stop`.
    func check(_ events: ArraySlice<Event>, at stop: Instant, _ world: World) throws(Violation) {
        for event in events {
            if case .dayBegan(let day) = event.what, event.moment.instant != dayBegins(day) {
                throw Violation("a day begins at its first instant: \(day)")
            }
        }
        guard reminder == stop, !events.reminders.contains(where: \.isOfWhatIsOpen) else { return }
        let plan = world.plan
        let isOpen = plan.flow != nil || plan.eligible(by: world.rules.settings) != nil
        guard isOpen, plan.flow?.isAttended(at: stop) != true,
            world.checker.givenToday < world.rules.settings.remindersADay
        else { return }
        throw Violation("a reminder comes in time")
    }
}

extension Reminder {
    var isOfWhatIsOpen: Bool { [.unlocked, .stillOpen, .overdue].contains(kind) }

    /// The reminder time in its name, as `WallTime.count` counts; nil if it has none.
    var time: Int? {
        let parts = id.split(separator: "/")
        guard let day = CalendarDay(parts[0]), [.stillOpen, .overdue].contains(kind) else { return nil }
        let clock = parts[2].prefix { $0 != "~" }.split(separator: ":").map { Int($0) }
        guard clock.count == 2, let hours = clock[0], let minutes = clock[1] else { return nil }
        return WallTime(day: day, minute: hours * 60 + minutes).count
    }

    /// The day in its name.
    var day: CalendarDay? { id.split(separator: "/").first.flatMap { CalendarDay($0) } }
}

extension VirtualClock {
    /// The wall's time at `instant`, as `WallTime.count` counts.
    func count(at instant: Instant) -> Int {
        var then = self
        then.instant = instant
        return then.moment.wall.count
    }
}

extension Settings {
    var lateMinutes: Int { Int(lateWithin.microseconds / 60_000_000) }

    func isReminderDay(_ day: CalendarDay) -> Bool { reminderDays.contains(day.weekday) }

    func isQuiet(_ count: Int) -> Bool {
        guard let quiet = quietHours else { return false }
        let minute = (count % 1_440 + 1_440) % 1_440
        return quiet.from < quiet.to
            ? quiet.from <= minute && minute < quiet.to : minute >= quiet.from || minute < quiet.to
    }

    func whenNotQuiet(_ count: Int) -> Int {
        guard isQuiet(count), let quiet = quietHours else { return count }
        let midnight = count - (count % 1_440 + 1_440) % 1_440
        return midnight + quiet.to > count ? midnight + quiet.to : midnight + 1_440 + quiet.to
    }
}
