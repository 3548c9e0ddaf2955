import CSystemd
import Glibc

/// One sd-event loop (man 3 sd-event). It belongs to the thread that made it, and so does everything made from it.
///
/// A source lives as long as the Swift object that stands for it: dropping the object cancels the source, also from
/// inside the source's own handler.
public final class EventLoop {
    /// The loop as libsystemd knows it, for the objects that are attached to it.
    package let pointer: OpaquePointer
    private let readySet: ReadySet

    public init() throws(SystemdError) {
        var pointer: OpaquePointer?
        try check("sd_event_new", sd_event_new(&pointer))
        guard let pointer else { preconditionFailure("sd_event_new succeeded without giving a loop") }
        self.pointer = pointer
        do throws(SystemdError) { readySet = try ReadySet(pointer) } catch {
            sd_event_unref(pointer)
            throw error
        }
    }

    deinit { sd_event_unref(pointer) }

    /// Dispatches until `exit(_:)` is called, and returns its code. A loop runs once; after that it throws EBUSY.
    public func run() throws(SystemdError) -> Int32 {
        try check("sd_event_loop", sd_event_loop(pointer))
    }

    /// Waits for at most one event and dispatches it (man 3 sd_event_run), with all descriptors that are ready as one. `nil` waits
    /// without limit.
    /// - Returns: false when no event came in that time.
    public func step(timeoutMicroseconds: UInt64?) throws(SystemdError) -> Bool {
        try check("sd_event_run", sd_event_run(pointer, timeoutMicroseconds ?? .max)) > 0
    }

    /// Makes `run()` return `code` once the current handler has returned. Of several calls, the last one counts.
    /// - Precondition: `code` is not negative: to libsystemd that would be an error.
    public func exit(_ code: Int32) {
        precondition(code >= 0, "an exit code is not negative")
        sd_event_exit(pointer, code)
        readySet.end()
    }

    /// Answers the service manager's watchdog for as long as the loop turns (man 3 sd_event_set_watchdog).
    /// It takes WATCHDOG_USEC out of the environment: read `ServiceManager.watchdogMicroseconds` before.
    /// - Returns: false when the service manager has not asked for it.
    @discardableResult
    public func enableWatchdog() throws(SystemdError) -> Bool {
        try check("sd_event_set_watchdog", sd_event_set_watchdog(pointer, 1)) > 0
    }

    /// Calls `handler` with the ready directions, again and again while they are ready (level-triggered; man 7 epoll). Hangups and
    /// errors are always reported.
    public func onIO(
        _ descriptor: Int32, _ interest: IOInterest, _ handler: @escaping (IOInterest) -> Void
    ) throws(SystemdError) -> IOSource {
        try IOSource(readySet, descriptor, interest, handler)
    }

    /// Calls `handler` in the loop when `signal` arrives (man 3 sd_event_add_signal).
    ///
    /// It blocks the signal in this thread, so call it before other threads start. The signal stays blocked after the
    /// source is gone, so a late signal does not kill the process.
    public func onSignal(_ signal: Int32, _ handler: @escaping () -> Void) throws(SystemdError) -> SignalSource {
        try SignalSource(self, signal, handler)
    }

    /// Calls `handler` once for any number of calls of `schedule()` made since it last ran, after everything that is
    /// ready with a smaller priority number (man 3 sd_event_add_defer).
    public func deferred(priority: Int64, _ handler: @escaping () -> Void) throws(SystemdError) -> DeferredSource {
        try DeferredSource(self, priority, handler)
    }
}
