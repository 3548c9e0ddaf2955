public import Time

/// The rules: what a command comes to, given what happened before. Pure; the clock comes in as a `Moment`.
public struct Rules: Equatable, Sendable {
    public var settings: Settings

    /// Nobody had Daybreak before: a clock that shows an earlier day has not been set yet, and takes nothing back.
    public static let earliestDay = CalendarDay(ordinal: 20_454)  // 2026-01-01

    public init(settings: Settings = Settings()) { self.settings = settings }

    /// What happens when somebody asks this of the plan now. Throws the refusal, and then nothing happens but what
    /// the clock brought: ask for `.lookAtClock` first, as every turn does.
    public func decide(_ command: Command, in plan: Plan, at moment: Moment, by actor: Actor, for client: UInt32)
        throws(Refusal) -> [Event]
    {
        var plan = plan
        return try carryOut(command, on: &plan, at: moment, by: actor, for: client)
    }

    /// The same, and the plan as it is with what happens; it stays as it was where the refusal is thrown.
    public func carryOut(
        _ command: Command, on plan: inout Plan, at moment: Moment, by actor: Actor, for client: UInt32
    ) throws(Refusal) -> [Event] {
        var decision = Decision(plan: plan, moment: moment, actor: actor, client: client, settings: settings)
        // Nobody breathed while the daemon was away: the guide is gone before the clock counts anything.
        if command == .wakeUp { decision.loseGuide() }
        decision.lookAtClock()
        try decision.carryOut(command)
        decision.lookAtClock()
        plan = decision.plan
        return decision.events
    }
}

/// One decision in the making: the events so far, and the plan as it will be with them.
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

    /// The day that the rules go by: never earlier than one that has begun.
    var day: CalendarDay { plan.day ?? moment.day }

    mutating func happen(_ what: Happening...) { happen(what) }

    mutating func happen(_ all: [Happening]) {
        let news = all.map { Event(moment: moment, actor: actor, client: client, what: $0) }
        plan.apply(news)
        events += news
    }

    /// The flow, if it is in one of these stages.
    func flow(in stages: [Stage]) throws(Refusal) -> Flow {
        guard let flow = plan.flow else { throw .noFlow }
        guard stages.contains(flow.stage) else { throw .wrongStage(flow.stage, allowed: stages) }
        return flow
    }

    mutating func carryOut(_ command: Command) throws(Refusal) {
        switch command {
        case .lookAtClock, .wakeUp: break
        case .noteSent(let ids): noteSent(ids)
        case .guideLost: loseGuide()
        case .start(let id, let pattern): try start(id, pattern)
        case .breathe: try breathe()
        case .pause: try pause()
        case .resume: try resume()
        case .restart: try restart()
        case .join: try join()
        case .leave: try leave()
        case .logMood(let mood): try logMood(mood)
        case .correctMood(let mood, let id): try correctMood(mood, of: id)
        case .addNote(let note, let place): try addNote(note, place)
        case .cancel: try cancel()
        case .snooze(let until): try snooze(until)
        case .endSnooze: if plan.snoozedUntil != nil { happen(.snoozeEnded) }
        case .setPresence(let online, let name, let lasts): tellPresence(online, name, lasts)
        case .takeSchedule(let schedule, let file): take(schedule, from: file)
        case .refuseSchedule(let file): refuseSchedule(file)
        }
    }
}
