import Time

/// A log as an HTML page of its own: a drawing, months, and a table. It loads nothing, and its policy forbids loading.
public struct DayLogPage {
    let log: DayLog
    let title: String
    let introduction: String
    /// The heading of the words in the table.
    let column: String

    public init(log: DayLog, title: String, introduction: String, column: String) {
        self.log = log
        self.title = title
        self.introduction = introduction
        self.column = column
    }

    private static let style = """
        :root { color-scheme: light dark; --paper: #fdfbf7; --ink: #3b3733; --faint: #746d66; --line: #d9d2c8; --dot: #b3541e }
        @media (prefers-color-scheme: dark) {
          :root { --paper: #1d1b1a; --ink: #ece5dc; --faint: #a79f96; --line: #45403b; --dot: #f0a35e }
        }
        body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; max-width: 48rem;
          margin: 2rem auto; padding: 0 1rem }
        h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem } p { color: var(--faint) }
        svg { width: 100%; height: auto }
        .months table { width: 100%; table-layout: fixed; margin-top: 1.5rem }
        table { border-collapse: collapse } caption { text-align: start; font-weight: 600; padding-bottom: .25rem }
        th { color: var(--faint); font-weight: 400; text-align: start; padding: .1rem .6rem .1rem 0 }
        td { vertical-align: top; padding: .1rem .6rem .1rem 0 }
        .months td { height: 2.8rem; font-size: .85rem; padding: .1rem; border-top: 1px solid var(--line);
          overflow-wrap: anywhere }
        .months td b { display: block; color: var(--dot); font-weight: 600 }
        .list td, .list th { border-top: 1px solid var(--line) }
        @media print { body { margin: 0 } }
        """

    public var text: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <title>\(title.escapedForXML)</title>
        <style>
        \(Self.style)
        \(DotDrawing.style)
        </style>
        </head>
        <body>
        <main>
        <h1>\(title.escapedForXML)</h1>
        <p>\(introduction.escapedForXML)</p>
        \(log.entries.isEmpty ? "" : charts)
        </main>
        </body>
        </html>

        """
    }

    private var charts: String {
        """
        \(DotDrawing(log: log, title: title).text(isWhole: false))<h2>By month</h2>
        <div class="months">
        \(log.months.map(month).joined(separator: "\n"))
        </div>
        <h2>By day</h2>
        \(list)
        """
    }

    private func month(_ month: CalendarDay) -> String {
        let days = log.byDay
        let head = Weekday.allCases.map(\.name).map {
            "<th scope=\"col\"><abbr title=\"\($0)\">\($0.prefix(2))</abbr></th>"
        }
        .joined()
        let weeks = month.weeks.map { week in
            "<tr>" + week.map { cell($0, days) }.joined() + "</tr>"
        }
        return "<table><caption>\(Wording.month(month))</caption>\n<thead><tr>\(head)</tr></thead>\n<tbody>\n"
            + weeks.joined(separator: "\n") + "\n</tbody></table>"
    }

    private func cell(_ day: CalendarDay?, _ days: [CalendarDay: [String]]) -> String {
        guard let day else { return "<td></td>" }
        let words = (days[day] ?? []).map { "<b>\($0.shown.escapedForXML)</b>" }.joined()
        return "<td>\(day.parts.day)\(words)</td>"
    }

    private var list: String {
        let rows = log.entries.map { entry in
            "<tr><th scope=\"row\"><time datetime=\"\(entry.day)\">\(Wording.fullDay(entry.day, today: nil))</time></th>"
                + "<td>\(entry.word.shown.escapedForXML)</td></tr>"
        }
        return "<table class=\"list\"><thead><tr><th scope=\"col\">Day</th>"
            + "<th scope=\"col\">\(column.escapedForXML)</th></tr></thead>\n<tbody>\n"
            + rows.joined(separator: "\n") + "\n</tbody></table>"
    }
}
