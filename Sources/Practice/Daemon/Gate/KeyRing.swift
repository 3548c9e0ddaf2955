import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Time

/// The SSH keys in memory. sshd asks for them at each login, even while the database is unavailable.
struct KeyRing: Equatable {
    /// The fingerprints, by the keys' lines.
    private var fingerprints: [String: String] = [:]
    private var invitedUntil: Instant?

    init() {}

    init(_ keys: Upkeep.Keys.Reply) {
        // sshd gives the line's command to a shell, and a restored file may come from anywhere.
        let sound = keys.keys.filter { PublicKey.isFingerprint($0.fingerprint) }
        fingerprints = Dictionary(sound.map { ($0.publicKey, $0.fingerprint) }) { first, _ in first }
        invitedUntil = keys.invitedUntil.flatMap { DateTime($0)?.instant }
    }

    /// The lines of an authorized_keys file (man 8 sshd) for one offered key; empty for a key without access.
    ///
    /// Anybody can offer a key without holding it, so a question changes nothing.
    func lines(for type: String, _ key: String, at now: Instant, program: String) -> [String] {
        guard let key = try? PublicKey("\(type) \(key)") else { return [] }  // Not the text of a key.
        if let fingerprint = fingerprints[key.line] {
            return ["restrict,command=\"\(program) enter \(fingerprint)\" \(key.line)"]
        }
        guard let invitedUntil, now < invitedUntil else { return [] }
        return ["restrict,command=\"\(program) redeem \(key.line)\" \(key.line)"]
    }
}
