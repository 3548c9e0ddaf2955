import CSV
import Companion

/// Reports as a spreadsheet (RFC 4180): a row for each series, a column for each period, and one of all of them together.
struct ReportSheet {
    let reports: [CountedReport]

    /// The columns before the numbers.
    static let columns = ["report", "part", "series", "unit", "not over"]

    init(_ reports: [CountedReport]) { self.reports = reports }

    var text: String {
        let periods = reports.first?.figures.periods ?? []
        let head = Self.columns + periods.map { "\($0)" } + ["in all"]
        let rows = reports.flatMap { report in
            let figures = report.figures
            return figures.sections.flatMap { section in
                section.series.map { series in
                    let names = [
                        figures.id, section.heading, series.name, section.unit.name,
                        figures.running.map { "\($0)" } ?? "",
                    ]
                    return names.map(\.shown) + (series.values + [series.total]).map(section.unit.text)
                }
            }
        }
        return CSVText.text([head] + rows)
    }
}
