import Time

/// Dots over time on a terminal, such as a row for each word, and a dot for each day on which it was logged.
public struct DotChart {
    let plot: DotPlot
    let columns: Int
    let ink: Ink
    /// True if the chart is written in ASCII, in which the sign of a shortened name would take more columns.
    let isASCII: Bool

    public init(log: DayLog, columns: Int?, ink: Ink, isASCII: Bool = false) {
        self.init(DotPlot(log), columns: columns, ink: ink, isASCII: isASCII)
    }

    /// A dot between two rows is shown on the nearer one.
    /// - Parameter columns: the terminal's width; nil if there is no terminal.
    public init(_ plot: DotPlot, columns: Int?, ink: Ink, isASCII: Bool = false) {
        self.plot = plot
        self.isASCII = isASCII
        self.columns = columns ?? 80
        self.ink = ink
    }

    public var text: String {
        guard let (first, last) = plot.span else { return "" }
        let label = min(20, columns / 3, plot.rows.map { DisplayWidth.of($0.shown) }.max() ?? 0)
        let room = max(10, columns - label - 5)
        let days = last - first + 1
        let perColumn = (days + room - 1) / room
        let width = (days + perColumn - 1) / perColumn
        let rows = plot.rows.enumerated().map { place, word in
            let dots = ink.warm(row(place, first, perColumn, width))
            let name = isASCII ? String(word.shown.ascii.prefix(label)) : word.shown.cut(to: label)
            return "  \(name.padded(to: label)) \(ink.faint("│"))\(dots)\n"
        }
        return rows.joined() + axis(label, width, first, last) + note(perColumn)
    }

    private func row(_ place: Int, _ first: CalendarDay, _ perColumn: Int, _ width: Int) -> String {
        var counts = [Int](repeating: 0, count: width)
        for dot in plot.dots where Int(dot.row.rounded()) == place { counts[(dot.day - first) / perColumn] += 1 }
        let dots = counts.map { $0 == 0 ? " " : $0 == 1 ? "●" : $0 < 10 ? "\($0)" : "+" }
        guard let end = dots.lastIndex(where: { $0 != " " }) else { return "" }
        return dots[...end].joined()
    }

    /// The axis, and below it the first and the last day: on one line, or on two if that is too long.
    private func axis(_ label: Int, _ width: Int, _ first: CalendarDay, _ last: CalendarDay) -> String {
        let margin = String(repeating: " ", count: label + 3)
        let line = margin + "└" + String(repeating: "─", count: width) + "\n"
        let (from, to) = (Wording.shortDay(first), Wording.shortDay(last))
        guard first != last else { return ink.faint(line + margin + " " + from + "\n") }
        let gap = max(3, width - DisplayWidth.of(from) - DisplayWidth.of(to))
        guard label + 4 + DisplayWidth.of(from) + gap + DisplayWidth.of(to) <= columns else {
            return ink.faint(line + "  \(from) –\n  \(to)\n")
        }
        let dates = from + (gap == 3 ? " – " : String(repeating: " ", count: gap)) + to
        return ink.faint(line + margin + " " + dates + "\n")
    }

    private func note(_ perColumn: Int) -> String {
        guard perColumn > 1 else { return "" }
        let text = "A column is \(perColumn) days; a number tells how often, where it was more than once."
        return "\n" + text.wrapped(to: columns - 3).map { "  " + ink.faint($0) + "\n" }.joined()
    }
}
