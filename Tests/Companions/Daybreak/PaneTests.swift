import Foundation
import Glibc
import Testing

/// The terminal of the screen's tests.
@Suite(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot)) struct PaneTests {
    private let folder = URL(filePath: "/tmp").appending(path: "daybreak-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    @Test func `the terminal ends when the tests are killed`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(mkfifo(folder + "/pipe", 0o600) == 0)
        let pipe = open(folder + "/pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(pipe) }
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
            let pane = try TmuxPane(columns: 80, rows: 24, "exec 3> \(folder)/pipe; echo begun; exec cat")
            #expect(pane.waits { pane.picture().hasPrefix("begun") })
            try pane.file("").write(toFile: folder + "/pane", atomically: true, encoding: .utf8)
            kill(getpid(), SIGKILL)
        }
        let left = try String(contentsOfFile: folder + "/pane", encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: left) }
        // The program in the pane held the other end of the pipe.
        var end = pollfd(fd: pipe, events: 0, revents: 0)
        #expect(poll(&end, 1, 20_000) == 1)
        #expect(end.revents == Int16(POLLHUP))
    }
}
