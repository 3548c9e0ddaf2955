import DaybreakInterfaces
import Testing
import Time

@testable import Companion
@testable import DaybreakCompanion

/// The hours after midnight, on a day that begins later.
@Suite struct SmallHoursTests {
    private static let ends = "2026-11-24T04:00:00+01:00"

    private static func status(_ change: (inout Homework.Status) -> Void = { _ in })
        -> Homework.Status
    {
        var status = Sample.status()
        status.today = "2026-11-23"
        status.dayEnds = ends
        status.nextUnlock = ends
        status.nextReminder = "2026-11-24T01:30:00+01:00"
        change(&status)
        return status
    }

    @Test func `after midnight it is still the day before, and the status says when the next one begins`() {
        #expect(
            Wording.status(Self.status(), wall: CalendarDay("2026-11-24"), ink: .plain) == """
                still Monday 23 November 2026; Tuesday begins at 04:00 · Europe/Berlin
                  Task      none now
                  Next      unlocks tomorrow at 04:00
                  Reminder  tonight at 01:30
                  Provider  not available
                  Tasks     35 completed, 2 missed, 1 open, 12 locked

                """)
    }

    @Test func `the list says so as well`() {
        let reply = Homework.List.Reply(
            today: "2026-11-23", dayEnds: Self.ends, assignments: [Sample.assignment(due: "2026-11-23")], earlier: 0,
            later: 0)
        #expect(
            TaskTable(reply, wall: CalendarDay("2026-11-24"), ink: .plain).text == """
                  My tasks · still Monday 23 November 2026; Tuesday begins at 04:00

                  ● Today   5 breaths   open now: `daybreak start`
                    It is today's task.

                """)
    }

    @Test(arguments: [
        ("2026-11-23", ends, "2026-11-23", "Monday 23 November 2026"),
        ("2026-11-23", ends, "2026-11-24", "still Monday 23 November 2026; Tuesday begins at 04:00"),
        (
            "2026-11-24", "2026-11-25T00:00:00-10:00", "2026-11-23",
            "already Tuesday 24 November 2026; Wednesday begins at 00:00"
        ),
        ("2026-11-23", nil, "2026-11-24", "Monday 23 November 2026"),
    ]) func `the day as a heading`(today: String, ends: String?, wall: String, heading: String) {
        #expect(Wording.heading(today, ends: ends, wall: CalendarDay(wall)) == heading)
    }

    @Test(arguments: [
        ("2026-11-23T18:00:00+01:00", "18:00"), ("2026-11-24T01:30:00+01:00", "tonight at 01:30"),
    ]) func `a snooze ends tonight, not tomorrow`(until: String, said: String) {
        #expect(
            Snooze.text(Self.status { ($0.snoozedUntil, $0.nextReminder) = (until, until) })
                == "Today's reminders are muted until \(said); one comes then.")
    }

    /// From Auckland to Los Angeles: today is the 24th, and the wall clock shows the evening of the 23rd.
    @Test func `a future time is not called yesterday where the wall clock was set back`() {
        let (until, ends) = ("2026-11-23T23:36:00-08:00", "2026-11-25T00:00:00-08:00")
        #expect(Wording.time(until, today: "2026-11-24", dayEnds: ends) == "Monday 23 November at 23:36")
        #expect(Wording.clock(until, today: "2026-11-24", dayEnds: ends) == "Monday 23 November at 23:36")
        let provider = Provider.Presence.Reply(online: true, until: until)
        #expect(
            ProviderVerb.text(provider, today: "2026-11-24")
                == "The provider is available, until Monday 23 November at 23:36 unless renewed.")
    }

    @Test func `a time after the day's end is tomorrow`() {
        #expect(Wording.time(Self.ends, today: "2026-11-23", dayEnds: Self.ends) == "tomorrow at 04:00")
    }

    @Test func `a session that began after midnight is shown with its time, not with a day`() {
        var flow = Sample.flow("waiting")
        flow.since = "2026-11-24T00:45:00+01:00"
        #expect(
            Wording.standing(of: flow, today: "2026-11-23")
                == "You have been in the wait room since 00:45; `daybreak mood` can be logged already.")
    }

    @Test func `a task finished after midnight names the day for which it counts`() {
        let done = Sample.assignment(
            "completed", due: "2026-11-23", also: #","completedOn":"2026-11-24","mood":"calm""#)
        #expect(
            Wording.outcome(done)
                == "The task of Monday 23 November 2026 is completed, on Tuesday 24 November. Mood: calm.")
    }
}
