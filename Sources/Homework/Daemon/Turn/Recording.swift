import HomeworkHistory
import HomeworkRules
import Systemd
import Time

/// Recording what was decided, and what becomes of it where that fails.
extension Daemon {
    func openHistory(at moment: Moment) {
        do {
            let opened = try sources.openHistory()
            if isDamaged { try opened.check() }
            plan = try opened.plan()
            history = opened
            outbox.take(from: plan)
        } catch {
            failed(error, at: moment)
        }
    }

    /// True where all of it is durable.
    func record(_ events: [Event], at moment: Moment) -> Bool {
        isInDoubt = false
        guard let history else { return false }
        do {
            // What was damaged is looked at whole before it is written to.
            if isDamaged { _ = try history.plan() }
            try history.record(events)
            // With nothing to write, a look shows whether the trouble is over.
            if events.isEmpty, problem != nil { _ = try history.reminders(since: nil, limit: 0) }
            recovered()
            return true
        } catch {
            if case .inDoubt = error { isInDoubt = true }
            failed(error, at: moment)
            return false
        }
    }

    /// Why a question has no answer, or a command is not carried out.
    func refusal(for error: any Error) -> Answer {
        noteDamage(in: error)
        return .error(frame(for: error))
    }

    /// Where a reading met damage, nothing is written any more.
    func noteDamage(in error: any Error) {
        if let error = error as? HistoryError, error.isDamage { failed(error, at: host.now()) }
    }

    func failed(_ error: HistoryError, at moment: Moment) {
        // Another trouble does not make it whole.
        isDamaged = isDamaged || error.isDamage
        if problem == nil { host.say(.error, complaint(of: error)) }
        if problem != error.description { outlook = nil }
        problem = error.description
        retryAt = moment.steady + Self.retryAfter
    }

    private func recovered() {
        guard problem != nil else { return }
        host.say(.notice, "The history can be written again.")
        problem = nil
        isDamaged = false
        retryAt = nil
        outlook = nil
    }
}
