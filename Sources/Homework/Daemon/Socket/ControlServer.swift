import DaybreakInterfaces
import Glibc
import HomeworkRules
import HomeworkWire
import Systemd
import Time
import Varlink

/// The control socket: takes calls in, hands them to the daemon turn by turn, and sends what it answers.
final class ControlServer {
    private let loop: EventLoop
    let daemon: Daemon
    private let calls: Calls
    private let introspection: Introspection
    private let say: (Host.Severity, String) -> Void

    /// Hears what was shown, after those who watch.
    var audience: (Daemon.Shown) -> Void = { _ in }
    private var doors: [Door] = []
    /// Since then whoever came was served.
    private var couldServe = true
    private(set) var connections: [ObjectIdentifier: Connection] = [:]
    var connectionCount: Int { connections.count }
    /// Connections that may have something to do, in the order in which they came to have it.
    private var attentive: [Connection] = []
    var guide: Connection?
    /// Guides in whose place another has come, and who are to be told so.
    var relieved: [Connection] = []
    var lastStep: Step?
    private var turnSource: DeferredSource?
    private var callTimer: WakeTimer?
    /// When that rings: nobody's time is over before.
    private var callTimerRings: SteadyInstant?

    /// Every I/O that is ready comes before the turn that carries it out.
    private static let turnPriority: Int64 = 10
    /// Looking who else is ready costs less than one more round of the loop, as long as there are no more than these.
    private static let few = 16

    init(loop: EventLoop, daemon: Daemon, calls: Calls, say: @escaping (Host.Severity, String) -> Void)
        throws(SystemdError)
    {
        self.loop = loop
        self.daemon = daemon
        self.calls = calls
        self.say = say
        introspection = Introspection(
            vendor: Product.vendor, product: Product.name, version: Product.version, url: Product.url,
            interfaces: Interfaces.all)
        turnSource = try loop.deferred(priority: Self.turnPriority) { [unowned self] in turn() }
        callTimer = try WakeTimer(loop, .steady) { [unowned self] in cutUnfinished() }
        daemon.audience = { [unowned self] shown in
            tell(shown)
            audience(shown)
        }
    }

    /// Accepts clients there from now on.
    func listen(on descriptor: Int32) throws(SystemdError) {
        let door = try Door(loop, descriptor, now: { [calls] in calls.clock().moment.steady }, say: say)
        door.admit = { [unowned self] in serve($0) }
        doors.append(door)
    }

    /// Takes over a connection that is there already.
    func serve(_ descriptor: Int32) {
        // However many come, those who came before have their turn first, and those who have left make room.
        if !attentive.isEmpty { turn() }
        guard let peer = Self.peer(of: descriptor), calls.mayTalk(peer), hasRoom(for: peer) else {
            close(descriptor)  // Before a byte of it is parsed.
            return
        }
        let connection = Connection(descriptor: descriptor, peer: peer)
        do {
            try connection.listen(on: loop)
            connection.attention = { [unowned self, unowned connection] in hear(connection) }
            connections[ObjectIdentifier(connection)] = connection
            couldServe = true
        } catch {
            if couldServe { say(.warning, "Clients cannot be served: \(error), carrying on") }
            couldServe = false
        }
    }

    private func hasRoom(for peer: Peer) -> Bool {
        // Who has left is forgotten in the next turn.
        let inside = connections.values.lazy.filter { !$0.isClosed }
        return inside.count < Limits.connections
            && inside.count { $0.peer == peer } < Limits.connectionsOfOneUser
    }

    private static func peer(of descriptor: Int32) -> Peer? {
        // struct ucred, which glibc's headers show to C alone (man 7 unix).
        var credentials: (process: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
        var length = socklen_t(MemoryLayout.size(ofValue: credentials))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
        return Peer(user: credentials.user)
    }
}

// A turn.
extension ControlServer {
    /// Something has come. The turn follows at once, unless others are ready as well: they share it.
    private func hear(_ connection: Connection) {
        note(connection)
        let isShared = connections.count > Self.few || connections.values.contains(where: \.isReady)
        if isShared { turnSource?.schedule() } else { turn() }
    }

    func attend(to connection: Connection) {
        note(connection)
        turnSource?.schedule()
    }

    private func note(_ connection: Connection) {
        if !attentive.contains(where: { $0 === connection }) { attentive.append(connection) }
    }

    private func turn() {
        turnSource?.unschedule()
        let mayAsk = attentive
        attentive = []
        var asks: [Ask] = []
        // Whoever has gone is gone before anybody asks: a new guide is not to be taken for the one who was lost.
        for connection in mayAsk where connection.isClosed { forget(connection, asking: &asks) }
        for connection in mayAsk { take(from: connection, into: &asks) }
        if !asks.isEmpty { daemon.turn(asks) }
        for connection in mayAsk { finish(connection) }
    }

    private func take(from connection: Connection, into asks: inout [Ask]) {
        do {
            for _ in 0..<Limits.waitingCalls {
                guard let call = try connection.nextCall() else { return }
                // Whoever has gone for good waits for no answer: what was to have one is cancelled.
                guard call.isOneway || !connection.isGone else { continue }
                let ask = ask(for: call, on: connection)
                // To look for nobody is nothing to do.
                guard !call.isOneway || !ask.isLook else { continue }
                asks.append(ask)
                // What follows waits for its answer: that may be a stream, and then until it ends, or it may take long.
                let isLong = ask.still == nil && (ask.keeping != nil || Self.longLooks.contains(call.method))
                if call.wantsMore || isLong { break }
            }
            attend(to: connection)
        } catch {
            // No call at all: nothing is guessed, as systemd's own services do it.
            connection.refuse()
        }
    }

    /// What grows with the schedule or the history.
    private static let longLooks: Set = [
        Homework.List.name, Homework.Reminders.name, Homework.Show.name,
        Homework.Notes.name, Service.Diagnose.name,
    ]

    private func ask(for call: Call, on connection: Connection) -> Ask {
        let stream = call.wantsMore ? Self.stream(of: call) : nil
        var ask = understood(call, on: connection)
        ask.deliver = { [unowned self] answer in
            guard !call.isOneway else { return }
            if let stream, case .reply(let frame) = answer { begin(stream, on: connection, frame) }
            connection.send(answer.frame)
        }
        return ask
    }

    /// A call that cannot be understood is an ask to see its error, in its turn.
    private func understood(_ call: Call, on connection: Connection) -> Ask {
        let actor = Actor(user: connection.peer.user)
        func answer(_ reply: @escaping () throws -> [UInt8]) -> Ask {
            Ask(actor: actor, action: .look, needsHistory: false) { _ in try reply() }
        }
        if let ask = connection.lastAsk { return ask }
        if !connection.isLastSound {
            if let frame = introspection.answer(call) { return answer { frame } }
            if let error = introspection.check(call) { return answer { throw error } }
            connection.isLastSound = true
        }
        do {
            let ask = try calls.ask(for: call, from: connection.peer)
            if ask.still != nil { connection.lastAsk = ask }
            return ask
        } catch { return answer { throw error } }
    }

    private func finish(_ connection: Connection) {
        if connection.isFinished { connection.close() }
        if connection.isMidCall, connection.callDue == nil { startTime(of: connection) }
        if connection.isClosed, connections[ObjectIdentifier(connection)] != nil { attend(to: connection) }
    }

    private func forget(_ connection: Connection, asking asks: inout [Ask]) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        guard guide === connection else { return }
        guide = nil
        asks.append(.byItself(.guideLost, user: calls.user))
    }
}

// Calls that are begun and not ended.
extension ControlServer {
    private func startTime(of connection: Connection) {
        let due = calls.clock().moment.steady + Limits.callTime
        connection.callDue = due
        if callTimerRings == nil { wakeForCall(at: due) }
    }

    /// The timer rang. No clock is asked: whose time was over by then is cut off.
    func cutUnfinished() {
        guard let now = callTimerRings else { return }
        let seconds = Int(Limits.callTime.components.seconds)
        let lastWord = Reply.frame(error: Service.CallUnfinished(seconds: seconds))
        for connection in connections.values where connection.callDue.map({ $0 <= now }) ?? false {
            connection.cut(lastWord)
            attend(to: connection)
        }
        callTimerRings = nil
        if let next = connections.values.compactMap({ $0.isClosed ? nil : $0.callDue }).min() { wakeForCall(at: next) }
    }

    private func wakeForCall(at time: SteadyInstant) {
        do {
            try callTimer?.arm(atMicroseconds: UInt64(max(1, time.microseconds)))
            callTimerRings = time
        } catch {
            say(.warning, "Nobody is cut off who does not end a call: \(error), carrying on")
        }
    }
}
