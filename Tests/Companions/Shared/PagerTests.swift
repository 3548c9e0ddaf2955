import DaybreakInterfaces
import Foundation
import TestSupport
import Testing
import Varlink

@testable import Companion
@testable import DaybreakCompanion

/// Long texts go through a pager, on a pseudoterminal (man 1 script) of 24 rows.
@Suite struct PagerTests {
    private static func list(_ count: Int) -> [UInt8] {
        let tasks = (1...count).map { Sample.assignment("missed", due: "2026-10-\($0 < 10 ? "0" : "")\($0)") }
        return Reply.frame(
            Homework.List.Reply(today: "2026-11-20", assignments: tasks, earlier: 0, later: 0))
    }

    /// Of the lines that `daybreak list` printed: how many went through the pager, which marks each, and how many there
    /// were.
    private func run(_ arguments: String, tasks: Int, pager: String = "sed s/^/P/") throws -> [Int] {
        let listener = Listener()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/script")
        process.arguments = ["-qec", "\(Programs.path(of: "daybreak")) list \(arguments)", "/dev/null"]
        process.environment = [
            "DAYBREAK_SOCKET": listener.path, "TERM": "xterm", "NO_COLOR": "1", "PAGER": pager, "PATH": "/usr/bin:/bin",
            "LLVM_PROFILE_FILE": "/dev/null",
        ]
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let peer = listener.accept()
        _ = peer.call()
        peer.send(Self.list(tasks))
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let lines = said.split(whereSeparator: \.isNewline)
        return [lines.count { $0.hasPrefix("P") }, lines.count]
    }

    @Test func `a long list is paged, and a short one is not`() throws {
        #expect(try run("--all", tasks: 30) == [34, 34])
        #expect(try run("--all", tasks: 3) == [0, 5])
    }

    @Test func `a long list is printed at once if no pager is wanted or found`() throws {
        #expect(try run("--all --no-pager", tasks: 30) == [0, 32])
        #expect(try run("--all", tasks: 30, pager: "") == [0, 32])
        #expect(try run("--all", tasks: 30, pager: "no-such-pager 2>/dev/null") == [0, 32])
    }

    @Test(arguments: [(nil as String?, "FRX"), ("", "-R"), ("-i", "-R -i"), ("X", "-R X"), ("-R -S", "-R -R -S")])
    func `less shows colours, whatever else the client has it do`(own: String?, options: String) {
        #expect(Pager.less(own) == options)
    }

    @Test func `leaving a pager early ends the program quietly`() throws {
        #expect(try run("--all", tasks: 30, pager: "sed -n 's/^/P/;1{p;q}'") == [1, 1])
    }
}
