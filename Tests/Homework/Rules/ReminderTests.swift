import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

private func overdue(_ what: String, on day: CalendarDay) -> Happening {
    .reminds("\(day)/overdue/\(what)", .sample())
}

private func stillOpen(_ time: String, _ about: Assignment = .sample(), on day: CalendarDay = "2027-03-05") -> Happening
{
    .reminds("\(day)/stillOpen/\(time)", about)
}

@Suite struct `A reminder of an unlocking` {
    @Test func `comes once, at the first instant of its day`() {
        Scenario.given(.assigned(.sample()), .dayBegan("2027-03-04"))
            .when(.lookAtClock, on: "2027-03-04", at: "23:59:59", then: [])
            .when(
                .lookAtClock, on: "2027-03-05", at: "00:00",
                then: [.dayBegan("2027-03-05")] + Happening.opens(.sample(), on: "2027-03-05")
            )
            .when(.lookAtClock, at: "00:01", then: [])
            .when(.start(nil), then: [.started("1", .calm)])
            .when(.cancel, then: [.cancelled("1")])
    }

    @Test func `comes with a schedule that has a task for today`() {
        Scenario.given(.dayBegan("2027-03-05"))
            .having(.take(.sample("1")), at: "12:00")
            .then { #expect($0.history.map(\.what).suffix(2) == Happening.opens(.sample(), on: "2027-03-05")[...]) }
            .when(.lookAtClock, at: "17:59", then: [])
    }

    @Test func `comes after days off for the open task, and not for earlier ones`() {
        let third = Assignment.sample("3", due: "2027-03-08")
        Scenario.given(
            .assigned(.sample()), .assigned(.sample("2", due: "2027-03-07")), .assigned(third), .dayBegan("2027-03-04")
        )
        .when(
            .lookAtClock, on: "2027-03-08", at: "20:00",
            then: [.dayBegan("2027-03-08")] + Happening.opens(third, on: "2027-03-08")
        )
        .when(.lookAtClock, at: "20:01", then: [])
    }

    @Test func `comes again on the later day to which the provider moved the task`() {
        let later = Assignment.sample(due: "2027-03-20")
        Scenario.opened()
            .having(.take(.sample("1", due: "2027-03-20")), at: "08:00")
            .then { #expect($0.standing("1") == .locked(.untilItsDay("2027-03-20"))) }
            .when(
                .lookAtClock, on: "2027-03-20", at: "00:00",
                then: [.dayBegan("2027-03-20")] + Happening.opens(later, on: "2027-03-20"))
    }

    @Test func `of an older task waits for the next reminder time when today's task is completed`() {
        let older = Assignment.sample("0", due: "2027-03-04")
        let completed = Scenario.given(.assigned(older), .assigned(.sample()), .dayBegan("2027-03-05"))
            .having(.lookAtClock, at: "07:00").having(.online(), at: "08:00").having(.start(nil)).having(.leave)
        completed.when(
            .logMood("calm"), at: "09:32",
            then: [
                .reminds("2027-03-05/stillOpen/09:00", .sample()), .moodLogged("1", "calm"),
                .completed("1", on: "2027-03-05"), .reminds("2027-03-05/completed/1", .sample()), .unlocked("0"),
            ]
        )
        .then {
            let next = $0.rules.outlook($0.plan, at: $0.clock.moment).nextReminder
            #expect(next == .wall(WallTime(day: "2027-03-05", minute: 1_080)))
        }
        .when(.lookAtClock, at: "17:59", then: [])
        .when(.lookAtClock, at: "18:00", then: [.reminds("2027-03-05/overdue/18:00", older)])
        completed.having(.snooze(until: VirtualClock.instant("2027-03-05", "10:00")), at: "08:30")
            .having(.logMood("calm"), at: "09:32")
            .when(.lookAtClock, at: "10:00", then: [.snoozeEnded, .reminds("2027-03-05/overdue/snoozed-1", older)])
            .when(.lookAtClock, at: "10:01", then: [])
    }

    @Test func `does not come again if the task was moved away and back on one day`() {
        Scenario.opened()
            .having(.take(.sample("1", due: "2027-03-06")), at: "08:00")
            .having(.take(.sample("1")))
            .then { #expect($0.standing("1") == .eligible(late: false, through: "2027-03-12")) }
            .then { scenario in
                let told = scenario.history.filter { $0.what == .unlocked("1") }
                #expect(told.count == 1)
            }
    }
}

@Suite struct `A reminder of the open task` {
    @Test func `comes at each configured time`() {
        Scenario.opened()
            .when(.lookAtClock, at: "08:59:59", then: [])
            .when(.lookAtClock, at: "09:00", then: [stillOpen("09:00")])
            .when(.lookAtClock, at: "09:00:30", then: [])
            .when(.lookAtClock, at: "17:59:59", then: [])
            .when(.lookAtClock, at: "18:00:10", then: [stillOpen("18:00")])
            .when(.lookAtClock, at: "23:59:59", then: [])
            .when(.lookAtClock, on: "2027-03-06", at: "00:00", then: [.dayBegan("2027-03-06")])
            .when(.lookAtClock, at: "09:00", then: [overdue("09:00", on: "2027-03-06")])
    }

    @Test func `comes at times in any order, also after midnight on a long day`() {
        let settings = Settings(reminderMinutes: [25 * 60, 125, 12 * 60 + 34], dayStartsAt: 120)
        #expect(settings.reminderMinutes == [125, 754, 1_500])
        Scenario.given(.assigned(.sample()), .dayBegan("2027-03-05"), by: settings)
            .clock { $0.dayStartsAt = 120 }
            .having(.lookAtClock, on: "2027-03-05", at: "02:00")
            .when(.lookAtClock, at: "02:05", then: [stillOpen("02:05")])
            .when(.lookAtClock, at: "12:34", then: [stillOpen("12:34")])
            .when(.lookAtClock, after: .seconds(44_760), then: [stillOpen("25:00")])
    }

    @Test func `does not come if no times are configured`() {
        Scenario.opened(by: Settings(reminderMinutes: [])).when(.lookAtClock, at: "23:59:59", then: [])
    }

    @Test func `comes once for several times that have passed`() {
        Scenario.opened()
            .when(.lookAtClock, at: "20:00", then: [stillOpen("18:00")])
            .when(.lookAtClock, at: "20:01", then: [])
    }

    @Test func `comes once after days off`() {
        Scenario.opened()
            .having(.lookAtClock, at: "18:00")
            .when(
                .lookAtClock, on: "2027-03-11", at: "12:00",
                then: [.dayBegan("2027-03-11"), overdue("09:00", on: "2027-03-11")]
            )
            .when(.lookAtClock, at: "12:01", then: [])
    }

    @Test func `does not come again when the clock is set back on the same day`() {
        Scenario.opened()
            .having(.lookAtClock, at: "18:00")
            .when(.lookAtClock, at: "08:00", then: [])
            .when(.lookAtClock, at: "09:00", then: [])
            .when(.lookAtClock, at: "18:00", then: [])
            .when(
                .lookAtClock, on: "2027-03-06", at: "09:00",
                then: [
                    .dayBegan("2027-03-06"), overdue("09:00", on: "2027-03-06"),
                ])
    }

    @Test func `does not come again when another task unlocks after the clock was set back`() {
        let second = Assignment.sample("2", position: 1)
        Scenario.opened(.sample(), second)
            .having(.lookAtClock, at: "18:00")
            .having(.online(), at: "08:00").having(.start(nil)).having(.leave).having(.logMood("calm"))
            .then { #expect($0.history.map(\.what).suffix(2) == Happening.opens(second, on: "2027-03-05")[...]) }
            .when(.lookAtClock, at: "09:00", then: [])
            .when(.lookAtClock, at: "18:00", then: [])
    }

    @Test func `says that a late task is late`() {
        Scenario.opened().having(.lookAtClock, on: "2027-03-12", at: "00:00")
            .when(.lookAtClock, at: "09:00", then: [overdue("09:00", on: "2027-03-12")])
            .having(.snooze(until: VirtualClock.instant("2027-03-12", "12:00")))
            .when(.lookAtClock, at: "12:00", then: [.snoozeEnded, overdue("snoozed-2", on: "2027-03-12")])
    }

    @Test func `does not come when nothing is open`() {
        Scenario.given(.assigned(.sample()), .dayBegan("2027-03-04"))
            .when(.lookAtClock, on: "2027-03-04", at: "18:00", then: [])
        Scenario.completed.when(.lookAtClock, at: "18:00", then: [])
        Scenario.opened().having(.lookAtClock, on: "2027-03-13").when(.lookAtClock, at: "18:00", then: [])
    }

    @Test func `does not come while a guide leads the client, even during a pause`() {
        Scenario.begun().having(.breathe, at: "08:59:50")
            .when(.lookAtClock, at: "09:00", then: [.breathed("1", breaths: 1)])
            .when(.pause, then: [.breathingPaused("1")])
            .when(.lookAtClock, at: "09:01", then: [])
    }

    @Test func `comes half an hour after a pause began, if the screen was left open`() {
        let paused = Scenario.begun().having(.breathe, at: "08:59:50").having(.pause, at: "08:59:55")
        #expect(paused.outlook.wake.instant == VirtualClock.instant("2027-03-05", "09:29") + .seconds(55))
        paused.when(.lookAtClock, at: "09:29", then: [])
            .when(.lookAtClock, at: "09:30", then: [stillOpen("09:00")])
            .when(.lookAtClock, at: "18:00", then: [stillOpen("18:00")])
            .when(.resume, at: "18:01", then: [.breathingBegan("1")])
            .when(.pause, then: [.breathingPaused("1")])
            .when(
                .lookAtClock, on: "2027-03-06", at: "09:00",
                then: [.dayBegan("2027-03-06"), overdue("09:00", on: "2027-03-06")])
    }

    @Test func `comes late after a long pause only as late as the setting allows`() {
        let within = Settings(lateWithin: .seconds(10 * 60))
        Scenario.begun(by: within).having(.breathe, at: "08:59:50").having(.pause, at: "08:59:55")
            .when(.lookAtClock, at: "09:30", then: [])
    }

    @Test func `does not come in a session, unless it was not left for four hours`() {
        Scenario.inSession.when(.lookAtClock, at: "12:00", then: [])
            .when(.lookAtClock, at: "18:00", then: [stillOpen("18:00")])
    }

    @Test(arguments: [.begun(), .waiting, .atTheMood] as [Scenario])
    func `comes if a flow was begun and left`(scenario: Scenario) {
        scenario.when(.lookAtClock, at: "09:00", then: [stillOpen("09:00")])
    }

    @Test func `does not come for a time that passed during the exercise or the session`() {
        Scenario.begun().having(.breathe, at: "08:59:50")
            .when(.guideLost, at: "09:00:15", then: [.breathed("1", breaths: 2), .guideLeft("1")])
            .when(.lookAtClock, at: "09:01", then: [])
            .when(.lookAtClock, at: "18:00", then: [stillOpen("18:00")])
        Scenario.inSession.having(.leave, at: "09:30").when(.lookAtClock, at: "09:31", then: [])
        Scenario.guided.having(.cancel, at: "09:00").when(.lookAtClock, at: "09:00:30", then: [])
    }

    @Test func `does not come for a time that is longer past than the setting allows`() {
        let within = Settings(lateWithin: .seconds(3_600))
        Scenario.opened(by: within).when(.lookAtClock, at: "10:00:59", then: [stillOpen("09:00")])
        Scenario.opened(by: within).when(.lookAtClock, at: "10:01", then: [])
            .when(.lookAtClock, at: "18:00", then: [stillOpen("18:00")])
        Scenario.opened().having(.snooze(until: VirtualClock.instant("2027-03-05", "10:30")), at: "08:00")
            .when(.lookAtClock, at: "17:00", then: [.snoozeEnded])
    }

    @Test func `does not come for a time at which another reminder came`() {
        Scenario.given(.dayBegan("2027-03-05"))
            .having(.take(.sample("1")), at: "09:00")
            .when(.lookAtClock, at: "09:00", then: [])
    }
}

@Suite struct `A reminder of missed tasks` {
    @Test func `comes on the day after the grace`() {
        Scenario.opened()
            .having(.lookAtClock, on: "2027-03-12", at: "23:59")
            .when(
                .lookAtClock, on: "2027-03-13", at: "00:00",
                then: [.dayBegan("2027-03-13"), .reminds("2027-03-13/missed/1", .sample())]
            )
            .when(.lookAtClock, on: "2027-03-14", at: "00:00", then: [.dayBegan("2027-03-14")])
    }

    @Test func `is one for all tasks missed in a long time off, and names the latest`() {
        let all = (1...9).map { Assignment.sample("\($0)", due: "2027-03-04" + $0) }
        Scenario.given(all.map { .assigned($0) } + [.dayBegan("2027-03-05")])
            .having(.lookAtClock)
            .when(
                .lookAtClock, on: "2027-03-20", at: "00:00",
                then: [.dayBegan("2027-03-20"), .reminds("2027-03-20/missed/8", all[7], count: 8)]
                    + [.unlocked("9"), .reminds("2027-03-20/overdue/unlocked:9", all[8])])
    }

    @Test func `leaves out completed tasks`() {
        Scenario.completed.when(.lookAtClock, on: "2027-03-13", then: [.dayBegan("2027-03-13")])
    }

    @Test func `leaves out tasks that were already too late when they were assigned`() {
        Scenario.given(.dayBegan("2027-03-05"))
            .having(.take(.sample("1", due: "2027-02-01")))
            .then { #expect($0.standing("1") == .missed(after: "2027-02-08")) }
            .when(.lookAtClock, on: "2027-03-06", at: "00:00", then: [.dayBegan("2027-03-06")])
    }

    @Test func `comes on the day after the task's if there is no grace`() {
        Scenario.opened(by: Settings(graceDays: 0)).when(
            .lookAtClock, on: "2027-03-06", at: "00:00",
            then: [.dayBegan("2027-03-06"), .reminds("2027-03-06/missed/1", .sample())])
    }
}
