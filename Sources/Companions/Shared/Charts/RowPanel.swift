/// Bars that lie one below the other: one for each series, of all periods together, and beside it the series' trend.
struct RowPanel {
    let figures: Figures
    let section: Figures.Section

    private static let (left, bars, trend, right) = (214.0, 310.0, 616.0, BarDrawing.width - 20)
    private static let row = 26.0

    var height: Double { Self.row * Double(section.series.count) + 12 }

    func parts(at top: Double) -> [String] {
        let largest = section.series.compactMap(\.total.value).max() ?? 0
        return section.series.enumerated().flatMap { index, series in
            let y = top + Self.row * Double(index)
            let number = section.unit.text(series.total)
            let value = max(0, series.total.value ?? 0)
            let length = largest > 0 ? Self.bars * min(1, value / largest) : 0
            let words = "\(series.name): \(number)"
            let bar = value > 0 ? [Mark.bar(Self.left, y + 4, max(1, length), 18, "s1", words: words)] : []
            return [
                Mark.text(series.name, x: Self.left - 10, y: y + 18, anchor: "end", "ink", most: 27)
            ] + bar + [
                Mark.text(number.isEmpty ? "none" : number, x: Self.left + length + 6, y: y + 18, size: 12, "ink")
            ] + trend(series, y + 22)
        }
    }

    /// A line through the values, with a gap where one is not known.
    private func trend(_ series: Figures.Series, _ base: Double) -> [String] {
        let values = series.values.map(\.value)
        guard values.count > 1 else { return [] }
        let largest = values.compactMap { $0 }.max() ?? 0
        let step = (Self.right - Self.trend) / Double(values.count - 1)
        let runs = values.enumerated().reduce(into: [[String]]()) { runs, entry in
            guard let value = entry.element else { return runs.append([]) }
            let height = largest > 0 ? 17 * max(0, min(1, value / largest)) : 0
            if runs.isEmpty { runs.append([]) }
            let point = "\(Mark.spell(Self.trend + step * Double(entry.offset))),\(Mark.spell(base - height))"
            runs[runs.count - 1].append(point)
        }
        return [Mark.line(Self.trend, base, Self.right, base)]
            + runs.filter { !$0.isEmpty }.map { run in
                // A point alone would have no length.
                let points = run.count == 1 ? run + run : run
                return "<polyline class=\"trend\" fill=\"none\" stroke-width=\"1.5\" stroke-linecap=\"round\" "
                    + "points=\"\(points.joined(separator: " "))\"/>"
            }
    }
}
