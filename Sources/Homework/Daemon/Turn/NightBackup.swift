import Files
import HomeworkHistory
import HomeworkRules
import Systemd
import Time

// The copy of the history that is made every night.
extension Daemon {
    /// Makes this night's copy beside the loop, and removes the oldest. If the history differs from its last copy, one of the
    /// two is damaged: that is reported, and neither is touched.
    ///
    /// - Parameter then: called once; with false if it is to be tried again later.
    func backUp(_ then: @escaping (_ isDone: Bool) -> Void) {
        var job = Job.night(user: user)
        job.deliver = { answer in if case .reply = answer { then(true) } else { then(false) } }
        turn([job])
    }

    /// The work of making a night's copy of all that is recorded now. An interrupted erasure is finished first.
    func night(at moment: Moment) throws -> @Sendable () -> Maintenance.Finding {
        guard let open = recording.history else { throw storageUnavailable }
        try open.makeReady()
        let (history, spareFolder, last) = (sources.historyPath, sources.spareFolder, open.eventCount)
        let day = moment.wall.day
        let night = try backups.path("night-\(day).db")
        let finished = Event(
            moment: moment, actor: Actor(user: user, isDaemon: true), client: user, what: .talkingPointsErased)
        return {
            do {
                try History.check(at: history)
                guard try History.areIndexesSound(at: history) else { return .indexesDiffer }
                try Self.finishErasures(of: history, spareFolder, noting: finished)
                let backups = Backups(of: history)
                if let copy = try backups.newestNight(),
                    let fault = try Self.fault(of: copy, beside: history, spareFolder)
                {
                    return .nightDiffers(fault)
                }
                try History.copy(history, through: last, asText: false, to: night)
                let now = try File.written(night)
                for copies in [backups, Backups(in: spareFolder)] { copies.removeOld(on: "\(day)", at: now) }
                return .nightMade
            } catch {
                return .failed(error)
            }
        }
    }

    func note(night finding: Maintenance.Finding, at moment: Moment) -> Answer {
        let before = [recording.problem, backupProblem]
        defer { if [recording.problem, backupProblem] != before { outlook = nil } }
        switch finding {
        case .nightMade:
            noteBackup()
            return .reply([])
        case .nightDiffers(let reason): backupFailed(reason, .error)
        case .indexesDiffer: mendIndexes(at: moment)
        // Without a history, its own problem says enough.
        case .failed where recording.history == nil: break
        case .failed(let fault):
            noteFailure(of: HistoryError(fault, path: sources.historyPath), at: moment)
        case .copied, .prepared, .erasedFromCopies, .sound: preconditionFailure("A finding of another operation.")
        }
        return .error([])
    }

    /// The copy is made at the next try.
    private func mendIndexes(at moment: Moment) {
        do throws(HistoryError) {
            guard try recording.history?.mendIndexes() == true else { return }
            host.say(.warning, "An index of the history did not list all of its events; it was made anew.")
        } catch {
            noteFailure(of: error, at: moment)
        }
    }

    /// Looks again at damage, because a log that is being written may look damaged to another thread.
    private func noteFailure(of night: HistoryError, at moment: Moment) {
        if night.isDamage {
            do { try recording.history?.check() } catch { return failed(error, at: moment) }
        }
        let reason = "No backup could be made: \(night)"
        backupFailed(reason, .warning, saying: "\(reason), carrying on")
    }

    func noteBackup() {
        if backupProblem != nil { host.say(.notice, "A backup could be made again.") }
        backupProblem = nil
    }

    /// The reason why the copy is not the beginning of the history at that path, which was found sound; nil if it is.
    private static func fault(
        of copy: String, beside path: String, _ spareFolder: String
    ) throws(HistoryError) -> String? {
        do {
            guard let event = try History.firstDifference(of: path, from: copy) else { return nil }
            let erasures = try History.erasures(of: path, since: copy)
            guard !erasures.isEmpty else { return Sentences.historyDiffers(from: copy, at: event) }
            for erasure in erasures {  // An interrupted erasure has left them.
                try removeFromCopies(erasure, of: path, spareFolder)
            }
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
