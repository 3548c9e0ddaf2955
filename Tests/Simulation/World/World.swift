import HomeworkRules
import TestSupport
import Time

/// A broken promise of the rules.
struct Violation: Error {
    let promise: String

    init(_ promise: String) { self.promise = promise }
}

/// A client, a provider, a daemon and their clocks.
struct World {
    static let beginning: CalendarDay = "2027-03-01"
    /// No day is earlier, because Daybreak did not exist.
    static let earliest: CalendarDay = "2026-01-01"

    private(set) var plan = Plan()
    private(set) var history: [Event] = []
    private(set) var rules = Rules(settings: Settings())
    private(set) var clock = VirtualClock(beginning, "08:00")
    private(set) var witness = Witness()
    private(set) var post = Post()
    /// How many turns the daemon made.
    private(set) var turns = 0
    /// The true time: that of a clock that is never wrong.
    private var truth = VirtualClock(beginning, "08:00").instant
    /// How many microseconds a second the clock gains.
    private var drift = 0
    /// The names of all events, refusals and reminders so far; nil if nobody needs them.
    var sights: Set<String>?

    init() {
        let first = (try? decide(.wakeUp)) ?? []  // No rule refuses it.
        plan.apply(first)
        history = first
    }

    mutating func live(_ step: Step) throws(Violation) {
        switch step {
        case .ask(let command, let length):
            try live(length)
            try ask(command)
        case .snooze(let length): try ask(.snooze(until: clock.instant + length))
        case .live(let length): try live(length)
        case .suspend(let length):
            (clock.instant, truth) = (clock.instant + length, truth + length)
            try ask(.lookAtClock)
        case .powerCut(let length):
            pass(length)
            clock.steady = SteadyInstant(microseconds: 5_000_000)
            try restart()
        case .kill(let down):
            pass(down)
            try restart()
        case .killAtReminder(let death): post.death = death
        case .stop:
            try ask(.guideLost)
            try noteSent()
            try restart()
        case .clockIsWrong(let error):
            clock.instant = truth + error
            try ask(.lookAtClock)
        case .drift(let gain): drift = gain
        case .travel(let zone):
            clock.zone = Zones.named(zone)
            try ask(.lookAtClock)
        case .sail(let minutes):
            clock.offset = .seconds(minutes * 60)
            try ask(.lookAtClock)
        case .zoneRule(let days, let hour, let minutes):
            changeZone(on: clock.moment.day + days, at: hour, by: .seconds(minutes * 60))
            try ask(.lookAtClock)
        case .configure(let settings):
            rules.settings = settings
            clock.dayStartsAt = settings.dayStartsAt
            try ask(.lookAtClock)
        }
        noteWall([])
        if let again = try? decide(.lookAtClock), !again.isEmpty {
            throw Violation("a second look at the clock finds nothing: \(again.map(\.what))")
        }
        try Promises(plan: plan, rules: rules, clock: clock, isRight: isClockRight).check(witness)
    }

    /// Time passes, and the daemon is woken at its wake-up times.
    private mutating func live(_ length: Duration) throws(Violation) {
        let end = truth + length
        while true {
            let wake = nextWake
            let (byWall, bySteady) = (real(wake.wall - clock.instant), wake.steady.map { $0 - clock.steady })
            let toWake = bySteady.map { min($0, byWall) } ?? byWall
            let isOver = truth + toWake > end
            let span = isOver ? end - truth : toWake
            let stop = !isOver && toWake == byWall ? wake.wall : clock.instant + span + gain(in: span)
            let expected = Expectation(self)
            try expected.check(wokenAt: stop)
            pass(span)
            guard !isOver else { return }
            clock.instant = stop
            let before = history.count
            try ask(.lookAtClock)
            try expected.check(history[before...], at: stop, self)
        }
    }

    /// Time passes until that instant on the clock, without a command. Returns the events.
    mutating func wait(until instant: Instant) throws(Violation) -> ArraySlice<Event> {
        pass(max(.zero, instant - clock.instant))
        clock.instant = max(instant, clock.instant)
        let before = history.count
        try ask(.lookAtClock)
        return history[before...]
    }

    /// The same world, in which nobody does anything any more.
    var leftAlone: World {
        var world = self
        world.post.death = nil
        world.drift = 0
        world.sights = nil
        return world
    }

    /// The next wake-up of the outlook, on either clock.
    var nextWake: (wall: Instant, steady: SteadyInstant?) {
        let wake = rules.outlook(plan, at: clock.moment).wake
        return (wake.next(on: clock), wake.steady)
    }

    private var isClockRight: Bool {
        let error = clock.instant - truth
        return error < .seconds(3_600) && error > .seconds(-3_600)
    }

    /// Changes the zone. Where the wall is behind UTC a whole day is skipped, as in Apia.
    private mutating func changeZone(on day: CalendarDay, at hour: Int, by change: Duration) {
        let at = clock.instant(of: WallTime(day: day, minute: hour * 60))
        let ahead = clock.zone.ahead(at: at)
        guard change < .seconds(86_400) || ahead < .zero else { return }
        clock.zone.change(at: at, to: ahead + change)
    }

    /// The real time in which the clock goes on by `length`.
    private func real(_ length: Duration) -> Duration { max(.zero, length + (.zero - gain(in: length))) }

    private func gain(in length: Duration) -> Duration {
        .microseconds(Int64(drift) * (length.microseconds / 1_000_000))
    }

    private mutating func pass(_ length: Duration) {
        clock.advance(by: length)
        clock.instant = clock.instant + gain(in: length)
        truth = truth + length
    }

    private mutating func ask(_ command: Command) throws(Violation) {
        turns += 1
        var events: [Event] = []
        do throws(Refusal) { events = try decide(command) } catch {
            sights?.insert(Self.name(error))
            events = (try? decide(.lookAtClock)) ?? []  // No rule refuses it.
        }
        try record(events)
        if !events.isEmpty, !post.sent.isEmpty { try noteSent() }
        guard try post.send(events) else { return }
        pass(.seconds(5))
        try restart()
    }

    /// Records the sending of reminders, together with the next events.
    private mutating func noteSent() throws(Violation) {
        let marks = (try? decide(.noteSent(post.sent))) ?? []  // No rule refuses it.
        try record(marks)
        post.forget()
    }

    private func decide(_ command: Command) throws(Refusal) -> [Event] {
        try rules.decide(command, in: plan, at: clock.moment, by: Actor(user: 1_000), for: 1_000)
    }

    private mutating func record(_ events: [Event]) throws(Violation) {
        for event in events {
            try witness.see(event, plan: plan, rules: rules)
            plan.apply(CollectionOfOne(event))
            guard sights != nil else { continue }
            sights?.insert(Self.name(event.what))
            if case .reminded(let reminder) = event.what { sights?.insert("told: \(reminder.kind)") }
        }
        history += events
        noteWall(events)
    }

    /// Notes the rare things that the wall did.
    private mutating func noteWall(_ events: [Event]) {
        guard sights != nil, let day = plan.day else { return }
        let (wall, startsAt) = (clock.moment.wall, clock.dayStartsAt)
        let hasBegun = events.contains { $0.what == .dayBegan(day) }
        let first = clock.count(at: clock.start(of: day)) - WallTime(day: day, minute: startsAt).count
        if hasBegun, first > 0 { sights?.insert("wall: a day's beginning is left out") }
        if clock.start(of: day - 1) == clock.start(of: day) { sights?.insert("wall: a day is left out") }
        if clock.isRepeating { sights?.insert("wall: a time comes again") }
        if clock.isRepeating, wall.minute < startsAt { sights?.insert("wall: a day's beginning comes again") }
        if wall.day < Self.earliest { sights?.insert("wall: 1970") }
        if wall.day > "2090-01-01" { sights?.insert("wall: 2098") }
    }

    /// `locked(…)` is named `locked`.
    private static func name(_ what: some Any) -> String { String("\(what)".prefix { $0 != "(" }) }

    private mutating func restart() throws(Violation) {
        witness.forgetBreathing()
        let doubts = plan.unsent
        post.forget()
        let before = history.count
        try ask(.wakeUp)
        try post.settle(doubts, plan, rules, history[before...], at: clock.moment)
    }

    /// The recorded events give the same plan, whether it is settled once or after each event.
    func checkReplay() throws(Violation) {
        guard Plan(replaying: history) == plan else { throw Violation("a replay gives the same plan") }
        var unsettled = Plan()
        for event in history { unsettled.applyUnsettled(event) }
        unsettled.settle()
        guard unsettled == plan else { throw Violation("a replay that settles at its end gives the same plan") }
    }
}
