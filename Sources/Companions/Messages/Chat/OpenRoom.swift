import Companion
import PracticeInterfaces
import Time

/// A room on the screen: what was said in it, as far as it is there, and the line that is being written.
struct OpenRoom {
    /// Something in the room's history.
    enum Entry: Equatable {
        case message(Chat.Message)
        /// Somebody came or went, or the room has another name.
        case note(String, at: String)

        var at: String {
            switch self {
            case .message(let message): message.at
            case .note(_, let at): at
            }
        }
    }

    var room: Chat.Room
    var members: [Chat.Member] = []
    /// The oldest first, each with the number that orders them.
    private(set) var entries: [(number: Int, entry: Entry)] = []
    /// There is more before the first entry, and it is being fetched.
    var hasEarlier = false
    var isFetching = false
    var line = EditedLine()
    /// Those who type, by their identifiers.
    var typists: [String: String] = [:]
    /// Lines that stand below the screen.
    var scrolled = 0
    /// The number up to which the practice knows that this was read.
    var readTo = 0
    /// The reason why nothing can be said here any more.
    var over: String?

    init(_ room: Chat.Room) { self.room = room }

    static func number(_ identifier: String) -> Int { Int(identifier.dropFirst()) ?? 0 }

    var first: Chat.Message? { messages.first }
    var newest: Chat.Message? { messages.last }
    func newest(notFrom person: String?) -> Chat.Message? { messages.last { $0.from != person } }
    func newest(from person: String?) -> Chat.Message? { messages.last { $0.from == person && !$0.deleted } }
    func unread(by person: String?) -> Int { messages.count { Self.number($0.id) > readTo && $0.from != person } }

    private var messages: [Chat.Message] {
        entries.compactMap { if case .message(let message) = $0.entry { message } else { nil } }
    }

    /// Adds messages, each once: history and what comes about overlap.
    mutating func take(_ messages: [Chat.Message]) {
        for message in messages { put(Self.number(message.id), .message(message)) }
    }

    mutating func take(_ note: String, number: Int, at: String) { put(number, .note(note, at: at)) }

    private mutating func put(_ number: Int, _ entry: Entry) {
        let place = entries.firstIndex { $0.number >= number } ?? entries.count
        if place < entries.count, entries[place].number == number {
            // A message that was deleted stays so, whatever comes later.
            if case .message(let kept) = entries[place].entry, kept.deleted { return }
            entries[place].entry = entry
        } else {
            entries.insert((number, entry), at: place)
        }
    }

    // MARK: The picture

    /// A line of the history.
    struct Line: Equatable {
        let text: String
        var isBold = false
    }

    /// The last lines of the history, at most so many, the oldest first.
    func lines(columns: Int, most: Int, today: String) -> [Line] {
        var (blocks, count): ([[Line]], Int) = ([], 0)
        for place in entries.indices.reversed() where count < most {
            let before = place > 0 ? entries[place - 1].entry : nil
            blocks.append(Self.lines(of: entries[place].entry, after: before, columns: columns, today: today))
            count += blocks[blocks.count - 1].count
        }
        return blocks.reversed().joined().suffix(most)
    }

    /// The number of lines of the entry with that number, where it stands.
    func height(of number: Int, columns: Int, today: String) -> Int {
        guard let place = entries.firstIndex(where: { $0.number == number }) else { return 0 }
        let before = place > 0 ? entries[place - 1].entry : nil
        return Self.lines(of: entries[place].entry, after: before, columns: columns, today: today).count
    }

    private static func lines(of entry: Entry, after before: Entry?, columns: Int, today: String) -> [Line] {
        let (sent, earlier) = (DateTime(entry.at), before.flatMap { DateTime($0.at) })
        var lines: [Line] = []
        if let sent, sent.day != earlier?.day {
            lines = [Line(text: ""), Line(text: " " + day(sent.day, today)), Line(text: "")]
        }
        let clock = sent?.time.clock ?? entry.at.shown
        switch entry {
        case .note(let text, _):
            lines.append(Line(text: " \(clock) – \(text)".cut(to: columns)))
        case .message(let message):
            if !follows(message, before) || !lines.isEmpty {
                lines.append(Line(text: " \(clock) \(message.name.shown.singleLine)".cut(to: columns), isBold: true))
            }
            let body = message.deleted ? ["– deleted –"] : message.text.paragraphs(columns: max(1, columns - 4))
            lines += body.map { Line(text: $0.isEmpty ? "" : "   " + $0) }
        }
        return lines
    }

    private static func day(_ day: CalendarDay, _ today: String) -> String {
        "— \(Wording.capitalised(Wording.day(day, today: CalendarDay(today)))) —"
    }

    /// True for a message of the same writer within the same minute: their name stands above already.
    private static func follows(_ message: Chat.Message, _ before: Entry?) -> Bool {
        guard case .message(let earlier) = before, earlier.from == message.from, let one = DateTime(earlier.at),
            let other = DateTime(message.at)
        else { return false }
        return one.day == other.day && one.time.clock == other.time.clock
    }
}
