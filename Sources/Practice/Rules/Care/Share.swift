/// What a client lets their own Daybreak tell the practice.
public enum Share: String, CaseIterable, Sendable {
    /// That tasks are begun, completed or missed.
    case completed
    case moods, breaths
    /// Notes for the next session.
    case notes
    /// That they do the exercise, wait, or are in a session.
    case waiting
}
