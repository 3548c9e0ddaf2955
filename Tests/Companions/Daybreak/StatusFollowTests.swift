import DaybreakInterfaces
import Foundation
import TestSupport
import Testing
import Varlink

@testable import Companion
@testable import DaybreakCompanion

/// `daybreak status --follow` as a bar runs it, with daemons that end and start.
@Suite struct StatusFollowTests {
    private final class Follower {
        let process = Process()
        private let output = Pipe()
        private let error = Pipe()
        private let ended = DispatchSemaphore(value: 0)
        private var rest: [UInt8] = []

        init(_ arguments: String..., socket: String) throws {
            process.executableURL = URL(filePath: Programs.path(of: "daybreak"))
            process.arguments = ["status", "--follow"] + arguments
            process.environment = ["DAYBREAK_SOCKET": socket, "TERM": "xterm", "LLVM_PROFILE_FILE": "/dev/null"]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = error
            process.terminationHandler = { [ended] _ in ended.signal() }
            try process.run()
        }

        /// Waits for its end; false if it does not end within a minute.
        func hasEnded() -> Bool { ended.wait(timeout: .now() + 60) == .success }

        deinit { end() }

        /// Kills it, because a test's process may have blocked the other signals, and its children inherit that.
        private func end() { kill(process.processIdentifier, SIGKILL) }

        /// Waits for the next line; nil at the end.
        func line() -> String? {
            while true {
                if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { rest.removeFirst(end + 1) }
                    return String(decoding: rest[..<end], as: UTF8.self)
                }
                let more = output.fileHandleForReading.availableData
                guard !more.isEmpty else { return nil }
                rest += more
            }
        }

        func stopReading() { try? output.fileHandleForReading.close() }

        func complaints() -> String {
            end()
            return String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
    }

    private static func reply(_ status: Homework.Status) -> [UInt8] {
        Reply.frame(Homework.GetStatus.Reply(status: status), continues: true)
    }

    @Test func `each change gives a line, and a restart of the daemon gives none`() throws {
        let listener = Listener()
        let follower = try Follower("--format", "plain", socket: listener.path)
        let first = listener.accept()
        #expect(first.call() == #"{"method":"org.daybreak.Homework.GetStatus","more":true,"parameters":{}}"#)
        first.send(Self.reply(Sample.eligible(Sample.status())))
        #expect(follower.line() == "task open")
        first.send(Self.reply(Sample.eligible(Sample.status())))
        first.hangUp()
        let second = listener.accept()
        _ = second.call()
        second.send(Self.reply(Sample.eligible(Sample.status())))
        second.send(Self.reply(Sample.status(Sample.flow("waiting"))))
        #expect(follower.line() == "wait room")
        #expect(follower.complaints() == "")
    }

    @Test func `a missing daemon is reported, and found when it is back`() throws {
        var listener: Listener? = Listener()
        let path = try #require(listener?.path)
        let follower = try Follower("--format", "waybar", socket: path)
        let first = listener?.accept()
        first?.send(Self.reply(Sample.status(Sample.flow("session"))))
        #expect(follower.line()?.contains(#""alt":"session""#) == true)
        listener = nil
        first?.hangUp()
        #expect(
            follower.line()
                == #"{"alt":"away","class":"away","percentage":0,"text":"","tooltip":"daybreakd does not answer."}"#)
        let next = Listener(at: path)
        let second = next.accept()
        second.send(Self.reply(Sample.status(Sample.flow("session"))))
        #expect(follower.line()?.contains(#""alt":"session""#) == true)
        #expect(follower.complaints() == "")
    }

    @Test func `a bar may start before the daemon`() throws {
        let follower = try Follower("--format", "i3status-rust", socket: "/nowhere/control")
        #expect(follower.line() == #"{"icon":"","short_text":"","state":"Idle","text":""}"#)
        #expect(follower.complaints() == "")
    }

    @Test func `following ends when its reader does, also without a change`() throws {
        let listener = Listener()
        let follower = try Follower("--format", "plain", socket: listener.path)
        let daemon = listener.accept()
        daemon.send(Self.reply(Sample.eligible(Sample.status())))
        #expect(follower.line() == "task open")
        follower.stopReading()
        #expect(follower.hasEnded())
        #expect(follower.process.terminationStatus == 0)
    }
}
