import Companion
import PracticeRules

/// Shows a form in a terminal: one field on each line, and its fault below.
struct FormScreen {
    /// The form; its questions have the stored values.
    var form: Form
    private let reader: LineReader
    private let output: OutputOptions
    private let labelWidth: Int
    private var isBegun = false

    init(_ form: Form, _ reader: LineReader, _ output: OutputOptions) {
        self.form = form
        self.reader = reader
        self.output = output
        labelWidth = form.questions.map { DisplayWidth.of($0.label) }.max() ?? 0
    }

    private var ink: Ink { output.ink }
    private var columns: Int { output.columns ?? 80 }
    /// True if the terminal is too narrow for a label beside a field.
    private var isNarrow: Bool { columns < labelWidth + 4 + 30 }
    private var indent: Int { isNarrow ? 4 : labelWidth + 4 }
    private var margin: String { String(repeating: " ", count: indent) }

    /// Asks for the fields in their order, then for confirmation. Without fields it only asks for confirmation; the arrow up
    /// goes back to the fields. False if the person leaves.
    mutating func ask(_ fields: [String], _ typed: inout [String: String], _ faults: [String: String]) throws(Failure)
        -> Bool
    {
        if !isBegun { begin() } else if !faults.isEmpty { Streams.output("\n") }
        isBegun = true
        return try reader.asking { () throws(Failure) in try askInOrder(fields, &typed, faults) }
    }

    private func askInOrder(
        _ fields: [String], _ typed: inout [String: String], _ faults: [String: String]
    ) throws(Failure) -> Bool {
        let questions = form.questions.filter {
            (fields.isEmpty || fields.contains($0.field)) && ($0.isAsked && $0.hasChoices || faults[$0.field] != nil)
        }
        var place = fields.isEmpty ? questions.count : 0
        while true {
            while place < questions.count {
                let question = questions[place]
                let there = question.current.isEmpty ? question.usual(typed) : question.current
                let begin = typed[question.field] ?? there
                switch try answer(question, begin, faults[question.field]) {
                case .line(let text):
                    typed[question.field] = text
                    place += 1
                case .back: place = max(0, place - 1)
                case .leave: return false
                }
            }
            let keys = ["Enter \(form.does)", "↑ goes back", "Ctrl-C leaves"]
            let prompt =
                reader.drawsOnce
                ? "Enter \(form.does), anything else leaves:"
                : keys.packed(to: max(1, columns - 3)).map { "  " + ink.faint($0) }.joined(separator: "\n")
            Streams.output("\n")
            switch reader.confirm(prompt) {
            case true: return true
            case false: return false
            case nil: place = max(0, questions.count - 1)
            }
        }
    }

    private func begin() {
        Streams.output("\n  \(ink.strong(form.title.shown.singleLine))\n")
        let keys = reader.drawsOnce ? "Ctrl-C leaves" : "↑ goes back · Ctrl-C leaves"
        Streams.output("  \(ink.faint(keys))\n\n")
    }

    /// Asks until the answer is valid.
    private func answer(_ question: Question, _ begin: String, _ fault: String?) throws(Failure) -> LineReader.Answer {
        var (begin, fault, areListed) = (begin, fault, false)
        while true {
            if let fault { say(fault) }
            let answer = try self.line(question, begin, areListed)
            guard case .line(let text) = answer else { return answer }
            do throws(FieldError) {
                _ = try question.values(of: text, areListed: true)
                return .line(question.spelled(text))
            } catch {
                (begin, fault, areListed) = (text, error.reason, true)
            }
        }
    }

    private func say(_ fault: String) {
        for line in "✗ \(fault)".paragraphs(columns: max(1, columns - indent)) {
            Streams.output(margin + ink.warm(line) + "\n")
        }
    }

    private func note(_ sentence: String) {
        for line in sentence.paragraphs(columns: max(1, columns - indent)) { Streams.output(margin + line + "\n") }
    }

    /// - Parameter areListed: the choices are already on the screen.
    private func line(_ question: Question, _ begin: String, _ areListed: Bool) throws(Failure) -> LineReader.Answer {
        let mark = question.isRequired ? "" : "may be left out"
        var hint = [question.hint, mark].filter { !$0.isEmpty }.joined(separator: "; ")
        var label = question.label
        switch question.kind {
        case .line: break
        case .text(let draft): return try text(question, draft, begin)
        case .one(let choices):
            if !areListed { list(choices, under: label) }
            (label, hint) = ("", question.isRequired ? "a number or a word" : "a number or a word; \(mark)")
        case .some(let choices):
            if !areListed { list(choices, under: label) }
            (label, hint) = ("", "numbers or words, with commas between; \(mark)")
        }
        return reader.ask(prompt(label), hint: hint, begin: begin, ink: ink, settled: question.spelled)
    }

    private func prompt(_ label: String) -> String {
        if reader.drawsOnce { return label.isEmpty ? "Which?" : "\(label):" }
        if label.isEmpty { return margin }
        guard isNarrow else { return "  " + ink.faint(label.padded(to: labelWidth + 2)) }
        Streams.output("  \(ink.faint(label))\n")
        return margin
    }

    private func list(_ choices: [Question.Choice], under label: String) {
        let words = choices.enumerated().map { "\($0 + 1) \($1.word.shown.singleLine)" }
        let lines = words.packed(to: max(1, columns - indent))
        let first =
            isNarrow || reader.drawsOnce
            ? "  \(ink.faint(label))\n\(margin)" : "  " + ink.faint(label.padded(to: labelWidth + 2))
        Streams.output(first + lines.joined(separator: "\n" + margin) + "\n")
    }

    /// A typed line becomes the text. Enter alone opens the editor.
    private func text(_ question: Question, _ draft: LongText, _ begin: String) throws(Failure) -> LineReader.Answer {
        let isLong = begin.contains("\n") || begin.utf8.count > 200
        let kept = isLong ? begin : try draft.kept()
        if !isLong, let draft = try draft.description() { note("A text that was not sent is kept: \(draft)") }
        let there = kept.map { ", which has kept \(LongText.length($0))" } ?? ""
        let hint = "a line, or Enter for \(LongText.editorName)\(there)"
        let answer = reader.ask(prompt(question.label), hint: hint, begin: isLong ? "" : begin, ink: ink)
        guard case .line(let line) = answer, line.isEmpty else { return answer }
        let written: String
        do throws(Failure) {
            written = try reader.lending { () throws(Failure) in try draft.write(begin: kept ?? begin) }
        } catch {
            say(error.sentence)
            return try text(question, draft, "")
        }
        Streams.output(margin + ink.faint(written.isEmpty ? "nothing" : LongText.length(written)) + "\n")
        return .line(written)
    }
}
