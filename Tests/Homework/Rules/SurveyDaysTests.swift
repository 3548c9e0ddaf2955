import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

/// The machine is in UTC, and the day is 5 March 2027.
@Suite struct `Reminders of surveys` {
    private static func days(_ id: AssignmentID, _ opens: String, _ closes: String) -> SurveyDays {
        func instant(_ text: String) -> Instant {
            let parts = text.split(separator: " ")
            guard let day = CalendarDay(String(parts[0])) else { preconditionFailure("\(text) is no time") }
            return VirtualClock.instant(day, String(parts[1]))
        }
        guard let days = SurveyDays(id: id, opens: instant(opens), closes: instant(closes)) else {
            preconditionFailure("it closes before it opens")
        }
        return days
    }

    private static let week = days("v1", "2027-03-05 09:00", "2027-03-08 09:00")

    private static func counts(_ due: Int) -> NewsCounts {
        NewsCounts(unreadMail: 0, urgentMail: 0, unreadChat: 0, surveysDue: due, broadcasts: 0)
    }

    private static func told(_ surveys: [SurveyDays], due: Int = 0) -> Command {
        .takeNews(
            PracticeNews(
                isAvailable: false, provider: nil, availableUntil: nil, counts: counts(due), surveys: surveys),
            believed: .seconds(900))
    }

    /// Without reminders of the open task.
    private static func linked(by settings: Settings = Settings(reminderMinutes: [])) -> Scenario {
        Scenario.opened(by: settings)
            .having(.link(practice: "practice@clinic", device: "d", shares: []), at: "08:00")
            .having(told([week]), at: "08:01")
    }

    @Test func `one word comes when a survey opens, and one before it closes`() {
        let look = Command.lookAtSurveys([Self.week])
        Self.linked()
            .when(look, at: "08:59", then: [])
            .when(
                look, at: "09:00",
                then: [.newsHeard(Self.counts(1)), .reminds("2027-03-05/survey/opens:v1", count: 1)]
            )
            .when(look, at: "09:01", then: [])
            .having(.lookAtClock, on: "2027-03-07", at: "08:59")
            .when(look, at: "08:59", then: [])
            .when(look, at: "09:00", then: [.reminds("2027-03-07/survey/closes:v1", count: 1)])
            .having(.lookAtClock, on: "2027-03-08", at: "08:59")
            .when(look, at: "08:59", then: [])
            .when(look, at: "09:00", then: [.newsHeard(Self.counts(0))])
    }

    @Test func `one that was missed while the machine was off brings the last word alone`() {
        let late = Self.linked().having(.lookAtClock, on: "2027-03-08", at: "08:00")
        late.when(
            .lookAtSurveys([Self.week]), at: "08:00",
            then: [.newsHeard(Self.counts(1)), .reminds("2027-03-08/survey/closes:v1", count: 1)]
        )
        .when(.lookAtSurveys([Self.week]), at: "08:30", then: [])
    }

    @Test func `surveys that open together are one word`() {
        let second = Self.days("v2", "2027-03-05 09:00", "2027-03-05 21:00")
        let look = Command.lookAtSurveys([Self.week, second])
        Self.linked()
            .when(
                look, at: "09:00",
                then: [.newsHeard(Self.counts(2)), .reminds("2027-03-05/survey/opens:v1+opens:v2", count: 2)]
            )
            .when(look, at: "14:59", then: [])
            // Of shorter days the second half is the end.
            .when(look, at: "15:00", then: [.reminds("2027-03-05/survey/closes:v2", count: 2)])
    }

    @Test func `the practice's count and clock bring no second word`() {
        Self.linked()
            .having(.lookAtSurveys([Self.week]), at: "09:00")
            .when(Self.told([Self.week], due: 0), at: "09:01", then: [])
            .when(Self.told([Self.week], due: 1), at: "09:02", then: [])
            // It was answered.
            .when(Self.told([], due: 0), at: "09:03", then: [.newsHeard(Self.counts(0))])
            // The practice was restored, and asks again.
            .when(Self.told([Self.week], due: 1), at: "09:04", then: [.newsHeard(Self.counts(1))])
    }

    @Test func `a held word is given later, unless the survey was answered meanwhile`() {
        let quiet = Settings(reminderMinutes: [], quietHours: QuietHours(from: 8 * 60, to: 10 * 60))
        let held = Self.linked(by: quiet).when(
            .lookAtSurveys([Self.week]), at: "09:00",
            then: [
                .newsHeard(Self.counts(1)),
                .held(Reminder(id: "2027-03-05/survey/opens:v1", kind: .survey, count: 1)),
            ])
        func surveys(_ scenario: Scenario) -> [String] {
            scenario.history.compactMap { event in
                if case .reminded(let reminder) = event.what, reminder.kind == .survey { reminder.id } else { nil }
            }
        }
        #expect(surveys(held.having(.lookAtClock, at: "10:00")) == ["2027-03-05/survey/opens:v1"])
        #expect(surveys(held.having(Self.told([]), at: "09:30").having(.lookAtClock, at: "10:00")) == [])
        held.when(.lookAtSurveys([Self.week]), at: "09:30", then: [])
    }

    @Test func `without a link there is no word, and a new link begins anew`() {
        let look = Command.lookAtSurveys([Self.week])
        Scenario.opened().when(look, at: "08:59", then: [])
        let again = Self.linked().having(look, at: "09:00").having(.unlink)
            .having(.link(practice: "practice@other", device: "e", shares: []), at: "09:01")
        again.when(
            look, at: "09:02",
            then: [.newsHeard(Self.counts(1)), .reminds("2027-03-05/survey/opens:v1", count: 1)])
    }

    @Test func `the next change is the next opening, last word or closing`() {
        let all = [Self.week, Self.days("v2", "2027-03-05 10:00", "2027-03-05 12:00")]
        func next(_ time: String) -> Instant? {
            SurveyDays.nextChange(all, after: VirtualClock.instant("2027-03-05", time))
        }
        #expect(next("08:00") == Self.week.opens)
        #expect(next("09:00") == all[1].opens)
        #expect(next("10:00") == VirtualClock.instant("2027-03-05", "11:00"))
        #expect(next("11:00") == all[1].closes)
        #expect(next("12:00") == VirtualClock.instant("2027-03-07", "09:00"))
        #expect(SurveyDays.nextChange(all, after: Self.week.closes) == nil)
        #expect(SurveyDays(id: "v3", opens: Self.week.closes, closes: Self.week.closes) == nil)
    }
}
