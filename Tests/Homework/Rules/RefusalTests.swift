import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

@Suite struct `The rules refuse` {
    @Test func `to start a task before its day`() {
        Scenario.opened(.sample(), .sample("2", due: "2027-03-06"))
            .when(.start("2"), refused: .locked("2", until: "2027-03-06"))
        // The day alone does not open it while another is in progress.
        Scenario.begun(.sample(), .sample("2", due: "2027-03-06")).when(
            .start("2"),
            refused: .notEligible("2", eligible: "1", reason: .locked(.behind("1", through: "2027-03-13"))))
    }

    @Test func `to start a task that is second on a later day`() {
        Scenario.opened(.sample(), .sample("2", due: "2027-03-06"), .sample("3", due: "2027-03-06", position: 2)).when(
            .start("3"),
            refused: .notEligible("3", eligible: "1", reason: .locked(.afterAnother("2", on: "2027-03-06"))))
    }

    @Test func `to start a task that another one comes before`() {
        Scenario.opened(.sample(), .sample("2", position: 1)).when(
            .start("2"),
            refused: .notEligible("2", eligible: "1", reason: .locked(.behind("1", through: "2027-03-12"))))
    }

    @Test func `to start a second task while one is in progress`() {
        Scenario.begun(.sample(), .sample("2", position: 1)).when(
            .start("2"),
            refused: .notEligible("2", eligible: "1", reason: .locked(.behind("1", through: "2027-03-12"))))
    }

    @Test func `to start a missed task`() {
        Scenario.opened()
            .when(
                .start("1"), on: "2027-03-13",
                refused: .notEligible("1", eligible: nil, reason: .missed(after: "2027-03-12"))
            )
            .when(.start(nil), refused: .nothingEligible(next: nil))
    }

    @Test func `to start a completed task`() {
        Scenario.completed.when(.start("1"), refused: .alreadyCompleted("1", on: "2027-03-05"))
        Scenario.completed.when(
            .start("1"), on: "2027-03-20", refused: .alreadyCompleted("1", on: "2027-03-05"))
    }

    @Test func `to start an unknown task`() {
        Scenario.opened().when(.start("9"), refused: .noSuchAssignment("9"))
        Scenario.begun().when(.start("9"), refused: .noSuchAssignment("9"))
        Scenario.completed.when(.start("9"), refused: .noSuchAssignment("9"))
        Scenario().when(.start("9"), refused: .noSuchAssignment("9"))
    }

    @Test func `to start when nothing is eligible, and name the next day with a task`() {
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
    func `a command of another stage, or one that needs a flow`(command: Command, stages: [Stage]) {
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

    @Test func `to resume without a guide`() {
        Scenario.begun().when(.resume, refused: .notGuided)
    }

    @Test func `to join a provider who is not available`() {
        Scenario.guided.when(.join, refused: .providerUnavailable)
        Scenario.waiting.when(.join, refused: .providerUnavailable)
        Scenario.waiting.having(.online()).having(.offline).when(.join, refused: .providerUnavailable)
        Scenario.waiting.having(.online(.seconds(60))).when(.join, after: .seconds(60), refused: .providerUnavailable)
    }

    @Test(arguments: [.waiting, .atTheMood] as [Scenario])
    func `a mood that is not one of the choices`(scenario: Scenario) {
        scenario.when(.logMood("angry"), refused: .moodNotOffered(["calm", "tired", "hopeful"]))
            .when(.logMood("calm "), refused: .moodNotOffered(["calm", "tired", "hopeful"]))
            .when(.logMood(""), refused: .moodNotOffered(["calm", "tired", "hopeful"]))
    }

    @Test func `a second mood`() {
        let logged = Scenario.waiting.having(.logMood("calm"))
        logged.when(.logMood("tired"), refused: .moodAlreadyLogged)
        logged.when(.logMood("calm"), refused: .moodAlreadyLogged)
        logged.when(.logMood("angry"), refused: .moodAlreadyLogged)
    }

    @Test func `a command that the clock has just made too late`() {
        Scenario.guided.when(
            .pause, after: .seconds(50), refused: .wrongStage(.waiting, allowed: [.exercise]))
        Scenario.begun().when(.breathe, on: "2027-03-07", refused: .noFlow)
    }
}
