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
    /// Why nothing can be recorded, or what else is wrong.
    let problem, lesserProblem: String?
    /// Why the schedule file is not in force.
    let scheduleProblem: String?
    /// The events of the job that is being answered.
    var news: [Event] = []
    /// The status as it was last shown, if nothing has changed since.
    let shownStatus: StatusReplies?
    /// Nil while it is unavailable.
    let history: History?
    /// As it is now, beside the one last looked at.
    let scheduleFile: () -> ScheduleFile
    /// What happened in this turn so far, and is not in the history yet.
    var unrecorded: [Event] = []

    /// How many of those that are over, and of those to come, a short list shows.
    private static let few = 5

    var outlook: Outlook { rules.outlook(plan, at: moment) }

    var status: Homework.Status {
        guard var status = shownStatus?.status else {
            return Homework.Status(
                outlook, of: plan, by: rules.settings, at: moment, problem: problem ?? lesserProblem, spelling)
        }
        // Of all that is shown, the breathing alone moves on by itself.
        if status.flow?.exercise?.paused == false { status.flow = maybeFlow }
        return status
    }

    /// The reply that tells the status.
    func statusReply(continues: Bool) -> [UInt8] {
        shownStatus?.reply(continues: continues)
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

    /// The schedule file is as it was when it was last looked at, and says something else than that text.
    func isOtherwiseInFile(than text: Fingerprint) -> Bool {
        guard plan.scheduleFile != text, case .known = scheduleFile() else { return false }
        return true
    }

    /// What taking in a schedule just came to.
    var taken: ScheduleChange? {
        news.lazy.compactMap { event in
            if case .scheduleTaken(let change, _) = event.what { change } else { nil }
        }.first
    }

    func list(all: Bool, due wanted: CalendarDay? = nil) -> Homework.List.Reply {
        let every = plan.agenda.ordered
        let day = plan.day ?? moment.day
        let ofDay = wanted.map { plan.agenda.due(from: $0, through: $0).indices }
        let window = ofDay ?? (all ? every.indices : shortList(around: day))
        return Homework.List.Reply(
            today: day.description,
            dayEnds: Homework.Status.dayEnds(day, at: moment, by: rules.settings, spelling),
            assignments: show(every[window]), earlier: window.lowerBound,
            later: every.count - window.upperBound, problem: scheduleProblem)
    }

    /// The last few that are over, all of today and whatever is open, and the next few.
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
            until: present.map { spelling.instant($0.until) }, link: configuration.provider.link)
    }

    /// `current` is part of a stream alone.
    func reminders(since: Instant?, limit: Int, isStream: Bool) throws -> Homework.Reminders.Reply {
        Homework.Reminders.Reply(
            reminders: spelled(try openHistory().reminders(since: since, limit: limit)),
            current: isStream ? spelled(currentReminders) : nil)
    }

    /// The history, for facts that the plan does not hold.
    func openHistory() throws -> History {
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
    /// What changed in one turn, for the clients that watch.
    struct TurnResult {
        let snapshot: Snapshot
        let statusChanged: Bool
        /// A reminder was given that calls for something, or one is moot from now on.
        let currentChanged: Bool
        let reminders: [(reminder: Reminder, moment: Moment)]
        /// How much happened.
        let eventCount: Int
        let dayBegan: Bool
    }
}

/// A status that was shown, and its replies: spelled once, however often it is asked for, and not before. A class, so that
/// whoever asks first spells it for all.
final class StatusReplies {
    let status: Homework.Status
    private lazy var last = Reply.frame(Homework.GetStatus.Reply(status: status))
    private lazy var continued = Reply.frame(Homework.GetStatus.Reply(status: status), continues: true)

    init(_ status: Homework.Status) { self.status = status }

    /// Nil while somebody breathes: that moves on by itself.
    func reply(continues: Bool) -> [UInt8]? {
        status.flow?.exercise?.paused == false ? nil : continues ? continued : last
    }
}

extension Homework.Status {
    /// The same, apart from when it was told. Within one phase the breathing moves on by itself.
    func says(what other: Self) -> Bool {
        var same = self
        same.asOf = other.asOf
        if let exercise = other.flow?.exercise {
            same.flow?.exercise?.phaseElapsed = exercise.phaseElapsed
            same.flow?.exercise?.remainingSeconds = exercise.remainingSeconds
        }
        return same == other
    }
}
