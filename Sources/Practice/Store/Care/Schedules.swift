public import PracticeRules
import Storage
public import Time

/// One revision of the schedule that a client was assigned.
public struct AssignedSchedule: Equatable, Sendable {
    /// Counted for each client from 1; 0 before the first.
    public let revision: Int
    /// As `tasks.json`, each task with its id.
    public let text: String
    public let at: Instant
    public let by: ID<Person>

    /// Before anything is assigned.
    public static let none = AssignedSchedule(
        revision: 0, text: "[]", at: Instant(microseconds: 0), by: ID(0))
}

extension Store {
    /// The newest revision.
    public func schedule(of client: ID<Person>) throws -> AssignedSchedule {
        try schedules(of: client, "ORDER BY revision DESC LIMIT 1").first ?? .none
    }

    /// All revisions, the oldest first.
    public func schedules(of client: ID<Person>) throws -> [AssignedSchedule] {
        try schedules(of: client, "ORDER BY revision")
    }

    private func schedules(of client: ID<Person>, _ order: String) throws -> [AssignedSchedule] {
        try database.rows("SELECT revision, text, at, by_person FROM schedule WHERE client = $1 \(order)", client) {
            AssignedSchedule(
                revision: $0.int(0) ?? 0, text: $0.text(1) ?? "", at: $0.instant(2) ?? Instant(microseconds: 0),
                by: $0.id(3) ?? ID(0))
        }
    }

    /// The number of the newest revision.
    public func scheduleRevision(of client: ID<Person>) throws -> Int {
        try database.number("SELECT coalesce(max(revision), 0) FROM schedule WHERE client = $1", client) ?? 0
    }

    /// Adds a revision, and returns its number.
    public func addSchedule(_ text: String, of client: ID<Person>, by: ID<Person>, at: Instant) throws -> Int {
        let revision = try scheduleRevision(of: client) + 1
        try database.run(
            "INSERT INTO schedule (client, revision, text, at, by_person) VALUES ($1, $2, $3, $4, $5)", client,
            revision, text, at, by)
        return revision
    }

    // MARK: Shares

    public func shares(of client: ID<Person>) throws -> Set<Share> {
        Set(
            try database.rows("SELECT what FROM share WHERE client = $1", client) {
                Share(rawValue: $0.text(0) ?? "")
            }.compactMap { $0 })
    }

    public func setShares(_ shares: Set<Share>, of client: ID<Person>, at: Instant) throws {
        for share in Share.allCases {
            if shares.contains(share) {
                try database.run(
                    "INSERT INTO share (client, what, since) VALUES ($1, $2, $3) ON CONFLICT (client, what) DO NOTHING",
                    client, share.rawValue, at)
            } else {
                try database.run("DELETE FROM share WHERE client = $1 AND what = $2", client, share.rawValue)
            }
        }
    }
}
