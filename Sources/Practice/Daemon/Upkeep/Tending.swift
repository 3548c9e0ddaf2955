import PracticeInterfaces
import StaffInterfaces
import Systemd
import Time

/// Does what the clock brings: surveys open and are missed. Due ones are found in the database, so that a wake that
/// comes late, or twice, changes nothing.
final class Tending {
    private let now: () -> Instant
    private let tend: (@escaping (Upkeep.Tend.Reply?) -> Void) -> Void
    private let say: (Severity, String) -> Void
    private var timer: WakeTimer?
    private var state = State.waiting

    private enum State {
        case waiting
        /// The call is being carried out.
        case asked
        /// Something changed since the call was made.
        case stale
    }

    /// The pause after a call that the storage failed.
    private static let pause = Duration.seconds(60)

    /// - Parameter tend: carries `Tend` out; the reply is nil if it failed.
    init(
        _ loop: EventLoop, now: @escaping () -> Instant,
        tend: @escaping (@escaping (Upkeep.Tend.Reply?) -> Void) -> Void,
        say: @escaping (Severity, String) -> Void
    ) throws(SystemdError) {
        (self.now, self.tend, self.say) = (now, tend, say)
        timer = try WakeTimer(loop, .wall) { [unowned self] in wake() }
    }

    /// Does what is due, and sets the timer. Called at the start, after a change of surveys, and after the clock was set.
    func wake() {
        guard case .waiting = state else {
            state = .stale
            return
        }
        state = .asked
        tend { [unowned self] reply in
            let isStale = if case .stale = state { true } else { false }
            state = .waiting
            if isStale, reply != nil { return wake() }
            wait(until: reply.map { $0.next.flatMap { DateTime($0)?.instant } } ?? now() + Self.pause)
        }
    }

    private func wait(until instant: Instant?) {
        do {
            try timer?.arm(atMicroseconds: instant.map { UInt64(max(1, $0.microseconds)) } ?? .max)
        } catch {
            say(.warning, "The next survey cannot be waited for: \(error), carrying on")
        }
    }
}
