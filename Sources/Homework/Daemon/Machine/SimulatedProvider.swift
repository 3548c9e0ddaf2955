import HomeworkRules
import Systemd
import Time

/// Plays a provider, for trials: comes some seconds after the exercise has begun, and goes when the flow is over.
/// `[provider] simulate` turns it on.
final class SimulatedProvider {
    private enum State {
        case away, expected, here, leaving
    }

    private var state = State.away
    private var timer: WakeTimer?
    private let tell: (Command) -> Void

    /// How long the provider stays if the flow does not end before.
    private static let stays = Duration.seconds(3_600)

    /// `tell` carries out a report of the provider's presence.
    init(_ loop: EventLoop, tell: @escaping (Command) -> Void) throws(SystemdError) {
        self.tell = tell
        timer = try WakeTimer(loop, .steady) { [unowned self] in comeOrGo() }
    }

    /// Plans when the provider comes or goes. The report is a turn of its own, later.
    func look(at flow: Flow?, _ moment: Moment, settings: Configuration.ProviderSettings) throws(SystemdError) {
        switch state {
        case .away where settings.simulate && isWaitedFor(flow):
            state = .expected
            try arm(moment.steady + settings.simulateAfter)
        case .expected where flow == nil || !settings.simulate:
            state = .away
            try timer?.disarm()
        case .here where flow == nil || !settings.simulate:
            state = .leaving
            try arm(moment.steady)
        default: break
        }
    }

    private func isWaitedFor(_ flow: Flow?) -> Bool {
        guard let flow else { return false }
        return flow.stage == .waiting || (flow.stage == .exercise && flow.exercise.run != nil)
    }

    private func arm(_ time: SteadyInstant) throws(SystemdError) {
        try timer?.arm(atMicroseconds: UInt64(max(1, time.microseconds)))
    }

    private func comeOrGo() {
        let comes = state == .expected
        state = comes ? .here : .away
        tell(.setPresence(online: comes, name: nil, lasts: Self.stays))
    }
}
