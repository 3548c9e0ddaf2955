import Companion
import DaybreakInterfaces

/// A key that works now, and its effect: in short for the foot of the screen, at length for `?`.
struct KeyHint: Equatable {
    let key: String
    let does: String
    /// The effect at length.
    let means: String
    /// True if the key does not work yet. Its place at the foot of the screen stays free.
    var isAwaited = false

    enum Effect: CaseIterable {
        case begin, goOn, pause, resume, restart, join, mood, along, alone, note, dismiss, open, leaveSession, leave,
            away, feedback, profile
        case keys, hideKeys, yes, no, choose, take, keep, discard, back, escape, bringBack, close,
            closeOtherwise
    }

    static func of(_ effect: Effect) -> KeyHint {
        let (key, short, means) = words(effect)
        return KeyHint(key: key, does: short, means: means ?? short)
    }

    private static func words(_ effect: Effect) -> (key: String, does: String, means: String?) {
        switch effect {
        case .begin: ("any key", "begins", "takes the task up")
        case .goOn: ("any key", "goes on", nil)
        case .pause: ("space", "pauses", "pauses; this breath begins again when you go on")
        case .resume: ("space", "goes on", "goes on, with this breath from its beginning")
        case .restart: ("r", "begins again", "begins again from the first breath; you are asked first")
        case .join: ("j", "joins", "joins the provider; the breaths drawn so far are kept")
        case .mood: ("m", "logs the mood", "chooses the word for how you feel, already now")
        case .along: ("b", "breathes along", "breathes along with the circle, for calm; nothing is counted")
        case .alone: ("b", "stops", "stops breathing along")
        case .note: ("n", "notes", "writes a note for the session, kept with the task")
        case .dismiss:
            ("a", "dismisses", "takes the first announcement away, unless the practice changes it")
        case .open: ("o", "opens the link", "opens the link in your browser")
        case .leaveSession: ("l", "leaves the session", "leaves the session for good; you are asked first")
        case .leave: ("q", "leaves", "leaves; `daybreak start` comes back here")
        case .away: ("q", "closes", "closes this screen; the session goes on")
        case .feedback: ("f", "feedback", "tells the practice how your care goes, not the person it is about")
        case .profile: ("i", "my record", "shows what the practice has in your record")
        case .keys: ("?", "keys", "shows this")
        default: question(effect)
        }
    }

    private static func question(_ effect: Effect) -> (key: String, does: String, means: String?) {
        switch effect {
        case .hideKeys: ("any key", "goes back", nil)
        case .yes: ("enter", "yes", nil)
        case .no: ("any other key", "no", nil)
        case .choose: ("↑ ↓ or first letter", "chooses", nil)
        case .take: ("enter", "takes it", nil)
        case .keep: ("enter", "keeps the note", nil)
        case .discard: ("esc", "drops it", nil)
        case .back: ("esc", "back", nil)
        case .escape: ("esc", "leaves", nil)
        case .bringBack: ("any key", "goes on here", nil)
        case .closeOtherwise: ("any other key", "closes", nil)
        default: ("any key", "closes", nil)
        }
    }
}

extension Wording.Guided {
    static let keysTitle = "The keys"

    /// The keys of the plain walk, where Enter follows each.
    /// - Parameter moods: the choices of the task.
    static func plainHints(_ hints: [KeyHint], _ moods: [String]) -> String {
        let said = hints.compactMap { hint -> String? in
            if hint == KeyHint.of(.choose) {
                return Wording.countsChoices(moods) ? "a number or the word chooses" : "the word chooses"
            }
            if hint == KeyHint.of(.take) { return nil }
            if hint == KeyHint.of(.keep) { return "a line is the note" }
            if hint == KeyHint.of(.discard) { return "an empty one drops it" }
            return "\(plainKey(hint)) \(hint.does)"
        }
        return "[\(said.joined(separator: " · "))]"
    }

    /// The text of `?` in the plain walk.
    static func plainKeys(_ hints: [KeyHint]) -> String {
        (["\(keysTitle), each followed by Enter:"] + hints.map { "  \(plainKey($0)) \(plainMeaning($0))" })
            .map { $0 + "\n" }.joined()
    }

    /// The effect at length. No circle is drawn.
    private static func plainMeaning(_ hint: KeyHint) -> String {
        hint == KeyHint.of(.along) ? "breathes along with the words, for calm; nothing is counted" : hint.means
    }

    static func plainKey(_ hint: KeyHint) -> String {
        switch hint.key {
        case "any key": "Enter"
        case "space": "p"
        case "enter": "y"
        case "any other key": "n"
        case "esc": "q"
        default: hint.key
        }
    }
}
