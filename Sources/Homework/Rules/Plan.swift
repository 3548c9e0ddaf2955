public import Time

/// Everything that follows from what happened: what is to be done, how far it is, and what was told.
///
/// It changes by events alone, so that replaying the history gives the same plan.
public struct Plan: Equatable, Sendable {
    public private(set) var agenda = Agenda()
    public private(set) var progress = ProgressBook()
    /// The days on which those were due that are completed. What was touched keeps its day.
    public private(set) var completed = DayTally()
    public private(set) var flow: Flow?
    /// The last day begun.
    public private(set) var day: CalendarDay?
    /// When that was.
    public private(set) var dayBegan: Instant?
    /// How often a day was taken back: it tells the reminders of a day from those of the same day begun by mistake.
    public private(set) var daysTakenBack = 0
    public private(set) var presence: Presence?
    public private(set) var snoozedUntil: Instant?
    /// Times for a reminder of what is open are settled up to this one: it was spoken of then, or somebody was in the
    /// middle of it.
    public private(set) var settledThrough: WallTime?
    /// When a snooze was to end whose reminder is yet to come, on the wall.
    public private(set) var snoozeOver: WallTime?
    /// What could not be told yet: at most one of what is open, one of what is missed and one of the schedule.
    public private(set) var held: [Reminder] = []
    /// Those of which it is not known yet that they have left the daemon, oldest first: the last few, no older than a day.
    public private(set) var unsent: [GivenReminder] = []
    /// The reminders that call for something, oldest first: of those that say the same, the newest. Some may be moot.
    public private(set) var lastReminders: [GivenReminder] = []
    /// How many reminders of each kind the present day has seen.
    public private(set) var remindersToday: [Reminder.Kind: Int] = [:]
    /// How many notes wait for the next session.
    public private(set) var talkingPoints = 0
    /// The assignment that was completed last.
    public private(set) var completedLast: AssignmentID?
    /// The schedule file as last looked at, taken in or refused.
    public private(set) var scheduleFile: Fingerprint?
    /// A schedule was imported by hand since then.
    public private(set) var isImported = false

    /// How long a reminder may stay in `unsent`: an older one is no news.
    static let unsentAge = Duration.seconds(24 * 3_600)
    /// How many reminders stay in `unsent`: more than one turn brings.
    static let unsentLimit = 50

    public init() {}

    /// The same plan, from what happened.
    public init(replaying events: some Sequence<Event>) {
        apply(events)
    }

    /// Lets the events become true, in their order. Never fails: what was recorded happened.
    public mutating func apply(_ events: some Sequence<Event>) {
        for event in events { apply(event) }
        agenda.settle()
    }

    /// For a long replay: `settle()` must follow the last one.
    public mutating func applyUnsettled(_ event: Event) { apply(event) }

    public mutating func settle() { agenda.settle() }

    private mutating func apply(_ event: Event) {
        switch event.what {
        case .dayBegan(let day): begin(day, at: event.moment)
        case .dayTakenBack(let day): takeBack(to: day, at: event.moment)
        case .assigned(let assignment), .revised(let assignment): agenda.put(assignment)
        case .moved(let id, let position): move(id, to: position)
        case .withdrawn(let id): withdraw(id)
        case .scheduleTaken(_, let file):
            (scheduleFile, isImported) = (file ?? scheduleFile, file == nil)
            lastReminders.removeAll { $0.reminder.kind == .scheduleRefused }
        case .scheduleRefused(let file?): (scheduleFile, isImported) = (file, false)
        case .presenceTold(let told): presence = told
        case .snoozed(let until): snoozedUntil = until
        case .snoozeEnded: endSnooze(at: event.moment)
        case .reminded(let reminder): note(reminder, at: event.moment)
        case .held(let reminder): hold(reminder)
        case .reminderSent(let id): unsent.removeAll { $0.reminder.id == id }
        default: applyToFlow(event)
        }
    }

    private mutating func applyToFlow(_ event: Event) {
        let wasAttended = flow?.isAttended ?? false
        defer { if wasAttended, flow?.isAttended != true { settle(through: event.moment.wall) } }
        switch event.what {
        case .unlocked(let id): progress[id, default: Progress()].unlockedOn = day ?? event.moment.day
        case .started(let id, let pattern): start(id, pattern, at: event.moment)
        case .breathingBegan: beginBreathing(at: event.moment)
        case .breathingPaused: flow?.exercise.run = nil
        case .guideLeft: loseGuide()
        case .breathed(let id, let breaths): count(breaths, for: id)
        case .exerciseRestarted(let id): restart(id)
        case .exerciseFinished(let id): finishExercise(id, at: event.moment)
        case .joined: enter(.session, at: event.moment)
        case .left(let id): leave(id, at: event.moment)
        case .moodLogged(let id, let mood), .moodCorrected(let id, let mood):
            progress[id, default: Progress()].mood = mood
        case .noteWritten(let id, _): keepNote(with: id)
        case .erased(let id): if let id { forgetMood(of: id) }
        case .completed(let id, let day): complete(id, on: day, at: event.moment)
        case .cancelled, .setAside: flow = nil
        default: break
        }
    }
}

extension Plan {
    private mutating func begin(_ day: CalendarDay, at moment: Moment) {
        self.day = day
        dayBegan = moment.instant
        snoozedUntil = nil
        remindersToday = [:]
        lastReminders.removeAll { $0.reminder.kind.isNewsOfTheDay }
    }

    private mutating func takeBack(to day: CalendarDay, at moment: Moment) {
        begin(day, at: moment)
        daysTakenBack += 1
        settledThrough = moment.wall
        snoozeOver = nil
        // The days on which these would have been true are yet to come.
        held.removeAll { $0.kind != .scheduleTaken }
        if let begun = flow?.day { flow?.day = min(begun, day) }
        // What a day told that never was will have to be told again, on the day itself.
        progress.forgetUnlocked(after: day)
    }

    private mutating func move(_ id: AssignmentID, to position: Int) {
        guard let old = agenda[id] else { return }
        agenda.put(
            Assignment(
                id: id, due: old.due, breaths: old.breaths, moods: old.moods, pattern: old.pattern, position: position))
    }

    private mutating func note(_ reminder: Reminder, at moment: Moment) {
        let given = GivenReminder(reminder: reminder, at: moment.instant)
        unsent.removeAll { moment.instant - $0.at > Self.unsentAge }
        unsent.append(given)
        unsent.removeFirst(max(0, unsent.count - Self.unsentLimit))
        lastReminders.removeAll { reminder.kind.stands(for: $0.reminder.kind) }
        if reminder.kind.callsForSomething { lastReminders.append(given) }
        remindersToday[reminder.kind, default: 0] += 1
        held.removeAll { reminder.kind.stands(for: $0.kind) }
        if reminder.kind.isOfWhatIsOpen { settle(through: moment.wall) }
    }

    private mutating func settle(through wall: WallTime) {
        if settledThrough.map({ $0.count < wall.count }) ?? true { settledThrough = wall }
        snoozeOver = nil
    }

    private mutating func hold(_ reminder: Reminder) {
        held.removeAll { reminder.kind.stands(for: $0.kind) }
        held.append(reminder)
    }

    /// Nothing that is held says any more that this one is open, or missed.
    private mutating func letGo(of id: AssignmentID) {
        held = held.compactMap { reminder in
            guard reminder.assignment == id else { return reminder }
            guard reminder.count > 1 else { return nil }
            return Reminder(id: reminder.id, kind: reminder.kind, count: reminder.count - 1)
        }
    }

    private mutating func withdraw(_ id: AssignmentID) {
        agenda.remove(id)
        letGo(of: id)
    }

    private mutating func endSnooze(at moment: Moment) {
        guard let until = snoozedUntil else { return }
        snoozedUntil = nil
        // Ended before its time by the client, who needs no word of it.
        guard until <= moment.instant else { return }
        let minutesAgo = (moment.instant - until).microseconds / 60_000_000
        snoozeOver = WallTime(day: moment.wall.day, minute: moment.wall.minute - Int(clamping: minutesAgo))
    }

    private mutating func start(_ id: AssignmentID, _ pattern: BreathPattern, at moment: Moment) {
        letGo(of: id)
        guard let assignment = agenda[id] else { return }
        var seen = progress[id, default: Progress()]
        seen.startedAt = seen.startedAt ?? moment.instant
        progress[id, default: seen] = seen
        let exercise = Exercise(breaths: assignment.breaths, pattern: pattern, done: seen.breathsDone)
        let stage: Stage = seen.sessionLeft ? .mood : seen.exerciseFinished ? .waiting : .exercise
        flow = Flow(
            assignment: id, stage: stage, day: day ?? moment.day, since: moment.instant, exercise: exercise)
    }

    private mutating func beginBreathing(at moment: Moment) {
        guard let done = flow?.exercise.done else { return }
        flow?.exercise.run = Exercise.Run(began: moment.steady, from: done)
        flow?.exercise.guided = true
    }

    private mutating func loseGuide() {
        flow?.exercise.run = nil
        flow?.exercise.guided = false
    }

    private mutating func count(_ breaths: Int, for id: AssignmentID) {
        flow?.exercise.done = breaths
        progress[id, default: Progress()].breathsDone = breaths
    }

    private mutating func restart(_ id: AssignmentID) {
        count(0, for: id)
        flow?.exercise.run = nil
    }

    private mutating func finishExercise(_ id: AssignmentID, at moment: Moment) {
        progress[id, default: Progress()].exerciseFinished = true
        loseGuide()
        enter(.waiting, at: moment)
    }

    private mutating func enter(_ stage: Stage, at moment: Moment) {
        loseGuide()
        flow?.stage = stage
        flow?.since = moment.instant
    }

    /// What was collected for the session was brought to it.
    private mutating func leave(_ id: AssignmentID, at moment: Moment) {
        progress[id, default: Progress()].sessionLeft = true
        talkingPoints = 0
        enter(.mood, at: moment)
    }

    private mutating func complete(_ id: AssignmentID, on day: CalendarDay, at moment: Moment) {
        if !isCompleted(id), let assignment = agenda[id] { completed.insert(assignment.due) }
        progress[id, default: Progress()].completedAt = moment.instant
        progress[id, default: Progress()].completedOn = day
        completedLast = id
        letGo(of: id)
        flow = nil
    }

    /// That one was logged stays.
    private mutating func forgetMood(of id: AssignmentID) {
        if progress[id]?.mood != nil { progress[id, default: Progress()].mood = .erased }
    }

    private mutating func keepNote(with id: AssignmentID?) {
        guard let id else { return talkingPoints += 1 }
        progress[id, default: Progress()].notes += 1
    }
}
