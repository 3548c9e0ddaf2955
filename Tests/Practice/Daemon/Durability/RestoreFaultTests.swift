import DiskSupport
import Foundation
import Glibc
import JSON
import PracticeInterfaces
import StaffInterfaces
import Testing
import TestingSupport
import UnixTestSupport
import Varlink

@testable import PracticeDaemon

/// A disk that fails while a backup takes the place of the database.
@Suite(.ofFile, .hangGuard) struct RestoreFaultTests {
    private let folder = UnixTestSupport.Folder()
    private let listening: Int32
    private let faults: DiskFaults
    private let daemon: PracticeProcess
    private let caller: Client

    /// One person works there.
    init() throws {
        let clinic = try Clinic.longAgo()
        _ = try clinic.staff("Ana", .thanatologist)
        try clinic.move(to: folder)
        listening = try PracticeProcess.listeningSocket(folder["control"])
        faults = DiskFaults(in: folder, below: folder["state"])
        daemon = try PracticeProcess(in: folder, listening: listening, environment: faults.environment)
        caller = Client(to: folder["control"])
    }

    private func answer(to method: some Method) throws -> Reply {
        caller.send(bytes: Call.frame(method))
        var waits = pollfd(fd: caller.descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            if let message = caller.message() { return try Reply(frame: Array(message.utf8)) }
            try #require(!caller.isCutOff)
            try #require(poll(&waits, 1, Int32(patience / 1_000)) == 1)
        }
    }

    @discardableResult private func ask<M: Method>(_ method: M) throws -> M.Reply {
        try answer(to: method).decode(M.Reply.self)
    }

    /// Hands the file over in pieces that a socket takes, and returns its name.
    private func laid(_ bytes: [UInt8]) throws -> String {
        var (name, offset): (String?, Int) = (nil, 0)
        while offset < bytes.count {
            let piece = Base64.encode(Array(bytes[offset..<min(offset + 60_000, bytes.count)]))
            let reply = try ask(Upkeep.UploadRestore(restore: name, offset: offset, piece: piece))
            (name, offset) = (reply.restore, reply.bytes)
        }
        return try #require(name)
    }

    private func staff() throws -> Int? { try ask(Upkeep.Status()).health.staff }

    /// Each sync of a restore fails in turn.
    @Test func `a restore that took place is answered and noted as that, whichever sync of the disk failed`() throws {
        let backup = try ask(Upkeep.Backup()).backup
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(folder["state"])/backups/\(backup)")))
        var (restored, inDoubt, failed) = (0, 0, 1)
        for number in 1...200 where failed > 0 {
            // A second person tells the database from the backup.
            if try staff() == 1 { try ask(Practice.AddStaff(name: "Later", role: "support")) }
            let name = try laid(bytes)
            faults.fail(.syncs, number, error: EIO)
            let reply = try answer(to: Upkeep.Restore(restore: name))
            failed = faults.failed
            faults.heal()
            let isInDoubt = reply.decodeError(Practice.StorageUnavailable.self)?.inDoubt == true
            let isThere = try staff() == 1
            #expect(isThere == (reply.error == nil || isInDoubt), "sync \(number): \(reply.error ?? "")")
            if isThere { restored += 1 }
            if isInDoubt { inDoubt += 1 }
        }
        #expect(failed == 0 && inDoubt > 0)
        #expect(daemon.said.count { $0.contains(" A backup was restored: ") } == restored)
        #expect(daemon.end(SIGTERM) == 0)
    }
}
