import Files
import Glibc
public import Systemd
import Text

/// A small client that works in a loop, from its arguments to its exit status.
public struct LoopProgram: Sendable {
    private let name: String
    private let version: String
    private let help: String
    private let words: Int

    /// - Parameter words: the number of arguments.
    public init(_ name: String, version: String, words: Int, help: String) {
        (self.name, self.version, self.words, self.help) = (name, version, words, help)
    }

    /// 0 after SIGTERM or SIGINT, 64 for wrong arguments, 70 if it cannot run.
    /// - Parameter begin: makes the object that works in the loop, from the program's arguments.
    public func main(_ arguments: [String], _ begin: (EventLoop, [String]) throws -> AnyObject) -> Int32 {
        ProgramStart.prepare()
        let arguments = Array(arguments.dropFirst())
        switch arguments {
        case ["--help"], ["-h"]: return StandardStreams.print(help)
        case ["--version"]: return StandardStreams.print("\(name) \(version)")
        default: break
        }
        guard arguments.count == words, !arguments.contains(where: { $0.hasPrefix("-") }) else {
            say(arguments.count < words ? "An argument is missing.\n\(help)" : "There is no such argument.\n\(help)")
            return 64
        }
        umask(0o077)
        do {
            try Memory.keepPrivate()
            let loop = try EventLoop()
            return try withExtendedLifetime(begin(loop, arguments)) { try loop.run() }
        } catch {
            say("\(error)")
            return 70
        }
    }

    /// Writes a line for an administrator.
    public func say(_ line: String) { _ = File.write(Array("\(name): \(line.visibleLines)\n".utf8), to: STDERR_FILENO) }
}
