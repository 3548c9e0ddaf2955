import HomeworkRules
import TestSupport
import Time

/// The promises that hold after every step.
struct Promises {
    let plan: Plan
    let rules: Rules
    let clock: VirtualClock
    /// True if the clock is right, give or take an hour.
    let isRight: Bool

    private var settings: Settings { rules.settings }

    func check(_ checker: EventChecker) throws(Violation) {
        try checkDay()
        try checkStates(checker)
        try checkWhatWasBegun(checker)
        try checkFlow()
        try checkWake()
    }

    func standing(of assignment: Assignment, _ eligible: Assignment?) -> Standing {
        plan.standing(of: assignment, eligible: eligible, by: settings)
    }

    /// Once a wrong clock is set right, nobody is locked out, because the wall's day has begun; and no task stays open too
    /// early, because a day later than tomorrow has begun somewhere on earth.
    private func checkDay() throws(Violation) {
        guard let day = plan.day else { throw Violation("some day has begun") }
        guard isRight else { return }
        guard day >= clock.moment.day else { throw Violation("the day of the wall has begun: \(day)") }
        let somewhere = VirtualClock.instant(day, "00:00") + .seconds(-25 * 3_600)
        guard day <= clock.moment.day.next || somewhere <= clock.instant else {
            throw Violation("a day that has begun nowhere is taken back: \(day)")
        }
    }

    private func checkStates(_ checker: EventChecker) throws(Violation) {
        var seen = [0, 0, 0, 0]  // Completed, missed, open, locked.
        let eligible = plan.eligible(by: settings)
        for assignment in plan.agenda.ordered {
            switch standing(of: assignment, eligible) {
            case .completed: seen[0] += 1
            case .missed: seen[1] += 1
            case .locked: seen[3] += 1
            case .eligible, .inProgress:
                seen[2] += 1
                guard let day = plan.day, assignment.due <= day else { throw Violation("the open task's day has come") }
            }
        }
        guard seen[2] <= 1 else { throw Violation("at most one is eligible or in progress") }
        let counts = rules.outlook(plan, at: clock.moment).counts
        guard [counts.completed, counts.missed, counts.open, counts.locked] == seen else {
            throw Violation("the counts are those of the agenda: \(counts), not \(seen)")
        }
        let ordered = plan.agenda.ordered
        guard zip(ordered, ordered.dropFirst()).allSatisfy(Assignment.precedes),
            Set(ordered.map(\.id)).count == ordered.count
        else { throw Violation("the agenda is in order, and has each id once") }
    }

    private func checkWhatWasBegun(_ checker: EventChecker) throws(Violation) {
        for (id, standing) in checker.completed {
            guard let assignment = plan.agenda[id], self.standing(of: assignment, nil) == standing else {
                throw Violation("a completed task stays completed: \(id)")
            }
        }
        for (id, begun) in checker.touched {
            guard let now = plan.agenda[id], now.due == begun.due, now.breaths == begun.breaths,
                now.moods == begun.moods
            else { throw Violation("a begun task stays as it was: \(id)") }
        }
    }

    private func checkFlow() throws(Violation) {
        guard let flow = plan.flow else { return }
        guard let day = plan.day, flow.day <= day, day < flow.makesWay else {
            throw Violation("a flow is set aside in time")
        }
        let done = plan.progress[flow.assignment]?.breathsDone
        guard flow.exercise.done == done, flow.exercise.done <= flow.exercise.breaths else {
            throw Violation("the flow has the breaths of the progress")
        }
        guard flow.exercise.run == nil || (flow.stage == .exercise && flow.exercise.guided) else {
            throw Violation("nobody breathes without a guide")
        }
    }

    /// Until the next wake-up no event comes and nothing looks different. A clock that begins in 1970 is left out: it would
    /// be believed after running wrong for 56 years.
    private func checkWake() throws(Violation) {
        guard clock.moment.day >= Rules.earliestDay else { return }
        var later = clock
        let wake = rules.outlook(plan, at: clock.moment).wake
        let wall = [clock.start(of: wake.day), wake.instant, wake.wall.map { clock.instant(of: $0) }]
        let times = wall + [wake.steady.map { clock.instant + ($0 - clock.steady) }]
        guard let first = times.compactMap({ $0 }).min() else { return }
        guard first > clock.instant else {
            guard clock.isRepeating else { throw Violation("the next wake-up is in the future") }
            return  // Its first occurrence is past. It is waited for minute by minute.
        }
        later.advance(by: (first - clock.instant) - .microseconds(1))
        let command = Command.lookAtClock
        let missed = try? rules.decide(command, in: plan, at: later.moment, by: Actor(user: 0, isDaemon: true), for: 0)
        guard missed == [] else { throw Violation("no event comes before the next wake-up: \(missed ?? [])") }
        guard rules.outlook(plan, at: later.moment).looks(like: rules.outlook(plan, at: clock.moment)) else {
            throw Violation("nothing looks different before the next wake-up")
        }
    }
}

extension VirtualClock {
    /// The wall has shown this minute before.
    var isRepeating: Bool { instant - self.instant(of: moment.wall) >= .seconds(60) }
}

extension Outlook.Wake {
    /// The first of its times on the wall. In an hour that comes twice a past time comes again, and is waited for minute by
    /// minute, as `HomeworkDaemon` does.
    func next(on clock: VirtualClock) -> Instant {
        let times = [clock.start(of: day), wall.map { clock.instant(of: $0) }, instant].compactMap { $0 }
        let minute = clock.instant + .seconds(60)
        return times.map { $0 > clock.instant ? $0 : minute }.min() ?? minute
    }
}
