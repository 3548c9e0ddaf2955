import PracticeInterfaces
import Testing

@testable import Companion
@testable import DaybreakCompanion

@Suite struct CoursePageTests {
    private static func lesson(
        _ number: Int, _ title: String, minutes: Int? = nil, unlocked: Bool = true, reason: String? = nil,
        unlocksAt: String? = nil, unlocksOn: String? = nil, read: Bool = false
    ) -> Programmes.Lesson {
        Programmes.Lesson(
            id: "l\(number)", title: title, minutes: minutes, unlocked: unlocked, reason: reason, unlocksAt: unlocksAt,
            read: read, unlocksOn: unlocksOn)
    }

    private func page(
        _ lessons: [Programmes.Lesson], state: Programmes.Enrolment.State = .active, due: Int? = nil, columns: Int = 70
    ) -> String {
        let enrolment = Programmes.Enrolment(
            id: "e1", client: "p3", programme: "feet", name: "Finding your feet", state: state, since: "2027-03-01",
            until: state == .active ? nil : "2027-03-04", lessonsRead: 1, lessons: 3, surveysDue: due,
            summary: "Small steps for the first weeks.")
        return CoursePage(enrolment: enrolment, lessons: lessons, today: "2027-03-05", columns: columns, ink: .plain)
            .text
    }

    private static let three = [
        lesson(1, "First steps", read: true), lesson(2, "A short walk", minutes: 10),
        lesson(
            3, "Looking back", unlocked: false, reason: "it opens 7 days after the first day",
            unlocksAt: "2027-03-08T00:00:00+01:00"),
    ]

    @Test func `where I am, and what opens next with its reason and its moment`() {
        #expect(
            page(Self.three, due: 1) == """
                  Finding your feet
                  Small steps for the first weeks.
                  1 of 3 lessons read · since Monday 1 March
                  1 survey to answer: `daybreak survey`

                     Lesson        Time
                  1  First steps           read
                  2  A short walk  10 min  open
                  3  Looking back          locked

                  `daybreak course read` opens lesson 2.
                  Lesson 3: It opens 7 days after the first day. It opens Monday 8
                  March at 00:00.

                """)
    }

    @Test func `with several programmes the next step names this one`() {
        var enrolment = Programmes.Enrolment(
            id: "e2", client: "p3", programme: "own", name: "Own", state: .active, since: "2027-03-01", lessonsRead: 0,
            lessons: 1)
        enrolment.summary = nil
        let page = CoursePage(
            enrolment: enrolment, lessons: [Self.lesson(1, "One")], today: "2027-03-05", columns: 70, ink: .plain,
            isOnly: false)
        #expect(page.text.hasSuffix("\n  `daybreak course read --course e2` opens lesson 1.\n"))
    }

    @Test func `at 24 columns each lesson takes two lines`() {
        #expect(
            page(Self.three, columns: 24)
                == """
                  Finding your feet
                  Small steps for the
                  first weeks.
                  1 of 3 lessons read
                  since Monday 1 March

                  1  First steps
                     read
                  2  A short walk
                     time 10 min · open
                  3  Looking back
                     locked

                  `daybreak course
                  read` opens lesson 2.
                  Lesson 3: It opens 7
                  days after the first
                  day. It opens Monday
                  8 March at 00:00.

                """)
    }

    @Test func `the moment stands once, also if the reason has it`() {
        func locked(_ reason: String, _ at: String?, on day: String? = nil) -> String {
            CoursePage.locked(
                Self.lesson(1, "", unlocked: false, reason: reason, unlocksAt: at, unlocksOn: day), today: "2027-03-05")
        }
        #expect(
            locked("It unlocks on Monday 8 March 2027.", "2027-03-08T00:00:00+01:00", on: "2027-03-08")
                == "It unlocks on Monday 8 March 2027.")
        // The day is known by the fact, not by the sentence.
        #expect(
            locked("Es beginnt am 8. März.", "2027-03-08T00:00:00+01:00", on: "2027-03-08") == "Es beginnt am 8. März.")
        #expect(locked("once “One” is read", nil) == "Once “One” is read.")
        #expect(locked("later", "2027-03-06T04:00:00+01:00") == "Later. It opens tomorrow at 04:00.")
    }

    @Test func `at the end, and after it, there is nothing to open`() {
        let read = Self.three.map { Self.lesson(1, $0.title, read: true) }
        #expect(
            page(read, columns: 80).hasSuffix(
                "\n\n  You have read all lessons. `daybreak course read N` opens one again.\n"))
        #expect(page(read, state: .finished).hasSuffix("\n  3  Looking back  read\n"))
        #expect(page(read, state: .withdrawn).split(separator: "\n")[2] == "  3 of 3 lessons read · ended yesterday")
    }
}
