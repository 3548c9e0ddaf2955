import Foundation
import PracticeInterfaces
import StaffInterfaces
import Storage
import Testing

@testable import PracticeDaemon
@testable import PracticeStore

@Suite struct `The tallies of sessions` {
    private func place() throws -> ReportClinic {
        let place = try ReportClinic()
        let cleo = try place.client("Cleo", of: place.ana)
        for on in ["2026-12-31", "2027-01-01", "2027-03-01"] {
            try place.session(cleo, by: place.ana, on: on, tools: [place.offers.letter], fee: 500)
        }
        let session = try place.session(cleo, by: place.ana, on: "2027-03-01", fee: 0)
        try place.clinic.as(place.ana).call(Records.VoidSession(session: session, reason: "Wrong."))
        return place
    }

    private func rows(_ database: any Database) throws -> [String] {
        try database.rows("SELECT * FROM tally ORDER BY period, thanatologist, kind, key, currency") { row in
            (0..<row.count).map { row.text($0) ?? "NULL" }.joined(separator: " ")
        }
    }

    @Test func `each session is counted in its week and its month, and a voided one leaves no row`() throws {
        let place = try place()
        #expect(
            try rows(place.clinic.writer.storage.store().database) == [
                "2026-12 3 client 5  1 0", "2026-12 3 given 0 EUR 1 500", "2026-12 3 service 1  1 0",
                "2026-12 3 term 1  1 0", "2026-12 3 term 2  1 0", "2026-W53 3 client 5  2 0",
                "2026-W53 3 given 0 EUR 2 1000", "2026-W53 3 service 1  2 0", "2026-W53 3 term 1  2 0",
                "2026-W53 3 term 2  2 0", "2027-01 3 client 5  1 0", "2027-01 3 given 0 EUR 1 500",
                "2027-01 3 service 1  1 0", "2027-01 3 term 1  1 0", "2027-01 3 term 2  1 0", "2027-03 3 client 5  1 0",
                "2027-03 3 given 0 EUR 1 500", "2027-03 3 service 1  1 0", "2027-03 3 term 1  1 0",
                "2027-03 3 term 2  1 0", "2027-W09 3 client 5  1 0", "2027-W09 3 given 0 EUR 1 500",
                "2027-W09 3 service 1  1 0", "2027-W09 3 term 1  1 0", "2027-W09 3 term 2  1 0",
            ])
    }

    @Test func `a session that is not committed is not counted`() throws {
        struct TakenBack: Error {}
        let place = try place()
        let store = try place.clinic.writer.storage.store()
        let before = try rows(store.database)
        #expect(throws: TakenBack.self) {
            try store.transaction {
                let dora = try place.client("Dora", of: place.ana)
                try place.session(dora, by: place.ana, on: "2027-03-02")
                throw TakenBack()
            }
        }
        #expect(try rows(store.database) == before)
        #expect(try store.areTalliesRight())
    }

    @Test(
        .ofFile,
        arguments: [
            "UPDATE tally SET sessions = sessions + 1 WHERE period = '2027-03' AND kind = 'client'",
            "UPDATE tally SET amount = amount + 1 WHERE period = '2027-W09' AND kind = 'given'",
            "DELETE FROM tally WHERE period = '2026-12' AND kind = 'service'",
            "INSERT INTO tally VALUES ('2027-03', 3, 'term', 9, '', 1, 0)",
            "INSERT INTO tally VALUES ('1999-03', 3, 'term', 1, '', 1, 0)",
        ])
    func `tallies that are not those of the sessions are found, and a restore counts anew`(damage: String) throws {
        let place = try place()
        let good = try rows(place.clinic.writer.storage.store().database)
        try place.clinic.close()
        try SQLiteDatabase(place.clinic.database).execute(damage)
        let counted = StoreError.wrongTallies(place.clinic.database)
        #expect(throws: counted) { try Store.verify(place.clinic.database) }
        try place.clinic.root.restore(backup: place.clinic.root.call(Upkeep.Backup()).backup)
        #expect(try rows(place.clinic.writer.storage.store().database) == good)
        try place.clinic.close()
        _ = try Store.verify(place.clinic.database)
    }

    @Test(.ofFile) func `an upgrade counts the sessions that are there`() throws {
        let place = try place()
        let good = try rows(place.clinic.writer.storage.store().database)
        try place.clinic.close()
        let database = try SQLiteDatabase(place.clinic.database)
        try database.execute(
            """
            DROP TRIGGER erasing_is_not_updated;
            DROP TABLE tally; DROP INDEX turn_in_order; DROP INDEX letter_in_order; DROP INDEX chat_in_room;
            CREATE INDEX chat_in_room ON chat (room, number, kind, person);
            DROP TRIGGER letter_is_not_updated; DROP TRIGGER letter_is_not_deleted; DROP TRIGGER chat_is_not_deleted;
            DROP INDEX letter_about; ALTER TABLE letter DROP COLUMN about;
            DROP TABLE done_once;
            CREATE TABLE done_once (
                person BIGINT NOT NULL, key TEXT NOT NULL, method TEXT NOT NULL, made TEXT NOT NULL, at BIGINT NOT NULL,
                PRIMARY KEY (person, key)
            );
            CREATE INDEX done_once_by_time ON done_once (at);
            PRAGMA user_version = 5
            """)
        let changed = Tables.letterGuardsAnew.map(\.name) + ["chat_is_not_deleted"]
        for guardOfThatTime in Tables.guards(after: 3, upTo: 4) where changed.contains(guardOfThatTime.name) {
            try database.execute(Dialect.sqlite.sql(guardOfThatTime))
        }
        try database.close()
        let store = try Store(place.clinic.database)
        #expect(try rows(store.database) == good)
        try store.close()
        _ = try Store.verify(place.clinic.database)
    }
}
