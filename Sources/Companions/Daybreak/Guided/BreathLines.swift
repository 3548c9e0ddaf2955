import Companion
import DaybreakInterfaces

/// The breathing as lines: "Breathe in … 4 3 2 1", or without the numbers.
struct BreathLines {
    private let countsDown: Bool
    private var breath = 0
    private var phase: Homework.Phase?
    private var count = 0
    private var saidPause = false
    private(set) var isMidLine = false

    init(countsDown: Bool = true) { self.countsDown = countsDown }

    /// The text to add now.
    mutating func say(_ exercise: Homework.Exercise, _ breathing: Breathing) -> String {
        if exercise.paused { return sayPause() }
        if saidPause || exercise.breath != breath { return sayBreath(exercise) + sayPhase(breathing) }
        return sayMore(breathing)
    }

    /// The text to add now, without the headings of the breaths.
    mutating func sayMore(_ breathing: Breathing) -> String {
        if breathing.phase != phase || breathing.count > count { return endLine() + sayPhase(breathing) }
        guard countsDown, breathing.count < count else {
            count = breathing.count
            return ""
        }
        // A notice ended the line.
        guard isMidLine else { return sayPhase(breathing) }
        let skipped = stride(from: count - 1, through: breathing.count, by: -1).map { " \($0)" }.joined()
        count = breathing.count
        return skipped
    }

    /// Lets the next phase begin a new line.
    mutating func forget() -> String {
        phase = nil
        return endLine()
    }

    /// Ends the line, so that other text can follow on its own.
    mutating func endLine() -> String {
        defer { isMidLine = false }
        return isMidLine ? "\n" : ""
    }

    private mutating func sayBreath(_ exercise: Homework.Exercise) -> String {
        saidPause = false
        breath = exercise.breath
        return endLine() + Wording.Guided.breathHeading(exercise) + "\n"
    }

    private mutating func sayPhase(_ breathing: Breathing) -> String {
        phase = breathing.phase
        count = breathing.count
        guard countsDown else { return "  \(Wording.phase(breathing.phase))\n" }
        isMidLine = true
        return "  \(Wording.phase(breathing.phase)) … \(count)"
    }

    private mutating func sayPause() -> String {
        guard !saidPause else { return "" }
        saidPause = true
        return endLine() + Wording.Guided.pausedLine + "\n"
    }
}
