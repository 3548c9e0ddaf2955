import DaybreakInterfaces
import Foundation
import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkDaemon

@Suite struct ViewsTests {
    private func expectAssignment(_ id: String, of plan: Plan, _ expected: String) throws {
        let settings = Settings()
        let assignment = try #require(plan.agenda[AssignmentID(stringLiteral: id)])
        let standing = plan.standing(of: assignment, eligible: plan.eligible(by: settings), by: settings)
        let changes = plan.standingChanges(of: assignment, standing, by: settings)
        let shown = Homework.Assignment(
            assignment, standing: standing, changes: changes, in: plan, by: settings, .fixed)
        let text = try pretty(shown)
        #expect(text == expected)
    }

    @Test func `an untouched task has its schedule and its state`() throws {
        try expectAssignment(
            "next", of: .morning(),
            """
            {
              "breaths" : 6,
              "breathsDone" : 0,
              "cause" : {
                "day" : "2027-03-06",
                "kind" : "beforeItsDay"
              },
              "changesAt" : "2027-03-06T00:00:00+01:00",
              "due" : "2027-03-06",
              "id" : "next",
              "moods" : [
                "calm",
                "tired"
              ],
              "pattern" : {
                "exhale" : 6,
                "hold" : 0,
                "inhale" : 4,
                "rest" : 0
              },
              "reason" : "It unlocks when Saturday 6 March 2027 begins.",
              "state" : "locked"
            }
            """)
    }

    @Test func `a task behind another one names it`() throws {
        try expectAssignment(
            "2", of: .morning(),
            """
            {
              "breaths" : 5,
              "breathsDone" : 0,
              "cause" : {
                "day" : "2027-03-12",
                "first" : "1",
                "kind" : "behindAnother"
              },
              "changesAt" : "2027-03-13T00:00:00+01:00",
              "due" : "2027-03-05",
              "id" : "2",
              "moods" : [
                "calm",
                "tired"
              ],
              "pattern" : {
                "exhale" : 6,
                "hold" : 0,
                "inhale" : 4,
                "rest" : 0
              },
              "reason" : "Task 1 comes first; this one can be done through Friday 12 March 2027.",
              "state" : "locked"
            }
            """)
    }

    @Test func `a task in progress has the time of its start`() throws {
        try expectAssignment(
            "1", of: .morning((.at("2027-03-05", 600), .started("1", .calm))),
            """
            {
              "breaths" : 4,
              "breathsDone" : 0,
              "cause" : {
                "kind" : "inProgress",
                "stage" : "exercise"
              },
              "changesAt" : "2027-03-07T00:00:00+01:00",
              "due" : "2027-03-05",
              "id" : "1",
              "moods" : [
                "calm",
                "tired"
              ],
              "pattern" : {
                "exhale" : 6,
                "hold" : 0,
                "inhale" : 4,
                "rest" : 0
              },
              "reason" : "It is in progress: the breathing comes next.",
              "startedAt" : "2027-03-05T10:00:00+01:00",
              "state" : "inProgress"
            }
            """)
    }

    @Test func `a completed task has its day and its mood`() throws {
        let start = Moment.at("2027-03-05", 1_435)
        let end = Moment.at("2027-03-06", 5)
        let completed = Plan.morning(
            (start, .started("1", .calm)), (start, .joined("1")), (end, .dayBegan("2027-03-06")),
            (end, .left("1")), (end, .moodLogged("1", Mood("calm"))),
            (end, .completed("1", on: "2027-03-06")))
        try expectAssignment(
            "1", of: completed,
            """
            {
              "breaths" : 4,
              "breathsDone" : 0,
              "cause" : {
                "day" : "2027-03-06",
                "kind" : "completed"
              },
              "completedAt" : "2027-03-06T00:05:00+01:00",
              "completedOn" : "2027-03-06",
              "due" : "2027-03-05",
              "id" : "1",
              "mood" : "calm",
              "moodOn" : "2027-03-06",
              "moods" : [
                "calm",
                "tired"
              ],
              "pattern" : {
                "exhale" : 6,
                "hold" : 0,
                "inhale" : 4,
                "rest" : 0
              },
              "reason" : "It was completed on Saturday 6 March 2027.",
              "startedAt" : "2027-03-05T23:55:00+01:00",
              "state" : "completed"
            }
            """)
    }

    // MARK: The rest

    @Test(arguments: [
        (Standing.locked(.untilItsDay("2027-03-05")), Homework.State.locked),
        (.locked(.afterAnother("1", on: "2027-03-05")), .locked),
        (.locked(.behind("1", through: "2027-03-05")), .locked),
        (.eligible(late: true, through: "2027-03-05"), .eligible), (.inProgress(.mood), .inProgress),
        (.completed(on: "2027-03-05", mood: nil), .completed), (.missed(after: "2027-03-05"), .missed),
    ])
    func `every standing has its state`(standing: Standing, state: Homework.State) {
        #expect(Homework.State(standing) == state)
    }

    @Test func `the interface spells stages as the rules do`() {
        #expect(Stage.allCases.map { Homework.Stage($0).rawValue } == Stage.allCases.map(\.rawValue))
    }

    @Test(arguments: [
        (Stage.exercise, [Happening](), true), (.waiting, [.exerciseFinished("1")], true),
        (.session, [.joined("1")], false), (.mood, [.joined("1"), .left("1")], false),
    ])
    func `mayJoin is true in the exercise and the wait room`(stage: Stage, way: [Happening], mayJoin: Bool) throws {
        let moment = Moment.at("2027-03-05", 600)
        let online = Presence(online: true, name: nil, since: moment.instant, until: moment.dayEnds)
        let begun = [.dayBegan("2027-03-05"), .assigned(Plan.morningTasks[1]), .started("1", .calm)] + way
        for told in [true, false] {
            let plan = Plan((begun + (told ? [.presenceTold(online)] : [])).map { (moment, $0) })
            let outlook = Rules().outlook(plan, at: moment)
            let flow = try #require(Homework.Flow(outlook, of: plan, .fixed))
            #expect(flow.stage == Homework.Stage(stage))
            #expect(flow.mayJoin == (told && mayJoin))
        }
    }

    @Test func `a reminder has its text, and only the task's id`() throws {
        let reminder = Reminder(
            id: "2027-03-05/missed/late", kind: .missed, assignment: "late", due: "2027-03-03", count: 2)
        let shown = Homework.Reminder(reminder, at: Moment.at("2027-03-05").instant, .fixed)
        let text = try pretty(shown)
        #expect(
            text == """
                {
                  "assignment" : "late",
                  "at" : "2027-03-05T00:00:00+01:00",
                  "id" : "2027-03-05/missed/late",
                  "kind" : "missed",
                  "message" : "2 tasks can no longer be done: their days are over. `daybreak list --missed` shows which."
                }
                """)
    }

    @Test func `an import's reply has the five numbers of the change`() {
        let change = ScheduleChange(added: 1, changed: 2, withdrawn: 3, unchanged: 4, kept: 5)
        let reply = Homework.Import.Reply(change)
        #expect(reply == Homework.Import.Reply(added: 1, changed: 2, withdrawn: 3, unchanged: 4, kept: 5))
    }
}
