import DaybreakInterfaces
import HomeworkRules
import Time
import Varlink
import VarlinkService

/// A method of the daemon's interfaces that has a handler.
///
/// The handlers are in `Methods`, with the checks of their parameters. A method that an interface declares and that has no
/// handler answers MethodNotImplemented, and `RoutesTests` fails.
protocol Handled: Method {
    /// The right that a caller needs.
    static var right: Rights { get }
    /// True if the work grows with the schedule or the history. A connection has one such call in a turn.
    static var takesLong: Bool { get }
    /// The topic that a call with `more` goes on watching; nil if the method has a single reply.
    var topic: Watchers.Topic? { get }

    /// The job for the next turn. Throws an error of Varlink or of the interface if the parameters are wrong.
    func job(in context: CallContext) throws -> Job
}

extension Handled {
    static var takesLong: Bool { false }
    var topic: Watchers.Topic? { nil }

    fileprivate static func job(for call: Call, from caller: Caller, _ daemon: CallContext.Sources) throws -> Job {
        guard caller.rights.contains(right) else { throw PermissionDenied() }
        let method = try call.decode(Self.self)
        let topic = call.wantsMore ? method.topic : nil
        var job = try method.job(
            in: CallContext(daemon, Actor(user: caller.user), wantsMore: call.wantsMore, topic: topic))
        job.topic = topic
        return job
    }
}

/// The rights of callers.
extension Rights {
    static let read = Rights(rawValue: 1)
    /// Do the homework, and write about it.
    static let act = Rights(rawValue: 2)
    static let tellPresence = Rights(rawValue: 4)
    /// Make the daemon reload, back up, restore or erase.
    static let maintain = Rights(rawValue: 8)

    static let all: Rights = [.read, .act, .tellPresence, .maintain]
}

extension Caller {
    /// A caller with all rights, for the client and for root, who could read the files anyway. Nil for other users.
    init?(_ user: UInt32, owner: UInt32, root: @autoclosure () -> UInt32?) {
        guard user == owner || user == root() else { return nil }
        self.init(user: user, rights: .all)
    }
}

/// Finds the handlers of the methods that the interfaces declare.
enum Routes {
    private static let methods: [String: any Method.Type] = Dictionary(
        uniqueKeysWithValues: (Homework.methods + Link.methods + Provider.methods + Service.methods).map {
            ($0.name, $0)
        })

    static func handler(of method: String) -> (any Handled.Type)? { methods[method] as? any Handled.Type }

    /// A refused call has a job as well, so that its error is sent in the order of the calls.
    static func job(for request: Request, _ daemon: CallContext.Sources) -> Job {
        do {
            guard let handler = handler(of: request.call.method) else {
                throw MethodNotImplemented(method: request.call.method)
            }
            return try handler.job(for: request.call, from: request.caller, daemon)
        } catch {
            return Job(actor: Actor(user: request.caller.user), action: .look, needsHistory: false) { _ in throw error }
        }
    }

    /// True if the other calls of its connection wait for the next turn.
    static func takesLong(_ call: Call) -> Bool {
        guard let handler = handler(of: call.method), handler.takesLong else { return false }
        // A oneway call that only reads is dropped.
        return !call.isOneway || handler.right != .read
    }
}

/// The context of a handler: the caller, and the facts that it may read before the turn.
struct CallContext {
    /// The parts of the daemon that handlers may use.
    struct Sources {
        let clock: () -> (moment: Moment, clock: LocalClock)
        let configuration: () -> Configuration
        var diagnose: (_ isSound: Bool) -> Service.Diagnose.Reply = { _ in .init() }
    }

    let wantsMore: Bool
    private let sources: Sources
    private let actor: Actor
    private let topic: Watchers.Topic?

    fileprivate init(_ sources: Sources, _ actor: Actor, wantsMore: Bool, topic: Watchers.Topic?) {
        self.sources = sources
        self.actor = actor
        self.wantsMore = wantsMore
        self.topic = topic
    }

    var configuration: Configuration { sources.configuration() }
    var clock: LocalClock { sources.clock().clock }
    var now: Moment { sources.clock().moment }

    /// A job that only reads. With `needsHistory: false` it is answered even while the history is unavailable or damaged.
    func look(needsHistory: Bool = true, _ reply: @escaping (Snapshot) throws -> some Encodable) -> Job {
        job(.look, needsHistory: needsHistory, reply)
    }

    /// A job that carries out a command by the rules. The reply shows the plan right after it.
    func command(_ command: Command, _ reply: @escaping (Snapshot) throws -> some Encodable) -> Job {
        job(.command(command), reply)
    }

    /// A job on the history as a whole. It makes its own reply.
    func maintain(_ what: Maintenance) -> Job { Job(actor: actor, action: .maintain(what)) }

    /// A job that looks for faults in the history and the daemon's files.
    func diagnose() -> Job {
        maintain(.diagnose(reply: { [diagnose = sources.diagnose] in Reply.frame(diagnose($0)) }))
    }

    /// A job that only changes the link's state in memory. It is done even while the history is unavailable.
    func remember(_ change: @escaping (inout LinkReport) -> Void) -> Job {
        var job = job(.remember, needsHistory: false) { _ in Nothing() }
        job.remember = change
        return job
    }

    /// A job that reads the configuration and the schedule file again.
    func reload() -> Job {
        job(.reload) { Service.Reload.Reply(isScheduleImported: $0.plan.isImported ? true : nil) }
    }

    /// A job that replies with the status: the one last shown, unless something has changed since.
    func status() -> Job {
        let continues = topic != nil
        return Job(actor: actor, action: .look, needsHistory: false) { $0.statusReply(continues: continues) }
    }

    private func job(
        _ action: Job.Action, needsHistory: Bool = true, _ reply: @escaping (Snapshot) throws -> some Encodable
    ) -> Job {
        let continues = topic != nil
        return Job(actor: actor, action: action, needsHistory: needsHistory) {
            Reply.frame(try reply($0), continues: continues)
        }
    }
}

extension CallContext {
    /// Throws `NoSuchAssignment` for a text that is no valid id.
    func assignment(_ text: String) throws -> AssignmentID {
        guard let id = AssignmentID(text) else { throw Homework.NoSuchAssignment(assignment: text) }
        return id
    }

    func pattern(_ text: String) throws -> BreathPattern {
        let book = configuration.patterns
        do { return try book.pattern(text) } catch {
            throw Homework.InvalidPattern(reason: error.sentence, patterns: book.names)
        }
    }
}
