import CSystemd
import Glibc

/// A handler that runs later in the same loop, after everything that is ready now.
public final class DeferredSource {
    private var handle: SourceHandle?
    private let handler: () -> Void

    init(_ loop: EventLoop, _ priority: Int64, _ handler: @escaping () -> Void) throws(SystemdError) {
        self.handler = handler
        let context = Unmanaged.passUnretained(self).toOpaque()
        let handle = try SourceHandle("sd_event_add_defer") {
            sd_event_add_defer(loop.pointer, $0, deferredDue, context)
        }
        try handle.setEnabled(SD_EVENT_OFF)
        try handle.setPriority(priority)
        self.handle = consume handle
    }

    /// Lets the handler run once more. Further calls before it has run change nothing; a call from inside the handler
    /// makes it run again.
    public func schedule() {
        guard let pointer = handle?.pointer else { return }
        let result = sd_event_source_set_enabled(pointer, Int32(SD_EVENT_ONESHOT))
        // ESTALE: the loop has ended, and no handler runs any more.
        precondition(result >= 0 || result == -ESTALE, "a deferred source cannot be enabled: errno \(-result)")
    }

    /// Cancels the scheduled run.
    public func unschedule() {
        guard let pointer = handle?.pointer else { return }
        let result = sd_event_source_set_enabled(pointer, Int32(SD_EVENT_OFF))
        // ESTALE: the loop has ended, and no handler runs any more.
        precondition(result >= 0 || result == -ESTALE, "a deferred source cannot be disabled: errno \(-result)")
    }

    /// Ends the source: a scheduled run does not happen. Calling it again has no effect.
    public func cancel() { handle = nil }

    fileprivate func due() { handler() }
}

private let deferredDue: sd_event_handler_t = { _, context in
    let source: DeferredSource = owner(context)
    source.due()
    return 0
}
