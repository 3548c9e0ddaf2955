public import Time

/// The rule that decides when the client is next reminded of an assignment.
public enum ReminderRule: Hashable, Sendable {
    /// It is locked; a reminder comes when it unlocks.
    case withItsDay
    /// The client is in the middle of it.
    case attended
    /// The day's limit of reminders is reached.
    case full
    /// Its reminders are muted for a while.
    case muted
    case quietHours
    /// The reminder times of the settings.
    case atTimes
}

extension Rules {
    /// Nil if no reminder of it comes, or none before another assignment is done.
    public func reminderRule(for standing: Standing, in plan: Plan, at moment: Moment) -> ReminderRule? {
        switch standing {
        case .completed, .missed, .locked(.behind), .locked(.afterAnother): return nil
        case .locked(.untilItsDay): return .withItsDay
        case .eligible, .inProgress: break
        }
        if plan.flow?.isAttended(at: moment.instant) == true { return .attended }
        if !plan.hasRoom(by: settings) { return .full }
        if plan.isMuted { return .muted }
        return settings.quietHours?.end(at: moment.wall.count) == nil ? .atTimes : .quietHours
    }
}
