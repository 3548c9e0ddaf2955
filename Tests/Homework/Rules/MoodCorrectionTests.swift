import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

@Suite struct `A mood` {
    @Test(arguments: ["calm", "Calm", "CALM"]) func `is logged in the spelling of the choice`(word: String) {
        Scenario.waiting.when(.logMood(Mood(word)), then: [.moodLogged("1", "calm")])
    }

    @Test func `needs its capitals if two choices differ only in them`() {
        let scenario = Scenario.begun(.sample(moods: ["Calm", "calm"])).having(.online()).having(.join).having(.leave)
        scenario.when(.logMood("CALM"), refused: .moodNotOffered(["Calm", "calm"]))
        scenario.when(
            .logMood("Calm"),
            then: [
                .moodLogged("1", "Calm"), .completed("1", on: "2027-03-05"),
                .reminds("2027-03-05/completed/1", .sample()),
            ])
    }

    @Test func `can be corrected once the task is completed, and the first mood stays in the history`() {
        let corrected = Scenario.completed
            .when(.correctMood("tired", of: nil), then: [.moodCorrected("1", "tired")])
            .when(
                .correctMood("Hopeful", of: "1"), on: "2027-03-20",
                then: [.dayBegan("2027-03-20"), .moodCorrected("1", "hopeful")])
        #expect(corrected.plan.progress["1"]?.mood == "hopeful")
        #expect(corrected.standing("1") == .completed(on: "2027-03-05", mood: "hopeful"))
        #expect(corrected.history.contains { $0.what == .moodLogged("1", "calm") })
    }

    @Test func `is corrected where it was logged last, also in a task that was cancelled`() {
        let cancelled = Scenario.opened(.sample(), .sample("2")).having(.online(), at: "08:00").having(.start(nil))
            .having(.leave, at: "08:10").having(.logMood("calm")).having(.offline, at: "08:11").having(.start(nil))
            .having(.breathe).having(.lookAtClock, after: .seconds(50)).having(.logMood("tired")).having(.cancel)
        #expect(cancelled.plan.flow == nil && cancelled.plan.completedLast == "1")
        cancelled.when(.correctMood("hopeful", of: nil), then: [.moodCorrected("2", "hopeful")])
    }

    @Test func `has the day on which it was logged`() {
        let logged = Scenario.waiting.having(.logMood("calm"), at: "23:58").having(.online(), at: "23:59").having(.join)
        let left = logged.having(.leave, on: "2027-03-06", at: "00:01")
        #expect(left.plan.progress["1"]?.completedOn == "2027-03-06")
        #expect(left.plan.progress["1"]?.moodOn == "2027-03-05")
    }

    @Test func `is not corrected to itself`() {
        Scenario.completed.when(.correctMood("calm", of: nil), then: [])
    }

    @Test func `is corrected already in the wait room, and the task is completed with the corrected one`() {
        let corrected = Scenario.waiting.having(.logMood("calm"))
            .when(.correctMood("tired", of: nil), then: [.moodCorrected("1", "tired")])
        #expect(corrected.plan.progress["1"]?.mood == "tired")
        Scenario.waiting.having(.logMood("calm")).when(.correctMood("calm", of: "1"), then: [])
    }

    @Test func `that was erased in the wait room can be corrected there`() {
        let past = Scenario.waiting.having(.logMood("calm")).history.map(\.what)
        Scenario.given(past + [.erased("1")]).when(.correctMood("tired", of: "1"), then: [.moodCorrected("1", "tired")])
    }

    @Test func `is only corrected to a choice of a task that exists and has a mood`() {
        Scenario.completed.when(.correctMood("glad", of: nil), refused: .moodNotOffered(["calm", "tired", "hopeful"]))
        Scenario.completed.when(.correctMood("calm", of: "2"), refused: .noSuchAssignment("2"))
        Scenario.atTheMood.when(.correctMood("calm", of: "1"), refused: .notCompleted("1"))
        Scenario.atTheMood.when(.correctMood("calm", of: nil), refused: .notCompleted(nil))
    }

    @Test func `of a task in progress is not corrected in the mood of an earlier task`() {
        let second = Scenario.opened(.sample(), .sample("2")).having(.online(), at: "08:00").having(.start(nil))
            .having(.leave, at: "08:10").having(.logMood("calm")).having(.offline, at: "08:11")
            .having(.start(nil)).having(.breathe).having(.lookAtClock, after: .seconds(50))
        second.when(.correctMood("tired", of: nil), then: [.moodCorrected("1", "tired")])
        second.having(.logMood("calm")).when(.correctMood("tired", of: nil), then: [.moodCorrected("2", "tired")])
    }
}
