/// The limits of chat, and its partners by role.
public enum ChatRules {
    /// Bytes of UTF-8.
    public static let textLimit = 16 * 1_024
    public static let members = 1_000
    /// Rooms that one person made and that are still there.
    public static let rooms = 200
    /// The rooms of one list.
    public static let listed = 200
    /// The most unread messages of a room that are counted: a person who was away for long must not hold the others up.
    public static let unread = 1_000
    public static let page = 20
    public static let longestPage = 200

    /// A person is shown as typing for so long after a key.
    public static let typing = Duration.seconds(15)
    /// The time between two words that the same person types.
    public static let typingPause = Duration.seconds(5)
    /// The members of a room above which nobody is told who comes online there: each coming would be told to all.
    public static let presenceLimit = 100

    /// Whether two people may write to each other in a room of their own: if one of them may write letters to the other. So a
    /// client can answer an administrator, and begins no such room.
    public static func mayTalk(_ one: Role, with other: Role, isTheirs: Bool, isOpen: Bool) -> Bool {
        LetterRules.mayWrite(one, to: other, isTheirs: isTheirs, isOpen: isOpen)
            || LetterRules.mayWrite(other, to: one, isTheirs: isTheirs, isOpen: isOpen)
    }

    public static func roomName(_ text: String) throws(FieldError) -> String { try Field.line(text, limit: 64) }

    public static func text(_ text: String) throws(FieldError) -> String {
        try Field.someText(text, limit: textLimit)
    }
}
