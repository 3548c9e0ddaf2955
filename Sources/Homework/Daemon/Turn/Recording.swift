import HomeworkHistory
import HomeworkRules
import Systemd
import Time

/// The state of recording. A history that could not be written, or is damaged, is still read as far as possible.
enum Recording {
    /// The daemon has just started, or has closed the history.
    case unopened
    case open(History)
    /// The history could not be opened or written. Before `retryAt`, only a command tries again.
    case unavailable(History?, reason: String, retryAt: SteadyInstant)
    /// The history is damaged. It is not written before all of it was read without a fault.
    case damaged(History?, reason: String, retryAt: SteadyInstant)

    /// The open history. Setting it keeps the problem, which ends with the next recorded turn.
    var history: History? {
        get {
            switch self {
            case .unopened: nil
            case .open(let history): history
            case .unavailable(let history, _, _), .damaged(let history, _, _): history
            }
        }
        set {
            switch self {
            case .unopened, .open: self = newValue.map(Self.open) ?? .unopened
            case .unavailable(_, let reason, let retryAt):
                self = .unavailable(newValue, reason: reason, retryAt: retryAt)
            case .damaged(_, let reason, let retryAt): self = .damaged(newValue, reason: reason, retryAt: retryAt)
            }
        }
    }

    private var trouble: (reason: String, retryAt: SteadyInstant)? {
        switch self {
        case .unopened, .open: nil
        case .unavailable(_, let reason, let retryAt), .damaged(_, let reason, let retryAt): (reason, retryAt)
        }
    }

    /// The reason why nothing can be recorded.
    var problem: String? { trouble?.reason }
    var retryAt: SteadyInstant? { trouble?.retryAt }
    var isDamaged: Bool { if case .damaged = self { true } else { false } }

    /// A sound history is in the damaged one's place. The problem ends with the next recorded turn.
    mutating func replaceDamaged(retryAt: SteadyInstant) {
        if case .damaged(_, let reason, _) = self { self = .unavailable(nil, reason: reason, retryAt: retryAt) }
    }

    mutating func fail(_ error: HistoryError, retryAt: SteadyInstant) {
        // A damaged history stays damaged, even if the next failure is another.
        self =
            isDamaged || error.isDamage
            ? .damaged(history, reason: error.description, retryAt: retryAt)
            : .unavailable(history, reason: error.description, retryAt: retryAt)
    }
}

extension Daemon {
    /// - Parameter known: the plan of a history that was checked and is now in place. It is not read again.
    func openHistory(at moment: Moment, knowing known: Plan? = nil) {
        do {
            let opened = try sources.openHistory(!hasHadHistory)
            hasHadHistory = true
            if let known, known.eventCount == opened.eventCount {
                recording.replaceDamaged(retryAt: moment.steady)
                plan = known
            } else {
                if recording.isDamaged { try opened.check() }
                plan = try opened.plan()
            }
            knowsPlan = true
            recording.history = opened
            outbox.take(from: plan)
        } catch {
            failed(error, at: moment)
            // A history that cannot be written may still be read.
            guard !knowsPlan, case .unavailable = error, let seen = try? History.readPlan(at: sources.historyPath)
            else {
                return
            }
            plan = seen
            knowsPlan = true
        }
    }

    /// True once all events are durable.
    func record(_ events: [Event], at moment: Moment) -> Bool {
        isInDoubt = false
        guard let history = recording.history else { return false }
        do {
            // A history that was damaged is read from end to end before it is written.
            if recording.isDamaged { _ = try history.plan() }
            try history.record(events)
            // With nothing to write, reading shows whether the problem is over.
            if events.isEmpty, recording.problem != nil { _ = try history.reminders(since: nil, limit: 0) }
            recovered(history)
            return true
        } catch {
            if case .inDoubt = error { isInDoubt = true }
            failed(error, at: moment)
            return false
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

    private func recovered(_ history: History) {
        guard recording.problem != nil else { return }
        host.say(.notice, "The history can be written again.")
        recording = .open(history)
        outlook = nil
    }
}
