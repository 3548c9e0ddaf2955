/// One subject of which a client's own Daybreak may tell the practice.
public enum Share: String, CaseIterable, Sendable {
    /// Tasks that were begun, completed or missed.
    case completed
    case moods, breaths
    /// Notes for the next session.
    case notes
    /// The client does the exercise, waits, or is in a session.
    case waiting
}
