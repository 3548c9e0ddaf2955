import HomeworkRules
import Systemd
import Time

/// What the log was told of the schedule file, so that nothing is logged twice.
struct ScheduleFileReport {
    private var fault: String?
    private var fingerprint: Fingerprint?
    private var isGone = false
    /// Why it cannot be read, while that is so.
    private(set) var trouble: String?

    private static let stays = "The schedule before stays in force."

    /// Says what is new about the file; true where something is to be done about it.
    mutating func isNews(
        _ file: ScheduleFile, known: Fingerprint?, say: (Severity, String) -> Void
    ) -> Bool {
        if case .unreadable(let reason) = file {
            if trouble == nil { say(.warning, "\(reason), carrying on. \(Self.stays)") }
            trouble = reason
            return false
        }
        if trouble != nil { say(.notice, "The schedule file can be read again.") }
        trouble = nil
        return isNew(file, known: known) { say(.warning, $0) }
    }

    private mutating func isNew(_ file: ScheduleFile, known: Fingerprint?, say: (String) -> Void) -> Bool {
        switch file {
        case .known, .unreadable: return false
        case .missing:
            if known != nil, !isGone { say("The schedule file is gone. \(Self.stays)") }
            isGone = true
            return false
        case .sound:
            self = ScheduleFileReport()
            return true
        case .faulty(let sentence, let text):
            isGone = false
            // Somebody is at work on it: one word about each fault will do.
            guard sentence != fault || text == fingerprint else { return false }
            if text != known, text != fingerprint { say("\(sentence) \(Self.stays)") }
            (fault, fingerprint) = (sentence, text)
            return true
        }
    }
}

// The watched file.
extension Daemon {
    /// The schedule file was saved.
    func scheduleFileChanged() {
        scheduleLook = .anyway
        scheduleRetryAt = nil
        turn([], isWake: true)
    }

    /// What is to be done about the schedule file as it is now.
    func scheduleJobs(at moment: Moment) -> [Job] {
        guard let scheduleLook, recording.history != nil, scheduleRetryAt.map({ $0 <= moment.steady }) ?? true else {
            return []
        }
        let known = scheduleLook == .anyway && !plan.isImported ? nil : plan.scheduleFile
        let file = sources.readSchedule(configuration.patterns, known)
        let before = scheduleReport.trouble
        let isNews = scheduleReport.isNews(file, known: plan.scheduleFile, say: host.say)
        scheduleRetryAt = scheduleReport.trouble.map { _ in moment.steady + Self.retryAfter }
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
}
