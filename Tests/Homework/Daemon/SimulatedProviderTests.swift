import HomeworkRules
import Systemd
import TestSupport
import Testing
import TestingSupport
import Time

@testable import HomeworkDaemon

@Suite struct SimulatedProviderTests {
    private let loop: EventLoop
    private let provider: SimulatedProvider
    private let told = Told()

    private final class Told {
        var commands: [Command] = []
    }

    init() throws {
        loop = try EventLoop()
        provider = try SimulatedProvider(loop) { [told] in told.commands.append($0) }
    }

    private static let comes = Command.setPresence(online: true, name: nil, lasts: .seconds(3_600))
    private static let goes = Command.setPresence(online: false, name: nil, lasts: .seconds(3_600))

    /// What it tells after it has seen this.
    private func tells(of scenario: Scenario, after delay: Duration = .zero, simulate: Bool = true) throws -> [Command]
    {
        var settings = Configuration.ProviderSettings()
        settings.simulate = simulate
        settings.simulateAfter = delay
        // Of the scenario's steady clock all is long past on the machine's own.
        let seen = scenario.clock.moment
        let moment = Moment(
            instant: seen.instant, wall: seen.wall, zone: seen.zone, steady: SteadyInstant(microseconds: 1),
            dayEnds: seen.dayEnds)
        try provider.look(at: scenario.plan.flow, moment, settings: settings)
        while try loop.step(timeoutMicroseconds: 0) {}
        defer { told.commands = [] }
        return told.commands
    }

    @Test func `it comes once the exercise is under way, and goes when the flow is over`() throws {
        #expect(try tells(of: .opened()) == [])
        #expect(try tells(of: .begun()) == [])
        #expect(try tells(of: .guided) == [Self.comes])
        #expect(try tells(of: .waiting) == [])
        #expect(try tells(of: .inSession) == [])
        #expect(try tells(of: .completed) == [Self.goes])
        #expect(try tells(of: .waiting) == [Self.comes])
    }

    @Test func `it takes its time, and does not come for nothing`() throws {
        #expect(try tells(of: .guided, after: .seconds(365 * 86_400)) == [])
        #expect(try tells(of: .opened()) == [])
        #expect(try tells(of: .guided) == [Self.comes])
    }

    @Test func `it goes, or does not come, once it is turned off`() throws {
        #expect(try tells(of: .guided, simulate: false) == [])
        #expect(try tells(of: .guided) == [Self.comes])
        #expect(try tells(of: .guided, simulate: false) == [Self.goes])
    }
}

@Suite struct AlarmTests {
    private let loop: EventLoop

    init() throws { loop = try EventLoop() }

    private func rings(_ wall: Instant?, _ steady: SteadyInstant?) throws -> Int {
        var count = 0
        let alarm = try Alarm(loop) { count += 1 }
        try alarm.set(wall, steady)
        while try loop.step(timeoutMicroseconds: 0) {}
        return count
    }

    @Test func `what is past rings once, what is to come or was stopped does not`() throws {
        let past = (Instant(microseconds: -1), SteadyInstant(microseconds: 0))
        #expect(try rings(past.0, nil) == 1)
        #expect(try rings(nil, past.1) == 1)
        #expect(try rings(nil, nil) == 0)
        #expect(try rings(Instant(microseconds: .max), SteadyInstant(microseconds: .max)) == 0)
    }
}
