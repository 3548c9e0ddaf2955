import DaybreakInterfaces
import Files
import HomeworkHistory
import HomeworkRules
import Time
import Varlink

/// What one call, a timer, a signal or a changed file wants of a turn.
struct Job {
    enum Action {
        /// Only to see.
        case look
        case command(Command)
        /// The configuration and the schedule file are to be read again.
        case reload
        /// Something is to be done with the history as a whole.
        case maintain(Maintenance)
    }

    let actor: Actor
    let action: Action
    /// Answers from memory alone, also where the history cannot be had.
    var needsHistory = true
    /// The reply, spelled from the plan as it is right after the action; it is sent once all that is durable.
    var reply: (Snapshot) throws -> [UInt8] = { _ in [] }
    /// What the client goes on watching after its reply.
    var topic: Watchers.Topic?
    /// Takes the answer; called once.
    var deliver: (Answer) -> Void = { _ in }

    /// Nothing is to happen.
    var isLook: Bool { if case .look = action { true } else { false } }

    var isReload: Bool { if case .reload = action { true } else { false } }

    var maintenance: Maintenance? { if case .maintain(let what) = action { what } else { nil } }

    var isLossOfGuide: Bool { if case .command(.guideLost) = action { true } else { false } }

    /// A job of the daemon's own.
    static func byItself(_ command: Command, user: UInt32) -> Job {
        Job(actor: Actor(user: user, isDaemon: true), action: .command(command))
    }
}

/// The result of a job, as it is sent to the client.
enum Answer {
    case reply([UInt8])
    case error([UInt8])

    var frame: [UInt8] {
        switch self {
        case .reply(let frame), .error(let frame): frame
        }
    }
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
