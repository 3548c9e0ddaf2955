import DaybreakInterfaces

/// How a walk is shown.
struct Presentation: Equatable {
    /// True: lines are read and typed. False: a full screen is drawn.
    var isPlain = false
    /// Shows the seconds of the phase and of the rest of the exercise.
    var countsDown = true
    /// Lets the circle grow and shrink.
    var moves = true
}
