import DiskSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TestingSupport
import UnixTestSupport

@testable import HomeworkDaemon

/// Real troubles of a machine, without interposed libraries.
@Suite(.hangGuard) struct RealTroubleTests {
    let household = Workload()

    private func started() throws -> (DaemonProcess, Sender) {
        let daemon = DaemonProcess(in: household.folder, environment: ["TZ": household.zone])
        try #require(daemon.isReady(), "\(daemon.errors ?? "")")
        return (daemon, household.senders(to: daemon, [.presence])[0])
    }

    /// Kills the daemon, and checks what it has kept.
    private func expectSoundEnd(_ daemon: DaemonProcess, _ sender: Sender) throws {
        kill(daemon.process, SIGKILL)
        _ = daemon.end()
        var account = Account()
        try account.settle([sender], in: household.state, "a real trouble")
        #expect(account.isSound, "\(account.figures)")
    }

    private func refusal(_ reason: String) -> String {
        error("org.daybreak.Homework.StorageUnavailable", "{\"reason\":\"\(reason)\"}")
    }

    @Test(.enabled(if: geteuid() == 0, "only root may mount a small disk"))
    func `a full disk is reported, and recording goes on when there is room`() throws {
        let disk = try MountedDisk(at: household.state, "size=512k")
        let (daemon, sender) = try started()
        sender.ask(3, expecting: .done)
        disk.fill()
        // Earlier writes left some room in the log.
        while sender.sent.last?.outcome == .done { sender.ask(1, expecting: nil) }
        #expect(
            sender.lastReply
                == refusal(
                    "The disk is full, and the history \(household.state)/history.db cannot be written: make room"))
        disk.makeRoom()
        sender.ask(3, expecting: .done)
        try expectSoundEnd(daemon, sender)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may mount a small disk"))
    func `on a full disk an erasure is refused, and what was to be erased can still be read`() throws {
        let disk = try MountedDisk(at: household.state, "size=512k")
        var (daemon, _) = try started()
        func ask(_ name: String, _ parameters: String = "{}") -> String {
            daemon.client().ask(call(name, parameters)) ?? ""
        }
        _ = ask("Homework.AddNote", #"{"text":"the garden","assignment":null}"#)
        disk.fill()
        #expect(ask("Service.Erase").hasPrefix(#"{"error":"org.daybreak.Homework.StorageUnavailable""#))
        #expect(ask("Homework.Notes").contains("the garden"))
        // Nor does a daemon that is started there, and cannot open its history, need room to read.
        #expect(daemon.end(SIGTERM) == 0)
        disk.fill()
        (daemon, _) = try started()
        #expect(ask("Homework.AddNote", #"{"text":"no room"}"#).contains("StorageUnavailable"))
        #expect(ask("Homework.Notes").contains("the garden"))
        #expect(!ask("Homework.Notes").contains("no room"))
        #expect(ask("Homework.Reminders").hasPrefix(#"{"parameters""#))
        disk.makeRoom()
        #expect(ask("Service.Erase").hasPrefix(#"{"parameters""#))
        #expect(!ask("Homework.Notes").contains("the garden"))
    }

    @Test(.enabled(if: geteuid() == 0, "only root may mount a disk read-only"))
    func `a read-only disk is reported, and recording goes on when it can be written`() throws {
        let disk = try MountedDisk(at: household.state, "size=512k")
        var (daemon, sender) = try started()
        sender.ask(3, expecting: .done)
        #expect(daemon.end(SIGTERM) == 0)
        try disk.remount("ro")
        let first = sender
        (daemon, sender) = try started()
        sender.ask(2, expecting: .refused)
        #expect(
            sender.lastReply
                == refusal("Could not open \(household.state)/history.db.lock: Read-only file system"))
        try disk.remount("rw")
        sender.ask(3, expecting: .done)
        #expect(first.sent.count == 3)
        kill(daemon.process, SIGKILL)
        _ = daemon.end()
        var account = Account()
        try account.settle([first, sender], in: household.state, "a read-only disk")
        #expect(account.isSound, "\(account.figures)")
    }

    @Test func `a missing folder is reported, and recording goes on when it is back`() throws {
        let (daemon, sender) = try started()
        sender.ask(3, expecting: .done)
        must(rename(household.state, household.state + ".away"))
        sender.ask(2, expecting: .refused)
        #expect(sender.lastReply == refusal("The history \(household.state)/history.db has vanished: bring it back"))
        must(rename(household.state + ".away", household.state))
        sender.ask(3, expecting: .done)
        try expectSoundEnd(daemon, sender)
    }

    /// A locked history must keep no client waiting, because the loop has only one thread.
    @Test func `while another program locks the history, reads are answered`() throws {
        let (daemon, sender) = try started()
        sender.ask(3, expecting: .done)
        let locker = try LockHolder(household.state + "/history.db")
        sender.ask(2, expecting: .refused)
        #expect(daemon.client().ask(call("Homework.GetStatus"))?.hasPrefix("{\"parameters\"") == true)
        #expect(
            sender.lastReply
                == refusal("Another program keeps the history \(household.state)/history.db locked: close it"))
        locker.letGo()
        sender.ask(3, expecting: .done)
        try expectSoundEnd(daemon, sender)
    }

    /// The socket holds some ten messages. Then the kernel makes the sender wait.
    @Test func `a service manager that does not read keeps no client waiting`() throws {
        let daemon = try household.started()
        let sender = household.senders(to: daemon, [.flow])[0]
        sender.ask(200, expecting: .done)
        #expect(daemon.end(SIGTERM) == 0)
    }

    @Test func `without free descriptors the history is unavailable, and available when there are some again`() throws {
        let faults = DiskFaults(household)
        let daemon = DaemonProcess(
            in: household.folder, environment: faults.environment.merging(["TZ": household.zone]) { $1 })
        try #require(daemon.isReady(), "\(daemon.errors ?? "")")
        let sender = household.senders(to: daemon, [.presence])[0]
        sender.ask(1, expecting: .done)
        let limit = ["--pid", "\(daemon.process)"]
        try run("/usr/bin/prlimit", limit + ["--nofile=0:"])
        // Only opening the history again needs a descriptor, so a sync fails first.
        faults.fail(.syncs, 1, error: EIO)
        sender.ask(2, expecting: nil)
        #expect(sender.sent.suffix(2).map(\.outcome) == [.unknown, .refused])
        #expect(sender.lastReply?.contains("Too many open files") == true, "\(sender.lastReply ?? "")")
        try run("/usr/bin/prlimit", limit + ["--nofile=1024:"])
        sender.ask(3, expecting: .done)
        try expectSoundEnd(daemon, sender)
    }
}

/// A file system in memory, for one test.
private final class MountedDisk {
    private let path: String

    init(at path: String, _ options: String) throws {
        self.path = path
        try run("/bin/mount", ["-t", "tmpfs", "-o", "mode=0700,\(options)", "tmpfs", path])
    }

    deinit {
        // Only the empty folder is left.
        try? run("/bin/umount", ["--lazy", path])
    }

    func remount(_ how: String) throws { try run("/bin/mount", ["-o", "remount,\(how)", path]) }

    /// Fills it to the last byte.
    func fill() {
        let descriptor = open(path + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        must(descriptor)
        for size in [65_536, 4_096] {
            let chunk = [UInt8](repeating: 1, count: size)
            while Glibc.write(descriptor, chunk, size) == size {}
        }
        must(close(descriptor))
    }

    func makeRoom() { must(unlink(path + "/filler")) }
}

private func run(_ program: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
}
