import Storage

/// The tables of a history, and the steps that bring one of an earlier version up to date.
///
/// Histories outlive every version: a released name is never changed, and a released step is never edited.
enum Tables {
    /// `PRAGMA application_id`: "Daybreak" as four letters, `DBrk`. It tells our file from any other SQLite database.
    static let applicationID = 0x4442_726B

    /// The version that this Daybreak writes: `PRAGMA user_version`.
    static var version: Int { steps.count }

    /// The step to each version; the first makes version 1 of an empty database.
    private static let steps = [version1, version2, version3, version4, version5, version6, version7]

    /// Makes a history out of an empty database.
    static var beginning: String {
        """
        BEGIN;
        PRAGMA application_id = \(applicationID);
        \(steps(from: 0))
        COMMIT;
        PRAGMA journal_mode = WAL;
        """
    }

    static func steps(from version: Int, to last: Int = version) -> String {
        steps[version..<last].joined(separator: ";\n") + ";\nPRAGMA user_version = \(last);"
    }

    /// The definitions in a history of that version. A history that was brought up to date has the same ones as a new history.
    static func definitions(of version: Int) throws -> [String] {
        let database = try SQLiteDatabase(":memory:")
        try database.execute(steps(from: 0, to: version))
        return try database.definitions()
    }

    // MARK: Version 7: a client has two machines

    /// The tables are those of version 4, as for version 5.
    private static let version7 = "-- kinds: completedElsewhere"

    // MARK: Version 6: talking points are erased by themselves

    /// The tables are those of version 4, as for version 5.
    private static let version6 = "-- kinds: talkingPointsErased"

    // MARK: Version 5: the practice

    /// The tables are those of version 4. An older Daybreak does not know the new kinds, and says that a newer one wrote them.
    private static let version5 =
        "-- kinds: missed, linked, sharesChanged, reported, deviceRenewed, newsHeard, unlinked"

    // MARK: Version 4: a body for each kind

    private static let version4 = """
        ALTER TABLE event RENAME TO event_of_version_3;
        \(table);
        INSERT INTO event (\(sharedColumns), body) SELECT \(sharedColumns), \(bodyOfVersion3) FROM event_of_version_3;
        DROP TABLE event_of_version_3;
        \(indexes.joined(separator: ";\n"));
        \(neverChanged);
        \(neverDeleted)
        """

    // No CHECK (json_valid(body)): with `PRAGMA trusted_schema = OFF`, SQLite refuses that function in a schema.
    static let table = """
        CREATE TABLE event (
            seq INTEGER PRIMARY KEY,    -- from 1, without gaps
            at INTEGER NOT NULL,        -- microseconds since 1970-01-01T00:00:00Z, as all instants here
            day TEXT NOT NULL,          -- on the client's wall: 2027-03-05
            minute INTEGER NOT NULL,    -- of that day
            zone TEXT NOT NULL,         -- in which the wall was: Europe/Berlin
            steady INTEGER NOT NULL,    -- microseconds since some instant of that boot
            day_ends INTEGER NOT NULL,
            actor INTEGER NOT NULL,     -- the user who did it
            by_daemon INTEGER NOT NULL CHECK (by_daemon IN (0, 1)),
            client INTEGER NOT NULL,    -- the user whose homework it is
            kind TEXT NOT NULL,
            assignment TEXT,
            body TEXT                   -- an object with what else the kind tells: {"mood":"calm"}
        ) STRICT
        """

    /// The columns that every event has.
    static let shared = [
        "seq", "at", "day", "minute", "zone", "steady", "day_ends", "actor", "by_daemon", "client", "kind",
        "assignment",
    ]
    static let sharedColumns = shared.joined(separator: ", ")

    /// Indexes for the few kinds of events that are looked up.
    private static let indexes = [
        "CREATE INDEX event_reminded ON event (at) WHERE kind = 'reminded'",
        // Spelled with `<>`: for `NOT IN`, SQLite makes a table of the list at each event that is written, and an import took
        // three times as long.
        "CREATE INDEX event_step ON event (assignment) WHERE \(isStep)",
        "CREATE INDEX event_note ON event (seq) WHERE kind = 'noteWritten'",
        "CREATE INDEX event_left ON event (seq) WHERE kind = 'left'",
    ]

    /// True for a step of an assignment: an event that is not of the schedule and not a reminder.
    static let isStep = """
        assignment IS NOT NULL AND kind <> 'assigned' AND kind <> 'revised' AND kind <> 'moved' AND kind <> 'withdrawn' \
        AND kind <> 'reminded'
        """

    /// The triggers also guard events that are erased or removed: they are dropped for that, and made again in the same
    /// transaction.
    static let neverChanged = """
        CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
        BEGIN SELECT RAISE(ABORT, 'what happened is never changed'); END
        """
    static let neverDeleted = """
        CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
        BEGIN SELECT RAISE(ABORT, 'what happened is never deleted'); END
        """
    static let allowChanges = "DROP TRIGGER event_is_never_changed"
    static let allowDeletions = "DROP TRIGGER event_is_never_deleted"

    // MARK: Versions 1 to 3: a column for each field of any kind

    /// The columns that became the body; `moods` held a JSON array as text.
    static let columnsOfVersion3 = [
        "due", "breaths", "moods", "position", "on_day", "pattern", "mood", "online", "provider", "since", "until",
        "reminder", "reminder_kind", "count", "added", "changed", "withdrawn", "unchanged", "kept", "file", "note",
    ]

    /// The body from a row of version 3, without the columns that are NULL; NULL if all are.
    static let bodyOfVersion3: String = {
        let members = columnsOfVersion3.map { "'\($0)', " + ($0 == "moods" ? "json(moods)" : $0) }
        return "nullif(json_patch('{}', json_object(\(members.joined(separator: ", ")))), '{}')"
    }()

    /// The body from a line of an export of version 3, which is the first parameter.
    static let bodyOfLineOfVersion3: String = {
        let members = shared.map { "'$.\($0)'" }.joined(separator: ", ")
        let line = "json_replace($1, '$.moods', json(json_extract($1, '$.moods')))"
        return "nullif(json_remove(\(line), \(members)), '{}')"
    }()

    private static let version1 = """
        CREATE TABLE event (
            seq INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            day TEXT NOT NULL,
            minute INTEGER NOT NULL,
            zone TEXT NOT NULL,
            steady INTEGER NOT NULL,
            day_ends INTEGER NOT NULL,
            actor INTEGER NOT NULL,
            by_daemon INTEGER NOT NULL CHECK (by_daemon IN (0, 1)),
            client INTEGER NOT NULL,
            kind TEXT NOT NULL,
            assignment TEXT,
            due TEXT,
            breaths INTEGER,
            moods TEXT,
            position INTEGER,
            on_day TEXT,
            pattern TEXT,
            mood TEXT,
            online INTEGER CHECK (online IN (0, 1)),
            provider TEXT,
            since INTEGER,
            until INTEGER,
            reminder TEXT,
            reminder_kind TEXT,
            count INTEGER,
            added INTEGER,
            changed INTEGER,
            withdrawn INTEGER,
            unchanged INTEGER,
            kept INTEGER,
            file TEXT
        ) STRICT;
        CREATE INDEX event_reminded ON event (at) WHERE kind = 'reminded';
        \(neverChanged);
        \(neverDeleted)
        """

    private static let version2 = """
        ALTER TABLE event ADD COLUMN note TEXT;
        CREATE INDEX event_step ON event (assignment)
        WHERE assignment IS NOT NULL AND kind NOT IN ('assigned', 'revised', 'moved', 'withdrawn', 'reminded');
        CREATE INDEX event_note ON event (seq) WHERE kind = 'noteWritten';
        CREATE INDEX event_left ON event (seq) WHERE kind = 'left'
        """

    private static let version3 = """
        DROP INDEX event_step;
        CREATE INDEX event_step ON event (assignment) WHERE \(isStep)
        """
}
