import CSystemd
import Glibc

/// Notices that the wall clock was set, or that the machine resumed (Linux 5.15 and later).
///
/// It holds a timer at the end of time, which the kernel cancels at such moments (TFD_TIMER_CANCEL_ON_SET in man 2
/// timerfd_create). Several changes in a row may call the handler once. Slewing the clock does not call it.
public final class ClockWatch {
    private let descriptor: Int32
    private var source: IOSource?
    private let handler: () -> Void

    public init(_ loop: EventLoop, _ handler: @escaping () -> Void) throws(SystemdError) {
        self.handler = handler
        descriptor = try checkErrno(
            "timerfd_create", timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC)))
        try arm()
        source = try loop.onIO(descriptor, .readable) { [unowned self] _ in changed() }
    }

    deinit {
        source?.cancel()
        close(descriptor)
    }

    private func changed() {
        do { try arm() } catch { preconditionFailure("the clock's watch cannot be armed again: \(error)") }
        handler()
    }

    private func arm() throws(SystemdError) {
        var never = itimerspec()
        never.it_value.tv_sec = .max
        let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
        let result = timerfd_settime(descriptor, flags, &never, nil)
        // ECANCELED only reports that the clock was set since the last time. The timer is armed, and its ticks are cleared.
        if result == -1 && errno == ECANCELED { return }
        try checkErrno("timerfd_settime", result)
    }
}
