import CSystemd
import Glibc

/// Something to do later in the same loop, once what is ready has been dealt with.
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
        // ESTALE: the loop has ended, and nothing will run any more.
        precondition(result >= 0 || result == -ESTALE, "a deferred source cannot be enabled: errno \(-result)")
    }

    /// What was scheduled does not run.
    public func unschedule() {
        guard let pointer = handle?.pointer else { return }
        let result = sd_event_source_set_enabled(pointer, Int32(SD_EVENT_OFF))
        // ESTALE: the loop has ended, and nothing will run any more.
        precondition(result >= 0 || result == -ESTALE, "a deferred source cannot be disabled: errno \(-result)")
    }

    /// Ends it: what was scheduled does not run. Calling it again does nothing.
    public func cancel() { handle = nil }

    fileprivate func due() { handler() }
}

private let deferredDue: sd_event_handler_t = { _, context in
    let source: DeferredSource = owner(context)
    source.due()
    return 0
}
