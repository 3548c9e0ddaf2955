import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkHistory

/// Names on disk are kept for ever. Where one of these fails, the name was changed: change it back.
struct SpellingTests {
    let place = TemporaryHistory()

    @Test func `the tables are the ones that were released`() throws {
        try place.record([])
        let found = try place.shell("SELECT sql FROM sqlite_master ORDER BY rowid")
        #expect(
            found
                == [table, index, neverChanged, neverDeleted, noteIndex, leftIndex, stepIndex].joined(separator: "\n"))
    }

    @Test func `the file says what it is`() throws {
        try place.record([])
        #expect(try place.shell("PRAGMA application_id") == "1145205355")
        #expect(try place.shell("PRAGMA user_version") == "3")
        #expect(try place.shell("PRAGMA journal_mode") == "wal")
    }

    /// By the version that brought them. A version that was released never gets another one: an older Daybreak says of a later
    /// version that it is newer, and of a kind that it does not know that the history is damaged.
    static let kinds: [Int: Set<String>] = [
        3: [
            "dayBegan", "dayTakenBack", "assigned", "revised", "moved", "withdrawn", "scheduleTaken", "scheduleRefused",
            "unlocked", "started", "breathingBegan", "breathingPaused", "guideLeft", "breathed", "exerciseRestarted",
            "exerciseFinished", "joined", "left", "moodLogged", "moodCorrected", "noteWritten", "erased", "completed",
            "cancelled", "setAside", "presenceTold", "snoozed", "snoozeEnded", "reminded", "held", "reminderSent",
        ]
    ]
    static let reminderKinds: [Int: Set<String>] = [
        3: [
            "unlocked", "stillOpen", "providerAvailable", "completed", "missed", "scheduleTaken", "scheduleRefused",
            "overdue",
        ]
    ]

    /// Those that a version knows.
    static func known(_ names: [Int: Set<String>], through version: Int) -> Set<String> {
        names.filter { $0.key <= version }.values.reduce([]) { $0.union($1) }
    }

    @Test func `the kinds of event are the ones that the versions brought`() {
        #expect(Set(Kind.allCases.map(\.rawValue)) == Self.known(Self.kinds, through: SQL.version))
    }

    @Test func `the kinds of reminder are the ones that the versions brought`() {
        #expect(Set(ReminderName.allCases.map(\.rawValue)) == Self.known(Self.reminderKinds, through: SQL.version))
        #expect(Reminder.Kind.allCases.map { ReminderName($0).kind } == Reminder.Kind.allCases)
    }

    /// Whole rows as the `sqlite3` shell prints them, one for each shape.
    @Test(arguments: [
        (Happening.dayBegan("2027-03-05"), "dayBegan||||||2027-03-05||||||||||||||||"),
        (.assigned(.sample()), #"assigned|1|2027-03-05|5|["calm","tired","hopeful"]|0|||||||||||||||||"#),
        (
            .revised(.sample(moods: ["calm"], pattern: .box)),
            #"revised|1|2027-03-05|5|["calm"]|0||4-4-4-4|||||||||||||||"#
        ),
        (.moved("1", position: 3), "moved|1||||3|||||||||||||||||"),
        (.started("1", .calm), "started|1||||||4-0-6-0|||||||||||||||"),
        (.breathed("1", breaths: 3), "breathed|1||3|||||||||||||||||||"),
        (.moodLogged("1", "calm"), "moodLogged|1|||||||calm||||||||||||||"),
        (.moodCorrected("1", "tired"), "moodCorrected|1|||||||tired||||||||||||||"),
        (.noteWritten("1", Note(recorded: "A note")), "noteWritten|1|||||||||||||||||||||A note"),
        (.noteWritten(nil, Note(recorded: "A note")), "noteWritten||||||||||||||||||||||A note"),
        (.completed("1", on: "2027-03-06"), "completed|1|||||2027-03-06||||||||||||||||"),
        (.snoozed(until: Instant(microseconds: 7)), "snoozed||||||||||||7||||||||||"),
        (
            .presenceTold(
                Presence(online: true, name: "A", since: Instant(microseconds: 1), until: Instant(microseconds: 2))),
            "presenceTold|||||||||1|A|1|2||||||||||"
        ),
        (
            .reminded(Reminder(id: "2027-03-05/missed/1", kind: .missed, assignment: "1", due: "2027-03-05", count: 2)),
            "reminded|1|2027-03-05|||||||||||2027-03-05/missed/1|missed|2|||||||"
        ),
        (
            .held(Reminder(id: "2027-03-05/overdue/09:00", kind: .overdue, assignment: "1", due: "2027-03-05")),
            "held|1|2027-03-05|||||||||||2027-03-05/overdue/09:00|overdue|1|||||||"
        ),
        (.reminderSent("2027-03-05/unlocked/1"), "reminderSent|||||||||||||2027-03-05/unlocked/1|||||||||"),
        (
            .scheduleTaken(
                ScheduleChange(added: 1, changed: 2, withdrawn: 3, unchanged: 4, kept: 5), file: Fingerprint("f")),
            "scheduleTaken||||||||||||||||1|2|3|4|5|f|"
        ),
    ])
    func `a row reads in the shell as it was released`(what: Happening, row: String) throws {
        try place.record([OneOfEach.event(what)])
        let common = "1|1804233601000001|2027-03-05|481|America/Argentina/Buenos_Aires|1000078|1804287600000000|"
        #expect(try place.shell("SELECT * FROM event") == common + "1000|0|4294967294|" + row)
    }
}

private let table = """
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
    , note TEXT) STRICT
    """

private let index = "CREATE INDEX event_reminded ON event (at) WHERE kind = 'reminded'"

private let neverChanged = """
    CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
    BEGIN SELECT RAISE(ABORT, 'what happened is never changed'); END
    """

private let neverDeleted = """
    CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'what happened is never deleted'); END
    """

private let stepIndex = """
    CREATE INDEX event_step ON event (assignment) WHERE assignment IS NOT NULL AND kind <> 'assigned' \
    AND kind <> 'revised' AND kind <> 'moved' AND kind <> 'withdrawn' AND kind <> 'reminded'
    """

private let noteIndex = "CREATE INDEX event_note ON event (seq) WHERE kind = 'noteWritten'"

private let leftIndex = "CREATE INDEX event_left ON event (seq) WHERE kind = 'left'"
