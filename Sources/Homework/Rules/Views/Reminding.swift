public import Time

/// What decides when an assignment is spoken of next.
public enum Reminding: Hashable, Sendable {
    /// It is locked, and told of when it unlocks.
    case withItsDay
    /// Somebody is in the middle of it.
    case attended
    /// The day has brought as many reminders as it may.
    case full
    case snoozed
    /// These are quiet hours.
    case quiet
    /// It is told of at the times that are set.
    case atTimes
}

extension Rules {
    /// Nil where nothing is said of it any more, or while another one comes first.
    public func reminding(of standing: Standing, in plan: Plan, at moment: Moment) -> Reminding? {
        switch standing {
        case .completed, .missed, .locked(.behind), .locked(.afterAnother): return nil
        case .locked(.untilItsDay): return .withItsDay
        case .eligible, .inProgress: break
        }
        if plan.flow?.isAttended == true { return .attended }
        if !plan.hasRoom(by: settings) { return .full }
        if plan.snoozedUntil != nil { return .snoozed }
        return settings.quietHours?.end(at: moment.wall.count) == nil ? .atTimes : .quiet
    }
}
