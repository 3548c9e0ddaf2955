import DaybreakInterfaces
import Files
import HomeworkHistory
import HomeworkRules
import Systemd
import Time
import Varlink

/// What can be done with the history as a whole.
enum Maintenance: Equatable {
    case backup
    case export
    /// Tells the folder in which backups and exports lie.
    case storageFolder
    /// A file of that name, in that folder.
    case restore(String)
    /// The mood and the notes of one assignment; nil for everything.
    case erase(AssignmentID?)

    /// Where it fails, it may be done all the same.
    var isChange: Bool {
        switch self {
        case .backup, .export, .storageFolder: false
        case .restore, .erase: true
        }
    }
}

extension Daemon {
    /// Carries out a job's maintenance, before anything else of its turn; nil if it has none.
    func maintain(_ job: Job, at moment: Moment) -> Answer? {
        guard let maintenance = job.maintenance else { return nil }
        return maintain(maintenance, by: job.actor, at: moment)
    }

    private func maintain(_ what: Maintenance, by actor: Actor, at moment: Moment) -> Answer {
        do {
            switch what {
            case .backup: return .reply(Reply.frame(try copy(at: moment, ".db") { try $0.backUp(to: $1) }))
            case .export: return .reply(Reply.frame(try copy(at: moment, ".jsonl") { try $0.export(to: $1) }))
            case .storageFolder: return .reply(Reply.frame(Service.GetStorage.Reply(folder: try backups.path(""))))
            case .restore(let file): return .reply(Reply.frame(try restore(file, at: moment)))
            case .erase(let id):
                if let id { try erase(id, by: actor, at: moment) } else { try eraseEverything(by: actor, at: moment) }
                return .reply(Reply.frame(Nothing()))
            }
        } catch HistoryError.inDoubt(let reason) where what.isChange {
            return .error(frame(for: Homework.StorageUnavailable(reason: reason, inDoubt: true)))
        } catch {
            return .error(frame(for: error))
        }
    }

    /// One for whoever asks, who takes it from there: the daemon may write nowhere else.
    private func copy(at moment: Moment, _ ending: String, _ body: (History, String) throws -> Void) throws
        -> Service.Backup.Reply
    {
        guard let history = recording.history else { throw storageUnavailable }
        let path = try backups.path("asked-\(moment.instant.microseconds)\(ending)")
        try body(history, path)
        return Service.Backup.Reply(file: path)
    }

    private func restore(_ file: String, at moment: Moment) throws -> Service.Restore.Reply {
        guard file.hasPrefix("restore-"), !file.contains("/") else { throw InvalidParameter(parameter: "file") }
        let candidate = try backups.path(file)
        let count: Int
        do {
            count = try History.prepare(candidate)
        } catch {
            throw Service.CannotRestore(reason: error.description)
        }
        let aside = try backups.path("replaced-\(moment.wall.day)-\(moment.instant.microseconds).db")
        defer { beginAnew(at: moment) }
        letGoOfHistory()
        try History.replace(sources.historyPath, with: candidate, keepingAs: aside)
        return Service.Restore.Reply(events: count, kept: aside)
    }

    private func erase(_ id: AssignmentID, by actor: Actor, at moment: Moment) throws {
        guard recording.history != nil else { throw storageUnavailable }
        guard plan.agenda[id] != nil || plan.progress[id] != nil else { throw Refusal.noSuchAssignment(id) }
        let event = Event(moment: moment, actor: actor, client: user, what: .erased(id))
        do throws(HistoryError) {
            try recording.history?.erase(id, noting: event)
            plan.apply([event])
        } catch {
            if error.isDamage { failed(error, at: moment) }
            // How far it came is read anew.
            beginAnew(at: moment)
            throw error
        }
        do { try backups.removeAll() } catch { throw HistoryError.inDoubt(reason: error.description) }
        backUp(at: moment)
    }

    private func eraseEverything(by actor: Actor, at moment: Moment) throws {
        defer { beginAnew(at: moment) }
        letGoOfHistory()
        let event = Event(moment: moment, actor: actor, client: user, what: .erased(nil))
        try History.beginAnew(at: sources.historyPath, noting: event)
    }

    /// One that cannot be closed is replaced all the same.
    private func letGoOfHistory() {
        try? recording.history?.close()  // What it holds is kept aside, or erased.
        recording.history = nil
    }

    /// As after a start: another history stands there, or may.
    private func beginAnew(at moment: Moment) {
        plan = Plan()
        guideIsLost = true
        outbox = Outbox()
        scheduleLook = .ifNew
        outlook = nil
        recording.history = nil
        backupProblem = nil
        openHistory(at: moment)
    }

    func complaint(of error: HistoryError) -> String {
        let advice = error.isDamage ? Sentences.howToRestore(from: backups.nights.last) : ""
        return "\(error.description). Daybreak carries on without recording\(advice)"
    }

    private var backups: Backups { Backups(of: sources.historyPath) }

    /// The copy of this night, and the oldest let go of. A history that differs from its last copy is damaged, or the copy
    /// is: that is said, and neither is touched. False where it is to be tried again later.
    func backUp() -> Bool {
        let before = [recording.problem, backupProblem]
        let isDone = backUp(at: host.now())
        if [recording.problem, backupProblem] != before {
            outlook = nil
            turn([], isWake: true)
        }
        return isDone
    }

    @discardableResult private func backUp(at moment: Moment) -> Bool {
        guard let history = recording.history else { return false }
        do {
            try history.check()
            if let last = backups.nights.last, let fault = try fault(of: last, beside: history) {
                backupFailed(fault, .error)
                return false
            }
            try history.backUp(to: try backups.path("night-\(moment.wall.day).db"))
            backups.removeOld()
            if backupProblem != nil { host.say(.notice, "A backup could be made again.") }
            backupProblem = nil
            return true
        } catch {
            let error = HistoryError(error, path: sources.historyPath)
            guard !error.isDamage else {
                failed(error, at: moment)
                return false
            }
            let reason = "No backup could be made: \(error)"
            backupFailed(reason, .warning, saying: "\(reason), carrying on")
            return false
        }
    }

    /// Why that copy is not the beginning of the history, which was found sound.
    private func fault(of copy: String, beside history: History) throws -> String? {
        do {
            guard let event = try history.firstDifference(from: copy) else { return nil }
            guard try !history.hasErased(since: copy) else {
                try backups.removeAll()  // What an erasure that was cut short left.
                return nil
            }
            return Sentences.historyDiffers(from: copy, at: event)
        } catch let error as HistoryError where error.isDamage {
            return Sentences.copyIsDamaged(copy)
        }
    }

    private func backupFailed(_ reason: String, _ severity: Severity, saying sentence: String? = nil) {
        if backupProblem != reason { host.say(severity, sentence ?? reason) }
        backupProblem = reason
    }
}
