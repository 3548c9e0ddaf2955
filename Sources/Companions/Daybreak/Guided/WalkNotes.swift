import Companion
import DaybreakInterfaces

// Writing a note for the session, on one line.
extension Walk {
    /// A page of notes is written elsewhere; `daybreak note` reads it.
    private static let draftLimit = 1_000

    mutating func write(_ key: Key) -> [Action] {
        let text = draft ?? ""
        switch key {
        case .character(let character) where text.utf8.count < Self.draftLimit: draft = text + String(character)
        case .space where text.utf8.count < Self.draftLimit: draft = text + " "
        case .erase: draft = String(text.dropLast())
        case .escape: draft = nil
        case .enter:
            draft = nil
            guard text.contains(where: { !$0.isWhitespace }), isConnected, asked == nil else { return [] }
            asked = .note(text)
            return [.call(.note(text))]
        default: break
        }
        return []
    }
}
