import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

@Suite struct `The exercise` {
    @Test func `begins without a breath until somebody is led through it`() {
        Scenario.opened()
            .when(.start(nil), at: "08:00", then: [.started("1", .calm)])
            .when(.lookAtClock, at: "08:30", then: [])
            .when(.breathe, then: [.breathingBegan("1")])
    }

    @Test func `takes the pattern that is configured when it begins`() throws {
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
    func `does not count by the wall clock, wherever that is set`(time: String) {
        Scenario.guided
            .clock { $0.set(to: "2027-03-05", time) }
            .when(.lookAtClock, then: [])
            .when(.lookAtClock, after: .seconds(10), then: [.breathed("1", breaths: 1)])
    }

    @Test func `finishes with its last breath, and leads to the wait room`() {
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

    @Test func `counts no more breaths than it has, however late one looks`() {
        Scenario.guided
            .when(.lookAtClock, after: .seconds(500), then: [.breathed("1", breaths: 5), .exerciseFinished("1")])
            .when(.lookAtClock, after: .seconds(500), then: [])
    }

    @Test func `a pause in mid-breath discards that breath`() {
        Scenario.guided
            .when(.pause, after: .seconds(19), then: [.breathed("1", breaths: 1), .breathingPaused("1")])
            .when(.lookAtClock, after: .seconds(100), then: [])
            .when(.resume, then: [.breathingBegan("1")])
            .when(.lookAtClock, after: .seconds(9), then: [])
            .when(.lookAtClock, after: .seconds(1), then: [.breathed("1", breaths: 2)])
    }

    @Test func `a second pause, a second resume and a second guide change nothing`() {
        Scenario.guided
            .when(.breathe, after: .seconds(5), then: [])
            .when(.resume, then: [])
            .when(.lookAtClock, after: .seconds(5), then: [.breathed("1", breaths: 1)])
            .when(.pause, then: [.breathingPaused("1")])
            .when(.pause, then: [])
    }

    @Test func `somebody who is led anew while it is paused goes on`() {
        Scenario.guided.having(.pause).when(.breathe, then: [.breathingBegan("1")])
    }

    @Test func `restarted it begins with its first breath at once`() {
        Scenario.guided
            .when(
                .restart, after: .seconds(35),
                then: [.breathed("1", breaths: 3), .exerciseRestarted("1"), .breathingBegan("1")]
            )
            .then { #expect($0.plan.progress["1"]?.breathsDone == 0) }
            .when(.lookAtClock, after: .seconds(10), then: [.breathed("1", breaths: 1)])
    }

    @Test func `restarted while paused it runs again`() {
        Scenario.guided.having(.pause).when(.restart, then: [.exerciseRestarted("1"), .breathingBegan("1")])
    }

    @Test func `restarted with nobody to lead it waits for somebody`() {
        Scenario.begun().when(.restart, then: [.exerciseRestarted("1")])
            .when(.lookAtClock, after: .seconds(100), then: [])
    }

    @Test func `stops when the guide is lost, and keeps whole breaths`() {
        Scenario.guided
            .when(.guideLost, after: .seconds(29), then: [.breathed("1", breaths: 2), .guideLeft("1")])
            .when(.guideLost, then: [])
            .when(.lookAtClock, after: .seconds(100), then: [])
            .when(.resume, refused: .notGuided)
            .when(.breathe, then: [.breathingBegan("1")])
            .when(.lookAtClock, after: .seconds(30), then: [.breathed("1", breaths: 5), .exerciseFinished("1")])
    }

    @Test func `a guide who is lost while it is paused is lost all the same`() {
        Scenario.guided.having(.pause).when(.guideLost, then: [.guideLeft("1")]).when(.resume, refused: .notGuided)
    }

    @Test func `no guide is lost where there was none`() {
        Scenario.begun().when(.guideLost, then: [])
        Scenario.waiting.when(.guideLost, then: [])
        Scenario().having(.lookAtClock).when(.guideLost, then: [])
    }

    @Test(arguments: [1, 999_000_000, 1_010_000_000, 900_000_000_000] as [Int64])
    func `no breath is counted while the daemon was away, whatever the steady clock says then`(steady: Int64) {
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

    @Test func `the daemon wakes up to nothing where nobody was led`() {
        Scenario.begun().when(.wakeUp, then: [])
        Scenario.waiting.when(.wakeUp, then: [])
    }

    @Test func `breaths drawn are kept when the flow is given up`() {
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

    @Test func `a finished exercise is not asked for again`() {
        Scenario.waiting.having(.cancel)
            .when(.start(nil), then: [.started("1", .calm)])
            .then { #expect($0.plan.flow?.stage == .waiting) }
    }
}
