import Storage
import TestSupport
import Testing

@testable import HomeworkHistory

/// A file with sound rows can define triggers and views that drop, copy or change what is recorded later, or never end.
struct OtherTablesTests {
    private let place = TemporaryHistory()

    private static let endless = "WITH RECURSIVE n (it) AS (SELECT 1 UNION ALL SELECT it + 1 FROM n)"

    private static let changes = [
        "CREATE TRIGGER dropping BEFORE INSERT ON event BEGIN SELECT RAISE(IGNORE); END",
        """
        CREATE TABLE kept (body);
        CREATE TRIGGER copying AFTER INSERT ON event BEGIN INSERT INTO kept VALUES (NEW.body); END
        """,
        """
        CREATE TABLE count (it);
        CREATE TRIGGER endless AFTER INSERT ON event
        BEGIN INSERT INTO count \(endless) SELECT count(*) FROM n; END
        """,
        "CREATE TABLE copy AS SELECT * FROM event",
        "ALTER TABLE event RENAME TO other; CREATE VIEW event AS SELECT * FROM other",
        "DROP TRIGGER event_is_never_changed; DROP TRIGGER event_is_never_deleted",
        "DROP INDEX event_note; CREATE INDEX event_note ON event (seq) WHERE kind = 'noteWritten' AND seq < 3",
        "CREATE UNIQUE INDEX one_note ON event (kind) WHERE kind = 'noteWritten' AND seq > 99",
        "ALTER TABLE event ADD COLUMN large BLOB AS (zeroblob(100000000)) VIRTUAL",
        """
        ALTER TABLE event RENAME TO other;
        CREATE VIEW event AS \(endless) SELECT it AS seq, 1 AS at, '2027-03-05' AS day, 1 AS minute, 'UTC' AS zone,
            1 AS steady, 1 AS day_ends, 0 AS actor, 0 AS by_daemon, 0 AS client, 'joined' AS kind, '1' AS assignment,
            NULL AS body FROM n
        """,
    ]

    private static func damaged(_ path: String) -> String {
        "The history \(path) has other tables than those that Daybreak makes: restore it from a backup"
    }

    @Test(arguments: changes) func `a file with other tables, triggers or views is not restored`(change: String) throws
    {
        try place.record(OneOfEach.events)
        try place.beside { try $0.execute(change) }
        expectRefusal("The file has other tables than those that Daybreak makes") {
            _ = try History.prepare(place.path)
        }
    }

    @Test(arguments: changes) func `a history with other tables, triggers or views is damaged`(change: String) throws {
        try place.record(OneOfEach.events)
        try place.beside { try $0.execute(change) }
        let before = contents(place.path)
        let damaged = Self.damaged(place.path)
        expectRefusal(damaged) { _ = try place.open() }
        expectRefusal(damaged) { _ = try History.verify(at: place.path) }
        expectRefusal(damaged) { _ = try History.readPlan(at: place.path) }
        #expect(contents(place.path) == before)
    }

    @Test func `a nightly copy with other tables is not compared`() throws {
        let history = try place.open()
        try history.record(OneOfEach.events)
        let copy = place.folder + "/copy.db"
        try history.backUp(to: copy)
        try SQLiteDatabase(copy).execute("ALTER TABLE event RENAME TO other; CREATE VIEW event AS SELECT * FROM other")
        expectRefusal(Self.damaged(copy)) { _ = try History.firstDifference(of: place.path, from: copy) }
    }

    @Test func `comments and spaces in a definition do not count`() throws {
        let (one, other) = (try SQLiteDatabase(":memory:"), try SQLiteDatabase(":memory:"))
        try one.execute("CREATE TABLE a (b, -- before\n c); CREATE INDEX d ON a (b)")
        try other.execute("CREATE TABLE a (b, -- now\n\n    c); CREATE INDEX d ON a (b)")
        #expect(try one.definitions() == other.definitions())
        try other.execute("CREATE TRIGGER e DELETE ON a BEGIN SELECT 1; END")
        #expect(try one.definitions() != other.definitions())
    }
}
