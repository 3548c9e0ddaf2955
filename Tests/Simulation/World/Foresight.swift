import HomeworkRules
import TestSupport
import Time

/// The outlook's forecasts come true if nobody does anything.
///
/// There is no forecast for a client who is led, because they may leave at any time; for a day that is held while the clock
/// is set back; and for a day that the zone skips.
extension World {
    private var isForeseeable: Bool {
        let busy = plan.flow.map { $0.isAttended(at: clock.instant) && $0.exercise.run != nil } ?? false
        let snoozedBeyond = plan.mutedUntil.map { $0 >= clock.moment.dayEnds } ?? false
        // If the zone changes before the end of a snooze, only the zone knows what the wall will show then.
        let snoozedOverChange =
            plan.mutedUntil != nil && clock.zone.changes(from: clock.instant, to: clock.moment.dayEnds)
        return !busy && plan.day == clock.moment.day && !snoozedBeyond && !snoozedOverChange && !isDayLeftOut
    }

    /// Events of a skipped day come with the next day, if at all.
    private var isDayLeftOut: Bool {
        let days = (0...Self.ahead).map { clock.moment.day + $0 }
        return days.contains { clock.start(of: $0.next) - clock.start(of: $0) < .seconds(12 * 3_600) }
    }

    private static let ahead = 12

    /// The next reminder comes at the foretold time, and none comes before.
    func checkNextReminder() throws(Violation) {
        guard isForeseeable else { return }
        let foretold = rules.outlook(plan, at: clock.moment).nextReminder.map(instant)
        // An hour that comes twice repeats its times. If the end of quiet hours is skipped, the time after it may be quiet
        // too.
        guard foretold.map({ $0 > clock.instant && !rules.settings.isQuiet(clock.count(at: $0)) }) ?? true
        else { return }
        var world = leftAlone
        for _ in 0..<40 {
            let wake = world.nextWake.wall
            let reminds = try !world.wait(until: wake).reminders.isEmpty
            if reminds || foretold.map({ $0 <= wake }) ?? false {
                guard reminds, foretold == wake else {
                    throw Violation(
                        "the next reminder comes when it was foretold: \(String(describing: foretold)), \(wake)")
                }
                return
            }
        }
    }

    /// Every assignment keeps its state until the foretold day, and changes on it.
    func checkChanges() throws(Violation) {
        guard isForeseeable else { return }
        let foretold = plan.agenda.ordered.map { assignment in
            let standing = standing(of: assignment)
            return (assignment, standing, plan.standingChanges(of: assignment, standing, by: rules.settings))
        }
        var world = leftAlone
        for ahead in 1...Self.ahead {
            guard let day = plan.day.map({ $0 + ahead }) else { return }
            _ = try world.wait(until: clock.start(of: day))
            for (assignment, standing, changes) in foretold where changes.map({ day <= $0 }) ?? true {
                guard (world.standing(of: assignment).kind == standing.kind) == (day != changes) else {
                    throw Violation("\(assignment.id) is \(standing) until \(String(describing: changes)); see \(day)")
                }
            }
        }
    }

    private func instant(of next: Outlook.Next) -> Instant {
        switch next {
        case .day(let day): clock.start(of: day)
        case .wall(let wall): clock.instant(of: wall)
        case .instant(let instant): instant
        }
    }

    private func standing(of assignment: Assignment) -> Standing {
        plan.standing(of: assignment, eligible: plan.eligible(by: rules.settings), by: rules.settings)
    }
}

extension Standing {
    /// Two standings of the same kind count as no change.
    fileprivate var kind: Int {
        switch self {
        case .locked(.untilItsDay): 0
        case .locked(.behind), .locked(.afterAnother): 1
        case .eligible: 2
        case .inProgress: 3
        case .completed: 4
        case .missed: 5
        }
    }
}
