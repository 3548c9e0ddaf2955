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
    private let sent = SentCommands()

    private final class SentCommands {
        var commands: [Command] = []
    }

    init() throws {
        loop = try EventLoop()
        provider = try SimulatedProvider(loop) { [sent] in sent.commands.append($0) }
    }

    private static let comes = Command.setPresence(online: true, name: nil, lasts: .seconds(3_600))
    private static let goes = Command.setPresence(online: false, name: nil, lasts: .seconds(3_600))

    /// The provider's commands after it has seen the scenario.
    private func tells(of scenario: Scenario, after delay: Duration = .zero, simulate: Bool = true) throws -> [Command]
    {
        var settings = Configuration.ProviderSettings()
        settings.simulate = simulate
        settings.simulateAfter = delay
        // On the machine's own steady clock, everything of the scenario is long past.
        let seen = scenario.clock.moment
        let moment = Moment(
            instant: seen.instant, wall: seen.wall, zone: seen.zone, steady: SteadyInstant(microseconds: 1),
            dayEnds: seen.dayEnds)
        try provider.look(at: scenario.plan.flow, moment, settings: settings)
        while try loop.step(timeoutMicroseconds: 0) {}
        defer { sent.commands = [] }
        return sent.commands
    }

    @Test func `the provider comes once the exercise has begun, and goes when the flow is over`() throws {
        #expect(try tells(of: .opened()) == [])
        #expect(try tells(of: .begun()) == [])
        #expect(try tells(of: .guided) == [Self.comes])
        #expect(try tells(of: .waiting) == [])
        #expect(try tells(of: .inSession) == [])
        #expect(try tells(of: .completed) == [Self.goes])
        #expect(try tells(of: .waiting) == [Self.comes])
    }

    @Test func `the provider waits for its delay, and comes only for a flow`() throws {
        #expect(try tells(of: .guided, after: .seconds(365 * 86_400)) == [])
        #expect(try tells(of: .opened()) == [])
        #expect(try tells(of: .guided) == [Self.comes])
    }

    @Test func `the provider goes, or does not come, once the simulation is turned off`() throws {
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

    @Test func `a past time rings once, and a future or stopped one does not`() throws {
        let past = (Instant(microseconds: -1), SteadyInstant(microseconds: 0))
        #expect(try rings(past.0, nil) == 1)
        #expect(try rings(nil, past.1) == 1)
        #expect(try rings(nil, nil) == 0)
        #expect(try rings(Instant(microseconds: .max), SteadyInstant(microseconds: .max)) == 0)
    }
}
