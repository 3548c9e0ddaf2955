import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkDaemon

/// A reminder is recorded, then sent, then noted as sent: killed in between, the daemon sends what was not sent.
@Suite struct SendingTests {
    private let nine = "2027-03-05/stillOpen/09:00"

    /// At nine, with everything before noted as sent.
    private func morning(_ change: (Machine) -> Void = { _ in }) -> Machine {
        let machine = Machine.withSample()
        machine.clock.move(to: "2027-03-05", "09:00")
        change(machine)
        machine.ring()
        _ = machine.take()
        return machine
    }

    @Test func `that it was sent is noted with the next that is recorded, not before`() throws {
        let machine = morning()
        #expect(try machine.recordedAsSent == ["2027-03-05/scheduleTaken/1", "2027-03-05/unlocked/1"])
        let before = try transactions(inLogOf: machine.databaseFile)
        machine.ring(after: .seconds(60))
        #expect(try transactions(inLogOf: machine.databaseFile) == before)
        machine.ask(.online())
        #expect(try transactions(inLogOf: machine.databaseFile) == before + 1)
        #expect(try machine.recordedAsSent.last == nine)
    }

    @Test func `killed before it was sent, it is sent at the next start, once`() throws {
        let machine = morning { $0.isDying = true }
        machine.clock.advance(by: .seconds(5))
        machine.restart()
        #expect(machine.take() == ["reminds \(nine)", "shows the status"])
        #expect(try machine.recorded.last == .reminds(nine, .sample()))
        machine.restart()
        #expect(machine.take() == ["shows the status"])
    }

    @Test func `killed after it was sent, it is not sent again`() throws {
        let machine = morning()
        machine.restart()
        #expect(machine.take() == ["shows the status"])
        machine.ask(.online())
        #expect(try machine.recordedAsSent.last == nine)
    }

    @Test func `once that is noted, nobody is asked`() {
        let machine = morning()
        machine.ask(.start(nil))
        machine.journal = nil
        machine.restart()
        #expect(machine.take().filter { $0.hasPrefix("reminds") } == [])
    }

    @Test func `where the journal cannot be read it is rather sent twice than never`() {
        let machine = morning { $0.journal = nil }
        machine.restart()
        #expect(machine.take() == ["reminds \(nine)", "shows the status"])
    }

    @Test func `an orderly end notes it, and needs no journal`() throws {
        let machine = morning { $0.journal = nil }
        try machine.daemon.close()
        machine.restart()
        #expect(machine.take() == ["shows the status"])
        #expect(try machine.recordedAsSent.last == nine)
    }

    @Test func `too late it is not sent any more`() {
        let machine = morning { $0.isDying = true }
        machine.clock.advance(by: .seconds(3 * 3_600 + 1))
        machine.restart()
        #expect(machine.take() == ["shows the status"])
    }

    @Test func `what is not open any more is not sent`() {
        let machine = morning { $0.isDying = true }
        machine.schedule = .sound(.of(), Fingerprint("none"))
        machine.restart()
        #expect(machine.take() == ["reminds 2027-03-05/scheduleTaken/2", "shows the status"])
    }

    @Test func `a newer one stands for it`() {
        let machine = morning { $0.isDying = true }
        machine.configuration.settings.reminderMinutes = [540, 600]
        machine.clock.move(to: "2027-03-05", "10:30")
        machine.restart()
        #expect(machine.take() == ["reminds 2027-03-05/stillOpen/10:00", "shows the status"])
    }

    @Test func `in quiet hours it is not sent`() {
        let machine = morning { $0.isDying = true }
        machine.configuration.settings.quietHours = QuietHours(from: 541, to: 600)
        machine.clock.move(to: "2027-03-05", "09:01")
        machine.restart()
        #expect(machine.take() == ["shows the status"])
    }

    @Test func `what the daemon sent itself is in no doubt when the history comes back`() {
        let machine = morning { $0.journal = nil }
        machine.hideHistory()
        machine.ask(.online())
        machine.bringHistoryBack()
        machine.ring(after: Daemon.retryAfter)
        #expect(machine.take().filter { $0.hasPrefix("reminds") } == [])
    }
}
