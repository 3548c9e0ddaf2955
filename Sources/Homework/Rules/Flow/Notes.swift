import Text

/// A text that the client wrote, for themselves or for a session. Only the client sees it.
public struct Note: Hashable, Sendable {
    public let text: String

    /// Bytes of UTF-8: a long page.
    public static let byteLimit = 4_096
    /// How many notes one assignment or one session may have. Nobody reads more before a session.
    public static let countLimit = 100

    /// The note as a person typed it: tabs become four blanks, and a carriage return before a line feed is left out.
    public init(typed text: String) throws(NoteFault) { try self.init(text.typed) }

    /// Throws if the text is blank or too long, or holds a control character other than a line break, which a terminal would
    /// obey.
    public init(_ text: String) throws(NoteFault) {
        guard !text.isBlank else { throw .empty }
        guard text.utf8.count <= Self.byteLimit else { throw .tooLong }
        let hasControls = text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control }
        guard !hasControls else { throw .controlCharacter }
        self.text = text
    }

    /// A note from the history, which was checked when it was written.
    public init(recorded text: String) { self.text = text }
}

/// The place of a note.
public enum NotePlace: Hashable, Sendable {
    /// With the task in progress; else with the task completed last, if that was today; else for the next session.
    case here
    case assignment(AssignmentID)
    /// A talking point: it waits for the next session, of whichever assignment.
    case nextSession
}

/// The reason why a text cannot be kept as a note.
public enum NoteFault: Error, Hashable, Sendable {
    case empty
    case tooLong
    case controlCharacter
    case tooMany
}

extension Decision {
    mutating func addNote(_ note: Note, _ place: NotePlace) throws(Refusal) {
        let id = try assignment(for: place)
        let count = id.map { plan.progress[$0]?.notes ?? 0 } ?? plan.talkingPoints
        guard count < Note.countLimit else { throw .cannotAddNote(.tooMany) }
        happen(.noteWritten(id, note))
    }

    /// Nil for the next session.
    private func assignment(for place: NotePlace) throws(Refusal) -> AssignmentID? {
        switch place {
        case .nextSession: return nil
        case .here: return plan.flow?.assignment ?? completedToday
        case .assignment(let id):
            guard let assignment = plan.agenda[id] else { throw .noSuchAssignment(id) }
            // A locked assignment may be withdrawn, and its notes would belong to nothing.
            guard assignment.due <= day else { throw .locked(id, until: assignment.due) }
            return id
        }
    }

    /// The assignment completed last, if that was on the present day.
    private var completedToday: AssignmentID? {
        guard let id = plan.completedLast, let on = plan.progress[id]?.completedOn, on >= day else { return nil }
        return id
    }
}

extension Plan {
    mutating func countNote(with id: AssignmentID?) {
        guard let id else { return talkingPoints += 1 }
        progress[of: id].notes += 1
    }
}
