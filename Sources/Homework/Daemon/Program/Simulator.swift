import DaybreakInterfaces
import HomeworkRules
import Time

/// Lives through coming days in which nobody does anything: applies the daemon's rules on a clock that jumps from wake to
/// wake. Pure, except that it reads the time zone.
struct Simulator {
    private let rules: Rules
    private let clock: LocalClock
    private var plan: Plan
    private let began: Instant
    private var now: Instant
    /// The first day whose events are reported. Earlier days are lived through, too.
    private let first: CalendarDay
    private(set) var entries: [Homework.SimulatedEvent] = []

    init(_ plan: Plan, by rules: Rules, on clock: LocalClock, from instant: Instant, telling first: CalendarDay) {
        self.plan = plan
        self.rules = rules
        self.clock = clock
        self.first = first
        began = instant
        now = instant
    }

    /// Takes in the schedule, if there is one, and lives through the time before `end`.
    mutating func live(until end: Instant, taking schedule: Command? = nil) {
        // A client who pauses is there until they count as gone; nobody knows whether one who breathes goes on.
        let isPausing = plan.flow.map { $0.isAttended(at: now) && $0.exercise.run == nil } ?? false
        var wake = turn([isPausing ? .lookAtClock : .wakeUp, schedule ?? .lookAtClock])
        while wake < end {
            now = wake
            wake = turn([.lookAtClock])
        }
    }

    /// Carries out one turn, and returns when to wake next.
    private mutating func turn(_ commands: [Command]) -> Instant {
        let moment = clock.moment(at: now, steady: SteadyInstant(microseconds: (now - began).microseconds))
        var unrecorded = UnrecordedPlan(plan: plan, moment: moment, user: 0)
        for command in commands { unrecorded.begin(with: command, by: rules) }
        let before = plan
        plan = unrecorded.plan
        if (plan.day ?? moment.day) >= first { for event in unrecorded.events { tell(event, before) } }
        return rules.outlook(plan, at: moment).wake.next(after: now, clock.spelling)
    }

    private mutating func tell(_ event: Event, _ before: Plan) {
        switch event.what {
        case .dayBegan(let day): for assignment in missed(on: day, before) { tell(.missed, assignment) }
        case .unlocked(let id): if let assignment = plan.agenda[id] { tell(.unlocked, assignment) }
        case .reminded(let reminder):
            tell(
                .reminded, reminder.assignment?.text, reminder.due, Homework.ReminderKind(reminder.kind),
                reminder.sentence)
        default: break
        }
    }

    /// The assignments whose grace has ended when that day begins.
    private func missed(on day: CalendarDay, _ before: Plan) -> [Assignment] {
        guard let old = before.day else { return [] }
        let aside = before.flow.flatMap { plan.flow == nil ? plan.agenda[$0.assignment] : nil }
        return plan.missed(since: old, on: day, and: aside, by: rules.settings)
    }

    private mutating func tell(_ kind: Homework.SimulatedEvent.Kind, _ assignment: Assignment) {
        let standing = plan.standing(
            of: assignment, eligible: plan.eligible(by: rules.settings), by: rules.settings)
        tell(kind, assignment.id.text, assignment.due, nil, standing.sentence)
    }

    private mutating func tell(
        _ kind: Homework.SimulatedEvent.Kind, _ assignment: String?, _ due: CalendarDay?,
        _ reminder: Homework.ReminderKind?, _ message: String
    ) {
        entries.append(
            Homework.SimulatedEvent(
                at: clock.rfc3339(now), day: (plan.day ?? first).description, kind: kind, assignment: assignment,
                due: due?.description, reminder: reminder, message: message))
    }
}

extension Outlook.Wake {
    /// The first of the wake's times after `instant`.
    ///
    /// A time that has passed counts as one minute from now. Its event waits for a wall clock that was set back, or could not
    /// be recorded: waking for it at once would repeat without end.
    func next(after instant: Instant, _ spelling: Spelling) -> Instant {
        let times = [spelling.start(day), wall.map(spelling.at), self.instant].compactMap { $0 }
        return times.map { $0 > instant ? $0 : instant + .seconds(60) }.min() ?? instant + .seconds(60)
    }
}
