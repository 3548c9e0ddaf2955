import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkDaemon

@Suite struct WhenTests {
    static let instants: [(String, String?)] = [
        ("2027-03-05T09:00:00Z", "09:00"), ("2027-03-05t09:00:00z", "09:00"), ("2027-03-05T09:00:00.999Z", "09:00"),
        ("2027-03-05T09:00:00+00:00", "09:00"), ("2027-03-05T10:30:00+01:30", "09:00"),
        ("2027-03-05T08:30:00-00:30", "09:00"), ("2027-03-05T09:00:60Z", "09:01"),
        ("2027-03-06T08:59:00+23:59", "09:00"),
        ("2027-03-05", nil), ("2027-03-05T09:00Z", nil), ("2027-03-05 09:00:00Z", nil), ("2027-03-05T09:00:00", nil),
        ("2027-03-05T24:00:00Z", nil), ("2027-03-05T09:60:00Z", nil), ("2027-03-05T09:00:61Z", nil),
        ("2027-02-29T09:00:00Z", nil), ("2027-03-05T09:00:00.Z", nil), ("2027-03-05T09:00:00+0100", nil),
        ("2027-03-05T09:00:00+24:00", nil), ("2027-03-05T09:00:00+01:60", nil), ("2027-03-05T09:00:00ZZ", nil),
        ("2027-03-05T-9:00:00Z", nil), ("2027-03-05T09.00.00Z", nil), ("2027-03-05T09:00:00\u{2212}01:00", nil),
        ("", nil),
    ]

    @Test(arguments: instants) func `an instant is RFC 3339, and nothing else is`(text: String, time: String?) {
        #expect(When.rfc3339(text) == time.map { VirtualClock.instant("2027-03-05", $0) })
    }

    /// At 09:00 in Berlin, on a day that began at 04:00.
    static let times: [(String, String?)] = [
        ("30m", "2027-03-05T09:30:00+01:00"), ("1h30m", "2027-03-05T10:30:00+01:00"),
        ("90s", "2027-03-05T09:01:30+01:00"),
        ("18:00", "2027-03-05T18:00:00+01:00"), ("9:05", "2027-03-05T09:05:00+01:00"),
        ("04:00", "2027-03-05T04:00:00+01:00"), ("01:30", "2027-03-06T01:30:00+01:00"),
        ("2027-03-05T12:00:00Z", "2027-03-05T13:00:00+01:00"),
        ("24:00", nil), ("18:60", nil), ("018:00", nil), ("18:0", nil), ("18", nil), (":30", nil), ("18:00:00", nil),
        ("noon", nil), ("", nil), ("-30m", nil), ("30 m", nil),
    ]

    @Test(arguments: times) func `a time to come is a length, a time of the day's clock, or an instant`(
        text: String, expected: String?
    ) async {
        await #expect(processExitsWith: .success) { [text, expected] in
            live(in: "Europe/Berlin")
            let clock = LocalClock(dayStartsAt: 240)
            let now = Moment(
                instant: VirtualClock.instant("2027-03-05", "08:00"), wall: WallTime(day: "2027-03-05", minute: 540),
                zone: "Europe/Berlin", steady: SteadyInstant(microseconds: 0), dayEnds: clock.start(of: "2027-03-06"))
            #expect(When.instant(text, after: now, on: clock).map(clock.rfc3339) == expected)
        }
    }
}
