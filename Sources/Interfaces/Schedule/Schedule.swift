import Text
public import Time

/// The assignments as the provider wrote them. A value of this type is valid.
public struct Schedule: Hashable, Sendable {
    public let entries: [Entry]

    /// Ten entries a day for 27 years; more is a mistake or an attack.
    public static let entryLimit = 100_000
    /// Bytes of a schedule file: 100,000 entries of 160 bytes.
    public static let byteLimit = 16 * 1_024 * 1_024

    /// Entries of a schedule that a practice assigns: three years with one task a day.
    public static let assignedEntryLimit = 1_000
    /// Bytes of such a schedule's text.
    public static let assignedByteLimit = 128 * 1_024

    /// One assignment as the provider wrote it.
    public struct Entry: Hashable, Sendable {
        /// The provider's own name for it, if any.
        public let id: AssignmentID?
        public let breaths: Int
        public let moods: [Mood]
        public let due: CalendarDay
        /// Nil if the provider left it to the settings.
        public let pattern: BreathPattern?

        /// Throws if the breaths or the moods are out of bounds.
        public init(
            id: AssignmentID? = nil, breaths: Int, moods: [String], due: CalendarDay, pattern: BreathPattern? = nil
        ) throws(EntryFault) {
            self.breaths = try Self.checked(breaths: breaths)
            self.moods = try Self.checked(moods: moods)
            self.id = id
            self.due = due
            self.pattern = pattern
        }

        /// `moods` must be a result of `checked(moods:)`; entries with the same choices share them.
        public init(
            id: AssignmentID?, breaths: Int, checked moods: [Mood], due: CalendarDay, pattern: BreathPattern?
        ) throws(EntryFault) {
            self.init(unchecked: id, try Self.checked(breaths: breaths), moods, due, pattern)
        }

        /// An entry that was checked before.
        package init(
            unchecked id: AssignmentID?, _ breaths: Int, _ moods: [Mood], _ due: CalendarDay, _ pattern: BreathPattern?
        ) {
            self.id = id
            self.breaths = breaths
            self.moods = moods
            self.due = due
            self.pattern = pattern
        }
    }

    /// Throws if there are too many entries or two have the same id.
    public init(_ entries: [Entry]) throws(ScheduleFault) {
        guard entries.count <= Self.entryLimit else {
            throw ScheduleFault(entry: Self.entryLimit + 1, reason: .tooManyEntries)
        }
        var named: [AssignmentID: Int] = [:]
        for (index, entry) in entries.enumerated() {
            guard let id = entry.id else { continue }
            if let first = named.updateValue(index + 1, forKey: id) {
                throw ScheduleFault(entry: index + 1, reason: .repeatedID(of: first))
            }
        }
        self.entries = entries
    }
}

extension Schedule.Entry {
    /// More slow breaths would take hours.
    public static let breathLimit = 1_000
    /// More choices would fit no screen.
    public static let moodLimit = 50
    /// Bytes of UTF-8. A mood is a word or two.
    public static let moodByteLimit = 100

    /// Returns the number, or throws if it is out of bounds.
    public static func checked(breaths: Int) throws(EntryFault) -> Int {
        guard breaths >= 1 else { throw .noBreaths }
        guard breaths <= breathLimit else { throw .tooManyBreaths }
        return breaths
    }

    /// Returns the words as moods, or throws if they are out of bounds. The fault names a word by its number, from 1,
    /// because it may be written to the journal.
    public static func checked(moods: [String]) throws(EntryFault) -> [Mood] {
        guard !moods.isEmpty else { throw .noMoods }
        guard moods.count <= moodLimit else { throw .tooManyMoods }
        for (index, word) in moods.enumerated() {
            let isPlain = word.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
            guard isPlain ? word.utf8.contains(where: { $0 != 0x20 }) : word.contains(where: { !$0.isWhitespace })
            else { throw .emptyMood(index + 1) }
            guard word.utf8.count <= moodByteLimit else { throw .moodTooLong(index + 1) }
            // ASCII needs no look into Unicode's tables, and a schedule may have a million words.
            if !isPlain, let hidden = word.firstHidden { throw .hiddenCharacter(index + 1, hidden) }
            if let first = moods[..<index].firstIndex(of: word) { throw .repeatedMood(index + 1, of: first + 1) }
        }
        return moods.map(Mood.init)
    }

    /// As ``checked(moods:)``, and throws also if two words differ only in capitals: a client who types one of them in
    /// small letters could mean the other. A schedule that was taken in earlier may have such words.
    public static func checked(newMoods moods: [String]) throws(EntryFault) -> [Mood] {
        let checked = try checked(moods: moods)
        var places: [String: Int] = [:]
        for (index, word) in moods.enumerated() {
            if let first = places.updateValue(index + 1, forKey: word.lowercased()) {
                throw .moodInOtherCase(index + 1, of: first)
            }
        }
        return checked
    }
}

/// The reason why an entry is not valid.
public enum EntryFault: Error, Hashable, Sendable {
    case noBreaths
    case tooManyBreaths
    case noMoods
    case tooManyMoods
    case emptyMood(Int)
    case moodTooLong(Int)
    /// The word has a character that nobody can read or type.
    case hiddenCharacter(Int, Unicode.Scalar)
    case repeatedMood(Int, of: Int)
    /// The word differs from the other only in capitals.
    case moodInOtherCase(Int, of: Int)
}

/// The reason why a schedule is not valid although each entry is. Entries are counted from 1.
public struct ScheduleFault: Error, Hashable, Sendable {
    public enum Reason: Hashable, Sendable {
        case tooManyEntries
        case repeatedID(of: Int)
    }

    public let entry: Int
    public let reason: Reason
}
