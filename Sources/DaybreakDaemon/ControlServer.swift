import Control
import Glibc
import Homework
import Systemd
import Varlink

/// The control socket: takes calls in, hands them to the daemon turn by turn, and sends what it answers.
final class ControlServer {
    private let loop: EventLoop
    private let daemon: Daemon
    private let calls: Calls
    private let introspection: Introspection
    private let say: (Host.Severity, String) -> Void

    /// Hears what was shown, after those who watch.
    var audience: (Daemon.Shown) -> Void = { _ in }
    private var doors: [Door] = []
    private var connections: [ObjectIdentifier: Connection] = [:]
    var connectionCount: Int { connections.count }
    /// Connections that may have something to do, in the order in which they came to have it.
    private var attentive: [Connection] = []
    private var guide: Connection?
    private var lastStep: Step?
    private var turnSource: DeferredSource?

    /// Every I/O that is ready comes before the turn that carries it out.
    private static let turnPriority: Int64 = 10

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
        guard let peer = Self.peer(of: descriptor), calls.mayTalk(peer), connections.count < Limits.connections else {
            close(descriptor)  // Before a byte of it is parsed.
            return
        }
        let connection = Connection(descriptor: descriptor, peer: peer)
        do {
            try connection.listen(on: loop)
            connection.attention = { [unowned self, unowned connection] in attend(to: connection) }
            connections[ObjectIdentifier(connection)] = connection
        } catch {
            say(.warning, "A client could not be served: \(error), carrying on")
        }
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
    private func attend(to connection: Connection) {
        if !attentive.contains(where: { $0 === connection }) { attentive.append(connection) }
        turnSource?.schedule()
    }

    private func turn() {
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
                asks.append(ask(for: call, on: connection))
                // What follows waits for its answer: that may be a stream, and then until it ends, or it may be long.
                if call.wantsMore || Self.longReplies.contains(call.method) { break }
            }
            attend(to: connection)
        } catch {
            // No call at all: nothing is guessed, as systemd's own services do it.
            connection.refuse()
        }
    }

    private static let longReplies: Set = [HomeworkInterface.List.name, HomeworkInterface.Reminders.name]

    private func ask(for call: Call, on connection: Connection) -> Ask {
        let stream = call.wantsMore ? Self.streams[call.method] : nil
        var ask = understood(call, from: connection.peer)
        ask.deliver = { [unowned self] frame in
            guard !call.isOneway else { return }
            if let stream, Self.continues(frame) { begin(stream, on: connection, frame) }
            connection.send(frame)
        }
        return ask
    }

    /// A call that cannot be understood is an ask to see its error, in its turn.
    private func understood(_ call: Call, from peer: Peer) -> Ask {
        let actor = Actor(user: peer.user)
        func answer(_ frame: [UInt8]) -> Ask { Ask(actor: actor, action: .look, needsHistory: false) { _ in frame } }
        func spell(_ error: some ErrorReply) -> Ask { answer(Reply.frame(error: error)) }
        if let frame = introspection.answer(call) { return answer(frame) }
        if let error = introspection.check(call) { return spell(error) }
        do {
            return try calls.ask(for: call, from: peer)
        } catch let error as any ErrorReply {
            return spell(error)
        } catch {
            preconditionFailure("An error that no call can meet: \(error)")
        }
    }

    private func finish(_ connection: Connection) {
        if connection.isFinished { connection.close() }
        if connection.isClosed, connections[ObjectIdentifier(connection)] != nil { attend(to: connection) }
    }

    private func forget(_ connection: Connection, asking asks: inout [Ask]) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        guard guide === connection else { return }
        guide = nil
        asks.append(.byItself(.guideLost, user: calls.user))
    }
}

// Streams.
extension ControlServer {
    private static let streams: [String: Connection.Stream] = [
        HomeworkInterface.GetStatus.name: .status, ProviderInterface.Presence.name: .presence,
        HomeworkInterface.Reminders.name: .reminders, HomeworkInterface.Breathe.name: .guide,
    ]

    /// The frame is of our own spelling: an error has no `continues`.
    private static func continues(_ frame: [UInt8]) -> Bool {
        guard let reply = try? Reply(frame: Array(frame.dropLast())) else { return false }  // Never: we spelled it.
        return reply.continues
    }

    private func begin(_ stream: Connection.Stream, on connection: Connection, _ frame: [UInt8]) {
        connection.stream = stream
        connection.lastStreamed = frame
        guard stream == .guide else { return }
        if let before = guide, before !== connection { end(before, with: frame) }
        guide = connection
        lastStep = nil
    }

    /// The last frame of a stream: the same words, but nothing follows.
    private func end(_ connection: Connection, with frame: [UInt8]) {
        guard let reply = try? Reply(frame: Array(frame.dropLast())),  // Never fails: we spelled it.
            let flow = try? reply.decode(HomeworkInterface.FlowReply.self)
        else { return }
        finishStream(connection, Reply.frame(flow))
    }

    private func finishStream(_ connection: Connection, _ frame: [UInt8]) {
        connection.stream = nil
        connection.send(frame)
        attend(to: connection)
    }

    private func tell(_ shown: Daemon.Shown) {
        guideOn(shown.view)
        let watchers = connections.values.filter { $0.stream != nil }
        guard !watchers.isEmpty else { return }
        let presence = Reply.frame(shown.view.presence, continues: true)
        let changed = shown.statusChanged ? shown.view.statusReply(continues: true) : nil
        for watcher in watchers {
            switch watcher.stream {
            case .status: if let changed { stream(changed, to: watcher) }
            case .presence: stream(presence, to: watcher)
            case .reminders: tell(shown.reminders, shown.view, to: watcher)
            case .guide, nil: break
            }
        }
    }

    private func stream(_ frame: [UInt8], to watcher: Connection) {
        guard frame != watcher.lastStreamed else { return }
        watcher.lastStreamed = frame
        send(frame, to: watcher)
    }

    private func send(_ frame: [UInt8], to watcher: Connection) {
        watcher.send(frame)
        if watcher.isClosed { attend(to: watcher) }
    }

    private func tell(_ news: [(reminder: Reminder, moment: Moment)], _ view: View, to watcher: Connection) {
        guard !news.isEmpty else { return }
        let reminders = news.map { HomeworkInterface.Reminder($0.reminder, at: $0.moment.instant, view.spelling) }
        stream(Reply.frame(HomeworkInterface.RemindersReply(reminders: reminders), continues: true), to: watcher)
    }

    /// Tells the one who is being guided of each phase, and of the end.
    private func guideOn(_ view: View) {
        guard let guide else { return }
        guard let flow = view.maybeFlow else { return dismiss(guide, Reply.frame(error: HomeworkInterface.NoFlow())) }
        let reply = HomeworkInterface.FlowReply(flow: flow)
        guard flow.stage == .exercise else { return dismiss(guide, Reply.frame(reply)) }
        let frame = Reply.frame(reply, continues: true)
        let step = Step(view.outlook)
        // Right after the first reply, which knows no step: what it told already is not told again.
        guard lastStep.map({ $0 != step }) ?? (frame != guide.lastStreamed) else { return lastStep = step }
        lastStep = step
        send(frame, to: guide)
    }

    private func dismiss(_ guide: Connection, _ last: [UInt8]) {
        self.guide = nil
        finishStream(guide, last)
    }
}

extension ControlServer {
    /// What makes one reply to a guide differ from the next: not the time that passes within a phase.
    fileprivate struct Step: Equatable {
        let flow: Flow?
        let isProviderOnline: Bool
        let breath: Int?
        let phase: Phase?

        init(_ outlook: Outlook) {
            flow = outlook.flow
            isProviderOnline = outlook.isProviderOnline
            breath = outlook.breathing?.breath
            phase = outlook.breathing?.phase
        }
    }
}
