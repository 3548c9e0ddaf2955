import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

private let completion: [Happening] = [
    .completed("1", on: "2027-03-05"), .reminds("2027-03-05/completed/1", .sample()),
]

@Suite struct `The flow` {
    @Test func `is started with or without an id, and started again goes on where it is`() {
        Scenario.opened().when(.start("1"), at: "08:00", then: [.started("1", .calm)])
            .when(.start("1"), then: [])
            .when(.start(nil), then: [])
            .then {
                #expect($0.plan.flow?.stage == .exercise)
                #expect($0.plan.flow?.day == "2027-03-05")
                #expect($0.plan.flow?.since == VirtualClock.instant("2027-03-05", "08:00"))
            }
    }

    @Test func `uses the assignment's pattern, or the one that the start asks for`() {
        let boxed = Scenario.given(.dayBegan("2027-03-05")).having(.take(.sample("1", pattern: .box)))
        boxed.when(.start(nil), then: [.started("1", .box)])
        boxed.when(.start(nil, pattern: .coherent), then: [.started("1", .coherent)])
    }

    @Test func `keeps the pattern with which it was begun`() {
        let begun = Scenario.opened().having(.start("1", pattern: .box))
        begun.when(.start("1", pattern: .box), then: [])
        begun.when(.start(nil, pattern: .calm), refused: .patternStands(.box))
        Scenario.waiting.when(.start(nil, pattern: .box), then: [])
    }

    @Test func `skips the exercise if the provider is online`() {
        Scenario.opened().having(.online(), at: "08:00")
            .when(.start(nil), then: [.started("1", .calm), .joined("1")])
            .then { #expect($0.plan.flow?.stage == .session) }
    }

    @Test func `begins with the exercise where the provider is still there from the session before`() {
        let second = Scenario.opened(.sample(), .sample("2")).having(.online(), at: "08:00")
            .having(.start(nil)).having(.leave, at: "08:10").having(.logMood("calm"))
        // A renewal is no new announcement.
        for still in [second, second.having(.online(), at: "08:15")] {
            still.then { #expect(!$0.outlook.startsWithSession) }
                .when(.start(nil), at: "08:20", then: [.started("2", .calm)])
                .then { #expect($0.plan.flow?.stage == .exercise) }
                .when(.join, then: [.joined("2")])
        }
        for away in [second.having(.offline), second.having(.lookAtClock, at: "09:30")] {
            away.having(.online(), at: "09:40")
                .then { #expect($0.outlook.startsWithSession) }
                .when(.start(nil), then: [.started("2", .calm), .joined("2")])
        }
    }

    @Test func `begins with the mood where the session was left before, also if the provider comes again`() {
        Scenario.opened().having(.online(), at: "08:00").having(.start(nil)).having(.leave, at: "08:10")
            .having(.cancel).having(.offline).having(.online(), at: "09:00")
            .then { #expect(!$0.outlook.startsWithSession) }
            .when(.start(nil), then: [.started("1", .calm)])
            .then { #expect($0.plan.flow?.stage == .mood) }
    }

    @Test func `begins with the exercise where the provider came back during the session before`() {
        Scenario.opened(.sample(), .sample("2")).having(.online(), at: "08:00").having(.start(nil))
            .having(.offline, at: "08:05").having(.online(), at: "08:06")
            .having(.leave, at: "08:10").having(.logMood("calm"))
            .when(.start(nil), then: [.started("2", .calm)])
    }

    @Test func `leads from the exercise into the session if the client joins`() {
        Scenario.guided
            .having(.online(), after: .seconds(15))
            .when(.join, after: .seconds(10), then: [.breathed("1", breaths: 2), .joined("1")])
            .then {
                #expect($0.plan.flow?.stage == .session)
                #expect($0.plan.flow?.exercise.guided == false)
                #expect($0.plan.progress["1"]?.exerciseFinished == false)
            }
            .when(.lookAtClock, after: .seconds(60), then: [])
    }

    @Test func `leads from the wait room into the session, and then to the mood`() {
        Scenario.waiting.having(.online())
            .when(.join, after: .seconds(5), then: [.joined("1")])
            .then { #expect($0.plan.flow?.since == VirtualClock.instant("2027-03-05", "08:00:55")) }
            .when(.leave, at: "08:30", then: [.left("1")])
            .then {
                #expect($0.plan.flow?.stage == .mood)
                #expect($0.plan.flow?.since == VirtualClock.instant("2027-03-05", "08:30"))
            }
    }

    @Test func `completes with the mood`() {
        Scenario.atTheMood.when(.logMood("hopeful"), then: [.moodLogged("1", "hopeful")] + completion)
            .then {
                #expect($0.plan.flow == nil)
                #expect($0.plan.progress["1"]?.mood == "hopeful")
                #expect($0.plan.progress["1"]?.completedOn == "2027-03-05")
                #expect($0.plan.progress["1"]?.completedAt == VirtualClock.instant("2027-03-05", "08:10"))
            }
    }

    @Test func `completes on leaving if the mood was logged in the wait room`() {
        Scenario.waiting
            .when(.logMood("calm"), then: [.moodLogged("1", "calm")])
            .having(.online()).having(.join)
            .when(.leave, then: [.left("1")] + completion)
    }

    @Test func `stays in the session when the provider goes offline`() {
        Scenario.inSession.having(.offline).when(.leave, then: [.left("1")])
    }

    @Test func `goes on at the mood if it was cancelled after its session, even without the provider`() {
        Scenario.atTheMood
            .when(.cancel, then: [.cancelled("1")])
            .when(.start(nil), then: [.started("1", .calm)])
            .then { #expect($0.plan.flow?.stage == .mood) }
            .when(.logMood("tired"), then: [.moodLogged("1", "tired")] + completion)
    }

    @Test func `keeps its mood if it was cancelled after the mood was logged`() {
        Scenario.waiting.having(.logMood("calm")).having(.cancel)
            .having(.online())
            .when(.start(nil), then: [.started("1", .calm), .joined("1")])
            .when(.leave, then: [.left("1")] + completion)
    }

    @Test func `goes on in the same stage after the daemon's restart`() {
        for (scenario, stage) in [(Scenario.waiting, Stage.waiting), (.inSession, .session), (.atTheMood, .mood)] {
            scenario.when(.wakeUp, after: .seconds(60), then: [])
                .when(.start(nil), then: [])
                .then { #expect($0.plan.flow?.stage == stage) }
        }
    }
}

@Suite struct `A flow over midnight` {
    static let next = Assignment.sample("2", due: "2027-03-06")

    @Test func `may be finished, and counts for the day on which it ends`() {
        Scenario.opened(.sample(), Self.next)
            .having(.online(), at: "23:50").having(.start(nil))
            .when(.lookAtClock, on: "2027-03-06", at: "00:00", then: [.dayBegan("2027-03-06")])
            .when(.leave, at: "00:10", then: [.left("1")])
            .when(
                .logMood("calm"),
                then: [
                    .moodLogged("1", "calm"), .completed("1", on: "2027-03-06"),
                    .reminds("2027-03-06/completed/1", .sample()),
                ] + Happening.opens(Self.next, on: "2027-03-06"))
    }

    @Test func `goes on breathing`() {
        Scenario.opened().having(.start(nil), at: "23:59:45").having(.breathe)
            .when(
                .lookAtClock, on: "2027-03-06", at: "00:00:05",
                then: [.dayBegan("2027-03-06"), .breathed("1", breaths: 2)])
    }

    @Test func `keeps the new day's task locked until it is cancelled`() {
        Scenario.begun(.sample(), Self.next)
            .having(.lookAtClock, on: "2027-03-06", at: "00:00")
            .when(.cancel, then: [.cancelled("1")] + Happening.opens(Self.next, on: "2027-03-06"))
    }

    @Test func `may be finished even without days of grace`() {
        Scenario.begun(by: Settings(graceDays: 0))
            .when(.lookAtClock, on: "2027-03-06", at: "00:00", then: [.dayBegan("2027-03-06")])
            .then { #expect($0.standing("1") == .inProgress(.exercise)) }
            .having(.online())
            .when(.join, then: [.joined("1")])
    }

    @Test func `is missed if it is cancelled after its grace, with a reminder`() {
        Scenario.begun(by: Settings(graceDays: 0))
            .having(.lookAtClock, on: "2027-03-06", at: "00:00")
            .when(.cancel, then: [.cancelled("1"), .reminds("2027-03-06/missed/1", .sample())])
            .then { #expect($0.standing("1") == .missed(after: "2027-03-05")) }
    }

    @Test func `gives no reminder if it is cancelled on the last day of its grace`() {
        Scenario.begun(by: Settings(graceDays: 1))
            .having(.lookAtClock, on: "2027-03-06", at: "00:00")
            .when(.cancel, then: [.cancelled("1")])
            .when(
                .lookAtClock, on: "2027-03-07", at: "00:00",
                then: [.dayBegan("2027-03-07"), .reminds("2027-03-07/missed/1", .sample())])
    }

    @Test func `is set aside after a whole day, and keeps its breaths`() {
        Scenario.guided.having(.guideLost, after: .seconds(25))
            .having(.lookAtClock, on: "2027-03-06", at: "23:59")
            .when(.lookAtClock, on: "2027-03-07", at: "00:00", then: [.dayBegan("2027-03-07"), .setAside("1")])
            .when(.start(nil), at: "08:00", then: [.started("1", .calm)])
            .then { #expect($0.plan.flow?.exercise.done == 2) }
    }

    @Test func `is set aside for the new day's own task`() {
        let third = Assignment.sample("3", due: "2027-03-07")
        Scenario.begun(.sample(), third)
            .having(.lookAtClock, on: "2027-03-06", at: "23:59")
            .when(
                .lookAtClock, on: "2027-03-07", at: "00:00",
                then: [.dayBegan("2027-03-07"), .setAside("1")] + Happening.opens(third, on: "2027-03-07"))
    }

    @Test func `is missed if it is set aside after its grace, with a reminder`() {
        Scenario.begun(by: Settings(graceDays: 0))
            .having(.lookAtClock, on: "2027-03-06", at: "00:00")
            .when(
                .lookAtClock, on: "2027-03-07", at: "00:00",
                then: [.dayBegan("2027-03-07"), .setAside("1"), .reminds("2027-03-07/missed/1", .sample())])
    }

    @Test func `is missed together with another task if it is set aside after its grace, with one reminder`() {
        Scenario.begun(.sample(), Self.next, by: Settings(graceDays: 0))
            .having(.lookAtClock, on: "2027-03-06", at: "00:00")
            .when(
                .lookAtClock, on: "2027-03-07", at: "00:00",
                then: [.dayBegan("2027-03-07"), .setAside("1"), .reminds("2027-03-07/missed/2", Self.next, count: 2)])
    }
}
