public import Time

/// Dots in rows, over the days: words that were logged, or scores. ``DotChart`` and ``DotDrawing`` draw it.
public struct DotPlot: Equatable, Sendable {
    public struct Dot: Equatable, Sendable {
        public let day: CalendarDay
        /// The place of its row in ``DotPlot/rows``; between two rows with a fraction, such as 1.5.
        public let row: Double
        /// Its meaning, such as `calm` or `12 of 27`.
        public let name: String

        public init(day: CalendarDay, row: Double, name: String) {
            self.day = day
            self.row = row
            self.name = name
        }
    }

    /// The labels, from the top down.
    public let rows: [String]
    /// In the order of the days.
    public let dots: [Dot]
    /// True if a line joins each dot with the next one: right for scores, wrong for words.
    public let isJoined: Bool
    /// The plot in words, for people who cannot see it.
    public let description: String

    /// - Parameter dots: one beyond the rows is drawn on the nearest of them.
    public init(rows: [String], dots: [Dot], isJoined: Bool = false, description: String) {
        self.rows = rows
        self.dots = dots.enumerated().sorted { ($0.element.day, $0.offset) < ($1.element.day, $1.offset) }
            .map { _, dot in
                Dot(day: dot.day, row: max(0, min(Double(rows.count - 1), dot.row)), name: dot.name)
            }
        self.isJoined = isJoined
        self.description = description
    }

    /// A row for each word, from the top down in the words' order.
    public init(_ log: DayLog) {
        let dots = log.entries.compactMap { entry in
            log.words.firstIndex(of: entry.word).map { Dot(day: entry.day, row: Double($0), name: entry.word) }
        }
        let said = log.words.map { word in
            let days = log.entries.filter { $0.word == word }.map { Wording.shortDay($0.day) }
            return "\(word.shown): \(days.joined(separator: ", "))."
        }
        self.init(rows: log.words, dots: dots, description: said.joined(separator: " "))
    }

    /// The first and the last day of the dots.
    var span: (first: CalendarDay, last: CalendarDay)? {
        guard let first = dots.first?.day, let last = dots.last?.day else { return nil }
        return (first, last)
    }

    var months: [CalendarDay] { CalendarDay.months(of: dots.map(\.day)) }
}
