import DaybreakInterfaces
import Foundation
import JSON
import Testing
import Varlink

@testable import Companion
@testable import DaybreakCompanion

/// `daybreak doctor` itself, beside a daemon: its findings are true.
@Suite struct DoctorRunTests {
    private struct Report: Decodable {
        struct Finding: Decodable {
            var check: String
            var state: String
            var finding: String
        }

        var findings: [Finding]
    }

    /// One check's finding: "good: All is well."
    private static func said(
        of check: Finding.Check, _ socket: String, _ environment: [String: String], serve: () -> Void = {}
    ) throws -> String? {
        let run = try ProgramTests.run(
            ["doctor", "--json"], socket: socket,
            environment: ["LLVM_PROFILE_FILE": "/dev/null"].merging(environment) { $1 }, serve: serve)
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(run.status == (report.findings.contains { $0.state == "wrong" } ? 1 : 0))
        return report.findings.first { $0.check == check.rawValue }.map { "\($0.state): \($0.finding)" }
    }

    @Test func `a daemon of another version is found`() throws {
        let listener = Listener()
        let said = try Self.said(of: .version, listener.path, ["HOME": listener.folder]) {
            let peer = listener.accept()
            _ = peer.call()
            peer.send(
                Reply.frame(
                    GetInfo.Reply(vendor: "Daybreak", product: "daybreakd", version: "0.0.9", url: "", interfaces: [])))
            _ = peer.call()
            peer.send(Reply.frame(Homework.GetStatus.Reply(status: Sample.status())))
            _ = peer.call()
            peer.send(Reply.frame(Service.Diagnose.Reply()))
            _ = peer.call()
            peer.send(Reply.frame(Service.GetStorage.Reply(folder: listener.folder + "/backups")))
            _ = peer.call()
            peer.send(Reply.frame(Link.Get.Reply(scheduleFrom: .file)))
            _ = peer.call()
        }
        #expect(said == "wrong: daybreakd is 0.0.9, and daybreak is \(Product.version).")
    }

    @Test func `a daemon that does not answer is found, and the examination ends`() throws {
        let listener = Listener()
        var peers: [Listener.Peer] = []
        let said = try Self.said(of: .daemon, listener.path, ["HOME": listener.folder]) {
            peers.append(listener.accept())
        }
        #expect(said == "wrong: daybreakd listens at \(listener.path), and has not answered for 6 seconds.")
    }

    /// Such as one that copies a long history.
    @Test func `a daemon that tells its status, and its faults too late, is not called silent`() throws {
        let listener = Listener()
        var peers: [Listener.Peer] = []
        let said = try Self.said(of: .history, listener.path, ["HOME": listener.folder]) {
            let peer = listener.accept()
            _ = peer.call()
            peer.send(
                Reply.frame(
                    GetInfo.Reply(
                        vendor: "Daybreak", product: "daybreakd", version: Product.version, url: "", interfaces: [])))
            _ = peer.call()
            peer.send(Reply.frame(Homework.GetStatus.Reply(status: Sample.status())))
            _ = peer.call()
            peers.append(peer)
        }
        #expect(
            said
                == "unknown: daybreakd is busy with the history, and does not tell yet; run `daybreak doctor` again in a while."
        )
    }

    @Test func `the daemon's own folder is examined, not that of the environment`() throws {
        let daemon = try RealDaemon()
        let other = FileManager.default.temporaryDirectory.appending(path: "daybreak-other-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: other.appending(path: "daybreak"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(at: other) }
        try "no history".write(to: other.appending(path: "daybreak/history.db"), atomically: true, encoding: .utf8)
        let environment = daemon.surroundings.merging(["XDG_STATE_HOME": other.path]) { $1 }
        #expect(try Self.said(of: .history, daemon.path, environment) == "good: The history is sound.")
        let settings = try #require(daemon.surroundings["XDG_CONFIG_HOME"]) + "/daybreak"
        for file in ["daybreak.toml", "tasks.json"] { #expect(chmod("\(settings)/\(file)", 0o600) == 0) }
        #expect(try Self.said(of: .folders, daemon.path, environment) == "good: Daybreak's files are yours alone.")
        // The daemon tells where they are.
        #expect(chmod(settings, 0o777) == 0)
        #expect(
            try Self.said(of: .folders, daemon.path, environment)
                == "wrong: Others on this machine may change \(settings).")
    }

    /// Its settings and its history are elsewhere, and a daemon that is down does not say where.
    @Test func `nothing is claimed of a daemon at another socket that is down`() throws {
        let daemon = try RealDaemon()
        let other = FileManager.default.temporaryDirectory.appending(path: "daybreak-other-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: other, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: other) }
        let elsewhere = daemon.surroundings.merging(["XDG_RUNTIME_DIR": other.path]) { $1 }
        #expect(try Self.said(of: .history, daemon.path, elsewhere) == "good: The history is sound.")
        daemon.die()
        #expect(try Self.said(of: .history, daemon.path, elsewhere) == "unknown: Only a running daybreakd knows.")
        #expect(try Self.said(of: .configuration, daemon.path, elsewhere) == "unknown: Only a running daybreakd knows.")
        let notKnown = "unknown: Where the daemon of this socket keeps its history is not known."
        #expect(try Self.said(of: .folders, daemon.path, elsewhere) == notKnown)
        #expect(try Self.said(of: .history, daemon.path, daemon.surroundings) == "good: The history is sound.")
    }

    /// The daemon refuses such a history, and tells its folder all the same.
    @Test func `a refused history's open folder is found`() throws {
        let daemon = try RealDaemon()
        daemon.die()
        let state = try #require(daemon.surroundings["XDG_STATE_HOME"]) + "/daybreak"
        #expect(chmod(state, 0o777) == 0)
        try daemon.begin()
        let environment = daemon.surroundings.merging(["XDG_STATE_HOME": "/nowhere"]) { $1 }
        #expect(
            try Self.said(of: .folders, daemon.path, environment)
                == "wrong: Others on this machine may change \(state).")
    }

    /// A running daemon does not look for a missing event, because it has its plan in memory.
    @Test func `an event that is missing from the history is found, with and without a daemon`() throws {
        let daemon = try RealDaemon()
        let history = try #require(daemon.surroundings["XDG_STATE_HOME"]) + "/daybreak/history.db"
        func said() throws -> String? { try Self.said(of: .history, daemon.path, daemon.surroundings) }
        #expect(try said() == "good: The history is sound.")
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/python3")
        let program = """
            import sqlite3, sys
            history = sqlite3.connect(sys.argv[1])
            guard = history.execute("SELECT sql FROM sqlite_master WHERE name = 'event_is_never_deleted'").fetchone()[0]
            history.executescript("DROP TRIGGER event_is_never_deleted; DELETE FROM event WHERE seq = 1; " + guard)
            """
        python.arguments = ["-c", program, history]
        try python.run()
        python.waitUntilExit()
        try #require(python.terminationStatus == 0)
        let damaged = "wrong: The history \(history) is damaged: its event 1 is missing."
        #expect(try said() == damaged)
        daemon.die()
        #expect(try said() == damaged)
        for suffix in ["", "-wal", "-shm"] { unlink(history + suffix) }
        #expect(try said() == "unknown: Only a running daybreakd knows.")
    }
}
