import Time

/// A report as a drawing (SVG 1.1) that needs no other file: bars, the number at each bar's end.
public struct BarDrawing {
    let figures: Figures

    public init(_ figures: Figures) { self.figures = figures }

    /// The drawing as a file of its own.
    public var file: String { text(isWhole: true) }

    static let width = 760.0
    private static let headline = 30.0

    /// - Parameter isWhole: as a file of its own, with its title, rather than as a part of a page, which says the title.
    func text(isWhole: Bool) -> String {
        var parts: [String] = []
        var y = 12.0
        if isWhole {
            parts.append(Mark.text(figures.title, x: 16, y: y + 18, size: 17, "ink", most: 80))
            y += Self.headline
        }
        let sections = figures.sections.filter { !$0.series.isEmpty }
        if sections.isEmpty || figures.periods.isEmpty {
            parts.append(Mark.text("Nothing was recorded in this time.", x: 16, y: y + 18, "faint"))
            y += Self.headline
        } else {
            for section in sections { y = add(section, at: y, to: &parts) }
        }
        if isWhole { y = addNotes(at: y, to: &parts) }
        return frame(parts, height: y + 8, isWhole: isWhole)
    }

    private func frame(_ parts: [String], height: Double, isWhole: Bool) -> String {
        let (name, id) = (isWhole ? " xmlns=\"http://www.w3.org/2000/svg\"" : "", figures.id.escapedForXML)
        let (width, height) = (Mark.spell(Self.width), Mark.spell(height))
        return """
            <svg\(name) viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" role="img" \
            aria-labelledby="\(id)-title \(id)-desc" font-family="system-ui, sans-serif" font-size="13">
            <title id="\(id)-title">\(figures.title.shown.escapedForXML)</title>
            <desc id="\(id)-desc">\(description.escapedForXML)</desc>
            \(isWhole ? "<style>\n\(ChartStyle.drawing)\n</style>\n" : "")<rect class="paper" width="100%" height="100%" rx="8"/>
            \(parts.joined(separator: "\n"))
            </svg>

            """
    }

    /// The numbers in words, for people who cannot see the bars.
    private var description: String {
        let said = figures.sections.flatMap { section in
            section.series.map { series in
                let unit = section.unit
                let name = section.heading.isEmpty ? series.name : "\(section.heading), \(series.name)"
                let total = "in all \(Self.said(series.total, unit))"
                guard figures.isOverTime(section) else { return "\(name): \(total)." }
                let values = zip(figures.periods, series.values).map { "\($0.label) \(Self.said($1, unit))" }
                return "\(name): \((values + (figures.periods.count > 1 ? [total] : [])).joined(separator: ", "))."
            }
        }
        return said.joined(separator: " ").shown
    }

    private static func said(_ figure: Figure, _ unit: FigureUnit) -> String {
        figure == .none ? "none" : unit.text(figure)
    }

    /// Adds the section, and returns the place below it.
    private func add(_ section: Figures.Section, at top: Double, to parts: inout [String]) -> Double {
        var y = top
        if !section.heading.isEmpty {
            parts.append(Mark.text(section.heading, x: 16, y: y + 16, size: 14, "ink", most: 90))
            y += 24
        }
        if figures.isOverTime(section) {
            let columns = ColumnPanel(figures: figures, section: section)
            parts += columns.parts(at: y)
            return y + columns.height
        }
        let rows = RowPanel(figures: figures, section: section)
        parts += rows.parts(at: y)
        return y + rows.height
    }

    /// The definition and the notes below the bars.
    private func addNotes(at top: Double, to parts: inout [String]) -> Double {
        var y = top
        for text in [figures.definition] + figures.notes where !text.isEmpty {
            for line in text.shown.wrapped(to: 108) {
                parts.append(Mark.text(line, x: 16, y: y + 16, size: 12, "faint"))
                y += 17
            }
            y += 4
        }
        return y
    }
}

/// The elements of a drawing.
enum Mark {
    /// To a tenth, which is finer than any screen.
    static func spell(_ length: Double) -> String { Wording.number(length) }

    /// - Parameter most: the columns that the text may take.
    static func text(
        _ text: String, x: Double, y: Double, size: Double? = nil, anchor: String? = nil, _ style: String,
        most: Int = 200
    ) -> String {
        let size = size.map { " font-size=\"\(spell($0))\"" } ?? ""
        let anchor = anchor.map { " text-anchor=\"\($0)\"" } ?? ""
        let shown = text.shown.cut(to: most).escapedForXML
        return "<text class=\"\(style)\" x=\"\(spell(x))\" y=\"\(spell(y))\"\(size)\(anchor)>\(shown)</text>"
    }

    static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
        "<line class=\"line\" x1=\"\(spell(x1))\" y1=\"\(spell(y1))\" x2=\"\(spell(x2))\" y2=\"\(spell(y2))\"/>"
    }

    /// - Parameter words: what a pointer that rests on the bar is told.
    static func bar(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String, words: String
    ) -> String {
        """
        <rect class="\(style)" x="\(spell(x))" y="\(spell(y))" width="\(spell(width))" height="\(spell(height))">\
        <title>\(words.shown.escapedForXML)</title></rect>
        """
    }

    /// The width of a text, about: the exact one depends on the reader's font.
    static func width(of text: String, size: Double) -> Double { Double(DisplayWidth.of(text)) * size * 0.58 }
}
