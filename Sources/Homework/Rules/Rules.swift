public import Time

/// Decides which events follow from a command, given everything that happened before. Pure: time comes in as a `Moment`.
public struct Rules: Equatable, Sendable {
    public var settings: Settings

    /// Daybreak did not exist before this day: a clock that shows an earlier one is not set yet.
    public static let earliestDay = CalendarDay(ordinal: 20_454)  // 2026-01-01

    public init(settings: Settings = Settings()) { self.settings = settings }

    /// The events that follow from a command. A refused command has none, not even those of the clock: every turn carries
    /// out `.lookAtClock` first.
    public func decide(_ command: Command, in plan: Plan, at moment: Moment, by actor: Actor, for client: UInt32)
        throws(Refusal) -> [Event]
    {
        var plan = plan
        return try carryOut(command, on: &plan, at: moment, by: actor, for: client)
    }

    /// Decides, and applies the events to the plan. A refusal leaves the plan unchanged.
    public func carryOut(
        _ command: Command, on plan: inout Plan, at moment: Moment, by actor: Actor, for client: UInt32
    ) throws(Refusal) -> [Event] {
        var decision = Decision(plan: plan, moment: moment, actor: actor, client: client, settings: settings)
        // Before breaths are counted, because nobody breathed while the daemon was not running.
        if command == .wakeUp { decision.loseGuide() }
        decision.lookAtClock()
        try decision.carryOut(command)
        decision.lookAtClock()
        plan = decision.plan
        return decision.events
    }
}

/// One decision in progress: the events so far, and the plan with those events applied.
struct Decision {
    private(set) var plan: Plan
    private(set) var events: [Event] = []
    let moment: Moment
    let settings: Settings
    private let actor: Actor
    private let client: UInt32

    init(plan: Plan, moment: Moment, actor: Actor, client: UInt32, settings: Settings) {
        self.plan = plan
        self.moment = moment
        self.actor = actor
        self.client = client
        self.settings = settings
    }

    /// The present day: never earlier than one that has begun.
    var day: CalendarDay { plan.day ?? moment.day }

    mutating func happen(_ what: Happening...) { happen(what) }

    mutating func happen(_ all: [Happening]) {
        let news = all.map { Event(moment: moment, actor: actor, client: client, what: $0) }
        plan.apply(news)
        events += news
    }

    /// Finds everything that is due, however long ago the clock was last looked at.
    mutating func lookAtClock() {
        turnTheDay()
        countBreaths()
        endMutingIfOver()
        unlock()
        giveHeldReminders()
        giveHeldReminderOfProvider()
        remindOfOpenTask()
    }
}
