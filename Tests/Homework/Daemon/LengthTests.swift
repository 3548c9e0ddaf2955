import Testing

@testable import HomeworkDaemon

@Suite struct LengthTests {
    @Test(arguments: [
        ("90s", 90), ("30m", 1_800), ("2h", 7_200), ("1h30m", 5_400), ("1h0m5s", 3_605), ("0s", 0), ("1h5s", 3_605),
        ("007m", 420), ("999999h", 3_599_996_400),
    ])
    func `a length is read`(text: String, seconds: Int) {
        #expect(Length.duration(text) == .seconds(seconds))
    }

    @Test(arguments: ["2h", "1h30m", "90s", "1m", "1h0m5s", "0s", "24h"])
    func `a length is spelled so that it is read again`(text: String) throws {
        let length = try #require(Length.duration(text))
        #expect(Length.duration(Length.text(length)) == length)
        #expect(Length.text(.seconds(5_430)) == "1h30m30s")
    }

    @Test(arguments: [
        "", "5", "h", "m30", "30 m", " 30m", "30m ", "30m1h", "1h1h", "1.5h", "-5m", "+5m", "1H", "1000000h", "1d",
        "1ms",
        "٣m",
    ])
    func `any other text is none`(text: String) {
        #expect(Length.duration(text) == nil)
    }
}
