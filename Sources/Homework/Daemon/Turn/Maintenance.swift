import DaybreakInterfaces
import Files
import HomeworkHistory
import HomeworkRules
import Systemd
import Time
import Varlink

/// An operation on the history as a whole.
enum Maintenance {
    case backup
    case export
    /// Returns the folder of the backups and exports.
    case storageFolder
    /// Restores the file with this name in that folder. It is checked beside the loop; `replace` follows.
    case restore(String)
    /// Puts the checked file in the history's place.
    case replace(with: PreparedHistory)
    /// The check of a file found a fault.
    case refuseRestore(HistoryError)
    /// The mood and the notes of one assignment; nil for everything.
    case erase(AssignmentID?)

    /// True if a failed operation may have taken effect all the same.
    var isChange: Bool {
        switch self {
        case .backup, .export, .storageFolder, .restore, .refuseRestore: false
        case .replace, .erase: true
        }
    }

    /// The refusal if the folder of the copies is not private, or cannot be used.
    func refusal(_ fault: FileError) -> any ErrorReply {
        switch self {
        case .backup, .export: Service.CannotCopy(reason: fault.description)
        case .storageFolder, .restore, .replace, .refuseRestore: Service.CannotRestore(reason: fault.description)
        case .erase: Service.CannotErase(reason: fault.description)
        }
    }
}

extension Daemon {
    /// Carries out a job's maintenance, before anything else of its turn; nil if it has none.
    func maintain(_ job: Job, at moment: Moment) -> Answer? {
        guard let what = job.maintenance else { return nil }
        do {
            switch what {
            case .backup: return .reply(Reply.frame(try copy(asText: false, at: moment)))
            case .export: return .reply(Reply.frame(try copy(asText: true, at: moment)))
            case .storageFolder: return .reply(Reply.frame(Service.GetStorage.Reply(folder: try backups.make())))
            case .restore(let file):
                try prepareRestore(of: file, for: job)
                return .later
            case .replace(let prepared): return .reply(Reply.frame(try restore(prepared, by: job.actor, at: moment)))
            case .refuseRestore(let fault): throw Service.CannotRestore(reason: fault.description)
            case .erase(let id):
                guard !isRestoring else { throw Service.CannotErase(reason: Sentences.restoring) }
                if let id { return .reply(Reply.frame(try erase(id, by: job.actor, at: moment))) }
                let practice = plan.link?.practice
                try eraseEverything(by: job.actor, at: moment)
                return .reply(Reply.frame(Service.EraseEverything.Reply(practice: practice)))
            }
        } catch HistoryError.inDoubt(let reason) where what.isChange {
            return .error(frame(for: Homework.StorageUnavailable(reason: reason, inDoubt: true)))
        } catch let fault as FileError {
            return .error(frame(for: what.refusal(fault)))
        } catch {
            return .error(frame(for: error))
        }
    }

    /// The client takes the copy from there, because the daemon may write nowhere else.
    private func copy(asText: Bool, at moment: Moment) throws -> Service.Backup.Reply {
        let name = "asked-\(moment.instant.microseconds)" + (asText ? ".jsonl" : ".db")
        do {
            let path = try backups.path(name)
            guard let history = recording.history else { throw storageUnavailable }
            if asText { try history.export(to: path) } else { try history.backUp(to: path) }
            return Service.Backup.Reply(file: path)
        } catch {
            if recording.isDamaged || (error as? HistoryError)?.isDamage == true { throw error }
            if let fault = error as? FileError, fault.number == nil { throw error }
            guard let path = copyElsewhere(name, asText: asText) else { throw error }
            return Service.Backup.Reply(file: path)
        }
    }

    /// Makes the copy in the other folder, because the disk of the history is full. The daemon may be unable to open the
    /// history, so the copy is read over a connection of its own. Nil if that fails: the first failure is reported then.
    private func copyElsewhere(_ name: String, asText: Bool) -> String? {
        do {
            let path = try spareBackups.path(name)
            try History.copy(sources.historyPath, through: recording.history?.eventCount, asText: asText, to: path)
            return path
        } catch {
            return nil
        }
    }

    /// Lets the file be checked beside the loop, because that takes seconds for a large one. A later turn answers the job.
    private func prepareRestore(of file: String, for job: Job) throws {
        guard file.hasPrefix("restore-"), !file.contains("/") else { throw InvalidParameter(parameter: "file") }
        guard !isRestoring else { throw Service.CannotRestore(reason: Sentences.restoring) }
        let candidate = try backups.path(file)
        do {
            try host.prepareRestore(candidate) { [unowned self] result in
                isRestoring = false
                let next: Maintenance =
                    switch result {
                    case .success(let prepared): .replace(with: prepared)
                    case .failure(let fault): .refuseRestore(fault)
                    }
                turn([Job(actor: job.actor, action: .maintain(next), deliver: job.deliver)])
            }
        } catch {
            throw Service.CannotRestore(reason: "\(error)")
        }
        isRestoring = true
    }

    private func restore(
        _ prepared: PreparedHistory, by actor: Actor, at moment: Moment
    ) throws -> Service.Restore.Reply {
        var prepared = prepared
        let events = prepared.eventCount
        let (what, change) = prepared.plan.keepingLink(of: knowsPlan ? plan : nil)
        try prepared.record(what.map { Event(moment: moment, actor: actor, client: user, what: $0) })
        let aside = try backups.replacedPath(on: "\(moment.wall.day)", at: moment.instant.microseconds)
        var kept: String?
        try replaceHistory(at: moment, knowing: prepared.plan) {
            () throws(HistoryError) in
            kept = try History.replace(sources.historyPath, with: prepared.path, keepingAs: aside)
        }
        return Service.Restore.Reply(events: events, kept: kept ?? "", link: change.map(Sentences.restored))
    }

    private func erase(_ id: AssignmentID, by actor: Actor, at moment: Moment) throws -> Service.Erase.Reply {
        guard recording.history != nil else { throw storageUnavailable }
        guard plan.agenda[id] != nil || plan.progress[id] != nil else { throw Refusal.noSuchAssignment(id) }
        for copies in [backups, spareBackups] { try copies.checkErasable() }
        let event = Event(moment: moment, actor: actor, client: user, what: .erased(id))
        do throws(HistoryError) {
            let isOpen = rules.outlook(plan, at: moment).open?.id == id
            try recording.history?.erase(id, isOpen: isOpen, noting: event)
            plan.apply([event])
        } catch {
            if error.isDamage { failed(error, at: moment) }
            reopenHistory(after: error, at: moment)
            throw error
        }
        let removed = try removeFromCopies(event)
        backUp(at: moment)
        return Service.Erase.Reply(removed: removed.isEmpty ? nil : removed, practice: plan.link?.practice)
    }

    /// Carries out in the copies what the history has erased. Returns the replaced histories that one task's words could not
    /// be erased from, and that were removed therefore.
    @discardableResult private func removeFromCopies(_ erasure: Event) throws(HistoryError) -> [String] {
        let path = sources.historyPath
        do {
            try spareBackups.removeAll()
            guard case .erased(let id?) = erasure.what else {
                try backups.removeAll()
                return []
            }
            return try History.erase(id, fromCopiesOf: path, noting: erasure)
        } catch {
            throw .inDoubt(reason: HistoryError(error, path: path).description)
        }
    }

    private func eraseEverything(by actor: Actor, at moment: Moment) throws {
        for copies in [backups, spareBackups] { try copies.checkErasable() }
        try History.checkErasable(sources.historyPath)
        let event = Event(moment: moment, actor: actor, client: user, what: .erased(nil))
        try replaceHistory(at: moment) {
            () throws(HistoryError) in try History.beginAnew(at: sources.historyPath, noting: event)
        }
        try removeFromCopies(event)
    }

    /// Closes the history, lets `deed` put another in its place, and opens the one that is there afterwards.
    ///
    /// - Parameter plan: the other history's plan, if it is known.
    private func replaceHistory(
        at moment: Moment, knowing plan: Plan? = nil, _ deed: () throws(HistoryError) -> Void
    ) throws(HistoryError) {
        try? recording.history?.close()  // A failure costs nothing: the file is kept aside as it is, or erased.
        recording.history = nil
        do throws(HistoryError) { try deed() } catch {
            reopenHistory(after: error, at: moment)
            throw error
        }
        beginAnew(at: moment, knowing: plan)
    }

    /// Opens the history again after a failure. Unless the failure is in doubt, the old plan is shown until that succeeds.
    private func reopenHistory(after error: HistoryError, at moment: Moment) {
        if case .inDoubt = error { return beginAnew(at: moment) }
        recording.history = nil
        outlook = nil
        openHistory(at: moment)
    }

    /// Forgets everything that was read, and begins with the present history, as after a start.
    private func beginAnew(at moment: Moment, knowing known: Plan? = nil) {
        plan = Plan()
        knowsPlan = false
        guideIsLost = true
        outbox = Outbox()
        scheduleLook = .due(.ifNew)
        outlook = nil
        recording.history = nil
        backupProblem = nil
        openHistory(at: moment, knowing: known)
    }

    func complaint(of error: HistoryError) -> String {
        let advice = error.isDamage ? Sentences.howToRestore(from: backups.nights.last) : ""
        return "\(error.description). Daybreak carries on without recording\(advice)"
    }

    private var backups: Backups { Backups(of: sources.historyPath) }
    private var spareBackups: Backups { Backups(in: sources.spareFolder) }

    /// Makes this night's copy, and removes the oldest. If the history differs from its last copy, one of the two is damaged:
    /// that is reported, and neither is touched. False if it is to be tried again later.
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
        // A night's copy sweeps the folder in which the history that is to be restored is prepared.
        guard !isRestoring, let history = recording.history else { return false }
        do {
            try history.check()
            if let last = backups.nights.last, let fault = try fault(of: last, beside: history) {
                backupFailed(fault, .error)
                return false
            }
            try history.backUp(to: try backups.path("night-\(moment.wall.day).db"))
            for copies in [backups, spareBackups] { copies.removeOld(on: "\(moment.wall.day)") }
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

    /// The reason why the copy is not the beginning of the history, which was found sound; nil if it is.
    private func fault(of copy: String, beside history: History) throws(HistoryError) -> String? {
        do {
            guard let event = try history.firstDifference(from: copy) else { return nil }
            let erasures = try history.erasures(since: copy)
            guard !erasures.isEmpty else { return Sentences.historyDiffers(from: copy, at: event) }
            for erasure in erasures { try removeFromCopies(erasure) }  // An interrupted erasure has left them.
            return nil
        } catch  where error.isDamage {
            return Sentences.copyIsDamaged(copy)
        }
    }

    private func backupFailed(_ reason: String, _ severity: Severity, saying sentence: String? = nil) {
        if backupProblem != reason { host.say(severity, sentence ?? reason) }
        backupProblem = reason
    }
}
