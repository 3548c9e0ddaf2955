/// Plots of dots as an HTML page: each with its drawing and a table of its dots.
public struct DotPage {
    public struct Section {
        let title: String
        let note: String
        let plot: DotPlot

        public init(_ title: String, note: String, _ plot: DotPlot) {
            self.title = title
            self.note = note
            self.plot = plot
        }
    }

    let title: String
    let introduction: String
    /// The heading of the dots' names in the tables.
    let column: String
    let sections: [Section]

    public init(title: String, introduction: String, column: String, sections: [Section]) {
        self.title = title
        self.introduction = introduction
        self.column = column
        self.sections = sections
    }

    public var text: String {
        ChartStyle.document(
            title: title, introduction: introduction, drawing: DotDrawing.style,
            body: sections.enumerated().map { section($1, place: $0 + 1) }.joined(separator: "\n"))
    }

    private func section(_ section: Section, place: Int) -> String {
        let drawing = DotDrawing(section.plot, title: section.title).text(isWhole: false, id: "plot-\(place)")
        let rows = section.plot.dots.map { dot in
            "<tr><th scope=\"row\"><time datetime=\"\(dot.day)\">\(Wording.fullDay(dot.day, today: nil))</time></th>"
                + "<td>\(dot.name.shown.escapedForXML)</td></tr>"
        }
        return """
            <section>
            <h2 dir="auto">\(section.title.shown.singleLine.escapedForXML)</h2>
            <p>\(section.note.shown.escapedForXML)</p>
            <figure>
            \(drawing)</figure>
            <div class="wide"><table><thead><tr><th scope="col">Day</th><th scope="col">\(column.escapedForXML)</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></div>
            </section>
            """
    }
}
