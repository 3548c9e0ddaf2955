import ScheduleFormat
import TestSupport
import Testing
import Time

@Suite struct `A breath pattern` {
    private func fault(_ text: String) -> BreathPattern.Fault? {
        do throws(BreathPattern.Fault) {
            _ = try BreathPattern(text)
            return nil
        } catch { return error }
    }

    @Test(arguments: [
        "4-0-6-0", "4.5-0-5.5-0", "4-7-8-0", "4-4-4-4", "0.1-0-1.9-0", "1-0-1-0", "30-0-30-0", "15-15-15-15",
    ])
    func `is read from its own description`(text: String) throws {
        #expect(try BreathPattern(text).description == text)
    }

    @Test func `has its shortest spelling as its description`() throws {
        #expect(try BreathPattern("04-00-06.0-0.0").description == "4-0-6-0")
    }

    @Test func `has four phases, and skips those of length zero`() throws {
        let pattern = try BreathPattern("4-1.5-6-0")
        #expect(pattern.inhale == .seconds(4))
        #expect(pattern.hold == .milliseconds(1_500))
        #expect(pattern.exhale == .seconds(6))
        #expect(pattern.rest == .zero)
        #expect(pattern.cycle == .milliseconds(11_500))
        #expect(pattern.phases.map(\.phase) == [.inhale, .hold, .exhale])
        #expect(pattern.phases.map(\.length) == [.seconds(4), .milliseconds(1_500), .seconds(6)])
    }

    @Test func `is spelled as its seconds`() {
        #expect(BreathPattern.calm.description == "4-0-6-0")
    }

    @Test(arguments: [
        "", "4", "4-0-6", "4-0-6-0-0", "4--6-0", "-4-0-6-0", "4-0-6-", "4 -0-6-0", "a-0-6-0", "4,5-0-6-0", "4.-0-6-0",
        ".5-0-6-0",
        "4.55-0-6-0", "4.5.5-0-6-0", "100-0-6-0", "٤-0-6-0", "+4-0-6-0", "4–0–6–0", "1e1-0-6-0",
    ])
    func `is not read from other texts`(text: String) {
        #expect(fault(text) == .unreadable)
    }

    @Test(arguments: ["0-0-6-0", "4-0-0-0", "0-4-0-4", "0.0-0-6-0"])
    func `needs an inhale and an exhale`(text: String) {
        #expect(fault(text) == .noBreath)
    }

    @Test(
        arguments: [
            ("1-0-0.9-0", .cycleOutOfBounds), ("1-0-1-0", nil), ("30-0-30-0", nil), ("30-0-30-0.1", .cycleOutOfBounds),
            ("99-99-99-99", .cycleOutOfBounds),
        ] as [(String, BreathPattern.Fault?)])
    func `takes from two seconds to a minute`(text: String, expected: BreathPattern.Fault?) {
        #expect(fault(text) == expected)
    }
}
