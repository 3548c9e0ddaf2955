import DiskSupport
import Foundation
import Glibc
import PracticeInterfaces
import PracticeStore
import StaffInterfaces
import Testing
import TestingSupport
import UnixTestSupport
import Varlink

@testable import PracticeDaemon

/// Copies of the whole database, which a thread of their own makes: nobody waits for them. The disk holds each copy for as long as
/// the test wants it to be under way.
@Suite(.ofFile, .hangGuard) struct `The whole database is copied` {
    private let folder = UnixTestSupport.Folder()
    /// A client with a closed record.
    private let quitzal: String
    private let listening: Int32
    private let faults: DiskFaults
    private let daemon: PracticeProcess
    private var backups: String { folder["state"] + "/backups" }
    private let word = Practice.AddTerm(vocabulary: .tools, word: "Letter")

    init() throws {
        let clinic = try Clinic.longAgo()
        let ana = try clinic.staff("Ana", .thanatologist)
        quitzal = try clinic.client("Quitzal", of: ana)
        try clinic.as(ana).call(Records.CloseRecord(client: quitzal, reason: "All is said."))
        try clinic.move(to: folder)
        listening = try PracticeProcess.listeningSocket(folder["control"])
        mkdir(folder["state"] + "/backups", 0o700)
        faults = DiskFaults(in: folder, below: folder["state"] + "/backups")
        daemon = try PracticeProcess(in: folder, listening: listening, environment: faults.environment)
    }

    private func caller() -> Client { Client(to: folder["control"]) }

    private func begin(_ method: some Method, _ caller: Client) { caller.send(bytes: Call.frame(method)) }

    private func hear<M: Method>(_: M.Type, _ caller: Client) throws -> M.Reply {
        var waits = pollfd(fd: caller.descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            if let message = caller.message() { return try Reply(frame: Array(message.utf8)).decode(M.Reply.self) }
            try #require(!caller.isCutOff)
            try #require(poll(&waits, 1, Int32(patience / 1_000)) == 1)
        }
    }

    @discardableResult private func ask<M: Method>(_ method: M, _ caller: Client) throws -> M.Reply {
        begin(method, caller)
        return try hear(M.self, caller)
    }

    /// Begins a copy that lasts until the disk is healed.
    private func beginCopy(_ method: some Method) throws -> Client {
        let copying = caller()
        // The daemon is up.
        try ask(Upkeep.Status(), copying)
        faults.hold(.writes)
        begin(method, copying)
        let end = Date(timeIntervalSinceNow: Double(patience) / 1_000_000)
        while faults.failed == 0, Date() < end { usleep(1_000) }
        try #require(faults.failed > 0, "no copy is made")
        return copying
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: backups) }

    @Test func `while the night's copy is made, calls that write are answered; it holds what was there when it began`()
        throws
    {
        let night = try beginCopy(Upkeep.BackUpNight())
        let other = caller()
        #expect(try ask(word, other).term.word == "Letter")
        #expect(try ask(Upkeep.Status(), other).health.closedClients == 1)
        #expect(night.message() == nil)
        faults.heal()
        _ = try hear(Upkeep.BackUpNight.self, night)
        let copy = try #require(try names().first { $0.hasPrefix("night-") })
        #expect(try Store.verify("\(backups)/\(copy)").closedClients == 1)
        let bytes = try Data(contentsOf: URL(filePath: "\(backups)/\(copy)"))
        #expect(bytes.range(of: Data("Quitzal".utf8)) != nil && bytes.range(of: Data("Letter".utf8)) == nil)
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test func `an erasure waits for a copy that is being made, and removes it`() throws {
        let copying = try beginCopy(Upkeep.Backup())
        let erasing = caller()
        begin(Records.EraseRecord(client: quitzal, number: 1, reason: "Asked for."), erasing)
        let other = caller()
        try ask(word, other)
        #expect(erasing.message() == nil && copying.message() == nil)
        #expect(try ask(Upkeep.Status(), other).health.closedClients == 1)
        faults.heal()
        let made = try hear(Upkeep.Backup.self, copying).backup
        let erased = try hear(Records.EraseRecord.self, erasing)
        #expect(erased.removed == [made] && erased.backupProblem == nil)
        for name in try names() {
            let bytes = try Data(contentsOf: URL(filePath: "\(backups)/\(name)"))
            #expect(bytes.range(of: Data("Quitzal".utf8)) == nil, "\(name)")
        }
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test func `copies that were asked for are made and answered before the daemon ends`() throws {
        let first = try beginCopy(Upkeep.BackUpNight())
        let others = try (1...2).map { _ in
            let other = caller()
            try ask(Upkeep.Status(), other)
            begin(Upkeep.Backup(), other)
            return other
        }
        let doctor = caller()
        try ask(Upkeep.Status(), doctor)
        begin(Upkeep.Diagnose(), doctor)
        // They were read before this call is answered.
        try ask(word, caller())
        kill(daemon.process, SIGTERM)
        faults.heal()
        _ = try hear(Upkeep.BackUpNight.self, first)
        for other in others {
            let made = try hear(Upkeep.Backup.self, other)
            #expect(try Store.verify("\(backups)/\(made.backup)").closedClients == 1)
        }
        #expect(try hear(Upkeep.Diagnose.self, doctor).storage == nil)
        #expect(daemon.end(SIGTERM) == 0)
    }
}
