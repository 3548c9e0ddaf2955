import Time

/// Dots over time as a drawing (SVG 2) that needs no other file.
public struct DotDrawing {
    let plot: DotPlot
    let title: String

    public init(_ plot: DotPlot, title: String) {
        self.plot = plot
        self.title = title
    }

    public init(log: DayLog, title: String) { self.init(DotPlot(log), title: title) }

    /// The drawing as a file of its own.
    public var file: String { text(isWhole: true) }

    /// The drawing as a part of a page, which has ``style`` among its own.
    /// - Parameter id: tells its parts from those of other drawings on the page.
    public func figure(_ id: String) -> String { "<figure>\n\(text(isWhole: false, id: id))</figure>" }

    private static let width = 760.0
    private static let row = 34.0
    private static let top = 34.0
    private static let label = 150.0
    private static let right = 24.0

    private var height: Double { Self.top + Self.row * Double(max(1, plot.rows.count)) + 44 }

    /// Light or dark, as the reader's system is set.
    public static let style = """
        .paper { fill: #fdfbf7 } .ink { fill: #3b3733 } .faint { fill: #746d66 } .line { stroke: #d9d2c8 }
        .dot { fill: #b3541e } .joint { stroke: #b3541e }
        @media (prefers-color-scheme: dark) {
          .paper { fill: #1d1b1a } .ink { fill: #ece5dc } .faint { fill: #a79f96 } .line { stroke: #45403b }
          .dot { fill: #f0a35e } .joint { stroke: #f0a35e }
        }
        """

    /// - Parameters:
    ///   - isWhole: as a file of its own, rather than as a part of a page.
    ///   - id: tells its parts from those of other drawings on a page.
    func text(isWhole: Bool, id: String = "log") -> String {
        let name = isWhole ? " xmlns=\"http://www.w3.org/2000/svg\"" : ""
        let size =
            "viewBox=\"0 0 \(spell(Self.width)) \(spell(height))\" width=\"\(spell(Self.width))\" height=\"\(spell(height))\""
        let parts = [
            "<title id=\"\(id)-title\">\(title.escapedForXML)</title>",
            "<desc id=\"\(id)-desc\">\(plot.description.shown.escapedForXML)</desc>",
            isWhole ? "<style>\n\(Self.style)\n</style>" : "",
            "<rect class=\"paper\" width=\"100%\" height=\"100%\" rx=\"8\"/>",
            plot.dots.isEmpty ? empty : months, rows, line, dots,
        ]
        return "<svg\(name) \(size) role=\"img\" aria-labelledby=\"\(id)-title \(id)-desc\" "
            + "font-family=\"system-ui, sans-serif\" font-size=\"14\">\n"
            + parts.filter { !$0.isEmpty }.joined(separator: "\n") + "\n</svg>\n"
    }

    private var empty: String {
        "<text class=\"ink\" x=\"\(spell(Self.width / 2))\" y=\"\(spell(height / 2))\" text-anchor=\"middle\">"
            + "\(title.escapedForXML)</text>"
    }

    private var rows: String {
        plot.rows.enumerated().map { index, word in
            let y = self.y(Double(index))
            return """
                <line class="line" x1="\(spell(Self.label))" y1="\(spell(y))" x2="\(spell(Self.width - Self.right))" \
                y2="\(spell(y))"/>
                <text class="ink" x="\(spell(Self.label - 14))" y="\(spell(y + 5))" text-anchor="end">\
                \(word.shown.cut(to: 18).escapedForXML)</text>
                """
        }
        .joined(separator: "\n")
    }

    /// A line where a month begins. Of many months, only some are named.
    private var months: String {
        guard let (first, last) = plot.span else { return "" }
        let days =
            "<text class=\"faint\" x=\"\(spell(Self.label))\" y=\"\(spell(height - 14))\">\(Wording.shortDay(first))</text>"
            + (first == last
                ? ""
                : "\n<text class=\"faint\" x=\"\(spell(Self.width - Self.right))\" y=\"\(spell(height - 14))\" "
                    + "text-anchor=\"end\">\(Wording.shortDay(last))</text>")
        let begun = plot.months.filter { $0 > first }
        let every = max(1, (begun.count + 7) / 8)
        let lines = begun.enumerated().map { index, month in
            let x = spell(self.x(month))
            let line =
                "<line class=\"line\" x1=\"\(x)\" y1=\"\(spell(Self.top - 8))\" x2=\"\(x)\" y2=\"\(spell(height - 36))\"/>"
            guard index % every == 0 else { return line }
            return line + "\n<text class=\"faint\" x=\"\(x)\" y=\"\(spell(Self.top - 14))\" text-anchor=\"middle\" "
                + "font-size=\"12\">\(Wording.month(month))</text>"
        }
        return ([days] + lines).joined(separator: "\n")
    }

    private var dots: String {
        plot.dots.map { dot in
            """
            <circle class="dot" cx="\(spell(x(dot.day)))" cy="\(spell(y(dot.row)))" r="\(spell(radius))">\
            <title>\(Wording.fullDay(dot.day, today: nil)): \(dot.name.shown.escapedForXML)</title></circle>
            """
        }
        .joined(separator: "\n")
    }

    private var line: String {
        guard plot.isJoined, plot.dots.count > 1 else { return "" }
        let points = plot.dots.map { "\(spell(x($0.day))),\(spell(y($0.row)))" }.joined(separator: " ")
        return "<polyline class=\"joint\" fill=\"none\" stroke-width=\"2\" points=\"\(points)\"/>"
    }

    private func y(_ row: Double) -> Double { Self.top + Self.row * (row + 0.5) }

    private var perDay: Double {
        guard let (first, last) = plot.span, first != last else { return 0 }
        return (Self.width - Self.right - Self.label - 20) / Double(last - first)
    }

    private func x(_ day: CalendarDay) -> Double {
        guard let first = plot.span?.first else { return Self.label }
        return Self.label + 10 + perDay * Double(day - first)
    }

    /// Neighbours keep apart as long as there is room.
    private var radius: Double { perDay == 0 ? 6 : max(2, min(6, perDay * 0.45)) }

    /// To a tenth, which is finer than any screen.
    private func spell(_ length: Double) -> String { Wording.number(length) }
}
