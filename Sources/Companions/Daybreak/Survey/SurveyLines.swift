import Companion
import Glibc
import PracticeInterfaces
import SurveyFormat
import Surveys

/// A survey in lines, for a screen reader and for pipes: a question is printed, and a line is its answer.
struct SurveyLines {
    static let unsent = "Not at the practice yet: kept on this machine, and sent with the next answer."
    /// - Parameter isInDoubt: see ``SurveyKeeper/isFinishInDoubt``.
    static func notFinished(isInDoubt: Bool) -> String {
        isInDoubt
            ? "The practice did not answer, so it is not known whether the survey is finished; try again in a moment."
            : "The practice cannot be reached, so the survey is not finished; try again in a moment."
    }

    private let keeper: SurveyKeeper
    private let closes: String?
    private var running: RunningSurvey
    private var isUnsent = false
    private var input = InputLines()

    init(_ keeper: SurveyKeeper, today: String) {
        self.keeper = keeper
        closes = SurveyWords.closes(keeper.survey, today: today)
        running = RunningSurvey(keeper.questionnaire, kept: keeper.kept)
    }

    /// The sentence after it was left before the end.
    static func farewell(
        _ running: RunningSurvey, _ closes: String?, isUnsent: Bool, isFinishInDoubt: Bool
    ) -> String {
        guard !isFinishInDoubt else {
            return
                "It is not known whether the survey is finished, because the practice did not answer. If it is not, "
                + "`daybreak survey` goes on: the answers are kept until this machine is switched off."
        }
        guard isUnsent else { return SurveyWords.left(running, closes: closes) }
        return
            "The last answers are not at the practice yet. They are kept until this machine is switched off: "
            + "`daybreak survey` sends them" + (closes.map { ", until \($0)." } ?? ".")
    }

    /// - Returns: the sentence that tells how it ended.
    mutating func run() throws(Failure) -> String {
        begin()
        if keeper.hasUnsent, let end = try keep() { return end }
        while true {
            let line = running.currentQuestion.map { ask($0) } ?? askEnd()
            guard let line, line != "." else {
                if isUnsent, let end = try keep() { return end }
                return Self.farewell(
                    running, closes, isUnsent: isUnsent, isFinishInDoubt: keeper.isFinishInDoubt)
            }
            if line == "<" {
                if !running.goBack() { Streams.output("This is the first question.\n") }
            } else if let question = running.currentQuestion {
                if let end = try obey(line, question) { return end }
            } else if let end = try finish(line) {
                return end
            }
        }
    }

    /// The text with a full stop, unless it ends as a sentence does.
    static func sentence(_ text: String) -> String { text.last.map { ".?!…".contains($0) } == true ? text : text + "." }

    private func begin() {
        let until = closes.map { " It can be answered until \($0)." } ?? ""
        Streams.output("\(Self.sentence(keeper.survey.title.shown.singleLine))\(until)\n")
        if let owner = running.questionnaire.copyright { print(owner) }
        Streams.output(
            "An answer is a line. An empty line keeps the answer that is there, or leaves the question open; - takes it back, "
                + "< goes back, . leaves.\n")
        if keeper.hasUnsent { Streams.output("Answers that were not at the practice yet are there again.\n") }
    }

    private func print(_ text: String) {
        for line in text.paragraphs(columns: nil) { Streams.output(line + "\n") }
    }

    private mutating func ask(_ question: Questionnaire.Item) -> String? {
        Streams.output("\n")
        for text in running.texts(before: question.linkID) { print(text) }
        let need = question.isRequired ? ", needs an answer" : ""
        Streams.output("Question \(running.number) of \(running.questions.count)\(need).\n")
        print(question.heading)
        for (place, option) in question.options.enumerated() {
            print(question.countsOptions ? "\(place + 1) \(option.text)" : option.text)
        }
        let now = running.answers[question.linkID].map { ", now \(question.spelled($0).shown)" } ?? ""
        return input.ask("Answer (\(question.hint.shown)\(now)):")
    }

    private mutating func askEnd() -> String? {
        Streams.output("\n")
        for text in running.texts(before: nil) + SurveyWords.end(running) where !text.isEmpty { print(text) }
        return input.ask(
            running.missing.isEmpty
                ? "Type finish to finish it, < to go back, . to leave:"
                : "An empty line goes to the first of them, < goes back, . leaves:")
    }

    private mutating func obey(_ line: String, _ question: Questionnaire.Item) throws(Failure) -> String? {
        let before = running.answers[question.linkID]
        switch line {
        case "": break
        case "-": running.answer(nil)
        default:
            do { running.answer(try question.answer(typed: line)) } catch let fault {
                Streams.output("\(fault.sentence.shown)\n")
                return nil
            }
        }
        let isChanged = running.answers[question.linkID] != before
        running.goOn()
        return isChanged ? try keep() : nil
    }

    /// - Returns: the sentence of an end that the practice made.
    private mutating func keep() throws(Failure) -> String? {
        switch try keeper.keep(running) {
        case .done, .incomplete: isUnsent = false
        case .finished: return SurveyWords.finished
        case .unsent:
            isUnsent = true
            Streams.output("\(Self.unsent)\n")
        case .unfit(let question, let sentence): take(unfit: question, sentence)
        case .over(let sentence): return sentence
        }
        return nil
    }

    private mutating func take(unfit question: String, _ sentence: String) {
        isUnsent = true
        running.go(to: question)
        Streams.output("\(sentence.shown)\n")
    }

    private mutating func finish(_ line: String) throws(Failure) -> String? {
        guard running.missing.isEmpty else {
            running.goToMissing()
            return nil
        }
        guard line.lowercased() == "finish" else { return nil }
        switch try keeper.finish(running) {
        case .done, .finished: return SurveyWords.finished
        case .incomplete: running.goToMissing()
        case .unsent:
            isUnsent = true
            Streams.output("\(Self.notFinished(isInDoubt: keeper.isFinishInDoubt))\n")
        case .unfit(let question, let sentence): take(unfit: question, sentence)
        case .over(let sentence): return sentence
        }
        return nil
    }
}

/// The lines of standard input, each after a prompt. A terminal edits them itself.
struct InputLines {
    private var rest: [UInt8] = []
    private var hasEnded = false

    /// Without white space at both ends; nil at the end of the input.
    mutating func ask(_ prompt: String) -> String? {
        Streams.output(prompt)
        // A line that is broken to fit loses the blank at its end.
        Streams.output(verbatim: isatty(STDIN_FILENO) == 1 ? " " : "\n")
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest.removeFirst(end + 1) }
                return Self.trimmed(rest[..<end])
            }
            guard !hasEnded else { return nil }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            if count > 0 {
                rest += bytes[..<count]
            } else {
                hasEnded = true
                // The last line may have no end.
                if !rest.isEmpty { rest.append(UInt8(ascii: "\n")) }
            }
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        String(String(decoding: bytes, as: UTF8.self).withoutEnd.drop { $0.isWhitespace })
    }
}
