import JSON
import Text
import Time

/// The first fault of a text that is no schedule.
public struct InvalidSchedule: Error, Equatable, Sendable {
    /// From 1.
    public let line: Int
    /// From 1, in characters.
    public let column: Int
    /// The number of the entry, from 1; nil if the fault is in none.
    public let entry: Int?
    /// A sentence for people. It names no mood, because it may be written to the journal.
    public let reason: String

    public init(line: Int, column: Int, entry: Int? = nil, reason: String) {
        self.line = line
        self.column = column
        self.entry = entry
        self.reason = reason
    }
}

/// Reads a schedule as the provider wrote it: a JSON array of `[breaths, moods, due]`, or of objects with `breaths`,
/// `moods`, `due` and perhaps `id` and `pattern`.
///
/// Throws the first fault, with its line and column (from 1, in characters). A schedule with a fault is refused as a whole.
public struct ScheduleReader {
    private var json: JSONReader
    private var entry: Int?
    /// The choices of the entry before, and their place: most entries repeat them byte for byte.
    private var choices: (place: Range<Int>, moods: [Mood]) = (0..<0, [])
    private let patterns: PatternBook
    private let isRecorded: Bool

    /// Reads a whole schedule.
    /// - Parameters:
    ///   - patterns: the patterns that an entry may name.
    ///   - isRecorded: whether the schedule was taken in earlier, perhaps by an older version: moods that differ only in
    ///     capitals are no fault of it.
    public static func read(
        _ bytes: [UInt8], patterns: PatternBook = .standard, isRecorded: Bool = false
    ) throws(InvalidSchedule) -> Schedule {
        guard bytes.count <= Schedule.byteLimit else {
            let reason =
                "The schedule has more than \(Schedule.byteLimit) bytes, which is the limit: leave out entries that are long over."
            throw InvalidSchedule(line: 1, column: 1, reason: reason)
        }
        if let reason = fault(inAllOf: bytes) { throw InvalidSchedule(line: 1, column: 1, reason: reason) }
        let text = bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(byteOrderMark.count)) : bytes
        var reader = ScheduleReader(json: JSONReader(text), patterns: patterns, isRecorded: isRecorded)
        do {
            return try reader.schedule()
        } catch {
            throw InvalidSchedule(
                line: error.position.line, column: error.position.column, entry: reader.entry, reason: error.reason)
        }
    }

    /// Some editors put it before a text in UTF-8.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The reason why a text without a single entry, or in another encoding, is no schedule.
    private static func fault(inAllOf bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return "The schedule is in UTF-16: save it as UTF-8."
        }
        let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes[...]
        let isEmpty = text.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
        return isEmpty ? "The schedule is empty: a schedule without tasks is []." : nil
    }

    private init(json: JSONReader, patterns: PatternBook, isRecorded: Bool) {
        self.json = json
        self.patterns = patterns
        self.isRecorded = isRecorded
    }

    private mutating func schedule() throws(JSONError) -> Schedule {
        guard try json.peekKind() == .array else { throw here("A schedule is a JSON array of entries.") }
        var entries: [Schedule.Entry] = []
        var starts: [Int] = []
        try json.beginArray()
        while try json.nextElement() {
            entry = entries.count + 1
            guard entries.count < Schedule.entryLimit else { throw here("There are more than 100,000 entries.") }
            starts.append(json.offset)
            entries.append(try readEntry())
            entry = nil
        }
        try json.end()
        return try whole(entries, startingAt: starts)
    }

    private mutating func whole(_ entries: [Schedule.Entry], startingAt starts: [Int]) throws(JSONError) -> Schedule {
        do {
            return try Schedule(entries)
        } catch {
            entry = error.entry
            throw json.error(at: starts[min(error.entry, starts.count) - 1], error.sentence)
        }
    }

    private mutating func readEntry() throws(JSONError) -> Schedule.Entry {
        switch try json.peekKind() {
        case .array: try readTriple()
        case .object: try readObject()
        default:
            throw here("An entry is [breaths, moods, due], or an object with \"breaths\", \"moods\" and \"due\".")
        }
    }

    private mutating func readTriple() throws(JSONError) -> Schedule.Entry {
        let start = json.offset
        try json.beginArray()
        try expectElement(of: start, "The breath count is missing: an entry is [breaths, moods, due].")
        let breaths = try readBreaths()
        try expectElement(of: start, "The mood choices are missing: an entry is [breaths, moods, due].")
        let moods = try readMoods()
        try expectElement(of: start, "The due date is missing: an entry is [breaths, moods, due].")
        let due = try readDue()
        guard try !json.nextElement() else { throw here("An entry has three parts: [breaths, moods, due].") }
        return try entry(id: nil, breaths, moods, due, nil, at: start)
    }

    private mutating func readObject() throws(JSONError) -> Schedule.Entry {
        let start = json.offset
        var id: AssignmentID?
        var breaths: Int?
        var moods: [Mood]?
        var due: CalendarDay?
        var pattern: BreathPattern?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "id": id = try readID()
            case "breaths": breaths = try readBreaths()
            case "moods": moods = try readMoods()
            case "due": due = try readDue()
            case "pattern": pattern = try readPattern()
            default: throw json.error(at: json.keyOffset, Self.keysKnown)
            }
        }
        guard let breaths else { throw json.error(at: start, "The entry has no \"breaths\".") }
        guard let moods else { throw json.error(at: start, "The entry has no \"moods\".") }
        guard let due else { throw json.error(at: start, "The entry has no \"due\".") }
        return try entry(id: id, breaths, moods, due, pattern, at: start)
    }

    private static let keysKnown =
        "An entry has \"breaths\", \"moods\", \"due\" and perhaps \"id\" and \"pattern\", and nothing else."

    private func entry(
        id: AssignmentID?, _ breaths: Int, _ moods: [Mood], _ due: CalendarDay, _ pattern: BreathPattern?,
        at start: Int
    ) throws(JSONError) -> Schedule.Entry {
        do {
            return try Schedule.Entry(id: id, breaths: breaths, checked: moods, due: due, pattern: pattern)
        } catch {
            throw json.error(at: start, error.sentence)
        }
    }

    private mutating func expectElement(of start: Int, _ reason: String) throws(JSONError) {
        guard try json.nextElement() else { throw json.error(at: start, reason) }
    }

    private func here(_ reason: String) -> JSONError { json.error(at: json.offset, reason) }
}

// The parts of an entry. Each is checked as it is read, so that a fault names its place.
extension ScheduleReader {
    private mutating func readBreaths() throws(JSONError) -> Int {
        let start = json.offset
        guard try json.peekKind() == .number else { throw here("The breath count is a whole number.") }
        let count: Int
        do { count = try json.readInt() } catch {
            throw json.error(at: start, "The breath count is a whole number from 1 to 1,000.")
        }
        do { return try Schedule.Entry.checked(breaths: count) } catch {
            throw json.error(at: start, error.sentence)
        }
    }

    private mutating func readMoods() throws(JSONError) -> [Mood] {
        if json.skipRepeat(of: choices.place) { return choices.moods }
        let start = json.offset
        let words: [String]
        var starts: [Int] = []
        switch try json.peekKind() {
        case .array: words = try readMoodArray(startingAt: &starts)
        case .string: words = try json.readString().split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
        default: throw here("The mood choices are an array of words, or one text with commas between them.")
        }
        do {
            let moods = try isRecorded ? Schedule.Entry.checked(moods: words) : Schedule.Entry.checked(newMoods: words)
            choices = (start..<json.offset, moods)
        } catch {
            let place = error.mood.flatMap { starts.indices.contains($0 - 1) ? starts[$0 - 1] : nil }
            throw json.error(at: place ?? start, error.sentence)
        }
        return choices.moods
    }

    private mutating func readMoodArray(startingAt starts: inout [Int]) throws(JSONError) -> [String] {
        var moods: [String] = []
        try json.beginArray()
        while try json.nextElement() {
            guard try json.peekKind() == .string else { throw here("A mood choice is a text.") }
            starts.append(json.offset)
            moods.append(trimmed(try json.readString()))
        }
        return moods
    }

    private mutating func readDue() throws(JSONError) -> CalendarDay {
        guard try json.peekKind() == .string else { throw here("The due date is a text such as \"2027-03-05\".") }
        let start = json.offset
        let text = try json.readString()
        guard let day = DueDate.day(in: text) else { throw json.error(at: start, DueDate.fault(in: text)) }
        return day
    }

    private mutating func readPattern() throws(JSONError) -> BreathPattern? {
        if try json.peekKind() == .null {
            try json.readNull()
            return nil
        }
        guard try json.peekKind() == .string else {
            throw here("A pattern is a text: a name, or seconds such as \"4-0-6-0\".")
        }
        let start = json.offset
        let text = try json.readString()
        do { return try patterns.pattern(text) } catch { throw json.error(at: start, error.sentence) }
    }

    private mutating func readID() throws(JSONError) -> AssignmentID? {
        if try json.peekKind() == .null {
            try json.readNull()
            return nil
        }
        guard try json.peekKind() == .string else { throw here("An id is a text.") }
        let start = json.offset
        guard let id = AssignmentID(try json.readString()) else {
            throw json.error(
                at: start,
                "An id has 1 to 64 letters (A-Z, a-z), digits, dots, underscores or hyphens, no hyphen first.")
        }
        guard !["today", "tomorrow", "yesterday"].contains(id.text.lowercased()) else {
            throw json.error(at: start, "This id names a day: no command could mean the entry by it.")
        }
        return id
    }

    private func trimmed(_ text: some StringProtocol) -> String {
        let kept = text.drop { $0.isWhitespace }
        guard let last = kept.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(kept[...last])
    }
}

extension EntryFault {
    /// The number of the wrong mood choice, from 1; nil if the fault is elsewhere.
    fileprivate var mood: Int? {
        switch self {
        case .emptyMood(let number), .moodTooLong(let number), .hiddenCharacter(let number, _): number
        case .repeatedMood(let number, _), .moodInOtherCase(let number, _): number
        case .noBreaths, .tooManyBreaths, .noMoods, .tooManyMoods: nil
        }
    }

    /// The fault as a sentence for people. It names a mood by its number, because it may end in the journal.
    public var sentence: String {
        switch self {
        case .noBreaths: "The breath count must be at least 1."
        case .tooManyBreaths: "The breath count is more than 1,000."
        case .noMoods: "There are no mood choices."
        case .tooManyMoods: "There are more than \(Schedule.Entry.moodLimit) mood choices."
        case .emptyMood(let number): "Mood choice \(number) is empty."
        case .moodTooLong(let number): "Mood choice \(number) is longer than \(Schedule.Entry.moodByteLimit) bytes."
        case .hiddenCharacter(let number, let character):
            "Mood choice \(number) has \(character.named) in it, which is not seen."
        case .repeatedMood(let number, let first): "Mood choice \(number) repeats choice \(first)."
        case .moodInOtherCase(let number, let first):
            "Mood choice \(number) differs from choice \(first) only in capital letters."
        }
    }
}

extension ScheduleFault {
    public var sentence: String {
        switch reason {
        case .tooManyEntries: "There are more than 100,000 entries."
        case .repeatedID(let first): "Its id is that of entry \(first)."
        }
    }
}
