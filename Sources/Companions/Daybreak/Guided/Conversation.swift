import Companion
import DaybreakInterfaces
import Glibc
import Varlink

/// A walk's conversation with the daemon.
final class Conversation {
    let path: String
    private var line = Line.closed
    /// The unanswered calls, oldest first.
    private var asked: [Walk.Request] = []
    /// Since when the oldest of them is unanswered, in seconds of the monotonic clock; nil if there is none, or that was told.
    private var waitingSince: Double?
    private var assignment: String
    /// The pattern that the client asked for.
    private let pattern: String?

    /// The connections to the daemon. They are opened together, as far as every walk needs them, and closed together.
    private enum Line {
        case open(Connections)
        case closed
    }

    private struct Connections {
        let calls: DaemonConnection
        let status: DaemonConnection
        var guiding: DaemonConnection?
        var notes: DaemonConnection?
        var presence: DaemonConnection?
        var announcements: DaemonConnection?

        init(calls: DaemonConnection, path: String) throws(Failure) {
            self.calls = calls
            status = try Self.watch(Homework.GetStatus(), at: path)
        }

        static func watch(_ call: some Method, at path: String) throws(Failure) -> DaemonConnection {
            let connection = try DaemonConnection(to: path)
            try connection.send(call, more: true)
            return connection
        }

        var all: [DaemonConnection] {
            [calls, status] + [guiding, notes, presence, announcements].compactMap { $0 }
        }
    }

    /// Asks the daemon where the walk begins. Throws its refusal of `Start` if there is no task to do.
    /// - Parameter pattern: a pattern's name, or its seconds.
    static func begin(
        path: String, task: String?, pattern: String?, presentation: Presentation
    ) throws(Failure) -> (Conversation, Walk) {
        let calls = try DaemonConnection(to: path)
        var asked: Homework.Pattern?
        if let pattern { asked = try calls.call(Homework.GetPattern(pattern: pattern)).pattern }
        var status = try calls.call(Homework.GetStatus()).status
        let open = status.flow?.assignment ?? status.eligible?.id
        let isBegun = status.flow?.stage == .exercise
        if open == nil || (task != nil && task != open) || (isBegun && pattern != nil) {
            status.flow = try calls.call(Homework.Start(assignment: task, pattern: pattern)).flow
        }
        let id = status.flow?.assignment ?? open ?? ""
        let assignment = try calls.call(Homework.Get(assignment: id)).assignment
        let conversation = try Conversation(path: path, calls: calls, assignment: id, pattern: pattern)
        return (conversation, Walk(status: status, assignment: assignment, presentation: presentation, pattern: asked))
    }

    private init(path: String, calls: DaemonConnection, assignment: String, pattern: String?) throws(Failure) {
        self.path = path
        self.assignment = assignment
        self.pattern = pattern
        line = .open(try Connections(calls: calls, path: path))
    }

    private var connections: Connections? {
        get { if case .open(let connections) = line { connections } else { nil } }
        set { if let newValue { line = .open(newValue) } }
    }

    var isOpen: Bool { connections != nil }
    var descriptors: [Int32] { connections?.all.map(\.descriptor) ?? [] }

    /// Disconnects. The daemon then pauses the exercise.
    func close() {
        line = .closed
        asked = []
        waitingSince = nil
    }

    /// Tries to reach the daemon again.
    func reopen() -> Bool {
        do throws(Failure) {
            line = .open(try Connections(calls: DaemonConnection(to: path), path: path))
            return true
        } catch {
            close()
            return false
        }
    }

    /// Seconds until the daemon has been silent for too long; nil if no answer is waited for.
    var untilSilent: Double? {
        waitingSince.map { max(0, $0 + DaemonConnection.patience - Monotonic.now()) }
    }

    /// ``Walk/Input/unanswered``, once for a call that is not answered in time.
    func silence() -> Walk.Input? {
        guard untilSilent == 0 else { return nil }
        waitingSince = nil
        return .unanswered
    }

    /// Carries out an action that concerns the daemon. A daemon that is gone closes the conversation.
    /// - Returns: the refusal of a call that cannot be sent, such as one that is too long; nil if there is none.
    func perform(_ action: Walk.Action) -> Walk.Input? {
        guard let open = connections else { return nil }
        do throws(Failure) {
            switch action {
            case .call(.notes):
                // The client may also write notes in another window.
                if open.notes == nil { connections?.notes = try watch(Homework.Notes()) }
                // The wait room shows who is there, the place of the meeting and the talking points.
                try watchPresence()
            case .call(.presence): try watchPresence()
            case .call(.announcements):
                if open.announcements == nil { connections?.announcements = try watch(Link.Announcements()) }
            case .call(let request):
                try send(request, on: open.calls)
                if asked.isEmpty { waitingSince = Monotonic.now() }
                asked.append(request)
            case .breathe: connections?.guiding = try watch(Homework.Breathe())
            case .stopBreathing: connections?.guiding = nil
            case .open, .breatheAlong, .visit, .end: break
            }
        } catch {
            guard error.status == Failure.noDaemonStatus else { return Self.refusal(of: action, error.sentence) }
            close()
        }
        return nil
    }

    private static func refusal(of action: Walk.Action, _ sentence: String) -> Walk.Input? {
        switch action {
        case .call(let request): Walk.Input.refused(request, sentence)
        case .breathe: Walk.Input.guidingRefused(sentence)
        case .stopBreathing, .open, .breatheAlong, .visit, .end: nil
        }
    }

    private func watchPresence() throws(Failure) {
        if connections?.presence == nil { connections?.presence = try watch(Provider.Presence()) }
    }

    private func watch(_ call: some Method) throws(Failure) -> DaemonConnection {
        try Connections.watch(call, at: path)
    }

    private func send(_ request: Walk.Request, on calls: DaemonConnection) throws(Failure) {
        switch request {
        case .start: try calls.send(Homework.Start(assignment: assignment, pattern: pattern))
        case .pause: try calls.send(Homework.Pause())
        case .resume: try calls.send(Homework.Resume())
        case .restart: try calls.send(Homework.Restart())
        case .join: try calls.send(Homework.Join())
        case .leave: try calls.send(Homework.Leave())
        case .logMood(let mood): try calls.send(Homework.LogMood(mood: mood))
        case .note(let text): try calls.send(Homework.AddNote(text: text, assignment: assignment))
        case .dismiss(let announcement): try calls.send(Link.Dismiss(announcement: announcement))
        case .notes, .presence, .announcements: break  // Watched.
        case .get(let assignment), .turn(let assignment): try calls.send(Homework.Get(assignment: assignment))
        }
    }
}

// Replies.
extension Conversation {
    /// The replies that have come. A lost connection is an input; other failures are thrown.
    func inputs(readable: Set<Int32>) throws(Failure) -> [Walk.Input] {
        guard let open = connections else { return [] }
        func ready(_ connection: DaemonConnection?) -> DaemonConnection? {
            connection.flatMap { readable.contains($0.descriptor) ? $0 : nil }
        }
        do throws(Failure) {
            var inputs: [Walk.Input] = []
            if let notes = ready(open.notes) { inputs += try replies(to: .notes, on: notes) }
            if let presence = ready(open.presence) { inputs += try replies(to: .presence, on: presence) }
            if let announcements = ready(open.announcements) {
                inputs += try replies(to: .announcements, on: announcements)
            }
            // In the daemon's order: a call's answer comes before the status that it changes.
            if let calls = ready(open.calls) { inputs += try answers(from: calls) }
            if let guiding = ready(open.guiding) { inputs += try guidance(from: guiding) }
            if let status = ready(open.status) {
                for reply in try status.repliesSoFar() {
                    inputs.append(.status(try status.decode(Homework.GetStatus.self, from: reply).status))
                }
            }
            return inputs
        } catch {
            guard error.status == Failure.noDaemonStatus else { throw error }
            close()
            return [.gone]
        }
    }

    private func guidance(from connection: DaemonConnection) throws(Failure) -> [Walk.Input] {
        var inputs: [Walk.Input] = []
        for reply in try connection.repliesSoFar() {
            if !reply.continues { connections?.guiding = nil }
            if reply.error != nil {
                inputs.append(.guidingRefused(Failure(reply, from: .daybreakd, at: path).sentence))
                continue
            }
            let flow = try connection.decode(Homework.Breathe.self, from: reply).flow
            let now = Monotonic.now()
            inputs.append(reply.continues ? .guided(flow, at: now) : .guidingEnded(flow, at: now))
        }
        return inputs
    }

    /// - Parameter request: of the notes, of the presence, or of the announcements.
    private func replies(to request: Walk.Request, on connection: DaemonConnection) throws(Failure) -> [Walk.Input] {
        var inputs: [Walk.Input] = []
        for reply in try connection.repliesSoFar() {
            // An older daemon does not stream the notes; it is asked again.
            if !reply.continues { hangUp(on: request) }
            guard reply.error == nil else {
                if request == .presence || request == .notes {
                    inputs.append(.refused(request, Failure(reply, from: .daybreakd, at: path).sentence))
                }
                continue
            }
            inputs.append(.answered(request, try answer(reply, to: request, connection), at: Monotonic.now()))
        }
        return inputs
    }

    private func hangUp(on request: Walk.Request) {
        switch request {
        case .notes: connections?.notes = nil
        case .announcements: connections?.announcements = nil
        default: connections?.presence = nil
        }
    }

    private func answers(from connection: DaemonConnection) throws(Failure) -> [Walk.Input] {
        var inputs: [Walk.Input] = []
        for reply in try connection.repliesSoFar() {
            guard !asked.isEmpty else { throw .notUnderstood("a reply to no call", from: .daybreakd) }
            let request = asked.removeFirst()
            waitingSince = asked.isEmpty ? nil : Monotonic.now()
            if case .get = request, reply.decodeError(Homework.NoSuchAssignment.self) != nil {
                inputs.append(.erased)
            } else if reply.error != nil {
                inputs.append(.refused(request, Failure(reply, from: .daybreakd, at: path).sentence))
            } else {
                inputs.append(.answered(request, try answer(reply, to: request, connection), at: Monotonic.now()))
            }
        }
        return inputs
    }

    private func answer(
        _ reply: Reply, to request: Walk.Request, _ connection: DaemonConnection
    ) throws(Failure) -> Walk.Answer {
        switch request {
        case .start, .pause, .resume, .restart, .join:
            return .flow(try connection.decode(Homework.Start.self, from: reply).flow)
        case .leave, .logMood:
            let step = try connection.decode(Homework.Leave.self, from: reply)
            return .step(step.flow, step.assignment)
        case .get:
            return .step(nil, try connection.decode(Homework.Get.self, from: reply).assignment)
        case .turn:
            let turned = try connection.decode(Homework.Get.self, from: reply).assignment
            assignment = turned.id
            return .assignment(turned)
        case .note:
            return .kept(isShared: try connection.decode(Homework.AddNote.self, from: reply).shared)
        case .notes:
            return .notes(try connection.decode(Homework.Notes.self, from: reply).notes.map(\.text))
        case .presence:
            return .presence(try connection.decode(Provider.Presence.self, from: reply))
        case .announcements:
            return .announcements(try connection.decode(Link.Announcements.self, from: reply))
        case .dismiss:
            _ = try connection.decode(Link.Dismiss.self, from: reply)
            return .dismissed
        }
    }
}
