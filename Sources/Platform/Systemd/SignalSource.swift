import CSystemd
import Glibc

/// A signal that arrives in a loop instead of interrupting it.
public final class SignalSource {
    private var handle: SourceHandle?
    private let handler: () -> Void

    init(_ loop: EventLoop, _ signal: Int32, _ handler: @escaping () -> Void) throws(SystemdError) {
        self.handler = handler
        try SignalSource.block(signal)
        let context = Unmanaged.passUnretained(self).toOpaque()
        handle = try SourceHandle("sd_event_add_signal") {
            sd_event_add_signal(loop.pointer, $0, signal, signalArrived, context)
        }
    }

    /// Ends the watch; the signal stays blocked. Calling it again has no effect.
    public func cancel() { handle = nil }

    fileprivate func arrived() { handler() }

    private static func block(_ signal: Int32) throws(SystemdError) {
        var signals = sigset_t()
        sigemptyset(&signals)
        try checkErrno("sigaddset", sigaddset(&signals, signal))
        try check("pthread_sigmask", -pthread_sigmask(SIG_BLOCK, &signals, nil))
    }
}

private let signalArrived: sd_event_signal_handler_t = { _, _, context in
    let source: SignalSource = owner(context)
    source.arrived()
    return 0
}
