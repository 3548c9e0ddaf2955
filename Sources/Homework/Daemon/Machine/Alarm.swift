import HomeworkRules
import Systemd
import Time

/// The next wake: one timer on the wall's clock, one on the machine's own; and one that rings a little before the wall's.
final class Alarm {
    private let wall: WakeTimer
    private let steady: WakeTimer
    private let early: WakeTimer
    /// The time on the wall that was, or is to be, announced.
    private var announced: Instant?

    private let lead: Duration

    /// - Parameters:
    ///   - lead: longer than the history's patience: who holds it up then does not hold up what is to come.
    ///   - prepare: what to do that long before a time on the wall. What has come already rings first, and is then set anew.
    init(
        _ loop: EventLoop, lead: Duration = .milliseconds(100), prepare: @escaping () -> Void,
        ring: @escaping () -> Void
    ) throws(SystemdError) {
        self.lead = lead
        wall = try WakeTimer(loop, .wall, ring)
        steady = try WakeTimer(loop, .steady, ring)
        early = try WakeTimer(loop, .wall, priority: 1, prepare)
    }

    /// Nil stops that one.
    func set(_ wallTime: Instant?, _ steadyTime: SteadyInstant?) throws(SystemdError) {
        try Self.set(wall, wallTime?.microseconds)
        try Self.set(steady, steadyTime?.microseconds)
        // Once for each time: what is set anew within the lead would be announced again and again.
        guard wallTime != announced else { return }
        announced = wallTime
        try Self.set(early, wallTime.map { $0.microseconds - lead.microseconds })
    }

    private static func set(_ timer: WakeTimer, _ microseconds: Int64?) throws(SystemdError) {
        if let microseconds {
            try timer.arm(atMicroseconds: UInt64(max(1, microseconds)))
        } else {
            try timer.disarm()
        }
    }
}
