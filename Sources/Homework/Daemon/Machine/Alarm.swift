import HomeworkRules
import Systemd
import Time
import VarlinkService

/// Wakes the loop at the next wall-clock time and the next monotonic time.
final class Alarm {
    private let wall: WakeTimer
    private let steady: WakeTimer

    init(_ loop: EventLoop, ring: @escaping () -> Void) throws(SystemdError) {
        wall = try WakeTimer(loop, .wall, ring)
        // After the clients' turn: a breath that ended while the daemon was stopped does not count if its guide has left meanwhile.
        steady = try WakeTimer(loop, .steady, priority: VarlinkServer.turnPriority + 1, ring)
    }

    /// Rings at each of these times; nil stops that timer.
    func set(_ wallTime: Instant?, _ steadyTime: SteadyInstant?) throws(SystemdError) {
        try Self.set(wall, wallTime?.microseconds)
        try Self.set(steady, steadyTime?.microseconds)
    }

    private static func set(_ timer: WakeTimer, _ microseconds: Int64?) throws(SystemdError) {
        if let microseconds {
            try timer.arm(atMicroseconds: UInt64(max(1, microseconds)))
        } else {
            try timer.disarm()
        }
    }
}
