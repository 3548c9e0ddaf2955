/// Reports as an HTML page: charts and tables. It needs nothing else, has no script, and its policy forbids loading.
public struct FiguresPage {
    let title: String
    let introduction: String
    let reports: [Figures]
    /// Pages beside this one: their file names, and their names.
    let links: [(file: String, name: String)]

    public init(
        title: String, introduction: String, reports: [Figures], links: [(file: String, name: String)] = []
    ) {
        self.title = title
        self.introduction = introduction
        self.reports = reports
        self.links = links
    }

    /// Columns of numbers in one table, so that it fits a sheet of paper.
    private static let mostColumns = 7

    public var text: String {
        ChartStyle.document(
            title: title, introduction: introduction, drawing: ChartStyle.drawing,
            body: navigation + reports.map(section).joined(separator: "\n"))
    }

    private var navigation: String {
        let pages = links.map { "<a href=\"\($0.file.escapedForXML)\">\($0.name.shown.escapedForXML)</a>" }
        let places = reports.map {
            "<a href=\"#\($0.id.escapedForXML)\">\(Wording.capitalised($0.id).escapedForXML)</a>"
        }
        let rows = [pages, reports.count > 1 ? places : []].filter { !$0.isEmpty }
        return rows.map { "<nav>\n\($0.joined(separator: "\n"))\n</nav>\n" }.joined()
    }

    private func section(_ figures: Figures) -> String {
        let texts = [figures.definition] + figures.notes
        let notes = texts.filter { !$0.isEmpty }.map { "<p dir=\"auto\">\($0.shown.escapedForXML)</p>" }
        let tables = figures.sections.filter { !$0.series.isEmpty && !figures.periods.isEmpty }.flatMap { section in
            self.tables(FigureTable(section, of: figures), figures, isShares: !figures.isOverTime(section))
        }
        let body =
            ["<figure>\n\(BarDrawing(figures).text(isWhole: false))</figure>"]
            + (tables.isEmpty ? [] : ["<div class=\"tables\">"] + tables + ["</div>"]) + notes
        return """
            <section id="\(figures.id.escapedForXML)">
            <h2 dir="auto">\(figures.title.shown.escapedForXML)</h2>
            \(body.joined(separator: "\n"))
            </section>
            """
    }

    private func tables(_ table: FigureTable, _ figures: Figures, isShares: Bool) -> [String] {
        let running = figures.running.map { "\($0)" }
        let heading =
            table.heading.isEmpty ? "" : "<caption dir=\"auto\">\(table.heading.shown.escapedForXML)</caption>\n"
        return table.parts(of: Self.mostColumns).map { part in
            let head = part.columns.map { column in
                "<th scope=\"col\"\(column == running ? Self.notOver : "")>\(column.shown.escapedForXML)</th>"
            }
            let rows = part.rows.map { row in
                let name =
                    "<th scope=\"row\"\(row[0] == running ? Self.notOver : "") dir=\"auto\">\(row[0].shown.escapedForXML)</th>"
                return "<tr>\(name)" + row.dropFirst().map { "<td>\($0.escapedForXML)</td>" }.joined() + "</tr>"
            }
            return
                "<div class=\"wide\(isShares ? " shares" : "")\"><table>\(heading)<thead><tr>\(head.joined())</tr></thead>\n<tbody>\n"
                + rows.joined(separator: "\n") + "\n</tbody></table></div>"
        }
    }

    private static let notOver = " class=\"not-over\" title=\"not over yet\""
}
