import DaybreakInterfaces
import Files
import HomeworkHistory
import HomeworkRules
import Time
import Varlink

/// An operation on the history as a whole. One is carried out at a time; the others wait.
enum Maintenance {
    case backup
    case export
    /// Returns the folder of the backups and exports.
    case storageFolder
    /// Restores the file with this name in that folder.
    case restore(String)
    case erase(Words)
    /// Looks for faults. `reply`: `isSound` is true if the history was found to be sound.
    case diagnose(reply: (_ isSound: Bool) -> [UInt8])
    /// Makes this night's copy. The daemon itself asks for it; the answer is an error if it is to be tried again.
    case night
    /// The end of an operation whose work beside the loop is done.
    indirect case finish(Maintenance, Finding)

    /// The words that are erased.
    enum Words {
        /// The mood and the notes of one assignment.
        case task(AssignmentID)
        /// The notes for the next session.
        case talkingPoints
        case everything
    }

    /// The result of the work beside the loop.
    enum Finding: Sendable {
        case copied(to: String)
        /// A file that can take the history's place.
        case prepared(PreparedHistory)
        /// The copies are erased as was asked. removed: replaced histories that could not be erased in part.
        case erasedFromCopies(removed: [String])
        case sound
        case nightMade
        /// An index of the history is damaged, and has to be made anew before the night's copy.
        case indexesDiffer
        /// The history differs from its last copy, or that is damaged: the reason, as a sentence.
        case nightDiffers(String)
        case failed(any Error)
    }

    /// True if a failed operation may have taken effect all the same.
    var isChange: Bool {
        switch self {
        case .restore, .erase: true
        case .backup, .export, .storageFolder, .diagnose, .night: false
        case .finish(let begun, _): begun.isChange
        }
    }

    /// The refusal if the folder of the copies is not private or cannot be used, or too many operations wait.
    func refusal(_ reason: String) -> any ErrorReply {
        switch self {
        case .backup, .export: Service.CannotCopy(reason: reason)
        case .storageFolder, .restore: Service.CannotRestore(reason: reason)
        case .erase: Service.CannotErase(reason: reason)
        case .diagnose, .night: Homework.StorageUnavailable(reason: reason)
        case .finish(let begun, _): begun.refusal(reason)
        }
    }
}

extension Daemon {
    /// Carries out a job's maintenance, before anything else of its turn; nil if it has none.
    func maintain(_ job: Job, at moment: Moment) -> Answer? {
        guard let what = job.maintenance else { return nil }
        do {
            return try carryOut(what, for: job, at: moment)
        } catch HistoryError.inDoubt(let reason) where what.isChange {
            return .error(frame(for: Homework.StorageUnavailable(reason: reason, inDoubt: true)))
        } catch let fault as FileError {
            return .error(frame(for: what.refusal(fault.description)))
        } catch {
            return .error(frame(for: error))
        }
    }

    private func carryOut(_ what: Maintenance, for job: Job, at moment: Moment) throws -> Answer {
        switch what {
        case .storageFolder: return .reply(Reply.frame(Service.GetStorage.Reply(folder: try backups.make())))
        case .diagnose(let reply) where recording.history == nil: return .reply(reply(false))
        case .finish(.night, let finding): return note(night: finding, at: moment)
        case .backup, .export, .restore, .erase, .diagnose, .night:
            // As a call that was not read when its client disconnected.
            guard job.isAwaited() else { return .reply([]) }
            guard waiting == nil else { return try wait(for: job, what) }
            return try begin(what, for: job, at: moment)
        case .finish(_, .copied(let path)): return .reply(Reply.frame(Service.Backup.Reply(file: path)))
        case .finish(_, .prepared(let file)):
            guard job.isAwaited() else {
                backups.removeDraft(File.name(in: file.path))
                return .reply([])
            }
            return .reply(Reply.frame(try restore(file, by: job.actor, at: moment)))
        case .finish(.erase(.everything), .erasedFromCopies):
            return .reply(Reply.frame(try eraseEverything(at: moment)))
        case .finish(_, .erasedFromCopies(let removed)):
            if backups.nights.isEmpty { try beginNight(at: moment) } else { noteBackup() }
            let removed = removed.isEmpty ? nil : removed
            return .reply(Reply.frame(Service.Erase.Reply(removed: removed, practice: plan.link?.practice)))
        case .finish(.diagnose(let reply), let finding):
            if case .sound = finding { return .reply(reply(true)) }
            return .reply(reply(false))
        case .finish(_, .failed(let error)):
            if let fault = error as? HistoryError, fault.isDamage { try stopRecordingIfDamaged() }
            throw error
        case .finish(_, .sound), .finish(_, .nightMade), .finish(_, .nightDiffers), .finish(_, .indexesDiffer):
            preconditionFailure("A finding of another operation.")
        }
    }

    /// How many operations may wait, because the last one waits for all of them, and each copy takes room on the disk. A person
    /// has one or two.
    static let longestQueue = 16

    private func wait(for job: Job, _ what: Maintenance) throws -> Answer {
        guard waiting?.count(where: { $0.isAwaited() }) ?? 0 < Self.longestQueue else {
            throw what.refusal(Sentences.tooMuchWaits)
        }
        waiting?.append(job)
        return .later
    }

    /// Looks again, because a log that is being written may look damaged to another thread.
    private func stopRecordingIfDamaged() throws {
        do { try recording.history?.check() } catch {
            noteDamage(in: error)
            throw error
        }
    }

    private func begin(_ what: Maintenance, for job: Job, at moment: Moment) throws -> Answer {
        let path = sources.historyPath
        let work: @Sendable () -> Maintenance.Finding
        switch what {
        case .backup: work = try copy(asText: false, at: moment)
        case .export: work = try copy(asText: true, at: moment)
        case .restore(let file):
            guard file.hasPrefix("restore-"), !file.hasSuffix(Backups.draftsLog), !file.contains("/") else {
                throw InvalidParameter(parameter: "file")
            }
            let candidate = try backups.path(file)
            work = {
                do throws(HistoryError) { return .prepared(try History.prepare(candidate)) } catch {
                    return .failed(Service.CannotRestore(reason: error.description))
                }
            }
        case .diagnose:
            work = {
                do throws(HistoryError) {
                    try History.check(at: path)
                    return .sound
                } catch {
                    return .failed(error)
                }
            }
        case .erase(let words): work = try erase(words, by: job.actor, at: moment)
        case .night:
            do { work = try night(at: moment) } catch {
                return try carryOut(.finish(.night, .failed(error)), for: job, at: moment)
            }
        case .storageFolder, .finish: preconditionFailure("It is carried out at once.")
        }
        return try beside(what, job, at: moment, work)
    }

    /// Makes the night's copy that an erasure could not make. It is tried again later if it fails.
    private func beginNight(at moment: Moment) throws {
        var job = Job.night(user: user)
        job.deliver = { [unowned self] answer in if case .error = answer { nightFailed() } }
        let answer = try begin(.night, for: job, at: moment)
        if !answer.isLater { job.deliver(answer) }
    }

    /// Lets work on files that takes seconds in a long history be done beside the loop. A later turn answers the job, and
    /// carries out the maintenance that waited for it. If no thread can be had, everybody waits for the work.
    private func beside(
        _ what: Maintenance, _ job: Job, at moment: Moment, _ work: @escaping @Sendable () -> Maintenance.Finding
    ) throws -> Answer {
        do {
            try host.beside(work) { [unowned self] finding in
                let next = waiting ?? []
                waiting = nil
                let finish = Job(
                    actor: job.actor, action: .maintain(.finish(what, finding)), deliver: job.deliver,
                    isAwaited: job.isAwaited)
                turn([finish] + next)
            }
        } catch {
            return try carryOut(.finish(what, work()), for: job, at: moment)
        }
        waiting = []
        return .later
    }

    /// The work of copying the history, into a folder from which the client takes the copy, because the daemon may write
    /// nowhere else. While the disk of the history is full, that is another folder. If that fails, too, the first failure is
    /// reported.
    private func copy(asText: Bool, at moment: Moment) throws -> @Sendable () -> Maintenance.Finding {
        let name = "asked-\(moment.instant.microseconds)" + (asText ? ".jsonl" : ".db")
        let (history, spareFolder, last) = (sources.historyPath, sources.spareFolder, recording.history?.eventCount)
        let makeCopy: @Sendable () throws -> String
        do {
            let path = try backups.path(name)
            guard let open = recording.history, let last else { throw storageUnavailable }
            try open.makeReady()
            makeCopy = {
                try History.copy(history, through: last, asText: asText, to: path)
                return path
            }
        } catch {
            if recording.isDamaged { throw error }
            makeCopy = { throw error }
        }
        return {
            do { return .copied(to: try makeCopy()) } catch let first {
                if (first as? HistoryError)?.isDamage == true { return .failed(first) }
                if let fault = first as? FileError, fault.number == nil { return .failed(first) }
                do {
                    let path = try Backups(in: spareFolder).path(name)
                    try History.copyThroughMemory(history, through: last, asText: asText, to: path)
                    return .copied(to: path)
                } catch {
                    return .failed(first)
                }
            }
        }
    }

    private func restore(
        _ prepared: PreparedHistory, by actor: Actor, at moment: Moment
    ) throws -> Service.Restore.Reply {
        var prepared = prepared
        let events = prepared.eventCount
        let (what, change) = prepared.plan.keepingLink(of: knowsPlan ? plan : nil)
        do throws(HistoryError) {
            try prepared.record(what.map { Event(moment: moment, actor: actor, client: user, what: $0) })
        } catch {
            throw Service.CannotRestore(reason: error.description)
        }
        let aside = try backups.replacedPath(on: "\(moment.wall.day)", at: moment.instant.microseconds)
        let unfinished = UnfinishedErasures(of: sources.historyPath)
        do { try unfinished.settle() } catch {
            throw Service.CannotRestore(reason: HistoryError(error, path: unfinished.path).description)
        }
        var kept: String?
        try replaceHistory(at: moment, knowing: prepared.plan) {
            () throws(HistoryError) in
            kept = try History.replace(sources.historyPath, with: prepared, keepingAs: aside)
        }
        return Service.Restore.Reply(events: events, kept: kept ?? "", link: change.map(Sentences.restored))
    }

    /// Erases the words from the history. Returns the work of erasing them from the copies. If everything is to be
    /// erased, the work makes the next history and removes the copies, and the history follows.
    private func erase(
        _ words: Maintenance.Words, by actor: Actor, at moment: Moment
    ) throws -> @Sendable () -> Maintenance.Finding {
        let what: Happening
        var isEverything = false
        switch words {
        case .task(let id):
            guard recording.history != nil else { throw storageUnavailable }
            guard plan.agenda[id] != nil || plan.progress[id] != nil else { throw Refusal.noSuchAssignment(id) }
            what = .erased(id)
        case .talkingPoints:
            guard recording.history != nil else { throw storageUnavailable }
            what = .talkingPointsErased
        case .everything:
            // The copies go first, and would be gone in vain.
            if recording.history == nil { try History.checkFree(sources.historyPath) }
            (what, isEverything) = (.erased(nil), true)
        }
        let (path, spareFolder) = (sources.historyPath, sources.spareFolder)
        let event = Event(moment: moment, actor: actor, client: user, what: what)
        for copies in [backups, spareBackups] { try copies.checkErasable() }
        if isEverything { try History.checkErasable(path) } else { try eraseFromHistory(noting: event) }
        return { [isEverything] in
            do throws(HistoryError) {
                if isEverything {
                    try History.prepareAnew(at: path, noting: event)
                    try Self.removeFromCopies(event, of: path, spareFolder)
                    return .erasedFromCopies(removed: [])
                }
                let removed = try Self.finishErasures(of: path, spareFolder, noting: event)
                Self.copyNight(of: path, on: moment.wall.day)
                return .erasedFromCopies(removed: removed)
            } catch {
                return .failed(error)
            }
        }
    }

    private func eraseFromHistory(noting event: Event) throws(HistoryError) {
        let unfinished = UnfinishedErasures(of: sources.historyPath)
        var before: [UnfinishedErasure]?
        do throws(HistoryError) {
            guard let history = recording.history else { throw .unavailable(reason: "The history cannot be had") }
            // The nights are removed afterwards, and may be the last sound copies of a damaged history.
            try history.check()
            before = try Self.note(UnfinishedErasure(event.what, number: history.eventCount + 1), in: unfinished)
            if case .erased(let id?) = event.what {
                // Notes that were written after its session wait for the next one.
                let isOpen =
                    rules.outlook(plan, at: event.moment).open?.id == id && plan.progress[id]?.sessionLeft != true
                try history.erase(id, isOpen: isOpen, noting: event)
            } else {
                try history.eraseTalkingPoints(noting: event)
            }
            plan.apply([event])
        } catch {
            let error = before.map { Self.takeBack(unfinished, to: $0, after: error) } ?? error
            if error.isDamage { failed(error, at: event.moment) }
            reopenHistory(after: error, at: event.moment)
            throw error
        }
    }

    /// Erases everything, once the copies are removed.
    private func eraseEverything(at moment: Moment) throws(HistoryError) -> Service.EraseEverything.Reply {
        let practice = plan.link?.practice
        try replaceHistory(at: moment) {
            () throws(HistoryError) in try History.beginAnew(at: sources.historyPath)
        }
        linkReport.forget()
        // No copy is left. If it stays, the next night removes it.
        try? UnfinishedErasures(of: sources.historyPath).replace(with: [])
        return Service.EraseEverything.Reply(practice: practice)
    }

    /// Closes the history, lets `deed` put another in its place, and opens the one that is there afterwards.
    ///
    /// - Parameter plan: the other history's plan, if it is known.
    private func replaceHistory(
        at moment: Moment, knowing plan: Plan? = nil, _ deed: () throws(HistoryError) -> Void
    ) throws(HistoryError) {
        try? recording.history?.close()  // A failure costs nothing: the file is kept aside as it is, or erased.
        recording.close()
        do throws(HistoryError) { try deed() } catch {
            reopenHistory(after: error, at: moment)
            throw error
        }
        beginAnew(at: moment, knowing: plan)
    }

    /// Opens the history again after a failure. Unless the failure is in doubt, the old plan is shown until that succeeds.
    private func reopenHistory(after error: HistoryError, at moment: Moment) {
        if case .inDoubt = error { return beginAnew(at: moment) }
        recording.close()
        outlook = nil
        openHistory(at: moment)
    }

    /// Forgets everything that was read, and begins with the present history, as after a start.
    private func beginAnew(at moment: Moment, knowing known: Plan? = nil) {
        forgetPlan()
        guideIsLost = true
        outbox = Outbox()
        scheduleLook = .due(.ifNew)
        outlook = nil
        recording.close()
        backupProblem = nil
        openHistory(at: moment, knowing: known)
    }

    func complaint(of error: HistoryError) -> String {
        let advice = error.isDamage ? Sentences.howToRestore(from: backups.nights.last) : ""
        return "\(error.description). Daybreak carries on without recording\(advice)"
    }

    var backups: Backups { Backups(of: sources.historyPath) }
    private var spareBackups: Backups { Backups(in: sources.spareFolder) }
}
