import Companion
import DaybreakInterfaces

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
        if wasMistyped { (notices, hints) = ([], []) }  // The notices and the keys are printed again.
        let newTitle = Wording.Guided.title(walk)
        let turned = newTitle != title
        if turned && !newTitle.isEmpty { said += "\n\(newTitle)\n" }
        title = newTitle
        let newParagraphs = Wording.Guided.paragraphs(walk)
        for paragraph in newParagraphs where turned || !paragraphs.contains(paragraph) { said += paragraph + "\n" }
        paragraphs = newParagraphs
        said += wasMistyped ? newNotices(walk) : ""
        if turned || wasMistyped, case .mood = walk.page { said += Wording.numbered(walk.assignment.moods) }
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

    /// Empty while an answer is on its way, which may change the keys, and on the last page.
    private mutating func newHints(_ walk: Walk) -> String {
        guard walk.hints != hints, !walk.isAsking, walk.page != .completed else { return "" }
        hints = walk.hints
        return Wording.Guided.plainHints(hints) + "\n"
    }
}

/// The meaning of a line that was typed.
enum TypedLine {
    static func inputs(for line: String, in walk: Walk) -> [Walk.Input] {
        if walk.draft != nil { return [.wrote(line)] }
        if walk.question == nil, case .mood = walk.page { return moodInputs(for: line, walk.assignment.moods) }
        guard let first = line.first else { return [.key(.enter)] }
        let letter = Character(first.lowercased())
        if walk.page == .exercise, walk.question == nil, letter == "p" || letter == " " { return [.key(.space)] }
        // A letter that was meant for the breathing must not lead on from it.
        if walk.page == .exerciseDone, !(letter == "q" || letter == "j") { return [] }
        if [.instructions, .waitRoom, .session].contains(walk.page), walk.overlay == .none,
            !walk.hints.contains(where: { $0.key == String(letter) })
        {
            return [.mistyped(line)]
        }
        return [.key(.character(letter))]
    }

    private static func moodInputs(for line: String, _ moods: [String]) -> [Walk.Input] {
        if let place = choice(line, of: moods) { return [.chosen(place)] }
        return ["q", "quit"].contains(line.lowercased()) ? [.key(.escape)] : [.mistyped(line)]
    }

    /// A mood by its number, or by its word in upper or lower case.
    private static func choice(_ line: String, of moods: [String]) -> Int? {
        if let number = Int(line), moods.indices.contains(number - 1) { return number - 1 }
        return moods.firstIndex { $0.lowercased() == line.lowercased() }
    }
}
