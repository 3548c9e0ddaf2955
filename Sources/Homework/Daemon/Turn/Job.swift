import DaybreakInterfaces
import Files
import HomeworkHistory
import HomeworkRules
import Time
import Varlink

/// The work of one call, timer, signal or changed file in a turn.
struct Job {
    enum Action {
        /// The job only reads.
        case look
        case command(Command)
        /// Reads the configuration and the schedule file again.
        case reload
        /// Works on the history as a whole.
        case maintain(Maintenance)
        /// Only changes the link's state in memory.
        case remember
    }

    let actor: Actor
    let action: Action
    /// False if the answer comes from memory alone, so that it is given while the history is unavailable, too.
    var needsHistory = true
    /// Encodes the reply from the plan right after the action. It is sent once the turn's events are durable.
    var reply: (Snapshot) throws -> [UInt8] = { _ in [] }
    /// The topic that the client goes on watching after its reply.
    var topic: Watchers.Topic?
    /// Called once, with the answer.
    var deliver: (Answer) -> Void = { _ in }
    /// False once the client that waits for the answer has disconnected.
    var isAwaited: () -> Bool = { true }
    /// Throws if the job is refused for a reason that the rules do not know.
    var check: (Snapshot) throws -> Void = { _ in }
    /// Changes the report on the link, once the job is carried out and recorded.
    var remember: ((inout LinkReport) -> Void)?

    var isLook: Bool {
        switch action {
        case .look, .maintain(.diagnose), .maintain(.night): true
        case .command, .reload, .maintain, .remember: false
        }
    }

    var isMemory: Bool { if case .remember = action { true } else { false } }

    var isReload: Bool { if case .reload = action { true } else { false } }

    var maintenance: Maintenance? { if case .maintain(let what) = action { what } else { nil } }

    var isLossOfGuide: Bool { if case .command(.guideLost) = action { true } else { false } }

    /// A job of the daemon's own.
    static func byItself(_ command: Command, user: UInt32) -> Job {
        Job(actor: Actor(user: user, isDaemon: true), action: .command(command))
    }

    /// Makes this night's copy.
    static func night(user: UInt32) -> Job {
        Job(actor: Actor(user: user, isDaemon: true), action: .maintain(.night), needsHistory: false)
    }

    /// The link's process ended: its last word on itself holds no longer. The practice's word on the therapist does.
    static func forgettingLinksProcess(user: UInt32) -> Job {
        var job = Job(actor: Actor(user: user, isDaemon: true), action: .remember, needsHistory: false)
        job.remember = { $0.process.end() }
        return job
    }
}

/// The result of a job, as it is sent to the client.
enum Answer {
    case reply([UInt8])
    case error([UInt8])
    /// A later turn delivers the answer.
    case later

    var frame: [UInt8] {
        switch self {
        case .reply(let frame), .error(let frame): frame
        case .later: []
        }
    }

    var isLater: Bool { if case .later = self { true } else { false } }
}

extension Daemon {
    /// An error as the interface names it.
    func frame(for error: any Error) -> [UInt8] {
        switch error {
        case let refusal as Refusal: spell(refusal.errorReply(host.spelling(), scheduleProblem: scheduleProblem(plan)))
        case let reply as any ErrorReply: spell(reply)
        case let fault as HistoryError: spell(Homework.StorageUnavailable(reason: fault.description))
        case let fault as FileError: spell(Homework.StorageUnavailable(reason: fault.description))
        case let fault as ConfigurationError:
            spell(Service.InvalidConfiguration(file: fault.file, line: fault.line, reason: fault.reason))
        default: preconditionFailure("An error that no call can meet: \(error)")
        }
    }

    private func spell(_ error: some ErrorReply) -> [UInt8] { Reply.frame(error: error) }
}
