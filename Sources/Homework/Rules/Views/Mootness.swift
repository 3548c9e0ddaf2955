public import Time

/// A reminder, and when it was given.
public struct GivenReminder: Hashable, Sendable {
    public let reminder: Reminder
    public let at: Instant

    public init(reminder: Reminder, at: Instant) {
        self.reminder = reminder
        self.at = at
    }
}

extension Reminder.Kind {
    /// The others only confirm something that was just done.
    var callsForSomething: Bool { self != .completed && self != .scheduleTaken }

    /// It matters on the day on which it was given, and no longer.
    var isNewsOfTheDay: Bool { self == .missed || self == .scheduleRefused }
}

extension Outlook {
    /// The reminders that still call for something, oldest first: of each matter the newest one, unless it is moot.
    public func currentReminders(of plan: Plan) -> [GivenReminder] {
        plan.lastReminders.filter { !isMoot($0.reminder) }
    }

    /// Whether the task that the reminder is about was done, lost, put off or taken up since.
    public func isMoot(_ reminder: Reminder) -> Bool {
        switch reminder.kind {
        case .unlocked: !isAbout(reminder) || snoozedUntil != nil || flow != nil
        case .stillOpen, .overdue: !isAbout(reminder) || snoozedUntil != nil || flow?.isAttended == true
        case .providerAvailable: !isAbout(reminder) || !isProviderOnline || isMet
        case .completed, .missed, .scheduleTaken, .scheduleRefused: false
        }
    }

    private func isAbout(_ reminder: Reminder) -> Bool { open != nil && open?.id == reminder.assignment }

    /// The session has begun, or is over.
    private var isMet: Bool { flow?.stage == .session || flow?.stage == .mood }
}
