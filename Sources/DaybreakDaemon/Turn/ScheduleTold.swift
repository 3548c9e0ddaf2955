import Homework

/// What was said of the schedule file, so that it is not said again.
struct ScheduleTold {
    private var fault: String?
    private var fingerprint: Fingerprint?
    private var isGone = false

    /// Says what is new about the file; true where something is to be done about it.
    mutating func isNews(_ file: ScheduleFile, known: Fingerprint?, say: (String) -> Void) -> Bool {
        switch file {
        case .known: return false
        case .missing:
            if known != nil, !isGone { say("The schedule file is gone. The schedule before stays in force.") }
            isGone = true
            return false
        case .sound:
            self = ScheduleTold()
            return true
        case .faulty(let sentence, let text):
            isGone = false
            // Somebody is at work on it: one word about each fault will do.
            guard sentence != fault || text == fingerprint else { return false }
            if text != known, text != fingerprint { say(sentence) }
            (fault, fingerprint) = (sentence, text)
            return true
        }
    }
}
