import DaybreakInterfaces
import HomeworkHistory
import HomeworkRules
import Systemd
import Time
import Varlink

/// The parts joined: decides what each turn of the loop brings, records it, and only then shows it.
///
/// Deliberately not `Sendable`: the compiler keeps it on the loop's thread.
final class Daemon {
    let host: Host
    let sources: Sources
    let user: UInt32

    private(set) var configuration: Configuration
    private(set) var rules: Rules
    var plan = Plan()
    var recording = Recording.unopened
    /// The plan is that of the history, which may be unavailable meanwhile.
    var knowsPlan = false
    /// Why the last night has no backup, while that is so.
    var backupProblem: String?
    /// A problem that does not stop recording.
    var lesserProblem: String? { scheduleProblem(plan) ?? backupProblem }
    /// Events that could not be recorded in this turn may be in the history all the same.
    var isInDoubt = false

    /// What was said of a configuration that is refused: the same again is no news.
    private var saidOfConfiguration: String?

    /// Nobody is being guided any more, and that is not recorded yet: no breath counts.
    var guideIsLost = true
    var scheduleLook: ScheduleLook? = .ifNew
    var scheduleReport = ScheduleFileReport()
    /// When the schedule's file, which could not be read, is tried again.
    var scheduleRetryAt: SteadyInstant?
    var outbox = Outbox()

    /// Nil where it is to be shown anew in any case.
    var outlook: Outlook?
    private var status: StatusReplies?
    /// The reminders that still called for something when the outlook was last shown.
    private var currentReminders: [GivenReminder] = []
    /// Others can read it. Where not, that is tried again.
    private var isPublished = true
    /// Hears what was shown, for those who watch.
    var audience: (TurnResult) -> Void = { _ in }

    /// Where the daemon reads from.
    struct Sources {
        let historyPath: String
        /// For copies while the disk of the history takes nothing more.
        let spareFolder: String
        let openHistory: () throws(HistoryError) -> History
        let loadConfiguration: () throws(ConfigurationError) -> Configuration
        /// `.known` where its text has that fingerprint.
        let readSchedule: (PatternBook, _ known: Fingerprint?) -> ScheduleFile
    }

    /// How the schedule file is to be looked at; what is found counts once it is recorded.
    enum ScheduleLook {
        /// What is known already is left alone.
        case ifNew
        /// The same text may mean something else by now. Only what an import has replaced since is left alone.
        case anyway
    }

    /// How long to leave a history alone that could not be opened or written.
    static let retryAfter = Duration.seconds(30)

    init(host: Host, sources: Sources, configuration: Configuration, user: UInt32) {
        self.host = host
        self.sources = sources
        self.configuration = configuration
        self.user = user
        rules = Rules(settings: configuration.settings)
    }

    /// One turn: decide, record, apply, show. `isWake` is true if time may have brought something without any job.
    ///
    /// The first turn that can be recorded reads the history and the schedule file.
    func turn(_ requested: [Job], isWake: Bool = false) {
        // Before the clock: when a day begins is a setting.
        let fault = requested.contains(where: \.isReload) ? reload() : nil
        let hasCommands = requested.contains { !$0.isLook }
        let moment = host.now()
        let mayTry = hasCommands || recording.retryAt.map { $0 <= moment.steady } ?? true
        if recording.history == nil, mayTry { openHistory(at: moment) }
        var maintained = requested.compactMap { maintain($0, at: moment) }[...]
        var unrecorded = UnrecordedPlan(plan: plan, moment: moment, user: user)
        unrecorded.begin(with: guideIsLost ? .wakeUp : .lookAtClock, by: rules)
        let jobs = (mayTry ? scheduleJobs(at: moment) : []) + requested
        let answers = jobs.map {
            $0.maintenance.flatMap { _ in maintained.popFirst() } ?? carryOut($0, on: &unrecorded, fault)
        }
        unrecorded.note(sent: outbox.sent, by: rules)
        let recorded = mayTry && record(unrecorded.events, at: moment)
        settle(requested, unrecorded, recorded)
        let news = recorded ? unrecorded.events : []
        let shown = isWake || hasCommands || outlook == nil || !news.isEmpty ? show(news, at: moment) : nil
        // A client that has its answer finds the status file up to date; a watching client gets its first reply first.
        for (job, answer) in zip(jobs, answers) {
            job.deliver(recorded || job.maintenance != nil ? answer : answerUnrecorded(job, at: moment))
        }
        if let shown { audience(shown) }
    }

    /// The last that is done with the history: that what was sent was sent is recorded, and need not be looked for.
    func close() throws(HistoryError) {
        let moment = host.now()
        let actor = Actor(user: user, isDaemon: true)
        let marks = outbox.sent.map { Event(moment: moment, actor: actor, client: user, what: .reminderSent($0)) }
        do { try recording.history?.record(marks) } catch {
            host.say(.error, "\(error.description); the next start looks for what was sent")
        }
        try recording.history?.close()
    }
}

// Deciding.
extension Daemon {
    /// `fault`: why the configuration, which is to be read again, stays as it was.
    private func carryOut(_ job: Job, on unrecorded: inout UnrecordedPlan, _ fault: ConfigurationError?) -> Answer {
        do {
            var news: [Event] = []
            switch job.action {
            case .look, .maintain: break
            case .command(let command): news = try unrecorded.carryOut(command, by: rules, actor: job.actor)
            case .reload:
                if let fault { throw fault }
                if let reason = scheduleNotTaken(unrecorded.plan) { throw Service.ScheduleNotTaken(reason: reason) }
            }
            guard knowsPlan || !job.needsHistory else { throw storageUnavailable }
            var snapshot = snapshot(of: unrecorded.plan, at: unrecorded.moment, isNew: !unrecorded.events.isEmpty)
            snapshot.news = news
            snapshot.unrecorded = unrecorded.events
            return .reply(try job.reply(snapshot))
        } catch {
            return refusal(for: error)
        }
    }

    /// The configuration, and with it the schedule. On an error, which is told, the last good ones stay.
    private func reload() -> ConfigurationError? {
        do {
            configuration = try sources.loadConfiguration()
            rules.settings = configuration.settings
            scheduleLook = .anyway
            scheduleRetryAt = nil
            saidOfConfiguration = nil
            return nil
        } catch {
            let reason = "\(error) The configuration before stays in force."
            if reason != saidOfConfiguration { host.say(.error, reason) }
            saidOfConfiguration = reason
            return error
        }
    }

    /// The reply where the turn could not be recorded: nothing was done, and what is seen is as before.
    private func answerUnrecorded(_ job: Job, at moment: Moment) -> Answer {
        do {
            guard case .look = job.action else { throw storageUnavailable }
            guard knowsPlan || !job.needsHistory else { throw storageUnavailable }
            return .reply(try job.reply(snapshot(of: plan, at: moment, isNew: true)))
        } catch {
            return .error(frame(for: error))
        }
    }

    /// What is true from now on, or is still to be recorded.
    private func settle(_ requested: [Job], _ unrecorded: UnrecordedPlan, _ recorded: Bool) {
        if recorded {
            plan = unrecorded.plan
            guideIsLost = false
            if scheduleReport.trouble == nil { scheduleLook = nil }
            if !unrecorded.events.isEmpty { outbox.forget() }
        } else if requested.contains(where: \.isLossOfGuide) {
            guideIsLost = true
        }
    }

    var storageUnavailable: Homework.StorageUnavailable {
        Homework.StorageUnavailable(
            reason: recording.problem ?? "The history cannot be had.", inDoubt: isInDoubt ? true : nil)
    }

    private func snapshot(of plan: Plan, at moment: Moment, isNew: Bool) -> Snapshot {
        Snapshot(
            plan: plan, rules: rules, moment: moment, spelling: host.spelling(), configuration: configuration,
            problem: recording.problem, lesserProblem: scheduleProblem(plan) ?? backupProblem,
            scheduleProblem: scheduleProblem(plan), shownStatus: isNew ? nil : status,
            history: recording.history,
            scheduleFile: { [sources, configuration] in
                sources.readSchedule(configuration.patterns, plan.scheduleFile)
            })
    }
}

// Showing.
extension Daemon {
    private func show(_ events: [Event], at moment: Moment) -> TurnResult {
        let reminders = events.compactMap { event in
            if case .reminded(let reminder) = event.what { (reminder, event.moment) } else { nil }
        }
        if recording.history != nil { outbox.settleDoubts(plan, rules, reminders.map(\.0), at: moment, by: host) }
        outbox.give(reminders, by: host)
        let now = rules.outlook(plan, at: moment)
        let changed = publish(now, at: moment)
        outlook = now
        wake(for: now, at: moment)
        let current = now.currentReminders(of: plan)
        defer { currentReminders = current }
        return TurnResult(
            snapshot: snapshot(of: plan, at: moment, isNew: false), statusChanged: changed,
            currentChanged: current != currentReminders, reminders: reminders,
            eventCount: events.count, dayBegan: events.contains { if case .dayBegan = $0.what { true } else { false } })
    }

    /// True where anybody would see a difference.
    private func publish(_ now: Outlook, at moment: Moment) -> Bool {
        let fresh = Homework.Status(
            now, of: plan, by: rules.settings, at: moment, problem: recording.problem ?? lesserProblem, host.spelling())
        let isNew = !(outlook?.looks(like: now) == true && status?.status.says(what: fresh) == true)
        guard isNew || !isPublished else { return false }
        if isNew { status = StatusReplies(fresh) }
        isPublished = host.publish(fresh)
        return isNew
    }

    private func wake(for outlook: Outlook, at moment: Moment) {
        let wall = outlook.wake.next(after: moment.instant, host.spelling())
        let again = isPublished ? nil : moment.steady + Self.retryAfter
        host.wake(
            wall,
            [outlook.wake.steady, recording.retryAt, scheduleRetryAt, again].compactMap { $0 }.filter {
                $0 > moment.steady
            }.min()
        )
    }
}
