import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkDaemon

@Suite struct WhenTests {
    /// At 09:00 in Berlin, on a day that began at 04:00.
    static let times: [(String, String?)] = [
        ("30m", "2027-03-05T09:30:00+01:00"), ("1h30m", "2027-03-05T10:30:00+01:00"),
        ("90s", "2027-03-05T09:01:30+01:00"),
        ("18:00", "2027-03-05T18:00:00+01:00"), ("9:05", "2027-03-05T09:05:00+01:00"),
        ("04:00", "2027-03-05T04:00:00+01:00"), ("01:30", "2027-03-06T01:30:00+01:00"),
        ("6pm", "2027-03-05T18:00:00+01:00"), ("1h 30min", "2027-03-05T10:30:00+01:00"),
        ("2027-03-05T12:00:00Z", "2027-03-05T13:00:00+01:00"), ("2027-03-05T13:00:00", nil), ("2027-03-05", nil),
        ("24:00", nil), ("18:60", nil), ("018:00", nil), ("18:0", nil), ("18", nil), (":30", nil), ("18:00:00", nil),
        ("noon", "2027-03-05T12:00:00+01:00"), ("", nil), ("-30m", nil), ("30", nil),
    ]

    @Test(arguments: times) func `a future time is a length, a time of today or an instant`(
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
