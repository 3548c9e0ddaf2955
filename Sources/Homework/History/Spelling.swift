// Every name that stands on disk, and nowhere else: the tables, their columns, the kinds of event and of reminder.
// A history is kept for ever, so a name that was released is never changed; each is held by a test.

/// What happened, by its name on disk.
enum Kind: String, CaseIterable {
    case dayBegan = "dayBegan"
    case dayTakenBack = "dayTakenBack"
    case assigned = "assigned"
    case revised = "revised"
    case moved = "moved"
    case withdrawn = "withdrawn"
    case scheduleTaken = "scheduleTaken"
    case scheduleRefused = "scheduleRefused"
    case unlocked = "unlocked"
    case started = "started"
    case breathingBegan = "breathingBegan"
    case breathingPaused = "breathingPaused"
    case guideLeft = "guideLeft"
    case breathed = "breathed"
    case exerciseRestarted = "exerciseRestarted"
    case exerciseFinished = "exerciseFinished"
    case joined = "joined"
    case left = "left"
    case moodLogged = "moodLogged"
    case moodCorrected = "moodCorrected"
    case noteWritten = "noteWritten"
    case erased = "erased"
    case completed = "completed"
    case cancelled = "cancelled"
    case setAside = "setAside"
    case presenceTold = "presenceTold"
    case snoozed = "snoozed"
    case snoozeEnded = "snoozeEnded"
    case reminded = "reminded"
    case held = "held"
    case reminderSent = "reminderSent"
}

/// A reminder's kind, by its name on disk.
enum ReminderName: String, CaseIterable {
    case unlocked = "unlocked"
    case stillOpen = "stillOpen"
    case providerAvailable = "providerAvailable"
    case completed = "completed"
    case missed = "missed"
    case scheduleTaken = "scheduleTaken"
    case scheduleRefused = "scheduleRefused"
    case overdue = "overdue"
}

/// The columns of `event`, in the order in which they are written and read.
enum Column: Int32, CaseIterable {
    case sequence, at, day, minute, zone, steady, dayEnds, actor, byDaemon, client, kind
    case assignment, due, breaths, moods, position
    case onDay, pattern, mood, online, provider, since, until
    case reminder, reminderKind, count
    case added, changed, withdrawn, unchanged, kept, file
    case note

    var name: String {
        switch self {
        case .sequence: "seq"
        case .at: "at"
        case .day: "day"
        case .minute: "minute"
        case .zone: "zone"
        case .steady: "steady"
        case .dayEnds: "day_ends"
        case .actor: "actor"
        case .byDaemon: "by_daemon"
        case .client: "client"
        case .kind: "kind"
        case .assignment: "assignment"
        case .due: "due"
        case .breaths: "breaths"
        case .moods: "moods"
        case .position: "position"
        case .onDay: "on_day"
        case .pattern: "pattern"
        case .mood: "mood"
        case .online: "online"
        case .provider: "provider"
        case .since: "since"
        case .until: "until"
        case .reminder: "reminder"
        case .reminderKind: "reminder_kind"
        case .count: "count"
        case .added: "added"
        case .changed: "changed"
        case .withdrawn: "withdrawn"
        case .unchanged: "unchanged"
        case .kept: "kept"
        case .file: "file"
        case .note: "note"
        }
    }

    /// The table says TEXT of it, else INTEGER.
    var isText: Bool {
        switch self {
        case .day, .zone, .kind, .assignment, .due, .moods, .onDay, .pattern, .mood, .provider, .reminder,
            .reminderKind, .file, .note:
            true
        default: false
        }
    }
}

/// The SQL that makes the tables and asks of them.
enum SQL {
    /// `PRAGMA application_id`: "Daybreak" as four letters, `DBrk`. It tells our file from any other SQLite database.
    static let applicationID = 0x4442_726B

    /// What brings a history of one version to the next: the first makes version 1 out of nothing. Only ever added to.
    private static let steps = [version1, version2, version3]

    /// The version that this Daybreak writes: `PRAGMA user_version`.
    static var version: Int { steps.count }

    /// From an empty database.
    static var beginning: String {
        """
        BEGIN;
        PRAGMA application_id = \(applicationID);
        \(steps(from: 0))
        COMMIT;
        PRAGMA journal_mode = WAL;
        """
    }

    static func steps(from version: Int) -> String {
        steps[version...].joined(separator: ";\n") + ";\nPRAGMA user_version = \(steps.count);"
    }

    private static let version1 = tables.joined(separator: ";\n")

    /// `at`, `day_ends`, `since` and `until` are microseconds since 1970-01-01T00:00:00Z; `steady` counts them since
    /// some instant of that boot. `day`, `due` and `on_day` read `2027-03-05`; `moods` is a JSON array.
    static let table = """
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
        ) STRICT
        """

    static let tables = [table, whatWasReminded, appendOnlyUpdate, appendOnlyDelete]

    /// What was reminded, by when: few among the many events.
    static let whatWasReminded = "CREATE INDEX event_reminded ON event (at) WHERE kind = 'reminded'"

    static let appendOnlyUpdate = """
        CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
        BEGIN SELECT RAISE(ABORT, 'what happened is never changed'); END
        """
    static let appendOnlyDelete = """
        CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
        BEGIN SELECT RAISE(ABORT, 'what happened is never deleted'); END
        """

    private static let version2 = ([noteColumn] + stepIndexes).joined(separator: ";\n")

    static let noteColumn = "ALTER TABLE event ADD COLUMN note TEXT"

    /// What is read of one assignment, and of its session's notes, without reading all that ever happened. What the
    /// schedule brings is not in it: an import stays as quick as it was.
    static let stepIndexes = [
        """
        CREATE INDEX event_step ON event (assignment)
        WHERE assignment IS NOT NULL AND kind NOT IN ('assigned', 'revised', 'moved', 'withdrawn', 'reminded')
        """,
        "CREATE INDEX event_note ON event (seq) WHERE kind = 'noteWritten'",
        "CREATE INDEX event_left ON event (seq) WHERE kind = 'left'",
    ]

    private static let version3 = "DROP INDEX event_step;\n" + stepIndex

    /// The index of version 2 that says the same with `NOT IN`, for which SQLite makes a table of the list at each event
    /// that is written: an import took three times as long.
    static let stepIndex = "CREATE INDEX event_step ON event (assignment) WHERE \(isStep)"
    private static let isStep = """
        assignment IS NOT NULL AND kind <> 'assigned' AND kind <> 'revised' AND kind <> 'moved' AND kind <> 'withdrawn' \
        AND kind <> 'reminded'
        """

    static let insert = """
        INSERT INTO event (\(names)) VALUES (\(Column.allCases.map { "?\($0.rawValue + 1)" }.joined(separator: ", ")))
        """
    static let all = "SELECT \(names) FROM event ORDER BY seq"
    static let columns = "SELECT name FROM pragma_table_info('event')"
    /// The page at which the table begins.
    static let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'event'"
    /// What stands after the first so many.
    static let beyond = "SELECT \(names) FROM event WHERE seq > ? ORDER BY seq"
    /// For the running daemon, whose one thread everybody waits for: not each index is compared with its table, which
    /// takes many times as long.
    static let check = "PRAGMA quick_check(1)"
    /// The same and the indexes, for what has the time: `--verify`, and what is to take a history's place.
    static let checkWhole = "PRAGMA integrity_check"
    static let last = "SELECT coalesce(max(seq), 0) FROM event"
    static let lastReminders = """
        SELECT \(names) FROM event WHERE kind = 'reminded' AND at >= ? ORDER BY at DESC, seq DESC LIMIT ?
        """
    /// What became of one assignment, in order.
    static let stepsOfOne = """
        SELECT \(names) FROM event WHERE assignment = ? AND \(isStep) ORDER BY seq
        """
    /// The notes of no assignment that were written after one number and before another.
    static let notesBetween = """
        SELECT \(names) FROM event WHERE kind = 'noteWritten' AND assignment IS NULL AND seq > ? AND seq < ? ORDER BY seq
        """
    /// The number of the last session left before that number; 0 where there was none.
    static let leftBefore = "SELECT coalesce(max(seq), 0) FROM event WHERE kind = 'left' AND seq < ?"
    static let moodsOfList = "SELECT value FROM json_each(?) ORDER BY key"

    /// For what was refused and yet stands there; see `History.takeBackWhatWasRefused`.
    static let dropAppendOnlyDelete = "DROP TRIGGER event_is_never_deleted"
    static let deleteBeyond = "DELETE FROM event WHERE seq > ?"

    static let copy = "VACUUM INTO ?"
    static let exportHead = """
        SELECT json_object('daybreak', 'history', 'version', \(version), 'events', (SELECT count(*) FROM event))
        """
    static let exportEvents = """
        SELECT json_patch('{}', json_object(\(Column.allCases.map { "'\($0.name)', \($0.name)" }.joined(separator: ", "))))
        FROM event ORDER BY seq
        """
    static let versionOfExport = """
        SELECT json_extract(?1, '$.version') WHERE json_extract(?1, '$.daybreak') = 'history'
        """
    /// Nothing where the head does not say it, as those of the first Daybreaks.
    static let countOfExport = "SELECT json_extract(?1, '$.events')"
    static let takeEvent = """
        WITH veiled(line) AS MATERIALIZED (SELECT \(veiled))
        INSERT INTO event (\(names)) SELECT \(Column.allCases.map(unveiled).joined(separator: ", ")) FROM veiled
        """
    /// For SQLite a text in JSON ends at its first NUL. So that none is cut, U+0001 and U+0003 stand for a NUL meanwhile, and
    /// U+0001 and U+0002 for U+0001; what looks like an escape behind an escaped backslash is none.
    private static let veiled = #"""
        replace(replace(replace(replace(?1, '\\', char(1)), '\u0001', '\u0001\u0002'), '\u0000', '\u0001\u0003'), char(1), '\\')
        """#
    private static func unveiled(_ column: Column) -> String {
        let value = "json_extract(line, '$.\(column.name)')"
        return column.isText ? "replace(replace(\(value), char(1, 3), char(0)), char(1, 2), char(1))" : value
    }
    static let attachEarlier = "ATTACH ? AS earlier"
    static let detachEarlier = "DETACH earlier"
    static let columnsOfEarlier = "SELECT name FROM pragma_table_info('event', 'earlier')"
    static func firstDifference(in columns: String) -> String {
        """
        SELECT min(seq) FROM
        (SELECT \(columns) FROM earlier.event EXCEPT SELECT \(columns) FROM main.event)
        """
    }

    static let hasErased = """
        SELECT EXISTS (SELECT 1 FROM main.event
        WHERE kind = 'erased' AND seq > (SELECT coalesce(max(seq), 0) FROM earlier.event))
        """

    static let dropAppendOnlyUpdate = "DROP TRIGGER event_is_never_changed"
    static let eraseMood = "UPDATE event SET mood = '' WHERE kind IN ('moodLogged', 'moodCorrected') AND assignment = ?"
    static let eraseNotes = "UPDATE event SET note = '' WHERE kind = 'noteWritten' AND assignment = ?"

    private static let names = Column.allCases.map(\.name).joined(separator: ", ")
}
