import Time

/// Bars that stand side by side: one of each series for each period.
struct ColumnPanel {
    let figures: Figures
    let section: Figures.Section
    private let largest: Double
    /// True if every number has room above its bar: across, or upright.
    private var hasNumbers = true

    init(figures: Figures, section: Figures.Section) {
        self.figures = figures
        self.section = section
        largest = section.series.flatMap(\.values).compactMap(\.value).max() ?? 0
        let texts = section.series.flatMap { $0.values.map(section.unit.text) }
        hasNumbers = texts.allSatisfy(isAcross) || width >= 11 && texts.allSatisfy(isUpright)
    }

    private static let (left, right, bars) = (16.0, BarDrawing.width - 16, 150.0)
    /// Above the highest bar, for its number.
    private static let head = 22.0
    private static let axis = 44.0

    private var legendRows: Int { legend.last?.row.advanced(by: 1) ?? 0 }
    var height: Double { Double(legendRows) * 20 + Self.head + Self.bars + Self.axis }

    private var step: Double { (Self.right - Self.left) / Double(max(1, figures.periods.count)) }
    private var gap: Double { min(14, step * 0.25) }
    /// Of one bar.
    private var width: Double { min(48, (step - gap) / Double(section.series.count)) }

    func parts(at top: Double) -> [String] {
        let base = top + Double(legendRows) * 20 + Self.head + Self.bars
        return legendParts(at: top) + [Mark.line(Self.left, base, Self.right, base)]
            + scale(base) + figures.periods.indices.flatMap { bars(of: $0, base) } + labels(base)
    }

    /// The height of the largest number, in place of numbers for which the bars are too narrow.
    private func scale(_ base: Double) -> [String] {
        guard largest > 0, !hasNumbers else { return [] }
        let y = base - Self.bars
        return [
            Mark.line(Self.left, y, Self.right, y),
            Mark.text(section.unit.text(largest), x: Self.left, y: y - 5, size: 12, "faint"),
        ]
    }

    // MARK: The legend

    private struct Entry {
        let name: String
        let x: Double
        let row: Int
        let style: String
    }

    private var legend: [Entry] {
        guard section.series.count > 1 else { return [] }
        var (x, row) = (Self.left, 0)
        return section.series.enumerated().map { place, series in
            let name = series.name.shown.cut(to: 40)
            let width = 18 + Mark.width(of: name, size: 13) + 18
            if x > Self.left, x + width > Self.right { (x, row) = (Self.left, row + 1) }
            defer { x += width }
            return Entry(name: name, x: x, row: row, style: Self.style(place))
        }
    }

    private static func style(_ place: Int) -> String { "s\(place % Figures.mostGroups + 1)" }

    private func legendParts(at top: Double) -> [String] {
        legend.flatMap { entry in
            let y = top + Double(entry.row) * 20
            return [
                Mark.bar(entry.x, y + 4, 12, 12, entry.style, words: entry.name),
                Mark.text(entry.name, x: entry.x + 18, y: y + 15, "ink"),
            ]
        }
    }

    // MARK: The bars

    private func bars(of place: Int, _ base: Double) -> [String] {
        let isRunning = figures.periods[place] == figures.running
        let used = width * Double(section.series.count)
        let first = Self.left + step * Double(place) + (step - used) / 2
        return section.series.enumerated().flatMap { index, series in
            let figure = series.values[place]
            let x = first + width * Double(index)
            let value = max(0, figure.value ?? 0)
            let height = largest > 0 ? Self.bars * min(1, value / largest) : 0
            let named = section.series.count == 1 ? "" : ", \(series.name)"
            let number = section.unit.text(figure)
            let words = "\(figures.periods[place].label)\(named): \(number)\(isRunning ? " so far" : "")"
            let style = Self.style(index) + (isRunning ? " running" : "")
            let inner = max(0.5, width - (width > 4 ? 1 : 0))
            let bar =
                value > 0 ? [Mark.bar(x, base - max(1, height), inner, max(1, height), style, words: words)] : []
            return bar + self.number(number, at: x + width / 2, base - height - 5)
        }
    }

    private func isAcross(_ text: String) -> Bool {
        Mark.width(of: text, size: 12) <= width + (section.series.count == 1 ? gap : 0)
    }

    private func isUpright(_ text: String) -> Bool { Mark.width(of: text, size: 10) <= Self.head + 16 }

    /// The number above a bar, if all of them have room.
    private func number(_ text: String, at x: Double, _ y: Double) -> [String] {
        guard !text.isEmpty, hasNumbers else { return [] }
        if isAcross(text) { return [Mark.text(text, x: x, y: y, size: 12, anchor: "middle", "ink")] }
        let place = "\(Mark.spell(x + 3.5)) \(Mark.spell(y + 2))"
        return [
            "<text class=\"ink\" transform=\"translate(\(place)) rotate(-90)\" font-size=\"10\">"
                + "\(text.escapedForXML)</text>"
        ]
    }

    // MARK: The periods

    /// The newest period is named, and of the others as many as there is room for; each first one of a year with the year.
    private func labels(_ base: Double) -> [String] {
        let every = max(1, Int((34 / step).rounded(.up)))
        let places = figures.periods.indices.filter { (figures.periods.count - 1 - $0) % every == 0 }
        var year: Int?
        return places.flatMap { place in
            let period = figures.periods[place]
            let x = Self.left + step * (Double(place) + 0.5)
            let style = period == figures.running ? "faint" : "ink"
            let label = Mark.text(period.shortLabel, x: x, y: base + 16, size: 12, anchor: "middle", style)
            defer { year = period.yearOfPart }
            guard let ofPart = period.yearOfPart, ofPart != year else { return [label] }
            return [label, Mark.text("\(ofPart)", x: x, y: base + 31, size: 12, anchor: "middle", "faint")]
        }
    }
}
