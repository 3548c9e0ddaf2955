import Glibc

/// A program, run to its end or for as long as the test needs it.
final class Program {
    private let process: pid_t
    private let output: Int32
    private let errors: Int32
    private var status: Int32?

    /// `descriptor` is passed as number 3.
    init(_ words: [String], _ environment: [String: String], passing descriptor: Int32? = nil) {
        let (out, err) = (Self.pipe(), Self.pipe())
        defer { for end in [out.writing, err.writing] { close(end) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, out.writing, 1)
        posix_spawn_file_actions_adddup2(&actions, err.writing, 2)
        if let descriptor { posix_spawn_file_actions_adddup2(&actions, descriptor, 3) }
        process = spawn(words, environment, &actions)
        output = out.reading
        errors = err.reading
    }

    private static func pipe() -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        // Closed in every child except the one that it is for.
        precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    deinit {
        stop()
        for end in [output, errors] { close(end) }
    }

    /// Ends it, and every process that it started.
    func stop() {
        guard status == nil else { return }
        kill(-process, SIGKILL)
        _ = wait()
    }

    struct CommandOutput: Equatable {
        var output: String
        var errors: String
        var status: Int32
    }

    /// Milliseconds, longer than any of these tests takes. A program that is silent for so long is ended.
    private static let patience: Int32 = 60_000

    /// Waits for its end, and returns its output.
    func end() -> CommandOutput {
        // These programs write fewer errors than a pipe holds.
        let said = (text(of: output), text(of: errors))
        return CommandOutput(output: said.0, errors: said.1, status: wait())
    }

    /// The output up to and including the next line that matches; nil if it ends or is silent before.
    func output(until isLast: (String) -> Bool) -> String? {
        var text = ""
        var line: [UInt8] = []
        while let byte = read(1, from: output)?.first {
            line.append(byte)
            guard byte == UInt8(ascii: "\n") else { continue }
            let whole = String(decoding: line, as: UTF8.self)
            text += whole
            if isLast(String(whole.dropLast())) { return text }
            line = []
        }
        return nil
    }

    private func text(of end: Int32) -> String {
        var bytes: [UInt8] = []
        while let more = read(64 * 1_024, from: end) { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Nil at the end.
    private func read(_ limit: Int, from end: Int32) -> ArraySlice<UInt8>? {
        var chunk = [UInt8](repeating: 0, count: limit)
        var wanted = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
        if poll(&wanted, 1, Self.patience) == 0 { kill(-process, SIGKILL) }
        let count = Glibc.read(end, &chunk, limit)
        return count > 0 ? chunk[..<count] : nil
    }

    private func wait() -> Int32 {
        if let status { return status }
        var ended: Int32 = 0
        while waitpid(process, &ended, 0) < 0, errno == EINTR {}
        let result = ended & 0x7f == 0 ? ended >> 8 & 0xff : -(ended & 0x7f)
        status = result
        return result
    }
}

/// Starts a process that takes every signal. The threads of Swift and Dispatch block them, and a child inherits that.
private func spawn(
    _ words: [String], _ environment: [String: String], _ actions: inout posix_spawn_file_actions_t
) -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // A process group of its own, so that every process it starts can be ended with it.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP))
    var process: pid_t = 0
    let arguments = words.map { strdup($0) }
    let variables = environment.map { strdup("\($0)=\($1)") }
    defer { for copy in arguments + variables { free(copy) } }
    let result = posix_spawnp(&process, words[0], &actions, &attributes, arguments + [nil], variables + [nil])
    precondition(result == 0, "\(words[0]): \(String(cString: strerror(result)))")
    return process
}
