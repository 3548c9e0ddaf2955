/// A report on a terminal: bars with eighths of a cell, and the number at each bar's end.
public struct BarChart {
    let figures: Figures
    let columns: Int
    let ink: Ink
    /// True if the chart is written in ASCII, in which the sign of a shortened name would take more columns.
    let isASCII: Bool

    /// - Parameter columns: the terminal's width; nil if there is none.
    public init(_ figures: Figures, columns: Int?, ink: Ink, isASCII: Bool = false) {
        self.figures = figures
        self.columns = columns ?? 80
        self.ink = ink
        self.isASCII = isASCII
    }

    private static let longestBar = 60
    private static let margin = "  "
    private static let soFar = " so far"
    /// Without a word for it, a row of spaces would look like a zero.
    private static let nothing = "none"

    /// The title, the chart of each section, and the definition of the numbers.
    public var text: String {
        let head = lines(figures.title, ink.strong)
        let sections = figures.sections.filter { !$0.series.isEmpty }
        guard !sections.isEmpty, !figures.periods.isEmpty else {
            return head + "\n" + lines("Nothing was recorded in this time.", { $0 }) + closing
        }
        return head + sections.map { "\n" + text(of: $0) }.joined() + closing
    }

    private func text(of section: Figures.Section) -> String {
        let heading = section.heading.isEmpty ? "" : lines(section.heading, ink.strong)
        guard figures.isOverTime(section) else { return heading + shares(section) }
        return heading + (section.series.count == 1 ? single(section) : grouped(section))
    }

    private func lines(_ text: String, _ dress: (String) -> String) -> String {
        text.shown.wrapped(to: max(1, columns - 4)).map { Self.margin + dress($0.singleLine) + "\n" }.joined()
    }

    private var closing: String {
        let definition = figures.definition.isEmpty ? "" : "\n" + lines(figures.definition, ink.faint)
        let notes = figures.notes.map { lines($0, ink.faint) }.joined()
        return definition + (notes.isEmpty ? "" : "\n" + notes)
    }

    // MARK: Over time

    /// A bar for each period.
    private func single(_ section: Figures.Section) -> String {
        let labels = figures.periods.map(\.label)
        let label = labels.map { DisplayWidth.of($0) }.max() ?? 0
        let room = room(beside: label + Self.soFar.count, section)
        let largest = largest(section)
        let rows = figures.periods.indices.map { place in
            Self.margin + labels[place].padded(to: label)
                + bar(section.series[0].values[place], section.unit, largest, room, isRunning: isRunning(place)).text
                + "\n"
        }
        return rows.joined() + totals(section)
    }

    /// For each period a bar of each series.
    private func grouped(_ section: Figures.Section) -> String {
        let label = nameWidth(section) + 2
        let room = room(beside: label + Self.soFar.count, section)
        let largest = largest(section)
        let groups = figures.periods.indices.map { place in
            let head =
                Self.margin + figures.periods[place].label + (isRunning(place) ? ink.faint(Self.soFar) : "") + "\n"
            let rows = section.series.map { series in
                Self.margin + "  " + name(series.name, label - 2)
                    + bar(series.values[place], section.unit, largest, room, isRunning: isRunning(place), says: false)
                    .text
                    + "\n"
            }
            return head + rows.joined()
        }
        return groups.joined() + totals(section)
    }

    private func isRunning(_ place: Int) -> Bool { figures.periods[place] == figures.running }

    /// The numbers of all periods together. They have no bars: beside them, those of the periods would be short.
    private func totals(_ section: Figures.Section) -> String {
        guard figures.periods.count > 1 else { return "" }
        let said = section.series.map { series in
            let number = number(series.total, section.unit)
            let name = section.series.count == 1 ? section.unit.name.shown : series.name.shown
            return section.series.count == 1 ? "\(number) \(name)" : "\(name) \(number)"
        }
        let text = "\(figures.span): \(said.joined(separator: ", "))."
        return "\n" + lines(text, { $0 })
    }

    // MARK: Shares

    /// A bar for each series, of all periods together, and its trend where the terminal is wide enough. On a narrow one, names
    /// that would be cut stand above their bars.
    private func shares(_ section: Figures.Section) -> String {
        let widest = section.series.map { DisplayWidth.of($0.name.shown) }.max() ?? 0
        let isBelow = columns < 60 && widest > nameWidth(section)
        let label = isBelow ? 1 : nameWidth(section)
        let trend = figures.periods.count
        let hasTrend = trend > 1 && columns >= 2 + label + 1 + 12 + 1 + numberWidth(section) + 2 + trend
        let room = room(beside: label + (hasTrend ? trend + 2 : 0), section)
        let largest = section.series.compactMap(\.total.value).max() ?? 0
        let bars = section.series.map { bar($0.total, section.unit, largest, room) }
        let longest = bars.map(\.width).max() ?? 0
        return zip(section.series, bars).map { series, bar in
            let head = isBelow ? lines(series.name, { $0 }) + Self.margin + " " : Self.margin + name(series.name, label)
            guard hasTrend else { return head + bar.text + "\n" }
            let blanks = String(repeating: " ", count: longest - bar.width + 2)
            return head + bar.text + blanks + ink.faint(Eighths.line(series.values.map(\.value))) + "\n"
        }
        .joined()
    }

    // MARK: Rows

    /// A space, the bar, a space and the number, and the columns that they take.
    private func bar(
        _ figure: Figure, _ unit: FigureUnit, _ largest: Double, _ room: Int, isRunning: Bool = false,
        says: Bool = true
    ) -> (text: String, width: Int) {
        let bar = Eighths.bar(Eighths.length(of: figure.value ?? 0, largest: largest, columns: room))
        let number = number(figure, unit)
        let text = " " + (isRunning ? ink.faint(bar) : ink.warm(bar)) + (bar.isEmpty ? "" : " ")
        let running = isRunning && says
        return (
            text + number + (running ? ink.faint(Self.soFar) : ""),
            1 + bar.count + (bar.isEmpty ? 0 : 1) + DisplayWidth.of(number) + (running ? Self.soFar.count : 0)
        )
    }

    private func number(_ figure: Figure, _ unit: FigureUnit) -> String {
        figure == .none ? Self.nothing : unit.text(figure)
    }

    private func name(_ name: String, _ columns: Int) -> String {
        let cut = isASCII ? String(name.shown.ascii.prefix(columns)) : name.shown.cut(to: columns)
        return cut.singleLine.padded(to: columns)
    }

    private func nameWidth(_ section: Figures.Section) -> Int {
        min(30, max(8, columns * 2 / 5), section.series.map { DisplayWidth.of($0.name.shown) }.max() ?? 0)
    }

    private func largest(_ section: Figures.Section) -> Double {
        section.series.flatMap(\.values).compactMap(\.value).max() ?? 0
    }

    private func numberWidth(_ section: Figures.Section) -> Int {
        section.all.map { DisplayWidth.of(number($0, section.unit)) }.max() ?? 0
    }

    /// The columns of the longest bar.
    private func room(beside others: Int, _ section: Figures.Section) -> Int {
        max(1, min(Self.longestBar, columns - 2 - others - 2 - numberWidth(section)))
    }
}
