/// The moods over time on a terminal: a row for each word, a dot where it was logged.
struct MoodChart {
    let log: MoodLog
    /// Of the terminal.
    let columns: Int
    let ink: Ink

    var text: String {
        guard let (first, last) = log.span else { return "" }
        let label = min(20, log.words.map { DisplayWidth.of($0.shown) }.max() ?? 0)
        let room = max(10, columns - label - 5)
        let days = last.number - first.number + 1
        let perColumn = (days + room - 1) / room
        let width = (days + perColumn - 1) / perColumn
        let rows = log.words.map { word in
            "  \(word.shown.cut(to: label).padded(to: label)) \(ink.faint("│"))\(ink.warm(row(word, first, perColumn, width)))\n"
        }
        return rows.joined() + axis(label, width, first, last) + note(perColumn)
    }

    private func row(_ word: String, _ first: Day, _ perColumn: Int, _ width: Int) -> String {
        var counts = [Int](repeating: 0, count: width)
        for entry in log.entries where entry.word == word { counts[(entry.day.number - first.number) / perColumn] += 1 }
        let dots = counts.map { $0 == 0 ? " " : $0 == 1 ? "●" : $0 < 10 ? "\($0)" : "+" }
        guard let end = dots.lastIndex(where: { $0 != " " }) else { return "" }
        return dots[...end].joined()
    }

    /// The first and the last day under the ends of the line; where it is short, one after the other.
    private func axis(_ label: Int, _ width: Int, _ first: Day, _ last: Day) -> String {
        let margin = String(repeating: " ", count: label + 3)
        let line = margin + "└" + String(repeating: "─", count: width) + "\n"
        let (from, to) = (Wording.shortDay(first), Wording.shortDay(last))
        guard first != last else { return ink.faint(line + margin + " " + from + "\n") }
        let gap = max(3, width - DisplayWidth.of(from) - DisplayWidth.of(to))
        let dates = from + (gap == 3 ? " – " : String(repeating: " ", count: gap)) + to
        return ink.faint(line + margin + " " + dates + "\n")
    }

    private func note(_ perColumn: Int) -> String {
        perColumn == 1 ? "" : "\n  " + ink.faint(Wording.columnIs(days: perColumn)) + "\n"
    }
}
