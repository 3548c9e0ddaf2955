import HomeworkRules
import Time

/// The journal, and the daemon's knowledge of what it has sent there.
struct ReminderJournal {
    /// How the daemon is killed when it next sends a reminder.
    var killPoint: Step.KillPoint?
    /// Sent, and not recorded as sent yet.
    private(set) var sent: [String] = []
    private var ids: Set<String> = []

    /// Sends the reminders of these events. True if the daemon was killed at it.
    mutating func send(_ events: [Event]) throws(Violation) -> Bool {
        let reminders = events[...].reminders
        guard !reminders.isEmpty else { return false }
        let dies = killPoint
        killPoint = nil
        if dies == .beforeSending { return true }
        for reminder in reminders { try send(reminder) }
        return dies != nil
    }

    private mutating func send(_ reminder: Reminder) throws(Violation) {
        guard ids.insert(reminder.id).inserted else {
            throw Violation("a reminder is in the journal once: \(reminder.id)")
        }
        sent.append(reminder.id)
    }

    /// The daemon has ended or recorded what it sent. Only the journal knows the rest.
    mutating func forget() { sent = [] }

    /// A new daemon finds reminders that are not recorded as sent.
    mutating func settle(
        _ doubts: [GivenReminder], _ plan: Plan, _ rules: Rules, _ news: ArraySlice<Event>, at moment: Moment
    ) throws(Violation) {
        for doubt in doubts {
            guard !ids.contains(doubt.reminder.id) else {
                sent.append(doubt.reminder.id)
                continue
            }
            guard !rules.isReplaced(doubt.reminder, by: news.reminders),
                rules.isWorthSending(doubt, in: plan, at: moment)
            else { continue }
            try send(doubt.reminder)
        }
    }
}

extension ArraySlice<Event> {
    var reminders: [Reminder] {
        compactMap { if case .reminded(let reminder) = $0.what { reminder } else { nil } }
    }
}
