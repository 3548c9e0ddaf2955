import Time

/// A log over time as a drawing (SVG 2) that needs no other file.
public struct DotDrawing {
    let log: DayLog
    let title: String

    public init(log: DayLog, title: String) {
        self.log = log
        self.title = title
    }

    /// The drawing as a file of its own.
    public var file: String { text(isWhole: true) }

    private static let width = 760.0
    private static let row = 34.0
    private static let top = 34.0
    private static let label = 150.0
    private static let right = 24.0

    private var height: Double { Self.top + Self.row * Double(max(1, log.words.count)) + 44 }

    /// Light or dark, as the reader's system is set.
    static let style = """
        .paper { fill: #fdfbf7 } .ink { fill: #3b3733 } .faint { fill: #746d66 } .line { stroke: #d9d2c8 }
        .dot { fill: #b3541e }
        @media (prefers-color-scheme: dark) {
          .paper { fill: #1d1b1a } .ink { fill: #ece5dc } .faint { fill: #a79f96 } .line { stroke: #45403b }
          .dot { fill: #f0a35e }
        }
        """

    /// - Parameter isWhole: as a file of its own, rather than as a part of a page.
    func text(isWhole: Bool) -> String {
        let name = isWhole ? " xmlns=\"http://www.w3.org/2000/svg\"" : ""
        let size =
            "viewBox=\"0 0 \(spell(Self.width)) \(spell(height))\" width=\"\(spell(Self.width))\" height=\"\(spell(height))\""
        let parts = [
            "<title id=\"log-title\">\(title.escapedForXML)</title>",
            "<desc id=\"log-desc\">\(description.escapedForXML)</desc>",
            isWhole ? "<style>\n\(Self.style)\n</style>" : "",
            "<rect class=\"paper\" width=\"100%\" height=\"100%\" rx=\"8\"/>",
            log.entries.isEmpty ? empty : months, rows, dots,
        ]
        return "<svg\(name) \(size) role=\"img\" aria-labelledby=\"log-title log-desc\" "
            + "font-family=\"system-ui, sans-serif\" font-size=\"14\">\n"
            + parts.filter { !$0.isEmpty }.joined(separator: "\n") + "\n</svg>\n"
    }

    private var empty: String {
        "<text class=\"ink\" x=\"\(spell(Self.width / 2))\" y=\"\(spell(height / 2))\" text-anchor=\"middle\">"
            + "\(title.escapedForXML)</text>"
    }

    /// The drawing in words, for people who cannot see it.
    private var description: String {
        log.words.map { word in
            let days = log.entries.filter { $0.word == word }.map { Wording.shortDay($0.day) }
            return "\(word.shown): \(days.joined(separator: ", "))."
        }
        .joined(separator: " ")
    }

    private var rows: String {
        log.words.enumerated().map { index, word in
            let y = self.y(index)
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
        guard let (first, last) = log.span else { return "" }
        let days =
            "<text class=\"faint\" x=\"\(spell(Self.label))\" y=\"\(spell(height - 14))\">\(Wording.shortDay(first))</text>"
            + (first == last
                ? ""
                : "\n<text class=\"faint\" x=\"\(spell(Self.width - Self.right))\" y=\"\(spell(height - 14))\" "
                    + "text-anchor=\"end\">\(Wording.shortDay(last))</text>")
        let begun = log.months.filter { $0 > first }
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
        log.entries.map { entry in
            guard let index = log.words.firstIndex(of: entry.word) else { return "" }
            return """
                <circle class="dot" cx="\(spell(x(entry.day)))" cy="\(spell(y(index)))" r="\(spell(radius))">\
                <title>\(Wording.fullDay(entry.day, today: nil)): \(entry.word.shown.escapedForXML)</title></circle>
                """
        }
        .joined(separator: "\n")
    }

    private func y(_ row: Int) -> Double { Self.top + Self.row * (Double(row) + 0.5) }

    private var perDay: Double {
        guard let (first, last) = log.span, first != last else { return 0 }
        return (Self.width - Self.right - Self.label - 20) / Double(last - first)
    }

    private func x(_ day: CalendarDay) -> Double {
        guard let first = log.span?.first else { return Self.label }
        return Self.label + 10 + perDay * Double(day - first)
    }

    /// Neighbours keep apart as long as there is room.
    private var radius: Double { perDay == 0 ? 6 : max(2, min(6, perDay * 0.45)) }

    /// To a tenth, which is finer than any screen.
    private func spell(_ length: Double) -> String { Wording.number(length) }
}

extension String {
    /// For XML and HTML, in text and between double quotes.
    public var escapedForXML: String {
        reduce(into: "") { text, character in
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.append(character)
            }
        }
    }
}
