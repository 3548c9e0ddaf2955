import Time

/// Something the client wants to remember, or to speak of in a session. Only the client's own screen shows it.
public struct Note: Hashable, Sendable {
    public let text: String

    /// In UTF-8: a long page. What is longer is a diary, which a program for homework should not keep.
    public static let byteLimit = 4_096
    /// Kept with one assignment, or collected for one session: more than these nobody reads before it.
    public static let countLimit = 100

    /// Throws where there is nothing in it, where it is too long, or where it holds a control character other than a
    /// line break: it is shown on a terminal.
    public init(_ text: String) throws(NoteFault) {
        guard text.contains(where: { !$0.isWhitespace }) else { throw .empty }
        guard text.utf8.count <= Self.byteLimit else { throw .tooLong }
        let steers = text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control }
        guard !steers else { throw .controlCharacter }
        self.text = text
    }

    /// One that was sound when it was written.
    public init(recorded text: String) { self.text = text }
}

/// Where a note belongs.
public enum NotePlace: Hashable, Sendable {
    /// With the task in progress; else with the one completed last, while its day lasts; else to the next session.
    case here
    case assignment(AssignmentID)
    /// A talking point: it waits for the next session, whichever task that comes with.
    case nextSession
}

/// Why something is not kept as a note.
public enum NoteFault: Error, Hashable, Sendable {
    case empty
    case tooLong
    case controlCharacter
    case tooMany
}
