import Companion
import SurveyFormat
import Surveys

/// The screen on which a survey is answered, question by question. Pure: a key makes actions, whose results come back.
struct SurveyScreen: Equatable {
    /// Something that the practice does for the screen.
    enum Action: Equatable {
        /// The answers changed and are to be kept.
        case keep
        case finish, end
    }

    var running: RunningSurvey
    let title: String
    /// The end of the survey's days, as a person says it; nil if it has none.
    let closes: String?
    /// The chosen option of the question; nil before one is chosen.
    private(set) var selected: Int?
    /// The words or the number that are typed.
    private(set) var line = EditedLine()
    /// True while all keys and the whole copyright are shown.
    private(set) var isHelp = false
    /// A sentence in the last line, until the next key.
    var notice = ""
    /// A sentence that stays until all answers are kept.
    var trouble = ""
    /// The first line that is shown of a page that is higher than the screen.
    var top = 0
    /// True once a key has moved to the place of the answer, which is then kept in sight.
    private(set) var isAnswering = false

    init(_ running: RunningSurvey, title: String, closes: String?) {
        (self.running, self.title, self.closes) = (running, title, closes)
        arrive()
    }

    /// Shows the present question as it was answered.
    private mutating func arrive() {
        (top, isAnswering) = (0, false)
        guard let question = running.currentQuestion else { return }
        let answer = running.answers[question.linkID]
        selected = answer.flatMap { answer in question.choices.firstIndex { $0.answer == answer } }
        line = EditedLine(question.isTyped ? answer.map(question.spelled) ?? "" : "")
    }

    // MARK: Keys

    mutating func press(_ key: Key) -> [Action] {
        notice = ""
        if isHelp {
            isHelp = false
            return []
        }
        if key == .help {
            isHelp = true
            return []
        }
        guard let question = running.currentQuestion else { return atEnd(key) }
        return question.isTyped ? type(key, question) : choose(key, question)
    }

    private mutating func atEnd(_ key: Key) -> [Action] {
        switch key {
        case .character("f"), .character("F"):
            guard running.missing.isEmpty else {
                running.goToMissing()
                arrive()
                notice = "This question needs an answer."
                return []
            }
            return [.finish]
        case .left, .pageUp, .character("b"), .erase: return back()
        case .up: top = max(0, top - 1)
        case .down: top += 1
        case .enter, .right, .pageDown: notice = running.missing.isEmpty ? "f finishes." : "f goes to what is missing."
        case .character("?"): isHelp = true
        case .escape, .interrupt, .character("q"), .endOfInput: return [.end]
        default: break
        }
        return []
    }

    private mutating func choose(_ key: Key, _ question: Questionnaire.Item) -> [Action] {
        let count = question.choices.count
        switch key {
        case .down, .character("j"): select(selected.map { min(count - 1, $0 + 1) } ?? 0)
        case .up, .character("k"):
            guard let selected, selected > 0 else {
                isAnswering = false
                top = 0
                return []
            }
            select(selected - 1)
        case .character("y") where question.kind == .boolean: select(0)
        case .character("n") where question.kind == .boolean: select(1)
        case .character(let digit) where question.choice(numbered: digit.wholeNumberValue) != nil:
            select(question.choice(numbered: digit.wholeNumberValue) ?? 0)
        case .enter, .space:
            guard let selected else { return leaveOut(question) }
            return take(question.choices[selected].answer)
        case .erase, .delete, .character("-"):
            selected = nil
            return change(to: nil)
        case .right, .pageDown: return goOn()
        case .left, .pageUp: return back()
        case .character("?"): isHelp = true
        case .escape, .interrupt, .character("q"), .endOfInput: return [.end]
        default: notice = "? shows the keys."
        }
        return []
    }

    private mutating func select(_ option: Int) { (selected, isAnswering) = (option, true) }

    private mutating func type(_ key: Key, _ question: Questionnaire.Item) -> [Action] {
        switch key {
        case .enter, .pageDown:
            guard !line.text.withoutEnd.isEmpty else {
                return change(to: nil) + leaveOut(question)
            }
            return takeTyped(question)
        case .pageUp:
            let kept = keepTyped(question)
            return notice.isEmpty ? kept + back() : kept
        case .up: top = max(0, top - 1)
        case .down: top += 1
        case .escape, .interrupt, .endOfInput:
            let kept = keepTyped(question)
            return key == .escape && !notice.isEmpty ? kept : kept + [.end]
        default:
            if line.take(key) { isAnswering = true }
        }
        return []
    }

    private mutating func takeTyped(_ question: Questionnaire.Item) -> [Action] {
        do { return take(try question.answer(typed: line.text)) } catch {
            notice = error.sentence
            return []
        }
    }

    /// The typed words count without an Enter, too, if they are an answer; else they stay, and a sentence says why.
    private mutating func keepTyped(_ question: Questionnaire.Item) -> [Action] {
        guard !line.text.withoutEnd.isEmpty else { return change(to: nil) }
        do { return change(to: try question.answer(typed: line.text)) } catch {
            notice = error.sentence
            return []
        }
    }

    /// The program ends without another key: typed words that are an answer count. True if they changed the answers.
    mutating func keepTyped() -> Bool {
        guard let question = running.currentQuestion, question.isTyped else { return false }
        return !keepTyped(question).isEmpty
    }

    /// The typed words, if they are no answer to the question; else nil.
    var unfitWords: String? {
        guard let question = running.currentQuestion, question.isTyped else { return nil }
        guard !line.text.withoutEnd.isEmpty else { return nil }
        do { _ = try question.answer(typed: line.text) } catch { return line.text }
        return nil
    }

    // MARK: Answers and places

    private mutating func take(_ answer: SurveyAnswer) -> [Action] { change(to: answer) + goOn() }

    private mutating func change(to answer: SurveyAnswer?) -> [Action] {
        guard let current = running.current, running.answers[current] != answer else { return [] }
        running.answer(answer)
        return [.keep]
    }

    private mutating func leaveOut(_ question: Questionnaire.Item) -> [Action] {
        let actions = goOn()
        notice = question.isRequired ? "It is left open, and needs an answer before the end." : "It is left open."
        return actions
    }

    private mutating func goOn() -> [Action] {
        running.goOn()
        arrive()
        return []
    }

    private mutating func back() -> [Action] {
        if running.goBack() { arrive() } else { notice = "This is the first question." }
        return []
    }

    /// The practice does not take the answer to this question.
    mutating func take(unfit question: String, _ sentence: String) {
        if running.go(to: question) { arrive() }
        trouble = sentence
    }

    /// The practice needs answers to these questions.
    mutating func takeIncomplete() {
        running.goToMissing()
        arrive()
        notice = "This question needs an answer."
    }
}

extension Questionnaire.Item {
    /// True if the answer is typed, rather than chosen.
    var isTyped: Bool { choices.isEmpty }

    /// The answers to choose from.
    var choices: [(answer: SurveyAnswer, text: String)] {
        if kind == .boolean { return [true, false].map { (.boolean($0), spelled(.boolean($0))) } }
        return options.enumerated().map { (.choice($0.offset), $0.element.text) }
    }

    /// True if the answers to choose from have their places before them.
    var countsChoices: Bool { kind == .boolean || countsOptions }

    /// The place of the answer that a number means; nil if there is none.
    func choice(numbered number: Int?) -> Int? {
        kind == .boolean ? choices.index(numbered: number) : option(numbered: number)
    }
}
