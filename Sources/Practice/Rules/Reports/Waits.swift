public import Time

/// The time from a client's letter or message to the first answer.
public struct Wait: Equatable, Sendable {
    public let began: Instant
    /// Nil while there is no answer.
    public let answered: Instant?

    public init(began: Instant, answered: Instant?) { (self.began, self.answered) = (began, answered) }

    /// In hundredths of an hour. Never negative: the clock may have been set back.
    fileprivate var hours: Double? {
        answered.map { max(0, (Double($0.microseconds - began.microseconds) / 36_000_000).rounded() / 100) }
    }
}

/// Counts how long clients waited for answers.
public enum Waits {
    /// The series of the waits that began in the periods: median, 90th percentile, and those without an answer.
    public static func rows(_ waits: [Wait], over span: ReportSpan, in zone: Zone) -> [ReportRow] {
        var hours = [[Double]](repeating: [], count: span.periods.count)
        var waiting = [Int](repeating: 0, count: span.periods.count)
        for wait in waits {
            guard let place = span.place(of: zone.day(at: wait.began)) else { continue }
            if let taken = wait.hours { hours[place].append(taken) } else { waiting[place] += 1 }
        }
        hours = hours.map { $0.sorted() }
        let all = hours.flatMap { $0 }.sorted()
        func row(_ name: String, _ measure: ([Double]) -> Double?) -> ReportRow {
            ReportRow(
                name, figures: hours.map { Figure(measure($0), of: $0.count) },
                total: Figure(measure(all), of: all.count))
        }
        return [
            row("Median", median), row("90th percentile", ninetieth),
            ReportRow("Waiting", unit: "conversations", counts: waiting),
        ]
    }

    /// The middle value, or the mean of the two in the middle; nil of none.
    public static func median(_ sorted: [Double]) -> Double? {
        guard !sorted.isEmpty else { return nil }
        let middle = sorted.count / 2
        guard sorted.count.isMultiple(of: 2) else { return sorted[middle] }
        return ((sorted[middle - 1] + sorted[middle]) * 50).rounded() / 100
    }

    /// The least value that at least nine of ten do not exceed; nil of none.
    public static func ninetieth(_ sorted: [Double]) -> Double? {
        sorted.isEmpty ? nil : sorted[(sorted.count * 9 + 9) / 10 - 1]
    }
}
