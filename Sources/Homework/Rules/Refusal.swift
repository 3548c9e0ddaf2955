public import Time

/// Why the rules say no, with the facts by which whoever reads it knows what to do next.
public enum Refusal: Error, Hashable, Sendable {
    case locked(AssignmentID, until: CalendarDay)
    /// Not the one to be done now: `eligible` is, if any.
    case notEligible(AssignmentID, eligible: AssignmentID?, reason: Standing)
    case nothingEligible(next: CalendarDay?)
    case alreadyCompleted(AssignmentID, on: CalendarDay)
    case noSuchAssignment(AssignmentID)
    case noFlow
    case wrongStage(Stage, allowed: [Stage])
    case notGuided
    case providerUnavailable
    case moodNotOffered([Mood])
    case moodAlreadyLogged
    /// Nil: nothing is completed yet.
    case notCompleted(AssignmentID?)
    case cannotAddNote(NoteFault)
    case cannotSnooze(SnoozeFault)
    /// The exercise was begun with this one, and goes on with it.
    case patternStands(BreathPattern)

    public enum SnoozeFault: Hashable, Sendable {
        case inThePast
        case beyondTheDay
        case nothingOpen
    }
}
