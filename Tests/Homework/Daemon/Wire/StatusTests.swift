import DaybreakInterfaces
import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkDaemon

@Suite struct StatusTests {
    private func expectStatus(of plan: Plan, at moment: Moment, problem: String? = nil, _ expected: String) throws {
        let rules = Rules()
        let status = Homework.Status(
            rules.outlook(plan, at: moment), of: plan, by: rules.settings, at: moment, problem: problem, .fixed)
        let text = try pretty(status)
        #expect(text == expected)
    }

    @Test func `a plan without a schedule has a short status`() throws {
        let moment = Moment.at("2027-03-05", 540)
        try expectStatus(
            of: Plan([(moment, .dayBegan("2027-03-05"))]), at: moment,
            """
            {
              "asOf" : "2027-03-05T09:00:00+01:00",
              "counts" : {
                "completed" : 0,
                "locked" : 0,
                "missed" : 0,
                "open" : 0
              },
              "providerOnline" : false,
              "timeZone" : "Europe/Berlin",
              "today" : "2027-03-05",
              "version" : 1
            }
            """)
    }

    @Test func `the status has the open task and the next times`() throws {
        let moment = Moment.at("2027-03-05", 540)
        try expectStatus(
            of: .morning(), at: moment, problem: "The history cannot be written.",
            """
            {
              "asOf" : "2027-03-05T09:00:00+01:00",
              "counts" : {
                "completed" : 0,
                "locked" : 3,
                "missed" : 0,
                "open" : 1
              },
              "eligible" : {
                "breaths" : 4,
                "changesAt" : "2027-03-06T00:00:00+01:00",
                "due" : "2027-03-05",
                "id" : "1",
                "reason" : "It is today's task; it can be done through Friday 12 March 2027.",
                "state" : "eligible"
              },
              "nextReminder" : "2027-03-05T18:00:00+01:00",
              "nextUnlock" : "2027-03-06T00:00:00+01:00",
              "problem" : "The history cannot be written.",
              "providerOnline" : false,
              "timeZone" : "Europe/Berlin",
              "today" : "2027-03-05",
              "version" : 1
            }
            """)
    }

    @Test func `the status has the practice's news as numbers, and nothing if there are none`() throws {
        let moment = Moment.at("2027-03-05", 540)
        let counts = NewsCounts(unreadMail: 5, urgentMail: 4, unreadChat: 3, surveysDue: 2, broadcasts: 1)
        func status(_ counts: NewsCounts) -> Homework.Status {
            let plan = Plan([
                (moment, .dayBegan("2027-03-05")), (moment, .linked(practice: "practice@clinic", device: "d")),
                (moment, .newsHeard(counts)),
            ])
            let rules = Rules()
            return Homework.Status(
                rules.outlook(plan, at: moment), of: plan, by: rules.settings, at: moment, problem: nil, .fixed)
        }
        #expect(
            status(counts).news
                == .init(unreadMail: 5, urgentMail: 4, unreadChat: 3, surveysDue: 2, broadcasts: 1))
        #expect(status(NewsCounts()).news == nil)
        var lessons = NewsCounts()
        lessons.unreadLessons = 3
        #expect(status(lessons).news?.unreadLessons == 3)
    }

    @Test func `the status has the current breath`() throws {
        let start = Moment.at("2027-03-05", 600)
        let breathing = Plan.morning(
            (start, .started("1", .calm)), (start, .breathingBegan("1")),
            (
                start,
                .presenceTold(Presence(online: true, name: "N", since: start.instant, until: .init(microseconds: .max)))
            ))
        try expectStatus(
            of: breathing, at: .at("2027-03-05", 600, seconds: 16),
            """
            {
              "asOf" : "2027-03-05T10:00:16+01:00",
              "counts" : {
                "completed" : 0,
                "locked" : 3,
                "missed" : 0,
                "open" : 1
              },
              "eligible" : {
                "breaths" : 4,
                "changesAt" : "2027-03-07T00:00:00+01:00",
                "due" : "2027-03-05",
                "id" : "1",
                "reason" : "It is in progress: the breathing comes next.",
                "state" : "inProgress"
              },
              "flow" : {
                "assignment" : "1",
                "exercise" : {
                  "breath" : 2,
                  "breaths" : 4,
                  "guided" : true,
                  "pattern" : {
                    "exhale" : 6,
                    "hold" : 0,
                    "inhale" : 4,
                    "rest" : 0
                  },
                  "paused" : false,
                  "phase" : "exhale",
                  "phaseElapsed" : 2,
                  "phaseSeconds" : 6,
                  "remainingSeconds" : 24
                },
                "mayJoin" : true,
                "moodLogged" : false,
                "since" : "2027-03-05T10:00:00+01:00",
                "stage" : "exercise"
              },
              "nextReminder" : "2027-03-05T18:00:00+01:00",
              "nextUnlock" : "2027-03-07T00:00:00+01:00",
              "providerOnline" : true,
              "timeZone" : "Europe/Berlin",
              "today" : "2027-03-05",
              "version" : 1
            }
            """)
    }

    @Test func `the status has the snooze, and that a mood was logged but not which`() throws {
        let start = Moment.at("2027-03-05", 600)
        let waiting = Plan.morning(
            (start, .started("1", .calm)), (start, .exerciseFinished("1")),
            (start, .moodLogged("1", Mood("tired"))),
            (start, .snoozed(until: Moment.at("2027-03-05", 630).instant)))
        try expectStatus(
            of: waiting, at: .at("2027-03-05", 610),
            """
            {
              "asOf" : "2027-03-05T10:10:00+01:00",
              "counts" : {
                "completed" : 0,
                "locked" : 3,
                "missed" : 0,
                "open" : 1
              },
              "eligible" : {
                "breaths" : 4,
                "changesAt" : "2027-03-07T00:00:00+01:00",
                "due" : "2027-03-05",
                "id" : "1",
                "reason" : "It is in progress: in the wait room.",
                "state" : "inProgress"
              },
              "flow" : {
                "assignment" : "1",
                "mayJoin" : false,
                "moodLogged" : true,
                "since" : "2027-03-05T10:00:00+01:00",
                "stage" : "waiting"
              },
              "nextReminder" : "2027-03-05T10:30:00+01:00",
              "nextUnlock" : "2027-03-07T00:00:00+01:00",
              "providerOnline" : false,
              "snoozedUntil" : "2027-03-05T10:30:00+01:00",
              "timeZone" : "Europe/Berlin",
              "today" : "2027-03-05",
              "version" : 1
            }
            """)
    }
}
