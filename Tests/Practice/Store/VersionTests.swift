import Foundation
import PracticeStore
import Storage
import Testing
import Time

/// A database that an earlier release made. Its tables, and the text of its triggers, are compared before it is opened.
@Suite struct `A practice of an earlier version` {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    @Test(arguments: [2, 3, 4])
    func `is opened and brought up to date, with everybody in it`(version: Int) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "version-\(version)-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "practice.db").path
        try FileManager.default.copyItem(
            atPath: Self.fixtures.appending(path: "version-\(version).db").path, toPath: path)
        try Store.inspect(path)
        let store = try Store(path)
        #expect(
            try ["Vera", "Ana", "Cleo"].map { try store.people(named: $0).map(\.name) } == [
                ["Vera"], ["Ana"], ["Cleo"],
            ])
        try store.close()
        #expect(try SQLiteDatabase(path, .reading).number("PRAGMA user_version") ?? 0 > version)
        _ = try Store.verify(path)
        let cleo = try #require(try Store(path).people(named: "Cleo").first)
        // Three tasks were assigned in version 3, and one of them was done.
        let march = CalendarDay("2027-03-01")!...CalendarDay("2027-03-31")!
        let unended = try Store(path).unendedTasks(of: ID(2), due: march)
        #expect(
            unended.filter { $0.client == cleo.id }.flatMap(\.due).map { "\($0)" }
                == (version < 3 ? [] : ["2027-03-05", "2027-03-07"]))
    }

    /// Ana is person 2. Cleo has record No. 1, and that of No. 9 was erased.
    @Test func `loses the letters that erasures of earlier versions left`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "version-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "practice.db").path
        try FileManager.default.copyItem(atPath: Self.fixtures.appending(path: "version-4.db").path, toPath: path)
        let older = try SQLiteDatabase(path)
        try older.transaction {
            for (letter, thread, answered, writer, subject) in [
                (101, 101, "NULL", "NULL", "A machine comes in as No. 1"),
                (102, 102, "NULL", "NULL", "A machine comes in as No. 9"), (103, 99, "99", "2", "Re: Gone"),
                (104, 99, "103", "1", "Re: Gone"), (105, 105, "NULL", "1", "Lunch"),
                (106, 105, "105", "2", "Re: Lunch"),
            ] {
                try older.execute(
                    """
                    INSERT INTO letter_to (letter, position, person) VALUES (\(letter), 0, 2);
                    INSERT INTO copy (person, number, folder, letter, at, is_read, urgent)
                    VALUES (2, \(letter), 'inbox', \(letter), 0, 0, 0);
                    INSERT INTO copy_words (person, number, part, words) VALUES (2, \(letter), 0, ' gone');
                    INSERT INTO letter (id, thread, reply_to, from_person, subject, body, preview, names, urgent, at, sent, revision)
                    VALUES (\(letter), \(thread), \(answered), \(writer), '\(subject)', '', '', 'Gone', 0, 0, 1, 1)
                    """)
            }
        }
        try older.close()
        try Store(path).close()
        let database = try SQLiteDatabase(path, .reading)
        func numbers(_ sql: String) throws -> [Int] { try database.rows(sql) { $0.int(0) ?? 0 } }
        let left = [101, 105, 106]
        #expect(try numbers("SELECT id FROM letter WHERE id > 100 ORDER BY id") == left)
        #expect(try numbers("SELECT letter FROM letter_to WHERE letter > 100 ORDER BY letter") == left)
        #expect(try numbers("SELECT letter FROM copy WHERE letter > 100 ORDER BY letter") == left)
        #expect(try numbers("SELECT number FROM copy_words WHERE number > 100 ORDER BY number") == left)
        #expect(try numbers("SELECT id FROM letter WHERE about = 3") == [101])
        // The next backup is made in the place of those that have them.
        #expect(try Store(path).fact(.outdatedCopies) == "1")
    }

    @Test func `keeps the keys of calls, and not the order in which they were written`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "version-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A folder that stays harms no test.
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "practice.db").path
        try FileManager.default.copyItem(atPath: Self.fixtures.appending(path: "version-4.db").path, toPath: path)
        let older = try SQLiteDatabase(path)
        try older.execute(
            """
            DELETE FROM done_once;
            INSERT INTO done_once (person, key, method, made, at) VALUES (2, 'b', 'AddClient', 'p4', 1);
            INSERT INTO done_once (person, key, method, made, at) VALUES (2, 'a', 'AddClient', 'p5', 2)
            """)
        try older.close()
        try Store(path).close()
        let database = try SQLiteDatabase(path, .reading)
        let kept = try database.rows("SELECT person, key, method, made, at FROM done_once NOT INDEXED") { row in
            (0..<5).map { row.text($0) ?? "" }
        }
        #expect(kept == [["2", "a", "AddClient", "p5", "2"], ["2", "b", "AddClient", "p4", "1"]])
        #expect(throws: SQLiteError.self) { try database.number("SELECT rowid FROM done_once") }
    }
}
