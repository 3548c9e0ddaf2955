import Companion
import DaybreakInterfaces

// The field in which a note for the session is written.
extension Walk {
    /// In bytes of UTF-8, as of `AddNote`.
    static let noteLimit = 4_096

    mutating func write(_ key: Key, in draft: Draft) -> [Action] {
        if key == .escape {
            closeNote()
            return []
        }
        switch draft.state {
        case .written: break
        case .entered where key != .enter && !presentation.isPlain: break
        case .entered, .sent, .inDoubt:
            return presentation.isPlain && key == .character("q") ? leave() : []
        }
        switch key {
        case .character(let character): append(String(character), to: draft)
        case .space: append(" ", to: draft)
        case .pasted(let text): append(text, to: draft)
        case .erase: overlay = .draft(Draft(text: String(draft.text.dropLast())))
        case .enter where draft.note.isEmpty: closeNote()
        case .enter: overlay = .draft(Draft(text: draft.text, state: .entered))
        default: break
        }
        return []
    }

    /// A note of an earlier time is not offered again.
    private mutating func closeNote() { (overlay, unsentNote) = (.none, nil) }

    /// Nothing is taken of a text that does not fit.
    private mutating func append(_ new: String, to draft: Draft) {
        let text = draft.text + new
        let excess = text.utf8.count - Self.noteLimit
        if excess <= 0 {
            overlay = .draft(Draft(text: text))
        } else {
            notice = new.count == 1 ? Wording.Guided.noteIsFull : Wording.Guided.notPasted(excess: excess)
        }
    }

    /// Sends a note that was entered, once the daemon can be asked.
    mutating func sendNote() -> [Action] {
        guard let draft = noteInField, draft.state == .entered, daemon == .ready else { return [] }
        setNote(.sent(others: count(of: draft.note)))
        return ask(.note(draft.note))
    }

    private func count(of note: String) -> Int { notes.count { $0 == note } }

    mutating func setNote(_ state: Draft.State) {
        guard let draft = noteInField else { return }
        overlay = .draft(Draft(text: draft.text, state: state))
    }

    /// A note that was sent is answered. One that is not kept can be changed and entered again.
    mutating func endSending(_ note: String, isKept: Bool) {
        guard let draft = noteInField, case .sent = draft.state, draft.note == note else { return }
        if isKept { closeNote() } else { setNote(.written) }
    }

    /// The notes cannot be had, so nothing tells whether a note in doubt is kept. It can be changed and entered again.
    mutating func doubtNote() {
        guard let draft = noteInField, case .inDoubt = draft.state else { return }
        overlay = .draft(Draft(text: draft.text, mayBeKept: true))
        notice = Wording.Guided.noteIsInDoubt + "."
    }

    /// Looks for a note in doubt among the notes. If there is none more of its text than before, it is sent again.
    mutating func lookForNote() {
        guard let draft = noteInField, case .inDoubt(let others) = draft.state else { return }
        guard count(of: draft.note) > others else { return setNote(.entered) }
        closeNote()
        notice = Wording.Guided.noteIsKept(isShared: nil)
    }
}
