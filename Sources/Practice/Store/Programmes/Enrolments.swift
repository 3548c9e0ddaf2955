public import PracticeRules
import Storage
public import Time

/// A client's place in a programme.
public struct ClientEnrolment: Equatable, Sendable, Identified {
    public static let letter: Character = "e"

    public let id: ID<ClientEnrolment>
    public let client: ID<Person>
    public let programme: String
    /// Of the version with which it began.
    public let revision: Int
    public let name: String
    public let summary: String
    /// Its first day, by the client's calendar.
    public let since: CalendarDay
    public let at: Instant
    /// Nil for root.
    public let by: ID<Person>?
    /// Nil while it goes on.
    public let end: End?
    public let lessons: Int
    public let lessonsRead: Int

    public struct End: Equatable, Sendable {
        public enum Kind: String, Sendable { case finished, withdrawn }

        public let kind: Kind
        public let on: CalendarDay
        public let at: Instant
        /// Empty for one that was finished.
        public let reason: String
    }
}

extension Store {
    private static let enrolmentColumns = """
        e.id, e.client, e.programme, e.revision, v.name, v.summary, e.on_day, e.at, e.by_person, x.kind, x.on_day, x.reason,
        (SELECT count(*) FROM lesson l WHERE l.programme = e.programme AND l.revision = e.revision),
        (SELECT count(*) FROM lesson_read r WHERE r.enrolment = e.id), x.at
        """
    private static let enrolmentTables = """
        enrolment e JOIN programme_version v ON v.programme = e.programme AND v.revision = e.revision
        LEFT JOIN enrolment_end x ON x.enrolment = e.id
        """

    private static func enrolment(_ row: borrowing Row) -> ClientEnrolment {
        var end: ClientEnrolment.End?
        if let kind = row.text(9).flatMap({ ClientEnrolment.End.Kind(rawValue: $0) }) {
            end = .init(
                kind: kind, on: row.day(10) ?? CalendarDay(ordinal: 0), at: row.instant(14) ?? Instant(microseconds: 0),
                reason: row.text(11) ?? "")
        }
        return ClientEnrolment(
            id: row.id(0) ?? ID(0), client: row.id(1) ?? ID(0), programme: row.text(2) ?? "", revision: row.int(3) ?? 0,
            name: row.text(4) ?? "", summary: row.text(5) ?? "", since: row.day(6) ?? CalendarDay(ordinal: 0),
            at: row.instant(7) ?? Instant(microseconds: 0), by: row.someone(8), end: end, lessons: row.int(12) ?? 0,
            lessonsRead: row.int(13) ?? 0)
    }

    /// A client's enrolments, the newest first.
    public func enrolments(of client: ID<Person>, past: Bool) throws -> [ClientEnrolment] {
        try database.rows(
            """
            SELECT \(Self.enrolmentColumns) FROM \(Self.enrolmentTables)
            WHERE e.client = $1 \(past ? "" : "AND x.enrolment IS NULL") ORDER BY e.id DESC
            """, client
        ) { Self.enrolment($0) }
    }

    /// Nil if there is none, or if it is not the holder's; both take the same time.
    ///
    /// - Parameter holder: the client, or their thanatologist; nil for anybody's.
    public func enrolment(_ id: ID<ClientEnrolment>, of holder: ID<Person>?) throws -> ClientEnrolment? {
        try database.first(
            """
            SELECT \(Self.enrolmentColumns) FROM \(Self.enrolmentTables) JOIN client c ON c.person = e.client
            WHERE e.id = $1 AND (c.person = $2 OR c.thanatologist = $2 OR $2 IS NULL)
            """, id, holder
        ) { Self.enrolment($0) }
    }

    public func addEnrolment(
        of client: ID<Person>, in programme: String, _ revision: Int, since: CalendarDay, by: ID<Person>?, at: Instant
    ) throws -> ID<ClientEnrolment> {
        let added: ID<ClientEnrolment>?? = try database.first(
            """
            INSERT INTO enrolment (client, programme, revision, on_day, at, by_person) VALUES ($1, $2, $3, $4, $5, $6)
            RETURNING id
            """, client, programme, revision, since, at, by ?? ID(0)
        ) { $0.id(0) }
        guard case .some(.some(let id)) = added else { preconditionFailure("an added row is returned") }
        return id
    }

    /// Ends an enrolment. Its surveys that are open or to come are gone.
    public func end(
        _ enrolment: ClientEnrolment, _ kind: ClientEnrolment.End.Kind, on day: CalendarDay, by: ID<Person>?,
        at: Instant, reason: String
    ) throws {
        try database.run(
            """
            INSERT INTO enrolment_end (enrolment, client, kind, on_day, at, by_person, reason)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """, enrolment.id, enrolment.client, kind.rawValue, day, at, by ?? ID(0), reason)
        for table in ["survey_kept", "survey_pending"] {
            try database.run(
                "DELETE FROM \(table) WHERE survey IN (SELECT id FROM survey WHERE enrolment = $1)", enrolment.id)
        }
    }

    /// True if no survey of the enrolment can be answered any more, and each lesson was read.
    public func isDone(_ enrolment: ClientEnrolment) throws -> Bool {
        guard enrolment.lessonsRead == enrolment.lessons else { return false }
        return try database.number(
            """
            SELECT count(*) FROM survey s JOIN survey_pending p ON p.survey = s.id WHERE s.enrolment = $1
            """, enrolment.id) == 0
    }

    // MARK: Tasks

    public func addTask(_ task: String, to enrolment: ID<ClientEnrolment>, of client: ID<Person>) throws {
        try database.run(
            "INSERT INTO enrolment_task (enrolment, client, task) VALUES ($1, $2, $3)", enrolment, client, task)
    }

    /// The ids of the tasks that the enrolment added.
    public func tasks(of enrolment: ID<ClientEnrolment>) throws -> Set<String> {
        Set(try database.rows("SELECT task FROM enrolment_task WHERE enrolment = $1", enrolment) { $0.text(0) ?? "" })
    }

    // MARK: Lessons

    /// The lessons that were read, with their instants, in that order.
    public func readMarks(of enrolment: ID<ClientEnrolment>) throws -> [(lesson: String, at: Instant)] {
        try database.rows("SELECT lesson, at FROM lesson_read WHERE enrolment = $1 ORDER BY at, lesson", enrolment) {
            (lesson: $0.text(0) ?? "", at: $0.instant(1) ?? Instant(microseconds: 0))
        }
    }

    public func addReadMark(_ lesson: String, in enrolment: ClientEnrolment, at: Instant) throws {
        try database.run(
            "INSERT INTO lesson_read (enrolment, client, lesson, at) VALUES ($1, $2, $3, $4)", enrolment.id,
            enrolment.client, lesson, at)
    }

    /// The surveys whose first occurrence is neither answered nor over, with the first day on which it cannot be answered.
    public func openFirstSurveys(of enrolment: ID<ClientEnrolment>, at now: Instant) throws -> [String: LessonLock
        .Survey]
    {
        let found = try database.rows(
            """
            SELECT s.survey, q.title, s.closes_on FROM survey s JOIN enrolment e ON e.id = s.enrolment
            JOIN questionnaire q ON q.programme = e.programme AND q.revision = e.revision AND q.survey = s.survey
            LEFT JOIN survey_pending p ON p.survey = s.id LEFT JOIN survey_answer a ON a.survey = s.id
            LEFT JOIN survey_missed m ON m.survey = s.id
            WHERE s.enrolment = $1 AND s.occurrence = 1 AND a.survey IS NULL AND m.survey IS NULL
            AND (p.survey IS NULL OR p.closes > $2)
            """, enrolment, now
        ) {
            (
                survey: $0.text(0) ?? "",
                open: LessonLock.Survey(title: $0.text(1) ?? "", closesOn: $0.day(2) ?? CalendarDay(ordinal: 0))
            )
        }
        return Dictionary(found.map { ($0.survey, $0.open) }) { first, _ in first }
    }
}
