import DaybreakInterfaces
import Testing
import Time

@testable import Companion
@testable import DaybreakCompanion

/// The last page claims no more than happened, and names the next task.
@Suite struct `The completed page` {
    static func lines(_ assignment: Homework.Assignment, _ status: Homework.Status) -> [String] {
        var walk = Walk(status: status, assignment: assignment)
        walk.page = .completed
        return Wording.Guided.paragraphs(walk)
    }

    @Test(arguments: [
        (5, "Today's task is done: 5 breaths."), (0, "Today's task is done."),
        (2, "Today's task is done: 2 of 5 breaths."),
    ])
    func `counts the finished breaths`(drawn: Int, line: String) {
        var assignment = Sample.assignment("completed")
        assignment.breathsDone = drawn
        #expect(Self.lines(assignment, Sample.status()) == [line, "The next one unlocks tomorrow at 00:00."])
    }

    @Test func `tells the practice's news, and so does the wait room`() {
        var status = Sample.status(Sample.flow("waiting"))
        status.news = Homework.News(unreadMail: 1, urgentMail: 0, unreadChat: 2, surveysDue: 0, broadcasts: 1)
        let news =
            "From your practice: 1 unread letter: `daybreak mail` · 2 unread messages: `daybreak chat` · "
            + "1 announcement: `daybreak announcements`"
        #expect(Self.lines(Sample.assignment("completed"), status).last == news)
        var walk = Walk(status: status, assignment: Sample.assignment("inProgress"))
        #expect(walk.page == .waitRoom && Wording.Guided.paragraphs(walk).last == news)
        status.news = nil
        _ = walk.take(.status(status))
        #expect(walk.status.news == nil)
    }

    @Test func `announcements stand in the wait room with their texts, and a key takes them away`() throws {
        var status = Sample.status(Sample.flow("waiting"))
        status.news = Homework.News(unreadMail: 0, urgentMail: 0, unreadChat: 0, surveysDue: 0, broadcasts: 1)
        var walk = Walk(status: status, assignment: Sample.assignment("inProgress"))
        #expect(walk.firstActions == [.call(.notes), .call(.announcements)])
        #expect(walk.hints.allSatisfy { $0.key != "a" } && walk.press(.character("a")) == [])
        func announcement(_ id: String, _ text: String, dismissable: Bool = true) -> Link.Announcement {
            Link.Announcement(id: id, revision: 1, text: text, dismissable: dismissable, important: id == "b2")
        }
        func hear(_ announcements: Link.Announcement...) -> [Walk.Action] {
            walk.take(.answered(.announcements, .announcements(.init(announcements: announcements)), at: 0))
        }
        let fixed = announcement("b3", "Read\nthis.", dismissable: false)
        _ = hear(fixed, announcement("b2", "Closed."), announcement("b1", String(repeating: "a", count: 200)))
        #expect(
            Wording.Guided.paragraphs(walk).last
                == "Your practice announces: “Read this.” · “Important: Closed.” · and 1 more: `daybreak announcements`"
        )
        #expect(walk.hints.contains(KeyHint.of(.dismiss)))
        #expect(walk.press(.character("a")) == [.call(.dismiss("b2"))])
        #expect(walk.take(.answered(.dismiss("b2"), .dismissed, at: 1)) == [] && walk.daemon == .ready)
        #expect(walk.notice == "The announcement is shown no more.")
        _ = hear(fixed)
        #expect(walk.hints.allSatisfy { $0.key != "a" } && walk.press(.character("a")) == [])
        _ = hear()
        #expect(Wording.Guided.paragraphs(walk).allSatisfy { !$0.contains("announce") })
        // An older daemon counts them only.
        walk.announced = nil
        #expect(walk.take(.refused(.announcements, "No such method.")) == [] && walk.notice == nil)
        #expect(Wording.Guided.paragraphs(walk).last == "From your practice: 1 announcement: `daybreak announcements`")
    }

    @Test func `announcements that come later are asked for`() {
        var status = Sample.status(Sample.flow("waiting"))
        var walk = Walk(status: status, assignment: Sample.assignment("inProgress"))
        #expect(walk.firstActions == [.call(.notes)])
        status.news = Homework.News(unreadMail: 0, urgentMail: 0, unreadChat: 0, surveysDue: 0, broadcasts: 1)
        #expect(walk.take(.status(status)) == [.call(.announcements)])
        #expect(walk.take(.status(status)) == [])
    }

    @Test func `a daemon may tell any number of announcements and surveys`() {
        var status = Sample.status(Sample.flow("waiting"))
        status.news = Homework.News(unreadMail: 0, urgentMail: 0, unreadChat: 0, surveysDue: .max, broadcasts: .max)
        let walk = Walk(status: status, assignment: Sample.assignment("inProgress"))
        #expect(walk.firstActions == [.call(.notes), .call(.announcements)])
    }

    @Test func `a survey stands in the wait room with the end of its days`() {
        var status = Sample.status(Sample.flow("waiting"))
        status.news = Homework.News(unreadMail: 0, urgentMail: 0, unreadChat: 0, surveysDue: 1, broadcasts: 0)
        var walk = Walk(status: status, assignment: Sample.assignment("inProgress"))
        #expect(walk.firstActions == [.call(.notes), .call(.announcements)])
        #expect(Wording.Guided.paragraphs(walk).last == "From your practice: 1 survey to answer: `daybreak survey`")
        let surveys = [
            Link.SurveyDays(id: "v1", opens: "2026-11-20T00:00:00+01:00", closes: "2026-11-23T00:00:00+01:00")
        ]
        _ = walk.take(.answered(.announcements, .announcements(.init(surveys: surveys)), at: 0))
        #expect(
            Wording.Guided.paragraphs(walk).last
                == "From your practice: 1 survey to answer, until the end of Sunday 22 November: `daybreak survey`")
    }

    @Test func `says that the day goes on, if it begins after midnight`() {
        var status = Sample.status()
        (status.dayEnds, status.nextUnlock) = ("2026-11-21T04:00:00+01:00", "2026-11-21T04:00:00+01:00")
        var walk = Walk(status: status, assignment: Sample.assignment("completed"))
        walk.wall = CalendarDay("2026-11-21")
        #expect(
            Wording.Guided.paragraphs(walk).last == "It is still Friday 20 November 2026; Saturday begins at 04:00.")
        walk.page = .completed
        #expect(
            Wording.Guided.paragraphs(walk) == [
                "Today's task is done: 5 breaths.", "It is still Friday 20 November 2026; Saturday begins at 04:00.",
                "The next one unlocks tomorrow at 04:00.",
            ])
    }

    @Test func `names the day of a flow that was finished after midnight`() {
        var assignment = Sample.assignment("completed")
        assignment.completedOn = "2026-11-21"
        var status = Sample.status()
        (status.today, status.nextUnlock) = ("2026-11-21", nil)
        #expect(
            Self.lines(assignment, status) == [
                "Yesterday's task is done, on Saturday 21 November: 5 breaths.", "Nothing more is scheduled.",
            ])
    }

    @Test func `says nothing of what comes next while the status is that of before`() {
        let assignment = Sample.assignment("completed")
        var flow = Sample.flow("mood")
        flow.assignment = assignment.id
        #expect(Self.lines(assignment, Sample.status(flow)) == ["Today's task is done: 5 breaths."])
    }

    @Test func `names another task that is open already`() {
        var status = Sample.eligible(Sample.status())
        status.eligible?.id = "2026-11-18"
        #expect(
            Self.lines(Sample.assignment("completed"), status) == [
                "Today's task is done: 5 breaths.", "Another task is open now; `daybreak start` begins it.",
            ])
    }
}

@Suite struct `A schedule that is no text` {
    @Test(
        arguments: [
            ([0xff], 1, 1), (Array("[\n [5, \"é".utf8) + [0xc3], 2, 8), (Array("a\n\n".utf8) + [0x80, 0x0a], 3, 1),
        ] as [([UInt8], Int, Int)])
    func `is refused with the place of its first fault`(bytes: [UInt8], line: Int, column: Int) {
        let place = TextInput.place(ofFaultIn: bytes)
        #expect(place.line == line)
        #expect(place.column == column)
    }
}
