import HomeworkRules
import Time

/// Reminders on their way to the client: recorded, then sent, then noted as sent.
struct Outbox {
    /// Those that were sent, which is not recorded yet: it rides with the next that is.
    private(set) var sent: [String] = []
    /// What the daemon before this one recorded, and perhaps did not send.
    private var inDoubt: [GivenReminder] = []

    /// The history was opened; what this daemon sent itself is in no doubt.
    mutating func take(from plan: Plan) {
        inDoubt = plan.unsent.filter { !sent.contains($0.reminder.id) }
    }

    /// All that was sent is recorded as sent.
    mutating func forget() { sent = [] }

    mutating func give(_ reminders: [(reminder: Reminder, moment: Moment)], by host: Host) {
        for (reminder, moment) in reminders {
            host.remind(reminder, moment)
            sent.append(reminder.id)
        }
    }

    /// What the daemon before recorded is sent now where that is known not to have been done, or where nobody can know:
    /// better twice than never. Not what is replaced, untrue or too late by now.
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
