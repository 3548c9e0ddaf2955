import Foundation
import Testing
import Time

@Suite struct PeriodTests {
    static func period(_ length: Period.Unit, _ day: String) throws -> String {
        Period(length, with: try #require(CalendarDay(day))).description
    }

    @Test(arguments: [
        ("2026-12-27", "2026-W52"), ("2026-12-28", "2026-W53"), ("2027-01-03", "2026-W53"), ("2027-01-04", "2027-W01"),
        ("2024-12-30", "2025-W01"), ("2021-01-01", "2020-W53"),
    ]) func `a week belongs to the year of its Thursday`(day: String, week: String) throws {
        #expect(try Self.period(.week, day) == week)
    }

    @Test func `each day of four centuries is in its period, and the periods have no gaps`() throws {
        let (first, last) = (CalendarDay(ordinal: -62_091), CalendarDay(ordinal: 84_006))
        for length in Period.Unit.allCases {
            var period = Period(length, with: first)
            var day = period.days.lowerBound
            while day < last {
                #expect(Period(length, with: day) == period)
                #expect(Period(period.description) == period)
                day = day.next
                guard day > period.days.upperBound else { continue }
                #expect(period.next.previous == period)
                #expect(period.next.days.lowerBound == day)
                period = period.next
            }
        }
    }

    @Test func `weeks agree with Foundation's ISO 8601 calendar`() {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        for ordinal in stride(from: Int32(-60_000), through: 60_000, by: 11) {
            let date = Date(timeIntervalSince1970: Double(ordinal) * 86_400)
            let parts = calendar.dateComponents([.yearForWeekOfYear, .weekOfYear], from: date)
            let expected = Period.week(year: parts.yearForWeekOfYear ?? 0, week: parts.weekOfYear ?? 0)
            #expect(Period(.week, with: CalendarDay(ordinal: ordinal)) == expected)
        }
    }

    @Test(arguments: [
        "", "2027-", "27", "2027-W54", "2027-W53", "2027-W00", "2027-13", "2027-00", "2027-W1", "0000", "2027-03-05",
    ])
    func `other texts are refused`(text: String) { #expect(Period(text) == nil) }

    @Test(arguments: ["2026-W53", "2027-W09", "2027-03", "2027"]) func `a period is spelled as it is read`(text: String)
    {
        #expect(Period(text)?.description == text)
    }
}
