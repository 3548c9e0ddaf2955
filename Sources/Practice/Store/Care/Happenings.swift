public import PracticeRules
import ScheduleFormat
import Storage
public import Time

/// One of a client's devices.
public struct Device: Equatable, Sendable {
    /// Chosen by the device.
    public let name: String
    /// The sequence of the last happening heard; 0 if there was none.
    public let heard: Int
    /// The id of that happening.
    public let heardID: String?
    public let lastHeard: Instant
    /// The newest revision of the schedule that it took in; 0 if none.
    public let revision: Int

    public init(_ name: String, heard: Int = 0, heardID: String? = nil, lastHeard: Instant, revision: Int = 0) {
        (self.name, self.heard, self.heardID) = (name, heard, heardID)
        (self.lastHeard, self.revision) = (lastHeard, revision)
    }
}

/// A happening, the device that told it, and the time of the call.
public struct HeardHappening: Equatable, Sendable {
    public let device: String
    public let happening: Happening
    public let received: Instant
}

extension Store {
    /// The last heard first.
    public func devices(of client: ID<Person>) throws -> [Device] {
        try database.rows(
            """
            SELECT device, heard, heard_name, last_heard, revision FROM device WHERE client = $1
            ORDER BY last_heard DESC, device
            """, client
        ) {
            Device(
                $0.text(0) ?? "", heard: $0.int(1) ?? 0, heardID: $0.text(2),
                lastHeard: $0.instant(3) ?? Instant(microseconds: 0), revision: $0.int(4) ?? 0)
        }
    }

    public func keep(_ device: Device, of client: ID<Person>) throws {
        try database.run(
            """
            INSERT INTO device (client, device, heard, heard_name, last_heard, revision) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (client, device) DO UPDATE SET heard = $3, heard_name = $4, last_heard = $5, revision = $6
            """, client, device.name, device.heard, device.heardID, device.lastHeard, device.revision)
    }

    private static let columns = """
        device, sequence, name, at, on_day, what, task, breaths, mood, text, revision, received
        """

    private static func heard(_ row: borrowing Row) -> HeardHappening {
        HeardHappening(
            device: row.text(0) ?? "",
            happening: Happening(
                sequence: row.int(1) ?? 0, id: row.text(2) ?? "", at: row.instant(3) ?? Instant(microseconds: 0),
                day: row.day(4) ?? CalendarDay(ordinal: 0),
                what: Happening.Kind(rawValue: row.text(5) ?? "") ?? .missed,
                task: row.text(6).flatMap { AssignmentID($0) }, breaths: row.int(7), mood: row.text(8),
                text: row.text(9), revision: row.int(10)),
            received: row.instant(11) ?? Instant(microseconds: 0))
    }

    /// The happenings of those ids that are there, by their ids, from any of the client's devices.
    public func happenings(_ ids: [String], of client: ID<Person>) throws -> [String: Happening] {
        let found = try database.rows(
            dialect.sql(
                """
                SELECT \(Self.columns) FROM happening WHERE client = $2 AND name IN (SELECT r.value ->> 0 FROM {rows of $1} r)
                """), ManyRows(ids.map { [$0] }), client
        ) { Self.heard($0).happening }
        return Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Adds them in this order.
    public func add(
        _ happenings: [Happening], from device: String, of client: ID<Person>, received: Instant
    ) throws {
        guard !happenings.isEmpty else { return }
        let rows = happenings.map {
            [
                "\($0.sequence)", $0.id, "\($0.at.microseconds)", $0.day.description, $0.what.rawValue, $0.task?.text,
                $0.breaths.map { "\($0)" }, $0.mood, $0.text, $0.revision.map { "\($0)" },
            ]
        }
        try database.run(
            dialect.sql(
                """
                INSERT INTO happening (client, device, sequence, name, at, on_day, what, task, breaths, mood, text, revision,
                received) SELECT $2, $3, CAST(r.value ->> 0 AS BIGINT), r.value ->> 1, CAST(r.value ->> 2 AS BIGINT),
                r.value ->> 3, r.value ->> 4, r.value ->> 5, CAST(r.value ->> 6 AS BIGINT), r.value ->> 7, r.value ->> 8,
                CAST(r.value ->> 9 AS BIGINT), $4 FROM {rows of $1} r ORDER BY 3
                """), ManyRows(rows), client, device, received)
    }

    /// In the order in which they happened.
    public func happenings(of client: ID<Person>) throws -> [HeardHappening] {
        try database.rows("SELECT \(Self.columns) FROM happening WHERE client = $1 ORDER BY at, id", client) {
            Self.heard($0)
        }
    }

    /// In the order in which they happened, without their texts.
    public func happeningsWithoutTexts(of client: ID<Person>) throws -> [HeardHappening] {
        let columns = Self.columns.replacing(" text,", with: " NULL,")
        return try database.rows("SELECT \(columns) FROM happening WHERE client = $1 ORDER BY at, id", client) {
            Self.heard($0)
        }
    }

    /// A task of the present schedule that the client completed, and on which of their days.
    public struct DoneTask: Equatable, Sendable {
        public let task: String
        public let day: CalendarDay
    }

    /// The tasks of the present schedule that a device completed and the one of that name did not, by their days. Both kinds are
    /// named, as in the index: SQLite takes a partial index only where its condition is repeated.
    public func tasksDone(by client: ID<Person>, elsewhereThan device: String) throws -> [DoneTask] {
        try database.rows(
            """
            SELECT a.task, min(h.on_day) FROM assignment a
            JOIN happening h ON h.client = a.client AND h.task = a.task
            AND h.what IN ('completed', 'missed') AND h.what = 'completed'
            WHERE a.client = $1 AND NOT EXISTS (SELECT 1 FROM happening o WHERE o.client = a.client AND o.task = a.task
            AND o.what IN ('completed', 'missed') AND o.what = 'completed' AND o.device = $2) GROUP BY a.task, a.due ORDER BY a.due, a.task
            """, client, device
        ) { DoneTask(task: $0.text(0) ?? "", day: $0.day(1) ?? CalendarDay(ordinal: 0)) }
    }

    /// The newest notes for the next session, the oldest first.
    public func newestNotes(of client: ID<Person>, limit: Int) throws -> [Happening] {
        try database.rows(
            """
            SELECT \(Self.columns) FROM happening WHERE client = $1 AND what = 'noteWritten' ORDER BY at DESC, id DESC LIMIT $2
            """, client, limit
        ) { Self.heard($0).happening }.reversed()
    }

    /// The characters of all notes of one client.
    public func noteLength(of client: ID<Person>) throws -> Int {
        try database.number("SELECT coalesce(sum(length(text)), 0) FROM happening WHERE client = $1", client) ?? 0
    }

    /// The number of one client's happenings that were received since then.
    public func happeningCount(of client: ID<Person>, since: Instant) throws -> Int {
        try database.number("SELECT count(*) FROM happening WHERE client = $1 AND received >= $2", client, since) ?? 0
    }

    // MARK: The wait room

    /// A client's last happening that began or ended a stage.
    public struct LastStage: Equatable, Sendable {
        public let client: ID<Person>
        public let name: String
        public let timeZone: String
        public let what: Happening.Kind
        public let at: Instant
        public let day: CalendarDay
        /// The client also shares what they complete.
        public let sharesCompletion: Bool
    }

    private static let stages = Happening.Kind.ofStages.map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// For each client of a thanatologist, or for one, whose record is open and who shares `waiting`: of the last two days.
    ///
    /// A device's last stage is the one with its greatest sequence, whatever its clock showed. Of several devices it is the
    /// latest; a time that was still to come when it was told counts as that of the telling.
    public func lastStages(
        of thanatologist: ID<Person>, client: ID<Person>? = nil, at now: Instant
    ) throws -> [LastStage] {
        try database.rows(
            """
            SELECT c.person, p.name, c.time_zone, h.what, h.at, h.on_day, d.what FROM client c
            JOIN person p ON p.id = c.person LEFT JOIN share d ON d.client = c.person AND d.what = 'completed'
            JOIN share s ON s.client = c.person AND s.what = 'waiting' JOIN happening h ON h.client = c.person
            WHERE c.thanatologist = $1 AND c.open = 1 AND (c.person = $2 OR $2 IS NULL) AND h.id =
            (SELECT x.id FROM happening x WHERE x.client = c.person AND x.at >= $3 AND x.what IN (\(Self.stages))
            AND NOT EXISTS (SELECT 1 FROM happening y WHERE y.client = x.client AND y.device = x.device
            AND y.sequence > x.sequence AND y.what IN (\(Self.stages)))
            ORDER BY CASE WHEN x.at > x.received THEN x.received ELSE x.at END DESC, x.id DESC LIMIT 1)
            ORDER BY h.at, c.person
            """, thanatologist, client, now + .seconds(-2 * 86_400)
        ) {
            LastStage(
                client: $0.id(0) ?? ID(0), name: $0.text(1) ?? "", timeZone: $0.text(2) ?? "",
                what: Happening.Kind(rawValue: $0.text(3) ?? "") ?? .missed,
                at: $0.instant(4) ?? Instant(microseconds: 0), day: $0.day(5) ?? CalendarDay(ordinal: 0),
                sharesCompletion: $0.text(6) != nil)
        }
    }
}
