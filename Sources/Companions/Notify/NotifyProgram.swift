import DaybreakInterfaces
import Files
import Glibc
import Systemd
import Text

/// `daybreak-notify` from its arguments to its exit status.
public enum NotifyProgram {
    static let help = """
        usage: daybreak-notify SOCKET

        Shows daybreakd's reminders as desktop notifications. SOCKET is the daemon's control socket.
        `daybreak notify` finds it and runs this; daybreak-notify.service does so from login on.
        """

    /// 0 after SIGTERM or SIGINT, 64 for wrong arguments, 70 if it cannot run.
    public static func main(_ arguments: [String]) -> Int32 {
        ProgramStart.prepare()
        switch arguments.dropFirst() {
        case ["--help"], ["-h"]:
            return StandardStreams.print(help)
        case ["--version"]:
            return StandardStreams.print("daybreak-notify \(Product.version)")
        case let words where words.count == 1 && words.first?.hasPrefix("-") == false:
            return run(words[words.startIndex])
        default:
            say("There is no such argument.\n\(help)")
            return 64
        }
    }

    private static func run(_ path: String) -> Int32 {
        umask(0o077)
        do {
            try Memory.keepPrivate()
            let loop = try EventLoop()
            let notifier = try Notifier(loop, at: path, say: say)
            return try withExtendedLifetime(notifier) { try loop.run() }
        } catch {
            say("\(error)")
            return 70
        }
    }

    private static func say(_ line: String) {
        let bytes = Array("daybreak-notify: \(line.visibleLines)\n".utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
