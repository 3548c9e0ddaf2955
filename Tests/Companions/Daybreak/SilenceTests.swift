import DaybreakInterfaces
import Foundation
import Glibc
import TestSupport
import Testing
import Varlink

@testable import Companion
@testable import DaybreakCompanion

/// A daemon that listens and does not answer.
@Suite struct SilenceTests {
    private static let advice =
        "`daybreak doctor` tells more; `systemctl --user restart daybreakd.socket` starts it anew."

    /// Runs `daybreak`, and answers its call once it has said something on standard error.
    private func late(_ arguments: [String], answer: [UInt8]) throws -> (error: String, run: ProgramTests.Run) {
        let listener = Listener()
        let process = Process()
        process.executableURL = URL(filePath: Programs.path(of: "daybreak"))
        process.arguments = arguments
        process.environment = ["DAYBREAK_SOCKET": listener.path, "TERM": "xterm"]
        let (output, error) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = error
        try process.run()
        let peer = listener.accept()
        _ = peer.call()
        let said = String(decoding: error.fileHandleForReading.availableData, as: UTF8.self)
        peer.send(answer)
        let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let rest = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (said, ProgramTests.Run(output: printed, error: rest, status: process.terminationStatus))
    }

    @Test func `a verb says once that daybreakd does not answer yet, and goes on waiting`() throws {
        let reply = Reply.frame(Homework.GetStatus.Reply(status: Sample.status(Sample.flow("waiting"))))
        let (error, run) = try late(["status", "--json"], answer: reply)
        #expect(error == "daybreakd does not answer yet. \(Self.advice)\n")
        #expect(run.error == "" && run.status == 0)
        let status: Homework.GetStatus.Reply = Sample.decode(run.output)
        #expect(status.status.flow?.stage == .waiting)
    }

    @Test func `a call is given up in the end`() throws {
        let listener = Listener()
        var daemon = Daemon.daybreakd
        daemon.longestSilence = { _ in 1 }
        let connection = try DaemonConnection(to: listener.path, of: daemon)
        let failure = #expect(throws: Failure.self) { try connection.call(Homework.Pause()) }
        #expect(failure?.status == 69)
        #expect(
            failure?.sentence == """
                daybreakd listens at \(listener.path), and has not answered for 1 second.
                A change may be made all the same: look before you repeat it.
                \(Self.advice)
                """)
    }

    /// It may have been killed after it kept the note.
    @Test func `a daemon that hangs up before it answers may have made the change`() throws {
        let listener = Listener()
        let run = try ProgramTests.run(["note", "Ask"], socket: listener.path) {
            let peer = listener.accept()
            #expect(peer.call().contains("AddNote"))
            peer.hangUp()
        }
        #expect(run.status == 69 && run.output == "")
        #expect(
            run.error.hasPrefix(
                """
                daybreakd hung up at \(listener.path) before it answered.
                A change may be made all the same: look before you repeat it.
                Start it with
                """), "\(run.error)")
    }

    /// Such as a logger that has died.
    @Test(arguments: [("status", Int32(69)), ("bogus", 64), ("list", 69)])
    func `a failure that nobody reads keeps its status`(verb: String, status: Int32) throws {
        let process = Process()
        process.executableURL = URL(filePath: Programs.path(of: "daybreak"))
        process.arguments = [verb]
        process.environment = ["DAYBREAK_SOCKET": "/nonexistent/control"]
        let errors = Pipe()
        process.standardError = errors.fileHandleForWriting
        process.standardOutput = FileHandle.nullDevice
        try errors.fileHandleForReading.close()
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == status)
    }

    @Test func `every call has its time, the copies of a long history an hour`() {
        let longest = [
            Homework.GetStatus.name, Homework.Import.name, Service.Backup.name, Service.Restore.name, Link.LookNow.name,
        ].map(Daemon.daybreakd.longestSilence)
        #expect(longest == [60, 60, 3_600, 3_600, nil])
    }

    @Test func `a key says that its call is not answered yet, until it is`() {
        var walk = Sample.walk()
        #expect(walk.take(.key(.space)) == [.call(.start)])
        #expect(walk.take(.unanswered) == [])
        #expect(
            Wording.Guided.notices(walk) == [
                "daybreakd does not answer yet. `daybreak doctor` in another terminal tells more."
            ])
        #expect(walk.take(.refused(.notes, "")) == [])
        #expect(walk.take(.answered(.start, .flow(Sample.flow()), at: 4)) == [.breathe])
        #expect(Wording.Guided.notices(walk) == [])
    }

    @Test(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot), arguments: ["", "--plain"])
    func `the guided way says that a stopped daemon does not answer`(option: String) throws {
        let daemon = try RealDaemon(settings: "[breathing]\npattern = \"30-0-30-0\"\n")
        let pane = try TmuxPane(
            columns: 80, rows: 24, environment: daemon.surroundings.merging(["NO_COLOR": "1"]) { $1 },
            "daybreak start \(option)")
        pane.waits { pane.picture().contains("begins") }
        daemon.stop()
        pane.type("Enter")
        pane.waits { pane.picture().contains("daybreakd does not answer yet.") }
        daemon.goOn()
        pane.waits { pane.picture().contains("Breathe in") }
    }
}
