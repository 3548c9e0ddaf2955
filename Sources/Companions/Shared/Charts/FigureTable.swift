/// A section of a report as a table of texts, for a terminal or a page.
///
/// Over time a row is a period, and otherwise a series. The last row or column is of all periods together.
public struct FigureTable: Equatable, Sendable {
    public let heading: String
    /// The first is the heading of the rows' names.
    public let columns: [String]
    /// Each begins with the row's name.
    public let rows: [[String]]
    /// The row or the column that is of all periods together.
    static let total = "In all"

    public init(_ section: Figures.Section, of figures: Figures) {
        heading = section.heading
        let periods = figures.periods.map { "\($0)" }
        let hasTotal = figures.periods.count > 1
        let said = section.series.map { series in
            (series.values + (hasTotal ? [series.total] : [])).map { $0 == .none ? "none" : section.unit.text($0) }
        }
        let places = periods + (hasTotal ? [Self.total] : [])
        let names = section.series.map(\.name.shown)
        let unit = section.unit.name.shown
        if figures.isOverTime(section) {
            columns = ["Period"] + (names.count == 1 ? [unit] : names)
            rows = places.enumerated().map { place, period in [period] + said.map { $0[place] } }
        } else {
            columns = [Wording.capitalised(unit)] + places
            rows = zip(names, said).map { [$0] + $1 }
        }
    }

    /// The same table in parts that have at most so many columns of numbers each.
    func parts(of most: Int) -> [(columns: [String], rows: [[String]])] {
        guard columns.count > 1 else { return [] }
        return stride(from: 1, to: columns.count, by: most).map { start in
            let places = [0] + Array(start..<min(start + most, columns.count))
            return (places.map { columns[$0] }, rows.map { row in places.map { row[$0] } })
        }
    }
}

extension Figures {
    /// The report as plain lines: a table for each section, the definition and the notes.
    /// - Parameter columns: the terminal's width; nil if there is none.
    public func plain(columns: Int?) -> String {
        let shown = sections.filter { !$0.series.isEmpty }
        var text = Self.lines(title, columns)
        for section in shown where !periods.isEmpty {
            let table = FigureTable(section, of: self)
            text += "\n" + (table.heading.isEmpty ? "" : Self.lines(table.heading, columns))
            var printed = Table(
                table.columns.enumerated().map { .init($1, isNumber: $0 > 0, leads: $0 == 0) })
            printed.rows = table.rows.map { $0.map { .init($0) } }
            text += printed.text(columns: columns, ink: .plain)
        }
        if shown.isEmpty || periods.isEmpty { text += "\n" + Self.lines("Nothing was recorded in this time.", columns) }
        if !definition.isEmpty { text += "\n" + Self.lines(definition, columns) }
        return text + (notes.isEmpty ? "" : "\n" + notes.map { Self.lines($0, columns) }.joined())
    }

    private static func lines(_ text: String, _ columns: Int?) -> String {
        let lines = columns.map { text.shown.wrapped(to: max(1, $0 - 4)) } ?? [text.shown]
        return lines.map { "  " + $0.singleLine + "\n" }.joined()
    }
}
