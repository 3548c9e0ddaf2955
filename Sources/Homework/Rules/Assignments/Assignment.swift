public import Time

/// The name of one assignment, in the history and on the command line. It never changes.
public struct AssignmentID: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// Characters: an id is typed by hand and stands in the journal.
    public static let limit = 64

    /// Nil unless the text has 1 to 64 characters out of `A-Z a-z 0-9 . _ -`. The first is no hyphen, because a command
    /// line would read an option.
    public init?(_ text: String) {
        let letters = text.utf8
        guard (1...Self.limit).contains(letters.count), letters.allSatisfy(Self.isAllowed),
            letters.first != UInt8(ascii: "-")
        else { return nil }
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

/// One word for how the client feels, out of an assignment's choices.
public struct Mood: Hashable, Sendable, CustomStringConvertible {
    public let word: String

    /// Stands for a mood that the client erased.
    public static let erased = Mood("")

    /// Nil if the client erased it.
    public var wordUnlessErased: String? { self == .erased ? nil : word }

    public init(_ word: String) { self.word = word }

    public var description: String { word }
}

/// One piece of homework. Clients read the word *task*; in Swift, `Task` is taken.
public struct Assignment: Hashable, Sendable {
    public let id: AssignmentID
    public let due: CalendarDay
    /// How many slow breaths the exercise has.
    public let breaths: Int
    public let moods: [Mood]
    /// Nil if the provider left it to the settings.
    public let pattern: BreathPattern?
    /// Its place within its day, from 0, in the schedule's order.
    public let position: Int

    public init(
        id: AssignmentID, due: CalendarDay, breaths: Int, moods: [Mood], pattern: BreathPattern? = nil, position: Int
    ) {
        self.id = id
        self.due = due
        self.breaths = breaths
        self.moods = moods
        self.pattern = pattern
        self.position = position
    }

    /// True if the id was made from the day, not given by the provider.
    public var isNamedByDay: Bool {
        id.text == due.description || id.text.hasPrefix("\(due).")
    }

    /// Compares the days, then the places within the day.
    public static func precedes(_ left: Self, _ right: Self) -> Bool {
        if left.due != right.due { return left.due < right.due }
        if left.position != right.position { return left.position < right.position }
        return left.id.text < right.id.text
    }
}
