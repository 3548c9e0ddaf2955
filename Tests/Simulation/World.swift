import Homework
import TestSupport

/// A promise of the rules that was broken.
struct Violation: Error {
    let promise: String

    init(_ promise: String) { self.promise = promise }
}

/// A client, a provider, a daemon and their clocks.
struct World {
    /// The schedules' days; the world begins with the first of them.
    static let days = 30

    private(set) var plan = Plan()
    private(set) var history: [Event] = []
    private(set) var rules = Rules(settings: Settings())
    private(set) var clock = VirtualClock("2027-03-01", "08:00")
    /// What a clock would show that nobody ever set wrong.
    private var truth = VirtualClock("2027-03-01", "08:00").instant
    private var witness = Witness()
    /// The names of all that happened, was refused or was told.
    private(set) var sights: Set<String> = []

    mutating func live(_ step: Step) throws(Violation) {
        switch step {
        case .ask(let command, let length):
            pass(length)
            try ask(command)
        case .snooze(let length): try ask(.snooze(until: clock.instant + length))
        case .sleep(let length):
            pass(length)
            try ask(.lookAtClock)
        case .untilWake:
            pass(max(.zero, nextWake - clock.instant))
            try ask(.lookAtClock)
        case .clockIsWrong(let error):
            clock.instant = truth + error
            try ask(.lookAtClock)
        case .travel(let hours):
            clock.offset = .seconds(hours * 3_600)
            try ask(.lookAtClock)
        case .restart(let steady, let length):
            pass(length)
            if let steady { clock.steady = steady }
            try restart()
        case .configure(let settings):
            rules.settings = settings
            try ask(.lookAtClock)
        }
        try Promises(plan: plan, rules: rules, clock: clock).check(witness)
    }

    /// Time passes until that instant, with nobody asking for anything.
    mutating func wait(until instant: Instant) throws(Violation) -> [Event] {
        pass(max(.zero, instant - clock.instant))
        let before = history.count
        try ask(.lookAtClock)
        return Array(history[before...])
    }

    /// The first of the times at which the outlook wants to be looked at again.
    var nextWake: Instant {
        let wake = rules.outlook(plan, at: clock.moment).wake
        let times = [
            instant(of: WallTime(day: wake.day, minute: 0)), wake.wall.map(instant), wake.instant,
            wake.steady.map { clock.instant + ($0 - clock.steady) },
        ]
        return times.compactMap { $0 }.min() ?? clock.instant
    }

    func instant(of wall: WallTime) -> Instant {
        VirtualClock.instant(wall.day, "00:00") + (.seconds(wall.minute * 60) - clock.offset)
    }

    private mutating func pass(_ length: Duration) {
        clock.advance(by: length)
        truth = truth + length
    }

    private mutating func ask(_ command: Command) throws(Violation) {
        var events: [Event] = []
        do throws(Refusal) { events = try decide(command) } catch {
            sights.insert(Self.name(error))
            events = (try? decide(.lookAtClock)) ?? []  // Which nothing refuses.
        }
        try record(events)
        if let again = try? decide(.lookAtClock), !again.isEmpty {
            throw Violation("a second look at the clock finds nothing: \(again.map(\.what))")
        }
    }

    private func decide(_ command: Command) throws(Refusal) -> [Event] {
        try rules.decide(command, in: plan, at: clock.moment, by: Actor(user: 1_000), for: 1_000)
    }

    private mutating func record(_ events: [Event]) throws(Violation) {
        for event in events {
            try witness.see(event, plan: plan, rules: rules)
            plan.apply([event])
            sights.insert(Self.name(event.what))
            if case .reminded(let reminder) = event.what { sights.insert("told: \(reminder.kind)") }
        }
        history += events
    }

    /// `locked(…)` is named `locked`.
    private static func name(_ what: some Any) -> String { String("\(what)".prefix { $0 != "(" }) }

    private mutating func restart() throws(Violation) {
        try checkReplay()
        witness.forgetBreathing()
        try ask(.wakeUp)
    }

    /// What was recorded gives the same plan, settled once or after each event.
    func checkReplay() throws(Violation) {
        guard Plan(replaying: history) == plan else { throw Violation("a replay gives the same plan") }
        var unsettled = Plan()
        for event in history { unsettled.applyUnsettled(event) }
        unsettled.settle()
        guard unsettled == plan else { throw Violation("a replay that settles at its end gives the same plan") }
    }
}
