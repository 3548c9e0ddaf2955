import HomeworkRules
import Time

/// Reminders on their way to the client: recorded, then sent, then noted as sent.
struct Outbox {
    /// The ids of the sent reminders that are not recorded as sent yet. The next transaction records them.
    private(set) var sent: [String] = []
    /// The reminders that an earlier daemon recorded, and perhaps did not send.
    private var inDoubt: [GivenReminder] = []

    /// The history was opened. Reminders that this daemon has sent itself are not in doubt.
    mutating func take(from plan: Plan) {
        inDoubt = plan.unsent.filter { !sent.contains($0.reminder.id) }
    }

    /// Every sent reminder is recorded as sent.
    mutating func forget() { sent = [] }

    mutating func give(_ reminders: [(reminder: Reminder, moment: Moment)], by host: Host) {
        for (reminder, moment) in reminders {
            host.remind(reminder, moment)
            sent.append(reminder.id)
        }
    }

    /// Sends the reminders in doubt that the journal does not show. If the journal cannot tell, all are sent: twice is better
    /// than never. Reminders that are replaced, untrue or too late by now are dropped.
    mutating func settleDoubts(_ plan: Plan, _ rules: Rules, _ news: [Reminder], at moment: Moment, by host: Host) {
        guard !inDoubt.isEmpty else { return }
        let given = host.givenBefore(inDoubt.map(\.reminder.id)) ?? []
        sent += inDoubt.map(\.reminder.id).filter(given.contains)
        for doubt in inDoubt where !given.contains(doubt.reminder.id) {
            guard !rules.isReplaced(doubt.reminder, by: news), rules.isWorthSending(doubt, in: plan, at: moment)
            else { continue }
            give([(doubt.reminder, moment)], by: host)
        }
        inDoubt = []
    }
}
