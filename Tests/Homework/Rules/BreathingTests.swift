import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

@Suite struct `The exercise` {
    @Test func `counts no breath before a guide leads the client`() {
        Scenario.opened()
            .when(.start(nil), at: "08:00", then: [.started("1", .calm)])
            .when(.lookAtClock, at: "08:30", then: [])
            .when(.breathe, then: [.breathingBegan("1")])
    }

    @Test func `keeps the pattern that was configured when it began`() throws {
        let box = try BreathPattern("4-4-4-4")
        Scenario.opened(by: Settings(pattern: box)).when(.start(nil), at: "08:00", then: [.started("1", box)])
            .by(Settings())
            .having(.breathe)
            .when(.lookAtClock, after: .seconds(15), then: [])
            .when(.lookAtClock, after: .seconds(1), then: [.breathed("1", breaths: 1)])
    }

    @Test func `counts whole breaths by the steady clock`() {
        Scenario.guided
            .when(.lookAtClock, after: .milliseconds(9_999), then: [])
            .when(.lookAtClock, after: .milliseconds(1), then: [.breathed("1", breaths: 1)])
            .when(.lookAtClock, then: [])
            .when(.lookAtClock, after: .seconds(25), then: [.breathed("1", breaths: 3)])
    }

    @Test(arguments: ["07:00", "08:30"])
    func `does not depend on the wall clock`(time: String) {
        Scenario.guided
            .clock { $0.set(to: "2027-03-05", time) }
            .when(.lookAtClock, then: [])
            .when(.lookAtClock, after: .seconds(10), then: [.breathed("1", breaths: 1)])
    }

    @Test func `ends with its last breath, and leads to the wait room`() {
        Scenario.guided
            .when(.lookAtClock, after: .seconds(49), then: [.breathed("1", breaths: 4)])
            .when(.lookAtClock, after: .seconds(1), then: [.breathed("1", breaths: 5), .exerciseFinished("1")])
            .then {
                #expect($0.plan.flow?.stage == .waiting)
                #expect($0.plan.flow?.since == VirtualClock.instant("2027-03-05", "08:00:50"))
                #expect($0.plan.flow?.exercise.guided == false)
                #expect($0.plan.flow?.exercise.run == nil)
                #expect($0.plan.progress["1"]?.exerciseFinished == true)
            }
    }

    @Test func `counts at most its breaths, however late the clock is read`() {
        Scenario.guided
            .when(.lookAtClock, after: .seconds(500), then: [.breathed("1", breaths: 5), .exerciseFinished("1")])
            .when(.lookAtClock, after: .seconds(500), then: [])
    }

    @Test func `repeats the breath in which it was paused`() {
        Scenario.guided
            .when(.pause, after: .seconds(19), then: [.breathed("1", breaths: 1), .breathingPaused("1")])
            .when(.lookAtClock, after: .seconds(100), then: [])
            .when(.resume, then: [.breathingBegan("1")])
            .when(.lookAtClock, after: .seconds(9), then: [])
            .when(.lookAtClock, after: .seconds(1), then: [.breathed("1", breaths: 2)])
    }

    @Test func `is not changed by a second pause, a second resume or a second guide`() {
        Scenario.guided
            .when(.breathe, after: .seconds(5), then: [])
            .when(.resume, then: [])
            .when(.lookAtClock, after: .seconds(5), then: [.breathed("1", breaths: 1)])
            .when(.pause, then: [.breathingPaused("1")])
            .when(.pause, then: [])
    }

    @Test func `goes on when a new guide comes during a pause`() {
        Scenario.guided.having(.pause).when(.breathe, then: [.breathingBegan("1")])
    }

    @Test func `begins at once with its first breath when it is restarted`() {
        Scenario.guided
            .when(
                .restart, after: .seconds(35),
                then: [.breathed("1", breaths: 3), .exerciseRestarted("1"), .breathingBegan("1")]
            )
            .then { #expect($0.plan.progress["1"]?.breathsDone == 0) }
            .when(.lookAtClock, after: .seconds(10), then: [.breathed("1", breaths: 1)])
    }

    @Test func `runs again when it is restarted during a pause`() {
        Scenario.guided.having(.pause).when(.restart, then: [.exerciseRestarted("1"), .breathingBegan("1")])
    }

    @Test func `waits for a guide when it is restarted without one`() {
        Scenario.begun().when(.restart, then: [.exerciseRestarted("1")])
            .when(.lookAtClock, after: .seconds(100), then: [])
    }

    @Test func `stops when the guide disconnects, and keeps whole breaths`() {
        Scenario.guided
            .when(.guideLost, after: .seconds(29), then: [.breathed("1", breaths: 2), .guideLeft("1")])
            .when(.guideLost, then: [])
            .when(.lookAtClock, after: .seconds(100), then: [])
            .when(.resume, refused: .notGuided)
            .when(.breathe, then: [.breathingBegan("1")])
            .when(.lookAtClock, after: .seconds(30), then: [.breathed("1", breaths: 5), .exerciseFinished("1")])
    }

    @Test func `loses its guide also during a pause`() {
        Scenario.guided.having(.pause).when(.guideLost, then: [.guideLeft("1")]).when(.resume, refused: .notGuided)
    }

    @Test func `loses no guide if it had none`() {
        Scenario.begun().when(.guideLost, then: [])
        Scenario.waiting.when(.guideLost, then: [])
        Scenario().having(.lookAtClock).when(.guideLost, then: [])
    }

    @Test(arguments: [1, 999_000_000, 1_010_000_000, 900_000_000_000] as [Int64])
    func `counts no breath while the daemon does not run, whatever the steady clock shows afterwards`(steady: Int64) {
        Scenario.guided
            .having(.lookAtClock, after: .seconds(20))
            .clock {
                $0.advance(by: .seconds(15))
                $0.steady = SteadyInstant(microseconds: steady)
            }
            .when(.wakeUp, then: [.guideLeft("1")])
            .then { #expect($0.plan.progress["1"]?.breathsDone == 2) }
            .when(.breathe, then: [.breathingBegan("1")])
            .when(.lookAtClock, after: .seconds(10), then: [.breathed("1", breaths: 3)])
    }

    @Test func `is unchanged by the daemon's start if it had no guide`() {
        Scenario.begun().when(.wakeUp, then: [])
        Scenario.waiting.when(.wakeUp, then: [])
    }

    @Test func `keeps its breaths when the flow is cancelled`() {
        Scenario.guided
            .when(.cancel, after: .seconds(25), then: [.breathed("1", breaths: 2), .cancelled("1")])
            .when(.start(nil), at: "08:30", then: [.started("1", .calm)])
            .then {
                #expect($0.plan.flow?.exercise.done == 2)
                #expect($0.plan.progress["1"]?.startedAt == VirtualClock.instant("2027-03-05", "08:00"))
            }
            .having(.breathe)
            .when(.lookAtClock, after: .seconds(30), then: [.breathed("1", breaths: 5), .exerciseFinished("1")])
    }

    @Test func `is not repeated once it is finished`() {
        Scenario.waiting.having(.cancel)
            .when(.start(nil), then: [.started("1", .calm)])
            .then { #expect($0.plan.flow?.stage == .waiting) }
    }
}
