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
    private(set) var checker = EventChecker()
    private(set) var journal = ReminderJournal()
    /// How many turns the daemon made.
    private(set) var turns = 0
    /// The true time: that of a clock that is never wrong.
    private var truth = VirtualClock(beginning, "08:00").instant
    /// How many microseconds a second the clock gains.
    private var drift = 0
    /// The names of all events, refusals and reminders so far; nil if nobody needs them.
    var namesSeen: Set<String>?

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
        case .killAtReminder(let killPoint): journal.killPoint = killPoint
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
        try Promises(plan: plan, rules: rules, clock: clock, isRight: isClockRight).check(checker)
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
        world.journal.killPoint = nil
        world.drift = 0
        world.namesSeen = nil
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
            namesSeen?.insert(Self.name(error))
            events = (try? decide(.lookAtClock)) ?? []  // No rule refuses it.
        }
        try record(events)
        if !events.isEmpty, !journal.sent.isEmpty { try noteSent() }
        guard try journal.send(events) else { return }
        pass(.seconds(5))
        try restart()
    }

    /// Records the sending of reminders, together with the next events.
    private mutating func noteSent() throws(Violation) {
        let marks = (try? decide(.noteSent(journal.sent))) ?? []  // No rule refuses it.
        try record(marks)
        journal.forget()
    }

    private func decide(_ command: Command) throws(Refusal) -> [Event] {
        try rules.decide(command, in: plan, at: clock.moment, by: Actor(user: 1_000), for: 1_000)
    }

    private mutating func record(_ events: [Event]) throws(Violation) {
        for event in events {
            try checker.see(event, plan: plan, rules: rules)
            plan.apply(CollectionOfOne(event))
            guard namesSeen != nil else { continue }
            namesSeen?.insert(Self.name(event.what))
            if case .reminded(let reminder) = event.what { namesSeen?.insert("told: \(reminder.kind)") }
        }
        history += events
        noteWall(events)
    }

    /// Notes the rare things that the wall did.
    private mutating func noteWall(_ events: [Event]) {
        guard namesSeen != nil, let day = plan.day else { return }
        let (wall, startsAt) = (clock.moment.wall, clock.dayStartsAt)
        let hasBegun = events.contains { $0.what == .dayBegan(day) }
        let first = clock.count(at: clock.start(of: day)) - WallTime(day: day, minute: startsAt).count
        if hasBegun, first > 0 { namesSeen?.insert("wall: a day's beginning is left out") }
        if clock.start(of: day - 1) == clock.start(of: day) { namesSeen?.insert("wall: a day is left out") }
        if clock.isRepeating { namesSeen?.insert("wall: a time comes again") }
        if clock.isRepeating, wall.minute < startsAt { namesSeen?.insert("wall: a day's beginning comes again") }
        if wall.day < Self.earliest { namesSeen?.insert("wall: 1970") }
        if wall.day > "2090-01-01" { namesSeen?.insert("wall: 2098") }
    }

    /// `locked(…)` is named `locked`.
    private static func name(_ what: some Any) -> String { String("\(what)".prefix { $0 != "(" }) }

    private mutating func restart() throws(Violation) {
        checker.forgetBreathing()
        let doubts = plan.unsent
        journal.forget()
        let before = history.count
        try ask(.wakeUp)
        try journal.settle(doubts, plan, rules, history[before...], at: clock.moment)
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
