import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

@Suite struct `The rules refuse` {
    @Test func `to start what is locked until its day`() {
        Scenario.opened(.sample(), .sample("2", due: "2027-03-06"))
            .when(.start("2"), refused: .locked("2", until: "2027-03-06"))
        Scenario.begun(.sample(), .sample("2", due: "2027-03-06"))
            .when(.start("2"), refused: .locked("2", until: "2027-03-06"))
    }

    @Test func `to start what its day will not open, since another one of that day comes first`() {
        Scenario.opened(.sample(), .sample("2", due: "2027-03-06"), .sample("3", due: "2027-03-06", position: 2)).when(
            .start("3"),
            refused: .notEligible("3", eligible: "1", reason: .locked(.afterAnother("2", on: "2027-03-06"))))
    }

    @Test func `to start what is behind another`() {
        Scenario.opened(.sample(), .sample("2", position: 1)).when(
            .start("2"),
            refused: .notEligible("2", eligible: "1", reason: .locked(.behind("1", through: "2027-03-12"))))
    }

    @Test func `to start what is behind the one in progress`() {
        Scenario.begun(.sample(), .sample("2", position: 1)).when(
            .start("2"),
            refused: .notEligible("2", eligible: "1", reason: .locked(.behind("1", through: "2027-03-12"))))
    }

    @Test func `to start what is missed`() {
        Scenario.opened()
            .when(
                .start("1"), on: "2027-03-13",
                refused: .notEligible("1", eligible: nil, reason: .missed(after: "2027-03-12"))
            )
            .when(.start(nil), refused: .nothingEligible(next: nil))
    }

    @Test func `to start what is completed`() {
        Scenario.completed.when(.start("1"), refused: .alreadyCompleted("1", on: "2027-03-05"))
        Scenario.completed.when(
            .start("1"), on: "2027-03-20", refused: .alreadyCompleted("1", on: "2027-03-05"))
    }

    @Test func `to start what there is not, whatever else is open`() {
        Scenario.opened().when(.start("9"), refused: .noSuchAssignment("9"))
        Scenario.begun().when(.start("9"), refused: .noSuchAssignment("9"))
        Scenario.completed.when(.start("9"), refused: .noSuchAssignment("9"))
        Scenario().when(.start("9"), refused: .noSuchAssignment("9"))
    }

    @Test func `to start where nothing is eligible, and say when something is`() {
        Scenario().when(.start(nil), refused: .nothingEligible(next: nil))
        Scenario.given(.assigned(.sample()), .dayBegan("2027-03-04"))
            .when(.start(nil), refused: .nothingEligible(next: "2027-03-05"))
    }

    static let all: [Stage] = [.exercise, .waiting, .session, .mood]
    static let needs: [(Command, [Stage])] = [
        (.breathe, [.exercise]), (.pause, [.exercise]), (.resume, [.exercise]), (.restart, [.exercise]),
        (.join, [.exercise, .waiting]), (.leave, [.session]), (.logMood("calm"), [.waiting, .mood]),
        (.cancel, [.exercise, .waiting, .mood]),
    ]

    @Test(arguments: needs)
    func `what belongs to another stage, or to a flow`(command: Command, stages: [Stage]) {
        Scenario.opened().when(command, refused: .noFlow)
        Scenario.completed.when(command, refused: .noFlow)
        let flows: [Scenario] = [.guided.having(.online()), .waiting.having(.online()), .inSession, .atTheMood]
        for (stage, scenario) in zip(Self.all, flows) {
            if stages.contains(stage) {
                _ = scenario.having(command)
            } else {
                scenario.when(command, refused: .wrongStage(stage, allowed: stages))
            }
        }
    }

    @Test func `to resume with nobody who is led`() {
        Scenario.begun().when(.resume, refused: .notGuided)
    }

    @Test func `to join a provider who is not there`() {
        Scenario.guided.when(.join, refused: .providerUnavailable)
        Scenario.waiting.when(.join, refused: .providerUnavailable)
        Scenario.waiting.having(.online()).having(.offline).when(.join, refused: .providerUnavailable)
        Scenario.waiting.having(.online(.seconds(60))).when(.join, after: .seconds(60), refused: .providerUnavailable)
    }

    @Test(arguments: [.waiting, .atTheMood] as [Scenario])
    func `a mood that is none of its own`(scenario: Scenario) {
        scenario.when(.logMood("angry"), refused: .moodNotOffered(["calm", "tired", "hopeful"]))
            .when(.logMood("calm "), refused: .moodNotOffered(["calm", "tired", "hopeful"]))
            .when(.logMood(""), refused: .moodNotOffered(["calm", "tired", "hopeful"]))
    }

    @Test func `a second mood, whether it is offered or not`() {
        let logged = Scenario.waiting.having(.logMood("calm"))
        logged.when(.logMood("tired"), refused: .moodAlreadyLogged)
        logged.when(.logMood("calm"), refused: .moodAlreadyLogged)
        logged.when(.logMood("angry"), refused: .moodAlreadyLogged)
    }

    @Test func `what the clock has just made too late`() {
        Scenario.guided.when(
            .pause, after: .seconds(50), refused: .wrongStage(.waiting, allowed: [.exercise]))
        Scenario.begun().when(.breathe, on: "2027-03-07", refused: .noFlow)
    }
}
