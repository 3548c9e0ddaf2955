import Homework
import TestSupport

/// What the outlook foretells comes true if nobody does anything.
///
/// Not foretold: what a client who is led through it will be told, who may go away at any time; what a clock that is
/// being held back does.
extension World {
    private var isForeseeable: Bool {
        let busy = plan.flow?.isAttended ?? false
        let snoozedBeyond = plan.snoozedUntil.map { $0 >= clock.moment.dayEnds } ?? false
        return !busy && plan.day == clock.moment.day && !snoozedBeyond
    }

    /// The next reminder comes when it was said to, and none before.
    func checkNextReminder() throws(Violation) {
        guard isForeseeable else { return }
        let foretold = rules.outlook(plan, at: clock.moment).nextReminder.map(instant)
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
            return (assignment, standing, plan.standingChanges(of: assignment, standing, by: rules.settings))
        }
        var world = leftAlone
        for ahead in 1...12 {
            guard let day = plan.day.map({ $0 + ahead }) else { return }
            _ = try world.wait(until: clock.instant(of: WallTime(day: day, minute: clock.dayStartsAt)))
            for (assignment, standing, changes) in foretold where changes.map({ day <= $0 }) ?? true {
                guard (world.standing(of: assignment).kind == standing.kind) == (day != changes) else {
                    throw Violation("\(assignment.id) is \(standing) until \(String(describing: changes)); see \(day)")
                }
            }
        }
    }

    private func instant(of next: Outlook.Next) -> Instant {
        switch next {
        case .day(let day): clock.instant(of: WallTime(day: day, minute: clock.dayStartsAt))
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
        case .locked(.behind): 1
        case .eligible: 2
        case .inProgress: 3
        case .completed: 4
        case .missed: 5
        }
    }
}
