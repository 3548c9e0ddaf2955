import Glibc
import Systemd
import Text
import Time
import Varlink

/// One client's connection: calls come in, replies go out.
final class Connection {
    /// The caller of its calls.
    var caller: Caller { didSet { onCaller() } }
    /// The party among whose connections this one is counted; nil for a carrier's.
    var countedAs: Party?
    /// The time until which the client must finish a call that it has begun; nil outside of a call.
    var callDue: SteadyInstant?
    /// The server has it on its list for the next turn.
    var isNoted = false
    /// Bytes came, or the client disconnected.
    var onActivity: () -> Void = {}
    /// The last pending request is answered, and the connection takes calls again.
    var onAnswered: () -> Void = {}
    /// The caller is another one.
    var onCaller: () -> Void = {}
    /// Whether one more of the caller's calls may be longer than usual now.
    var mayBeLong: () -> Bool = { true }
    var onClose: () -> Void = {}

    private(set) var isClosed = false
    /// Requests that are not answered completely, in the order of their calls.
    private(set) var open: [Request] = []
    /// The open requests have outlasted their turn. No more is read until they are answered.
    private var isPending = false
    private let limits: Limits
    private let errors: DisconnectErrors
    private let descriptor: Int32
    private var source: IOSource?
    private var reader: FrameReader
    private var outbox: [UInt8] = []
    private var sent = 0
    /// The client will send nothing more.
    private var hasEnded = false
    /// The client reads nothing more.
    private(set) var isGone = false
    /// The bytes read so far hold no more whole call.
    private var isDrained = true
    /// The last byte sent is in the middle of a reply.
    private var isMidReply = false
    /// More bytes came before all calls were taken. They wait in the socket, so that calls do not pile up in memory.
    private var isPaused = false

    /// Takes over the descriptor.
    init(descriptor: Int32, caller: Caller, limits: Limits, errors: DisconnectErrors) {
        self.descriptor = descriptor
        self.caller = caller
        self.limits = limits
        self.errors = errors
        reader = FrameReader(limit: limits.callBytes)
    }

    deinit {
        onClose = {}
        close()
    }

    func listen(on loop: EventLoop) throws(SystemdError) {
        source = try loop.onIO(descriptor, .readable) { [unowned self] seen in react(to: seen) }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        for request in open { request.disconnect() }
        endListening()
        Glibc.close(descriptor)
        onClose()
    }

    /// To be called before the descriptor is closed: epoll reports it while any process has a copy of it.
    private func endListening() {
        source?.cancel()  // Inside its own callback the source lives on.
        source = nil
    }

    /// The loop has found the connection ready and has not handled it yet.
    var isReady: Bool { source?.isReady ?? false }

    /// The client has begun a call and not finished it.
    var isMidCall: Bool { isDrained && !hasEnded && reader.isMidFrame }

    /// The client sends a call that is longer than usual.
    var isLong: Bool { !isClosed && !hasEnded && reader.limit > limits.callBytes }

    /// All calls are answered, all replies are sent, and the client sends nothing more.
    private var isFinished: Bool { hasEnded && isDrained && open.isEmpty && unsent == 0 }

    private var isWatching: Bool { isPending && open.first?.call.wantsMore == true }

    private func react(to seen: IOInterest) {
        if seen.contains(.hangup) || seen.contains(.error) {
            hangUp()
        } else {
            if seen.contains(.writable) { flush() }
            if seen.contains(.readable), !isClosed { readOrPause() }
        }
        onActivity()
    }

    /// The client disconnected: calls that wait for an answer are cancelled; oneway calls are still carried out.
    private func hangUp() {
        guard !isWatching else { return close() }
        while read() {}
        hasEnded = true
        endListening()  // Otherwise the hang-up would be reported without end.
        leaveUnsent()
    }

    private func updateInterest() {
        // A hang-up is always reported, so a watcher that disconnects is noticed while nothing is read from it.
        var interest: IOInterest = hasEnded || isPending || isPaused ? [] : .readable
        if unsent > 0 { interest.insert(.writable) }
        if source?.interest != interest { source?.interest = interest }
    }
}

// Calls in.
extension Connection {
    /// True if a call may be handed over: no request is pending, and the client has read its replies.
    var takesCalls: Bool { !isClosed && !isPending && unsent <= limits.unreadBytes }

    /// The next whole call; nil if there is none, or none may be handed over.
    func nextCall() throws(NotACall) -> Call? {
        guard takesCalls else { return nil }
        guard let frame = try nextFrame() else {
            isDrained = true
            if isPaused {
                isPaused = false
                updateInterest()
            }
            return nil
        }
        reader.limit = limits.callBytes
        callDue = nil
        return try Call(frame: frame)
    }

    func begin(_ call: Call) -> Request {
        let request = Request(call, on: self)
        open.append(request)
        return request
    }

    /// Ends the turn: open requests become pending, and a client that sends nothing more is disconnected.
    func endTurn() {
        let isLeftByWatcher = isGone && open.contains(where: \.call.wantsMore)
        if isFinished || isLeftByWatcher { return close() }
        guard !isClosed, isPending == open.isEmpty else { return }
        isPending = !open.isEmpty
        updateInterest()
    }

    /// The client sent bytes that are no call, and its next bytes cannot be trusted. It is disconnected once its earlier
    /// calls are answered.
    func refuse() {
        hasEnded = true
        isDrained = true
        reader = FrameReader(limit: limits.callBytes)
        updateInterest()
    }

    private func nextFrame() throws(NotACall) -> [UInt8]? {
        if let frame = reader.next() { return frame }
        guard reader.pending.count > reader.limit else { return nil }
        guard let limit = longLimit(of: reader.pending), reader.limit < limit else {
            throw NotACall(reason: "it has more than \(reader.limit) bytes")
        }
        guard mayBeLong() else { throw NotACall(reason: "it is one long call too many of its caller") }
        reader.limit = limit
        return try nextFrame()
    }

    private func longLimit(of frame: ArraySlice<UInt8>) -> Int? {
        guard !limits.longCalls.isEmpty else { return nil }
        let beginning = String(decoding: frame.prefix(1_024), as: UTF8.self)
        return limits.longCalls.first { beginning.includes($0.key) }?.value
    }

    private func readOrPause() {
        guard !isDrained else { return _ = read() }
        isPaused = true
        updateInterest()
    }

    /// True if bytes came.
    private func read() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 64 * 1_024, alignment: 1) { chunk in
            let count = recv(descriptor, chunk.baseAddress, chunk.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                isDrained = false
                // A call that is too long is refused in its turn, after the calls before it.
                do { try reader.append(UnsafeRawBufferPointer(rebasing: chunk[..<count])) } catch {}
            } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                hasEnded = true
                updateInterest()
            }
            return count > 0
        }
    }
}

// Replies out.
extension Connection {
    /// Sends the answer, or holds it until the earlier calls are answered.
    func answer(_ request: Request, _ frame: [UInt8]) {
        guard open.first === request else { return request.hold(frame) }
        if request.isEnded { open.removeFirst() }
        send(frame)
        while let next = open.first, !isClosed {
            send(next.takeWaiting())
            guard next.isEnded else { break }
            open.removeFirst()
        }
        guard isPending, open.isEmpty, !isClosed else { return }
        isPending = false
        updateInterest()
        onAnswered()
    }

    private func send(_ frame: [UInt8]) {
        guard !isClosed, !isGone, !frame.isEmpty else { return }
        outbox += frame
        flush()
        let limit = open.first?.isStreaming == true ? limits.watcherBacklogBytes : limits.backlogBytes
        if unsent > limit { cut(errors.repliesUnread(limit)) }
    }

    /// Disconnects the client with a last error, which follows the reply that is being sent. The error is lost if even a
    /// larger socket buffer has no room for it.
    func cut(_ lastWord: any ErrorReply) {
        guard !isClosed else { return }
        let rest = isMidReply ? outbox[sent...].prefix { $0 != 0 } + [0] : []
        outbox = rest + Reply.frame(error: lastWord)
        sent = 0
        widenBuffer()
        flush()
        close()
    }

    /// Doubles the socket's buffer: the kernel doubles the number that it is given (man 7 socket, SO_SNDBUF).
    private func widenBuffer() {
        var size: Int32 = 0
        var length = socklen_t(MemoryLayout.size(ofValue: size))
        guard getsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, &length) == 0 else { return }
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, length)
    }

    private var unsent: Int { outbox.count - sent }

    private func flush() {
        while sent < outbox.count {
            let count = outbox[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
                isMidReply = outbox[sent - 1] != 0
            } else if errno == EAGAIN {
                break
            } else if errno != EINTR {
                guard !isWatching else { return close() }
                // The kernel may have had no room. Then the client is still connected, and must see the end.
                shutdown(descriptor, Int32(SHUT_WR))
                leaveUnsent()
                return
            }
        }
        forgetSent()
        updateInterest()
    }

    private func forgetSent() {
        if sent == outbox.count {
            outbox.removeAll(keepingCapacity: outbox.capacity <= limits.unreadBytes)
            sent = 0
        } else if sent > outbox.count / 2 {
            outbox.removeFirst(sent)
            sent = 0
        }
    }

    private func leaveUnsent() {
        isGone = true
        outbox = []
        sent = 0
        updateInterest()
    }
}
