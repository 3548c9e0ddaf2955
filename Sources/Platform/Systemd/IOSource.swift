import CSystemd

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
    private let set: ReadySet
    private let descriptor: Int32
    /// Nil once it is cancelled.
    private var token: UInt64?
    private let handler: (IOInterest) -> Void

    /// The loop found the descriptor ready and has not called the handler yet.
    public internal(set) var isReady = false

    /// The conditions to watch. With an empty interest only hangups and errors are reported.
    /// - Precondition: the descriptor is still open, unless the source is cancelled.
    public var interest: IOInterest {
        didSet { if interest != oldValue { applyInterest() } }
    }

    init(
        _ set: ReadySet, _ descriptor: Int32, _ interest: IOInterest, _ handler: @escaping (IOInterest) -> Void
    ) throws(SystemdError) {
        self.set = set
        self.descriptor = descriptor
        self.interest = interest
        self.handler = handler
        token = try set.add(self, descriptor, interest)
    }

    deinit { cancel() }

    /// Ends the watch. Calling it again does nothing.
    public func cancel() {
        guard let token else { return }
        self.token = nil
        isReady = false
        set.remove(token, descriptor)
    }

    func ready(_ events: IOInterest) {
        isReady = false
        handler(events)
    }

    private func applyInterest() {
        guard let token else { return }
        // An earlier finding does not count any more.
        isReady = false
        set.change(token, descriptor, interest)
    }
}
