import Testing
import Time

@Suite struct `A day as people write it` {
    /// A Friday.
    private let today = CalendarDay(ordinal: 20_882)

    private func day(_ text: String, _ weekdays: SpokenDay.Direction) -> String? {
        SpokenDay(text)?.day(today: today, weekdays: weekdays).description
    }

    @Test func `is a date, or one of the days around today`() {
        for weekdays in [SpokenDay.Direction.last, .next] {
            #expect(day("2028-02-29", weekdays) == "2028-02-29")
            #expect(
                ["yesterday", "today", " Tomorrow "].map { day($0, weekdays) } == [
                    "2027-03-04", "2027-03-05", "2027-03-06",
                ])
        }
    }

    @Test(arguments: [
        ("monday", "2027-03-01", "2027-03-08"), ("Thursday", "2027-03-04", "2027-03-11"),
        ("FRIDAY", "2027-03-05", "2027-03-05"), ("sat", "2027-02-27", "2027-03-06"),
        ("sunday", "2027-02-28", "2027-03-07"),
    ])
    func `is a weekday: the last one where something was, the nearest one where something comes, maybe today`(
        text: String, last: String, next: String
    ) {
        #expect([day(text, .last), day(text, .next)] == [last, next])
    }

    @Test(arguments: [
        ("last monday", "2027-03-01"), ("next monday", "2027-03-08"), ("last  Friday", "2027-02-26"),
        ("next fri", "2027-03-12"), ("next saturday", "2027-03-06"),
    ])
    func `is a weekday before or after today`(text: String, expected: String) {
        #expect([day(text, .last), day(text, .next)] == [expected, expected])
    }

    @Test(arguments: [
        "", " ", "soon", "next", "next week", "next today", "last 2027-03-05", "2027-02-29", "m", "mond", "on monday",
        "monday monday", "last last monday",
    ])
    func `is no other text`(text: String) {
        #expect(SpokenDay(text) == nil)
    }
}
