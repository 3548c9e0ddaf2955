import PostgreSQL
import Storage
import Testing

@testable import PracticeDaemon
@testable import PracticeStore

/// The plans that a server makes for the statements of people's calls, where the practice is large.
@Suite(.ofServer) struct `The query plans of a practice on a server` {
    /// Tables that stay small: of the practice itself, not of its clients.
    private static let small: Set = [
        "service", "picture", "term", "programme", "programme_version", "lesson", "questionnaire", "programme_task",
        "broadcast", "fact", "counter", "erasing", "daemon", "present", "notice",
    ]
    /// The columns that say what a row is, with what most rows of a large practice have there.
    private static let usual = [
        "role": "'client'", "active": "1", "open": "1", "sent": "1", "gone": "0", "told": "1", "is_read": "1",
        "urgent": "0", "kind": "'message'", "folder": "'inbox'", "what": "'completed'", "member.until": "NULL",
    ]
    private static let rows = 20_000

    /// Fills the large tables: each value of a column is another one, or the usual one.
    private func fill(_ clinic: Clinic) throws {
        let server = try #require(TestServer.shared)
        let admin = try PostgreSQL(
            server.address(of: clinic.place, as: nil), .writing, program: "test", patience: .seconds(600))
        // Neither the guards nor the references are of use here.
        try admin.execute("SET session_replication_role = replica")
        for table in try TableShape.all() where !Self.small.contains(table.name) {
            let types = try admin.rows(
                "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = $1", table.name
            ) { (name: $0.text(0) ?? "", type: $0.text(1) ?? "") }
            let values = types.map { column in
                if let usual = Self.usual["\(table.name).\(column.name)"] ?? Self.usual[column.name],
                    !table.key.contains(column.name)
                {
                    return usual
                }
                return column.type == "text" ? "md5(i::text)" : "i"
            }
            try admin.execute(
                """
                INSERT INTO \(table.name) (\(types.map(\.name).joined(separator: ", ")))
                SELECT \(values.joined(separator: ", ")) FROM generate_series(1000000, \(1_000_000 + Self.rows)) i
                """)
        }
        try admin.execute("ANALYZE")
    }

    /// The steps of a plan that read a large table from end to end.
    private func scans(_ sql: String, _ number: Int, _ database: PostgreSQL) throws -> [String] {
        try database.execute("PREPARE look_\(number) AS \(sql)")
        let count = (1...30).last { sql.contains("$\($0)") } ?? 0
        let values = count == 0 ? "" : "(" + Array(repeating: "NULL", count: count).joined(separator: ", ") + ")"
        return try database.rows("EXPLAIN (COSTS OFF) EXECUTE look_\(number)\(values)") { $0.text(0) ?? "" }
            .compactMap { line in
                guard let found = line.firstMatch(of: #/Seq Scan on ([a-z_]+)/#) else { return nil }
                // Surveys that come due are found for all clients at once.
                if sql.contains("FROM survey_pending p JOIN survey s") { return nil }
                return Self.small.contains(String(found.1)) ? nil : "\(found.1)"
            }
    }

    @Test func `no call of a person reads a large table from end to end`() throws {
        let day = try Clinic.Day()
        let words = ["SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN", "COMMIT", "NOTIFY", "LISTEN"]
        let statements = Set(try day.clinic.statements { try day.everything() } + Tables.erasures)
            .filter { sql in !words.contains { sql.hasPrefix($0) } }
        #expect(statements.count > 40)
        try fill(day.clinic)
        let server = try #require(TestServer.shared)
        let database = try PostgreSQL(
            server.address(of: day.clinic.place, as: TestServer.owner), .writing, program: "test")
        // The plan for any values, as the daemon's prepared statements have it after a few calls.
        try database.execute("SET plan_cache_mode = force_generic_plan")
        var found: [String] = []
        for (number, sql) in statements.sorted().enumerated() {
            let line = sql.split(separator: "\n").joined(separator: " ")
            for table in try scans(sql, number, database) { found.append("\(table): \(line)") }
        }
        // Whether an index alone can be read depends on when the server tidied up last.
        let known: Set = [
            // This happens once for a record.
            "done_once: DELETE FROM done_once WHERE made = 'p' || $1",
            "done_once: DELETE FROM done_once WHERE made IN (SELECT 'e' || id FROM enrolment WHERE client = $1)",
            "done_once: DELETE FROM done_once WHERE made IN (SELECT 'q' || id FROM survey WHERE client = $1)",
            "done_once: DELETE FROM done_once WHERE made IN (SELECT 's' || id FROM session WHERE client = $1)",
            "news: DELETE FROM news WHERE what = 'p' || $1",
            "news: DELETE FROM news WHERE what IN (SELECT 'e' || id FROM enrolment WHERE client = $1)",
            "news: DELETE FROM news WHERE what IN (SELECT 'q' || id FROM survey WHERE client = $1)",
            "news: DELETE FROM news WHERE what IN (SELECT 's' || id FROM session WHERE client = $1)",
            // These count all clients, and all with a part of a name.
            "client: SELECT count(*) FROM client c",
            "person: SELECT count(*) FROM client c JOIN person p ON p.id = c.person WHERE c.open = $1 AND p.folded LIKE $2 ESCAPE '\\'",
            "person: SELECT count(*) FROM client c JOIN person p ON p.id = c.person WHERE p.folded LIKE $1 ESCAPE '\\'",
            "client: SELECT count(*) FROM client c WHERE c.open = $1",
            // A report of replies reads who wrote to whom, without the words.
            "letter_to: SELECT letter, person FROM letter_to", "client: SELECT person FROM client",
            "member: SELECT room, person FROM member",
            "letter: SELECT thread, id, from_person, at, reply_to FROM letter WHERE sent = 1 ORDER BY thread, at, id",
            "turn: SELECT client, kind, cause, on_day, thanatologist FROM turn ORDER BY client, number",
            "chat: SELECT room, person, at FROM chat WHERE kind = 'message' ORDER BY room, number",
        ]
        #expect(found.filter { !known.contains($0) } == [])
    }
}
