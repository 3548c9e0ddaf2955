import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

@Suite struct `The state of an assignment` {
    static let second = Assignment.sample("2", due: "2027-03-06")

    @Test func `is locked before any day began`() {
        Scenario.given(.assigned(.sample())).then {
            #expect($0.standing("1") == .locked(.untilItsDay("2027-03-05")))
            #expect($0.changes("1") == "2027-03-05")
        }
    }

    @Test func `is locked until its day`() {
        Scenario.given(.assigned(.sample()), .dayBegan("2027-03-04")).then {
            #expect($0.standing("1") == .locked(.untilItsDay("2027-03-05")))
            #expect($0.changes("1") == "2027-03-05")
        }
    }

    @Test func `is eligible on its day, until the last day of its grace`() {
        Scenario.opened().then {
            #expect($0.standing("1") == .eligible(late: false, through: "2027-03-12"))
            #expect($0.changes("1") == "2027-03-13")
        }
    }

    @Test func `is eligible until a later day has a task of its own`() {
        Scenario.opened(.sample(), .sample("2", due: "2027-03-08")).then { #expect($0.changes("1") == "2027-03-08") }
    }

    @Test func `is eligible late if today has no task`() {
        Scenario.opened().having(.lookAtClock, on: "2027-03-12").then {
            #expect($0.standing("1") == .eligible(late: true, through: "2027-03-12"))
            #expect($0.changes("1") == "2027-03-13")
        }
    }

    @Test func `is missed after its grace is over`() {
        Scenario.opened().having(.lookAtClock, on: "2027-03-13").then {
            #expect($0.standing("1") == .missed(after: "2027-03-12"))
            #expect($0.changes("1") == nil)
        }
    }

    @Test func `is locked behind today's task while it is late`() {
        Scenario.opened(.sample(), Self.second).having(.lookAtClock, on: "2027-03-06").then {
            #expect($0.standing("1") == .locked(.behind("2", through: "2027-03-12")))
            #expect($0.standing("2") == .eligible(late: false, through: "2027-03-13"))
        }
    }

    @Test func `is eligible again before a newer late task`() {
        Scenario.opened(.sample(), Self.second).having(.lookAtClock, on: "2027-03-06").then {
            #expect($0.changes("1") == "2027-03-07")
            #expect($0.changes("2") == "2027-03-07")
        }
        .having(.lookAtClock, on: "2027-03-07").then {
            #expect($0.standing("1") == .eligible(late: true, through: "2027-03-12"))
            #expect($0.standing("2") == .locked(.behind("1", through: "2027-03-13")))
            #expect($0.changes("2") == "2027-03-13")
        }
    }

    @Test func `is locked until it is missed, if every day has a task of its own`() {
        let days = (0...9).map { Happening.assigned(.sample("\($0)", due: "2027-03-05" + $0)) }
        Scenario.given(days + [.dayBegan("2027-03-06")]).then {
            #expect($0.standing("0") == .locked(.behind("1", through: "2027-03-12")))
            #expect($0.changes("0") == "2027-03-13")
        }
    }

    @Test func `of two on one day is eligible for the first in the schedule`() {
        let two = Assignment.sample("0", position: 1)
        Scenario.opened(.sample(), two).then {
            #expect($0.standing("1") == .eligible(late: false, through: "2027-03-12"))
            #expect($0.standing("0") == .locked(.behind("1", through: "2027-03-12")))
            #expect($0.changes("0") == "2027-03-13")
        }
        .having(.lookAtClock, on: "2027-03-06").then {
            #expect($0.standing("1") == .eligible(late: true, through: "2027-03-12"))
            #expect($0.standing("0") == .locked(.behind("1", through: "2027-03-12")))
        }
    }

    @Test(
        arguments: [
            (.begun(), .exercise), (.guided, .exercise), (.waiting, .waiting), (.inSession, .session),
            (.atTheMood, .mood),
        ] as [(Scenario, Stage)])
    func `is in progress, in one of four stages, until the flow is set aside`(scenario: Scenario, stage: Stage) {
        #expect(scenario.standing("1") == .inProgress(stage))
        #expect(scenario.changes("1") == "2027-03-07")
    }

    @Test func `is locked while another is in progress`() {
        Scenario.begun(.sample(), .sample("2", position: 1)).then {
            #expect($0.standing("2") == .locked(.behind("1", through: "2027-03-12")))
        }
    }

    @Test func `is locked while another is in progress, until that is set aside and missed`() {
        Scenario.begun(.sample(), .sample("2", due: "2027-03-06"), by: Settings(graceDays: 3))
            .having(.lookAtClock, on: "2027-03-06")
            .then {
                #expect($0.standing("2") == .locked(.behind("1", through: "2027-03-09")))
                #expect($0.changes("2") == "2027-03-09")
            }
    }

    @Test func `is eligible when a missed one in progress is set aside`() {
        Scenario.begun(.sample("old", due: "2027-03-04"), .sample("2", due: "2027-03-06"), by: Settings(graceDays: 1))
            .having(.lookAtClock, on: "2027-03-06")
            .then {
                #expect($0.standing("2") == .locked(.behind("old", through: "2027-03-07")))
                #expect($0.changes("2") == "2027-03-07")
            }
            .having(.lookAtClock, on: "2027-03-07")
            .then { #expect($0.standing("2") == .eligible(late: true, through: "2027-03-07")) }
    }

    @Test func `is locked behind today's flow, until that is set aside`() {
        Scenario.begun(.sample(), .sample("old", due: "2027-03-04"))
            .then {
                #expect($0.standing("old") == .locked(.behind("1", through: "2027-03-11")))
                #expect($0.changes("old") == "2027-03-07")
            }
    }

    @Test func `stays completed on its day, with its mood`() {
        Scenario.completed.then {
            #expect($0.standing("1") == .completed(on: "2027-03-05", mood: "calm"))
            #expect($0.changes("1") == nil)
        }
        .having(.lookAtClock, on: "2028-03-05")
        .then { #expect($0.standing("1") == .completed(on: "2027-03-05", mood: "calm")) }
    }

    @Test(
        arguments: [
            (0, "2027-03-05", .eligible(late: false, through: "2027-03-05")),
            (0, "2027-03-06", .missed(after: "2027-03-05")),
            (1, "2027-03-06", .eligible(late: true, through: "2027-03-06")),
            (1, "2027-03-07", .missed(after: "2027-03-06")),
            (7, "2027-03-12", .eligible(late: true, through: "2027-03-12")),
            (7, "2027-03-13", .missed(after: "2027-03-12")),
            (365, "2028-03-04", .eligible(late: true, through: "2028-03-04")),
            (365, "2028-03-05", .missed(after: "2028-03-04")),
        ] as [(Int, CalendarDay, Standing)])
    func `follows the configured days of grace`(grace: Int, day: CalendarDay, standing: Standing) {
        Scenario.opened(by: Settings(graceDays: grace)).having(.lookAtClock, on: day)
            .then { #expect($0.standing("1") == standing) }
    }

    @Test func `is eligible on the last day of the calendar`() {
        Scenario.given(.assigned(.sample(due: "9999-12-31")), .dayBegan("9999-12-31"))
            .then { #expect($0.standing("1") == .eligible(late: false, through: "9999-12-31")) }
            .when(.lookAtClock, then: Happening.opens(.sample(due: "9999-12-31"), on: "9999-12-31"))
    }
}

@Suite struct `The eligible assignment` {
    @Test func `is today's, before any late one`() {
        Scenario.opened(.sample("old", due: "2027-03-04"), .sample()).then {
            #expect($0.plan.eligible(by: $0.rules.settings) == .sample())
        }
    }

    @Test func `is the oldest late one if today has none`() {
        Scenario.opened(.sample("old", due: "2027-03-03"), .sample("older", due: "2027-03-02")).then {
            #expect($0.plan.eligible(by: $0.rules.settings) == .sample("older", due: "2027-03-02"))
        }
    }

    @Test func `is the late one once today's is completed`() {
        let old = Assignment.sample("old", due: "2027-03-04")
        Scenario.given(.assigned(old), .dayBegan("2027-03-04")).having(.lookAtClock)
            .having(.take(.sample("old", due: "2027-03-04"), .sample("1")))
            .having(.online(), on: "2027-03-05", at: "08:00")
            .having(.start(nil)).having(.leave)
            .when(
                .logMood("calm"),
                then: [
                    .moodLogged("1", "calm"), .completed("1", on: "2027-03-05"),
                    .reminds("2027-03-05/completed/1", .sample()),
                ]
            )
            .then { #expect($0.plan.eligible(by: $0.rules.settings) == old) }
    }

    @Test func `is none while one is in progress, and none if nothing is to be done`() {
        #expect(Scenario.begun().plan.eligible(by: Settings()) == nil)
        #expect(Scenario.completed.plan.eligible(by: Settings()) == nil)
        #expect(Scenario().plan.eligible(by: Settings()) == nil)
    }

    @Test func `is the second of a day once the first is completed`() {
        let second = Assignment.sample("2", position: 1)
        Scenario.opened(.sample(), second)
            .having(.online(), at: "08:00").having(.start(nil)).having(.leave)
            .when(
                .logMood("tired"),
                then: [
                    .moodLogged("1", "tired"), .completed("1", on: "2027-03-05"),
                    .reminds("2027-03-05/completed/1", .sample()),
                ] + Happening.opens(second, on: "2027-03-05"))
    }
}
