import DaybreakInterfaces
import Glibc
import HomeworkRules
import HomeworkWire
import Systemd
import Time
import Varlink

/// One client on the control socket: its bytes in, its bytes out.
final class Connection {
    /// What is sent to it unasked, after a call with `more`.
    enum Stream: Equatable {
        case status, presence, preferences, reminders, guide
        /// Of one assignment, or of what is open and the next session.
        case notes(AssignmentID?)
    }

    let peer: Peer
    /// What it watches. Its further calls wait for the end of that, and are left unread: they are answered in order.
    var stream: Stream? {
        didSet { if stream != nil, isGone { close() } else { updateInterest() } }
    }
    /// The frame last streamed: the same is not sent twice.
    var lastStreamed: [UInt8] = []
    /// Until when the call that was begun is to be ended, where only the client can end it.
    var callDue: SteadyInstant?
    /// Hears that there may be something to do: bytes came, or the peer went away.
    var attention: () -> Void = {}

    private(set) var isClosed = false
    private let descriptor: Int32
    private var source: IOSource?
    private var reader = FrameReader(limit: Limits.frame)
    private var outbox: [UInt8] = []
    private var sent = 0
    /// The peer says no more.
    private var hasEnded = false
    /// The peer hears no more.
    private(set) var isGone = false
    /// No whole frame is left of what was read.
    private var isDrained = true
    /// What was sent last is the beginning of a reply.
    private var isMidReply = false
    /// The last call and its bytes, where they are few: programs ask the same again and again.
    private var last: (frame: [UInt8], call: Call)?
    /// The interfaces have that call as it is. Nothing but its bytes decides that.
    var isLastSound = false
    /// What that call asks, where nothing but its bytes and the peer decides it.
    var lastAsk: Ask?
    /// More has come before that was so. It waits in the socket: nobody's calls pile up in here.
    private var isPaused = false

    /// Owns the descriptor from now on.
    init(descriptor: Int32, peer: Peer) {
        self.descriptor = descriptor
        self.peer = peer
    }

    deinit { close() }

    func listen(on loop: EventLoop) throws(SystemdError) {
        source = try loop.onIO(descriptor, .readable) { [unowned self] seen in react(to: seen) }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        endListening()
        Glibc.close(descriptor)
    }

    /// Before the descriptor is closed: the loop would go on hearing of it as long as anybody has a copy.
    private func endListening() {
        source?.cancel()  // In its own callback it lives on.
        source = nil
    }

    /// The loop has more of it.
    var isReady: Bool { source?.isReady ?? false }

    /// A call was begun, and its client is waited for.
    var isMidCall: Bool { isDrained && !hasEnded && reader.isMidFrame }

    /// Everything that was asked has been answered and sent, and the peer asks no more.
    var isFinished: Bool { hasEnded && isDrained && stream == nil && unsent == 0 }

    private func react(to seen: IOInterest) {
        if seen.contains(.hangup) || seen.contains(.error) {
            hangUp()
        } else {
            if seen.contains(.writable) { flush() }
            if seen.contains(.readable), !isClosed { readOrPause() }
        }
        attention()
    }

    /// A full close: what waits for an answer is cancelled, but what wants none is still to be carried out.
    private func hangUp() {
        guard stream == nil else { return close() }
        while read() {}
        hasEnded = true
        endListening()  // It would be told of this without end.
        leaveUnsent()
    }

    private func updateInterest() {
        // A hang-up is told in any case: a watcher that goes away is noticed while it is not being read.
        var interest: IOInterest = hasEnded || stream != nil || isPaused ? [] : .readable
        if unsent > 0 { interest.insert(.writable) }
        if source?.interest != interest { source?.interest = interest }
    }
}

// Its bytes in.
extension Connection {
    /// The next call that may be carried out; nil while none is, while a stream goes on, and while answers lie unread.
    func nextCall() throws(NotACall) -> Call? {
        guard !isClosed, stream == nil, unsent <= Limits.unread else { return nil }
        guard let frame = try nextFrame() else {
            isDrained = true
            if isPaused {
                isPaused = false
                updateInterest()
            }
            return nil
        }
        reader.limit = Limits.frame
        callDue = nil
        if let last, last.frame.count == frame.count, memcmp(last.frame, frame, frame.count) == 0 { return last.call }
        isLastSound = false
        lastAsk = nil
        let call = try Call(frame: frame)
        last = frame.count <= Limits.keptFrame ? (frame, call) : nil
        return call
    }

    /// What it said last is no call, and what follows cannot be trusted: it ends once it has its answers.
    func refuse() {
        hasEnded = true
        isDrained = true
        reader = FrameReader(limit: Limits.frame)
        updateInterest()
    }

    private func nextFrame() throws(NotACall) -> [UInt8]? {
        if let frame = reader.next() { return frame }
        guard reader.pending.count > reader.limit else { return nil }
        guard reader.limit < Limits.importFrame, isImport(reader.pending) else {
            throw NotACall(reason: "it has more than \(reader.limit) bytes")
        }
        reader.limit = Limits.importFrame
        return try nextFrame()
    }

    /// Only a schedule may be long: a frame that names its method first, as every known client does.
    private func isImport(_ frame: ArraySlice<UInt8>) -> Bool {
        String(decoding: frame.prefix(1_024), as: UTF8.self).contains("org.daybreak.Homework.Import")
    }

    private func readOrPause() {
        guard !isDrained else { return _ = read() }
        isPaused = true
        updateInterest()
    }

    /// True where something came.
    private func read() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 64 * 1_024, alignment: 1) { chunk in
            let count = recv(descriptor, chunk.baseAddress, chunk.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                isDrained = false
                // Too long a frame is seen when it is taken, after those before it.
                do { try reader.append(UnsafeRawBufferPointer(rebasing: chunk[..<count])) } catch {}
            } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                hasEnded = true
                updateInterest()
            }
            return count > 0
        }
    }
}

// Its bytes out.
extension Connection {
    func send(_ frame: [UInt8]) {
        guard !isClosed, !isGone else { return }
        outbox += frame
        flush()
        let limit = stream == nil ? Limits.backlog : Limits.watcherBacklog
        if unsent > limit { cut(Reply.frame(error: Service.RepliesUnread(bytes: limit))) }
    }

    /// Closes it with a last word, after the end of the reply that is under way. Where there is no room for that in the
    /// socket's buffer, even a wider one, it is closed without.
    func cut(_ lastWord: [UInt8]) {
        guard !isClosed else { return }
        let rest = isMidReply ? outbox[sent...].prefix { $0 != 0 } + [0] : []
        outbox = rest + lastWord
        sent = 0
        widenBuffer()
        flush()
        close()
    }

    /// The kernel makes twice of it (man 7 socket, SO_SNDBUF).
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
                guard stream == nil else { return close() }
                // Where it was the kernel that had no room, the peer is still there, and waits.
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
            outbox.removeAll(keepingCapacity: outbox.capacity <= Limits.frame)
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
