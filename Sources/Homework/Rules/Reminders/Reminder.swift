public import Time

/// A notice to the client. Its text follows from its kind and number, and from ``isLastWord``; it holds no mood, note or name.
public struct Reminder: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case unlocked, stillOpen, overdue, providerAvailable, completed, missed, scheduleTaken, scheduleRefused
        // Of the practice: their number is that of the unread, or of the surveys that are due.
        case mail, chat, survey, broadcast

        /// True if it can be given some hours later. The others answer a recent action, or are only true now.
        public var canWait: Bool {
            switch self {
            case .unlocked, .stillOpen, .overdue, .missed, .scheduleTaken, .mail, .chat, .survey, .broadcast: true
            case .providerAvailable, .completed, .scheduleRefused: false
            }
        }

        /// True if it is about the open task. One such reminder replaces another.
        var isOfOpenTask: Bool {
            switch self {
            case .unlocked, .stillOpen, .overdue: true
            case .providerAvailable, .completed, .missed, .scheduleTaken, .scheduleRefused, .mail, .chat, .survey,
                .broadcast:
                false
            }
        }

        /// True if it tells of something at the practice. It waits while reminders are muted, or the client is in the middle of a task.
        var isOfPractice: Bool {
            switch self {
            case .mail, .chat, .survey, .broadcast: true
            case .unlocked, .stillOpen, .overdue, .providerAvailable, .completed, .missed, .scheduleTaken,
                .scheduleRefused:
                false
            }
        }

        /// True if a later reminder of this kind says all that an earlier one of the other kind said.
        func replaces(_ other: Self) -> Bool { self == other || (isOfOpenTask && other.isOfOpenTask) }
    }

    /// An identifier that is never used again: `2027-03-05/stillOpen/18:00`.
    public let id: String
    public let kind: Kind
    public let assignment: AssignmentID?
    public let due: CalendarDay?
    /// How many assignments it is about, or how much there is to read at the practice.
    public let count: Int

    public init(id: String, kind: Kind, assignment: AssignmentID? = nil, due: CalendarDay? = nil, count: Int = 1) {
        self.id = id
        self.kind = kind
        self.assignment = assignment
        self.due = due
        self.count = count
    }

    /// The day in its id.
    var day: CalendarDay? { CalendarDay(id.prefix { $0 != "/" }) }
}

extension Decision {
    mutating func unlock() {
        guard let open = plan.eligible(by: settings), plan.isToBeUnlocked(open) else { return }
        happen(.unlocked(open.id))
        // A client who has just completed a task hears of an older one at the next reminder time, not at once.
        guard open.due >= day || !hasJustCompleted else { return }
        remindOfUnlocked(open)
    }

    private var hasJustCompleted: Bool {
        events.contains { if case .completed = $0.what { true } else { false } }
    }

    /// `day`: when it was unlocked, if not on the present day.
    private mutating func remindOfUnlocked(_ open: Assignment, on day: CalendarDay? = nil) {
        let isLate = open.due < self.day
        // The colon keeps it apart from ids of assignments, which have none.
        let name = isLate ? "unlocked:\(open.id)" : open.id.text
        remind(isLate ? .overdue : .unlocked, named: name, about: open, on: day)
    }

    /// Gives the held reminders that are still true, once they can be given.
    mutating func giveHeldReminders() {
        for reminder in plan.held where canRemind && reminder.kind.canWait {
            if reminder.kind == .missed {
                if let missed = plan.stillMissed(of: reminder, by: settings) { happen(.reminded(missed)) }
            } else if reminder.kind.isOfPractice {
                guard !newsWaits, hasRoomForNews, let unread = plan.stillUnread(of: reminder) else { continue }
                happen(.reminded(unread))
            } else if !reminder.kind.isOfOpenTask {
                if !plan.isNews(reminder.kind) || hasRoomForNews { happen(.reminded(reminder)) }
            } else if !plan.isMuted, let open = openTask, open.id == reminder.assignment {
                remindOfUnlocked(open, on: reminder.day)
            }
        }
    }

    /// Gives one reminder for all reminder times that have passed since the last.
    mutating func remindOfOpenTask() {
        guard !plan.isMuted, let open = openTask else { return }
        let times = ReminderTimes(plan, settings, on: day)
        guard let due = times.due(by: moment.wall.count), canRemind else { return }
        let kind: Reminder.Kind = open.due < day ? .overdue : .stillOpen
        let name = due.minute.map(clock) ?? nameAfterMuting(kind)
        remind(kind, named: name, about: open, on: due.day)
    }

    /// The task to remind of; nil if the client is in the middle of it.
    private var openTask: Assignment? {
        guard let flow = plan.flow else { return plan.eligible(by: settings) }
        return isAttended ? nil : plan.agenda[flow.assignment]
    }

    /// True while the client is in the middle of a task.
    private var isAttended: Bool { plan.flow?.isAttended(at: moment.instant) ?? false }

    private var newsWaits: Bool { plan.isMuted || isAttended }

    /// True outside quiet hours and below the day's limit.
    private var canRemind: Bool { !isQuiet && plan.hasRoom(by: settings) }

    private var hasRoomForNews: Bool { plan.hasRoomForNews(by: settings, on: day) }

    private var isQuiet: Bool { settings.quietHours?.end(at: moment.wall.count) != nil }

    /// Gives a reminder, or holds it if it cannot be given now. `name` tells it from others of its kind and day; `day` is
    /// the present day unless given. An urgent one waits neither for the end of the muting nor, if the settings say so, for that
    /// of the quiet hours.
    mutating func remind(
        _ kind: Reminder.Kind, named name: String, about assignment: Assignment?, count: Int = 1,
        isUrgent: Bool = false, on day: CalendarDay? = nil
    ) {
        let again = plan.daysTakenBack > 0 ? "~\(plan.daysTakenBack)" : ""
        let id = "\(day ?? self.day)/\(kind.rawValue)/\(name)\(again)"
        // A held reminder of missed tasks is counted in with a new one.
        let untold = kind == .missed ? plan.held.first { $0.kind == .missed }?.count ?? 0 : 0
        let reminder = Reminder(
            id: id, kind: kind, assignment: assignment?.id, due: assignment?.due, count: untold + count)
        let hasRoom = !plan.isNews(kind) || hasRoomForNews || isUrgent && nextNumber(of: kind) == 1
        happen(isHeld(reminder, isUrgent) || !hasRoom ? .held(reminder) : .reminded(reminder))
    }

    private func isHeld(_ reminder: Reminder, _ isUrgent: Bool) -> Bool {
        let kind = reminder.kind
        if isUrgent {
            let waits = isQuiet && !settings.tellsUrgentInQuietHours
            return waits || !plan.hasRoom(by: settings) || isAttended
        }
        if kind == .providerAvailable {
            return plan.reminderOfProviderWaits(of: reminder.assignment, at: moment) != nil
        }
        return kind.canWait && (!canRemind || kind.isOfOpenTask && plan.isMuted || kind.isOfPractice && newsWaits)
    }

    /// Numbers the reminders of a kind within the present day, from 1.
    func nextNumber(of kind: Reminder.Kind) -> Int { plan.remindersToday[kind, default: 0] + 1 }

    /// `18:00`. The hours after midnight of a long day count on: 01:30 is `25:30` of the day before, so that each time has
    /// its own name.
    private func clock(_ minute: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }
}

extension Plan {
    mutating func note(_ reminder: Reminder, at moment: Moment) {
        noteNews(reminder)
        let given = GivenReminder(reminder: reminder, at: moment.instant)
        unsent.removeAll { moment.instant - $0.at > Self.unsentAge }
        unsent.append(given)
        unsent.removeFirst(max(0, unsent.count - Self.unsentLimit))
        lastReminders.removeAll { reminder.kind.replaces($0.reminder.kind) }
        if reminder.kind.callsForSomething { lastReminders.append(given) }
        remindersToday[reminder.kind, default: 0] += 1
        held.removeAll { reminder.kind.replaces($0.kind) }
        if reminder.kind.isOfOpenTask { settleReminders(through: moment.wall) }
    }

    /// Reminder times up to this one bring nothing any more.
    mutating func settleReminders(through wall: WallTime) {
        if settledThrough.map({ $0.count < wall.count }) ?? true { settledThrough = wall }
        mutedThrough = nil
    }

    mutating func hold(_ reminder: Reminder) {
        held.removeAll { reminder.kind.replaces($0.kind) }
        held.append(reminder)
        noteNews(reminder)
    }

    /// Held reminders are not about this assignment any more.
    mutating func dropHeldReminders(of id: AssignmentID) {
        held = held.compactMap { reminder in
            guard reminder.assignment == id else { return reminder }
            guard reminder.count > 1 else { return nil }
            return Reminder(id: reminder.id, kind: reminder.kind, count: reminder.count - 1)
        }
    }

    /// The held reminder, about those of its missed tasks that are still missed; nil if there are none.
    func stillMissed(of held: Reminder, by settings: Settings) -> Reminder? {
        guard let day else { return nil }
        let over = agenda.due(from: CalendarDay.range.lowerBound, through: day - settings.graceDays - 1)
        let missed = over.filter { !isCompleted($0.id) && $0.id != flow?.assignment }
        guard !missed.isEmpty else { return nil }
        let about = missed.last { $0.id == held.assignment }
        return Reminder(
            id: held.id, kind: held.kind, assignment: about?.id, due: about?.due, count: min(held.count, missed.count))
    }

    /// True if the present day may have more reminders that can wait.
    func hasRoom(by settings: Settings) -> Bool { givenToday < settings.remindersADay }

    /// True if a practice may bring about the reminder as often as it likes.
    func isNews(_ kind: Reminder.Kind) -> Bool { kind.isOfPractice || kind == .scheduleTaken && link != nil }

    /// True if the day may have a reminder of the practice's, after all of the open task's that are still to come: a practice
    /// may have news without end.
    func hasRoomForNews(by settings: Settings, on day: CalendarDay) -> Bool {
        let hasOpen = flow != nil || eligible(by: settings) != nil
        let times = hasOpen ? ReminderTimes(self, settings, on: day).ahead.count : 0
        let held = held.count { $0.kind.isOfOpenTask || $0.kind == .missed }
        return givenToday + times + held < settings.remindersADay
    }

    private var givenToday: Int { remindersToday.reduce(0) { $0 + ($1.key.canWait ? $1.value : 0) } }
}
