import Time

// Snoozing mutes the reminders of the open task until an instant of the present day. One reminder comes at its end.

extension Refusal {
    public enum SnoozeFault: Hashable, Sendable {
        case inThePast
        case beyondTheDay
        case nothingOpen
    }
}

extension Decision {
    mutating func snooze(_ until: Instant) throws(Refusal) {
        guard until > moment.instant else { throw .cannotSnooze(.inThePast) }
        guard until < moment.dayEnds else { throw .cannotSnooze(.beyondTheDay) }
        guard plan.flow != nil || plan.eligible(by: settings) != nil else { throw .cannotSnooze(.nothingOpen) }
        happen(.snoozed(until: until))
    }

    mutating func endSnooze() {
        if plan.isMuted { happen(.snoozeEnded) }
    }

    mutating func endMutingIfOver() {
        if let until = plan.mutedUntil, until <= moment.instant { endSnooze() }
    }

    /// The name of the reminder that follows a snooze.
    func nameAfterMuting(_ kind: Reminder.Kind) -> String { "snoozed-\(nextNumber(of: kind))" }
}

extension Plan {
    /// True while reminders of the open task are held because the client snoozed them.
    var isMuted: Bool { mutedUntil != nil }

    mutating func endSnooze(at moment: Moment) {
        guard let until = mutedUntil else { return }
        mutedUntil = nil
        // A client who ended the snooze early needs no reminder at its end.
        guard until <= moment.instant else { return }
        let minutesAgo = (moment.instant - until).microseconds / 60_000_000
        mutedThrough = WallTime(day: moment.wall.day, minute: moment.wall.minute - Int(clamping: minutesAgo))
    }
}
