import Testing
import Time

@Suite struct `A length of time` {
    @Test(arguments: [
        ("90s", 90), ("30m", 1_800), ("2h", 7_200), ("1h30m", 5_400), ("1h0m5s", 3_605), ("0s", 0), ("1h5s", 3_605),
        ("007m", 420), ("999999h", 3_599_996_400), ("1h 30m", 5_400), ("30 m", 1_800), ("30min", 1_800),
        ("2 hours", 7_200), ("1 hour 1 minute 1 second", 3_661), ("2hours30mins", 9_000), ("45 secs", 45),
        ("1.5h", 5_400), ("0.25 h", 900), ("1.1m", 66), ("1.50h", 5_400), ("1H", 3_600), ("30 Min", 1_800),
    ])
    func `is read as people write it`(text: String, seconds: Int) {
        #expect(Length(text)?.duration == .seconds(seconds))
    }

    @Test(arguments: ["2h", "1h30m", "90s", "1m", "1h0m5s", "0s", "24h"])
    func `is read from its own description`(text: String) throws {
        let length = try #require(Length(text))
        #expect(Length(length.description) == length)
    }

    @Test(arguments: [(5_430, "1h30m30s"), (0, "0s"), (86_400, "24h"), (60, "1m")])
    func `is described with the fewest units`(seconds: Int, text: String) {
        #expect(Length(.seconds(seconds)).description == text)
    }

    @Test(arguments: [
        "", " ", "5", "h", "m30", " 30m", "30m ", "30m1h", "1h1h", "1.h", ".5h", "1.555h", "1.5s", "1.01m", "1.5",
        "1,5h", "-5m", "+5m", "1000000h", "1d", "1ms",
        "٣m", "1 hourly", "30m 5", "30mé",
    ])
    func `is not read from any other text`(text: String) {
        #expect(Length(text) == nil)
    }
}
