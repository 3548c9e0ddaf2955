import Testing
import Time

@testable import Companion
@testable import DaybreakCompanion

@Suite struct DayTests {
    @Test func `a day is read from an instant`() {
        #expect(CalendarDay(of: "2026-11-20T23:59:00+01:00") == CalendarDay("2026-11-20"))
    }

    @Test func `near days have names, and far ones have their year`() {
        let words = ["2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22", "2027-01-02", "soon"]
            .map { Wording.day($0, today: "2026-11-20") }
        #expect(
            words == ["yesterday", "today", "tomorrow", "Sunday 22 November", "Saturday 2 January 2027", "soon"])
    }

    @Test func `an instant is shown as the wall showed it`() {
        #expect(Wording.time("2026-11-20T18:05:00+01:00", today: "2026-11-20") == "today at 18:05")
        #expect(Wording.clock("2026-11-20T18:05:00+01:00", today: "2026-11-20") == "18:05")
        #expect(Wording.clock("2026-11-21T00:00:00+01:00", today: "2026-11-20") == "tomorrow at 00:00")
        #expect(Wording.time("2026-11-20 18:05", today: nil) == "Friday 20 November 2026 at 18:05")
        #expect(Wording.time("whenever\u{1B}[2J", today: nil) == "whenever[2J")
    }

    @Test func `the remaining time is never negative`() {
        #expect([0, 0.01, 59.2, 60, 61, -3].map(Wording.left) == ["0:00", "0:01", "1:00", "1:00", "1:01", "0:00"])
        #expect(Wording.left(1e308) == "16666666:40")
    }

    @Test func `a number has one decimal at most, and its sign`() {
        #expect(
            [4, 4.5, -0.5, -1.5, -0.01, 1e308, -1e308].map(Wording.number)
                == ["4", "4.5", "-0.5", "-1.5", "0", "1000000000", "-1000000000"])
    }

    @Test(arguments: [
        ("30", "“30” may be seconds or minutes; write 30s or 30m."),
        ("25h", "“25h” is not a length from 1s to 24h; write one such as 90s, 30m or 1h30m."),
    ])
    func `a length that is none is answered with one that is`(_ text: String, _ sentence: String) {
        #expect(Wording.noLength(text) == sentence)
    }

    @Test(arguments: [("90s", 90), ("5m", 300), ("1h30m", 5400), ("1h 30min", 5400), ("45min", 2_700), ("24h", 86_400)])
    func `a length of time is read`(_ text: String, _ seconds: Int) {
        #expect(Length.seconds(typed: text) == seconds)
    }

    @Test(arguments: ["", "0", "90", "-5", "m", "5x", "5m1h", "5m3", "25h", "99999999999999999999", "999999999h"])
    func `other texts, and lengths of more than a day, are refused`(_ text: String) {
        #expect(Length.seconds(typed: text) == nil)
    }
}
