import PracticeInterfaces
import PracticeRules
import Testing

@testable import PracticeDaemon
@testable import PracticeStore

@Suite(.ofFile) struct `The query plans of the practice` {
    @Test func `no call reads all clients or all sessions`() throws {
        let day = try Clinic.Day()
        let statements = Set(try day.clinic.statements { try day.everything() })
        #expect(statements.count > 40)
        #expect(
            try day.clinic.scans(for: statements) == [
                // This happens once for a record.
                "SCAN done_once: DELETE FROM done_once WHERE made = 'p' || $1",
                "SCAN done_once: DELETE FROM done_once WHERE made IN (SELECT 'e' || id FROM enrolment WHERE client = $1)",
                "SCAN done_once: DELETE FROM done_once WHERE made IN (SELECT 'q' || id FROM survey WHERE client = $1)",
                "SCAN done_once: DELETE FROM done_once WHERE made IN (SELECT 's' || id FROM session WHERE client = $1)",
                "SCAN news: DELETE FROM news WHERE what = 'p' || $1",
                "SCAN news: DELETE FROM news WHERE what IN (SELECT 'e' || id FROM enrolment WHERE client = $1)",
                "SCAN news: DELETE FROM news WHERE what IN (SELECT 'q' || id FROM survey WHERE client = $1)",
                "SCAN news: DELETE FROM news WHERE what IN (SELECT 's' || id FROM session WHERE client = $1)",
                // A report of records reads all turns.
                "SCAN turn USING COVERING INDEX turn_in_order: SELECT client, kind, cause, on_day, thanatologist FROM turn ORDER BY client, number",
                // These count all clients, and all with a part of a name.
                "SCAN client USING COVERING INDEX sqlite_autoindex_client_2: SELECT count(*) FROM client c",
                "SCAN p: SELECT count(*) FROM client c JOIN person p ON p.id = c.person WHERE p.folded LIKE $1 ESCAPE '\\'",
                // Reports read the names of the staff and of services, and a report of replies who wrote to whom, without the words.
                "SCAN letter_to USING COVERING INDEX letter_to_person: SELECT letter, person FROM letter_to",
                "SCAN p USING INDEX staff_by_name: SELECT p.id, p.name, p.active FROM person p WHERE p.role <> 'client' AND (p.role = 'thanatologist' OR EXISTS (SELECT 1 FROM session s WHERE s.thanatologist = p.id)) ORDER BY p.sort_key, p.id",
                // This lists all programmes, of which there are a few.
                "SCAN v: SELECT p.programme, p.revision, p.offered, v.name, v.summary, (SELECT count(*) FROM lesson l WHERE l.programme = p.programme AND l.revision = p.revision), (SELECT count(*) FROM questionnaire q WHERE q.programme = p.programme AND q.revision = p.revision) FROM programme p JOIN programme_version v ON v.programme = p.programme AND v.revision = p.revision",
                "SCAN client USING COVERING INDEX sqlite_autoindex_client_1: SELECT person FROM client",
                "SCAN member USING COVERING INDEX sqlite_autoindex_member_1: SELECT room, person FROM member",
                "SCAN chat USING COVERING INDEX chat_in_room: SELECT room, person, at FROM chat WHERE kind = 'message' ORDER BY room, number",
                "SCAN s USING INDEX service_by_name: SELECT s.id, s.category, s.name, s.description, s.minutes, s.fee, s.link, s.offered, s.revision, p.service FROM service s LEFT JOIN picture p ON p.service = s.id WHERE s.offered >= $1 AND ($2 = '' OR s.category = $2) ORDER BY s.category_key, s.category, s.sort_key, s.id",
                "SCAN letter USING COVERING INDEX letter_in_order: SELECT thread, id, from_person, at, reply_to FROM letter WHERE sent = 1 ORDER BY thread, at, id",
            ])
    }
}
