import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkDaemon

/// A reminder is recorded, then sent, then recorded as sent. A daemon that is killed in between sends it at the next start.
@Suite struct ReminderSendingTests {
    private let nine = "2027-03-05/stillOpen/09:00"

    /// A daemon at 09:00. Earlier reminders are recorded as sent.
    private func morning(_ change: (Machine) -> Void = { _ in }) -> Machine {
        let machine = Machine.withSample()
        machine.clock.move(to: "2027-03-05", "09:00")
        change(machine)
        machine.ring()
        _ = machine.take()
        return machine
    }

    @Test func `sending a reminder is recorded with the next events, not before`() throws {
        let machine = morning()
        #expect(try machine.recordedAsSent == ["2027-03-05/scheduleTaken/1", "2027-03-05/unlocked/1"])
        let before = try transactions(inLogOf: machine.databaseFile)
        machine.ring(after: .seconds(60))
        #expect(try transactions(inLogOf: machine.databaseFile) == before)
        machine.ask(.online())
        #expect(try transactions(inLogOf: machine.databaseFile) == before + 1)
        #expect(try machine.recordedAsSent.last == nine)
    }

    @Test func `a reminder is sent once at the next start if the daemon was killed before it was sent`() throws {
        let machine = morning { $0.isDying = true }
        machine.clock.advance(by: .seconds(5))
        machine.restart()
        #expect(machine.take() == ["reminds \(nine)", "shows the status"])
        #expect(try machine.recorded.last == .reminds(nine, .sample()))
        machine.restart()
        #expect(machine.take() == ["shows the status"])
    }

    @Test func `a reminder is not sent again if the daemon was killed after it was sent`() throws {
        let machine = morning()
        machine.restart()
        #expect(machine.take() == ["shows the status"])
        machine.ask(.online())
        #expect(try machine.recordedAsSent.last == nine)
    }

    @Test func `a reminder that is recorded as sent is not looked for in the journal`() {
        let machine = morning()
        machine.ask(.start(nil))
        machine.journal = nil
        machine.restart()
        #expect(machine.take().filter { $0.hasPrefix("reminds") } == [])
    }

    @Test func `a reminder is sent a second time if the journal cannot be read`() {
        let machine = morning { $0.journal = nil }
        machine.restart()
        #expect(machine.take() == ["reminds \(nine)", "shows the status"])
    }

    @Test func `an orderly end records the sending, so that the journal is not needed`() throws {
        let machine = morning { $0.journal = nil }
        try machine.daemon.close()
        machine.restart()
        #expect(machine.take() == ["shows the status"])
        #expect(try machine.recordedAsSent.last == nine)
    }

    @Test func `a reminder that is too late is not sent`() {
        let machine = morning { $0.isDying = true }
        machine.clock.advance(by: .seconds(3 * 3_600 + 1))
        machine.restart()
        #expect(machine.take() == ["shows the status"])
    }

    @Test func `a reminder of a withdrawn task is not sent`() {
        let machine = morning { $0.isDying = true }
        machine.schedule = .sound(.of(), Fingerprint("none"))
        machine.restart()
        #expect(machine.take() == ["reminds 2027-03-05/scheduleTaken/2", "shows the status"])
    }

    @Test func `a reminder is not sent if a newer one replaces it`() {
        let machine = morning { $0.isDying = true }
        machine.configuration.settings.reminderMinutes = [540, 600]
        machine.clock.move(to: "2027-03-05", "10:30")
        machine.restart()
        #expect(machine.take() == ["reminds 2027-03-05/stillOpen/10:00", "shows the status"])
    }

    @Test func `a reminder is not sent in quiet hours`() {
        let machine = morning { $0.isDying = true }
        machine.configuration.settings.quietHours = QuietHours(from: 541, to: 600)
        machine.clock.move(to: "2027-03-05", "09:01")
        machine.restart()
        #expect(machine.take() == ["shows the status"])
    }

    @Test func `a reminder that this daemon sent is not sent again when the history is available again`() {
        let machine = morning { $0.journal = nil }
        machine.hideHistory()
        machine.ask(.online())
        machine.bringHistoryBack()
        machine.ring(after: Daemon.retryAfter)
        #expect(machine.take().filter { $0.hasPrefix("reminds") } == [])
    }
}
