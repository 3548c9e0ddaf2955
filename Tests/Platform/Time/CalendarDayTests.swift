import TestSupport
import Testing
import Time

private func day(_ text: String) -> CalendarDay? { CalendarDay(text) as CalendarDay? }

@Suite struct `A calendar day` {
    /// Counts the days one after the other, as a calendar on the wall does.
    @Test func `follows the day before it, from the year 1 to the year 9999`() {
        var ordinal: Int32 = -719_162
        var wrong: [String] = []
        for year in 1...9999 {
            let leap = (year.isMultiple(of: 4) && !year.isMultiple(of: 100)) || year.isMultiple(of: 400)
            for (month, length) in zip(1..., [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
                for number in 1...length {
                    let counted = CalendarDay(ordinal: ordinal)
                    let parts = counted.parts
                    if CalendarDay(year: year, month: month, day: number) != counted || parts != (year, month, number) {
                        wrong.append("\(year)-\(month)-\(number)")
                    }
                    ordinal += 1
                }
            }
        }
        #expect(wrong == [])
        #expect(ordinal == 2_932_897)
    }

    @Test func `is read from its own description`() {
        for ordinal in stride(from: CalendarDay.range.lowerBound.ordinal, through: 2_932_896, by: 367) {
            let each = CalendarDay(ordinal: ordinal)
            #expect(day(each.description) == each)
            #expect(each.description.utf8.count == 10)
        }
    }

    @Test(
        arguments: [
            (0, "1970-01-01"), (-1, "1969-12-31"), (20_852, "2027-02-03"), (-719_162, "0001-01-01"),
            (2_932_896, "9999-12-31"),
            (11_016, "2000-02-29"),
        ] as [(Int32, String)])
    func `counts from 1970`(ordinal: Int32, text: String) {
        #expect(CalendarDay(ordinal: ordinal).description == text)
        #expect(day(text)?.ordinal == ordinal)
    }

    @Test(arguments: [
        "2027-02-29", "2100-02-29", "1900-02-29", "2027-02-30", "2027-04-31", "2027-06-31", "2027-09-31", "2027-11-31",
        "2027-01-32", "2027-13-01", "2027-00-01", "2027-01-00", "0000-01-01",
    ])
    func `is refused if the calendar does not have it`(text: String) {
        #expect(day(text) == nil)
    }

    @Test(arguments: ["2024-02-29", "2000-02-29", "2400-02-29", "2027-02-28", "2027-12-31", "0001-01-01", "9999-12-31"])
    func `is read if the calendar has it`(text: String) {
        #expect(day(text)?.description == text)
    }

    @Test(arguments: [
        "", "2027", "2027-03", "2027-3-5", "2027-03-5", "27-03-05", "02027-03-05", "2027-03-05 ", " 2027-03-05",
        "2027-03-05T00:00", "2027/03/05", "20270305", "2027-03-0٥", "+027-03-05", "-027-03-05", "2027--3-05",
        "2027-W09-5",
        "２０２７-03-05", "10000-01-01",
    ])
    func `is refused in any other spelling`(text: String) {
        #expect(day(text) == nil)
    }

    @Test(arguments: [
        (0, 1, 1), (10_000, 1, 1), (-1, 1, 1), (2027, 0, 1), (2027, 13, 1), (2027, 1, 0), (2027, 1, -1), (2027, 1, 32),
        (Int.max, 1, 1), (Int.min, 1, 1), (2027, Int.max, 1), (2027, 1, Int.max),
    ])
    func `is refused for impossible numbers`(year: Int, month: Int, number: Int) {
        #expect(CalendarDay(year: year, month: month, day: number) == nil)
    }

    @Test func `is held within the years of four digits`() {
        #expect(CalendarDay(ordinal: .min) == "0001-01-01")
        #expect(CalendarDay(ordinal: .max) == "9999-12-31")
        #expect(CalendarDay.range == "0001-01-01"..."9999-12-31")
        #expect(("9999-12-31" as CalendarDay).next == "9999-12-31")
        #expect(("0001-01-01" as CalendarDay) - 1 == "0001-01-01")
        #expect(("2027-03-05" as CalendarDay) + 1_000_000_000_000 == "9999-12-31")
    }

    @Test func `can be added to and subtracted`() {
        let friday: CalendarDay = "2027-03-05"
        #expect(friday + 27 == "2027-04-01")
        #expect(friday - 5 == "2027-02-28")
        #expect(friday + -5 == "2027-02-28")
        #expect(("2028-03-05" as CalendarDay) - friday == 366)
        #expect(friday - ("2028-03-05" as CalendarDay) == -366)
        #expect(friday < friday.next)
        #expect(!(friday < friday))
    }

    @Test(
        arguments: [
            ("2027-03-05", .friday), ("2027-03-07", .sunday), ("1970-01-01", .thursday), ("1969-12-31", .wednesday),
            ("1969-12-28", .sunday), ("0001-01-01", .monday), ("9999-12-31", .friday),
        ] as [(CalendarDay, Weekday)])
    func `falls on a day of the week`(day: CalendarDay, weekday: Weekday) {
        #expect(day.weekday == weekday)
    }

    @Test(arguments: [
        ("2027-01-01", "Friday 1 January 2027"), ("2027-02-28", "Sunday 28 February 2027"),
        ("2027-03-01", "Monday 1 March 2027"), ("2027-04-06", "Tuesday 6 April 2027"),
        ("2027-05-05", "Wednesday 5 May 2027"), ("2027-06-03", "Thursday 3 June 2027"),
        ("2027-07-02", "Friday 2 July 2027"), ("2027-08-07", "Saturday 7 August 2027"),
        ("2027-09-30", "Thursday 30 September 2027"), ("2027-10-10", "Sunday 10 October 2027"),
        ("2027-11-11", "Thursday 11 November 2027"), ("0001-12-31", "Monday 31 December 1"),
    ])
    func `is spoken with its weekday and month`(text: String, spoken: String) {
        #expect(day(text)?.spoken == spoken)
    }

    @Test func `has a year, a month and a weekday with long and short names`() {
        let friday: CalendarDay = "2027-03-05"
        #expect(friday.year == 2027)
        #expect(friday.month == .march)
        #expect((friday.month.name, friday.month.shortName) == ("March", "Mar"))
        #expect((friday.weekday.name, friday.weekday.shortName) == ("Friday", "Fri"))
        #expect(Weekday.allCases.map(\.rawValue) == Array(1...7))
        #expect(Month.allCases.map(\.rawValue) == Array(1...12))
    }
}
