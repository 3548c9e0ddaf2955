import HomeworkHistory
import HomeworkRules
import Systemd
import Time

/// The state of recording. A history that could not be written, or is damaged, is still read as far as possible.
struct Recording {
    private var access = Access.neverOpened
    private var trouble: Trouble?

    private enum Access {
        /// The daemon has opened no history yet. A missing one is made.
        case neverOpened
        case closed
        case open(History)
    }

    private enum Trouble {
        /// The history could not be opened or written. Before `retryAt`, only a command tries again.
        case unavailable(reason: String, retryAt: SteadyInstant)
        /// The history is damaged. It is not written before all of it was read without a fault.
        case damaged(reason: String, retryAt: SteadyInstant)

        var facts: (reason: String, retryAt: SteadyInstant) {
            switch self {
            case .unavailable(let reason, let retryAt), .damaged(let reason, let retryAt): (reason, retryAt)
            }
        }
    }

    /// The open history. The trouble ends with the next recorded turn.
    var history: History? { if case .open(let history) = access { history } else { nil } }

    /// True until a history was opened.
    var mayMake: Bool { if case .neverOpened = access { true } else { false } }

    /// The reason why nothing can be recorded.
    var problem: String? { trouble?.facts.reason }
    var retryAt: SteadyInstant? { trouble?.facts.retryAt }
    var isDamaged: Bool { if case .damaged = trouble { true } else { false } }

    mutating func open(_ history: History) { access = .open(history) }

    mutating func close() { if case .open = access { access = .closed } }

    /// A sound history is in the damaged one's place. The problem ends with the next recorded turn.
    mutating func replaceDamaged(retryAt: SteadyInstant) {
        if case .damaged(let reason, _) = trouble { trouble = .unavailable(reason: reason, retryAt: retryAt) }
    }

    mutating func fail(_ error: HistoryError, retryAt: SteadyInstant) {
        // A damaged history stays damaged, even if the next failure is another.
        trouble =
            isDamaged || error.isDamage
            ? .damaged(reason: error.description, retryAt: retryAt)
            : .unavailable(reason: error.description, retryAt: retryAt)
    }

    mutating func recover() { trouble = nil }
}

/// The result of recording a turn's events.
enum RecordResult {
    /// All of them are durable.
    case recorded
    case refused
    /// They could not be recorded, and may be in the history all the same.
    case inDoubt
}

extension Daemon {
    /// - Parameter known: the plan of a history that was checked and is now in place. It is not read again.
    func openHistory(at moment: Moment, knowing known: Plan? = nil) {
        do {
            let opened = try sources.openHistory(recording.mayMake, knowsPlan ? plan.eventCount : 0)
            recording.open(opened)
            if let known, known.eventCount == opened.eventCount {
                recording.replaceDamaged(retryAt: moment.steady)
                plan = known
            } else {
                if recording.isDamaged { try opened.check() }
                plan = try opened.plan()
            }
            outbox.take(from: plan)
        } catch {
            recording.close()
            failed(error, at: moment)
            guard !knowsPlan, error.leavesReading else { return }
            // A history that cannot be written may still be read; if not, the problem is told already.
            if let seen = try? History.readPlan(at: sources.historyPath) { plan = seen }
        }
    }

    /// A history that cannot be opened, as on a full disk, is still read, unless it is damaged.
    var historyReader: HistoryReader? {
        if let open = recording.history { return open.reader }
        guard knowsPlan, !recording.isDamaged else { return nil }
        return .file(sources.historyPath, through: plan.eventCount)
    }

    func record(_ events: [Event], at moment: Moment) -> RecordResult {
        guard let history = recording.history else { return .refused }
        do {
            // A history that was damaged is read from end to end before it is written.
            if recording.isDamaged { _ = try history.plan() }
            try history.record(events)
            // With nothing to write, a trial shows whether the problem is over.
            if events.isEmpty, recording.problem != nil { try history.checkWritable() }
            recovered()
            return .recorded
        } catch {
            failed(error, at: moment)
            if case .inDoubt = error { return .inDoubt }
            return .refused
        }
    }

    /// The error answer to a job, after damage was noted.
    func refusal(for error: any Error) -> Answer {
        noteDamage(in: error)
        return .error(frame(for: error))
    }

    /// Stops recording if the error reports damage.
    func noteDamage(in error: any Error) {
        if let error = error as? HistoryError, error.isDamage { failed(error, at: host.now()) }
    }

    func failed(_ error: HistoryError, at moment: Moment) {
        if recording.problem == nil { host.say(.error, complaint(of: error)) }
        if recording.problem != error.description { outlook = nil }
        recording.fail(error, retryAt: moment.steady + Self.retryAfter)
    }

    private func recovered() {
        guard recording.problem != nil else { return }
        host.say(.notice, "The history can be written again.")
        recording.recover()
        outlook = nil
    }
}
