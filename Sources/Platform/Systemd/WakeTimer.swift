import CSystemd
import Glibc

/// A one-shot timer at an absolute time (man 3 sd_event_add_time). It is made disarmed.
public final class WakeTimer {
    public enum Clock: Sendable {
        /// CLOCK_REALTIME: microseconds since 1970-01-01T00:00Z. Fires also when the clock is set past the time.
        case wall

        /// CLOCK_MONOTONIC: microseconds since some start. Stands still while the machine is suspended.
        case steady
    }

    private var handle: SourceHandle?
    private let handler: () -> Void

    /// - Parameter priority: smaller numbers are dispatched first.
    public init(
        _ loop: EventLoop, _ clock: Clock, priority: Int64 = 0, _ handler: @escaping () -> Void
    ) throws(SystemdError) {
        self.handler = handler
        let context = Unmanaged.passUnretained(self).toOpaque()
        let handle = try SourceHandle("sd_event_add_time") {
            sd_event_add_time(loop.pointer, $0, clock.identifier, .max, WakeTimer.accuracy, timerFired, context)
        }
        try handle.setEnabled(SD_EVENT_OFF)
        try handle.setPriority(priority)
        self.handle = consume handle
    }

    /// Makes the handler run once at that time of the timer's clock; at once if the time is past. Replaces an earlier time.
    /// `UInt64.max` never comes.
    public func arm(atMicroseconds time: UInt64) throws(SystemdError) {
        guard let pointer = handle?.pointer else { return }
        try check("sd_event_source_set_time", sd_event_source_set_time(pointer, time))
        try handle?.setEnabled(SD_EVENT_ONESHOT)
    }

    /// Makes the handler run once after that time of the timer's clock. Replaces an earlier time.
    public func arm(afterMicroseconds time: UInt64) throws(SystemdError) {
        guard let pointer = handle?.pointer else { return }
        try check("sd_event_source_set_time_relative", sd_event_source_set_time_relative(pointer, time))
        try handle?.setEnabled(SD_EVENT_ONESHOT)
    }

    /// Cancels the time, until the timer is armed again.
    public func disarm() throws(SystemdError) {
        try handle?.setEnabled(SD_EVENT_OFF)
    }

    fileprivate func fired() { handler() }

    /// Microseconds. Zero would mean 250 ms.
    private static let accuracy: UInt64 = 1
}

extension WakeTimer.Clock {
    fileprivate var identifier: clockid_t {
        switch self {
        case .wall: CLOCK_REALTIME
        case .steady: CLOCK_MONOTONIC
        }
    }
}

private let timerFired: sd_event_time_handler_t = { _, _, context in
    let timer: WakeTimer = owner(context)
    timer.fired()
    return 0
}
