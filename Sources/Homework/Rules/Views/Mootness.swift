import Time

extension Outlook {
    /// Whether that reminder tells of nothing any more: what it is about was done, lost, put off or taken up since.
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
