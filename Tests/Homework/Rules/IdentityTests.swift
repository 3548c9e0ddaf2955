import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

/// 2027-03-01, after a schedule of these entries was taken in.
private func planned(_ entries: Schedule.Entry...) -> Scenario {
    Scenario.given(.dayBegan("2027-03-01")).having(.takeSchedule(.of(entries), file: nil))
}

extension Scenario {
    /// The events of assignments when a schedule of these entries is taken in.
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

@Suite struct `An entry of a schedule` {
    @Test func `is matched by its id, even if its day changes`() {
        #expect(
            planned(.sample("a"), .sample("b")).takes(
                .sample("b", due: "2027-03-09", breaths: 1, moods: ["x"]), .sample("a"))
                == [.revised(.sample("b", due: "2027-03-09", breaths: 1, moods: ["x"]))])
    }

    @Test func `is matched by its content if it has no id, whatever its line`() {
        #expect(
            planned(.sample(breaths: 1), .sample(breaths: 2))
                .takes(.sample(breaths: 2), .sample(breaths: 1))
                == [.moved("2027-03-05.2", position: 0), .moved("2027-03-05", position: 1)])
    }

    @Test func `is matched by its day if its content is new`() {
        #expect(
            planned(.sample(breaths: 1), .sample(breaths: 2)).takes(.sample(breaths: 2), .sample(breaths: 3))
                == [
                    .moved("2027-03-05.2", position: 0),
                    .revised(.sample("2027-03-05", breaths: 3, position: 1)),
                ])
    }

    @Test func `has its pattern as part of its content, and keeps it when it is moved`() {
        #expect(
            planned(.sample("a", pattern: .box)).takes(.sample("a"), .sample("b")) == [
                .revised(.sample("a")), .assigned(.sample("b", position: 1)),
            ])
        let moved = planned(.sample("a", pattern: .box), .sample("b"))
            .having(.take(.sample("b"), .sample("a", pattern: .box)))
        #expect(moved.plan.agenda["a"] == .sample("a", pattern: .box, position: 1))
    }

    @Test func `that has an equal one on the same day stays a second assignment`() {
        let two = planned(.sample(), .sample())
        #expect(two.plan.agenda.ordered.map(\.id) == ["2027-03-05", "2027-03-05.2"])
        #expect(two.takes(.sample(), .sample()) == [])
        #expect(two.takes(.sample()) == [.withdrawn("2027-03-05.2")])
        #expect(two.takes(.sample(), .sample(), .sample()) == [.assigned(.sample("2027-03-05.3", position: 2))])
    }

    @Test func `stays the same assignment when it is given an id`() {
        let scenario = planned(.sample())
        #expect(scenario.takes(.sample("a")) == [])
        #expect(
            scenario.takes(.sample("a", breaths: 9)) == [
                .assigned(.sample("a", breaths: 9)), .withdrawn("2027-03-05"),
            ])
    }

    @Test func `stays the second of two equal ones when it is given an id`() {
        #expect(planned(.sample("a"), .sample()).takes(.sample("a"), .sample("b")) == [])
        #expect(
            planned(.sample("a"), .sample()).takes(.sample("b")) == [
                .moved("2027-03-05", position: 0), .withdrawn("a"),
            ])
    }

    @Test func `with another id is another assignment`() {
        #expect(
            planned(.sample("a")).takes(.sample("b")) == [.assigned(.sample("b")), .withdrawn("a")])
    }

    @Test func `stays the same assignment when its id is removed and its content is not changed`() {
        #expect(planned(.sample("a")).takes(.sample()) == [])
        #expect(
            planned(.sample("a")).takes(.sample(breaths: 9))
                == [.assigned(.sample("2027-03-05", breaths: 9)), .withdrawn("a")])
    }

    @Test func `is matched by its id rather than by its content`() {
        #expect(
            planned(.sample("a", breaths: 1), .sample("b", breaths: 2))
                .takes(.sample("b", breaths: 1), .sample("a", breaths: 2))
                == [.revised(.sample("b", breaths: 1)), .revised(.sample("a", breaths: 2, position: 1))])
    }

    @Test func `without an id does not take an id that another entry has`() {
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

    @Test func `without an id does not take the id of an assignment that the same schedule withdraws`() {
        #expect(
            planned(.sample("2027-03-05", due: "2027-04-01")).takes(.sample(breaths: 9))
                == [.assigned(.sample("2027-03-05.2", breaths: 9)), .withdrawn("2027-03-05")])
    }

    @Test func `keeps its progress and its completion when the entries are reordered`() {
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

@Suite(.hangGuard) struct `A schedule of the greatest length` {
    static let limit = Schedule.entryLimit

    @Test func `is replaced by another of the same length`() {
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
                if case .scheduleTaken(let change, _, _) = $0.what { change } else { nil }
            }
            #expect(taken.last == change)
            #expect(scenario.plan.agenda.ordered.count == Self.limit)
        }
    }

    @Test func `may have all of its entries on one day`() {
        let schedule = Schedule.of((0..<Self.limit).map { _ in .sample() })
        let scenario = Scenario.given(.dayBegan("2027-03-01")).having(.takeSchedule(schedule, file: nil))
        #expect(scenario.plan.agenda.ordered.last == .sample("2027-03-05.100000", position: 99_999))
        #expect(
            scenario.plan.change(by: schedule, settings: Settings())
                == ScheduleChange(added: 0, changed: 0, withdrawn: 0, unchanged: Self.limit, kept: 0))
    }
}
