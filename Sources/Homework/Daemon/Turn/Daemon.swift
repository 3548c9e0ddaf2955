import DaybreakInterfaces
import HomeworkHistory
import HomeworkRules
import Systemd
import Time
import Varlink

/// The homework daemon: in each turn of the loop it decides, records, and only then shows.
///
/// Deliberately not `Sendable`: the compiler keeps it on the loop's thread.
final class Daemon {
    let host: Host
    let sources: Sources
    let user: UInt32

    private(set) var configuration: Configuration
    private(set) var rules: Rules
    /// The plan of the history, as it was last read; nil until then.
    private var knownPlan: Plan?
    var plan: Plan {
        get { knownPlan ?? Plan() }
        set { knownPlan = newValue }
    }
    var knowsPlan: Bool { knownPlan != nil }
    func forgetPlan() { knownPlan = nil }
    var recording = Recording()
    /// The reason why no backup of the last night could be made; nil if one was.
    var backupProblem: String?
    /// A problem that does not stop recording.
    func lesserProblem(_ plan: Plan) -> String? { scheduleProblem(plan) ?? backupProblem ?? plan.link?.problem }
    /// The maintenance that waits for the end of the work beside the loop, oldest first; nil while there is no such work.
    var waiting: [Job]?

    /// The logged sentence about a refused configuration. The same sentence is not logged twice.
    private var loggedConfigurationFault: String?

    /// The guide has disconnected, which is not recorded yet. No breath counts from then on.
    var guideIsLost = true
    var scheduleLook = ScheduleLook.due(.ifNew)
    var scheduleReport = ScheduleFileReport.nothing
    var outbox = Outbox()
    var linkReport = LinkReport()

    /// The outlook that was shown last. Nil makes the next turn show it again, changed or not.
    var outlook: Outlook?
    private var status: StatusReplies?
    /// The reminders that still called for something when the outlook was last shown.
    private var currentReminders: [GivenReminder] = []
    /// The last status was written to its file. If not, it is tried again.
    private var isPublished = true
    /// Called when the night's copy that follows an erasure has failed, and is to be tried again.
    var nightFailed: () -> Void = {}
    /// Called after each turn that showed something.
    var audience: (TurnResult) -> Void = { _ in }

    /// The daemon's files.
    struct Sources {
        let historyPath: String
        /// The folder for copies while the disk of the history is full.
        let spareFolder: String
        /// Opens the history. mayMake: a missing one is made. known: how many events were recorded; fewer are damage.
        let openHistory: (_ mayMake: Bool, _ known: Int) throws(HistoryError) -> History
        let loadConfiguration: () throws(ConfigurationError) -> Configuration
        /// Returns `.known` if the text has that fingerprint.
        let readSchedule: (PatternBook, _ known: Fingerprint?) -> ScheduleFile
    }

    /// The next look at the schedule file.
    enum ScheduleLook {
        /// It is repeated until its result is recorded; after the file could not be read, at that time.
        case due(Thoroughness, retryAt: SteadyInstant? = nil)
        /// The result of the last one is recorded.
        case done
        /// The file was not looked at, because the practice's schedule counts.
        case passedOver

        enum Thoroughness {
            /// Parse the file unless its text is known.
            case ifNew
            /// Parse the file even if its text is known, because other settings may give it another meaning. If an import has
            /// replaced the file's schedule, the known text is still skipped.
            case anyway
        }
    }

    /// The pause after a failure to open or write the history.
    static let retryAfter = Duration.seconds(30)

    init(host: Host, sources: Sources, configuration: Configuration, user: UInt32) {
        self.host = host
        self.sources = sources
        self.configuration = configuration
        self.user = user
        rules = Rules(settings: configuration.settings)
    }

    /// One turn: decide, record, apply, show. `isWake` is true if time alone may have caused events.
    ///
    /// The first turn that can be recorded reads the history and the schedule file.
    func turn(_ requested: [Job], isWake: Bool = false) {
        // Before the clock is read, because the beginning of days is a setting.
        let fault = requested.contains(where: \.isReload) ? reload() : nil
        let hasCommands = requested.contains { !$0.isLook }
        let moment = host.now()
        let mayTry = hasCommands || recording.retryAt.map { $0 <= moment.steady } ?? true
        if recording.history == nil, mayTry { openHistory(at: moment) }
        var maintained = requested.compactMap { maintain($0, at: moment) }[...]
        var unrecorded = UnrecordedPlan(plan: plan, moment: moment, user: user)
        // A daemon that was stopped for a while, or a slow one, hears late that the guide left.
        let noBreathCounts = guideIsLost || requested.contains(where: \.isLossOfGuide)
        unrecorded.begin(with: noBreathCounts ? .wakeUp : .lookAtClock, by: rules)
        if let surveys = linkReport.surveys { unrecorded.begin(with: .lookAtSurveys(surveys), by: rules) }
        // A task that the file dropped while the clock was years ahead counted as missed, and was kept.
        if unrecorded.tookDayBack { scheduleLook = .due(.anyway) }
        let jobs = (mayTry ? scheduleJobs(at: moment) : []) + requested
        let answers = jobs.map {
            $0.maintenance.flatMap { _ in maintained.popFirst() } ?? carryOut($0, on: &unrecorded, fault)
        }
        unrecorded.note(sent: outbox.sent, by: rules)
        let record = mayTry ? record(unrecorded.events, at: moment) : .refused
        let recorded = record == .recorded
        settle(requested, unrecorded, recorded)
        remember(zip(jobs, answers), recorded)
        let news = recorded ? unrecorded.events : []
        let shown = isWake || hasCommands || outlook == nil || !news.isEmpty ? show(news, at: moment) : nil
        // The status file is up to date before any answer is sent. A watching client gets its first reply before the changes.
        for (job, answer) in zip(jobs, answers) where !answer.isLater {
            job.deliver(recorded || job.maintenance != nil ? answer : answerUnrecorded(job, record, at: moment))
        }
        if let shown { audience(shown) }
    }

    /// Records which reminders were sent, so that the next start need not look for them in the journal, and closes the history.
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

extension Daemon {
    /// - Parameter fault: why the new configuration was refused; nil if it was taken or not read.
    private func carryOut(_ job: Job, on unrecorded: inout UnrecordedPlan, _ fault: ConfigurationError?) -> Answer {
        do {
            var news: [Event] = []
            try job.check(snapshot(of: unrecorded.plan, at: unrecorded.moment, isNew: true))
            switch job.action {
            case .look, .maintain, .remember: break
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

    /// Reads the configuration, and marks the schedule to be read. On an error, which is logged, the old ones stay in force.
    private func reload() -> ConfigurationError? {
        do {
            configuration = try sources.loadConfiguration()
            rules.settings = configuration.settings
            scheduleLook = .due(.anyway)
            loggedConfigurationFault = nil
            return nil
        } catch {
            let reason = "\(error) The configuration before stays in force."
            if reason != loggedConfigurationFault { host.say(.error, reason) }
            loggedConfigurationFault = reason
            return error
        }
    }

    /// The answer of a turn that could not be recorded: commands were not carried out, and a look shows the plan as before.
    private func answerUnrecorded(_ job: Job, _ record: RecordResult, at moment: Moment) -> Answer {
        do {
            switch job.action {
            case .look, .remember: break
            case .command, .reload, .maintain:
                var refusal = storageUnavailable
                refusal.inDoubt = record == .inDoubt ? true : nil
                throw refusal
            }
            guard knowsPlan || !job.needsHistory else { throw storageUnavailable }
            return .reply(try job.reply(snapshot(of: shownPlan, at: moment, isNew: true)))
        } catch {
            return .error(frame(for: error))
        }
    }

    /// Applies the recorded events. If the turn was not recorded, keeps in mind that the guide was lost.
    private func settle(_ requested: [Job], _ unrecorded: UnrecordedPlan, _ recorded: Bool) {
        if recorded {
            plan = unrecorded.plan
            guideIsLost = false
            if case .due = scheduleLook, scheduleReport.trouble == nil { scheduleLook = .done }
            if !unrecorded.events.isEmpty { outbox.forget() }
        } else if requested.contains(where: \.isLossOfGuide) {
            guideIsLost = true
        }
    }

    private func remember(_ answered: Zip2Sequence<[Job], [Answer]>, _ recorded: Bool) {
        for (job, answer) in answered {
            guard let change = job.remember, case .reply = answer, recorded || job.isMemory else { continue }
            change(&linkReport)
        }
    }

    var storageUnavailable: Homework.StorageUnavailable {
        Homework.StorageUnavailable(
            reason: recording.problem ?? "The history cannot be had.", unread: knowsPlan ? nil : true)
    }

    /// A guide that is lost guides nobody, also while that cannot be recorded.
    private var shownPlan: Plan { guideIsLost ? plan.withoutGuide : plan }

    private func snapshot(of plan: Plan, at moment: Moment, isNew: Bool) -> Snapshot {
        Snapshot(
            plan: plan, rules: rules, moment: moment, spelling: host.spelling(), configuration: configuration,
            isUnread: !knowsPlan, problem: recording.problem, lesserProblem: lesserProblem(plan),
            scheduleProblem: scheduleProblem(plan), statusReplies: isNew ? nil : status,
            history: historyReader, linkReport: linkReport,
            scheduleFile: { [sources, configuration] in
                sources.readSchedule(configuration.patterns, plan.scheduleFile)
            })
    }
}

extension Daemon {
    private func show(_ events: [Event], at moment: Moment) -> TurnResult {
        let reminders = events.compactMap { event in
            if case .reminded(let reminder) = event.what { (reminder, event.moment) } else { nil }
        }
        if recording.history != nil { outbox.settleDoubts(plan, rules, reminders.map(\.0), at: moment, by: host) }
        outbox.give(reminders, by: host)
        let plan = shownPlan
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

    /// Publishes the status if it has changed, or was not published before. Returns true if it has changed.
    private func publish(_ now: Outlook, at moment: Moment) -> Bool {
        let fresh = Homework.Status(
            now, of: shownPlan, by: rules.settings, at: moment, problem: recording.problem ?? lesserProblem(plan),
            isUnread: !knowsPlan, host.spelling())
        let isNew = !(outlook?.looks(like: now) == true && status?.status.saysTheSame(as: fresh) == true)
        guard isNew || !isPublished else { return false }
        if isNew { status = StatusReplies(fresh) }
        isPublished = host.publish(fresh)
        return isNew
    }

    private func wake(for outlook: Outlook, at moment: Moment) {
        let survey = SurveyDays.nextChange(linkReport.surveys ?? [], after: moment.instant)
        let next = outlook.wake.next(after: moment.instant, host.spelling())
        let wall = survey.map { min($0, next) } ?? next
        let again = isPublished ? nil : moment.steady + Self.retryAfter
        let file: SteadyInstant? =
            switch scheduleLook {
            case .due(_, let retryAt): retryAt
            case .done: nil
            // The next turn reads the file, if it counts since this turn.
            case .passedOver: configuration.countsPracticesSchedule(plan) ? nil : moment.steady + .milliseconds(1)
            }
        host.wake(
            wall,
            [outlook.wake.steady, recording.retryAt, again, file].compactMap { $0 }.filter {
                $0 > moment.steady
            }.min()
        )
    }
}
