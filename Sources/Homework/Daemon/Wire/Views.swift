import DaybreakInterfaces
import HomeworkRules
import JSON
import Time
import Varlink

// The values of the interface, made from the values of the rules.

extension Homework.State {
    init(_ standing: Standing) {
        switch standing {
        case .locked: self = .locked
        case .eligible: self = .eligible
        case .inProgress: self = .inProgress
        case .completed: self = .completed
        case .missed: self = .missed
        }
    }
}

extension Homework.Cause {
    init(_ standing: Standing) {
        switch standing {
        case .locked(.untilItsDay(let day)): self.init(kind: .beforeItsDay, day: day.description)
        case .locked(.afterAnother(let first, let day)):
            self.init(kind: .afterAnother, day: day.description, first: first.text)
        case .locked(.behind(let first, let last)):
            self.init(kind: .behindAnother, day: last.description, first: first.text)
        case .eligible(let isLate, let last): self.init(kind: isLate ? .late : .today, day: last.description)
        case .inProgress(let stage): self.init(kind: .inProgress, stage: Homework.Stage(stage))
        case .completed(let day, _): self.init(kind: .completed, day: day.description)
        case .missed(let last): self.init(kind: .missed, day: last.description)
        }
    }
}

extension Homework.Phase {
    init(_ phase: Phase) {
        switch phase {
        case .inhale: self = .inhale
        case .hold: self = .hold
        case .exhale: self = .exhale
        case .rest: self = .rest
        }
    }
}

extension Homework.Stage {
    init(_ stage: Stage) {
        switch stage {
        case .exercise: self = .exercise
        case .waiting: self = .waiting
        case .session: self = .session
        case .mood: self = .mood
        }
    }
}

extension Homework.Pattern {
    init(_ pattern: BreathPattern) {
        self.init(
            inhale: pattern.inhale.inSeconds,
            hold: pattern.hold.inSeconds,
            exhale: pattern.exhale.inSeconds,
            rest: pattern.rest.inSeconds)
    }
}

extension Homework.Exercise {
    init(_ exercise: Exercise, at position: Exercise.Position) {
        self.init(
            breaths: exercise.breaths,
            breath: position.breath,
            pattern: Homework.Pattern(exercise.pattern),
            phase: Homework.Phase(position.phase),
            phaseSeconds: position.length.inSeconds,
            phaseElapsed: position.elapsed.inSeconds,
            remainingSeconds: position.remaining.inSeconds,
            paused: exercise.run == nil,
            guided: exercise.guided)
    }
}

extension Homework.Flow {
    /// Nil if no assignment is in progress.
    init?(_ outlook: Outlook, of plan: Plan, _ spelling: Spelling) {
        guard let flow = outlook.flow else { return nil }
        self.init(
            assignment: flow.assignment.text,
            stage: Homework.Stage(flow.stage),
            since: spelling.instant(flow.since),
            exercise: outlook.breathing.map { Homework.Exercise(flow.exercise, at: $0) },
            mayJoin: outlook.isProviderOnline && (flow.stage == .exercise || flow.stage == .waiting),
            moodLogged: plan.progress[flow.assignment]?.mood != nil)
    }
}

extension Homework.Assignment {
    init(
        _ assignment: Assignment, standing: Standing, changes: CalendarDay?, in plan: Plan, by settings: Settings,
        _ spelling: Spelling
    ) {
        let begun = plan.flow.flatMap { $0.assignment == assignment.id ? $0.exercise.pattern : nil }
        let seen = plan.progress[assignment.id]
        self.init(
            id: assignment.id.text,
            due: assignment.due.description,
            breaths: assignment.breaths,
            breathsDone: seen?.breathsDone ?? 0,
            pattern: Homework.Pattern(begun ?? settings.pattern(of: assignment)),
            moods: assignment.moods.map(\.word),
            state: Homework.State(standing),
            reason: standing.sentence,
            cause: Homework.Cause(standing),
            changesAt: changes.map(spelling.beginning),
            startedAt: seen?.startedAt.map(spelling.instant),
            completedAt: seen?.completedAt.map(spelling.instant),
            completedOn: seen?.completedOn?.description,
            mood: seen?.mood?.wordUnlessErased,
            moodOn: seen?.mood?.wordUnlessErased == nil ? nil : seen?.moodOn?.description)
    }
}

extension Homework.Summary {
    init(_ assignment: Assignment, standing: Standing, changes: CalendarDay?, _ spelling: Spelling) {
        self.init(
            id: assignment.id.text,
            due: assignment.due.description,
            breaths: assignment.breaths,
            state: Homework.State(standing),
            reason: standing.sentence,
            changesAt: changes.map(spelling.beginning))
    }
}

extension Homework.Status {
    /// Rises when a field is removed or changes its meaning.
    static let currentVersion = 1

    init(
        _ outlook: Outlook, of plan: Plan, by settings: Settings, at moment: Moment, problem: String?,
        isUnread: Bool = false, _ spelling: Spelling
    ) {
        let summary: Homework.Summary? =
            if let open = outlook.open, let standing = outlook.standing {
                Homework.Summary(
                    open, standing: standing, changes: plan.standingChanges(of: open, standing, by: settings), spelling)
            } else { nil }
        self.init(
            version: Self.currentVersion, today: outlook.day.description,
            dayEnds: Self.dayEnds(outlook.day, at: moment, by: settings, spelling), timeZone: moment.zone,
            asOf: spelling.instant(moment.instant), nextUnlock: outlook.nextUnlock.map(spelling.beginning),
            nextReminder: outlook.nextReminder.map(spelling.next),
            snoozedUntil: outlook.mutedUntil.map(spelling.instant), providerOnline: outlook.isProviderOnline,
            startsWithSession: outlook.flow == nil && outlook.startsWithSession && outlook.open != nil ? true : nil,
            eligible: summary, flow: Homework.Flow(outlook, of: plan, spelling),
            counts: Homework.Counts(outlook.counts), news: Homework.News(plan.link), problem: problem,
            unread: isUnread ? true : nil)
    }
}

extension Homework.Status {
    /// When the day ends; nil if it is the date on the wall clock and ends at midnight.
    static func dayEnds(
        _ day: CalendarDay, at moment: Moment, by settings: Settings, _ spelling: Spelling
    ) -> String? {
        // The day stays the same when the wall clock is set back or moved west.
        settings.dayStartsAt == 0 && moment.day == day ? nil : spelling.beginning(of: day.next)
    }
}

extension Homework.Counts {
    init(_ counts: Outlook.Counts) {
        self.init(
            completed: counts.completed,
            missed: counts.missed,
            open: counts.open,
            locked: counts.locked)
    }
}

extension Homework.News {
    /// Nil if there are none.
    init?(_ link: PracticeLink?) {
        guard let counts = link?.news, counts != NewsCounts() else { return nil }
        self.init(
            unreadMail: counts.unreadMail, urgentMail: counts.urgentMail, unreadChat: counts.unreadChat,
            surveysDue: counts.surveysDue, broadcasts: counts.broadcasts,
            unreadLessons: counts.unreadLessons > 0 ? counts.unreadLessons : nil)
    }
}

extension Homework.Step {
    /// Nil if the event is not a step on the way through an assignment.
    init?(_ event: Event, _ spelling: Spelling) {
        var (breaths, pattern, mood): (Int?, Homework.Pattern?, String?) = (nil, nil, nil)
        let what: Homework.StepKind
        switch event.what {
        case .unlocked: what = .unlocked
        case .started(_, let started): (what, pattern) = (.started, Homework.Pattern(started))
        case .breathingBegan: what = .breathingBegan
        case .breathingPaused: what = .breathingPaused
        case .guideLeft: what = .guideLeft
        case .breathed(_, let drawn): (what, breaths) = (.breathed, drawn)
        case .exerciseRestarted: what = .exerciseRestarted
        case .exerciseFinished: what = .exerciseFinished
        case .joined: what = .joined
        case .left: what = .left
        case .moodLogged(_, let logged): (what, mood) = (.moodLogged, logged.wordUnlessErased)
        case .moodCorrected(_, let corrected): (what, mood) = (.moodCorrected, corrected.wordUnlessErased)
        case .completed: what = .completed
        case .cancelled: what = .cancelled
        case .setAside: what = .setAside
        case .completedElsewhere: what = .completedElsewhere
        default: return nil
        }
        self.init(
            at: spelling.instant(event.moment.instant), what: what, breaths: breaths, pattern: pattern, mood: mood)
    }
}

extension Homework.Note {
    /// Nil if the event is not a note, or the note was erased.
    init?(_ event: Event, _ spelling: Spelling) {
        guard case .noteWritten(let id, let note) = event.what, !note.text.isEmpty else { return nil }
        self.init(
            at: spelling.instant(event.moment.instant),
            text: note.text,
            assignment: id?.text)
    }
}

extension Homework.Import.Reply {
    init(_ change: ScheduleChange) {
        self.init(
            added: change.added, changed: change.changed, withdrawn: change.withdrawn, unchanged: change.unchanged,
            kept: change.kept)
    }
}

extension Homework.Status {
    /// The whole text of the status file: one JSON object and a line break.
    var text: [UInt8] { JSONObject.text(of: self) + [UInt8(ascii: "\n")] }
}

extension Homework.ReminderKind {
    init(_ kind: Reminder.Kind) {
        switch kind {
        case .unlocked: self = .unlocked
        case .stillOpen: self = .stillOpen
        case .overdue: self = .overdue
        case .providerAvailable: self = .providerAvailable
        case .completed: self = .completed
        case .missed: self = .missed
        case .scheduleTaken: self = .scheduleTaken
        case .scheduleRefused: self = .scheduleRefused
        case .mail: self = .mail
        case .chat: self = .chat
        case .survey: self = .survey
        case .broadcast: self = .broadcast
        }
    }
}

extension Homework.Reminder {
    init(_ reminder: Reminder, at instant: Instant, _ spelling: Spelling) {
        self.init(
            id: reminder.id,
            kind: Homework.ReminderKind(reminder.kind),
            at: spelling.instant(instant),
            assignment: reminder.assignment?.text,
            message: reminder.sentence)
    }
}
