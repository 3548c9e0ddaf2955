import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

private func taken(
    added: Int = 0, changed: Int = 0, withdrawn: Int = 0, unchanged: Int = 0, kept: Int = 0, file: String? = nil
) -> Happening {
    .scheduleTaken(
        ScheduleChange(added: added, changed: changed, withdrawn: withdrawn, unchanged: unchanged, kept: kept),
        file: file.map(Fingerprint.init))
}

private func tells(_ number: Int, of count: Int) -> Happening {
    .reminds("2027-03-01/scheduleTaken/\(number)", count: count)
}

/// 2027-03-01, after a schedule of these entries was taken in.
private func planned(_ entries: Schedule.Entry...) -> Scenario {
    Scenario.given(.dayBegan("2027-03-01")).having(.takeSchedule(.of(entries), file: nil))
}

@Suite struct `Taking in a schedule` {
    @Test func `assigns its entries, with ids made from their days`() {
        Scenario.given(.dayBegan("2027-03-01")).when(
            .take(.sample(), .sample(breaths: 6), .sample(due: "2027-03-06"), file: "a"),
            then: [
                .assigned(.sample("2027-03-05")), .assigned(.sample("2027-03-05.2", breaths: 6, position: 1)),
                .assigned(.sample("2027-03-06", due: "2027-03-06")), taken(added: 3, file: "a"), tells(1, of: 3),
            ])
    }

    @Test func `a second time changes nothing and gives no reminder`() {
        Scenario.given(.dayBegan("2027-03-01")).having(.take(.sample(), file: "a"))
            .when(.take(.sample(), file: "a"), then: [])
            .when(.take(.sample()), then: [])
    }

    @Test func `with the same content in another file remembers the new file`() {
        Scenario.given(.dayBegan("2027-03-01")).having(.take(.sample(), file: "a"))
            .when(.take(.sample(), file: "b"), then: [taken(unchanged: 1, file: "b")])
            .then { #expect($0.plan.scheduleFile == Fingerprint("b")) }
    }

    @Test func `by hand does not forget the file`() {
        Scenario.given(.dayBegan("2027-03-01")).having(.take(.sample(), file: "a"))
            .having(.take(.sample(breaths: 6)))
            .then { #expect($0.plan.scheduleFile == Fingerprint("a")) }
    }

    @Test func `with the entries reordered changes nothing`() {
        planned(.sample(), .sample(due: "2027-03-06"), .sample(due: "2027-03-07"))
            .when(.take(.sample(due: "2027-03-07"), .sample(), .sample(due: "2027-03-06")), then: [])
    }

    @Test func `with an entry added on top adds one assignment`() {
        planned(.sample(), .sample(due: "2027-03-06")).when(
            .take(.sample(due: "2027-03-04"), .sample(), .sample(due: "2027-03-06")),
            then: [
                .assigned(.sample("2027-03-04", due: "2027-03-04")), taken(added: 1, unchanged: 2), tells(2, of: 3),
            ])
    }

    @Test func `with an entry added on top of its day moves the day's other one`() {
        planned(.sample()).when(
            .take(.sample(breaths: 9), .sample()),
            then: [
                .assigned(.sample("2027-03-05.2", breaths: 9)), .moved("2027-03-05", position: 1),
                taken(added: 1, unchanged: 1), tells(2, of: 2),
            ])
    }

    @Test func `with other breaths or moods changes an assignment that was not begun`() {
        planned(.sample()).when(
            .take(.sample(breaths: 7, moods: ["fine"])),
            then: [
                .revised(.sample("2027-03-05", breaths: 7, moods: ["fine"])), taken(changed: 1), tells(2, of: 1),
            ])
    }

    @Test func `with another day makes another assignment`() {
        planned(.sample()).when(
            .take(.sample(due: "2027-03-06")),
            then: [
                .assigned(.sample("2027-03-06", due: "2027-03-06")), .withdrawn("2027-03-05"),
                taken(added: 1, withdrawn: 1), tells(2, of: 1),
            ])
    }

    @Test func `without an entry withdraws an assignment that was not begun`() {
        planned(.sample(), .sample(due: "2027-03-06")).when(
            .take(.sample()), then: [.withdrawn("2027-03-06"), taken(withdrawn: 1, unchanged: 1), tells(2, of: 1)])
    }

    @Test func `without entries withdraws everything`() {
        planned(.sample())
            .when(.take(), then: [.withdrawn("2027-03-05"), taken(withdrawn: 1), tells(2, of: 0)])
            .then { #expect($0.plan.agenda.ordered == []) }
    }

    @Test func `with a withdrawn entry assigns it again under its old id`() {
        planned(.sample()).having(.take())
            .when(.take(.sample()), then: [.assigned(.sample("2027-03-05")), taken(added: 1), tells(3, of: 1)])
    }

    @Test func `never withdraws or changes an assignment that was begun`() {
        for scenario in [Scenario.begun(), .waiting, .inSession, .atTheMood, .completed, .begun().having(.cancel)] {
            scenario.when(.take(), then: [])
                .when(.take(file: "a"), then: [taken(kept: 1, file: "a")])
                .when(.take(.sample("1", breaths: 9), file: "b"), then: [taken(kept: 1, file: "b")])
                .then { #expect($0.plan.agenda.ordered == [.sample()]) }
        }
    }

    @Test func `never withdraws an assignment that was missed`() {
        let missed = planned(.sample(), .sample(due: "2027-03-20")).having(.lookAtClock, on: "2027-03-05")
            .having(.lookAtClock, on: "2027-03-13")
        missed.when(
            .take(.sample(due: "2027-03-15")),
            then: [
                .assigned(.sample("2027-03-15", due: "2027-03-15")), .withdrawn("2027-03-20"),
                taken(added: 1, withdrawn: 1, kept: 1),
                .reminds("2027-03-13/scheduleTaken/1", count: 1),
            ]
        )
        .then {
            #expect($0.standing("2027-03-05") == .missed(after: "2027-03-12"))
            #expect([$0.outlook.counts.missed, $0.outlook.counts.locked] == [1, 1])
        }
    }

    @Test func `keeps what was missed while the machine was off`() {
        planned(.sample()).having(.lookAtClock, on: "2027-04-01").when(
            .take(file: "a"), then: [taken(kept: 1, file: "a")])
    }

    /// It waited behind the older one until both were missed.
    @Test func `keeps one that came late, could still be done, and was missed`() {
        Scenario.given(.dayBegan("2027-03-07"))
            .having(.takeSchedule(.of([.sample(), .sample(due: "2027-03-06")]), file: nil))
            .having(.lookAtClock, on: "2027-03-20")
            .then { #expect($0.plan.progress["2027-03-06"]?.unlockedOn == nil) }
            .when(.take(file: "a"), then: [taken(kept: 2, file: "a")])
    }

    @Test func `keeps one that came a few days late, whatever the grace is later`() {
        Scenario.given(.dayBegan("2027-03-07")).having(
            .takeSchedule(.of([.sample(), .sample(due: "2027-03-07")]), file: nil)
        )
        .by(Settings(graceDays: 0)).having(.lookAtClock, on: "2027-03-08")
        .when(.take(file: "a"), then: [taken(kept: 2, file: "a")])
    }

    @Test func `keeps what was missed, and was changed more than four weeks after its day`() {
        planned(.sample()).having(.lookAtClock, on: "2027-04-20")
            .having(.takeSchedule(.of([.sample(moods: ["fine"])]), file: nil))
            .when(.take(file: "a"), then: [taken(kept: 1, file: "a")])
    }

    /// Such as a year that was mistyped: nobody could do it.
    @Test func `withdraws what came four weeks after its day`() {
        Scenario.given(.dayBegan("2027-04-20")).having(.takeSchedule(.of([.sample()]), file: nil))
            .when(
                .take(),
                then: [.withdrawn("2027-03-05"), taken(withdrawn: 1), .reminds("2027-04-20/scheduleTaken/2", count: 0)]
            )
    }

    @Test func `withdraws a late assignment that can still be done`() {
        planned(.sample()).having(.lookAtClock, on: "2027-03-12").when(
            .take(),
            then: [.withdrawn("2027-03-05"), taken(withdrawn: 1), .reminds("2027-03-12/scheduleTaken/1", count: 0)])
    }

    @Test func `matches a begun assignment with another entry of its day, if neither has an id`() {
        planned(.sample()).having(.start(nil), on: "2027-03-05")
            .when(.take(.sample(breaths: 9, moods: ["fine"])), then: [])
            .then { #expect($0.plan.agenda.ordered == [.sample("2027-03-05")]) }
    }

    @Test func `unlocks a task for today`() {
        let entry = Schedule.Entry.sample(due: "2027-03-01")
        let assignment = Assignment.sample("2027-03-01", due: "2027-03-01")
        Scenario.given(.dayBegan("2027-03-01")).when(
            .take(entry), at: "10:00",
            then: [.assigned(assignment), taken(added: 1), tells(1, of: 1)]
                + Happening.opens(assignment, on: "2027-03-01"))
    }

    @Test func `can be tried without effect`() {
        let plan = planned(.sample(), .sample(due: "2027-03-06")).plan
        #expect(
            plan.change(by: .of(.sample(breaths: 9), .sample(due: "2027-03-07")), settings: Settings())
                == ScheduleChange(added: 1, changed: 1, withdrawn: 1, unchanged: 0, kept: 0))
    }
}

@Suite struct `A refused schedule` {
    @Test func `gives one reminder for each text`() {
        Scenario.given(.dayBegan("2027-03-01"))
            .when(
                .refuseSchedule(file: Fingerprint("bad")),
                then: [.scheduleRefused(file: Fingerprint("bad")), .reminds("2027-03-01/scheduleRefused/1")]
            )
            .when(.refuseSchedule(file: Fingerprint("bad")), then: [])
            .when(
                .refuseSchedule(file: Fingerprint("worse")),
                then: [.scheduleRefused(file: Fingerprint("worse")), .reminds("2027-03-01/scheduleRefused/2")])
    }

    @Test func `gives a reminder each time if it has no text`() {
        Scenario.given(.dayBegan("2027-03-01"))
            .when(
                .refuseSchedule(file: nil),
                then: [.scheduleRefused(file: nil), .reminds("2027-03-01/scheduleRefused/1")]
            )
            .when(
                .refuseSchedule(file: nil),
                then: [.scheduleRefused(file: nil), .reminds("2027-03-01/scheduleRefused/2")])
    }

    /// The pattern that it names is in the settings no more.
    @Test func `was perhaps taken in before, and is taken in again when other settings have mended it`() {
        let refused = Scenario.given(.dayBegan("2027-03-01")).having(.take(.sample(), file: "a"))
            .when(
                .refuseSchedule(file: Fingerprint("a")),
                then: [.scheduleRefused(file: Fingerprint("a")), .reminds("2027-03-01/scheduleRefused/1")]
            )
            .when(.refuseSchedule(file: Fingerprint("a")), then: [])
        #expect(refused.plan.isScheduleRefused)
        refused.when(.take(.sample(), file: "a"), then: [taken(unchanged: 1, file: "a")])
            .then { #expect(!$0.plan.isScheduleRefused) }
    }

    @Test func `leaves the flow and the schedule alone`() {
        Scenario.guided.having(.refuseSchedule(file: Fingerprint("bad"))).then {
            #expect($0.standing("1") == .inProgress(.exercise))
            #expect($0.plan.agenda.ordered == [.sample()])
        }
    }
}
