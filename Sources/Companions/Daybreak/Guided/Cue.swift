import Companion
import DaybreakInterfaces

/// A sound at each phase, for breathing with closed eyes.
struct Cue {
    /// A program and its arguments; empty for the terminal's bell.
    let command: [String]
    private var last: Homework.Phase?

    init(command: [String]) { self.command = command }

    /// The phase that began after the last call; nil if none did.
    mutating func next(_ breathing: Breathing?) -> Homework.Phase? {
        defer { last = breathing?.phase }
        return breathing?.phase == last ? nil : breathing?.phase
    }

    /// Runs the program; rings the bell if it cannot be started.
    func sound(_ phase: Homework.Phase, bell: () -> Void) {
        if !command.isEmpty, ChildProcess.startDetached(command, environment: ["DAYBREAK_PHASE": phase.rawValue]) {
            return
        }
        bell()
    }
}
