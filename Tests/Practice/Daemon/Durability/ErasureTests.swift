import DiskSupport
import Foundation
import Glibc
import PracticeInterfaces
import PracticeStore
import StaffInterfaces
import Storage
import Testing
import TestingSupport
import UnixTestSupport
import Varlink

@testable import PracticeDaemon

/// An erasure in which practiced is killed.
@Suite(.ofFile, .hangGuard) struct ErasureTests {
    @Test func `after a kill between an erasure and the renewal of the backups, the next start renews them`() throws {
        let folder = UnixTestSupport.Folder()
        for name in ["state", "run"] { mkdir(folder[name], 0o700) }
        let client = try practiceWithACopy(in: folder["state"])
        let backups = folder["state"] + "/backups"
        let listening = try PracticeProcess.listeningSocket(folder["control"])
        defer { close(listening) }

        let faults = DiskFaults(in: folder, below: folder["state"])
        let killed = try PracticeProcess(in: folder, listening: listening, environment: faults.environment)
        let before = Client(to: folder["control"])
        _ = try ask(Upkeep.Status(), before)
        // The backups cannot be removed, as if the kill came before.
        faults.fail(.unlinks, 1, through: .max, error: EIO)
        let reply = try ask(Records.EraseRecord(client: client, number: 1, reason: "Asked for."), before)
        #expect(reply.backupProblem != nil)
        killed.end(SIGKILL)
        #expect(try names(backups) == ["night-2027-03-05.db"])
        #expect(try holdsTheName(backups + "/night-2027-03-05.db"))

        let next = try PracticeProcess(in: folder, listening: listening)
        // This call is answered after the renewal.
        _ = try ask(Upkeep.Diagnose(), Client(to: folder["control"]))
        #expect(next.end(SIGTERM) == 0)
        let renewed = try names(backups)
        #expect(renewed.count == 1 && renewed != ["night-2027-03-05.db"])
        for name in renewed {
            #expect(try !holdsTheName("\(backups)/\(name)"))
            #expect(try Store.verify("\(backups)/\(name)").closedClients == 0)
        }
    }

    /// A practice with a closed record, and a night's copy that holds it; the client's identifier.
    private func practiceWithACopy(in state: String) throws -> String {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        let client = try clinic.client("Quitzal", of: ana)
        try clinic.as(ana).call(Records.CloseRecord(client: client, reason: "All is said."))
        try clinic.root.call(Upkeep.BackUpNight())
        try clinic.close()
        for name in ["practice.db", "backups"] {
            try FileManager.default.copyItem(atPath: "\(clinic.folder.path)/\(name)", toPath: "\(state)/\(name)")
        }
        must(chmod(state + "/backups", 0o700))
        must(chmod(state + "/practice.db", 0o600))
        return client
    }

    private func ask<M: Method>(_ method: M, _ client: Client) throws -> M.Reply {
        client.send(bytes: Call.frame(method))
        var waits = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            if let message = client.message() { return try Reply(frame: Array(message.utf8)).decode(M.Reply.self) }
            try #require(!client.isCutOff)
            try #require(poll(&waits, 1, Int32(patience / 1_000)) == 1)
        }
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    private func holdsTheName(_ file: String) throws -> Bool {
        try Data(contentsOf: URL(filePath: file)).range(of: Data("Quitzal".utf8)) != nil
    }
}
