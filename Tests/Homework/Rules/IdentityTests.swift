import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

/// 2027-03-01, with what these entries came to.
private func planned(_ entries: Schedule.Entry...) -> Scenario {
    Scenario.given(.dayBegan("2027-03-01")).having(.takeSchedule(.of(entries), file: nil))
}

extension Scenario {
    /// What a schedule comes to for the assignments.
    fileprivate func takes(_ entries: Schedule.Entry...) -> [Happening] {
        let before = history.count
        return having(.takeSchedule(.of(entries), file: nil)).history[before...].map(\.what).filter {
            switch $0 {
            case .scheduleTaken, .reminded: false
            default: true
            }
        }
    }
}

@Suite struct `Which assignment an entry is` {
    @Test func `follows its name through any change, of day too`() {
        #expect(
            planned(.sample("a"), .sample("b")).takes(
                .sample("b", due: "2027-03-09", breaths: 1, moods: ["x"]), .sample("a"))
                == [.revised(.sample("b", due: "2027-03-09", breaths: 1, moods: ["x"]))])
    }

    @Test func `follows what it says where it has no name, whatever its line`() {
        #expect(
            planned(.sample(breaths: 1), .sample(breaths: 2))
                .takes(.sample(breaths: 2), .sample(breaths: 1))
                == [.moved("2027-03-05.2", position: 0), .moved("2027-03-05", position: 1)])
    }

    @Test func `follows its day where it says something else`() {
        #expect(
            planned(.sample(breaths: 1), .sample(breaths: 2)).takes(.sample(breaths: 2), .sample(breaths: 3))
                == [
                    .moved("2027-03-05.2", position: 0),
                    .revised(.sample("2027-03-05", breaths: 3, position: 1)),
                ])
    }

    @Test func `another pattern is another thing to say, and moving keeps it`() {
        #expect(
            planned(.sample("a", pattern: .box)).takes(.sample("a"), .sample("b")) == [
                .revised(.sample("a")), .assigned(.sample("b", position: 1)),
            ])
        let moved = planned(.sample("a", pattern: .box), .sample("b"))
            .having(.take(.sample("b"), .sample("a", pattern: .box)))
        #expect(moved.plan.agenda["a"] == .sample("a", pattern: .box, position: 1))
    }

    @Test func `two alike on one day are two, and stay two`() {
        let two = planned(.sample(), .sample())
        #expect(two.plan.agenda.ordered.map(\.id) == ["2027-03-05", "2027-03-05.2"])
        #expect(two.takes(.sample(), .sample()) == [])
        #expect(two.takes(.sample()) == [.withdrawn("2027-03-05.2")])
        #expect(two.takes(.sample(), .sample(), .sample()) == [.assigned(.sample("2027-03-05.3", position: 2))])
    }

    @Test func `a name given to what was named by its day changes nothing`() {
        let scenario = planned(.sample())
        #expect(scenario.takes(.sample("a")) == [])
        #expect(
            scenario.takes(.sample("a", breaths: 9)) == [
                .assigned(.sample("a", breaths: 9)), .withdrawn("2027-03-05"),
            ])
    }

    @Test func `a name given to the second of two alike does not make it a third`() {
        #expect(planned(.sample("a"), .sample()).takes(.sample("a"), .sample("b")) == [])
        #expect(
            planned(.sample("a"), .sample()).takes(.sample("b")) == [
                .moved("2027-03-05", position: 0), .withdrawn("a"),
            ])
    }

    @Test func `another name is another assignment`() {
        #expect(
            planned(.sample("a")).takes(.sample("b")) == [.assigned(.sample("b")), .withdrawn("a")])
    }

    @Test func `a name taken away changes nothing while it says the same`() {
        #expect(planned(.sample("a")).takes(.sample()) == [])
        #expect(
            planned(.sample("a")).takes(.sample(breaths: 9))
                == [.assigned(.sample("2027-03-05", breaths: 9)), .withdrawn("a")])
    }

    @Test func `a name wins over what says the same`() {
        #expect(
            planned(.sample("a", breaths: 1), .sample("b", breaths: 2))
                .takes(.sample("b", breaths: 1), .sample("a", breaths: 2))
                == [.revised(.sample("b", breaths: 1)), .revised(.sample("a", breaths: 2, position: 1))])
    }

    @Test func `a name that looks like a day's is passed over by those that are named by their day`() {
        #expect(
            planned().takes(.sample(), .sample("2027-03-05", due: "2027-04-01"))
                == [
                    .assigned(.sample("2027-03-05.2")), .assigned(.sample("2027-03-05", due: "2027-04-01")),
                ])
        #expect(
            planned(.sample("2027-03-05", due: "2027-04-01"))
                .takes(.sample("2027-03-05", due: "2027-04-01"), .sample())
                == [.assigned(.sample("2027-03-05.2"))])
    }

    @Test func `what is withdrawn with the same schedule keeps its name to itself`() {
        #expect(
            planned(.sample("2027-03-05", due: "2027-04-01")).takes(.sample(breaths: 9))
                == [.assigned(.sample("2027-03-05.2", breaths: 9)), .withdrawn("2027-03-05")])
    }

    @Test func `reordering keeps what is in progress and what is completed`() {
        let first = Schedule.Entry.sample(breaths: 1)
        let second = Schedule.Entry.sample(breaths: 2)
        let scenario = planned(first, second).having(.online(), on: "2027-03-05", at: "08:00").having(.start(nil))
        #expect(
            scenario.takes(second, first) == [
                .moved("2027-03-05.2", position: 0), .moved("2027-03-05", position: 1),
            ])
        let completed = scenario.having(.leave).having(.logMood("calm")).having(.take(second, first))
        #expect(completed.standing("2027-03-05") == .completed(on: "2027-03-05", mood: "calm"))
        #expect(completed.standing("2027-03-05.2") == .eligible(late: false, through: "2027-03-12"))
    }
}

@Suite(.hangGuard) struct `A schedule as long as one may be` {
    static let limit = Schedule.entryLimit

    @Test func `is replaced by another as long`() {
        let first = Schedule.of((0..<Self.limit).map { .sample(due: "2027-03-05" + $0) })
        let second = Schedule.of((0..<Self.limit).map { .sample(due: "2027-03-05" + $0, breaths: 9, moods: ["x"]) })
        let third = Schedule.of((0..<Self.limit).map { .sample("x\($0)", due: "2027-03-05" + $0) })
        var scenario = Scenario.given(.dayBegan("2027-03-01"))
        for (schedule, change) in [
            (first, ScheduleChange(added: Self.limit, changed: 0, withdrawn: 0, unchanged: 0, kept: 0)),
            (second, ScheduleChange(added: 0, changed: Self.limit, withdrawn: 0, unchanged: 0, kept: 0)),
            (third, ScheduleChange(added: Self.limit, changed: 0, withdrawn: Self.limit, unchanged: 0, kept: 0)),
        ] {
            scenario = scenario.having(.takeSchedule(schedule, file: nil))
            let taken = scenario.history.compactMap {
                if case .scheduleTaken(let change, _) = $0.what { change } else { nil }
            }
            #expect(taken.last == change)
            #expect(scenario.plan.agenda.ordered.count == Self.limit)
        }
    }

    @Test func `may all fall on one day`() {
        let schedule = Schedule.of((0..<Self.limit).map { _ in .sample() })
        let scenario = Scenario.given(.dayBegan("2027-03-01")).having(.takeSchedule(schedule, file: nil))
        #expect(scenario.plan.agenda.ordered.last == .sample("2027-03-05.100000", position: 99_999))
        #expect(
            scenario.plan.change(by: schedule)
                == ScheduleChange(added: 0, changed: 0, withdrawn: 0, unchanged: Self.limit, kept: 0))
    }
}
