import DaybreakInterfaces
import HomeworkHistory
import HomeworkRules
import Time
import Varlink

/// The plan, the rules and the settings at one moment: everything that a reply is made of.
struct Snapshot {
    let plan: Plan
    let rules: Rules
    let moment: Moment
    let spelling: Spelling
    let configuration: Configuration
    /// The history could not be read yet, so the plan is that of an empty one.
    let isUnread: Bool
    /// The reason why nothing can be recorded; and a problem that does not stop recording.
    let problem, lesserProblem: String?
    /// The reason why the schedule file is not in force.
    let scheduleProblem: String?
    /// The events of the job that is being answered.
    var news: [Event] = []
    /// The last status and its replies, if nothing has changed since.
    let statusReplies: StatusReplies?
    /// Nil while nothing of it can be read.
    let history: HistoryReader?
    let linkReport: LinkReport
    /// Reads the schedule file again; `.known` if it has not changed since the last look.
    let scheduleFile: () -> ScheduleFile
    /// The events of this turn so far, which are not in the history yet.
    var unrecorded: [Event] = []

    /// How many past assignments, and how many future ones, a short list shows.
    private static let few = 5

    var outlook: Outlook { rules.outlook(plan, at: moment) }

    var status: Homework.Status {
        guard var status = statusReplies?.status else {
            return Homework.Status(
                outlook, of: plan, by: rules.settings, at: moment, problem: problem ?? lesserProblem,
                isUnread: isUnread,
                spelling)
        }
        // Of the whole status, only the breathing changes without an event.
        if status.flow?.exercise?.paused == false { status.flow = maybeFlow }
        return status
    }

    /// The reply that tells the status.
    func statusReply(continues: Bool) -> [UInt8] {
        statusReplies?.reply(continues: continues)
            ?? Reply.frame(Homework.GetStatus.Reply(status: status), continues: continues)
    }

    func flow() throws -> Homework.Flow {
        guard let flow = maybeFlow else { throw Homework.NoFlow() }
        return flow
    }

    var maybeFlow: Homework.Flow? { Homework.Flow(outlook, of: plan, spelling) }

    func assignment(_ id: AssignmentID) throws -> Homework.Assignment {
        guard let assignment = plan.agenda[id] else {
            throw Homework.NoSuchAssignment(assignment: id.text)
        }
        return show([assignment])[0]
    }

    /// The assignment that a step of the flow just concerned.
    func steppedAssignment() throws -> Homework.Assignment {
        guard let id = stepped else { throw Homework.NoFlow() }
        return try assignment(id)
    }

    private var stepped: AssignmentID? {
        news.lazy.compactMap { event in
            switch event.what {
            case .left(let id), .moodLogged(let id, _), .cancelled(let id): id
            default: nil
            }
        }.first
    }

    /// True if the schedule file is unchanged since the last look, and its text differs from `text`.
    func isOtherwiseInFile(than text: Fingerprint) -> Bool {
        guard plan.scheduleFile != text, case .known = scheduleFile() else { return false }
        return true
    }

    /// The change that taking in a schedule made in this job; nil if none was taken in.
    var taken: ScheduleChange? {
        news.lazy.compactMap { event in
            if case .scheduleTaken(let change, _, _) = event.what { change } else { nil }
        }.first
    }

    /// The change that taking in that schedule would make now.
    func change(by schedule: Schedule) -> ScheduleChange { plan.change(by: schedule, settings: rules.settings) }

    func list(all: Bool, due wanted: CalendarDay? = nil) -> Homework.List.Reply {
        let every = plan.agenda.ordered
        let day = plan.day ?? moment.day
        let ofDay = wanted.map { plan.agenda.due(from: $0, through: $0).indices }
        let window = ofDay ?? (all ? every.indices : shortList(around: day))
        return Homework.List.Reply(
            today: day.description,
            dayEnds: Homework.Status.dayEnds(day, at: moment, by: rules.settings, spelling),
            assignments: show(every[window]), earlier: window.lowerBound,
            later: every.count - window.upperBound, news: Homework.News(plan.link),
            problem: problem ?? scheduleProblem,
            fromPractice: takesPracticesSchedule ? true : nil)
    }

    /// The places of the last few past assignments, those of today, the open one, and the next few.
    private func shortList(around day: CalendarDay) -> Range<Int> {
        let today = plan.agenda.firstPlace(from: day)
        let tomorrow = plan.agenda.firstPlace(from: day.next)
        let open = outlook.open.map { plan.agenda.firstPlace(from: $0.due) } ?? today
        return max(0, min(open, today - Self.few))..<min(plan.agenda.ordered.count, tomorrow + Self.few)
    }

    private func show(_ some: some Sequence<Assignment>) -> [Homework.Assignment] {
        let eligible = plan.eligible(by: rules.settings)
        return some.map { assignment in
            let standing = plan.standing(of: assignment, eligible: eligible, by: rules.settings)
            return Homework.Assignment(
                assignment, standing: standing,
                changes: plan.standingChanges(of: assignment, standing, by: rules.settings), in: plan,
                by: rules.settings, spelling)
        }
    }

    var presence: Provider.Presence.Reply {
        let present = plan.presence.flatMap { $0.isOnline(at: moment.instant) ? $0 : nil }
        return Provider.Presence.Reply(
            online: present != nil, name: plan.presence?.name ?? configuration.provider.name,
            until: present.map { spelling.instant($0.until) },
            link: linkReport.meeting ?? configuration.provider.link,
            talkingPoints: plan.link.map { _ in
                linkReport.talkingPoints.map { Provider.TalkingPoint(at: $0.at, text: $0.text) }
            })
    }

    /// `current` is part of a stream alone.
    func reminders(since: Instant?, limit: Int, isStream: Bool) throws -> Homework.Reminders.Reply {
        Homework.Reminders.Reply(
            reminders: spelled(try readHistory().reminders(since: since, limit: limit)),
            current: isStream ? spelled(currentReminders) : nil)
    }

    /// The history, for facts that the plan does not hold.
    func readHistory() throws -> HistoryReader {
        guard let history else { throw Homework.StorageUnavailable(reason: problem ?? "The history cannot be had.") }
        return history
    }

    var currentReminders: [GivenReminder] { outlook.currentReminders(of: plan) }

    func spelled(_ reminders: [GivenReminder]) -> [Homework.Reminder] {
        reminders.map { Homework.Reminder($0.reminder, at: $0.at, spelling) }
    }

    var preferences: Service.GetPreferences.Reply {
        var preferences = configuration.screen
        preferences.desktop = configuration.desktop
        return Service.GetPreferences.Reply(preferences: preferences)
    }
}

extension Daemon {
    /// The changes of one turn, for the clients that watch.
    struct TurnResult {
        let snapshot: Snapshot
        let statusChanged: Bool
        /// The list of current reminders changed: one was added, or has become moot.
        let currentChanged: Bool
        let reminders: [(reminder: Reminder, moment: Moment)]
        let eventCount: Int
        let dayBegan: Bool
    }
}

/// A published status and its encoded replies. Each reply is encoded at the first request for it, and then kept. It is a class,
/// so that all snapshots share the encoded replies.
final class StatusReplies {
    let status: Homework.Status
    private lazy var last = Reply.frame(Homework.GetStatus.Reply(status: status))
    private lazy var continued = Reply.frame(Homework.GetStatus.Reply(status: status), continues: true)

    init(_ status: Homework.Status) { self.status = status }

    /// Nil while the exercise runs, because the breathing changes without an event.
    func reply(continues: Bool) -> [UInt8]? {
        status.flow?.exercise?.paused == false ? nil : continues ? continued : last
    }
}

extension Homework.Status {
    /// True if both say the same, apart from their time and the time that passes within a phase of a breath.
    func saysTheSame(as other: Self) -> Bool {
        var same = self
        same.asOf = other.asOf
        if let exercise = other.flow?.exercise {
            same.flow?.exercise?.phaseElapsed = exercise.phaseElapsed
            same.flow?.exercise?.remainingSeconds = exercise.remainingSeconds
        }
        return same == other
    }
}
