import DaybreakInterfaces
import Files
import Glibc
import Systemd
import Text

/// `daybreak-link` from its arguments to its exit status.
public enum LinkProgram {
    static let help = """
        usage: daybreak-link SOCKET FOLDER

        Carries what you share to your practice, and its news here. SOCKET is daybreakd's control socket,
        FOLDER that of the link's key. `daybreak link run` finds both; daybreak-link.service runs this.
        """

    /// 0 after SIGTERM or SIGINT, 64 for wrong arguments, 70 if it cannot run.
    public static func main(_ arguments: [String]) -> Int32 {
        ProgramStart.prepare()
        switch arguments.dropFirst() {
        case ["--help"], ["-h"]:
            return StandardStreams.print(help)
        case ["--version"]:
            return StandardStreams.print("daybreak-link \(Product.version)")
        case let words where words.count == 2 && !words.contains { $0.hasPrefix("-") }:
            return run(words[words.startIndex], words[words.startIndex + 1])
        default:
            say("There is no such argument.\n\(help)")
            return 64
        }
    }

    private static func run(_ path: String, _ folder: String) -> Int32 {
        umask(0o077)
        do {
            try Memory.keepPrivate()
            Memory.keepNothingLarge()
            let loop = try EventLoop()
            let process = try LinkProcess(loop, at: path, folder: folder, say: say)
            return try withExtendedLifetime(process) { try loop.run() }
        } catch {
            say("\(error)")
            return 70
        }
    }

    private static func say(_ line: String) {
        let bytes = Array("daybreak-link: \(line.visibleLines)\n".utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
