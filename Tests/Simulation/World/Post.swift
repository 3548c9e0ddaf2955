import HomeworkRules
import Time

/// The journal, and what the daemon knows of having sent to it.
struct Post {
    /// How the daemon will die when it next has something to send.
    var death: Step.Death?
    /// Sent, and not recorded as sent yet.
    private(set) var sent: [String] = []
    private var journal: Set<String> = []

    /// True where the daemon died of it.
    mutating func send(_ events: [Event]) throws(Violation) -> Bool {
        let reminders = events[...].reminders
        guard !reminders.isEmpty else { return false }
        let dies = death
        death = nil
        if dies == .beforeSending { return true }
        for reminder in reminders { try send(reminder) }
        return dies != nil
    }

    private mutating func send(_ reminder: Reminder) throws(Violation) {
        guard journal.insert(reminder.id).inserted else {
            throw Violation("a reminder is in the journal once: \(reminder.id)")
        }
        sent.append(reminder.id)
    }

    /// What is not recorded as sent is known to nobody but the journal; or it is recorded now.
    mutating func forget() { sent = [] }

    /// The next daemon has found these without a word of their having been sent.
    mutating func settle(
        _ doubts: [GivenReminder], _ plan: Plan, _ rules: Rules, _ news: ArraySlice<Event>, at moment: Moment
    ) throws(Violation) {
        for doubt in doubts {
            guard !journal.contains(doubt.reminder.id) else {
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
