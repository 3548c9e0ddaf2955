import HomeworkRules
import Systemd
import Time

/// The logged state of the schedule file, so that nothing is logged twice.
struct ScheduleFileReport {
    /// The reason why and the place where the file was refused when it was last read.
    private(set) var fault: String?
    private var fingerprint: Fingerprint?
    private(set) var isGone = false
    /// The reason why the file cannot be read; nil if it can.
    private(set) var trouble: String?

    static func refused(_ fault: String, _ inForce: String) -> String {
        "The schedule was refused: \(fault) \(inForce)"
    }

    static func gone(_ inForce: String) -> String { "The schedule file is gone. \(inForce)" }

    /// Logs the news about the file. True if the file is to be taken in or refused.
    /// - Parameter inForce: which schedule is in force without the file, as a sentence.
    mutating func isNews(
        _ file: ScheduleFile, known: Fingerprint?, inForce: String, say: (Severity, String) -> Void
    ) -> Bool {
        if case .unreadable(let reason) = file {
            if trouble == nil { say(.warning, "\(reason), carrying on. \(inForce)") }
            trouble = reason
            return false
        }
        if trouble != nil { say(.notice, "The schedule file can be read again.") }
        trouble = nil
        return isNew(file, known: known, inForce: inForce) { say(.warning, $0) }
    }

    private mutating func isNew(
        _ file: ScheduleFile, known: Fingerprint?, inForce: String, say: (String) -> Void
    ) -> Bool {
        switch file {
        case .known, .unreadable:
            isGone = false
            return false
        case .missing:
            if known != nil, !isGone { say(Self.gone(inForce)) }
            self = ScheduleFileReport()
            isGone = true
            return false
        case .sound:
            self = ScheduleFileReport()
            return true
        case .faulty(let sentence, let text):
            isGone = false
            // Somebody is editing the file: the same fault is not logged again.
            guard sentence != fault || text == fingerprint else { return false }
            if text != known, text != fingerprint { say(Self.refused(sentence, inForce)) }
            (fault, fingerprint) = (sentence, text)
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
            (scheduleReport, scheduleLook) = (ScheduleFileReport(), .passedOver)
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
        if let trouble = scheduleReport.trouble { return trouble }
        guard plan.isScheduleRefused, let fault = scheduleReport.fault else { return nil }
        return ScheduleFileReport.refused(fault, Self.inForce(plan))
    }

    /// The reason why a client's reload took in no schedule, as sentences.
    func scheduleNotTaken(_ plan: Plan) -> String? {
        if let trouble = scheduleReport.trouble { return "\(trouble). \(Self.inForce(plan))" }
        if scheduleReport.isGone, plan.scheduleFile != nil, !plan.isImported {
            return ScheduleFileReport.gone(Self.inForce(plan))
        }
        return scheduleProblem(plan)
    }
}
