import PracticeRules
import Testing
import Time

@Suite struct `The periods of a report` {
    private let today = CalendarDay("2027-03-05")

    private func span(
        _ unit: Period.Unit, until: String? = nil, count: Int? = nil, today: String = "2027-03-05"
    ) throws -> ReportSpan {
        var faults = Faults()
        let span = ReportSpan(unit, until: until, count: count, today: CalendarDay(today)!, &faults)
        try faults.end()
        return try #require(span)
    }

    @Test func `without more words, there are twelve, and the last one runs`() throws {
        let months = try span(.month)
        #expect(
            months.periods.map(\.description) == [
                "2026-04", "2026-05", "2026-06", "2026-07", "2026-08", "2026-09", "2026-10", "2026-11", "2026-12",
                "2027-01", "2027-02", "2027-03",
            ])
        #expect(months.isRunning)
        #expect("\(months.days)" == "2026-04-01...2027-03-31")
    }

    @Test func `a period that is over is not marked as running`() throws {
        #expect(try !span(.month, until: "2027-02", count: 1).isRunning)
        #expect(try span(.month, until: "2027-03", count: 1).isRunning)
    }

    @Test func `the year 2026 has 53 weeks, and the last begins on 28 December`() throws {
        let weeks = try span(.week, until: "2027-W01", count: 3)
        #expect(weeks.periods.map(\.description) == ["2026-W52", "2026-W53", "2027-W01"])
        #expect(
            weeks.periods.map { "\($0.days)" } == [
                "2026-12-21...2026-12-27", "2026-12-28...2027-01-03", "2027-01-04...2027-01-10",
            ])
        #expect(try span(.week, count: 1, today: "2027-01-03").periods.map(\.description) == ["2026-W53"])
    }

    @Test(arguments: [
        (Period.Unit.week, "2027-03", "must be a week such as 2027-W09."),
        (.week, "2027-W53", "must be a week such as 2027-W09."),
        (.month, "2027-13", "must be a month such as 2027-03."),
        (.month, "2027", "must be a month such as 2027-03."), (.year, "27", "must be a year such as 2027."),
        (.year, "", "must be a year such as 2027."),
        (.week, "2027-W10", "must not be to come: the last one is 2027-W09."),
        (.month, "2027-04", "must not be to come: the last one is 2027-03."),
        (.year, "9999", "must not be to come: the last one is 2027."),
        (.year, "1899", "must not be before the year 1900."),
    ])
    func `a wrong last period is refused with the form that it must have`(
        unit: Period.Unit, until: String, reason: String
    ) {
        var faults = Faults()
        #expect(ReportSpan(unit, until: until, count: nil, today: today, &faults) == nil)
        #expect(faults.list == [Fault("until", reason)])
    }

    @Test(arguments: [Int.min, -1, 0, 121, .max])
    func `a report has 1 to 120 periods`(count: Int) {
        var faults = Faults()
        #expect(ReportSpan(.year, until: "x", count: count, today: today, &faults) == nil)
        #expect(
            faults.list == [
                Fault("until", "must be a year such as 2027."), Fault("count", "must be a number from 1 to 120."),
            ])
    }

    @Test(arguments: Period.Unit.allCases)
    func `each day is in the period that contains it, and in no other`(unit: Period.Unit) throws {
        let span = try span(unit, until: nil, count: 120)
        let first = span.days.lowerBound
        for offset in -400...(span.days.upperBound - first + 400) {
            let day = first + offset
            #expect(span.place(of: day) == span.periods.firstIndex(of: Period(unit, with: day)), "\(day)")
        }
        #expect(span.periods.count == 120)
    }

    @Test func `the earliest report has 120 years before 1900`() throws {
        let span = try span(.year, until: "1900", count: 120)
        #expect(span.periods[0].description == "1781")
    }
}
