public import PracticeRules
public import ScheduleFormat
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

    /// The number of the revision after the newest that this practice or one of the client's devices has. A device knows a later
    /// one than a practice that was restored; a number that no practice counts up to in its time is not believed.
    public func nextScheduleRevision(of client: ID<Person>) throws -> Int {
        let newest = try max(scheduleRevision(of: client), revisionsGiven())
        let known = try database.number(
            "SELECT max(revision) FROM device WHERE client = $1 AND revision < $2", client, newest + 100_000)
        return max(newest, known ?? 0) + 1
    }

    /// As many revisions as no client is assigned between a backup and the loss of the practice.
    private static let lostRevisions = 1_000

    /// After a restore, leaves out the numbers of revisions that were lost with the practice before: a device that slept may have
    /// one of them, and would take a new schedule of the same number for it.
    ///
    /// - Parameter known: the greatest number that the practice before gave; 0 if it is unknown.
    public func leaveOutRevisions(after known: Int) throws {
        try state(.revisionsGiven, "\(max(greatestRevision(), known) + Self.lostRevisions)")
    }

    /// The greatest number of a revision that a client of this practice has, or that was left out.
    public func greatestRevision() throws -> Int {
        max(try database.number("SELECT coalesce(max(revision), 0) FROM schedule") ?? 0, try revisionsGiven())
    }

    private func revisionsGiven() throws -> Int { try fact(.revisionsGiven).flatMap { Int($0) } ?? 0 }

    /// Adds a revision, and returns its number.
    /// - Parameter entries: each with an id.
    public func addSchedule(
        _ entries: [Schedule.Entry], _ text: String, of client: ID<Person>, by: ID<Person>, at: Instant
    ) throws -> Int {
        let revision = try nextScheduleRevision(of: client)
        try database.run(
            "INSERT INTO schedule (client, revision, text, at, by_person) VALUES ($1, $2, $3, $4, $5)", client,
            revision, text, at, by)
        try database.run("DELETE FROM assignment WHERE client = $1", client)
        for entry in entries {
            try database.run(
                "INSERT INTO assignment (client, due, task) VALUES ($1, $2, $3)", client, entry.due, entry.id?.text)
        }
        return revision
    }

    /// A client's assigned tasks of which neither the completion nor the missing was told. A task that was missed on its former
    /// day is such a one again.
    public struct UnendedTasks: Equatable, Sendable {
        public let client: ID<Person>
        public let timeZone: String
        /// The client shares completed tasks since then.
        public let sharedSince: Instant
        /// When a device of the client was last heard; nil if none was.
        public let lastHeard: Instant?
        /// The day of each of them.
        public fileprivate(set) var due: [CalendarDay] = []
    }

    /// The tasks of a thanatologist's clients whose record is open and who share completed tasks. A client may be named several
    /// times, each time with other tasks.
    public func unendedTasks(
        of thanatologist: ID<Person>, due days: ClosedRange<CalendarDay>
    ) throws -> [UnendedTasks] {
        var found: [UnendedTasks] = []
        try database.each(
            """
            WITH own AS MATERIALIZED (SELECT c.person, c.time_zone, s.since,
            (SELECT max(d.last_heard) FROM device d WHERE d.client = c.person) AS heard FROM client c
            JOIN share s ON s.client = c.person AND s.what = 'completed' WHERE c.thanatologist = $1 AND c.open = 1)
            SELECT o.person, a.due, o.time_zone, o.since, o.heard FROM own o JOIN assignment a ON a.client = o.person
            WHERE a.due >= $2 AND a.due <= $3 AND NOT EXISTS (SELECT 1 FROM happening h
            WHERE h.client = a.client AND h.task = a.task AND h.what IN ('completed', 'missed')
            AND (h.what = 'completed' OR h.on_day > a.due))
            """, [thanatologist.databaseValue, days.lowerBound.databaseValue, days.upperBound.databaseValue]
        ) { row in
            let client: ID<Person> = row.id(0) ?? ID(0)
            // Mostly, a client's rows follow one another.
            if found.last?.client != client {
                found.append(
                    UnendedTasks(
                        client: client, timeZone: row.text(2) ?? "",
                        sharedSince: row.instant(3) ?? Instant(microseconds: 0), lastHeard: row.instant(4)))
            }
            found[found.count - 1].due.append(row.day(1) ?? CalendarDay(ordinal: 0))
        }
        return found
    }

    // MARK: Shares

    public func shares(of client: ID<Person>) throws -> Set<Share> {
        Set(
            try database.rows("SELECT what FROM share WHERE client = $1", client) {
                Share(rawValue: $0.text(0) ?? "")
            }.compactMap { $0 })
    }

    /// The moment since which the client shares that subject; nil if they do not.
    public func sharesSince(_ share: Share, of client: ID<Person>) throws -> Instant? {
        try database.first("SELECT since FROM share WHERE client = $1 AND what = $2", client, share.rawValue) {
            $0.instant(0)
        } ?? nil
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
