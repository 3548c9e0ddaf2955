import Companion
import DaybreakInterfaces
import Text

/// A walk as lines: prints each page once, and then its changes.
struct Speaker {
    private var title: String?
    private var paragraphs: [String] = []
    private var question: Walk.Question?
    private var notices: [String] = []
    private var hints: [KeyHint] = []
    private var breaths: BreathLines
    private var showedKeys = false
    private var isAlong = false
    private var mistypedLines = 0

    init(countsDown: Bool = true) { breaths = BreathLines(countsDown: countsDown) }

    /// The text to add now.
    mutating func say(_ walk: Walk, at time: Double) -> String {
        let pace = walk.page == .exercise && walk.guide.isOurs && walk.isConnected ? walk.pace : nil
        let pause = walk.isPaused ? pace.map { say($0, at: time) } ?? "" : ""
        let lines = newLines(walk)
        let said = pause + (lines.isEmpty ? "" : breaths.endLine() + lines)
        return said + (walk.isPaused ? "" : pace.map { say($0, at: time) } ?? "") + sayAlong(walk, at: time)
    }

    private mutating func sayAlong(_ walk: Walk, at time: Double) -> String {
        let ended = isAlong && walk.along == nil ? breaths.forget() : ""
        isAlong = walk.along != nil
        guard isAlong, let breathing = walk.breathing(at: time) else { return ended }
        return ended + breaths.sayMore(breathing)
    }

    private mutating func say(_ pace: Walk.Pace, at time: Double) -> String {
        breaths.say(pace.exercise, Breathing(pace, at: time, isRunning: true))
    }

    private mutating func newLines(_ walk: Walk) -> String {
        if walk.page == .session && walk.presence == nil { return "" }  // The provider's name comes in a moment.
        var said = ""
        let wasMistyped = walk.mistypedLines != mistypedLines
        mistypedLines = walk.mistypedLines
        if wasMistyped { (notices, hints, question) = ([], [], nil) }  // All of these are printed again.
        let newTitle = Wording.Guided.title(walk)
        let turned = newTitle != title
        if turned && !newTitle.isEmpty { said += "\n\(newTitle)\n" }
        title = newTitle
        let newParagraphs = Wording.Guided.paragraphs(walk)
        for paragraph in newParagraphs where turned || !paragraphs.contains(paragraph) { said += paragraph + "\n" }
        paragraphs = newParagraphs
        said += wasMistyped ? newNotices(walk) : ""
        if turned || wasMistyped, walk.question == nil, case .mood = walk.page {
            said += Wording.numbered(walk.assignment.moods)
        }
        said += newQuestion(walk) + newNotices(walk)
        said += walk.showsKeys && !showedKeys ? Wording.Guided.plainKeys(walk.hints) : ""
        showedKeys = walk.showsKeys
        return said + newHints(walk)
    }

    private mutating func newQuestion(_ walk: Walk) -> String {
        guard walk.question != question else { return "" }
        question = walk.question
        return question.map { Wording.Guided.question($0).joined(separator: " ") + "\n" } ?? ""
    }

    private mutating func newNotices(_ walk: Walk) -> String {
        let new = Wording.Guided.notices(walk)
        defer { notices = new }
        return new.filter { !notices.contains($0) }.map { $0 + "\n" }.joined()
    }

    /// The keys are said once more: other words have come between.
    mutating func repeatHints() { hints = [] }

    /// Empty while an answer is on its way, which may change the keys, and on the last page.
    private mutating func newHints(_ walk: Walk) -> String {
        guard walk.hints != hints, !walk.isAsking, walk.page != .completed else { return "" }
        hints = walk.hints
        return Wording.Guided.plainHints(hints, walk.assignment.moods) + "\n"
    }
}

/// The meaning of a line that was typed.
enum TypedLine {
    static func inputs(for line: String, in walk: Walk) -> [Walk.Input] {
        if let draft = walk.noteInField {
            // As the daemon keeps it, so that it is found among the notes.
            if draft.state == .written { return [.wrote(line.substituting("    ", for: "\t"))] }
            return [key(line, in: walk) == "q" ? .key(.character("q")) : .mistyped(line)]
        }
        if walk.question == nil, case .mood = walk.page { return moodInputs(for: line, walk.assignment.moods) }
        if line.isEmpty { return [walk.question == nil ? .key(.enter) : .mistyped(line)] }
        guard let letter = key(line, in: walk) else { return [.mistyped(line)] }
        return [.key(letter == "p" && walk.page == .exercise ? .space : .character(letter))]
    }

    /// The key of those that work now that the line names, by its letter or by a word.
    private static func key(_ line: String, in walk: Walk) -> Character? {
        let word = line.withoutEnd.lowercased()
        let offered = walk.hints.map(Wording.Guided.plainKey).filter { $0.count == 1 }
        return offered.first { $0 == word || words(walk, $0).contains(word) }?.first
    }

    /// The words for a key that are as good as its letter.
    private static func words(_ walk: Walk, _ letter: String) -> [String] {
        switch letter {
        case "n": walk.question == nil ? ["note", "notes"] : ["no"]
        case "p": ["pause", "resume"]
        case "q": ["quit"]
        default: words[letter] ?? []
        }
    }

    private static let words = [
        "a": ["dismiss"], "b": ["breathe"], "f": ["feedback"], "i": ["record", "profile"], "j": ["join"],
        "l": ["leave"], "m": ["mood"], "o": ["open"], "r": ["restart"], "y": ["yes"], "?": ["keys"],
    ]

    private static func moodInputs(for line: String, _ moods: [String]) -> [Walk.Input] {
        if let place = choice(line, of: moods) { return [.chosen(place)] }
        return ["q", "quit"].contains(line.lowercased()) ? [.key(.escape)] : [.mistyped(line)]
    }

    /// A mood by its word, by its number, or by its word in upper or lower case.
    private static func choice(_ line: String, of moods: [String]) -> Int? {
        if let exact = moods.firstIndex(of: line) { return exact }
        if Wording.countsChoices(moods), let place = moods.index(numbered: Int(line)) { return place }
        return moods.firstIndex { $0.lowercased() == line.lowercased() }
    }
}
