import Foundation
import HomeworkRules
import TestSupport
import Testing
import Time
import UnixTestSupport

@testable import HomeworkDaemon

/// The daemon while its history cannot be written.
@Suite struct UnrecordedTests {
    private func vanished(_ machine: Machine) -> String {
        "The history \(machine.databaseFile) has vanished: bring it back"
    }

    private func unavailable(_ reason: String) -> String {
        error("org.daybreak.Homework.StorageUnavailable", "{\"reason\":\"\(reason)\"}")
    }

    /// The refusal while nothing of the history was read: what there is cannot be shown.
    private func unread(_ reason: String) -> String {
        error("org.daybreak.Homework.StorageUnavailable", "{\"reason\":\"\(reason)\",\"unread\":true}")
    }

    @Test func `a command that cannot be recorded is refused, and changes nothing that is shown`() throws {
        let machine = Machine.withSample()
        machine.hideHistory()
        machine.clock.move(to: "2027-03-05", "09:00")
        #expect(machine.ask(.start(nil), .pause) == [unavailable(vanished(machine)), unavailable(vanished(machine))])
        #expect(
            machine.take() == [
                "says error: \(vanished(machine)). Daybreak carries on without recording", "shows \(vanished(machine))",
            ])
        #expect(machine.status?.flow == nil)
        #expect(machine.status?.eligible?.state == .eligible)
    }

    @Test func `a call that only reads is answered with the problem in its status`() {
        let machine = Machine.withSample()
        machine.hideHistory()
        machine.ask(.start(nil))
        #expect(machine.look() == vanished(machine))
    }

    @Test func `a lasting problem is logged once`() {
        let machine = Machine.withSample()
        machine.hideHistory()
        for _ in 1...5 {
            machine.ask(.start(nil))
            machine.ring(after: .seconds(40))
        }
        #expect(machine.take().filter { $0.hasPrefix("says") }.count == 1)
    }

    @Test func `recording goes on by itself when the history is back, and due reminders are given`() throws {
        let machine = Machine.withSample()
        machine.hideHistory()
        machine.clock.move(to: "2027-03-05", "09:00")
        machine.ring()
        _ = machine.take()
        #expect(machine.wake.steady == machine.clock.steady + Daemon.retryAfter)
        machine.bringHistoryBack()
        machine.ring(after: Daemon.retryAfter)
        #expect(
            machine.take() == [
                "says notice: The history can be written again.", "reminds 2027-03-05/stillOpen/09:00",
                "shows the status",
            ])
        #expect(machine.wake.steady == nil)
    }

    @Test func `a command tries to open the history at once, and a read waits for the next attempt`() {
        let machine = Machine()
        write("no database", to: machine.databaseFile)
        machine.ring()
        #expect(machine.openings == 1)
        for _ in 1...5 { _ = machine.look(needsHistory: false) }
        machine.ring(after: .seconds(1))
        #expect(machine.openings == 1)
        machine.ask(.start(nil))
        #expect(machine.openings == 2)
    }

    /// Repeated reads must not delay the next attempt.
    @Test func `reads do not delay the next attempt`() throws {
        let machine = Machine.withSample()
        machine.hideHistory()
        machine.ask(.start(nil))
        let retry = try #require(machine.wake.steady)
        machine.clock.move(to: "2027-03-05", "09:00")
        _ = machine.look()
        #expect(machine.wake.steady == nil || machine.wake.steady == retry)
    }

    @Test func `a history that cannot be opened is reported in the status, and every read of it is refused`() {
        let machine = Machine()
        write("no database", to: machine.databaseFile)
        machine.ring()
        let problem =
            "The file \(machine.databaseFile) is no history: it does not begin as an SQLite database does"
        let advice =
            "It is left as it is: `daybreak restore FILE` puts a backup in its place, and keeps it aside"
        #expect(
            machine.take() == [
                "says error: \(problem). Daybreak carries on without recording. \(advice)", "shows \(problem)",
            ])
        #expect(machine.look() == unread(problem))
        #expect(machine.look(needsHistory: false) == problem)
        #expect(machine.status?.unread == true)
        #expect(machine.ask(.start(nil)) == [unread(problem)])
    }

    @Test func `a history that can be opened later is read, and then the schedule`() throws {
        let machine = Machine()
        machine.schedule = .sound(.of(.sample("1")), Fingerprint("a"))
        write("no database", to: machine.databaseFile)
        machine.ring()
        try FileManager.default.removeItem(atPath: machine.databaseFile)
        _ = machine.take()
        machine.ring(after: Daemon.retryAfter)
        #expect(
            machine.take() == [
                "says notice: The history can be written again.", "reminds 2027-03-05/scheduleTaken/1",
                "reminds 2027-03-05/unlocked/1", "shows the status",
            ])
        #expect(machine.ask(.start(nil)) == ["exercise"])
        #expect(machine.status?.unread == nil)
    }

    @Test func `a first turn that could not be recorded is repeated`() throws {
        let machine = Machine.withSample()
        machine.ask(.start(nil), .breathe)
        machine.schedule = .sound(.of(.sample("1"), .sample("2")), Fingerprint("longer"))
        machine.clock.advance(by: .seconds(15))
        machine.onceReading = { [unowned machine] in machine.hideHistory() }
        machine.restart()
        machine.bringHistoryBack()
        machine.ring(after: Daemon.retryAfter)
        // No breath was counted meanwhile, and the file that was saved meanwhile is taken in.
        let news = try machine.recorded.drop { $0 != .breathingBegan("1") }.dropFirst()
        #expect(
            Array(news) == [
                .guideLeft("1"), .assigned(.sample("2", position: 1)),
                .scheduleTaken(
                    ScheduleChange(added: 1, changed: 0, withdrawn: 0, unchanged: 1, kept: 0),
                    file: Fingerprint("longer")), .reminds("2027-03-05/scheduleTaken/2", count: 2),
            ])
    }

    @Test func `a guide that disconnected while nothing could be recorded is lost afterwards`() throws {
        let machine = Machine.withSample()
        machine.ask(.start(nil), .breathe)
        machine.clock.advance(by: .seconds(15))
        machine.hideHistory()
        machine.ask(.guideLost)
        machine.bringHistoryBack()
        machine.ring(after: Daemon.retryAfter)
        #expect(try machine.recorded.suffix(2) == [.breathingBegan("1"), .guideLeft("1")])
    }

    @Test func `a status that could not be written is written later, and watchers get it once`() {
        let machine = Machine.withSample()
        var told = 0
        machine.daemon.audience = { told += $0.statusChanged ? 1 : 0 }
        machine.canPublish = false
        machine.ask(.start(nil))
        #expect(machine.wake.steady == machine.clock.steady + Daemon.retryAfter)
        machine.ring(after: Daemon.retryAfter)
        machine.canPublish = true
        machine.ring(after: Daemon.retryAfter)
        machine.ring(after: Daemon.retryAfter)
        #expect(machine.take() == Array(repeating: "shows the status", count: 3))
        #expect(machine.wake.steady == nil)
        #expect(told == 1)
    }

    @Test func `a history that another program keeps locked is an error after a short wait`() throws {
        let machine = Machine.withSample()
        let locker = try LockHolder(machine.databaseFile)
        let problem = "Another program keeps the history \(machine.databaseFile) locked: close it"
        #expect(machine.ask(.start(nil)) == [unavailable(problem)])
        locker.letGo()
        #expect(machine.ask(.start(nil)) == ["exercise"])
    }
}

/// Another program that holds a database's lock.
final class LockHolder {
    private let process = Process()
    private let input = Pipe()

    init(_ database: String) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.program, database]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        _ = output.fileHandleForReading.availableData
    }

    func letGo() {
        input.fileHandleForWriting.closeFile()
        process.waitUntilExit()
    }

    private static let program = """
        import sqlite3, sys
        database = sqlite3.connect(sys.argv[1], isolation_level=None)
        database.execute("BEGIN IMMEDIATE")
        print("locked", flush=True)
        sys.stdin.read()
        """
}
