import DaybreakInterfaces

/// How a walk is shown.
struct Presentation: Equatable {
    /// As lines that are read and typed, rather than on a screen.
    var isPlain = false
    /// Shows the seconds of the phase and of the rest of the exercise.
    var countsDown = true
    /// Lets the circle grow and shrink.
    var moves = true
}
