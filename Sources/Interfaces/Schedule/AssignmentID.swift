public import Time

/// The name of one assignment, in the history and on the command line. It never changes.
public struct AssignmentID: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// Characters: an id is typed by hand and stands in the journal.
    public static let limit = 64

    /// Nil unless the text has 1 to 64 characters out of `A-Z a-z 0-9 . _ -`. The first is no hyphen, because a command
    /// line would read an option.
    public init?(_ text: String) {
        let letters = text.utf8.span
        guard (1...Self.limit).contains(letters.count), letters[0] != UInt8(ascii: "-") else { return nil }
        for index in letters.indices where !Self.isAllowed(letters[index]) { return nil }
        self.text = text
    }

    /// The id of an entry without one: `2027-03-05` for the first of its day, then `2027-03-05.2`, `2027-03-05.3`, …
    public init(due: CalendarDay, ordinal: Int) {
        text = ordinal == 1 ? due.description : "\(due).\(ordinal)"
    }

    public var description: String { text }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
