import DaybreakInterfaces
import Testing

@testable import Companion
@testable import DaybreakCompanion

@Suite struct TaskTableTests {
    @Test func `at 40 columns no line is too long, and no word is broken`() {
        let reply = Homework.List.Reply(
            today: "2026-11-20",
            assignments: [
                Sample.assignment("completed", due: "2026-11-19", also: #","mood":"calm""#), Sample.assignment(),
            ], earlier: 3, later: 2)
        #expect(
            TaskTable(reply, columns: 40, wall: nil, ink: .plain).text == """
                  My tasks · Friday 20 November 2026

                    … and 3 earlier
                  ✓ Yesterday   5 breaths
                    calm
                  ● Today       5 breaths
                    open now: `daybreak start`
                    It is today's task.
                    … and 2 later

                """)
    }

    @Test func `a schedule that lies in the past is said to be over`() {
        var reply = Homework.List.Reply(
            today: "2026-11-20",
            assignments: [
                Sample.assignment("completed", due: "2026-11-18", also: #","mood":"calm""#),
                Sample.assignment("missed", due: "2026-11-19"),
            ], earlier: 3, later: 0)
        #expect(
            TaskTable(reply, isOver: reply.isOver, wall: nil, ink: .plain).text == """
                  My tasks · Friday 20 November 2026

                    … and 3 earlier
                  ✓ Wednesday 18 November   5 breaths   calm
                  – Yesterday               5 breaths   missed

                  Nothing more is scheduled.

                """)
        reply.later = 1
        #expect(!reply.isOver)
        var status = Sample.status()
        (status.eligible, status.flow, status.nextUnlock) = (nil, nil, nil)
        let line = "\n  Task      none now, and nothing more is scheduled\n"
        #expect(Wording.status(status, wall: nil, ink: .plain).contains(line))
    }

    static let reply = Homework.List.Reply(
        today: "2026-11-20",
        assignments: [
            Sample.assignment(
                "completed", due: "2026-11-16", breaths: 1, also: #","completedOn":"2026-11-16","mood":"calm""#),
            Sample.assignment("completed", due: "2026-11-17", also: #","completedOn":"2026-11-18","mood":"穏やか""#),
            Sample.assignment("missed", due: "2026-11-19"),
            Sample.assignment("eligible"),
            Sample.assignment("locked", due: "2026-11-21", also: #","changesAt":"2026-11-21T00:00:00+01:00""#),
            Sample.assignment(
                "locked", due: "2027-01-02", breaths: 10, also: #","changesAt":"2027-01-03T03:00:00+01:00""#),
        ], earlier: 35, later: 12)

    @Test func `the second task of a day is shown after the first`() {
        let second = Sample.assignment("locked", due: "2026-11-21")
        #expect(TaskTable.state(of: second, today: "2026-11-20") == "locked, after the other one of that day")
    }

    @Test func `a task that waits for the open one is locked, as the counts have it, whichever its day`() {
        for due in ["2026-11-19", "2026-11-20"] {
            let waiting = Sample.assignment("locked", due: due)
            #expect(TaskTable.state(of: waiting, today: "2026-11-20") == "locked, after the open one")
        }
    }

    @Test func `the practice's news stand under the table`() {
        let news = Homework.News(unreadMail: 2, urgentMail: 1, unreadChat: 0, surveysDue: 1, broadcasts: 1)
        let reply = Homework.List.Reply(
            today: "2026-11-20", assignments: [Sample.assignment("missed", due: "2026-11-19")], earlier: 0, later: 0,
            news: news)
        #expect(
            TaskTable(reply, columns: 60, wall: nil, ink: .plain).text == """
                  My tasks · Friday 20 November 2026

                  – Yesterday   5 breaths   missed

                  From your practice: 2 unread letters, 1 of them urgent:
                  `daybreak mail` · 1 survey to answer: `daybreak survey` ·
                  1 announcement: `daybreak announcements`

                """)
        let none = Homework.List.Reply(today: "2026-11-20", assignments: [], earlier: 0, later: 0, news: news)
        #expect(
            TaskTable(none, ink: .plain).text.hasSuffix(
                "\n\n  From your practice: \(Wording.news(news).joined(separator: " · "))\n"))
    }

    @Test func `lessons to read stand under the table`() {
        let news = Homework.News(
            unreadMail: 0, urgentMail: 0, unreadChat: 0, surveysDue: 0, broadcasts: 0, unreadLessons: 2)
        let reply = Homework.List.Reply(today: "2026-11-20", assignments: [], earlier: 0, later: 0, news: news)
        #expect(
            TaskTable(reply, ink: .plain).text.hasSuffix(
                "\n\n  From your practice: 2 lessons to read: `daybreak course`\n"))
    }

    @Test func `a survey stands under the table with the end of its days`() {
        let news = Homework.News(unreadMail: 0, urgentMail: 0, unreadChat: 0, surveysDue: 2, broadcasts: 0)
        let reply = Homework.List.Reply(today: "2026-11-20", assignments: [], earlier: 0, later: 0, news: news)
        func last(_ closes: String) -> Substring? {
            let announced = Link.Announcements.Reply(surveys: [
                .init(id: "v1", opens: "2026-11-20T00:00:00+01:00", closes: closes),
                .init(id: "v2", opens: "2026-11-20T00:00:00+01:00", closes: "2026-12-24T00:00:00+01:00"),
            ])
            return TaskTable(reply, announced: announced, wall: nil, ink: .plain).text.split(separator: "\n").last
        }
        #expect(
            last("2026-11-23T00:00:00+01:00")
                == "  From your practice: 2 surveys to answer, until the end of Sunday 22 November: `daybreak survey`")
        #expect(
            last("2026-11-20T18:00:00+01:00")
                == "  From your practice: 2 surveys to answer, until today at 18:00: `daybreak survey`")
    }

    @Test func `the practice's announcements stand under the table with their texts`() {
        let news = Homework.News(unreadMail: 1, urgentMail: 0, unreadChat: 0, surveysDue: 0, broadcasts: 3)
        let reply = Homework.List.Reply(
            today: "2026-11-20", assignments: [Sample.assignment("missed", due: "2026-11-19")], earlier: 0, later: 0,
            news: news)
        let announced = Link.Announcements.Reply(
            announcements: [
                .init(
                    id: "b2", revision: 1, text: "Closed on Monday,\nand  on\u{1B}[2J Tuesday.", dismissable: true,
                    important: true),
                .init(
                    id: "b1", revision: 1, text: (1...9).map { "Line \($0)." }.joined(separator: "\n"),
                    dismissable: false, important: false),
            ], more: 1)
        #expect(
            TaskTable(reply, announced: announced, columns: 60, wall: nil, ink: .plain).text == """
                  My tasks · Friday 20 November 2026

                  – Yesterday   5 breaths   missed

                  Your practice announces:
                  • Important: Closed on Monday,
                    and  on[2J Tuesday. (b2)
                  • Line 1.
                    Line 2.
                    Line 3.
                    Line 4.
                    Line 5.
                    Line 6.
                    …
                    `daybreak announcements` shows all of it.
                    `daybreak announcements dismiss ID` takes one away.

                  From your practice: 1 unread letter: `daybreak mail` · 1
                  more announcement: `daybreak announcements`

                """)
        let none = Link.Announcements.Reply(announcements: [])
        #expect(
            TaskTable(reply, announced: none, ink: .plain).text.hasSuffix(
                "\n\n  From your practice: 1 unread letter: `daybreak mail`\n"))
    }

    @Test func `the table is printed in plain text`() {
        #expect(
            TaskTable(Self.reply, ink: .plain).text == """
                  My tasks · Friday 20 November 2026

                    … and 35 earlier
                  ✓ Monday 16 November        1 breath     calm
                  ✓ Tuesday 17 November       5 breaths    穏やか, on Wednesday 18 November
                  – Yesterday                 5 breaths    missed
                  ● Today                     5 breaths    open now: `daybreak start`
                    It is today's task.
                  ○ Tomorrow                  5 breaths    unlocks at 00:00
                  ○ Saturday 2 January 2027   10 breaths   unlocks Sunday 3 January 2027 at 03:00
                    … and 12 later

                """)
    }

    @Test func `ids are in a column of their own`() {
        let two = Homework.List.Reply(
            today: "2026-11-20", assignments: [Self.reply.assignments[1], Self.reply.assignments[3]], earlier: 0,
            later: 0)
        #expect(
            TaskTable(two, named: true, ink: .plain).text == """
                  My tasks · Friday 20 November 2026

                  ✓ Tuesday 17 November   5 breaths   穏やか, on Wednesday 18 November   2026-11-17
                  ● Today                 5 breaths   open now: `daybreak start`         2026-11-20
                    It is today's task.

                """)
    }

    @Test func `in colour the open task stands out`() {
        let one = Homework.List.Reply(
            today: "2026-11-20", assignments: [Sample.assignment("inProgress")], earlier: 0, later: 0)
        #expect(
            TaskTable(one, ink: Ink(isOn: true)).text
                == "  \u{1B}[1mMy tasks\u{1B}[0m\u{1B}[2m · Friday 20 November 2026\u{1B}[0m\n\n"
                + "  \u{1B}[1;33m●\u{1B}[0m \u{1B}[1mToday   5 breaths   \u{1B}[0m"
                + "\u{1B}[1;33min progress: `daybreak start` goes on\u{1B}[0m\n"
                + "\u{1B}[2m    It is today's task.\u{1B}[0m\n")
    }

    @Test func `an empty list says how to import a schedule`() {
        let none = Homework.List.Reply(today: "2026-11-20", assignments: [], earlier: 0, later: 0)
        #expect(
            TaskTable(none, ink: .plain).text
                == "There are no tasks yet. `daybreak schedule import FILE` takes a schedule in.\n")
        var linked = none
        linked.fromPractice = true
        #expect(
            TaskTable(linked, ink: .plain).text
                == "There are no tasks yet. They come from your practice, once your therapist has given you some.\n")
    }

    @Test func `colour is used only on a terminal that takes it`() {
        #expect(Ink(terminal: true, environment: ["TERM": "xterm"]).isOn)
        #expect(Ink(terminal: true, environment: ["TERM": "xterm", "NO_COLOR": ""]).isOn)
        #expect(!Ink(terminal: true, environment: ["TERM": "xterm", "NO_COLOR": "1"]).isOn)
        #expect(!Ink(terminal: true, environment: ["TERM": "dumb"]).isOn)
        #expect(!Ink(terminal: true, environment: [:]).isOn)
        #expect(!Ink(terminal: false, environment: ["TERM": "xterm"]).isOn)
    }
}
