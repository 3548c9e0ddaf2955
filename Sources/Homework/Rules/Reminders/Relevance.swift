public import Time

// The reminders that are still worth sending or showing.

/// A reminder, and when it was given.
public struct GivenReminder: Hashable, Sendable {
    public let reminder: Reminder
    public let at: Instant

    public init(reminder: Reminder, at: Instant) {
        self.reminder = reminder
        self.at = at
    }
}

extension Plan {
    /// A reminder older than this is not worth sending.
    static let unsentAge = Duration.seconds(24 * 3_600)
    /// How many reminders `unsent` holds: more than one turn brings.
    static let unsentLimit = 50
}

extension Reminder.Kind {
    /// False for a reminder that only confirms the client's last step.
    var callsForSomething: Bool { self != .completed && self != .scheduleTaken }

    /// True if it is only true on the day on which it was given.
    var isNewsOfTheDay: Bool { self == .missed || self == .scheduleRefused }
}

extension Decision {
    mutating func noteSent(_ ids: [String]) {
        for id in ids where plan.unsent.contains(where: { $0.reminder.id == id }) { happen(.reminderSent(id)) }
    }
}

extension Rules {
    /// After a crash: true if a reminder that was perhaps never sent is still true and not too late.
    public func isWorthSending(_ unsent: GivenReminder, in plan: Plan, at moment: Moment) -> Bool {
        let age = moment.instant - unsent.at
        guard age <= settings.lateWithin, .zero - age <= settings.lateWithin else { return false }
        let kind = unsent.reminder.kind
        let isUrgent = kind == .mail && plan.link.map { $0.news.urgentMail > 0 } ?? false
        let ignoresQuietHours = !kind.canWait || isUrgent && settings.tellsUrgentInQuietHours
        if !ignoresQuietHours, settings.quietHours?.end(at: moment.wall.count) != nil { return false }
        if kind == .providerAvailable { return plan.presence?.isOnline(at: moment.instant) ?? false }
        if kind.isOfPractice { return (!plan.isMuted || isUrgent) && plan.stillUnread(of: unsent.reminder) != nil }
        guard kind.isOfOpenTask else { return true }
        let open =
            plan.flow.map { $0.isAttended(at: moment.instant) ? nil : $0.assignment } ?? plan.eligible(by: settings)?.id
        return !plan.isMuted && open != nil && open == unsent.reminder.assignment
    }

    /// True if one of these later reminders says all that this one said.
    public func isReplaced(_ reminder: Reminder, by later: [Reminder]) -> Bool {
        later.contains { $0.kind.replaces(reminder.kind) }
    }
}

extension Outlook {
    /// The reminders that still call for something, oldest first: the newest of each matter, unless it is moot.
    public func currentReminders(of plan: Plan) -> [GivenReminder] {
        plan.lastReminders.filter { !isMoot($0.reminder) }
    }

    /// True if the client need not read this reminder any more: its task was done, missed, started or muted since.
    public func isMoot(_ reminder: Reminder) -> Bool {
        let isAboutOpenTask = open != nil && open?.id == reminder.assignment
        return switch reminder.kind {
        case .unlocked: !isAboutOpenTask || mutedUntil != nil || flow != nil
        case .stillOpen, .overdue: !isAboutOpenTask || mutedUntil != nil || isAttended
        case .providerAvailable:
            !isAboutOpenTask || !isProviderOnline || flow?.stage == .session || flow?.stage == .mood
        case .completed, .missed, .scheduleTaken, .scheduleRefused, .mail, .chat, .survey, .broadcast: false
        }
    }
}
