import Foundation
import PracticeRules
import Testing
import Time

@Suite struct `The days of surveys and lessons` {
    private func day(_ text: String) -> CalendarDay { CalendarDay(text)! }

    private func zone(_ name: String) throws -> Zone {
        try Zone(name: name, file: Array(try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)"))))
    }

    private func survey(firstDay: Int, every: Int, times: Int, open: Int) -> ProgrammeVersion.Survey {
        .init(
            id: "s", title: "S", questions: 1, firstDay: firstDay, everyDays: every, times: times, openDays: open,
            bounds: nil, text: "")
    }

    @Test func `the first day is day 1, and what is over is left out`() {
        let weekly = survey(firstDay: 2, every: 7, times: 3, open: 2)
        func all(today: String) -> [String] {
            SurveyOccurrence.all(of: weekly, since: day("2027-03-01"), today: day(today))
                .map { "\($0.number) \($0.opensOn) \($0.closesOn)" }
        }
        let third = "3 2027-03-16 2027-03-18"
        #expect(all(today: "2027-03-01") == ["1 2027-03-02 2027-03-04", "2 2027-03-09 2027-03-11", third])
        #expect(all(today: "2027-03-03").count == 3)
        #expect(all(today: "2027-03-04").count == 2)
        #expect(all(today: "2027-03-17") == [third])
        #expect(all(today: "2027-03-18") == [])
    }

    @Test(arguments: [
        // The clocks go forward: the day has 23 hours. They go back: 25. Midnight is skipped. A day is skipped whole.
        ("Europe/Madrid", "2027-03-28", 23.0), ("Europe/Madrid", "2027-10-31", 25),
        ("America/Santiago", "2026-09-06", 23),
        ("Pacific/Apia", "2011-12-30", 0), ("Pacific/Apia", "2011-12-29", 24), ("Pacific/Auckland", "2027-03-05", 24),
    ]) func `a window is as long as the client's day`(name: String, on: String, hours: Double) throws {
        let occurrence = SurveyOccurrence(number: 1, opensOn: day(on), closesOn: day(on).next)
        let window = try occurrence.window(in: zone(name))
        #expect((window.upperBound - window.lowerBound).inSeconds == hours * 3_600)
    }

    @Test func `a window is open from its first instant until before its last`() {
        let window = Instant(microseconds: 10)..<Instant(microseconds: 20)
        let states = [9, 10, 19, 20].map { SurveyWindow(window, at: Instant(microseconds: $0)) }
        #expect(states == [.upcoming, .due, .due, .missed])
    }

    private func lesson(_ id: String, days: Int = 0, after: String? = nil, survey: String? = nil)
        -> ProgrammeVersion.Lesson
    {
        .init(
            id: id, title: "Lesson \(id)", minutes: nil, afterDays: days, afterLesson: after, afterSurvey: survey,
            text: "")
    }

    private func locks(
        _ lesson: ProgrammeVersion.Lesson, today: String, read: Set<String> = [], since: Set<String> = [],
        open: Bool = false, ended: String? = nil
    ) -> String {
        let rules = Unlocking(
            since: day("2027-03-01"), today: day(today), endedOn: ended.map(day), read: read,
            readSinceEnd: since, open: open ? ["week": .init(title: "Week", closesOn: day("2027-03-09"))] : [:],
            lessons: [self.lesson("a")])
        return rules.lock(of: lesson).map { "\($0.sentence) \($0.unlocksOn.map { "\($0)" } ?? "never by itself")" }
            ?? "unlocked"
    }

    @Test func `a lesson unlocks on its day`() {
        let late = lesson("b", days: 3)
        #expect(locks(late, today: "2027-03-03") == "It unlocks on Thursday 4 March 2027. 2027-03-04")
        #expect(locks(late, today: "2027-03-04") == "unlocked")
        #expect(locks(lesson("b"), today: "2027-03-01") == "unlocked")
        // An enrolment that begins later.
        #expect(locks(lesson("b"), today: "2027-02-27") == "It unlocks on Monday 1 March 2027. 2027-03-01")
    }

    @Test func `a lesson unlocks once another one is read, or a survey is over`() {
        let after = lesson("b", days: 3, after: "a", survey: "week")
        #expect(
            locks(after, today: "2027-03-03", open: true)
                == "It unlocks on Thursday 4 March 2027, once “Lesson a” is read, and the survey “Week” is answered, or over on Tuesday 9 March 2027. never by itself"
        )
        #expect(
            locks(after, today: "2027-03-03", read: ["a"], open: true)
                == "It unlocks on Thursday 4 March 2027, once the survey “Week” is answered, or over on Tuesday 9 March 2027. 2027-03-09"
        )
        #expect(locks(after, today: "2027-03-04") == "It unlocks once “Lesson a” is read. never by itself")
        #expect(locks(after, today: "2027-03-04", read: ["a"]) == "unlocked")
    }

    @Test func `a lesson that was read stays unlocked, and nothing unlocks after the end`() {
        let late = lesson("b", days: 3)
        #expect(locks(late, today: "2027-03-01", read: ["b"]) == "unlocked")
        #expect(
            locks(late, today: "2027-03-09", ended: "2027-03-02")
                == "It was not unlocked when the enrolment ended, on Tuesday 2 March 2027. never by itself")
        #expect(locks(late, today: "2027-03-09", ended: "2027-03-04") == "unlocked")
        let after = lesson("b", after: "a")
        #expect(locks(after, today: "2027-03-09", read: ["a"], ended: "2027-03-04") == "unlocked")
        #expect(
            locks(after, today: "2027-03-09", read: ["a"], since: ["a"], ended: "2027-03-04")
                == "It was not unlocked when the enrolment ended, on Thursday 4 March 2027. never by itself")
    }
}
