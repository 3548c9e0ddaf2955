import Foundation
import Glibc
import HomeworkHistory
import HomeworkRules
import Storage
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
        machine.maintain(.erase(.everything))
        #expect(machine.maintenanceAnswers == [] && machine.daemon.plan.agenda["1"] != nil)
        try machine.finishWork()
        let copy = try #require(copy)
        #expect(exists(copy))
        try machine.finishWork()
        #expect(machine.maintenanceAnswers.count == 2 && machine.maintenanceAnswers.last == #"{"parameters":{}}"#)
        #expect(!exists(copy))
    }

    private var backups: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: machine.folder["backups"]).sorted() }
    }

    private func note(_ text: String) { machine.ask(.addNote(Note(recorded: text), .assignment("1"))) }
    private func files(having word: String) -> [String] { Workload().places(of: word, in: machine.folder.path) }

    @Test func `while words are erased from the copies, calls are answered; only then is the erasure acknowledged`()
        throws
    {
        note("qearlyq")
        must(mkdir(machine.folder["backups"], 0o700))
        for copy in ["night-2027-03-01.db", "replaced-2027-03-02-1.db"] {
            try #require(machine.history).backUp(to: machine.folder["backups/\(copy)"])
        }
        machine.maintain(.erase(.task("1")))
        #expect(machine.ask(.start("1")) == ["exercise"])
        #expect(machine.maintenanceAnswers == [])
        #expect(files(having: "qearlyq").count == 2)
        try machine.finishWork {
            #expect(machine.maintenanceAnswers == [])
            #expect(files(having: "qearlyq") == [])
            let left = try backups
            #expect(left == ["night-2027-03-05.db", "replaced-2027-03-02-1.db"])
        }
        #expect(machine.maintenanceAnswers == [#"{"parameters":{}}"#])
        // The night's copy has the call that was answered meanwhile.
        let count = try #require(machine.history).eventCount
        #expect(try History.verify(at: machine.folder["backups/night-2027-03-05.db"]) == count)
    }

    private var unfinished: String { machine.databaseFile + ".erasing" }

    private func replaceHistory(with copy: String = "replaced-2027-03-02-1.db") throws {
        try #require(machine.history).backUp(to: machine.folder["backups/\(copy)"])
    }

    /// There is no night's copy that could be compared with the history.
    @Test func `an erasure that was killed before it came to the copies is finished by the next night`() throws {
        must(mkdir(machine.folder["backups"], 0o700))
        note("qtaskq")
        machine.ask(.addNote(Note(recorded: "qpointq"), .nextSession))
        try replaceHistory()
        machine.maintain(.erase(.task("1")))
        machine.restart()
        #expect(files(having: "qtaskq").count == 1 && exists(unfinished))
        // The next one does not forget it.
        machine.maintain(.erase(.talkingPoints))
        machine.restart()
        #expect(files(having: "qtaskq").count == 1 && files(having: "qpointq").count == 1)
        #expect(try machine.backUp() == true)
        #expect(files(having: "qtaskq") == [] && files(having: "qpointq") == [])
        let left = try backups
        #expect(left == ["night-2027-03-05.db", "replaced-2027-03-02-1.db"])
        #expect(!exists(unfinished))
    }

    @Test func `the next erasure finishes one that failed`() throws {
        must(mkdir(machine.folder["backups"], 0o700))
        note("qtaskq")
        try replaceHistory()
        machine.maintain(.erase(.task("1")))
        try machine.finishWork(finding: .failed(HistoryError.inDoubt(reason: "The disk failed")))
        #expect(files(having: "qtaskq").count == 1)
        machine.maintain(.erase(.talkingPoints))
        try machine.finishWork()
        #expect(files(having: "qtaskq") == [] && !exists(unfinished))
    }

    @Test func `an erasure that the history refuses is not carried out in its copies`() throws {
        must(mkdir(machine.folder["backups"], 0o700))
        note("qtaskq")
        try replaceHistory()
        let other = try SQLiteDatabase(machine.databaseFile)
        try other.execute("BEGIN IMMEDIATE")
        machine.maintain(.erase(.task("1")))
        let answer = try #require(machine.maintenanceAnswers.first)
        #expect(answer.contains("StorageUnavailable") && !answer.contains("inDoubt"), "\(answer)")
        #expect(!exists(unfinished) && files(having: "qtaskq") != [])
        try other.execute("ROLLBACK")
    }

    @Test func `while all copies are removed, calls are answered, and the words that they record are erased, too`()
        throws
    {
        #expect(try machine.backUp() == true)
        machine.maintain(.erase(.everything))
        note("qlateq")
        #expect(machine.maintenanceAnswers == [] && files(having: "qlateq") != [])
        try machine.finishWork()
        #expect(machine.maintenanceAnswers == [#"{"parameters":{}}"#])
        #expect(files(having: "qlateq") == [] && machine.daemon.plan.flow == nil)
        #expect(try backups == [])
    }

    /// Else the history would be erased, and the copies not.
    @Test func `if no thread can be had, everybody waits for the work`() throws {
        #expect(try machine.backUp() == true)
        machine.hasThread = false
        machine.maintain(.erase(.task("1")))
        #expect(machine.maintenanceAnswers == [#"{"parameters":{}}"#])
        machine.maintain(.export)
        #expect(exists(try #require(copy)))
        machine.maintain(.erase(.everything))
        #expect(machine.maintenanceAnswers.count == 3 && machine.maintenanceAnswers.last == #"{"parameters":{}}"#)
        #expect(try backups == [])
    }

    @Test func `everything is kept if the next history cannot be made`() throws {
        #expect(try machine.backUp() == true)
        must(mkdir(machine.databaseFile + ".new", 0o700))
        machine.maintain(.erase(.everything))
        try machine.finishWork()
        let answer = try #require(machine.maintenanceAnswers.first)
        #expect(answer.contains("StorageUnavailable") && !answer.contains("inDoubt"), "\(answer)")
        #expect(try backups == ["night-2027-03-05.db"])
        #expect(machine.daemon.plan.agenda["1"] != nil)
    }

    @Test func `copies that cannot be erased leave the erasure in doubt, and the next is carried out`() throws {
        machine.maintain(.erase(.task("1")))
        machine.maintain(.erase(.everything))
        try machine.finishWork(finding: .failed(HistoryError.inDoubt(reason: "The disk failed")))
        try machine.finishWork()
        let doubt = #"{"inDoubt":true,"reason":"The disk failed"}"#
        #expect(
            machine.maintenanceAnswers == [
                HomeworkDaemonTests.error("org.daybreak.Homework.StorageUnavailable", doubt), #"{"parameters":{}}"#,
            ])
        #expect(!exists(unfinished))
    }

    private func nightCount() throws -> Int? { try History.verify(at: machine.folder["backups/night-2027-03-05.db"]) }

    @Test func `while the night's copy is made, calls are answered, and their events are left to the next night`()
        throws
    {
        let before = try #require(machine.history).eventCount
        var isDone: Bool?
        machine.daemon.backUp { isDone = $0 }
        #expect(machine.look() == "sound")
        #expect(machine.ask(.start("1")) == ["exercise"])
        #expect(isDone == nil && !exists(machine.folder["backups/night-2027-03-05.db"]))
        try machine.finishWork()
        #expect(isDone == true)
        #expect(try nightCount() == before)
        // The next one is compared with this one.
        #expect(try machine.backUp() == true)
        #expect(try nightCount() == #require(machine.history).eventCount)
        #expect(machine.take().filter { $0.hasPrefix("says") } == [])
    }

    @Test func `the night's copy waits for other work, and other work for it`() throws {
        machine.maintain(.export)
        var isDone: Bool?
        machine.daemon.backUp { isDone = $0 }
        machine.maintain(.erase(.everything))
        try machine.finishWork()
        #expect(isDone == nil && machine.maintenanceAnswers.count == 1)
        try machine.finishWork()
        #expect(isDone == true && machine.maintenanceAnswers.count == 1)
        try machine.finishWork()
        #expect(machine.maintenanceAnswers.last == #"{"parameters":{}}"#)
        #expect(try backups == [])
    }

    @Test func `if no thread can be had, everybody waits for the night's copy`() throws {
        machine.hasThread = false
        var isDone: Bool?
        machine.daemon.backUp { isDone = $0 }
        #expect(isDone == true)
        #expect(try nightCount() == #require(machine.history).eventCount)
    }

    @Test func `a night's copy that fails is reported once, is tried again, and its success is reported`() throws {
        let folder = machine.folder["backups"]
        must(mkdir(folder, 0o700))
        must(chmod(folder, 0o777))
        let reason = "No backup could be made: Others may write in the folder \(folder): run chmod go-w \(folder)"
        #expect(try machine.backUp() == false)
        #expect(machine.take() == ["says warning: \(reason), carrying on", "shows \(reason)"])
        #expect(try machine.backUp() == false)
        #expect(machine.take() == [])
        must(chmod(folder, 0o700))
        #expect(try machine.backUp() == true)
        #expect(machine.take() == ["says notice: A backup could be made again.", "shows the status"])
    }

    @Test(arguments: [true, false])
    func `a night's copy that fails after an erasure is to be tried again`(failsAtOnce: Bool) throws {
        var failures = 0
        machine.daemon.nightFailed = { failures += 1 }
        machine.maintain(.erase(.task("1")))
        if failsAtOnce { write("", to: machine.folder["backups"]) }
        try machine.finishWork(finding: .erasedFromCopies(removed: []))
        let fault = HistoryError.unavailable(reason: "The disk failed")
        if !failsAtOnce { try machine.finishWork(finding: .failed(fault)) }
        #expect(failures == 1)
        #expect(machine.maintenanceAnswers == [#"{"parameters":{}}"#])
    }

    @Test
    func `damage that the night's copy finds is looked at again, and reported as a failed backup if there is none`()
        throws
    {
        var isDone: Bool?
        machine.daemon.backUp { isDone = $0 }
        try machine.finishWork(finding: .failed(HistoryError.damaged(reason: "It looked so")))
        #expect(isDone == false)
        #expect(
            machine.take() == [
                "says warning: No backup could be made: It looked so, carrying on",
                "shows No backup could be made: It looked so",
            ])
        #expect(machine.ask(.start("1")) == ["exercise"])
        #expect(try machine.backUp() == true)
    }

    @Test func `without a history there is no night's copy, and its problem alone is told`() throws {
        machine.restart {
            machine.hideHistory()
            write("no history", to: machine.databaseFile)
        }
        _ = machine.take()
        #expect(try machine.backUp() == false)
        #expect(machine.take() == [])
        machine.bringHistoryBack()
        #expect(machine.ask(.start("1")) == ["exercise"])
        #expect(try machine.backUp() == true)
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
        #expect(machine.take().filter { $0.hasPrefix("says") } == [])
        #expect(machine.ask(.start("1")) == ["exercise"])
    }

    @Test func `sixteen operations may wait, and one more is refused`() throws {
        machine.maintain(.export)
        for _ in 1...Daemon.longestQueue { machine.maintain(.erase(.task("1"))) }
        #expect(machine.maintenanceAnswers == [])
        let refusals: [(Maintenance, error: String)] = [
            (.backup, "Service.CannotCopy"), (.export, "Service.CannotCopy"),
            (.erase(.everything), "Service.CannotErase"),
            (.restore("restore-1"), "Service.CannotRestore"),
            (.diagnose(reply: { _ in [] }), "Homework.StorageUnavailable"),
        ]
        let reason = #"{"reason":"Too many backups, exports, restores and erasures wait already: try again later"}"#
        for (what, _) in refusals { machine.maintain(what) }
        #expect(
            machine.maintenanceAnswers == refusals.map { HomeworkDaemonTests.error("org.daybreak.\($0.error)", reason) }
        )
        for _ in 0...Daemon.longestQueue { try machine.finishWork() }
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

    @Test func `a waiting operation is dropped with its client, and the next is carried out`() throws {
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

    @Test(arguments: [false, true])
    func `a restore replaces nothing if its client disconnects while its file is checked, unless the call was one-way`(
        isOneway: Bool
    ) throws {
        must(mkdir(machine.folder["backups"], 0o700))
        let draft = machine.folder["backups/restore-1"]
        try #require(machine.history).backUp(to: draft)
        machine.ask(.start("1"))
        let leaving = station.client()
        leaving.send(call("Service.Restore", #"{"file":"restore-1"}"#, oneway: isOneway))
        try station.settle()
        leaving.leave()
        try station.settle()
        try machine.finishWork()
        #expect((machine.daemon.plan.flow == nil) == isOneway)
        #expect(!exists(draft))
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

    @Test func `a one-way call is carried out after its client has disconnected`() throws {
        let first = try client(sending: "Service.Export")
        let leaving = station.client()
        leaving.send(call("Service.EraseEverything", oneway: true))
        leaving.leave()
        try station.settle()
        try machine.finishWork()
        try machine.finishWork()
        #expect(try station.message(for: first)?.contains("asked-") == true)
        #expect(try machine.recorded.first == .erased(nil))
    }
}
