import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

@Suite struct `A day` {
    @Test func `begins with the first look at the clock`() {
        Scenario().when(.lookAtClock, on: "2027-03-05", at: "07:31", then: [.dayBegan("2027-03-05")])
    }

    @Test func `begins only once`() {
        Scenario.given(.dayBegan("2027-03-05"))
            .when(.lookAtClock, at: "00:00", then: [])
            .when(.lookAtClock, at: "23:59:59", then: [])
            .when(.lookAtClock, on: "2027-03-06", at: "00:00", then: [.dayBegan("2027-03-06")])
            .when(.lookAtClock, then: [])
    }

    @Test func `is left out if the clock was not looked at on it`() {
        Scenario.given(.dayBegan("2027-03-05"))
            .when(.lookAtClock, on: "2027-04-05", then: [.dayBegan("2027-04-05")])
    }

    @Test func `is not reopened by a clock that is set back`() {
        Scenario.given(.assigned(.sample()), .dayBegan("2027-03-05"), .completed("1", on: "2027-03-05"))
            .when(.start("1"), on: "2027-03-04", refused: .alreadyCompleted("1", on: "2027-03-05"))
    }

    @Test func `stays begun when the clock is set back over midnight, and repeats no reminder`() {
        Scenario.opened()
            .when(.lookAtClock, on: "2027-03-04", at: "23:30", then: [])
            .when(.lookAtClock, on: "2027-03-05", at: "00:00", then: [])
            .when(.start("1"), on: "2027-03-04", at: "23:30", then: [.started("1", .calm)])
    }

    @Test func `begins once in a leap second, which shows the last second of the day before again`() {
        Scenario.opened()
            .when(.lookAtClock, on: "2027-03-06", at: "00:00", then: [.dayBegan("2027-03-06")])
            .clock { $0.set(to: "2027-03-05", "23:59:59") }
            .when(.lookAtClock, then: [])
            .when(.lookAtClock, on: "2027-03-06", at: "00:00", then: [])
    }

    /// During a suspend the wall clock goes on, and the steady clock stands still.
    @Test func `begins on waking from a suspend over one midnight`() {
        let next = Assignment.sample("2", due: "2027-03-06")
        Scenario.opened(.sample(), next)
            .clock { $0.set(to: "2027-03-06", "07:30") }
            .when(.lookAtClock, then: [.dayBegan("2027-03-06")] + Happening.opens(next, on: "2027-03-06"))
            .when(.lookAtClock, then: [])
    }

    @Test func `begins once after a suspend over thirty midnights, with one reminder of all missed tasks`() {
        let others = (1...28).map { Assignment.sample("\($0 + 1)", due: ("2027-03-05" as CalendarDay) + $0) }
        let last = Assignment.sample("today", due: "2027-04-04")
        Scenario.given(([.sample()] + others + [last]).map { .assigned($0) } + [.dayBegan("2027-03-05")])
            .having(.lookAtClock)
            .clock { $0.set(to: "2027-04-04", "07:30") }
            .when(
                .lookAtClock,
                then: [
                    .dayBegan("2027-04-04"), .reminds("2027-04-04/missed/23", others[21], count: 23),
                ] + Happening.opens(last, on: "2027-04-04")
            )
            .when(.lookAtClock, then: [])
    }

    @Test func `has no reminders at earlier times while the clock is set back`() {
        Scenario.opened()
            .when(.lookAtClock, on: "2027-03-04", at: "18:00", then: [])
            .when(
                .lookAtClock, on: "2027-03-05", at: "09:00", then: [.reminds("2027-03-05/stillOpen/09:00", .sample())])
    }

    @Test func `is the day of completion even while the clock is set back`() {
        Scenario.atTheMood.when(
            .logMood("calm"), on: "2027-03-04", at: "22:00",
            then: [
                .moodLogged("1", "calm"), .completed("1", on: "2027-03-05"),
                .reminds("2027-03-05/completed/1", .sample()),
            ])
    }
}

@Suite struct `A day begun by mistake` {
    static let soon = Assignment.sample("2", due: "2027-03-09")

    @Test func `is taken back when the clock shows a day two or more days earlier`() {
        Scenario.opened()
            .having(.lookAtClock, on: "2098-01-01")
            .when(.lookAtClock, on: "2027-03-05", at: "10:00", then: [.dayTakenBack(to: "2027-03-05")])
            .then {
                #expect($0.standing("1") == .eligible(late: false, through: "2027-03-12"))
                #expect($0.plan.day == "2027-03-05")
                #expect($0.plan.daysTakenBack == 1)
            }
    }

    @Test(arguments: [("2027-03-04", false), ("2027-03-03", true)] as [(CalendarDay, Bool)])
    func `stays when the clock shows one day earlier`(wall: CalendarDay, takenBack: Bool) {
        let what: [Happening] = takenBack ? [.dayTakenBack(to: wall)] : []
        Scenario.given(.dayBegan("2027-03-05")).when(.lookAtClock, on: wall, at: "23:59", then: what)
    }

    @Test func `is taken back even if it is the very first day`() {
        Scenario()
            .having(.lookAtClock, on: "2098-01-01")
            .having(.take(.sample()))
            .when(
                .lookAtClock, on: "2027-03-05",
                then: [.dayTakenBack(to: "2027-03-05"), .unlocked("2027-03-05")]
                    + [.reminds("2027-03-05/unlocked/2027-03-05~1", .sample("2027-03-05"))])
    }

    @Test(arguments: [("1970-01-01", false), ("2025-12-31", false), ("2026-01-01", true)] as [(CalendarDay, Bool)])
    func `is not taken back to a day before Daybreak existed`(wall: CalendarDay, takenBack: Bool) {
        let what: [Happening] = takenBack ? [.dayTakenBack(to: wall)] : []
        Scenario.given(.dayBegan("2027-03-05")).when(.lookAtClock, on: wall, then: what)
    }

    @Test func `is not taken back by a machine that boots in 1970 and sets its clock later`() {
        Scenario.opened()
            .when(.wakeUp, on: "1970-01-01", at: "00:01", then: [])
            .when(.lookAtClock, on: "2027-03-05", at: "08:00", then: [])
            .when(.wakeUp, on: "1970-01-01", at: "00:01", then: [])
            .when(.lookAtClock, on: "2027-03-06", at: "08:00", then: [.dayBegan("2027-03-06")])
    }

    @Test func `of a machine that first boots in 1970 is followed by one reminder of missed tasks`() {
        let late = Scenario()
            .having(.lookAtClock, on: "1970-01-01")
            .having(.take(.sample()))
            .when(
                .lookAtClock, on: "2027-03-13",
                then: [
                    .dayBegan("2027-03-13"), .reminds("2027-03-13/missed/2027-03-05", .sample("2027-03-05")),
                ])
        late.when(.wakeUp, on: "1970-01-01", at: "00:01", then: [])
            .when(.lookAtClock, on: "2027-03-13", at: "10:00", then: [])
    }

    @Test func `leaves its tasks locked again, until they unlock on their own day`() {
        Scenario.opened(.sample(), Self.soon)
            .when(
                .lookAtClock, on: "2027-03-09", at: "08:00",
                then: [.dayBegan("2027-03-09")] + Happening.opens(Self.soon, on: "2027-03-09")
            )
            .when(.lookAtClock, on: "2027-03-05", at: "08:00", then: [.dayTakenBack(to: "2027-03-05")])
            .then { #expect($0.standing("2") == .locked(.untilItsDay("2027-03-09"))) }
            .having(.lookAtClock, on: "2027-03-08", at: "18:00")
            .when(
                .lookAtClock, on: "2027-03-09", at: "00:00",
                then: [.dayBegan("2027-03-09"), .unlocked("2"), .reminds("2027-03-09/unlocked/2~1", Self.soon)])
    }

    @Test func `has reminders with other names than the true day's`() {
        Scenario.opened(.sample())
            .having(.lookAtClock, on: "2027-03-08", at: "09:00")
            .having(.lookAtClock, on: "2027-03-05", at: "08:00")
            .when(
                .lookAtClock, on: "2027-03-08", at: "09:00",
                then: [.dayBegan("2027-03-08"), .reminds("2027-03-08/overdue/09:00~1", .sample())])
    }

    @Test func `leaves earlier times of the true day settled`() {
        Scenario.opened()
            .having(.lookAtClock, on: "2027-03-08", at: "12:00")
            .when(.lookAtClock, on: "2027-03-05", at: "17:59", then: [.dayTakenBack(to: "2027-03-05")])
            .when(.lookAtClock, at: "18:00", then: [.reminds("2027-03-05/stillOpen/18:00~1", .sample())])
    }

    @Test func `has a flow through a task that is locked again set aside`() {
        Scenario.opened(.sample(), Self.soon)
            .having(.start(nil), on: "2027-03-09", at: "08:00")
            .having(.breathe)
            .when(
                .lookAtClock, on: "2027-03-05", at: "08:00", then: [.dayTakenBack(to: "2027-03-05"), .setAside("2")]
            )
            .then { #expect($0.standing("1") == .eligible(late: false, through: "2027-03-12")) }
    }

    @Test func `keeps a flow through a task that was open before, and counts the flow's days anew`() {
        Scenario.opened()
            .having(.start(nil), on: "2027-03-12", at: "08:00")
            .when(.lookAtClock, on: "2027-03-05", at: "08:00", then: [.dayTakenBack(to: "2027-03-05")])
            .then { #expect($0.plan.flow?.day == "2027-03-05") }
            .having(.lookAtClock, on: "2027-03-06", at: "18:00")
            .when(.lookAtClock, on: "2027-03-07", at: "00:00", then: [.dayBegan("2027-03-07"), .setAside("1")])
    }

    @Test func `keeps the tasks that were completed on it`() {
        Scenario.opened(.sample(), Self.soon)
            .having(.online(), on: "2027-03-09", at: "08:00")
            .having(.start(nil)).having(.leave).having(.logMood("calm"))
            .having(.lookAtClock, on: "2027-03-05", at: "08:00")
            .then {
                #expect($0.standing("2") == .completed(on: "2027-03-09", mood: "calm"))
                #expect($0.nextUnlock == nil)
                #expect($0.outlook.counts.completed == 1)
            }
    }
}

@Suite struct `A journey` {
    @Test func `east over the date line begins the next day early`() {
        Scenario.given(.dayBegan("2027-03-05"))
            .clock { $0.advance(by: .seconds(10 * 3_600)) }
            .clock { $0.offset = .seconds(14 * 3_600) }
            .when(.lookAtClock, then: [.dayBegan("2027-03-06")])
    }

    @Test func `west over the date line takes no day back`() {
        Scenario(by: Settings())
            .clock { $0 = VirtualClock("2027-03-05", "00:30", offset: .seconds(14 * 3_600)) }
            .having(.take(.sample()))
            .clock { $0.offset = .seconds(-12 * 3_600) }
            .then { #expect($0.clock.moment.day == "2027-03-03") }
            .when(.lookAtClock, then: [])
            .then { #expect($0.standing("2027-03-05") == .eligible(late: false, through: "2027-03-12")) }
    }
}
