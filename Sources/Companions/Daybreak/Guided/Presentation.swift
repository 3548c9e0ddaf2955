import DaybreakInterfaces

/// How a walk is shown, as the client likes it.
struct Presentation: Equatable {
    /// Lines that are read and typed, in place of a screen and keys.
    var isPlain = false
    /// Seconds are shown: of the phase, and of what is left.
    var countsDown = true
    /// The circle grows and shrinks.
    var moves = true
}
