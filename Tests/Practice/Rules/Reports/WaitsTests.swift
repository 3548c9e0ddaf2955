import PracticeRules
import Testing
import Time

@Suite struct `Replies in a report` {
    private let span: ReportSpan = {
        var faults = Faults()
        return ReportSpan(.week, until: nil, count: 2, today: CalendarDay("2027-03-05"), &faults)!
    }()

    /// - Parameter hours: from the beginning of 2027-03-01 in UTC, a Monday.
    private func wait(_ hours: Double, _ taken: Double?) -> Wait {
        let began = Instant(microseconds: 1_803_859_200_000_000) + .seconds(hours * 3_600)
        return Wait(began: began, answered: taken.map { began + .seconds($0 * 3_600) })
    }

    private func rows(_ waits: [Wait]) -> [String] {
        Waits.rows(waits, over: span, in: .utc).map { row in
            "\(row.name): "
                + (row.figures + [row.total]).map { $0.value.map { "\($0)" } ?? "-" }.joined(separator: " ")
        }
    }

    @Test func `each wait counts in the period in which it began`() {
        #expect(
            rows([wait(-1, 30), wait(0, 1.5), wait(1, 2.5), wait(2, nil), wait(24 * 7, 1)]) == [
                "Median: 30.0 2.0 2.5", "90th percentile: 30.0 2.5 30.0", "Waiting: 0.0 1.0 1.0",
            ])
    }

    @Test func `without an answer there is no median`() {
        #expect(
            rows([wait(0, nil)]) == ["Median: - - -", "90th percentile: - - -", "Waiting: 0.0 1.0 1.0"])
    }

    @Test func `an answer before the letter, by a clock that was set back, took no time`() {
        #expect(rows([wait(0, -3)]).first == "Median: - 0.0 0.0")
    }

    private static let lists: [([Double], Double, Double)] = [
        ([1], 1, 1), ([1, 2], 1.5, 2), ([1, 2, 3], 2, 3), (upTo(9), 5, 9), (upTo(10), 5.5, 9), (upTo(11), 6, 10),
        (upTo(100), 50.5, 90),
    ]

    private static func upTo(_ last: Int) -> [Double] { (1...last).map { Double($0) } }

    @Test(arguments: lists)
    func `the median and the 90th percentile`(sorted: [Double], median: Double, ninetieth: Double) {
        #expect(Waits.median(sorted) == median)
        #expect(Waits.ninetieth(sorted) == ninetieth)
        #expect(sorted.count { $0 <= ninetieth } * 10 >= sorted.count * 9)
    }
}
