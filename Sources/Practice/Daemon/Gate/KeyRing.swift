import PracticeInterfaces
import PracticeRules
import Time

/// The keys by which people come in, in memory: sshd asks for them at each login, also while the database is away.
struct KeyRing: Equatable {
    /// The fingerprints, by the keys' lines.
    private var fingerprints: [String: String] = [:]
    private var invitedUntil: Instant?

    init() {}

    init(_ keys: Upkeep.Keys.Reply) {
        fingerprints = Dictionary(keys.keys.map { ($0.publicKey, $0.fingerprint) }) { first, _ in first }
        invitedUntil = keys.invitedUntil.flatMap { DateTime($0)?.instant }
    }

    /// The lines of an authorized_keys file (man 8 sshd) for one offered key; none where it may do nothing.
    ///
    /// It may be offered by anybody, whether they hold it or not: nothing follows from a question.
    func lines(for type: String, _ key: String, at now: Instant, program: String) -> [String] {
        guard let key = try? PublicKey("\(type) \(key)") else { return [] }  // No key of ours: nobody's.
        if let fingerprint = fingerprints[key.line] {
            return ["restrict,command=\"\(program) enter \(fingerprint)\" \(key.line)"]
        }
        guard let invitedUntil, now < invitedUntil else { return [] }
        return ["restrict,command=\"\(program) redeem \(key.line)\" \(key.line)"]
    }
}
