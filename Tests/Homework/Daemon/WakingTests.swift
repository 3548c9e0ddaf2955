import DaybreakInterfaces
import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkDaemon

@Suite struct WakingTests {
    private func at(_ time: String, _ day: CalendarDay = "2027-03-05") -> Instant { VirtualClock.instant(day, time) }

    @Test func `without an open task the daemon wakes when the day ends`() {
        let machine = Machine()
        machine.ring()
        #expect(machine.wake.wall == at("00:00", "2027-03-06"))
        #expect(machine.wake.steady == nil)
    }

    @Test func `with an open task the daemon wakes at the reminder times`() {
        let machine = Machine.withSample()
        #expect(machine.wake.wall == at("09:00"))
        machine.clock.move(to: "2027-03-05", "09:00")
        machine.ring()
        #expect(machine.wake.wall == at("18:00"))
        machine.clock.move(to: "2027-03-05", "18:00")
        machine.ring()
        #expect(machine.wake.wall == at("00:00", "2027-03-06"))
    }

    @Test func `the daemon wakes when a snooze ends, and when the provider's presence ends`() {
        let machine = Machine.withSample()
        machine.ask(.snooze(until: at("00:30")))
        #expect(machine.wake.wall == at("00:30"))
        machine.ask(.online(.seconds(600)))
        #expect(machine.wake.wall == at("00:10"))
        machine.ring(after: .seconds(600))
        #expect(machine.status?.providerOnline == false)
        #expect(machine.wake.wall == at("00:30"))
    }

    @Test func `during the exercise the daemon wakes at each phase`() {
        let machine = Machine.withSample()
        machine.ask(.start(nil), .breathe)
        #expect(machine.wake.steady == machine.clock.steady + .seconds(4))
        machine.ring(after: .seconds(4))
        #expect(machine.wake.steady == machine.clock.steady + .seconds(6))
        machine.ask(.pause)
        #expect(machine.wake.steady == nil)
    }

    @Test func `a late wake-up still begins the day and gives the reminder`() throws {
        let machine = Machine.withSample()
        machine.clock.move(to: "2027-03-09", "11:00")
        machine.ring()
        #expect(
            try machine.recorded.suffix(2) == [
                .dayBegan("2027-03-09"), .reminds("2027-03-09/overdue/09:00", .sample()),
            ])
        #expect(machine.status?.today == "2027-03-09")
        #expect(machine.wake.wall == at("18:00", "2027-03-09"))
    }

    @Test func `a call before the timer rings brings about everything that is due`() throws {
        let machine = Machine.withSample()
        #expect(machine.look() == "sound")
        machine.clock.move(to: "2027-03-05", "09:00")
        #expect(machine.look() == "sound")
        #expect(try machine.recorded.last == .reminds("2027-03-05/stillOpen/09:00", .sample()))
    }

    private func daysBegun(_ machine: Machine) throws -> [CalendarDay] {
        try machine.recorded.compactMap { if case .dayBegan(let day) = $0 { day } else { nil } }
    }

    @Test func `a call right after midnight begins the day, however close the call before it was`() throws {
        let machine = Machine.withSample()
        machine.clock.move(to: "2027-03-05", "23:59:59")
        machine.clock.advance(by: .microseconds(999_999))
        #expect(machine.look() == "sound")
        #expect(try daysBegun(machine) == ["2027-03-05"])
        machine.clock.advance(by: .microseconds(1))
        #expect(machine.look() == "sound")
        #expect(try daysBegun(machine) == ["2027-03-05", "2027-03-06"])
    }

    @Test func `an unnoticed change of zone is found by the next command or read`() throws {
        let machine = Machine.withSample()
        machine.clock.offset = .seconds(86_400)
        machine.ask(.offline)
        #expect(try daysBegun(machine) == ["2027-03-05", "2027-03-06"])
        machine.clock.offset = .seconds(2 * 86_400)
        #expect(machine.look() == "sound")
        #expect(try daysBegun(machine) == ["2027-03-05", "2027-03-06", "2027-03-07"])
    }

    @Test func `a clock that is set back keeps the day, and the daemon wakes at the next reminder time`() {
        let machine = Machine.withSample()
        machine.clock.set(to: "2027-03-04", "12:00")
        machine.ring()
        #expect(machine.status?.today == "2027-03-05")
        #expect(machine.wake.wall == at("09:00"))
    }

    @Test func `while the wall repeats an hour no wake-up is set in the past`() throws {
        let machine = Machine.withSample()
        machine.schedule = .missing
        machine.ask(.start(nil), .online(), .join, .leave, .logMood("calm"))
        machine.clock.move(to: "2027-03-05", "09:30")
        machine.ring()
        // The wall goes back from 09:30 to 08:30, and then a task opens.
        machine.clock.offset = .seconds(-3_600)
        machine.ask(.take(.sample("1"), .sample("2")))
        let wake = try #require(machine.wake.wall)
        #expect(wake > machine.clock.instant)
        // The daemon wakes in between. The reminder comes when the wall shows its time again.
        for _ in 1...60
        where try !machine.recorded.contains(.reminds("2027-03-05/stillOpen/09:00", .sample("2", position: 1))) {
            machine.clock.advance(by: try #require(machine.wake.wall) - machine.clock.instant)
            machine.ring()
        }
        #expect(machine.clock.moment.wall == WallTime(day: "2027-03-05", minute: 540))
    }

    @Test func `the daemon does not spin if the last breath cannot be recorded`() throws {
        let machine = Machine.withSample(breaths: 1)
        machine.ask(.start(nil), .breathe)
        machine.hideHistory()
        machine.ring(after: .seconds(10))
        #expect(machine.wake.steady == machine.clock.steady + Daemon.retryAfter)
    }

    @Test func `the daemon does not spin if the end of a snooze cannot be recorded`() throws {
        let machine = Machine.withSample()
        machine.ask(.snooze(until: at("00:30")))
        machine.hideHistory()
        machine.ring(after: .seconds(1_800))
        #expect(machine.wake.wall.map { $0 > machine.clock.instant } ?? true)
        #expect(machine.wake.steady == machine.clock.steady + Daemon.retryAfter)
    }

    @Test func `another zone is shown even if nothing else has changed`() {
        let machine = Machine.withSample()
        machine.spelling = Spelling(
            instant: { "\($0.microseconds / 1_000_000) elsewhere" }, start: Spelling.utc.start, at: Spelling.utc.at)
        machine.ring()
        #expect(machine.take() == ["shows the status"])
        #expect(machine.status?.nextReminder == "1804237200 elsewhere")
    }
}
