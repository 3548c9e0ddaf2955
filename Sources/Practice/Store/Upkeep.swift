import Storage

/// The counts of a practice's data.
public struct Counts: Equatable, Sendable {
    public let staff: Int
    public let openClients: Int
    public let closedClients: Int
    public let sessions: Int
    public let isMadeUp: Bool

    /// Those of a practice in which nothing was done yet.
    static let none = Counts(staff: 0, openClients: 0, closedClients: 0, sessions: 0, isMadeUp: false)
}

/// A fact about the whole practice.
public enum Fact: String, Sendable {
    /// All people in it are made up.
    case madeUp = "made_up"
    /// The version of the sort keys.
    case collation
    /// Backups still hold an erased record.
    case outdatedCopies = "outdated_copies"
    /// The version of a server's tables. A file has it in its header.
    case tables
    /// The revision after which schedules are counted since a restore.
    case revisionsGiven = "revisions_given"
    /// The fingerprints of keys that were taken away before a restore, with blanks between.
    case removedKeys = "removed_keys"
}

extension Store {
    public func counts() throws -> Counts {
        Counts(
            staff: try count("SELECT count(*) FROM person WHERE active = 1 AND role <> 'client'"),
            openClients: try count("SELECT count(*) FROM client WHERE open = 1"),
            closedClients: try count("SELECT count(*) FROM client WHERE open = 0"),
            sessions: try count("SELECT count(*) FROM session"), isMadeUp: try fact(.madeUp) != nil)
    }

    private func count(_ sql: String) throws -> Int { try database.number(sql) ?? 0 }

    /// True if the practice has nothing but audit entries.
    public func isEmpty() throws -> Bool {
        try count(
            """
            SELECT (SELECT count(*) FROM person) + (SELECT count(*) FROM service) + (SELECT count(*) FROM term)
            + (SELECT count(*) FROM session)
            """) == 0
    }

    /// The fact's value; nil if it does not hold.
    public func fact(_ fact: Fact) throws -> String? {
        try database.first("SELECT value FROM fact WHERE name = $1", fact.rawValue) { $0.text(0) ?? "" }
    }

    public func forget(_ fact: Fact) throws {
        try database.run("DELETE FROM fact WHERE name = $1", fact.rawValue)
    }

    public func state(_ fact: Fact, _ value: String) throws {
        try database.run(
            "INSERT INTO fact (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2", fact.rawValue,
            value)
    }
}
