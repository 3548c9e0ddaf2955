public import PracticeRules
import Storage
public import Time

/// An SSH key of a person.
public struct KeptKey: Equatable, Sendable {
    /// The fingerprint in OpenSSH's form, `SHA256:…`.
    public let fingerprint: String
    public let person: ID<Person>
    public let key: PublicKey
    public let added: Instant
    /// Nil if it was never used.
    public let lastUsed: Instant?
}

extension Store {
    private static let columns = "fingerprint, person, type, key, comment, added, last_used"

    private static func key(_ row: borrowing Row) -> KeptKey {
        KeptKey(
            fingerprint: row.text(0) ?? "", person: row.id(1) ?? ID(0),
            key: PublicKey(type: row.text(2) ?? "", key: row.text(3) ?? "", comment: row.text(4) ?? ""),
            added: row.instant(5) ?? Instant(microseconds: 0), lastUsed: row.instant(6))
    }

    /// A person's keys, the oldest first.
    public func keys(of person: ID<Person>) throws -> [KeptKey] {
        try database.rows(
            "SELECT \(Self.columns) FROM ssh_key WHERE person = $1 ORDER BY added, fingerprint", person
        ) { Self.key($0) }
    }

    public func key(_ fingerprint: String) throws -> KeptKey? {
        try database.first("SELECT \(Self.columns) FROM ssh_key WHERE fingerprint = $1", fingerprint) { Self.key($0) }
    }

    /// The keys of all active people.
    public func openingKeys() throws -> [(fingerprint: String, line: String)] {
        try database.rows(
            """
            SELECT k.fingerprint, k.type, k.key FROM ssh_key k JOIN person p ON p.id = k.person WHERE p.active = 1
            ORDER BY k.fingerprint
            """
        ) { ($0.text(0) ?? "", "\($0.text(1) ?? "") \($0.text(2) ?? "")") }
    }

    public func addKey(_ key: PublicKey, _ fingerprint: String, of person: ID<Person>, at: Instant) throws {
        try database.run(
            "INSERT INTO ssh_key (fingerprint, person, type, key, comment, added) VALUES ($1, $2, $3, $4, $5, $6)",
            fingerprint, person, key.type, key.key, key.comment, at)
    }

    public func removeKey(_ fingerprint: String) throws {
        try database.run("DELETE FROM ssh_key WHERE fingerprint = $1", fingerprint)
    }

    public func useKey(_ fingerprint: String, at: Instant) throws {
        try database.run("UPDATE ssh_key SET last_used = $2 WHERE fingerprint = $1", fingerprint, at)
    }

    // MARK: Invitations

    /// Adds an invitation. Replaces the person's earlier one, and removes expired ones.
    public func invite(_ person: ID<Person>, _ word: InvitationWord, until expires: Instant, at: Instant) throws {
        try database.run(
            "DELETE FROM invitation WHERE person = $1 OR handle = $2 OR expires <= $3", person, word.handle, at)
        try database.run(
            "INSERT INTO invitation (person, handle, secret, expires, tries) VALUES ($1, $2, $3, $4, 0)", person,
            word.handle, word.secret, expires)
    }

    /// The open invitation with this handle. The caller compares the secret.
    public func invitation(_ handle: String, at: Instant) throws -> (person: ID<Person>, secret: String)? {
        try database.first(
            """
            SELECT i.person, i.secret FROM invitation i JOIN person p ON p.id = i.person
            WHERE i.handle = $1 AND i.expires > $2 AND p.active = 1
            """, handle, at
        ) { ($0.id(0) ?? ID(0), $0.text(1) ?? "") }
    }

    /// Counts a wrong secret. The last allowed one ends the invitation.
    public func countTry(_ handle: String) throws {
        try database.run("UPDATE invitation SET tries = tries + 1 WHERE handle = $1", handle)
        try database.run("DELETE FROM invitation WHERE handle = $1 AND tries >= $2", handle, InvitationWord.tries)
    }

    public func endInvitation(of person: ID<Person>) throws {
        try database.run("DELETE FROM invitation WHERE person = $1", person)
    }

    /// Ends the open invitations of those whom a person has invited since then. The audit knows them.
    public func endInvitations(by inviter: ID<Person>, since: Instant) throws {
        let invited = try database.rows(
            "SELECT what FROM audit WHERE person = $1 AND at >= $2 AND did = 'Invite'", inviter, since
        ) { ID<Person>($0.text(0) ?? "") }
        for person in Set(invited) { try endInvitation(of: person) }
    }

    /// The instant at which the last open invitation expires; nil if none is open.
    public func invitedUntil(at: Instant) throws -> Instant? {
        try database.first("SELECT max(expires) FROM invitation WHERE expires > $1", at) { $0.instant(0) } ?? nil
    }
}
