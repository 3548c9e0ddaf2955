import CSystemd
import Glibc

/// The descriptors that a loop watches, in an epoll of their own (man 7 epoll), which the loop watches as one source.
///
/// sd-event asks for all ready descriptors before it looks at one of them, so that ten thousand that are ready together would take a
/// hundred million steps. Here those that were found are all looked at before the next question.
final class ReadySet {
    private let descriptor: Int32
    private var handle: SourceHandle?
    private var sources: [UInt64: Unmanaged<IOSource>] = [:]
    private var lastToken: UInt64 = 0
    private var hasEnded = false
    private let found: UnsafeMutableBufferPointer<epoll_event>
    /// Between so many, timers and signals have their turn.
    private static let most = 64

    init(_ loop: OpaquePointer) throws(SystemdError) {
        descriptor = try checkErrno("epoll_create1", epoll_create1(Int32(EPOLL_CLOEXEC)))
        found = .allocate(capacity: Self.most)
        found.initialize(repeating: epoll_event())
        let context = Unmanaged.passUnretained(self).toOpaque()
        handle = try SourceHandle("sd_event_add_io") {
            sd_event_add_io(loop, $0, descriptor, EPOLLIN.rawValue, anyReady, context)
        }
    }

    deinit {
        handle = nil
        close(descriptor)
        found.deallocate()
    }

    /// Watches a descriptor for a source. Returns the token by which the source is known.
    func add(_ source: IOSource, _ watched: Int32, _ interest: IOInterest) throws(SystemdError) -> UInt64 {
        lastToken += 1
        try checkErrno("epoll_ctl", control(EPOLL_CTL_ADD, watched, interest, lastToken))
        sources[lastToken] = Unmanaged.passUnretained(source)
        return lastToken
    }

    /// - Precondition: the descriptor is still open.
    func change(_ token: UInt64, _ watched: Int32, _ interest: IOInterest) {
        let result = control(EPOLL_CTL_MOD, watched, interest, token)
        precondition(result >= 0, "an IOSource's descriptor was closed before its source")
    }

    func remove(_ token: UInt64, _ watched: Int32) {
        sources[token] = nil
        // A descriptor that was closed is watched no more.
        _ = control(EPOLL_CTL_DEL, watched, [], token)
    }

    /// No handler runs any more.
    func end() { hasEnded = true }

    private func control(_ operation: Int32, _ watched: Int32, _ interest: IOInterest, _ token: UInt64) -> Int32 {
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: token))
        return epoll_ctl(descriptor, operation, watched, &event)
    }

    /// Calls the handlers of descriptors that are ready. A handler may end any source, its own as well.
    fileprivate func dispatch() {
        let count = Int(max(0, epoll_wait(descriptor, found.baseAddress, Int32(Self.most), 0)))
        for event in found[..<count] { source(of: event)?.isReady = true }
        for event in found[..<count] where !hasEnded {
            guard let source = source(of: event), source.isReady else { continue }
            source.ready(IOInterest(rawValue: event.events))
        }
    }

    private func source(of event: epoll_event) -> IOSource? { sources[event.data.u64]?.takeUnretainedValue() }
}

private let anyReady: sd_event_io_handler_t = { _, _, _, context in
    let set: ReadySet = owner(context)
    set.dispatch()
    return 0
}
