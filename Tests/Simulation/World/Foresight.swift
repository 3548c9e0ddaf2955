import HomeworkRules
import TestSupport
import Time

/// What the outlook foretells comes true if nobody does anything.
///
/// Not foretold: what a client who is led through it will be told, who may go away at any time; what a clock that is
/// being held back does; what becomes of a day that never is.
extension World {
    private var isForeseeable: Bool {
        let busy = plan.flow?.isAttended ?? false
        let snoozedBeyond = plan.mutedUntil.map { $0 >= clock.moment.dayEnds } ?? false
        // Nobody but the zone knows what the wall will show when a snooze ends beyond a change.
        let snoozedOverChange =
            plan.mutedUntil != nil && clock.zone.changes(from: clock.instant, to: clock.moment.dayEnds)
        return !busy && plan.day == clock.moment.day && !snoozedBeyond && !snoozedOverChange && !isDayLeftOut
    }

    /// What was said to come on a day that never was comes with the next, if at all.
    private var isDayLeftOut: Bool {
        let days = (0...Self.ahead).map { clock.moment.day + $0 }
        return days.contains { clock.start(of: $0.next) - clock.start(of: $0) < .seconds(12 * 3_600) }
    }

    private static let ahead = 12

    /// The next reminder comes when it was said to, and none before.
    func checkNextReminder() throws(Violation) {
        guard isForeseeable else { return }
        let foretold = rules.outlook(plan, at: clock.moment).nextReminder.map(instant)
        // An hour that comes twice shows its times again; the end of quiet hours that is left out may be quiet, too.
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

    /// Every assignment stays in its state until the day on which it was said to change, and changes then.
    func checkChanges() throws(Violation) {
        guard isForeseeable else { return }
        let foretold = plan.agenda.ordered.map { assignment in
            let standing = standing(of: assignment)
            var changes = plan.standingChanges(of: assignment, standing, by: rules.settings)
            // Nobody does what is before it: it stays locked until it is too late for both.
            if case .locked(.afterAnother) = standing {
                changes = plan.lastDay(of: assignment, by: rules.settings).next
            }
            return (assignment, standing, changes)
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
    /// What of it is a change when it changes.
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
