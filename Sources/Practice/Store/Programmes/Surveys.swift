public import PracticeRules
import Storage
public import Time

/// One occurrence of a survey, for one client.
public struct ClientSurvey: Equatable, Sendable, Identified {
    public static let letter: Character = "q"

    public let id: ID<ClientSurvey>
    public let client: ID<Person>
    public let enrolment: ID<ClientEnrolment>
    public let programme: String
    public let revision: Int
    public let programmeName: String
    /// The author's word for the survey.
    public let survey: String
    public let title: String
    public let questions: Int
    public let times: Int
    public let bounds: ClosedRange<Double>?
    public let occurrence: SurveyOccurrence
    public let standing: Standing
    /// The client has saved answers, and not finished.
    public let isKept: Bool

    public enum Standing: Equatable, Sendable {
        case pending(Range<Instant>)
        case answered(Instant, score: Double?)
        case missed
        /// The enrolment ended before.
        case gone
    }
}

/// A survey that was missed, for its letter.
public struct MissedSurvey: Equatable, Sendable {
    public let id: ID<ClientSurvey>
    public let client: ID<Person>
    public let enrolment: ID<ClientEnrolment>
    /// The number of the client's record.
    public let number: Int
    public let thanatologist: ID<Person>
    public let title: String
    public let programmeName: String
    public let closesOn: CalendarDay
}

extension Store {
    static let surveyColumns = """
        s.id, s.client, s.enrolment, e.programme, e.revision, v.name, s.survey, q.title, q.questions, q.times, q.least,
        q.greatest, s.occurrence, s.opens_on, s.closes_on, p.opens, p.closes, a.at, a.score, m.survey, k.survey
        """
    static let surveyTables = """
        JOIN enrolment e ON e.id = s.enrolment
        JOIN programme_version v ON v.programme = e.programme AND v.revision = e.revision
        JOIN questionnaire q ON q.programme = e.programme AND q.revision = e.revision AND q.survey = s.survey
        LEFT JOIN survey_answer a ON a.survey = s.id LEFT JOIN survey_missed m ON m.survey = s.id
        LEFT JOIN survey_kept k ON k.survey = s.id
        """

    static func survey(_ row: borrowing Row) -> ClientSurvey {
        let standing: ClientSurvey.Standing
        if let answered = row.instant(17) {
            standing = .answered(answered, score: row.double(18))
        } else if !row.isNull(19) {
            standing = .missed
        } else if let opens = row.instant(15), let closes = row.instant(16), opens <= closes {
            standing = .pending(opens..<closes)
        } else {
            standing = .gone
        }
        return ClientSurvey(
            id: row.id(0) ?? ID(0), client: row.id(1) ?? ID(0), enrolment: row.id(2) ?? ID(0),
            programme: row.text(3) ?? "", revision: row.int(4) ?? 0, programmeName: row.text(5) ?? "",
            survey: row.text(6) ?? "", title: row.text(7) ?? "", questions: row.int(8) ?? 0, times: row.int(9) ?? 1,
            bounds: bounds(row, 10, 11),
            occurrence: SurveyOccurrence(
                number: row.int(12) ?? 1, opensOn: row.day(13) ?? CalendarDay(ordinal: 0),
                closesOn: row.day(14) ?? CalendarDay(ordinal: 0)), standing: standing, isKept: !row.isNull(20))
    }

    /// A client's surveys that can be answered now or later, by their opening.
    public func pendingSurveys(
        of client: ID<Person>, at now: Instant, after start: (opens: Instant, id: Int64), limit: Int
    ) throws -> [ClientSurvey] {
        try database.rows(
            """
            SELECT \(Self.surveyColumns) FROM survey_pending p JOIN survey s ON s.id = p.survey \(Self.surveyTables)
            WHERE p.client = $1 AND p.closes > $2 AND (p.opens, p.survey) > ($3, $4) ORDER BY p.opens, p.survey LIMIT $5
            """, client, now, start.opens, start.id, limit
        ) { Self.survey($0) }
    }

    /// A client's surveys that were answered or missed, the newest first.
    public func pastSurveys(
        of client: ID<Person>, at now: Instant, before start: (opensOn: String, id: Int64), limit: Int
    ) throws -> [ClientSurvey] {
        try database.rows(
            """
            SELECT \(Self.surveyColumns) FROM survey s LEFT JOIN survey_pending p ON p.survey = s.id \(Self.surveyTables)
            WHERE s.client = $1 AND (s.opens_on, s.id) < ($2, $3)
            AND (a.survey IS NOT NULL OR m.survey IS NOT NULL OR p.closes <= $4) ORDER BY s.opens_on DESC, s.id DESC LIMIT $5
            """, client, start.opensOn, start.id, now, limit
        ) { Self.survey($0) }
    }

    /// Nil if there is none, or if it is not the holder's; both take the same time.
    ///
    /// - Parameter holder: the client, or their thanatologist; nil for anybody's.
    public func survey(_ id: ID<ClientSurvey>, of holder: ID<Person>?) throws -> ClientSurvey? {
        try database.first(
            """
            SELECT \(Self.surveyColumns) FROM survey s JOIN client c ON c.person = s.client
            LEFT JOIN survey_pending p ON p.survey = s.id \(Self.surveyTables)
            WHERE s.id = $1 AND (c.person = $2 OR c.thanatologist = $2 OR $2 IS NULL)
            """, id, holder
        ) { Self.survey($0) }
    }

    public func addSurvey(
        _ survey: String, _ occurrence: SurveyOccurrence, in enrolment: ID<ClientEnrolment>, of client: ID<Person>,
        _ window: Range<Instant>
    ) throws {
        let added = try database.number(
            """
            INSERT INTO survey (client, enrolment, survey, occurrence, opens_on, closes_on) VALUES ($1, $2, $3, $4, $5, $6)
            RETURNING id
            """, client, enrolment, survey, occurrence.number, occurrence.opensOn, occurrence.closesOn)
        try database.run(
            "INSERT INTO survey_pending (survey, client, opens, closes, told) VALUES ($1, $2, $3, $4, 0)", added,
            client,
            window.lowerBound, window.upperBound)
    }

    // MARK: Answers

    /// The answers that the client saved, as a QuestionnaireResponse; nil if there are none.
    public func keptAnswers(to survey: ID<ClientSurvey>) throws -> String? {
        try database.first("SELECT answers FROM survey_kept WHERE survey = $1", survey) { $0.text(0) } ?? nil
    }

    public func keep(_ answers: String, to survey: ClientSurvey, at: Instant) throws {
        try database.run(
            """
            INSERT INTO survey_kept (survey, client, at, answers) VALUES ($1, $2, $3, $4)
            ON CONFLICT (survey) DO UPDATE SET at = $3, answers = $4
            """, survey.id, survey.client, at, answers)
    }

    /// The finished answers, as a QuestionnaireResponse; nil if there are none.
    public func finishedAnswers(to survey: ID<ClientSurvey>) throws -> String? {
        try database.first("SELECT answers FROM survey_answer WHERE survey = $1", survey) { $0.text(0) } ?? nil
    }

    public func finish(_ survey: ClientSurvey, _ answers: String, score: Double?, at: Instant) throws {
        try database.run(
            "INSERT INTO survey_answer (survey, client, at, score, answers) VALUES ($1, $2, $3, $4, $5)", survey.id,
            survey.client, at, score, answers)
        for table in ["survey_kept", "survey_pending"] {
            try database.run("DELETE FROM \(table) WHERE survey = $1", survey.id)
        }
    }

    // MARK: The clock

    /// The surveys of all clients that have opened, and of which they were not told.
    public func openedSurveys(
        at now: Instant, limit: Int
    ) throws -> [(id: ID<ClientSurvey>, client: ID<Person>, isOver: Bool)] {
        try database.rows(
            "SELECT survey, client, closes FROM survey_pending WHERE told = 0 AND opens <= $1 ORDER BY opens LIMIT $2",
            now, limit
        ) {
            (
                id: $0.id(0) ?? ID(0), client: $0.id(1) ?? ID(0),
                isOver: $0.instant(2) ?? Instant(microseconds: 0) <= now
            )
        }
    }

    public func noteTold(_ surveys: [ID<ClientSurvey>]) throws {
        guard !surveys.isEmpty else { return }
        try database.run(
            dialect.sql(
                """
                UPDATE survey_pending SET told = 1
                WHERE survey IN (SELECT CAST(r.value ->> 0 AS BIGINT) FROM {rows of $1} r)
                """), ManyRows(surveys.map { ["\($0.number)"] }))
    }

    /// The surveys of all clients whose days are over.
    public func overdueSurveys(at now: Instant, limit: Int) throws -> [MissedSurvey] {
        try database.rows(
            """
            SELECT s.id, s.client, s.enrolment, c.number, c.thanatologist, q.title, v.name, s.closes_on
            FROM survey_pending p JOIN survey s ON s.id = p.survey JOIN client c ON c.person = s.client
            JOIN enrolment e ON e.id = s.enrolment
            JOIN programme_version v ON v.programme = e.programme AND v.revision = e.revision
            JOIN questionnaire q ON q.programme = e.programme AND q.revision = e.revision AND q.survey = s.survey
            WHERE p.closes <= $1 ORDER BY p.closes LIMIT $2
            """, now, limit
        ) {
            MissedSurvey(
                id: $0.id(0) ?? ID(0), client: $0.id(1) ?? ID(0), enrolment: $0.id(2) ?? ID(0), number: $0.int(3) ?? 0,
                thanatologist: $0.id(4) ?? ID(0), title: $0.text(5) ?? "", programmeName: $0.text(6) ?? "",
                closesOn: $0.day(7) ?? CalendarDay(ordinal: 0))
        }
    }

    /// The saved answers of a survey that was missed are kept no longer: nothing incomplete counts.
    public func miss(_ survey: MissedSurvey, at: Instant) throws {
        try database.run(
            "INSERT INTO survey_missed (survey, client, at) VALUES ($1, $2, $3)", survey.id, survey.client, at)
        for table in ["survey_kept", "survey_pending"] {
            try database.run("DELETE FROM \(table) WHERE survey = $1", survey.id)
        }
    }

    /// The next instant at which a survey opens or closes; nil if none does.
    public func nextSurveyChange() throws -> Instant? {
        try database.first(
            """
            SELECT min(at) FROM (SELECT min(opens) AS at FROM survey_pending WHERE told = 0
            UNION ALL SELECT min(closes) FROM survey_pending) change
            """
        ) { $0.instant(0) } ?? nil
    }

    /// Sets the instants of a client's pending surveys anew, by their days in this zone.
    public func setZone(_ zone: Zone, of client: ID<Person>) throws {
        let pending = try database.rows(
            """
            SELECT s.id, s.occurrence, s.opens_on, s.closes_on FROM survey_pending p JOIN survey s ON s.id = p.survey
            WHERE p.client = $1
            """, client
        ) {
            (
                id: $0.integer(0) ?? 0,
                occurrence: SurveyOccurrence(
                    number: $0.int(1) ?? 1, opensOn: $0.day(2) ?? CalendarDay(ordinal: 0),
                    closesOn: $0.day(3) ?? CalendarDay(ordinal: 0))
            )
        }
        for (id, occurrence) in pending {
            let window = occurrence.window(in: zone)
            try database.run(
                "UPDATE survey_pending SET opens = $2, closes = $3 WHERE survey = $1", id, window.lowerBound,
                window.upperBound)
        }
    }

    // MARK: A client's machine

    /// The next surveys that can be answered now or later, by their opening.
    public func surveyDays(
        of client: ID<Person>, at now: Instant, limit: Int
    ) throws -> [(id: ID<ClientSurvey>, window: Range<Instant>)] {
        try database.rows(
            """
            SELECT survey, opens, closes FROM survey_pending WHERE client = $1 AND closes > $2
            ORDER BY opens, survey LIMIT $3
            """, client, now, limit
        ) {
            let opens = $0.instant(1) ?? now
            return (id: $0.id(0) ?? ID(0), window: opens..<max(opens, $0.instant(2) ?? opens))
        }
    }

    /// The number of surveys that the client can answer now.
    public func dueSurveys(of client: ID<Person>, at now: Instant) throws -> Int {
        try database.number(
            "SELECT count(*) FROM survey_pending WHERE client = $1 AND opens <= $2 AND closes > $2", client, now) ?? 0
    }

    /// Those of one enrolment.
    public func dueSurveys(in enrolment: ID<ClientEnrolment>, at now: Instant) throws -> Int {
        try database.number(
            """
            SELECT count(*) FROM survey s JOIN survey_pending p ON p.survey = s.id
            WHERE s.enrolment = $1 AND p.opens <= $2 AND p.closes > $2
            """, enrolment, now) ?? 0
    }
}
