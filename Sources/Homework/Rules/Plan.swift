public import Time

/// The state that follows from all events: the assignments, their progress, and which reminders were given.
///
/// Only events change it, so that replaying the history gives the same plan.
public struct Plan: Equatable, Sendable {
    public internal(set) var agenda = Agenda()
    /// On which day a schedule brought an assignment, where its own day was over by then.
    var cameLate: [AssignmentID: CalendarDay] = [:]
    public internal(set) var progress = ProgressBook()
    /// The due days of the completed assignments.
    public internal(set) var completed = DayTally()
    public internal(set) var flow: Flow?
    /// The last day that began.
    public internal(set) var day: CalendarDay?
    /// When it began.
    public internal(set) var dayBegan: Instant?
    /// How often a day was taken back. It tells a day's reminders from those of the same day begun by mistake.
    public internal(set) var daysTakenBack = 0
    public internal(set) var presence: Presence?
    /// True if the provider came since the last session ended, and is not only still there from it.
    public internal(set) var isProviderAnnounced = false
    /// How many talking points wait for the next session.
    public internal(set) var talkingPoints = 0
    /// The assignment that was completed last.
    public internal(set) var completedLast: AssignmentID?
    /// The assignment whose mood was logged last, also one that is not completed.
    public internal(set) var moodLoggedLast: AssignmentID?
    /// The schedule file that was taken in or refused last.
    public internal(set) var scheduleFile: Fingerprint?
    /// True if a schedule was refused, and none was taken in since.
    public internal(set) var isScheduleRefused = false
    /// How many events there were: the number of the last.
    public internal(set) var eventCount = 0
    /// Nil if this machine is linked with no practice.
    public internal(set) var link: PracticeLink?
    /// True if a schedule was imported by hand, or sent by the practice, since `scheduleFile`.
    public internal(set) var isImported = false

    /// Reminders of the open task are held until then.
    public internal(set) var mutedUntil: Instant?
    /// The end of the last muting, if a reminder is still to follow it.
    public internal(set) var mutedThrough: WallTime?
    /// Reminder times up to this one are done: a reminder was given, or the client was in the middle of the task.
    public internal(set) var settledThrough: WallTime?
    /// Reminders that could not be given yet: at most one of the open task, one of missed tasks and one of the schedule.
    public internal(set) var held: [Reminder] = []
    /// Reminders that were recorded and not yet reported as sent, oldest first; none is older than a day.
    public internal(set) var unsent: [GivenReminder] = []
    /// The newest reminder of each matter that calls for something, oldest first. Some may be moot.
    public internal(set) var lastReminders: [GivenReminder] = []
    /// How many reminders of each kind the present day has had.
    public internal(set) var remindersToday: [Reminder.Kind: Int] = [:]

    public init() {}

    public init(replaying events: some Sequence<Event>) {
        apply(events)
    }

    /// Applies events in their order. Never fails: a recorded event happened.
    public mutating func apply(_ events: some Sequence<Event>) {
        for event in events { applyUnsettledEvent(event) }
        agenda.settle()
    }

    /// Applies one event of a long replay; `settle()` must follow the last.
    public mutating func applyUnsettled(_ event: Event) { applyUnsettledEvent(event) }

    public mutating func settle() { agenda.settle() }
}
