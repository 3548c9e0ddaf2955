import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

private let friday: CalendarDay = "2027-03-05"
private let saturday: CalendarDay = "2027-03-06"
private let second = Assignment.sample("2", due: saturday)

/// Quiet from 22:00 to 07:00.
private let night = Settings(reminderMinutes: [540, 1_380], quietHours: QuietHours(from: 1_320, to: 420))

private func held(_ id: String, _ about: Assignment? = nil, count: Int = 1) -> Happening {
    guard case .reminded(let reminder) = Happening.reminds(id, about, count: count) else { return .snoozeEnded }
    return .held(reminder)
}

@Suite struct `Quiet hours` {
    @Test func `hold the reminder of an unlocking at midnight, and do not hold the unlocking`() {
        Scenario.given(.assigned(.sample()), .dayBegan("2027-03-04"), by: night)
            .when(
                .lookAtClock, on: friday, at: "00:00",
                then: [.dayBegan(friday), .unlocked("1"), held("2027-03-05/unlocked/1", .sample())]
            )
            .then { #expect($0.outlook.nextReminder == .wall(WallTime(day: friday, minute: 420))) }
            .then { #expect($0.outlook.wake.wall == WallTime(day: friday, minute: 420)) }
            .when(.lookAtClock, at: "06:59:59", then: [])
            .when(.lookAtClock, at: "07:00", then: [.reminds("2027-03-05/unlocked/1", .sample())])
            .when(.lookAtClock, at: "07:01", then: [])
            .when(.lookAtClock, at: "09:00", then: [.reminds("2027-03-05/stillOpen/09:00", .sample())])
    }

    @Test func `hold a reminder time within them, over midnight`() {
        Scenario.given(.assigned(.sample()), .dayBegan(friday), by: night)
            .having(.lookAtClock, at: "09:00")
            .then { #expect($0.outlook.nextReminder == .wall(WallTime(day: saturday, minute: 420))) }
            .when(.lookAtClock, at: "23:00", then: [])
            .when(.lookAtClock, on: saturday, at: "06:59", then: [.dayBegan(saturday)])
            .when(.lookAtClock, at: "07:00", then: [.reminds("2027-03-05/overdue/23:00", .sample())])
            .when(.lookAtClock, at: "09:00", then: [.reminds("2027-03-06/overdue/09:00", .sample())])
    }

    @Test func `are followed by one reminder of the open task, not by three`() {
        Scenario.given(.assigned(.sample()), .assigned(second), .dayBegan(friday), by: night)
            .having(.lookAtClock, at: "12:00")
            .having(.snooze(until: VirtualClock.instant(friday, "22:30")), at: "21:00")
            .when(.lookAtClock, at: "22:30", then: [.snoozeEnded])
            .when(
                .lookAtClock, on: saturday, at: "08:00",
                then: [.dayBegan(saturday), .unlocked("2"), .reminds("2027-03-06/unlocked/2", second)]
            )
            .when(.lookAtClock, at: "08:01", then: [])
    }

    @Test func `hold the reminder at the end of a snooze`() {
        Scenario.given(.assigned(.sample()), .dayBegan(friday), by: night)
            .having(.lookAtClock, at: "12:00")
            .having(.snooze(until: VirtualClock.instant(friday, "22:30")), at: "21:00")
            .then { #expect($0.outlook.nextReminder == .wall(WallTime(day: saturday, minute: 420))) }
            .when(.lookAtClock, at: "22:30", then: [.snoozeEnded])
            .when(
                .lookAtClock, on: saturday, at: "07:00",
                then: [.dayBegan(saturday), .reminds("2027-03-06/overdue/snoozed-1", .sample())])
    }

    @Test func `hold reminders of missed tasks and of the schedule, each replaced by a later one`() {
        let grace = Settings(graceDays: 0, quietHours: night.quietHours)
        Scenario.given(.assigned(.sample()), .assigned(second), .dayBegan(friday), by: grace)
            .having(.lookAtClock, at: "12:00")
            .having(.lookAtClock, on: saturday, at: "00:00")
            .when(
                .lookAtClock, on: "2027-03-07", at: "00:00",
                then: [.dayBegan("2027-03-07"), held("2027-03-07/missed/2", second, count: 2)]
            )
            .having(.take(.sample("1"), .sample("2", due: saturday), .sample("9", due: "2027-04-01")), at: "01:00")
            .having(.take(.sample("1"), .sample("2", due: saturday)), at: "01:01")
            .when(
                .lookAtClock, at: "07:00",
                then: [
                    .reminds("2027-03-07/missed/2", second, count: 2), .reminds("2027-03-07/scheduleTaken/1", count: 2),
                ]
            )
            .when(.lookAtClock, at: "07:01", then: [])
    }

    @Test func `are followed by a reminder of those tasks that are still missed`() {
        let grace = Settings(graceDays: 0, quietHours: night.quietHours)
        let missed = Scenario.given(.assigned(.sample()), .assigned(second), .dayBegan(friday), by: grace)
            .having(.lookAtClock, at: "12:00").having(.lookAtClock, on: "2027-03-07", at: "00:00")
        missed.having(.take(.sample("1", due: "2027-04-01"), .sample("2", due: saturday)), at: "01:00")
            .having(.lookAtClock, at: "07:00")
            .then { scenario in
                #expect(scenario.history.contains { $0.what == .reminds("2027-03-07/missed/2", second) })
            }
        missed.having(.take(.sample("1", due: "2027-04-01"), .sample("2", due: "2027-04-02")), at: "01:00")
            .when(.lookAtClock, at: "07:00", then: [.reminds("2027-03-07/scheduleTaken/1", count: 2)])
        missed.having(.take(), at: "01:00").having(.lookAtClock, at: "07:00").then { scenario in
            #expect(scenario.history.contains { $0.what == .reminds("2027-03-07/missed/2", second, count: 2) })
        }
    }

    @Test func `end in the minute in which a forgotten session does, and first`() {
        let grace = Settings(graceDays: 0, quietHours: night.quietHours)
        Scenario.given(.assigned(.sample()), .assigned(second), .dayBegan(friday), by: grace)
            .having(.lookAtClock, on: saturday, at: "00:00")
            .having(.online(), at: "03:00:20").having(.start(nil))
            .then { #expect($0.outlook.flow?.stage == .session) }
            .then { #expect($0.outlook.nextReminder == .wall(WallTime(day: saturday, minute: 420))) }
            .when(.lookAtClock, at: "07:00", then: [.reminds("2027-03-06/missed/1", .sample())])
    }

    @Test func `hold no reminder that answers an action, or that is only true now`() {
        Scenario.given(.assigned(.sample()), .dayBegan(friday), by: night)
            .having(.lookAtClock)
            .having(.online(), at: "01:00")
            .then { #expect($0.history.last?.what == .reminds("2027-03-05/providerAvailable/1", .sample())) }
            .having(.start(nil)).having(.leave).having(.logMood("calm"))
            .then { #expect($0.history.last?.what == .reminds("2027-03-05/completed/1", .sample())) }
            .when(
                .refuseSchedule(file: nil),
                then: [.scheduleRefused(file: nil), .reminds("2027-03-05/scheduleRefused/1")])
    }

    @Test(arguments: [[.start(nil)], [.online(), .start(nil), .leave, .logMood("calm")], [.take()]] as [[Command]])
    func `are followed by no reminder of a task that was begun, completed or withdrawn in them`(commands: [Command]) {
        let opened = Scenario.given(.assigned(.sample()), .dayBegan(friday), by: night).having(.lookAtClock)
        let after = commands.reduce(opened) { $0.having($1, at: "01:00") }
        #expect(after.plan.held.allSatisfy { $0.kind == .scheduleTaken })
        let morning = after.having(.lookAtClock, at: "07:00")
        #expect(!morning.history.contains { $0.what == .reminds("2027-03-05/unlocked/1", .sample()) })
    }

    @Test func `are followed by no reminder until a longer snooze ends`() {
        Scenario.given(.assigned(.sample()), .dayBegan(friday), by: night)
            .having(.lookAtClock)
            .having(.snooze(until: VirtualClock.instant(friday, "08:00")), at: "06:30")
            .then { #expect($0.outlook.nextReminder == .instant(VirtualClock.instant(friday, "08:00"))) }
            .when(.lookAtClock, at: "07:00", then: [])
            .when(.lookAtClock, at: "08:00", then: [.snoozeEnded, .reminds("2027-03-05/unlocked/1", .sample())])
    }

    @Test func `may be at noon, and end when the settings change`() {
        let noon = Settings(reminderMinutes: [750], quietHours: QuietHours(from: 720, to: 780))
        let scenario = Scenario.opened(by: noon).when(.lookAtClock, at: "12:30", then: [])
        scenario.when(.lookAtClock, at: "13:00", then: [.reminds("2027-03-05/stillOpen/12:30", .sample())])
        scenario.by(Settings(reminderMinutes: [750]))
            .when(.lookAtClock, at: "12:40", then: [.reminds("2027-03-05/stillOpen/12:30", .sample())])
    }

    @Test func `that began during a suspend hold a reminder time from before them`() {
        let noon = Settings(reminderMinutes: [700], quietHours: QuietHours(from: 720, to: 780))
        Scenario.opened(by: noon)
            .when(.lookAtClock, at: "12:10", then: [])
            .then { #expect($0.outlook.wake.wall == WallTime(day: friday, minute: 780)) }
            .then { #expect($0.outlook.nextReminder == .wall(WallTime(day: friday, minute: 780))) }
            .when(.lookAtClock, at: "13:00", then: [.reminds("2027-03-05/stillOpen/11:40", .sample())])
    }

    @Test func `lose what they hold when the day is taken back`() {
        Scenario.given(.assigned(.sample()), .dayBegan(friday), by: night)
            .having(.lookAtClock)
            .then { #expect($0.plan.held.count == 1) }
            .having(.lookAtClock, on: "2027-03-01", at: "08:00")
            .then { #expect($0.plan.held.isEmpty) }
    }
}

@Suite struct `The configured days of the week` {
    @Test func `have reminder times, and other days have none`() {
        let settings = Settings(reminderMinutes: [540], reminderDays: [.friday, .monday])
        Scenario.opened(by: settings)
            .when(.lookAtClock, at: "09:00", then: [.reminds("2027-03-05/stillOpen/09:00", .sample())])
            .then { #expect($0.outlook.nextReminder == .wall(WallTime(day: "2027-03-08", minute: 540))) }
            .when(.lookAtClock, on: saturday, at: "09:00", then: [.dayBegan(saturday)])
            .when(.lookAtClock, on: "2027-03-07", at: "09:00", then: [.dayBegan("2027-03-07")])
            .when(
                .lookAtClock, on: "2027-03-08", at: "09:00",
                then: [.dayBegan("2027-03-08"), .reminds("2027-03-08/overdue/09:00", .sample())])
    }

    @Test func `do not matter for the reminder of an unlocking`() {
        Scenario.given(.assigned(.sample()), .dayBegan("2027-03-04"), by: Settings(reminderDays: [.monday]))
            .when(
                .lookAtClock, on: friday, at: "00:00",
                then: [.dayBegan(friday)] + Happening.opens(.sample(), on: friday))
    }
}

@Suite struct `The limit of reminders a day` {
    private static let two = Settings(reminderMinutes: [540, 600, 660], remindersADay: 2)

    @Test func `stops further reminder times of the day`() {
        Scenario.opened(by: Self.two)
            .when(.lookAtClock, at: "09:00", then: [.reminds("2027-03-05/stillOpen/09:00", .sample())])
            .then { #expect($0.outlook.nextReminder == .wall(WallTime(day: saturday, minute: 540))) }
            .then { #expect($0.outlook.wake.wall == nil) }
            .when(.lookAtClock, at: "10:00", then: [])
            .when(.lookAtClock, on: saturday, at: "00:00", then: [.dayBegan(saturday)])
            .when(.lookAtClock, at: "09:00", then: [.reminds("2027-03-06/overdue/09:00", .sample())])
    }

    @Test func `does not count reminders that cannot wait`() {
        Scenario.opened(by: Self.two)
            .having(.online(), at: "08:00").having(.offline).having(.online())
            .when(.lookAtClock, at: "09:00", then: [.reminds("2027-03-05/stillOpen/09:00", .sample())])
    }

    @Test func `moves the reminder of an unlocking to the next day`() {
        let again = Assignment.sample("2", position: 1)
        Scenario.opened(.sample(), again, by: Settings(reminderMinutes: [], remindersADay: 1))
            .having(.online(), at: "08:00").having(.start(nil)).having(.leave)
            .when(
                .logMood("calm"),
                then: [
                    .moodLogged("1", "calm"), .completed("1", on: friday),
                    .reminds("2027-03-05/completed/1", .sample()), .unlocked("2"), held("2027-03-05/unlocked/2", again),
                ]
            )
            .then { #expect($0.outlook.nextReminder == .day(saturday)) }
            .when(
                .lookAtClock, on: saturday, at: "00:00",
                then: [.dayBegan(saturday), .reminds("2027-03-05/overdue/unlocked:2", again)])
    }

    @Test func `gives a moved reminder a name that differs from one after a change of the due day`() {
        let scenario = Scenario.given(.assigned(.sample()), .dayBegan(friday), by: Settings(remindersADay: 0))
            .having(.lookAtClock).having(.lookAtClock, on: "2027-03-10", at: "08:00")
            .by(Settings())
            .when(.lookAtClock, then: [.reminds("2027-03-05/overdue/unlocked:1", .sample())])
        let later = scenario.having(.take(.sample("1", due: saturday)))
        #expect(
            Array(later.history.map(\.what).suffix(2)) == [
                .unlocked("1"), .reminds("2027-03-10/overdue/unlocked:1", .sample(due: saturday)),
            ])
    }

    @Test func `may be zero`() {
        let none = Settings(remindersADay: 0)
        let scenario = Scenario.given(.assigned(.sample()), .dayBegan(friday), by: none).having(.lookAtClock)
        #expect(scenario.outlook.nextReminder == nil)
        scenario.when(.lookAtClock, at: "09:00", then: [])
    }
}
