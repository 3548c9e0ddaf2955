import Glibc
public import Systemd
public import Time
import Unix
public import Varlink

/// Serves Varlink clients on local sockets: reads their calls, hands them to the daemon turn by turn, and sends its answers.
///
/// A turn holds the calls of all clients that were ready together. The calls of one connection are handed over in their
/// order, and answered in it. What org.varlink.service tells, and calls that do not fit the interfaces, are answered here.
///
/// It belongs to its loop's thread.
public final class VarlinkServer {
    /// What one turn brought.
    public struct Turn {
        /// Requests whose client has disconnected before their end. They come before anything that is new: a client that
        /// connects anew is not mistaken for the one that disconnected.
        public let cancelled: [Request]
        /// To be answered, now or later.
        public let requests: [Request]
    }

    /// Who may talk: the caller for a user number, with their rights, or nil to disconnect the client before a byte of it is
    /// parsed.
    public var admit: (_ user: UInt32) -> Caller?
    /// Carries out a turn.
    public var carryOut: (Turn) -> Void = { _ in }
    /// Whether the rest of its connection's calls wait for the next turn, because this one takes long.
    public var takesLong: (Call) -> Bool = { _ in false }

    private let loop: EventLoop
    private let introspection: Introspection
    private let limits: Limits
    private let errors: DisconnectErrors
    private let now: () -> SteadyInstant
    private let say: (Severity, String) -> Void
    private var doors: [Door] = []
    private var connections: [ObjectIdentifier: Connection] = [:]
    /// Those of each user that are not closed.
    private var openConnections: [UInt32: Int] = [:]
    /// False after a failure to serve a client was logged.
    private var canServe = true
    /// Connections that may have something to do, in the order in which they came to have it.
    private var noted: [Connection] = []
    private var turnSource: DeferredSource?
    private var callTimer: WakeTimer?
    /// When that rings.
    private var callTimerRings: SteadyInstant?

    /// Every client that is ready is read from before the turn that carries out what they sent.
    private static let turnPriority: Int64 = 10
    /// Asking so few connections whether they are ready costs less than one more round of the loop.
    private static let few = 16

    /// - Parameters:
    ///   - now: the time of the loop's steady clock.
    ///   - say: logs a line.
    public init(
        loop: EventLoop, introspection: Introspection, limits: Limits = Limits(), errors: DisconnectErrors,
        now: @escaping () -> SteadyInstant, say: @escaping (Severity, String) -> Void,
        admit: @escaping (_ user: UInt32) -> Caller?
    ) throws(SystemdError) {
        self.loop = loop
        self.introspection = introspection
        self.limits = limits
        self.errors = errors
        self.now = now
        self.say = say
        self.admit = admit
        turnSource = try loop.deferred(priority: Self.turnPriority) { [unowned self] in turn() }
        callTimer = try WakeTimer(loop, .steady) { [unowned self] in cutUnfinished() }
    }

    /// Accepts clients on a listening socket, which stays the caller's.
    public func listen(on descriptor: Int32) throws(SystemdError) {
        doors.append(try Door(loop, descriptor, now: now, say: say) { [unowned self] in serve($0) })
    }

    /// Takes over a connected socket.
    public func serve(_ descriptor: Int32) {
        // Calls that were sent earlier come first, and clients that have disconnected make room.
        if !noted.isEmpty { turn() }
        guard let user = LocalSocket.peer(of: descriptor), let caller = admit(user) else {
            close(descriptor)
            return
        }
        let connection = Connection(descriptor: descriptor, caller: caller, limits: limits, errors: errors)
        guard hasRoom(for: user) else {
            if let error = errors.tooManyConnections { connection.cut(error(limits.connections)) }
            return
        }
        do {
            try connection.listen(on: loop)
            add(connection)
            canServe = true
        } catch {
            if canServe { say(.warning, "Clients cannot be served: \(error), carrying on") }
            canServe = false
        }
    }

    /// Disconnects the clients of these callers, with a last error.
    public func disconnect(with error: some ErrorReply, where isMeant: (Caller) -> Bool) {
        for connection in connections.values where isMeant(connection.caller) { connection.cut(error) }
    }

    /// Connections that the server knows of, closed ones until their next turn among them.
    public var connectionCount: Int { connections.count }

    private func hasRoom(for user: UInt32) -> Bool {
        openConnections.values.reduce(0, +) < limits.connections
            && openConnections[user, default: 0] < limits.connectionsOfOneUser
    }

    private func add(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = connection
        openConnections[connection.user, default: 0] += 1
        connection.onActivity = { [unowned self, unowned connection] in hear(connection) }
        connection.onAnswered = { [unowned self, unowned connection] in attend(to: connection) }
        connection.onClose = { [unowned self, unowned connection] in
            openConnections[connection.user, default: 1] -= 1
            attend(to: connection)
        }
    }
}

// Turns.
extension VarlinkServer {
    /// The turn follows at once, unless other clients are ready as well: they share it.
    private func hear(_ connection: Connection) {
        note(connection)
        let isShared = connections.count > Self.few || connections.values.contains(where: \.isReady)
        if isShared { turnSource?.schedule() } else { turn() }
    }

    private func attend(to connection: Connection) {
        note(connection)
        turnSource?.schedule()
    }

    private func note(_ connection: Connection) {
        guard !connection.isNoted else { return }
        connection.isNoted = true
        noted.append(connection)
    }

    private func turn() {
        turnSource?.unschedule()
        let heard = noted
        noted = []
        for connection in heard { connection.isNoted = false }
        let cancelled = heard.filter(\.isClosed).flatMap(forget)
        var requests: [Request] = []
        for connection in heard { take(from: connection, into: &requests) }
        if !cancelled.isEmpty || !requests.isEmpty { carryOut(Turn(cancelled: cancelled, requests: requests)) }
        for connection in heard {
            connection.endTurn()
            if connection.isMidCall, connection.callDue == nil { startTime(of: connection) }
        }
    }

    private func take(from connection: Connection, into requests: inout [Request]) {
        do {
            for _ in 0..<limits.callsInTurn {
                guard let call = try connection.nextCall() else { return }
                // A client that has disconnected waits for no answer.
                guard call.isOneway || !connection.isGone else { continue }
                let request = connection.begin(call)
                if let frame = introspection.answer(call) {
                    request.reply(frame: frame)
                } else if let error = introspection.check(call) {
                    request.fail(error)
                } else {
                    requests.append(request)
                    if call.wantsMore || takesLong(call) { break }
                }
            }
            attend(to: connection)
        } catch {
            // Bytes that are no call: nothing is guessed, as in systemd's own services.
            connection.refuse()
        }
    }

    /// The requests that were never answered to their end.
    private func forget(_ connection: Connection) -> [Request] {
        connections[ObjectIdentifier(connection)] = nil
        return connection.open.filter { !$0.isEnded }
    }
}

// Calls that are begun and not ended.
extension VarlinkServer {
    private func startTime(of connection: Connection) {
        let due = now() + limits.callTime
        connection.callDue = due
        if callTimerRings == nil { wakeForCall(at: due) }
    }

    /// The timer rang: disconnects the clients whose time was over at the time it was set for.
    func cutUnfinished() {
        guard let now = callTimerRings else { return }
        let error = errors.callUnfinished(Int(limits.callTime.components.seconds))
        for connection in connections.values where connection.callDue.map({ $0 <= now }) ?? false {
            connection.cut(error)
        }
        callTimerRings = nil
        if let next = connections.values.compactMap({ $0.isClosed ? nil : $0.callDue }).min() { wakeForCall(at: next) }
    }

    private func wakeForCall(at time: SteadyInstant) {
        do {
            try callTimer?.arm(atMicroseconds: UInt64(max(1, time.microseconds)))
            callTimerRings = time
        } catch {
            say(.warning, "Clients that do not end a call are not cut: \(error), carrying on")
        }
    }
}
