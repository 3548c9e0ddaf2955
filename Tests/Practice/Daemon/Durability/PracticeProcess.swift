import Foundation
import Glibc
import TestSupport
import Testing
import UnixTestSupport

/// The real program, which is passed its listening socket as a service manager does: the socket outlives it.
final class PracticeProcess {
    let process: pid_t
    private let errorsFile: String
    /// A socket whose other end the process holds. It hangs up when the process ends.
    let ended: Int32
    private var hasEnded = false

    static let program = Programs.path(of: "practiced")

    /// The listening socket.
    static func listeningSocket(_ path: String) throws -> Int32 {
        let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(withAddress(path) { bind(listening, $0, $1) } == 0)
        try #require(listen(listening, 100) == 0)
        return listening
    }

    /// Its state is in the folder's `state`. Its log is appended to the folder's `errors`.
    init(
        in folder: UnixTestSupport.Folder, listening: Int32, _ options: [String] = [], config: String = "/none",
        environment: [String: String] = [:]
    ) throws {
        errorsFile = folder["errors"]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, listening, 3)
        var ends: [Int32] = [-1, -1]
        must(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends))
        posix_spawn_file_actions_adddup2(&actions, ends[1], 9)
        closeOthers(in: &actions, from: 10)
        posix_spawn_file_actions_addopen(&actions, 2, errorsFile, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let words = ["/bin/sh", "-c", #"LISTEN_PID=$$ exec "$0" --config "$@""#, Self.program, config] + options
        let variables =
            [
                "LISTEN_FDS": "1", "LISTEN_FDNAMES": "varlink", "STATE_DIRECTORY": folder["state"],
                "RUNTIME_DIRECTORY": folder["run"], "LLVM_PROFILE_FILE": "/dev/null",
            ].merging(environment) { $1 }
        var arguments = words.map { strdup($0) } + [nil]
        var surroundings = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + surroundings { free(text) } }
        var process = pid_t()
        try #require(posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, &surroundings) == 0)
        self.process = process
        ended = ends[0]
        must(close(ends[1]))
    }

    deinit {
        if !hasEnded { end(SIGKILL) }
        close(ended)
    }

    /// Ends the process, and waits for its end. Returns the exit status, or the signal that ended it as a negative number.
    @discardableResult func end(_ signal: Int32) -> Int32 {
        kill(process, signal)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        hasEnded = true
        return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
    }

    /// The lines that it logged, without the time before each.
    var said: [String] {
        (text(of: errorsFile) ?? "").split(separator: "\n").map { String($0.drop { $0 != " " }.dropFirst()) }
    }
}
