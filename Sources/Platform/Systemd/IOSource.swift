import CSystemd
import Glibc

/// The conditions of a descriptor that are watched, or that were found (man 2 epoll_ctl).
public struct IOInterest: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let readable = IOInterest(rawValue: EPOLLIN.rawValue)
    public static let writable = IOInterest(rawValue: EPOLLOUT.rawValue)

    /// Both directions are closed. Always reported.
    public static let hangup = IOInterest(rawValue: EPOLLHUP.rawValue)

    /// Always reported.
    public static let error = IOInterest(rawValue: EPOLLERR.rawValue)

    /// The peer has closed its side for writing; its earlier bytes may still be read (EPOLLRDHUP).
    public static let peerClosed = IOInterest(rawValue: EPOLLRDHUP.rawValue)
}

/// A descriptor watched by a loop. It never closes the descriptor: cancel first, then close.
public final class IOSource {
    private var handle: SourceHandle?
    private let handler: (IOInterest) -> Void

    /// The conditions to watch. With an empty interest only hangups and errors are reported.
    /// - Precondition: the descriptor is still open, unless the source is cancelled.
    public var interest: IOInterest {
        didSet { if interest != oldValue { applyInterest() } }
    }

    init(
        _ loop: EventLoop, _ descriptor: Int32, _ interest: IOInterest, _ priority: Int64,
        _ handler: @escaping (IOInterest) -> Void
    ) throws(SystemdError) {
        self.interest = interest
        self.handler = handler
        let context = Unmanaged.passUnretained(self).toOpaque()
        let handle = try SourceHandle("sd_event_add_io") {
            sd_event_add_io(loop.pointer, $0, descriptor, interest.rawValue, ioReady, context)
        }
        try handle.setPriority(priority)
        self.handle = consume handle
    }

    /// True if the loop found the descriptor ready and has not called the handler yet (man 3 sd_event_source_get_pending).
    public var isReady: Bool {
        guard let pointer = handle?.pointer else { return false }
        return sd_event_source_get_pending(pointer) > 0
    }

    /// Ends the watch. Calling it again does nothing.
    public func cancel() { handle = nil }

    fileprivate func ready(_ events: IOInterest) { handler(events) }

    private func applyInterest() {
        guard let pointer = handle?.pointer else { return }
        let result = sd_event_source_set_io_events(pointer, interest.rawValue)
        // ESTALE: the loop has ended, and no handler runs any more.
        precondition(result >= 0 || result == -ESTALE, "an IOSource's descriptor was closed before its source")
    }
}

private let ioReady: sd_event_io_handler_t = { _, _, events, context in
    let source: IOSource = owner(context)
    source.ready(IOInterest(rawValue: events))
    return 0
}
