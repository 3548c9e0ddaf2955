public import Time

/// One number of a report, or the reason why there is none.
public enum Figure: Equatable, Sendable {
    case number(Double)
    /// A number that a shared page does not show: so few people could be recognised by it, or by another one that follows from
    /// it.
    case withheld
    /// Nothing of which a number could be made, such as the median of no answers.
    case none

    /// Nil unless the number is known.
    public var value: Double? { if case .number(let value) = self { value } else { nil } }
}

/// The unit of figures.
public struct FigureUnit: Hashable, Sendable {
    /// In the plural, such as `clients`, `hours` or `EUR`.
    public let name: String
    /// The decimals that an amount of money is written with; nil for anything else.
    public let decimals: Int?

    public init(_ name: String, decimals: Int? = nil) {
        self.name = name
        self.decimals = decimals
    }

    /// `37`, `4.5` (at most one decimal), `1250.00`.
    public func text(_ value: Double) -> String {
        guard let decimals else { return Wording.number(value) }
        // A double knows every whole number of fifteen digits.
        let most = 999_999_999_999_999.0
        let smallest = (0..<decimals).reduce(value.isNaN ? 0 : value) { amount, _ in amount * 10 }
        let whole = Int(max(-most, min(most, smallest)).rounded())
        guard decimals > 0 else { return "\(whole)" }
        let digits = String(whole.magnitude)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return "\(whole < 0 ? "-" : "")\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }

    /// As ``text(_:)``; `–` for a figure that is withheld, and an empty text for none.
    public func text(_ figure: Figure) -> String {
        switch figure {
        case .number(let value): text(value)
        case .withheld: "–"
        case .none: ""
        }
    }
}

/// A report: numbers of several series over periods, which charts, tables and pages show.
public struct Figures: Equatable, Sendable {
    public struct Series: Equatable, Sendable {
        public let name: String
        /// As many as there are periods.
        public let values: [Figure]
        /// Of all periods together; not always their sum: a client of two weeks is one client.
        public let total: Figure

        public init(_ name: String, _ values: [Figure], total: Figure) {
            self.name = name
            self.values = values
            self.total = total
        }
    }

    /// Series of one unit, which share a scale.
    public struct Section: Equatable, Sendable {
        /// Empty if the report has one section.
        public let heading: String
        public let unit: FigureUnit
        public let series: [Series]

        public init(_ heading: String, unit: FigureUnit, _ series: [Series]) {
            self.heading = heading
            self.unit = unit
            self.series = series
        }

        var all: [Figure] { series.flatMap { $0.values + [$0.total] } }
    }

    public enum Form: Equatable, Sendable {
        /// Bars for each period, one beside the other.
        case overTime
        /// A bar for each series, of all periods together, with its trend.
        case shares
    }

    /// Names the report in file names and links, such as `attended`.
    public let id: String
    public let title: String
    /// The meaning of each number, in sentences; empty if nothing was said.
    public let definition: String
    public let periods: [Period]
    /// The period that is not over; nil if all are.
    public let running: Period?
    public let form: Form
    public let sections: [Section]

    public init(
        id: String, title: String, definition: String, periods: [Period], running: Period?, form: Form,
        sections: [Section]
    ) {
        self.id = id
        self.title = title
        self.definition = definition
        self.periods = periods
        self.running = running
        self.form = form
        self.sections = sections
    }

    /// Bars of more series than this, side by side, could not be told apart.
    public static let mostGroups = 4

    /// True if a bar stands for each period.
    func isOverTime(_ section: Section) -> Bool { form == .overTime && section.series.count <= Self.mostGroups }

    /// `Jan 2026 to Nov 2026`.
    public var span: String {
        guard let first = periods.first, let last = periods.last else { return "" }
        return first == last ? first.label : "\(first.label) to \(last.label)"
    }

    /// Sentences about marks that occur, each a paragraph.
    public var notes: [String] {
        let all = sections.flatMap(\.all)
        return [
            running.map { "\($0.label) is not over yet." },
            all.contains(.withheld) ? "– stands for a number that is not shown." : nil,
        ]
        .compactMap { $0 }
    }
}

extension Period {
    /// `2026-W53`, `Nov 2026`, `2026`.
    public var label: String {
        switch self {
        case .month(let year, let month): "\(Self.monthName(month)) \(year)"
        case .week, .year: "\(self)"
        }
    }

    /// The label's part that differs from its neighbours': `W53`, `Nov`, `2026`.
    var shortLabel: String {
        switch self {
        case .month(_, let month): Self.monthName(month)
        case .week: String("\(self)".suffix(3))
        case .year: "\(self)"
        }
    }

    /// The year of a week or a month; nil for a year.
    var yearOfPart: Int? {
        switch self {
        case .month(let year, _), .week(let year, _): year
        case .year: nil
        }
    }

    private static func monthName(_ month: Int) -> String {
        Month.allCases.indices.contains(month - 1) ? Month.allCases[month - 1].shortName : "\(month)"
    }
}
