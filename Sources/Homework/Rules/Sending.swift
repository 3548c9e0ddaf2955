public import Time

// That what is recorded as told is told: once, whatever happens in between.
extension Decision {
    mutating func noteSent(_ ids: [String]) {
        for id in ids where plan.unsent.contains(where: { $0.reminder.id == id }) { happen(.reminderSent(id)) }
    }
}

extension Rules {
    /// Whether a reminder that was recorded, and perhaps never sent, is still to be sent: it is true, and not too late.
    public func isWorthSending(_ unsent: GivenReminder, in plan: Plan, at moment: Moment) -> Bool {
        let age = moment.instant - unsent.at
        guard age <= settings.lateWithin, .zero - age <= settings.lateWithin else { return false }
        let kind = unsent.reminder.kind
        if kind.canWait, settings.quietHours?.end(at: moment.wall.count) != nil { return false }
        if kind == .providerAvailable { return plan.presence?.isOnline(at: moment.instant) ?? false }
        guard kind.isOfWhatIsOpen else { return true }
        let open = plan.flow.map { $0.isAttended ? nil : $0.assignment } ?? plan.eligible(by: settings)?.id
        return plan.snoozedUntil == nil && open != nil && open == unsent.reminder.assignment
    }

    /// Whether one of these, given later, says all that this one said.
    public func isReplaced(_ reminder: Reminder, by later: [Reminder]) -> Bool {
        later.contains { $0.kind.stands(for: reminder.kind) }
    }
}
