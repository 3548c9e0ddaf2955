public import Time

/// The periods of a report: up to 120 in a row, of which the last may still run.
public struct ReportSpan: Equatable, Sendable {
    /// The most periods of a report: ten years of months.
    public static let counts = 1...120
    public static let usualCount = 12
    /// No period before this year is the last one of a report.
    private static let earliestYear = 1900

    /// From the earliest on; never empty.
    public let periods: [Period]
    /// True if the last period is not over.
    public let isRunning: Bool

    public var unit: Period.Unit { periods[0].unit }
    public var days: ClosedRange<CalendarDay> {
        periods[0].days.lowerBound...periods[periods.count - 1].days.upperBound
    }

    /// Checks the periods that a call asks for. Nil, with faults of `until` and `count`, if they are wrong.
    ///
    /// - Parameters:
    ///   - until: the last period, as ISO 8601 writes it; nil for the one that runs, or the last one that is over.
    ///   - isOver: the last period is one that is over.
    ///   - today: the day in the practice's zone.
    public init?(
        _ unit: Period.Unit, until: String?, count: Int?, isOver: Bool = false, today: CalendarDay,
        _ faults: inout Faults
    ) {
        let current = Period(unit, with: today)
        let last = until.map { text in
            faults.check("until", text) { text throws(FieldError) in try Self.last(text, unit, current, isOver) }
        }
        let count = faults.check("count", count ?? Self.usualCount) { count throws(FieldError) in
            try Field.number(count, in: Self.counts)
        }
        guard let count, case let last? = last ?? (isOver ? current.previous : current) else { return nil }
        var periods = [last]
        while periods.count < count { periods.append(periods[periods.count - 1].previous) }
        self.periods = periods.reversed()
        isRunning = last == current
    }

    private static func last(
        _ text: String, _ unit: Period.Unit, _ current: Period, _ isOver: Bool
    ) throws(FieldError) -> Period {
        let form =
            switch unit {
            case .week: "a week such as 2027-W09"
            case .month: "a month such as 2027-03"
            case .year: "a year such as 2027"
            }
        guard let period = Period(text), period.unit == unit else { throw FieldError("must be \(form).") }
        guard period.days.lowerBound <= current.days.lowerBound else {
            throw FieldError("must not be to come: the last one is \(current).")
        }
        guard !isOver || period != current else {
            throw FieldError("must be over: the last one is \(current.previous).")
        }
        guard period.days.upperBound.year >= earliestYear else {
            throw FieldError("must not be before the year \(earliestYear).")
        }
        return period
    }

    /// The place of the period with that day, from 0; nil if the day is before or after all of them.
    public func place(of day: CalendarDay) -> Int? {
        guard days.contains(day) else { return nil }
        var (low, high) = (0, periods.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if periods[middle].days.lowerBound <= day { low = middle } else { high = middle }
        }
        return low
    }
}
