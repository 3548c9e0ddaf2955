import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

@Suite struct `The position in the exercise` {
    /// Five breaths of 4-1-4-1 seconds that begin at 08:00.
    private func breathing(_ pattern: String = "4-1-4-1") throws -> Scenario {
        Scenario.begun(by: Settings(pattern: try BreathPattern(pattern))).having(.breathe)
    }

    @Test(
        arguments: [
            (0, 1, .inhale, 4_000, 0, 50_000), (3_999, 1, .inhale, 4_000, 3_999, 46_001),
            (4_000, 1, .hold, 1_000, 0, 46_000),
            (4_999, 1, .hold, 1_000, 999, 45_001), (5_000, 1, .exhale, 4_000, 0, 45_000),
            (8_999, 1, .exhale, 4_000, 3_999, 41_001), (9_000, 1, .rest, 1_000, 0, 41_000),
            (9_999, 1, .rest, 1_000, 999, 40_001), (10_000, 2, .inhale, 4_000, 0, 40_000),
            (44_000, 5, .hold, 1_000, 0, 6_000), (49_999, 5, .rest, 1_000, 999, 1),
            (50_000, 5, .rest, 1_000, 1_000, 0), (70_000, 5, .rest, 1_000, 1_000, 0),
        ] as [(Int, Int, Phase, Int, Int, Int)])
    func `is right at every boundary of a phase`(
        after: Int, breath: Int, phase: Phase, length: Int, elapsed: Int, remaining: Int
    )
        throws
    {
        let scenario = try breathing()
        let now = scenario.clock.steady + .milliseconds(after)
        let exercise = try #require(scenario.plan.flow?.exercise)
        let position = exercise.position(at: now)
        #expect(position.breath == breath)
        #expect(position.phase == phase)
        #expect(position.length == .milliseconds(length))
        #expect(position.elapsed == .milliseconds(elapsed))
        #expect(position.remaining == .milliseconds(remaining))
        #expect(exercise.drawn(at: now) == min(5, after / 10_000))
        #expect(exercise.phaseEnds(after: now) == now + .milliseconds(length - elapsed))
    }

    @Test(
        arguments: [(0, .inhale), (3_999, .inhale), (4_000, .exhale), (9_999, .exhale), (10_000, .inhale)]
            as [(Int, Phase)])
    func `skips phases of length zero`(after: Int, phase: Phase) throws {
        let scenario = try breathing("4-0-6-0")
        let exercise = try #require(scenario.plan.flow?.exercise)
        #expect(exercise.position(at: scenario.clock.steady + .milliseconds(after)).phase == phase)
    }

    @Test func `is the beginning of a breath while it is paused`() throws {
        let scenario = try breathing().having(.pause, after: .seconds(27))
        let exercise = try #require(scenario.plan.flow?.exercise)
        let position = exercise.position(at: scenario.clock.steady + .seconds(100))
        #expect(position.breath == 3)
        #expect(position.phase == .inhale)
        #expect(position.elapsed == .zero)
        #expect(position.remaining == .seconds(30))
        #expect(exercise.phaseEnds(after: scenario.clock.steady) == nil)
    }

    @Test func `does not depend on when breaths were last counted`() throws {
        let scenario = try breathing()
        let looked = scenario.having(.lookAtClock, after: .seconds(14)).having(.lookAtClock, after: .seconds(9))
        let exercise = try #require(scenario.plan.flow?.exercise)
        let counted = try #require(looked.plan.flow?.exercise)
        #expect(counted.done == 2)
        #expect(counted.position(at: looked.clock.steady) == exercise.position(at: looked.clock.steady))
    }

    @Test func `never goes behind a counted breath, even if the steady clock goes back`() throws {
        let counted = try breathing().having(.lookAtClock, after: .seconds(25))
        let earlier = SteadyInstant(microseconds: counted.clock.steady.microseconds - 15_000_000)
        let exercise = try #require(counted.plan.flow?.exercise)
        #expect(exercise.drawn(at: earlier) == 2)
        #expect(exercise.position(at: earlier).breath == 3)
        #expect(exercise.position(at: earlier).elapsed == .zero)
    }

    @Test func `goes on from the breath at which the exercise was resumed`() throws {
        let scenario = try breathing().having(.pause, after: .seconds(27)).having(.resume, after: .seconds(60))
        let exercise = try #require(scenario.plan.flow?.exercise)
        let position = exercise.position(at: scenario.clock.steady + .seconds(16))
        #expect(position.breath == 4)
        #expect(position.phase == .exhale)
        #expect(position.elapsed == .seconds(1))
        #expect(position.remaining == .seconds(14))
    }

    @Test func `is the beginning if the steady clock is earlier than the start`() throws {
        let scenario = try breathing()
        let exercise = try #require(scenario.plan.flow?.exercise)
        let position = exercise.position(at: SteadyInstant(microseconds: 0))
        #expect(position.breath == 1)
        #expect(position.elapsed == .zero)
        #expect(exercise.drawn(at: SteadyInstant(microseconds: 0)) == 0)
    }
}
