import DaybreakInterfaces
import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkDaemon

/// A machine boots with a wrong clock, which is set right an hour later: the whole daemon, on a real history.
@Suite struct `A machine that boots with a wrong clock` {
    private static let second = Assignment.sample("2", due: "2027-03-06", position: 1)
    /// A task far in the future. A clock that is far ahead opens it.
    private static let third = Assignment.sample("3", due: "2098-01-01", position: 2)

    /// A machine with one task for 2027-03-05, one for the day after and one for 2098.
    private func machine(bootedOn day: CalendarDay, _ time: String) -> Machine {
        let machine = Machine()
        machine.schedule = .sound(
            .of(.sample("1"), .sample("2", due: "2027-03-06"), .sample("3", due: "2098-01-01")), Fingerprint("three"))
        machine.clock = VirtualClock(day, time)
        machine.ring()
        return machine
    }

    /// An hour later the clock is set right. The steady clock goes on.
    private func correct(_ machine: Machine, to day: CalendarDay, _ time: String) {
        machine.clock.advance(by: .seconds(3_600))
        machine.clock.set(to: day, time)
        machine.ring()
    }

    private func boot(_ machine: Machine, on day: CalendarDay) {
        machine.clock = VirtualClock(day, "00:01")
        machine.restart()
    }

    private func states(_ machine: Machine) -> [Homework.State] {
        let plan = machine.daemon.plan
        return plan.agenda.ordered.map {
            Homework.State(
                plan.standing(of: $0, eligible: plan.eligible(by: Settings()), by: Settings()))
        }
    }

    @Test func `in 1970 changes nothing, and today's task can be done`() throws {
        let machine = machine(bootedOn: "2027-03-05", "20:00")
        let before = try machine.recorded.count
        boot(machine, on: "1970-01-01")
        #expect(machine.status?.today == "2027-03-05")
        #expect(states(machine) == [.eligible, .locked, .locked])
        #expect(machine.ask(.start(nil), .cancel) == ["exercise", "no flow"])
        correct(machine, to: "2027-03-05", "21:01")
        #expect(try machine.recorded.dropFirst(before) == [.started("1", .calm), .cancelled("1")])
        correct(machine, to: "2027-03-06", "00:00")
        #expect(
            try machine.recorded.dropFirst(before + 2)
                == [.dayBegan("2027-03-06")] + Happening.opens(Self.second, on: "2027-03-06")[...])
    }

    @Test func `in 2098 locks the task of 2098 again, opens today's, and has all of it in the history`() throws {
        let machine = machine(bootedOn: "2027-03-05", "20:00")
        let before = try machine.recorded.count
        boot(machine, on: "2098-01-01")
        #expect(states(machine) == [.missed, .missed, .eligible])
        machine.ask(.start(nil))
        correct(machine, to: "2027-03-05", "21:01")
        #expect(machine.status?.today == "2027-03-05")
        #expect(states(machine) == [.eligible, .locked, .locked])
        correct(machine, to: "2027-03-06", "00:00")
        #expect(
            try machine.recorded.dropFirst(before) == [
                .dayBegan("2098-01-01"), .reminds("2098-01-01/missed/2", Self.second, count: 2), .unlocked("3"),
                .reminds("2098-01-01/unlocked/3", Self.third), .started("3", .calm),
                .dayTakenBack(to: "2027-03-05"), .setAside("3"),
                .dayBegan("2027-03-06"), .unlocked("2"), .reminds("2027-03-06/unlocked/2~1", Self.second),
            ])
    }

    /// They count as missed in 2098, and missed ones are kept.
    @Test func `in 2098 does not bring back tasks that the file dropped meanwhile`() throws {
        let machine = machine(bootedOn: "2027-03-05", "20:00")
        boot(machine, on: "2098-01-01")
        machine.schedule = .sound(.of(.sample("1"), .sample("3", due: "2098-01-01")), Fingerprint("two"))
        machine.daemon.scheduleFileChanged()
        #expect(states(machine) == [.missed, .missed, .eligible])
        let before = try machine.recorded.count
        correct(machine, to: "2027-03-05", "21:01")
        #expect(states(machine) == [.eligible, .locked])
        #expect(
            try machine.recorded.dropFirst(before) == [
                .dayTakenBack(to: "2027-03-05"), .withdrawn("2"),
                .scheduleTaken(
                    ScheduleChange(added: 0, changed: 0, withdrawn: 1, unchanged: 2, kept: 0), file: Fingerprint("two")),
                .reminds("2027-03-05/scheduleTaken/1~1", count: 2),
            ])
    }

    @Test func `on its very first day, in 1970, waits for the true day`() throws {
        let machine = machine(bootedOn: "1970-01-01", "00:01")
        #expect(states(machine) == [.locked, .locked, .locked])
        let before = try machine.recorded.count
        correct(machine, to: "2027-03-05", "08:00")
        #expect(states(machine) == [.eligible, .locked, .locked])
        #expect(
            try machine.recorded.dropFirst(before)
                == [.dayBegan("2027-03-05")] + Happening.opens(.sample(), on: "2027-03-05")[...])
    }

    @Test func `on its very first day, in 2098, takes the day back`() throws {
        let machine = machine(bootedOn: "2098-01-01", "00:01")
        #expect(states(machine) == [.missed, .missed, .eligible])
        let before = try machine.recorded.count
        correct(machine, to: "2027-03-05", "08:00")
        #expect(states(machine) == [.eligible, .locked, .locked])
        #expect(
            try machine.recorded.dropFirst(before) == [
                .dayTakenBack(to: "2027-03-05"), .unlocked("1"), .reminds("2027-03-05/unlocked/1~1", .sample()),
            ])
    }
}
