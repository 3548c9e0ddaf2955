import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

@Suite struct `A snooze` {
    static func until(_ time: String, _ day: CalendarDay = "2027-03-05") -> Command {
        .snooze(until: VirtualClock.instant(day, time))
    }

    @Test func `mutes reminders, and one comes at its end`() {
        Scenario.opened()
            .when(
                Self.until("10:30"), at: "08:00",
                then: [.snoozed(until: VirtualClock.instant("2027-03-05", "10:30"))]
            )
            .when(.lookAtClock, at: "09:00", then: [])
            .when(.lookAtClock, at: "10:29:59", then: [])
            .when(
                .lookAtClock, at: "10:30",
                then: [.snoozeEnded, .reminds("2027-03-05/stillOpen/snoozed-1", .sample())]
            )
            .when(.lookAtClock, at: "17:59", then: [])
            .when(.lookAtClock, at: "18:00", then: [.reminds("2027-03-05/stillOpen/18:00", .sample())])
    }

    @Test func `may be repeated, longer or shorter, and each end has a name of its own`() {
        Scenario.opened()
            .having(Self.until("10:00"), at: "08:00")
            .having(Self.until("08:00:10"))
            .when(
                .lookAtClock, at: "08:00:10",
                then: [.snoozeEnded, .reminds("2027-03-05/stillOpen/snoozed-1", .sample())]
            )
            .having(Self.until("08:00:40"))
            .when(
                .lookAtClock, at: "08:00:40",
                then: [.snoozeEnded, .reminds("2027-03-05/stillOpen/snoozed-2", .sample())])
    }

    @Test(
        arguments: [
            ("08:00", "2027-03-05", .inThePast), ("07:59:59", "2027-03-05", .inThePast),
            ("00:00", "2027-03-06", .beyondTheDay), ("09:00", "2027-04-06", .beyondTheDay),
        ] as [(String, CalendarDay, Refusal.SnoozeFault)])
    func `ends later than now and before the day does`(time: String, day: CalendarDay, fault: Refusal.SnoozeFault) {
        Scenario.opened().when(Self.until(time, day), at: "08:00", refused: .cannotSnooze(fault))
    }

    @Test(arguments: ["08:00:01", "23:59:59"])
    func `may last to the end of the day`(time: String) {
        Scenario.opened().when(
            Self.until(time), at: "08:00", then: [.snoozed(until: VirtualClock.instant("2027-03-05", time))])
    }

    @Test func `is refused if no task is open`() {
        Scenario.given(.assigned(.sample()), .dayBegan("2027-03-04"))
            .when(Self.until("10:00", "2027-03-04"), at: "08:00", refused: .cannotSnooze(.nothingOpen))
        Scenario.completed.when(Self.until("10:00"), refused: .cannotSnooze(.nothingOpen))
    }

    @Test func `is allowed during a flow`() {
        Scenario.begun()
            .having(Self.until("10:00"), at: "08:00")
            .when(.lookAtClock, at: "09:30", then: [])
            .when(
                .lookAtClock, at: "10:00",
                then: [.snoozeEnded, .reminds("2027-03-05/stillOpen/snoozed-1", .sample())])
    }

    @Test func `ends without a reminder if the task was completed`() {
        Scenario.atTheMood
            .having(Self.until("10:00")).having(.logMood("calm"))
            .when(.lookAtClock, at: "10:00", then: [.snoozeEnded])
    }

    @Test func `ends without a reminder during a session`() {
        Scenario.inSession.having(Self.until("08:30")).when(.lookAtClock, at: "08:30", then: [.snoozeEnded])
    }

    @Test func `holds the reminder of a task that unlocks meanwhile until its end`() {
        let second = Assignment.sample("2", position: 1)
        let opened = Scenario.given(.assigned(.sample()), .assigned(second), .dayBegan("2027-03-05"))
            .having(.lookAtClock, at: "07:00").having(.online(), at: "08:00").having(Self.until("10:30"))
            .having(.start(nil)).having(.leave)
            .when(
                .logMood("calm"), at: "08:10",
                then: [
                    .moodLogged("1", "calm"), .completed("1", on: "2027-03-05"),
                    .reminds("2027-03-05/completed/1", .sample()), .unlocked("2"),
                    .held(Reminder(id: "2027-03-05/unlocked/2", kind: .unlocked, assignment: "2", due: second.due)),
                ])
        opened.when(.lookAtClock, at: "09:00", then: [])
            .when(.lookAtClock, at: "10:30", then: [.snoozeEnded, .reminds("2027-03-05/unlocked/2", second)])
            .when(.lookAtClock, at: "10:31", then: [])
        opened.when(.endSnooze, at: "08:20", then: [.snoozeEnded, .reminds("2027-03-05/unlocked/2", second)])
        opened.having(.start(nil), at: "08:20").having(.join).when(.lookAtClock, at: "10:30", then: [.snoozeEnded])
    }

    @Test func `can be ended early, and a due reminder comes at once`() {
        let snoozed = Scenario.opened().having(Self.until("10:30"), at: "08:00")
        snoozed.when(.endSnooze, at: "08:30", then: [.snoozeEnded])
            .when(.endSnooze, then: [])
            .when(.lookAtClock, at: "09:00", then: [.reminds("2027-03-05/stillOpen/09:00", .sample())])
        snoozed.when(.endSnooze, at: "09:30", then: [.snoozeEnded, .reminds("2027-03-05/stillOpen/09:00", .sample())])
    }

    @Test func `ends with the day, even if the machine was suspended`() {
        Scenario.opened()
            .having(Self.until("23:00"), at: "08:00")
            .when(
                .lookAtClock, on: "2027-03-06", at: "09:30",
                then: [.dayBegan("2027-03-06"), .reminds("2027-03-06/overdue/09:00", .sample())])
    }

    @Test func `ends with a day that is taken back`() {
        Scenario.opened()
            .having(Self.until("23:00", "2027-03-09"), on: "2027-03-09")
            .having(.lookAtClock, on: "2027-03-05", at: "08:00")
            .then { #expect($0.plan.mutedUntil == nil) }
            .when(.lookAtClock, at: "09:00", then: [.reminds("2027-03-05/stillOpen/09:00~1", .sample())])
    }
}
