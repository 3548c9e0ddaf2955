public import Time

/// The assignments as the provider wrote them: known to be sound, each by itself and all together.
public struct Schedule: Hashable, Sendable {
    public let entries: [Entry]

    /// Ten entries a day for 27 years: more is a mistake, or an attack.
    public static let entryLimit = 100_000
    /// 100,000 entries of 160 bytes.
    public static let byteLimit = 16 * 1_024 * 1_024

    /// One line of the schedule.
    public struct Entry: Hashable, Sendable {
        /// What the provider named it, if anything.
        public let id: AssignmentID?
        public let breaths: Int
        public let moods: [Mood]
        public let due: CalendarDay
        /// How each breath goes, where the provider said so.
        public let pattern: BreathPattern?

        /// Throws where the breaths or the moods are out of their bounds.
        public init(
            id: AssignmentID? = nil, breaths: Int, moods: [String], due: CalendarDay, pattern: BreathPattern? = nil
        ) throws(EntryFault) {
            self.breaths = try Self.checked(breaths: breaths)
            self.moods = try Self.checked(moods: moods)
            self.id = id
            self.due = due
            self.pattern = pattern
        }

        /// The same of choices that `checked(moods:)` has passed: entries that offer the same ones share them.
        public init(
            id: AssignmentID?, breaths: Int, checked moods: [Mood], due: CalendarDay, pattern: BreathPattern?
        ) throws(EntryFault) {
            self.init(unchecked: id, try Self.checked(breaths: breaths), moods, due, pattern)
        }

        /// An entry that is known to be sound.
        init(
            unchecked id: AssignmentID?, _ breaths: Int, _ moods: [Mood], _ due: CalendarDay, _ pattern: BreathPattern?
        ) {
            self.id = id
            self.breaths = breaths
            self.moods = moods
            self.due = due
            self.pattern = pattern
        }
    }

    /// Throws where there are too many, or where two have one name.
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
    /// More slow breaths than these take hours.
    public static let breathLimit = 1_000
    /// More choices than these fit no screen.
    public static let moodLimit = 50
    /// In UTF-8. A mood is a word or two.
    public static let moodByteLimit = 100

    /// The number, if it is one of breaths.
    public static func checked(breaths: Int) throws(EntryFault) -> Int {
        guard breaths >= 1 else { throw .noBreaths }
        guard breaths <= breathLimit else { throw .tooManyBreaths }
        return breaths
    }

    /// The words, if they are choices to choose from. A choice is counted from 1 in a fault; the words themselves are
    /// never repeated, for a fault may end in the journal.
    public static func checked(moods: [String]) throws(EntryFault) -> [Mood] {
        guard !moods.isEmpty else { throw .noMoods }
        guard moods.count <= moodLimit else { throw .tooManyMoods }
        for (index, word) in moods.enumerated() {
            let isPlain = word.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
            guard isPlain ? word.utf8.contains(where: { $0 != 0x20 }) : word.contains(where: { !$0.isWhitespace })
            else { throw .emptyMood(index + 1) }
            guard word.utf8.count <= moodByteLimit else { throw .moodTooLong(index + 1) }
            // Unicode's tables are asked about what is not plain alone: a schedule may have a million words.
            guard isPlain || !word.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
                throw .controlCharacter(index + 1)
            }
            if let first = moods[..<index].firstIndex(of: word) { throw .repeatedMood(index + 1, of: first + 1) }
        }
        return moods.map(Mood.init)
    }
}

/// What is wrong with one entry by itself.
public enum EntryFault: Error, Hashable, Sendable {
    case noBreaths
    case tooManyBreaths
    case noMoods
    case tooManyMoods
    case emptyMood(Int)
    case moodTooLong(Int)
    case controlCharacter(Int)
    case repeatedMood(Int, of: Int)
}

/// What is wrong with a schedule as a whole; entries count from 1.
public struct ScheduleFault: Error, Hashable, Sendable {
    public enum Reason: Hashable, Sendable {
        case tooManyEntries
        case repeatedID(of: Int)
    }

    public let entry: Int
    public let reason: Reason
}
