import Foundation
import PostgreSQL
import PracticeInterfaces
import Testing

@testable import PracticeDaemon

/// A person with the file and SQLite's own program, or with the server's own role, cannot change or remove rows.
@Suite struct `Append-only tables` {
    private func sqlite3(_ clinic: Clinic, _ sql: String) throws -> (status: Int32, said: String) {
        let program = Process()
        program.executableURL = URL(filePath: "/usr/bin/sqlite3")
        program.arguments = ["-bail", clinic.database, sql]
        return try program.runToEnd()
    }

    /// A table, one of its columns outside the key, and one of the key.
    private static let tables = [
        ("turn", "reason", "number"), ("session", "notes", "id"), ("session_term", "client", "term"),
        ("addendum", "text", "number"), ("void", "reason", "session"), ("audit", "did", "id"),
        ("disposal", "reason", "id"), ("schedule", "text", "revision"), ("happening", "what", "id"),
        ("talking_point", "text", "id"), ("feedback", "text", "id"),
        ("chat", "text", "number"), ("programme_version", "name", "revision"), ("lesson", "text", "position"),
        ("questionnaire", "text", "position"), ("programme_task", "moods", "position"), ("enrolment", "on_day", "id"),
        ("enrolment_end", "reason", "enrolment"), ("enrolment_task", "client", "task"),
        ("lesson_read", "at", "lesson"), ("survey", "opens_on", "id"), ("survey_answer", "answers", "survey"),
        ("survey_missed", "at", "survey"),
    ]

    @Test(.ofServer, arguments: tables)
    func `nor does one of a server`(table: String, column: String, key: String) throws {
        let clinic = try Clinic.eventful()
        let server = try #require(TestServer.shared)
        let owner = try PostgreSQL(server.address(of: clinic.place, as: nil), .writing, program: "test")
        let daemon = try PostgreSQL(
            server.address(of: clinic.place, as: TestServer.daemon), .writing, program: "test")
        func rows() throws -> [String] {
            try owner.rows("SELECT t::text FROM \(table) t ORDER BY 1") { $0.text(0) ?? "" }
        }
        let before = try rows()
        #expect(!before.isEmpty)
        let value = column == "at" || column == "client" ? "0" : "''"
        for (sql, done) in [
            ("UPDATE \(table) SET \(column) = \(value)", "changed"), ("DELETE FROM \(table)", "removed"),
            ("TRUNCATE \(table)", "removed"),
        ] {
            let error = #expect(throws: PostgreSQLError.self, "\(sql)") { try owner.execute(sql) }
            #expect(
                error?.message.contains("what is in \(table) is never \(done)") == true,
                "\(sql): \(error?.message ?? "")")
        }
        // The daemon's role has not even the right, nor that to alter the table.
        for sql in [
            "UPDATE \(table) SET \(column) = \(value)", "DELETE FROM \(table)", "TRUNCATE \(table)",
            "ALTER TABLE \(table) DISABLE TRIGGER ALL", "DROP TRIGGER \(table)_is_not_deleted ON \(table)",
            "ALTER TABLE \(table) DROP COLUMN \(column)", "DROP TABLE \(table)",
            "CREATE OR REPLACE FUNCTION \(table)_is_not_deleted() RETURNS trigger LANGUAGE sql AS 'SELECT 1'",
            "SET session_replication_role = replica",
        ] {
            let error = #expect(throws: PostgreSQLError.self, "\(sql)") { try daemon.execute(sql) }
            #expect(error?.kind == .notAllowed, "\(sql): \(error?.message ?? "")")
        }
        #expect(try rows() == before)
    }

    @Test(.ofFile, arguments: tables)
    func `no statement changes, removes or replaces a row of these tables`(
        table: String, column: String, key: String
    ) throws {
        let clinic = try Clinic.eventful()
        let rows = "SELECT count(*) > 0, rowid, * FROM \(table)"
        let before = try sqlite3(clinic, rows)
        #expect(before.said.hasPrefix("1|"))
        let columns = try sqlite3(clinic, "SELECT name FROM pragma_table_info('\(table)')").said.split(separator: "\n")
        func copy(_ old: String, as new: String) -> String {
            columns.map { $0 == old ? new : String($0) }.joined(separator: ", ")
        }
        let all = columns.joined(separator: ", ")
        var tricks = [
            ("UPDATE \(table) SET \(column) = ''", "changed"),
            ("UPDATE OR REPLACE \(table) SET \(key) = \(key) + 1", "changed"),
            ("UPDATE OR IGNORE \(table) SET \(column) = ''", "changed"),
            ("UPDATE \(table) SET \(column) = later.x FROM (SELECT '' AS x) later", "changed"),
            ("DELETE FROM \(table)", "removed"),
            ("REPLACE INTO \(table) SELECT \(copy(column, as: "''")) FROM \(table)", "replaced"),
            ("INSERT OR IGNORE INTO \(table) SELECT * FROM \(table)", "replaced"),
            (
                "INSERT INTO \(table) SELECT * FROM \(table) WHERE true ON CONFLICT DO UPDATE SET \(column) = ''",
                "replaced"
            ),
        ]
        if key == "id" {
            // Another session replaces the first.
            let other = "REPLACE INTO session SELECT \(copy("id", as: "id + 1")) FROM session"
            if table == "session" { tricks.append((other, "replaced")) }
            // Another happening has the same id, or the same number on its device.
            for (old, new) in table == "happening" ? [("sequence", "7"), ("name", "'x'")] : [] {
                let columns = copy("id", as: "id + 1").replacing(", \(old),", with: ", \(new),")
                tricks.append(("REPLACE INTO happening SELECT \(columns) FROM happening", "replaced"))
            }
        } else {
            // Another key replaces a row of the file.
            let row = "rowid, \(copy(key, as: "\(key) + 1"))"
            tricks.append(("REPLACE INTO \(table) (rowid, \(all)) SELECT \(row) FROM \(table)", "replaced"))
        }
        for recursion in ["OFF", "ON"] {
            for (sql, done) in tricks {
                let (status, said) = try sqlite3(clinic, "PRAGMA recursive_triggers = \(recursion); \(sql)")
                #expect(status != 0, "\(sql)")
                #expect(said.contains("what is in \(table) is never \(done)"), "\(sql): \(said)")
            }
        }
        #expect(try sqlite3(clinic, rows) == before)
    }

    @Test(.ofFile) func `nothing is erased before its disposal is recorded`() throws {
        let clinic = try Clinic.eventful()
        let trick = "INSERT INTO erasing SELECT person FROM client; DELETE FROM session"
        let (status, said) = try sqlite3(clinic, trick)
        #expect(status != 0)
        #expect(said.contains("no client is erased without a disposal"), "\(said)")
        #expect(try sqlite3(clinic, "SELECT count(*) FROM session").said == "1\n")
        // Once one client may be erased, their erasure does not become another's.
        let disposal = """
            INSERT INTO disposal (at, by_person, kind, client, number, reason) VALUES (1, 0, 'erased', 0, 1, '')
            """
        for change in ["UPDATE", "UPDATE OR REPLACE"] {
            let other = "\(change) erasing SET client = (SELECT person FROM client)"
            let (status, said) = try sqlite3(
                clinic, "BEGIN; \(disposal); INSERT INTO erasing VALUES (0); \(other); DELETE FROM session; COMMIT")
            #expect(status != 0)
            #expect(said.contains("an erasure stays that of the client for whom it began"), "\(said)")
        }
        #expect(try sqlite3(clinic, "SELECT count(*) FROM session").said == "1\n")
    }
}
