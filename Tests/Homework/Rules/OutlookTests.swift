import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

private let today: CalendarDay = "2027-03-05"
private func wall(_ minute: Int, _ day: CalendarDay = today) -> WallTime { WallTime(day: day, minute: minute) }

@Suite struct `The outlook` {
    @Test func `shows the eligible task`() {
        let outlook = Scenario.opened(.sample(), .sample("2", due: "2027-03-08")).outlook
        #expect(outlook.day == today)
        #expect(outlook.open == .sample())
        #expect(outlook.standing == .eligible(late: false, through: "2027-03-12"))
        #expect(outlook.flow == nil)
        #expect(outlook.breathing == nil)
        #expect(outlook.nextUnlock == "2027-03-08")
    }

    @Test func `shows the task in progress, and its breath`() {
        let scenario = Scenario.guided.having(.lookAtClock, after: .seconds(14))
        #expect(scenario.outlook.open == .sample())
        #expect(scenario.outlook.standing == .inProgress(.exercise))
        #expect(scenario.outlook.flow == scenario.plan.flow)
        #expect(scenario.outlook.breathing?.breath == 2)
        #expect(scenario.outlook.breathing?.phase == .exhale)
        #expect(Scenario.waiting.outlook.breathing == nil)
    }

    @Test func `is empty without an open task`() {
        for scenario in [Scenario().having(.lookAtClock), .completed] {
            #expect(scenario.outlook.open == nil)
            #expect(scenario.outlook.standing == nil)
            #expect(scenario.outlook.nextUnlock == nil)
            #expect(scenario.outlook.nextReminder == nil)
        }
    }

    @Test func `counts every assignment once`() {
        let all = [
            Assignment.sample("lost", due: "2027-02-01"), .sample("late", due: "2027-03-04"), .sample(),
            .sample("2", position: 1), .sample("3", due: "2027-03-06"), .sample("4", due: "2027-04-06"),
        ]
        let scenario = Scenario.given(all.map { .assigned($0) } + [.dayBegan(today)])
        #expect(counts(scenario.having(.lookAtClock)) == [0, 1, 1, 4])
        let flowing = scenario.having(.online(), at: "08:00").having(.start(nil)).having(.leave)
        #expect(counts(flowing) == [0, 1, 1, 4])
        let done = flowing.having(.logMood("calm"))
        #expect(counts(done) == [1, 1, 1, 3])
        #expect(counts(done.having(.lookAtClock, on: "2027-03-20")) == [1, 4, 0, 1])
    }

    @Test func `counts the task in progress as open, even beyond its grace`() {
        let scenario = Scenario.begun(by: Settings(graceDays: 0)).having(.lookAtClock, on: "2027-03-06")
        #expect(counts(scenario) == [0, 0, 1, 0])
    }

    /// The numbers of completed, missed, open and locked assignments.
    private func counts(_ scenario: Scenario) -> [Int] {
        let counts = scenario.outlook.counts
        return [counts.completed, counts.missed, counts.open, counts.locked]
    }

    @Test func `looks the same within one phase, and different in the next`() {
        let first = Scenario.guided.having(.lookAtClock, after: .seconds(1))
        #expect(first.outlook.looks(like: first.having(.lookAtClock, after: .seconds(2)).outlook))
        #expect(!first.outlook.looks(like: first.having(.lookAtClock, after: .seconds(3)).outlook))
        #expect(!first.outlook.looks(like: first.having(.online()).outlook))
        #expect(!first.outlook.looks(like: first.having(.pause).outlook))
        #expect(!first.outlook.looks(like: first.having(.lookAtClock, on: "2027-03-06").outlook))
        let open = Scenario.opened()
        #expect(!open.outlook.looks(like: open.having(snoozing("08:00")).outlook))
        #expect(!open.outlook.looks(like: open.having(.take()).outlook))
        #expect(!open.outlook.looks(like: open.having(.take(.sample("1"), .sample("2", due: "2027-04-01"))).outlook))
    }
}

@Suite struct `The next unlock` {
    @Test func `is the next day with a task`() {
        let scenario = Scenario.opened(.sample(), .sample("2", due: "2027-03-08"), .sample("3", due: "2027-03-08"))
        #expect(scenario.nextUnlock == "2027-03-08")
        #expect(scenario.having(.lookAtClock, on: "2027-03-07").nextUnlock == "2027-03-08")
        #expect(scenario.having(.lookAtClock, on: "2027-03-08").nextUnlock == nil)
        #expect(Scenario.given(.assigned(.sample())).nextUnlock == nil)
    }

    @Test func `is not before the task in progress makes way`() {
        let next = Assignment.sample("2", due: "2027-03-06")
        let scenario = Scenario.begun(.sample(), next, .sample("3", due: "2027-03-09"))
        #expect(scenario.nextUnlock == "2027-03-09")
        #expect(scenario.standing("2") == .locked(.behind("1", through: "2027-03-13")))
        #expect(scenario.having(.lookAtClock, on: "2027-03-06").nextUnlock == "2027-03-09")
        let brief = Scenario.begun(.sample(), next, by: Settings(graceDays: 1))
        #expect(brief.nextUnlock == "2027-03-07")
        #expect(brief.changes("2") == "2027-03-07")
        let then = brief.having(.lookAtClock, on: "2027-03-06").having(.lookAtClock, on: "2027-03-07")
        #expect(then.history.filter { $0.what == .unlocked("2") }.map(\.moment.day) == ["2027-03-07"])
        #expect(scenario.having(.cancel).nextUnlock == "2027-03-06")
    }

    /// A late one that a schedule brought when its day was over, or that came second on its day.
    @Test func `is that of a late task that was never open, once today's makes way`() {
        let (late, coming) = (Assignment.sample("late", due: "2027-03-04"), Assignment.sample("2", due: "2027-03-08"))
        let scenario = Scenario.opened(late, .sample(), coming)
        #expect(scenario.nextUnlock == "2027-03-06")
        #expect(scenario.changes("late") == "2027-03-06")
        scenario.when(
            .lookAtClock, on: "2027-03-06",
            then: [.dayBegan("2027-03-06"), .unlocked("late"), .reminds("2027-03-06/overdue/unlocked:late", late)])
        #expect(scenario.having(.lookAtClock, on: "2027-03-06").nextUnlock == "2027-03-08")
    }

    @Test func `is not that of a late task behind an older one, unless the older one is missed first`() {
        let (older, late) = (
            Assignment.sample("older", due: "2027-03-03"), Assignment.sample("late", due: "2027-03-04")
        )
        let scenario = Scenario.given(.assigned(older), .dayBegan("2027-03-03")).having(.lookAtClock)
            .having(.take(.sample("older", due: "2027-03-03"), .sample("late", due: "2027-03-04"), .sample("1")))
            .having(.lookAtClock, on: "2027-03-05")
        #expect(scenario.nextUnlock == "2027-03-11")
        #expect(scenario.by(Settings(graceDays: 0)).nextUnlock == nil)
        #expect(late.due < "2027-03-05")
    }

    /// A clock that was wrong, or an export that somebody wrote.
    @Test(arguments: ["9999-12-28", "9999-12-29", "9999-12-30", "9999-12-31"] as [CalendarDay])
    func `is none where the calendar ends`(day: CalendarDay) {
        let late = Scenario.given(
            .assigned(.sample("1", due: "9999-12-30")), .dayBegan("9999-12-30"), .unlocked("1"), .dayBegan("9999-12-31")
        )
        #expect(late.nextUnlock == nil)
        let last = Scenario.given(.assigned(.sample("1", due: "9999-12-31")), .dayBegan(day))
        #expect(last.nextUnlock == (day == "9999-12-31" ? nil : "9999-12-31"))
    }
}

@Suite struct `The next reminder` {
    static let later = Assignment.sample("2", due: "2027-03-08")

    @Test func `is at the next of today's times`() {
        let scenario = Scenario.opened()
        #expect(scenario.outlook.nextReminder == .wall(wall(540)))
        #expect(scenario.having(.lookAtClock, at: "08:59").outlook.nextReminder == .wall(wall(540)))
        #expect(scenario.having(.lookAtClock, at: "09:00").outlook.nextReminder == .wall(wall(1_080)))
    }

    @Test func `is at tomorrow's first time when today's are over`() {
        let scenario = Scenario.opened().having(.lookAtClock, at: "18:00")
        #expect(scenario.outlook.nextReminder == .wall(wall(540, "2027-03-06")))
    }

    @Test func `is tomorrow's unlocking if a task is due tomorrow`() {
        let scenario = Scenario.opened(.sample(), .sample("2", due: "2027-03-06")).having(.lookAtClock, at: "18:00")
        #expect(scenario.outlook.nextReminder == .day("2027-03-06"))
    }

    @Test func `is at tomorrow's first time if an older task opens that was unlocked before`() {
        let scenario = Scenario.opened(.sample(), .sample("2", due: "2027-03-06"))
            .having(.lookAtClock, on: "2027-03-06", at: "18:00")
        #expect(scenario.outlook.nextReminder == .wall(wall(540, "2027-03-07")))
    }

    @Test func `is tomorrow's unlocking if an older task opens that was never unlocked`() {
        let scenario = Scenario.opened(.sample("old", due: "2027-03-04"), .sample()).having(.lookAtClock, at: "18:00")
        #expect(scenario.outlook.nextReminder == .day("2027-03-06"))
    }

    @Test func `is tomorrow's reminder of the missed task on the last day of its grace`() {
        let scenario = Scenario.opened(.sample(), Self.later, by: Settings(graceDays: 0)).having(
            .lookAtClock, at: "18:00")
        #expect(scenario.outlook.nextReminder == .day("2027-03-06"))
    }

    @Test func `is the next unlocking when nothing is open`() {
        let scenario = Scenario.given(.assigned(Self.later), .dayBegan(today)).having(.lookAtClock)
        #expect(scenario.outlook.nextReminder == .day("2027-03-08"))
    }

    @Test func `is the end of a snooze`() {
        let scenario = Scenario.opened().having(snoozing("12:00"))
        #expect(scenario.outlook.nextReminder == .instant(VirtualClock.instant(today, "12:00")))
        #expect(scenario.outlook.mutedUntil == VirtualClock.instant(today, "12:00"))
    }

    @Test func `is an unlocking or the end of the grace if no times are configured`() {
        let never = Settings(graceDays: 2, reminderMinutes: [])
        #expect(Scenario.opened(by: never).outlook.nextReminder == .day("2027-03-08"))
        let soon = Assignment.sample("2", due: "2027-03-07")
        #expect(Scenario.opened(.sample(), soon, by: never).outlook.nextReminder == .day("2027-03-07"))
    }

    @Test func `is at the next time while a flow is in progress, even if a new task is due`() {
        let scenario = Scenario.begun(.sample(), .sample("2", due: "2027-03-06")).having(.lookAtClock, at: "18:00")
        #expect(scenario.outlook.nextReminder == .wall(wall(540, "2027-03-06")))
        let tomorrow = scenario.having(.lookAtClock, on: "2027-03-06", at: "18:00")
        #expect(tomorrow.outlook.nextReminder == .wall(wall(540, "2027-03-07")))
    }

    @Test func `is not promised while the client is in the session, except for one that they forgot to leave`() {
        let over = VirtualClock.instant("2027-03-05", "12:00") + .seconds(50)
        #expect(Scenario.inSession.outlook.nextReminder == .instant(over))
        let brief = Scenario.inSession.by(Settings(lateWithin: .seconds(3_600)))
        #expect(brief.outlook.nextReminder == .wall(wall(1_080)))
        let muted = Scenario.waiting.having(snoozing("13:00")).having(.online()).having(.join)
        #expect(muted.outlook.nextReminder == .instant(VirtualClock.instant("2027-03-05", "13:00")))
        let late = Scenario.begun().having(.online(), at: "21:00").having(.join)
        #expect(late.outlook.nextReminder == .wall(wall(540, "2027-03-06")))
    }

    @Test func `is at the end of the attention that a pause keeps, if a time passed meanwhile`() {
        let paused = Scenario.begun().having(.breathe, at: "08:59:30").having(.pause)
        let over = VirtualClock.instant("2027-03-05", "09:29") + .seconds(30)
        #expect(paused.outlook.nextReminder == .instant(over))
        let quiet = Settings(quietHours: QuietHours(from: 9 * 60, to: 10 * 60))
        #expect(paused.by(quiet).outlook.nextReminder == .wall(wall(600)))
        #expect(paused.by(Settings(reminderMinutes: [600])).outlook.nextReminder == .wall(wall(600)))
    }

    @Test func `is after the breathing while the client is led through it`() {
        let guided = Scenario.begun().having(.lookAtClock, at: "08:59").having(.breathe, after: .seconds(30))
        #expect(guided.outlook.nextReminder == .wall(wall(1_080)))
        guided.when(.lookAtClock, after: .seconds(35), then: [.breathed("1", breaths: 3)])
        #expect(Scenario.guided.outlook.nextReminder == .wall(wall(540)))
        #expect(guided.having(.guideLost).outlook.nextReminder == .wall(wall(540)))
    }

    @Test func `is the day on which the flow is set aside, if the task's grace is over`() {
        let scenario = Scenario.begun(by: Settings(graceDays: 0)).having(.lookAtClock, on: "2027-03-06", at: "18:00")
        #expect(scenario.outlook.nextReminder == .day("2027-03-07"))
    }

    @Test func `is the day on which the flow is set aside and its task missed, if no times are configured`() {
        let never = Settings(graceDays: 1, reminderMinutes: [])
        let scenario = Scenario.begun(.sample(), .sample("2", due: "2027-03-06"), by: never)
            .having(.lookAtClock, on: "2027-03-06")
        #expect(scenario.outlook.nextReminder == .day("2027-03-07"))
    }

    @Test func `is not repeated when the clock is set back`() {
        let scenario = Scenario.opened().having(.lookAtClock, at: "09:00").having(.lookAtClock, at: "08:00")
        #expect(scenario.outlook.nextReminder == .wall(wall(1_080)))
        let held = Scenario.opened().having(.lookAtClock, on: "2027-03-04", at: "23:00")
        #expect(held.outlook.nextReminder == .wall(wall(540)))
    }
}

@Suite struct `The next wake` {
    @Test func `is the next day, and today's next time if a task is open`() {
        let wake = Scenario.opened().outlook.wake
        #expect(wake.day == "2027-03-06")
        #expect(wake.wall == wall(540))
        #expect(wake.instant == nil)
        #expect(wake.steady == nil)
        #expect(Scenario.opened().having(.lookAtClock, at: "18:00").outlook.wake.wall == nil)
        #expect(Scenario.completed.outlook.wake.wall == nil)
    }

    @Test func `is the day after the present day even while the clock is set back`() {
        #expect(Scenario.opened().having(.lookAtClock, on: "2027-03-04").outlook.wake.day == "2027-03-06")
    }

    @Test func `is the end of the phase`() {
        let scenario = Scenario.guided.having(.lookAtClock, after: .seconds(1))
        #expect(scenario.outlook.wake.steady == scenario.clock.steady + .seconds(3))
        #expect(scenario.having(.pause).outlook.wake.steady == nil)
        #expect(Scenario.waiting.outlook.wake.steady == nil)
    }

    @Test func `is the end of a snooze, and no reminder time before it`() {
        let wake = Scenario.opened().having(snoozing("12:00")).outlook.wake
        #expect(wake.instant == VirtualClock.instant(today, "12:00"))
        #expect(wake.wall == nil)
    }

    @Test func `is the end of the provider's presence, or an earlier end of a snooze`() {
        let online = Scenario.opened().having(.online(), at: "08:00")
        #expect(online.outlook.wake.instant == VirtualClock.instant(today, "09:00"))
        #expect(online.having(snoozing("08:30")).outlook.wake.instant == VirtualClock.instant(today, "08:30"))
        #expect(online.having(snoozing("09:30")).outlook.wake.instant == VirtualClock.instant(today, "09:00"))
        #expect(online.having(.offline).outlook.wake.instant == nil)
        #expect(online.having(.lookAtClock, at: "09:00").outlook.wake.instant == nil)
    }

    @Test func `is the beginning of the presence if the clock was set back before it`() {
        let scenario = Scenario.opened().having(.online(), at: "08:00").having(.lookAtClock, at: "07:00")
        #expect(scenario.outlook.wake.instant == VirtualClock.instant(today, "08:00"))
        #expect(scenario.having(.lookAtClock, at: "08:00").outlook.isProviderOnline)
    }
}

private func snoozing(_ time: String) -> Command { .snooze(until: VirtualClock.instant(today, time)) }
