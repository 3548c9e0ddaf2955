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
        let process: pid_t
        do {
            defer { close(theirs) }
            process = try Child.start(
                [program] + options, input: .descriptor(theirs), output: .descriptor(theirs), errors: .none,
                variables: ["LC_ALL=C"])
        } catch {
            throw SocketError(path: program, errno: error.errno)
        }
        _ = Array(text.utf8).withUnsafeBytes { send(ours, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        shutdown(ours, Int32(SHUT_WR))
        var bytes = [UInt8](repeating: 0, count: 16 * 1_024)
        let count = recv(ours, &bytes, bytes.count, Int32(MSG_WAITALL))
        return Child.wait(for: process) == 0 && count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
    }
}
