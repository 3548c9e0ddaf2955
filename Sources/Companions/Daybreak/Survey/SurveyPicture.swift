import Companion
import SurveyFormat
import Surveys

/// The picture of the screen on which a survey is answered.
extension SurveyScreen {
    private static let keys = [
        ("↓ ↑", "choose an answer; so do the numbers"), ("Enter", "takes it, and goes on"),
        ("← →", "a question back, a question on"), ("PgUp PgDn", "the same, while you type"),
        ("-", "takes an answer back"), ("Ctrl-G", "shows these keys"), ("Esc", "leaves; the answers are kept"),
    ]
    /// Rows for the owner of the words; the rest is on the page of the keys.
    private static let copyrightRows = 2

    private struct Line {
        let text: String
        var isBold = false
        var isReversed = false
        /// The column of the cursor.
        var cursor: Int?
    }

    mutating func draw(columns: Int, rows: Int) -> Canvas {
        var canvas = Canvas(columns: columns, rows: rows)
        let owner = isHelp ? [] : copyright(columns, rows)
        let room = max(1, rows - 2 - owner.count)
        canvas.line(head.cut(to: columns), row: 0, isBar: true)
        let page = isHelp ? help(columns) : body(columns)
        top = max(0, min(shownTop(page, room), page.count - room))
        for (row, line) in page.dropFirst(top).prefix(room).enumerated() {
            canvas.line(line.text, row: row + 1, isBold: line.isBold, isReversed: line.isReversed)
            if let cursor = line.cursor, canvas.contains(cursor, row + 1) { canvas[cursor, row + 1].isReversed = true }
        }
        for (row, line) in owner.enumerated() { canvas.line(line, row: rows - 1 - owner.count + row) }
        canvas.line(foot(columns, isCut: top + room < page.count), row: rows - 1)
        return canvas
    }

    /// Once the client answers, the place of the answer stays in sight.
    private func shownTop(_ page: [Line], _ room: Int) -> Int {
        guard isAnswering, let focus = page.firstIndex(where: { $0.isReversed || $0.cursor != nil }) else { return top }
        return min(max(top, focus + 1 - room), focus)
    }

    private var head: String {
        guard let question = running.currentQuestion else { return " The end · \(title.shown.singleLine)" }
        let need = question.isRequired ? ", needs an answer" : ""
        return " \(running.number) of \(running.questions.count)\(need) · \(title.shown.singleLine)"
    }

    private func copyright(_ columns: Int, _ rows: Int) -> [String] {
        guard let owner = running.questionnaire.copyright, !owner.isEmpty else { return [] }
        let lines = owner.paragraphs(columns: max(1, columns - 1))
        let most = rows < 10 ? 1 : Self.copyrightRows
        guard lines.count > most else { return lines }
        return lines.prefix(most - 1) + [(lines[most - 1] + " …").cut(to: columns)]
    }

    private func foot(_ columns: Int, isCut: Bool) -> String {
        let more = isCut ? "↓ more · " : ""
        if !notice.isEmpty { return (more + notice.shown).cut(to: columns) }
        if isHelp { return "Any key goes back." }
        if !trouble.isEmpty { return (more + trouble.shown).cut(to: columns) }
        guard let question = running.currentQuestion else {
            return
                (more
                + (running.missing.isEmpty ? "f finishes · ← back · Esc leaves" : "f goes to it · ← back · Esc leaves"))
                .cut(to: columns)
        }
        let keys =
            question.isTyped
            ? "Enter on · PgUp back · Ctrl-G keys · Esc leaves" : "Enter on · ← back · ? keys · Esc leaves"
        return (more + keys).cut(to: columns)
    }

    private func body(_ columns: Int) -> [Line] {
        guard let question = running.currentQuestion else { return lastPage(columns) }
        let before = running.texts(before: question.linkID).flatMap { paragraph($0, columns) + [Line(text: "")] }
        let asked = question.heading.paragraphs(columns: max(1, columns - 2)).map {
            Line(text: " \($0)", isBold: true)
        }
        return before + asked + [Line(text: "")] + answers(question, columns)
    }

    private func paragraph(_ text: String, _ columns: Int) -> [Line] {
        text.paragraphs(columns: max(1, columns - 2)).map { Line(text: " \($0)") }
    }

    private func answers(_ question: Questionnaire.Item, _ columns: Int) -> [Line] {
        guard question.isTyped else {
            return question.choices.enumerated().flatMap { place, option in
                let number = "\(place + 1)".padded(to: question.choices.count > 9 ? 2 : 1)
                let mark = question.countsChoices ? number : ""
                let lines = option.text.paragraphs(columns: max(1, columns - mark.count - 5))
                return lines.enumerated().map { row, line in
                    Line(
                        text: row == 0 ? "  \(mark)  \(line)" : String(repeating: " ", count: mark.count + 4) + line,
                        isReversed: place == selected)
                }
            }
        }
        let typed = line.wrapped(columns: max(1, columns - 4))
        return typed.lines.enumerated().map { row, line in
            Line(text: (row == 0 ? "> " : "  ") + line, cursor: row == typed.row ? typed.column + 2 : nil)
        } + [Line(text: "")] + paragraph(question.hint, columns)
    }

    private func lastPage(_ columns: Int) -> [Line] {
        let words = running.texts(before: nil).flatMap { paragraph($0, columns) + [Line(text: "")] }
        return words + SurveyWords.end(running).flatMap { paragraph($0, columns) }
    }

    private func help(_ columns: Int) -> [Line] {
        let keys = Self.keys.map { Line(text: "  \($0.0.padded(to: 9))  \($0.1)".cut(to: columns)) }
        let until = closes.map { [Line(text: "")] + paragraph("It can be answered until \($0).", columns) } ?? []
        let owner = running.questionnaire.copyright.map { [Line(text: "")] + paragraph($0, columns) } ?? []
        return keys + until + owner
    }
}
