import HomeworkHistory
import HomeworkRules
import TestSupport
import Testing
import UnixTestSupport

@testable import HomeworkDaemon

/// Copies and diagnoses, which are made beside the loop: the daemon goes on meanwhile.
@Suite struct BesideTests {
    private let machine = Machine.withSample()

    private var copy: String? {
        machine.maintenanceAnswers.last?.firstMatch(of: /"file":"([^"]*)"/).map { String($0.1) }
    }

    @Test func `while an export is made, calls are answered, and what they record is not exported`() throws {
        let before = try #require(machine.history).eventCount
        machine.maintain(.export)
        #expect(machine.look() == "sound")
        #expect(machine.ask(.start("1")) == ["exercise"])
        #expect(machine.maintenanceAnswers == [])
        try machine.finishWork()
        let copy = try #require(copy)
        let lines = text(of: copy)?.split(separator: "\n") ?? []
        #expect(lines.first?.contains("\"events\":\(before)") == true && lines.count == before + 1)
    }

    @Test func `while a backup is made, calls are answered, and the backup is whole`() throws {
        let before = try #require(machine.history).eventCount
        machine.maintain(.backup)
        #expect(machine.ask(.start("1")) == ["exercise"])
        #expect(machine.maintenanceAnswers == [])
        try machine.finishWork()
        let copy = try #require(copy)
        #expect(try History.verify(at: copy) ?? 0 >= before)
    }

    /// Else the copy would hold the words that were erased.
    @Test func `an erasure waits for a copy, and removes it`() throws {
        machine.maintain(.export)
        machine.maintain(.erase(nil))
        #expect(machine.maintenanceAnswers == [] && machine.daemon.plan.agenda["1"] != nil)
        try machine.finishWork()
        #expect(machine.maintenanceAnswers.count == 2 && machine.maintenanceAnswers.last == #"{"parameters":{}}"#)
        let copy = try #require(machine.maintenanceAnswers.first?.firstMatch(of: /"file":"([^"]*)"/)?.1)
        #expect(!exists(String(copy)))
    }

    @Test func `while the history is looked at, calls are answered, and a second look waits`() throws {
        var found: [Bool] = []
        let diagnose = Maintenance.diagnose {
            found.append($0)
            return Array("said".utf8)
        }
        machine.maintain(diagnose)
        machine.maintain(diagnose)
        #expect(machine.ask(.start("1")) == ["exercise"])
        #expect(found == [])
        try machine.finishWork()
        #expect(found == [true] && machine.maintenanceAnswers == ["said"])
        try machine.finishWork()
        #expect(found == [true, true] && machine.maintenanceAnswers == ["said", "said"])
    }

    /// A log that is being written may look damaged.
    @Test func `damage that was found beside the loop is looked at again`() throws {
        var found: [Bool] = []
        machine.maintain(
            .diagnose {
                found.append($0)
                return []
            })
        try machine.finishWork(finding: .failed(HistoryError.damaged(reason: "It looked so")))
        #expect(found == [false])
        machine.maintain(.export)
        try machine.finishWork(finding: .failed(HistoryError.damaged(reason: "It looked so")))
        #expect(machine.maintenanceAnswers.last?.contains("It looked so") == true)
        #expect(machine.ask(.start("1")) == ["exercise"])
    }

    @Test func `sixteen operations may wait, and one more is refused`() throws {
        machine.maintain(.export)
        for _ in 1...Daemon.longestQueue { machine.maintain(.erase("1")) }
        #expect(machine.maintenanceAnswers == [])
        let refusals: [(Maintenance, error: String)] = [
            (.backup, "Service.CannotCopy"), (.export, "Service.CannotCopy"), (.erase(nil), "Service.CannotErase"),
            (.restore("restore-1"), "Service.CannotRestore"),
            (.diagnose(reply: { _ in [] }), "Homework.StorageUnavailable"),
        ]
        let reason = #"{"reason":"Too many backups, exports, restores and erasures wait already: try again later"}"#
        for (what, _) in refusals { machine.maintain(what) }
        #expect(
            machine.maintenanceAnswers == refusals.map { HomeworkDaemonTests.error("org.daybreak.\($0.error)", reason) }
        )
        try machine.finishWork()
        #expect(machine.maintenanceAnswers.count == refusals.count + 1 + Daemon.longestQueue)
        machine.maintain(.backup)
        try machine.finishWork()
        #expect(machine.maintenanceAnswers.last?.contains("asked-") == true)
    }
}

/// Maintenance of clients that disconnect.
@Suite struct LeftMaintenanceTests {
    private let station: ControlServerFixture
    private var machine: Machine { station.machine }

    init() throws { station = try ControlServerFixture() }

    private func client(sending name: String) throws -> Client {
        let client = station.client()
        client.send(call(name))
        try station.settle()
        return client
    }

    @Test func `what waits is dropped with its client, and the next is carried out`() throws {
        let first = try client(sending: "Service.Export")
        let leaving = try client(sending: "Service.EraseEverything")
        let last = try client(sending: "Service.Backup")
        leaving.leave()
        try station.settle()
        try machine.finishWork()
        #expect(try station.message(for: first)?.contains("asked-") == true)
        #expect(machine.daemon.plan.agenda["1"] != nil)
        try machine.finishWork()
        #expect(try station.message(for: last)?.contains("asked-") == true)
        try station.settle()
        #expect(station.server.connectionCount == 2)
    }

    @Test func `a client that disconnects during its own work stops nobody`() throws {
        let leaving = try client(sending: "Service.Export")
        let next = try client(sending: "Service.Export")
        leaving.leave()
        try station.settle()
        try machine.finishWork()
        try machine.finishWork()
        #expect(try station.message(for: next)?.contains("asked-") == true)
        try station.settle()
        #expect(station.server.connectionCount == 1)
    }

    @Test func `clients that have disconnected take no place of those who wait`() throws {
        let first = try client(sending: "Service.Export")
        for _ in 1...2 * Daemon.longestQueue {
            try client(sending: "Service.Export").leave()
            try station.settle()
        }
        let last = try client(sending: "Service.Export")
        try machine.finishWork()
        try machine.finishWork()
        #expect(try station.message(for: first)?.contains("asked-") == true)
        #expect(try station.message(for: last)?.contains("asked-") == true)
    }

    @Test func `what was called oneway is carried out after its client has disconnected`() throws {
        let first = try client(sending: "Service.Export")
        let leaving = station.client()
        leaving.send(call("Service.EraseEverything", oneway: true))
        leaving.leave()
        try station.settle()
        try machine.finishWork()
        #expect(try station.message(for: first)?.contains("asked-") == true)
        #expect(try machine.recorded.first == .erased(nil))
    }
}
