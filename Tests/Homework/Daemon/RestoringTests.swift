import DaybreakInterfaces
import Glibc
import HomeworkHistory
import HomeworkRules
import TestSupport
import Testing
import Time
import UnixTestSupport

@testable import HomeworkDaemon

/// A restore, whose file is checked beside the loop: the daemon goes on meanwhile.
@Suite struct RestoringTests {
    private let machine = Machine.withSample()

    /// Makes a copy of the present history, which is to be restored, and begins to restore it.
    private func begin() throws {
        let folder = machine.folder["backups"]
        must(mkdir(folder, 0o700))
        try #require(machine.history).backUp(to: "\(folder)/restore-1")
        machine.maintain(.restore("restore-1"))
    }

    @Test func `while a file is checked, calls are answered, and what they record is kept aside`() throws {
        try begin()
        #expect(machine.look() == "sound")
        machine.ask(.start("1"))
        #expect(machine.maintenanceAnswers == [] && machine.daemon.plan.flow != nil)
        let before = try #require(machine.history).eventCount
        try machine.finishWork()
        let kept = try #require(machine.maintenanceAnswers.first?.firstMatch(of: /"kept":"([^"]*)"/)?.1)
        #expect(machine.daemon.plan.flow == nil)
        #expect(try History.verify(at: String(kept)) == before)
    }

    @Test func `while a file is checked, midnight and its reminder come`() throws {
        try begin()
        machine.ring(after: .seconds(86_400))
        #expect(try machine.recorded.contains(.dayBegan("2027-03-06")))
        #expect(machine.maintenanceAnswers == [])
        try machine.finishWork()
        #expect(machine.maintenanceAnswers.count == 1)
        // The restored history has not seen the new day.
        #expect(try machine.recorded.contains(.dayBegan("2027-03-06")))
    }

    @Test func `while a file is checked, other maintenance waits, and is carried out in its order`() throws {
        try begin()
        for what in [Maintenance.backup, .restore("restore-2"), .erase(.task("1")), .erase(.everything)] {
            machine.maintain(what)
        }
        #expect(machine.maintenanceAnswers == [])
        try machine.finishWork()
        #expect(machine.maintenanceAnswers.count == 1)
        try machine.finishWork()
        #expect(machine.maintenanceAnswers.last?.contains("asked-") == true)
        try machine.finishWork()
        #expect(machine.maintenanceAnswers.count == 3)
        #expect(machine.maintenanceAnswers[2].contains("CannotRestore"))
        for _ in 1...2 { try machine.finishWork() }
        #expect(machine.maintenanceAnswers.count == 5)
        #expect(machine.maintenanceAnswers[3...] == [#"{"parameters":{}}"#, #"{"parameters":{}}"#])
        #expect(try machine.backUp() == true)
    }

    @Test func `a file with a fault changes nothing, and the next can be restored`() throws {
        try begin()
        try machine.finishWork(finding: .failed(Service.CannotRestore(reason: "It is damaged")))
        #expect(
            machine.maintenanceAnswers == [
                #"{"error":"org.daybreak.Service.CannotRestore","parameters":{"reason":"It is damaged"}}"#
            ])
        machine.maintain(.restore("restore-1"))
        try machine.finishWork()
        let answers = machine.maintenanceAnswers
        #expect(answers.last?.hasPrefix(#"{"parameters":{"events":"#) == true, "\(answers)")
    }

    @Test(arguments: ["night-2027-03-04.db", "restore-1.wal", "restore-1/../../history.db", "../restore-1", ""])
    func `no file is restored but one that a client laid down in the folder of the copies`(file: String) throws {
        machine.maintain(.restore(file))
        #expect(
            machine.maintenanceAnswers == [
                #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"file"}}"#
            ])
    }

    @Test func `an erasure that is refused for its task or for a copy leaves the history as it was`() throws {
        let before = try #require(machine.history).eventCount
        machine.maintain(.erase(.task("9")))
        #expect(machine.maintenanceAnswers.last?.contains("NoSuchAssignment") == true, "\(machine.maintenanceAnswers)")
        must(mkdir(machine.folder["backups"], 0o700))
        must(symlink("/dev/null", machine.folder["backups"] + "/night-2027-03-04.db"))
        machine.maintain(.erase(.task("1")))
        #expect(machine.maintenanceAnswers.last?.contains("CannotErase") == true, "\(machine.maintenanceAnswers)")
        #expect(try #require(machine.history).eventCount == before)
    }

    /// It is not read again, because every client would wait meanwhile.
    @Test func `a restored history has the plan that its check gave`() throws {
        try begin()
        let plan = machine.daemon.plan
        machine.ask(.start("1"))
        try machine.finishWork()
        #expect(machine.daemon.plan.flow == nil && machine.daemon.plan.agenda == plan.agenda)
        #expect(try machine.daemon.plan == #require(machine.history).plan())
    }

    @Test func `a share that was withdrawn stays withdrawn, and the answer says so`() throws {
        machine.ask(.link(practice: "practice@clinic", device: "d", shares: [.moods, .notes]))
        try begin()
        machine.ask(.setShares([.moods], isPracticeTold: false))
        try machine.finishWork()
        let link = try #require(machine.daemon.plan.link)
        #expect(Set(link.shares.keys) == [.moods] && !link.isPracticeTold)
        #expect(try machine.daemon.plan == #require(machine.history).plan())
        let said = "The link with practice@clinic is as before the restore: it shares moods."
        #expect(
            machine.maintenanceAnswers.last?.contains(#""link":"\#(said)""#) == true, "\(machine.maintenanceAnswers)")
    }

    @Test func `a link that was ended stays ended, and the answer says so`() throws {
        machine.ask(.link(practice: "practice@clinic", device: "d", shares: [.moods]))
        try begin()
        machine.ask(.unlink)
        try machine.finishWork()
        #expect(machine.daemon.plan.link == nil)
        let said =
            "The file was linked with practice@clinic. Before the restore there was no link, so there is none: nothing is "
            + "shared."
        #expect(
            machine.maintenanceAnswers.last?.contains(#""link":"\#(said)""#) == true, "\(machine.maintenanceAnswers)")
    }

    /// The link's event is recorded in the file before it is put in place.
    @Test(arguments: [true, false]) func `a file that vanishes before it is put in place replaces nothing`(
        isLinked: Bool
    ) throws {
        try begin()
        if isLinked { machine.ask(.link(practice: "practice@clinic", device: "d", shares: [.moods])) }
        let events = try #require(machine.history).eventCount
        let draft = machine.folder["backups/restore-1"]
        try machine.finishWork { must(unlink(draft)) }
        let reason = "The file \(draft) has vanished, or another one has its name"
        #expect(
            machine.maintenanceAnswers == [
                #"{"error":"org.daybreak.Service.CannotRestore","parameters":{"reason":"\#(reason)"}}"#
            ])
        #expect(try #require(machine.history).eventCount == events)
        #expect(machine.look() == "sound" && machine.daemon.plan.agenda.ordered.count == 1)
        #expect(try History.verify(at: machine.databaseFile) == events)
    }

    @Test func `a history that vanished is restored although an erasure of it is noted`() throws {
        try begin()
        let unfinished = UnfinishedErasures(of: machine.databaseFile)
        try unfinished.replace(with: [UnfinishedErasure(.erased("1"), number: 99)])
        machine.hideHistory()
        try machine.finishWork()
        let answers = machine.maintenanceAnswers
        #expect(answers.last?.hasPrefix(#"{"parameters":{"events":"#) == true, "\(answers)")
        #expect(machine.look() == "sound")
        #expect(try unfinished.all() == [UnfinishedErasure(.erased("1"))])
    }

    /// The daemon lets go of the history before another one is put in its place, and opens it again.
    @Test func `a history that vanished is not begun anew after a failure to replace it`() throws {
        machine.hideHistory()
        machine.maintain(.erase(.everything))
        let prepared = machine.databaseFile + ".new"
        try machine.finishWork { must(unlink(prepared)) }
        #expect(access(machine.databaseFile, F_OK) != 0)
        let file = machine.databaseFile
        let vanished = "The history \(file) is gone, but its \(file)-wal is left: bring it back"
        #expect(machine.look(needsHistory: false) == vanished)
        machine.bringHistoryBack()
        machine.ring(after: .seconds(60))
        #expect(machine.look() == "sound" && machine.daemon.plan.agenda.ordered.count == 1)
    }
}
