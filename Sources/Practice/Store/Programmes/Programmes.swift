import JSON
public import PracticeRules
import Storage
public import Time

/// A programme, as its newest version has it.
public struct OfferedProgramme: Equatable, Sendable {
    /// The author's word for it.
    public let id: String
    public let revision: Int
    /// Clients can be enrolled.
    public let isOffered: Bool
    public let name: String
    public let summary: String
    public let lessons: Int
    public let surveys: Int
}

extension Store {
    private static let programmeColumns = """
        p.programme, p.revision, p.offered, v.name, v.summary,
        (SELECT count(*) FROM lesson l WHERE l.programme = p.programme AND l.revision = p.revision),
        (SELECT count(*) FROM questionnaire q WHERE q.programme = p.programme AND q.revision = p.revision)
        """
    private static let newestVersions =
        "programme p JOIN programme_version v ON v.programme = p.programme AND v.revision = p.revision"

    private static func programme(_ row: borrowing Row) -> OfferedProgramme {
        OfferedProgramme(
            id: row.text(0) ?? "", revision: row.int(1) ?? 0, isOffered: row.bool(2) ?? false, name: row.text(3) ?? "",
            summary: row.text(4) ?? "", lessons: row.int(5) ?? 0, surveys: row.int(6) ?? 0)
    }

    /// By their names.
    public func programmes() throws -> [OfferedProgramme] {
        let found = try database.rows("SELECT \(Self.programmeColumns) FROM \(Self.newestVersions)") {
            Self.programme($0)
        }
        return found.map { (key: collation.key(of: $0.name), programme: $0) }
            .sorted { ($0.key, $0.programme.id) < ($1.key, $1.programme.id) }.map(\.programme)
    }

    public func programme(_ id: String) throws -> OfferedProgramme? {
        try database.first(
            "SELECT \(Self.programmeColumns) FROM \(Self.newestVersions) WHERE p.programme = $1", id
        ) { Self.programme($0) }
    }

    public func offer(_ programme: String, _ isOffered: Bool) throws {
        try database.run("UPDATE programme SET offered = $2 WHERE programme = $1", programme, isOffered)
    }

    // MARK: Versions

    /// A version with its texts.
    public func version(_ revision: Int, of programme: String) throws -> ProgrammeVersion? {
        let head = try database.first(
            "SELECT name, summary FROM programme_version WHERE programme = $1 AND revision = $2", programme, revision
        ) { (name: $0.text(0) ?? "", summary: $0.text(1) ?? "") }
        guard let head else { return nil }
        return ProgrammeVersion(
            id: programme, name: head.name, summary: head.summary,
            lessons: try lessons(of: programme, revision, withTexts: true),
            surveys: try surveys(of: programme, revision, withTexts: true), tasks: try tasks(of: programme, revision))
    }

    /// Adds a version, and returns its number. A new programme is offered.
    public func add(_ version: ProgrammeVersion, by: ID<Person>?, at: Instant) throws -> Int {
        let id = version.id
        let revision = try database.number(
            """
            INSERT INTO programme (programme, revision, offered) VALUES ($1, 1, 1)
            ON CONFLICT (programme) DO UPDATE SET revision = programme.revision + 1 RETURNING revision
            """, id)
        guard let revision else { preconditionFailure("a programme returns its revision") }
        try database.run(
            """
            INSERT INTO programme_version (programme, revision, name, summary, at, by_person)
            VALUES ($1, $2, $3, $4, $5, $6)
            """, id, revision, version.name, version.summary, at, by ?? ID(0))
        for (place, lesson) in version.lessons.enumerated() {
            try database.run(
                """
                INSERT INTO lesson (programme, revision, position, lesson, title, minutes, after_days, after_lesson,
                after_survey, text) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
                """, id, revision, place + 1, lesson.id, lesson.title, lesson.minutes, lesson.afterDays,
                lesson.afterLesson, lesson.afterSurvey, lesson.text)
        }
        for (place, survey) in version.surveys.enumerated() {
            try database.run(
                """
                INSERT INTO questionnaire (programme, revision, position, survey, title, questions, first_day, every_days,
                times, open_days, least, greatest, text) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
                """, id, revision, place + 1, survey.id, survey.title, survey.questions, survey.firstDay,
                survey.everyDays, survey.times, survey.openDays, survey.bounds?.lowerBound, survey.bounds?.upperBound,
                survey.text)
        }
        for (place, task) in version.tasks.enumerated() {
            try database.run(
                """
                INSERT INTO programme_task (programme, revision, position, day, breaths, moods, pattern)
                VALUES ($1, $2, $3, $4, $5, $6, $7)
                """, id, revision, place + 1, task.day, task.breaths, Self.json(task.moods), task.pattern)
        }
        return revision
    }

    /// In the programme's order.
    public func lessons(
        of programme: String, _ revision: Int, withTexts: Bool = false
    ) throws -> [ProgrammeVersion.Lesson] {
        try database.rows(
            """
            SELECT lesson, title, minutes, after_days, after_lesson, after_survey, \(withTexts ? "text" : "''") FROM lesson
            WHERE programme = $1 AND revision = $2 ORDER BY position
            """, programme, revision
        ) {
            .init(
                id: $0.text(0) ?? "", title: $0.text(1) ?? "", minutes: $0.int(2), afterDays: $0.int(3) ?? 0,
                afterLesson: $0.text(4), afterSurvey: $0.text(5), text: $0.text(6) ?? "")
        }
    }

    public func lessonText(_ lesson: String, of programme: String, _ revision: Int) throws -> String {
        try database.first(
            "SELECT text FROM lesson WHERE programme = $1 AND revision = $2 AND lesson = $3", programme, revision,
            lesson
        ) { $0.text(0) ?? "" } ?? ""
    }

    /// In the programme's order.
    public func surveys(
        of programme: String, _ revision: Int, withTexts: Bool = false
    ) throws -> [ProgrammeVersion.Survey] {
        try database.rows(
            """
            SELECT survey, title, questions, first_day, every_days, times, open_days, least, greatest,
            \(withTexts ? "text" : "''") FROM questionnaire WHERE programme = $1 AND revision = $2 ORDER BY position
            """, programme, revision
        ) {
            .init(
                id: $0.text(0) ?? "", title: $0.text(1) ?? "", questions: $0.int(2) ?? 0, firstDay: $0.int(3) ?? 1,
                everyDays: $0.int(4) ?? 1, times: $0.int(5) ?? 1, openDays: $0.int(6) ?? 1,
                bounds: Self.bounds($0, 7, 8), text: $0.text(9) ?? "")
        }
    }

    static func bounds(_ row: borrowing Row, _ least: Int, _ greatest: Int) -> ClosedRange<Double>? {
        guard let least = row.double(least), let greatest = row.double(greatest), least <= greatest else { return nil }
        return least...greatest
    }

    /// The text of the questionnaire.
    public func questionnaire(_ survey: String, of programme: String, _ revision: Int) throws -> String {
        try database.first(
            "SELECT text FROM questionnaire WHERE programme = $1 AND revision = $2 AND survey = $3", programme,
            revision,
            survey
        ) { $0.text(0) ?? "" } ?? ""
    }

    /// By their days.
    public func tasks(of programme: String, _ revision: Int) throws -> [ProgrammeVersion.Task] {
        try database.rows(
            """
            SELECT day, breaths, moods, pattern FROM programme_task WHERE programme = $1 AND revision = $2
            ORDER BY position
            """, programme, revision
        ) {
            .init(
                day: $0.int(0) ?? 1, breaths: $0.int(1) ?? 1, moods: Self.words($0.text(2) ?? "[]"), pattern: $0.text(3)
            )
        }
    }

    private static func json(_ words: [String]) -> String {
        var text = Array("[".utf8)
        for (place, word) in words.enumerated() {
            text += place > 0 ? Array(",".utf8) : []
            text.appendJSON(word)
        }
        return String(decoding: text + Array("]".utf8), as: UTF8.self)
    }

    private static func words(_ json: String) -> [String] {
        // Only this store writes the text. One that cannot be read has no words.
        (try? JSONReader.words(Array(json.utf8))) ?? []
    }
}

extension JSONReader {
    /// The elements of an array of texts.
    fileprivate static func words(_ json: [UInt8]) throws(JSONError) -> [String] {
        var reader = JSONReader(json)
        var words: [String] = []
        try reader.beginArray()
        while try reader.nextElement() { words.append(try reader.readString()) }
        try reader.end()
        return words
    }
}
