import HomeworkRules
import Time

/// A turn's plan before its events are recorded, and those events. If they cannot be recorded, it is dropped.
struct UnrecordedPlan {
    private(set) var plan: Plan
    private(set) var events: [Event] = []
    let moment: Moment
    let user: UInt32

    init(plan: Plan, moment: Moment, user: UInt32) {
        self.plan = plan
        self.moment = moment
        self.user = user
    }

    /// Carries out a command of the daemon's own. Each turn begins with one that looks at the clock.
    mutating func begin(with command: Command, by rules: Rules) {
        do {
            _ = try carryOut(command, by: rules, actor: Actor(user: user, isDaemon: true))
        } catch {
            preconditionFailure("The clock is never refused: \(error)")
        }
    }

    /// True if the clock, years ahead before, was set right in this turn.
    var tookDayBack: Bool { events.contains { if case .dayTakenBack = $0.what { true } else { false } } }

    /// Adds an event for each sent reminder. If the turn has no other event, this waits for a later turn.
    mutating func note(sent: [String], by rules: Rules) {
        guard !events.isEmpty, !sent.isEmpty else { return }
        begin(with: .noteSent(sent), by: rules)
    }

    /// Carries out a command, and returns its events alone.
    mutating func carryOut(_ command: Command, by rules: Rules, actor: Actor) throws(Refusal) -> [Event] {
        let news = try rules.carryOut(command, on: &plan, at: moment, by: actor, for: user)
        events += news
        return news
    }
}
