import Glibc
import PracticeRules
import Unix

/// The fingerprint of a public key, by OpenSSH (man 1 ssh-keygen, `-l`).
struct KeyFingerprint: Equatable {
    let bits: Int
    /// By SHA-256, `SHA256:…`.
    let text: String

    static let program = "/usr/bin/ssh-keygen"

    /// Nil if ssh-keygen refuses the key. Throws if ssh-keygen cannot be run.
    static func of(_ key: PublicKey) throws(SocketError) -> KeyFingerprint? {
        let words = try say(key.line + "\n", to: ["-l", "-E", "sha256", "-f", "-"]).split(separator: " ")
        // `256 SHA256:… comment (ED25519)`
        guard words.count >= 3, let bits = Int(words[0]), words[1].hasPrefix("SHA256:") else { return nil }
        return KeyFingerprint(bits: bits, text: String(words[1]))
    }

    /// Runs the program with a text as its input, and returns the first bytes of its output. The text is shorter than a
    /// socket's buffer.
    private static func say(_ text: String, to options: [String]) throws(SocketError) -> String {
        let (ours, theirs) = try LocalSocket.pair()
        defer { close(ours) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, theirs, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, theirs, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        let words = ([program] + options).map { strdup($0) } + [nil]
        let variables = [strdup("LC_ALL=C"), nil]
        defer { for text in words + variables { free(text) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, program, &actions, nil, words, variables)
        close(theirs)
        guard failure == 0 else { throw SocketError(path: program, errno: failure) }
        _ = Array(text.utf8).withUnsafeBytes { send(ours, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        shutdown(ours, Int32(SHUT_WR))
        var bytes = [UInt8](repeating: 0, count: 16 * 1_024)
        let count = recv(ours, &bytes, bytes.count, Int32(MSG_WAITALL))
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status == 0 && count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
    }
}
