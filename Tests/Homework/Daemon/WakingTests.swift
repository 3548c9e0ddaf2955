import DaybreakInterfaces
import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkDaemon

@Suite struct WakingTests {
    private func at(_ time: String, _ day: CalendarDay = "2027-03-05") -> Instant { VirtualClock.instant(day, time) }

    @Test func `with nothing open it wakes when the day turns`() {
        let machine = Machine()
        machine.ring()
        #expect(machine.wake.wall == at("00:00", "2027-03-06"))
        #expect(machine.wake.steady == nil)
    }

    @Test func `with a task open it wakes at the times for reminders`() {
        let machine = Machine.withSample()
        #expect(machine.wake.wall == at("09:00"))
        machine.clock.move(to: "2027-03-05", "09:00")
        machine.ring()
        #expect(machine.wake.wall == at("18:00"))
        machine.clock.move(to: "2027-03-05", "18:00")
        machine.ring()
        #expect(machine.wake.wall == at("00:00", "2027-03-06"))
    }

    @Test func `it wakes when a snooze ends, and when the word about the provider does`() {
        let machine = Machine.withSample()
        machine.ask(.snooze(until: at("00:30")))
        #expect(machine.wake.wall == at("00:30"))
        machine.ask(.online(.seconds(600)))
        #expect(machine.wake.wall == at("00:10"))
        machine.ring(after: .seconds(600))
        #expect(machine.status?.providerOnline == false)
        #expect(machine.wake.wall == at("00:30"))
    }

    @Test func `through an exercise it wakes at each phase`() {
        let machine = Machine.withSample()
        machine.ask(.start(nil), .breathe)
        #expect(machine.wake.steady == machine.clock.steady + .seconds(4))
        machine.ring(after: .seconds(4))
        #expect(machine.wake.steady == machine.clock.steady + .seconds(6))
        machine.ask(.pause)
        #expect(machine.wake.steady == nil)
    }

    @Test func `a wake that comes late turns the day all the same`() throws {
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

    @Test func `whoever looks before the timer rings has brought about what has fallen due`() throws {
        let machine = Machine.withSample()
        #expect(machine.look() == "sound")
        machine.clock.move(to: "2027-03-05", "09:00")
        #expect(machine.look() == "sound")
        #expect(try machine.recorded.last == .reminds("2027-03-05/stillOpen/09:00", .sample()))
    }

    private func daysBegun(_ machine: Machine) throws -> [CalendarDay] {
        try machine.recorded.compactMap { if case .dayBegan(let day) = $0 { day } else { nil } }
    }

    @Test func `whoever looks right after midnight has turned the day, however short before it others looked`() throws {
        let machine = Machine.withSample()
        machine.clock.move(to: "2027-03-05", "23:59:59")
        machine.clock.advance(by: .microseconds(999_999))
        #expect(machine.look() == "sound")
        #expect(try daysBegun(machine) == ["2027-03-05"])
        machine.clock.advance(by: .microseconds(1))
        #expect(machine.look() == "sound")
        #expect(try daysBegun(machine) == ["2027-03-05", "2027-03-06"])
    }

    @Test func `a new zone that nobody told of is found by who does something at once, by who looks in a second`()
        throws
    {
        let machine = Machine.withSample()
        machine.clock.offset = .seconds(86_400)
        #expect(machine.look() == "sound")
        #expect(try daysBegun(machine) == ["2027-03-05"])
        machine.ask(.offline)
        #expect(try daysBegun(machine) == ["2027-03-05", "2027-03-06"])
        machine.clock.offset = .seconds(2 * 86_400)
        machine.clock.advance(by: .seconds(1))
        #expect(machine.look() == "sound")
        #expect(try daysBegun(machine) == ["2027-03-05", "2027-03-06", "2027-03-07"])
    }

    @Test func `a clock that was set back holds the day, and wakes at the next one`() {
        let machine = Machine.withSample()
        machine.clock.set(to: "2027-03-04", "12:00")
        machine.ring()
        #expect(machine.status?.today == "2027-03-05")
        #expect(machine.wake.wall == at("09:00"))
    }

    @Test func `where the wall shows a time again no wake is set in the past`() throws {
        let machine = Machine.withSample()
        machine.schedule = .missing
        machine.ask(.start(nil), .online(), .join, .leave, .logMood("calm"))
        machine.clock.move(to: "2027-03-05", "09:30")
        machine.ring()
        // An hour comes twice: the wall goes back from 09:30 to 08:30, and then something opens.
        machine.clock.offset = .seconds(-3_600)
        machine.ask(.take(.sample("1"), .sample("2")))
        let wake = try #require(machine.wake.wall)
        #expect(wake > machine.clock.instant)
        // Whenever it wakes until then, and it does wake: the reminder comes when the wall shows its time again.
        for _ in 1...60
        where try !machine.recorded.contains(.reminds("2027-03-05/stillOpen/09:00", .sample("2", position: 1))) {
            machine.clock.advance(by: try #require(machine.wake.wall) - machine.clock.instant)
            machine.ring()
        }
        #expect(machine.clock.moment.wall == WallTime(day: "2027-03-05", minute: 540))
    }

    @Test func `the last breath that cannot be recorded does not spin`() throws {
        let machine = Machine.withSample(breaths: 1)
        machine.ask(.start(nil), .breathe)
        machine.hideHistory()
        machine.ring(after: .seconds(10))
        #expect(machine.wake.steady == machine.clock.steady + Daemon.retryAfter)
    }

    @Test func `a snooze whose end cannot be recorded does not spin`() throws {
        let machine = Machine.withSample()
        machine.ask(.snooze(until: at("00:30")))
        machine.hideHistory()
        machine.ring(after: .seconds(1_800))
        #expect(machine.wake.wall.map { $0 > machine.clock.instant } ?? true)
        #expect(machine.wake.steady == machine.clock.steady + Daemon.retryAfter)
    }

    @Test func `another zone is shown, also where nothing else has changed`() {
        let machine = Machine.withSample()
        machine.spelling = Spelling(
            instant: { "\($0.microseconds / 1_000_000) elsewhere" }, start: Spelling.utc.start, at: Spelling.utc.at)
        machine.ring()
        #expect(machine.take() == ["shows the status"])
        #expect(machine.status?.nextReminder == "1804237200 elsewhere")
    }
}
