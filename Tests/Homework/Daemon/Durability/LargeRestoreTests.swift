import Foundation
import Glibc
import TestSupport
import Testing
import TestingSupport
import UnixTestSupport

@testable import HomeworkDaemon

/// A restore that takes as long as ten thousand other calls.
@Suite(.hangGuard) struct LargeRestoreTests {
    private let household = Workload()
    private static let restore = call("Service.Restore", #"{"file":"restore-1"}"#)

    private func list(_ daemon: DaemonProcess) -> String? {
        daemon.client().ask(call("Homework.List", #"{"all":true}"#))
    }

    /// Lays down an export with many notes after the household's own events. Returns the number of its events.
    private func layDownLarge(_ daemon: DaemonProcess) throws -> Int {
        let lines = try daybreak(daemon, "export").output.split(separator: "\n").map(String.init)
        let notes = 30_000
        let last = try #require(lines.last { $0.contains(#""kind":"noteWritten""#) })
        let count = lines.count - 1 + notes
        var text = lines[0].replacing(/"events":\d+/, with: "\"events\":\(count)") + "\n"
        for line in lines.dropFirst() { text += line + "\n" }
        for number in lines.count...count { text += last.replacing(/"seq":\d+/, with: "\"seq\":\(number)") + "\n" }
        _ = daemon.client().ask(call("Service.GetStorage"))
        write(text, to: household.state + "/backups/restore-1")
        must(chmod(household.state + "/backups/restore-1", 0o600))
        daemon.forgetNotifications()
        return count
    }

    @Test func `while a large export is restored, others are answered`() throws {
        let daemon = try household.lived()
        let count = try layDownLarge(daemon)
        let (restorer, other) = (daemon.client(), daemon.client())
        restorer.send(Self.restore)
        let status = other.ask(call("Homework.GetStatus"))
        let note = other.ask(call("Homework.AddNote", #"{"text":"meanwhile"}"#))
        #expect(restorer.message() == nil)
        #expect(status?.hasPrefix(#"{"parameters":{"status""#) == true && note?.hasPrefix(#"{"parameters""#) == true)
        let reply = try #require(restorer.wait())
        #expect(reply.hasPrefix("{\"parameters\":{\"events\":\(count),"), "\(reply)")
        #expect(other.ask(call("Homework.GetStatus"))?.contains("problem") == false)
        // No copy of the large history keeps others waiting.
        for method in ["Service.Export", "Service.Backup"] {
            restorer.send(call(method))
            #expect(other.ask(call("Homework.GetStatus"))?.hasPrefix(#"{"parameters":{"status""#) == true)
            #expect(restorer.message() == nil, "\(method) was answered first")
            #expect(restorer.wait()?.contains("asked-") == true)
        }
        // The note that was taken meanwhile is in the history that is kept aside.
        let kept = try #require(reply.firstMatch(of: /"kept":"([^"]*)"/)?.1)
        must(rename(String(kept), household.state + "/backups/restore-2"))
        let back = other.ask(call("Service.Restore", #"{"file":"restore-2"}"#))
        #expect(back?.hasPrefix(#"{"parameters""#) == true)
        #expect(try daybreak(daemon, "export").output.contains("meanwhile"))
    }

    @Test func `while a large history is erased, others are answered`() throws {
        let daemon = try household.lived()
        _ = try layDownLarge(daemon)
        let (eraser, other) = (daemon.client(), daemon.client())
        #expect(eraser.ask(Self.restore)?.hasPrefix(#"{"parameters""#) == true)
        for erasure in [call("Service.Erase", #"{"assignment":"qtaskq"}"#), call("Service.EraseEverything")] {
            #expect(eraser.ask(call("Service.Backup"))?.contains("asked-") == true)
            daemon.forgetNotifications()
            eraser.send(erasure)
            #expect(other.ask(call("Homework.GetStatus"))?.hasPrefix(#"{"parameters":{"status""#) == true)
            #expect(eraser.message() == nil, "it was answered first")
            #expect(eraser.wait()?.hasPrefix(#"{"parameters""#) == true)
            #expect(household.places(of: "qnoteq") == [])
        }
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `a daemon that ends in the middle of a restore leaves the history as it was`(signal: Int32) throws {
        let daemon = try household.lived()
        let before = list(daemon)
        _ = try layDownLarge(daemon)
        let restorer = daemon.client()
        restorer.send(Self.restore)
        #expect(daemon.client().ask(call("Homework.GetStatus")) != nil)
        #expect(daemon.end(signal) == (signal == SIGKILL ? -SIGKILL : 0))
        #expect(restorer.wait() == nil)
        let next = try household.started()
        #expect(list(next) == before)
        #expect(try daybreak(next, "backup", household.folder["copy.db"]).status == 0)
        #expect(try daybreak(next, "restore", household.folder["copy.db"]).status == 0)
    }
}
