public import Time

/// What somebody, or the turning of the clock, asks of the plan.
public enum Command: Hashable, Sendable {
    /// Every wake does this: days begin, breaths are counted, reminders fall due.
    case lookAtClock
    /// These reminders have left the daemon.
    case noteSent([String])
    /// The daemon has just come up: nobody who was being guided still is.
    case wakeUp

    /// With a pattern where another than the assignment's is wanted.
    case start(AssignmentID?, pattern: BreathPattern? = nil)
    case breathe
    case guideLost
    case pause
    case resume
    case restart
    case join
    case leave
    case logMood(Mood)
    /// Of what is completed; nil: of what was completed last.
    case correctMood(Mood, of: AssignmentID?)
    case addNote(Note, NotePlace)
    case cancel
    case snooze(until: Instant)
    case endSnooze

    case setPresence(online: Bool, name: String?, lasts: Duration)
    case takeSchedule(Schedule, file: Fingerprint?)
    /// The watched file could not be read as a schedule.
    case refuseSchedule(file: Fingerprint?)
}
