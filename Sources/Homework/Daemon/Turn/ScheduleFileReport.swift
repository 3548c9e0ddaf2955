import HomeworkRules
import Systemd
import Time

/// The state of the schedule file at its last reading, as it was logged. Nothing is logged twice.
enum ScheduleFileReport: Equatable {
    /// There is nothing to report: the file is sound, its text is known, or it was not read yet.
    case nothing
    case gone
    /// The fault is a sentence with its place.
    case refused(fault: String, Fingerprint)
    /// The reason has no full stop.
    case unreadable(reason: String)

    /// The reason why the file cannot be read; nil if it can.
    var trouble: String? { if case .unreadable(let reason) = self { reason } else { nil } }

    static func refused(_ fault: String, _ inForce: String) -> String {
        "The schedule was refused: \(fault) \(inForce)"
    }

    static func gone(_ inForce: String) -> String { "The schedule file is gone. \(inForce)" }

    /// Logs the news about the file. True if the file is to be taken in or refused.
    /// - Parameter inForce: which schedule is in force without the file, as a sentence.
    mutating func isNews(
        _ file: ScheduleFile, known: Fingerprint?, inForce: String, say: (Severity, String) -> Void
    ) -> Bool {
        let before = self
        if before.trouble != nil, !file.isUnreadable { say(.notice, "The schedule file can be read again.") }
        switch file {
        case .unreadable(let reason):
            if before.trouble == nil { say(.warning, "\(reason), carrying on. \(inForce)") }
            self = .unreadable(reason: reason)
            return false
        case .known:
            self = .nothing
            return false
        case .missing:
            if known != nil, before != .gone { say(.warning, Self.gone(inForce)) }
            self = .gone
            return false
        case .sound:
            self = .nothing
            return true
        case .faulty(let fault, let text):
            var refusedText: Fingerprint?
            if case .refused(let faultBefore, let textBefore) = before {
                // Somebody is editing the file: the same fault is not logged again.
                guard fault != faultBefore || text == textBefore else { return false }
                refusedText = textBefore
            }
            if text != known, text != refusedText { say(.warning, Self.refused(fault, inForce)) }
            self = .refused(fault: fault, text)
            return true
        }
    }
}

extension Daemon {
    func scheduleFileChanged() {
        scheduleLook = .due(.anyway)
        turn([], isWake: true)
    }

    /// The jobs that follow from the present schedule file: taking it in, refusing it, or none.
    func scheduleJobs(at moment: Moment) -> [Job] {
        guard !configuration.countsPracticesSchedule(plan) else {
            // Its faults do not matter, and it is read again once it counts.
            (scheduleReport, scheduleLook) = (.nothing, .passedOver)
            return []
        }
        if case .passedOver = scheduleLook { scheduleLook = .due(.ifNew) }
        guard case .due(let how, let retryAt) = scheduleLook, recording.history != nil,
            retryAt.map({ $0 <= moment.steady }) ?? true
        else { return [] }
        // A refused text is read again, to report its fault, and because new settings may have mended it.
        let isRead = how == .anyway && !plan.isImported || plan.isScheduleRefused
        let known = isRead ? nil : plan.scheduleFile
        let file = sources.readSchedule(configuration.patterns, known)
        let before = scheduleReport.trouble
        let isNews = scheduleReport.isNews(file, known: plan.scheduleFile, inForce: Self.inForce(plan), say: host.say)
        scheduleLook = .due(how, retryAt: scheduleReport.trouble.map { _ in moment.steady + Self.retryAfter })
        if scheduleReport.trouble != before { outlook = nil }
        guard isNews else { return [] }
        switch file {
        case .missing, .known, .unreadable: return []
        case .sound(let schedule, let fingerprint):
            return [.byItself(.takeSchedule(schedule, file: fingerprint), user: user)]
        case .faulty(_, let fingerprint):
            return [.byItself(.refuseSchedule(file: fingerprint), user: user)]
        }
    }

    /// The schedule that is in force without the file, as a sentence.
    private static func inForce(_ plan: Plan) -> String {
        plan.agenda.ordered.isEmpty
            ? "Until there is a sound one, there are no tasks." : "The schedule before stays in force."
    }

    /// The reason why the schedule file is not in force: it cannot be read, or was refused. Nil if it is in force, or an import is.
    func scheduleProblem(_ plan: Plan) -> String? {
        switch scheduleReport {
        case .unreadable(let reason): reason
        case .refused(let fault, _) where plan.isScheduleRefused:
            ScheduleFileReport.refused(fault, Self.inForce(plan))
        case .nothing, .gone, .refused: nil
        }
    }

    /// The reason why a client's reload took in no schedule, as sentences.
    func scheduleNotTaken(_ plan: Plan) -> String? {
        switch scheduleReport {
        case .unreadable(let reason): "\(reason). \(Self.inForce(plan))"
        case .gone where plan.scheduleFile != nil && !plan.isImported: ScheduleFileReport.gone(Self.inForce(plan))
        case .refused(let fault, _): ScheduleFileReport.refused(fault, Self.inForce(plan))
        case .nothing, .gone: nil
        }
    }
}
