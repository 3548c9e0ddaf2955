import HomeworkRules
import TestSupport
import Testing
import Time

/// A past, and the outcome of a command. It reads: given, when, then.
///
/// A scenario is a value. Each step returns the next one, and a scenario can be continued in several ways.
public struct Scenario: CustomTestStringConvertible, Sendable {
    public private(set) var plan = Plan()
    public private(set) var history: [Event] = []
    public var clock = VirtualClock("2027-03-01", "00:00")
    public var rules: Rules

    /// The user of all commands, whose plan it is.
    public static let client: UInt32 = 1_000

    public init(by settings: Settings = Settings()) { rules = Rules(settings: settings) }

    /// One line for the runner's output, not the whole plan.
    public var testDescription: String { history.last.map { "after \($0.what)" } ?? "nothing has happened" }

    /// Begins with these events as the past. A `dayBegan` sets the clock to the first minute of its day.
    public static func given(_ past: Happening..., by settings: Settings = Settings()) -> Self {
        given(past, by: settings)
    }

    public static func given(_ past: [Happening], by settings: Settings = Settings()) -> Self {
        var scenario = Scenario(by: settings)
        for what in past {
            if case .dayBegan(let day) = what { scenario.clock.move(to: day, "00:00") }
            scenario.record([scenario.event(what)])
        }
        return scenario
    }

    /// Carries out a command that the test is not about. It must not be refused.
    public func having(
        _ command: Command, on day: CalendarDay? = nil, at time: String? = nil, after length: Duration? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) -> Self {
        var next = moved(to: day, time, after: length)
        do throws(Refusal) { next.record(try next.decide(command)) } catch {
            Issue.record("\(command) was refused: \(error)", sourceLocation: location)
        }
        return next
    }

    /// Carries out a command, and expects exactly these events in order.
    @discardableResult public func when(
        _ command: Command, on day: CalendarDay? = nil, at time: String? = nil, after length: Duration? = nil,
        then expected: [Happening], _ location: SourceLocation = #_sourceLocation
    ) -> Self {
        var next = moved(to: day, time, after: length)
        do throws(Refusal) {
            let events = try next.decide(command)
            next.record(events)
            let happened = events.map(\.what)
            if happened != expected {
                Issue.record("\(Self.difference(command, expected, happened))", sourceLocation: location)
            }
        } catch {
            Issue.record("\(command) was refused: \(error)", sourceLocation: location)
        }
        #expect(Plan(replaying: next.history) == next.plan, "a replay differs", sourceLocation: location)
        return next
    }

    /// Expects that the rules refuse a command with these facts. The clock is looked at before, as in every turn.
    @discardableResult public func when(
        _ command: Command, on day: CalendarDay? = nil, at time: String? = nil, after length: Duration? = nil,
        refused expected: Refusal, _ location: SourceLocation = #_sourceLocation
    ) -> Self {
        let next = moved(to: day, time, after: length).having(.lookAtClock, location)
        do throws(Refusal) {
            let happened = try next.decide(command).map(\.what)
            Issue.record("\(command) was not refused, but came to \(happened)", sourceLocation: location)
        } catch {
            #expect(error == expected, sourceLocation: location)
        }
        return next
    }

    /// Makes any other check.
    @discardableResult public func then(_ check: (Self) throws -> Void) rethrows -> Self {
        try check(self)
        return self
    }

    /// Changes the clocks in another way than by passing time.
    public func clock(_ change: (inout VirtualClock) -> Void) -> Self {
        var next = self
        change(&next.clock)
        return next
    }

    /// Changes the settings.
    public func by(_ settings: Settings) -> Self {
        var next = self
        next.rules.settings = settings
        return next
    }
}

extension Scenario {
    public var outlook: Outlook { rules.outlook(plan, at: clock.moment) }

    public var nextUnlock: CalendarDay? { plan.nextUnlock(by: rules.settings) }

    public func standing(_ id: AssignmentID) -> Standing? {
        plan.agenda[id].map {
            plan.standing(of: $0, eligible: plan.eligible(by: rules.settings), by: rules.settings)
        }
    }

    /// The day on which its state changes if nobody does anything.
    public func changes(_ id: AssignmentID) -> CalendarDay? {
        guard let assignment = plan.agenda[id], let standing = standing(id) else { return nil }
        return plan.standingChanges(of: assignment, standing, by: rules.settings)
    }

    public func decide(_ command: Command) throws(Refusal) -> [Event] {
        try rules.decide(command, in: plan, at: clock.moment, by: Actor(user: Self.client), for: Self.client)
    }

    private func event(_ what: Happening) -> Event {
        Event(moment: clock.moment, actor: Actor(user: Self.client), client: Self.client, what: what)
    }

    public mutating func record(_ events: [Event]) {
        plan.apply(events)
        history += events
    }

    private func moved(to day: CalendarDay?, _ time: String?, after length: Duration?) -> Self {
        var next = self
        if day != nil || time != nil {
            next.clock.move(to: day ?? clock.moment.day, time ?? "09:00")
        }
        if let length { next.clock.advance(by: length) }
        return next
    }

    private static func difference(_ command: Command, _ expected: [Happening], _ happened: [Happening]) -> String {
        func lines(_ all: [Happening]) -> String { all.map { "\n    \($0)" }.joined() }
        return "\(command) should have come to\(lines(expected))\n  but came to\(lines(happened))"
    }
}
