import Glibc
public import Systemd
public import Time
import Unix
public import Varlink

/// Serves Varlink clients on local sockets: reads their calls, hands them to the daemon turn by turn, and sends its answers.
///
/// A turn holds the calls of all clients that were ready together. One connection's calls are handed over and answered in
/// their order. The server itself answers calls of org.varlink.service, and calls that do not fit the interfaces.
///
/// All calls must come from the loop's thread.
public final class VarlinkServer {
    /// The requests of one turn.
    public struct Turn {
        /// Requests whose client disconnected before their end. Handle them first, so that a client that connects again is
        /// not mistaken for the disconnected one.
        public let cancelled: [Request]
        /// To be answered, now or later.
        public let requests: [Request]
    }

    /// Returns the caller for a user number, with their rights. Nil disconnects the client before any of its bytes is
    /// parsed.
    public var admit: (_ user: UInt32) -> Caller?
    /// Carries out a turn.
    public var carryOut: (Turn) -> Void = { _ in }
    /// Returns true for a call that takes long. The other calls of its connection then wait for the next turn.
    public var takesLong: (Call) -> Bool = { _ in false }
    /// Runs when ``connectionCount`` has changed.
    public var onConnections: () -> Void = {}

    private let loop: EventLoop
    private let introspection: Introspection
    private let limits: Limits
    private let errors: DisconnectErrors
    private let now: () -> SteadyInstant
    private let say: (Severity, String) -> Void
    private var acceptors: [Acceptor] = []
    private var connections: [ObjectIdentifier: Connection] = [:]
    /// How many open connections each party has.
    private var openConnections: [Party: Int] = [:]
    private var openCount = 0
    /// False after a failure to serve a client was logged.
    private var canServe = true
    /// The groups with a logged refusal.
    private var loggedGroups: Set<LimitedGroup> = []
    /// Connections that may need work, in the order in which they were noted.
    private var noted: [Connection] = []
    private var turnSource: DeferredSource?
    private var callTimer: WakeTimer?
    /// The time that `callTimer` is set for.
    private var callTimerRings: SteadyInstant?

    /// Later than the connections: every ready client is read from before the turn that carries out their calls.
    public static let turnPriority: Int64 = 10
    /// With so few connections, asking each whether it is ready costs less than one more round of the loop.
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
        acceptors.append(try Acceptor(loop, descriptor, now: now, say: say) { [unowned self] in serve($0) })
    }

    /// Takes over a connected socket.
    public func serve(_ descriptor: Int32) {
        // Calls that were sent earlier come first, and closing disconnected clients makes room.
        if !noted.isEmpty { turn() }
        guard let user = LocalSocket.peer(of: descriptor), let caller = admit(user) else {
            close(descriptor)
            return
        }
        let connection = Connection(descriptor: descriptor, caller: caller, limits: limits, errors: errors)
        if let group = group(before: caller) { return turnAway(connection, group) }
        do {
            try connection.listen(on: loop)
            add(connection)
            canServe = true
        } catch {
            if canServe { say(.warning, "Clients cannot be served: \(error), carrying on") }
            canServe = false
        }
    }

    /// Disconnects the clients of the matching callers, with a last error.
    public func disconnect(with error: some ErrorReply, where isMeant: (Caller) -> Bool) {
        for connection in connections.values where isMeant(connection.caller) { connection.cut(error) }
    }

    /// The connections of the server. A closed one counts until the next turn.
    public var connectionCount: Int { connections.count }

    /// A group whose connections have a limit: those of one party, or all together.
    private enum LimitedGroup: Hashable {
        case party(Party)
        case all
    }

    private func size(of group: LimitedGroup) -> (count: Int, limit: Int) {
        switch group {
        case .party(let party): (openConnections[party, default: 0], limits.connectionsOfOneUser)
        case .all: (openCount, limits.connections)
        }
    }

    /// The group that has no room for one more connection of this caller; nil if there is room.
    private func group(before caller: Caller) -> LimitedGroup? {
        ((party(of: caller).map { [.party($0)] } ?? []) + [.all]).first {
            let (count, limit) = size(of: $0)
            return count >= limit
        }
    }

    /// Nil for a carrier until its person is known.
    private func party(of caller: Caller) -> Party? {
        caller.person == nil && limits.carriers.contains(caller.user) ? nil : caller.party
    }

    /// Counts a connection for its new caller, and cuts it if that caller has too many.
    private func recount(_ connection: Connection) {
        let party = party(of: connection.caller)
        guard !connection.isClosed, party != connection.countedAs else { return }
        uncount(connection)
        connection.countedAs = party
        guard let party else { return }
        let group = LimitedGroup.party(party)
        let isFull = size(of: group).count >= size(of: group).limit
        openConnections[party, default: 0] += 1
        if isFull { turnAway(connection, group) }
    }

    private func uncount(_ connection: Connection) {
        guard let party = connection.countedAs, let count = openConnections[party] else { return }
        openConnections[party] = count > 1 ? count - 1 : nil
    }

    /// Disconnects the client with the reason, and logs the first refusal of a group.
    private func turnAway(_ connection: Connection, _ group: LimitedGroup) {
        let limit = size(of: group).limit
        let error: (any ErrorReply)?
        let whose: String
        switch group {
        case .party(.user(let user)):
            error = errors.tooManyOfUser?(limit, user) ?? errors.tooManyConnections?(limit)
            whose = " of user \(user)"
        case .party(.person(let person)):
            error = errors.tooManyOfPerson?(limit, person) ?? errors.tooManyConnections?(limit)
            whose = " of \(person)"
        case .all: (error, whose) = (errors.tooManyConnections?(limit), "")
        }
        if loggedGroups.insert(group).inserted {
            say(.warning, "Connections\(whose) are refused: there are \(limit), which is the limit, carrying on")
        }
        if let error { connection.cut(error) }
    }

    /// Forgets the groups that shrank to half of their limit, so that their next refusal is logged again.
    private func forgetLoggedGroups() {
        guard !loggedGroups.isEmpty else { return }
        loggedGroups = loggedGroups.filter {
            let (count, limit) = size(of: $0)
            return count > limit / 2
        }
    }

    private func add(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = connection
        onConnections()
        openCount += 1
        connection.countedAs = party(of: connection.caller)
        if let party = connection.countedAs { openConnections[party, default: 0] += 1 }
        connection.onCaller = { [unowned self, unowned connection] in recount(connection) }
        connection.mayBeLong = { [unowned self, unowned connection] in
            let party = connection.caller.party
            let others = connections.values.count { $0 !== connection && $0.isLong && $0.caller.party == party }
            return others < limits.longCallsOfOneUser
        }
        connection.onActivity = { [unowned self, unowned connection] in hear(connection) }
        connection.onAnswered = { [unowned self, unowned connection] in attend(to: connection) }
        connection.onClose = { [unowned self, unowned connection] in
            openCount -= 1
            uncount(connection)
            forgetLoggedGroups()
            attend(to: connection)
        }
    }
}

// Turns.
extension VarlinkServer {
    /// Runs the turn at once, unless other clients are ready as well: then they share the next turn.
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
                // A disconnected client waits for no answer.
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
            // The bytes are no call. The server does not guess, as systemd's own services do not.
            connection.refuse()
        }
    }

    /// Forgets a closed connection. Returns its requests that were not ended.
    private func forget(_ connection: Connection) -> [Request] {
        connections[ObjectIdentifier(connection)] = nil
        onConnections()
        return connection.open.filter { !$0.isEnded }
    }
}

// Unfinished calls.
extension VarlinkServer {
    private func startTime(of connection: Connection) {
        let due = now() + limits.callTime
        connection.callDue = due
        if callTimerRings == nil { wakeForCall(at: due) }
    }

    /// Runs when the timer rings. Disconnects the clients whose time was over at the timer's time.
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
            say(.warning, "Unfinished calls have no time limit: \(error), carrying on")
        }
    }
}
