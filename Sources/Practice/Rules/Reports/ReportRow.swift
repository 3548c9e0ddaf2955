/// One number of a report.
public struct Figure: Equatable, Sendable {
    /// Nil if there is none, such as the median of no answers.
    public var value: Double?
    /// How many people, sessions or conversations the number is made of. Decides whether a shared page shows it.
    public var basis: Int
    /// A shared page must not show it.
    public var isSuppressed = false

    public init(_ value: Double?, of basis: Int) { (self.value, self.basis) = (value, basis) }

    public init(count: Int) { self.init(Double(count), of: count) }
}

/// One series of a report: a number for each period, and one for the whole time.
public struct ReportRow: Equatable, Sendable {
    public var name: String
    /// Tells the series from the others of its report, where two may have one name: the same for each thanatologist and for
    /// everybody.
    public let key: String
    /// Nil if it is the report's.
    public var unit: String?
    /// The identifier of the thanatologist whose numbers they are; nil for everybody's.
    public var thanatologist: String?
    public var thanatologistName: String?
    public var figures: [Figure]
    public var total: Figure
    /// True if each number counts what it is made of. Amounts and medians do not.
    public var isCount = false

    /// - Parameter key: nil where no other series can have the name.
    public init(_ name: String, key: String? = nil, unit: String? = nil, figures: [Figure], total: Figure) {
        (self.name, self.key, self.unit, self.figures, self.total) = (name, key ?? name, unit, figures, total)
    }

    /// A series of counts of distinct things.
    public init(_ name: String, key: String? = nil, unit: String? = nil, counts: [Int], total: Int) {
        self.init(name, key: key, unit: unit, figures: counts.map(Figure.init(count:)), total: Figure(count: total))
        isCount = true
    }

    /// A series of counts whose total is their sum.
    public init(_ name: String, key: String? = nil, unit: String? = nil, counts: [Int]) {
        self.init(name, key: key, unit: unit, counts: counts, total: counts.reduce(0, +))
    }
}

/// The series that are most of a report, and the others as one.
extension [ReportRow] {
    /// The most series of one thanatologist, or of all. A practice may have a thousand words.
    public static var mostRows: Int { 100 }

    /// With the greatest total first. Of equal ones the earlier stays first.
    public func sortedByTotal() -> [ReportRow] {
        enumerated().sorted { ($1.element.total.basis, $0.offset) < ($0.element.total.basis, $1.offset) }.map(\.element)
    }

    /// The first of them, and the sum of the others as one more. For counts.
    public func gathered() -> [ReportRow] {
        guard count > Self.mostRows else { return self }
        let others = dropFirst(Self.mostRows - 1)
        var counts = [Int](repeating: 0, count: self[0].figures.count)
        for row in others { for (place, figure) in row.figures.enumerated() { counts[place] += figure.basis } }
        var rest = ReportRow("\(others.count) others", unit: self[0].unit, counts: counts)
        // On a shared page, nothing tells what the others are made of.
        if others.contains(where: { $0.total.isSuppressed }) {
            for place in counts.indices { rest.figures[place].isSuppressed = counts[place] > 0 }
            rest.total.isSuppressed = true
        }
        return prefix(Self.mostRows - 1) + [rest]
    }
}
