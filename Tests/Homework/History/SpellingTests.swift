import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkHistory

/// Names on disk are kept for ever. If one of these tests fails, a name was changed: change it back.
struct SpellingTests {
    let place = TemporaryHistory()

    @Test func `the tables are as they were released`() throws {
        try place.record([])
        let found = try place.shell("SELECT sql FROM sqlite_master ORDER BY rowid")
        #expect(
            found
                == [table, index, stepIndex, noteIndex, leftIndex, neverChanged, neverDeleted].joined(separator: "\n"))
    }

    @Test func `the file has its application id, its version and its log`() throws {
        try place.record([])
        #expect(try place.shell("PRAGMA application_id") == "1145205355")
        #expect(try place.shell("PRAGMA user_version") == "7")
        #expect(try place.shell("PRAGMA journal_mode") == "wal")
    }

    /// The kinds that each version added. A released version never gets another kind: an older Daybreak reports a later
    /// version as newer, but an unknown kind as damage.
    static let kinds: [Int: Set<String>] = [
        3: [
            "dayBegan", "dayTakenBack", "assigned", "revised", "moved", "withdrawn", "scheduleTaken", "scheduleRefused",
            "unlocked", "started", "breathingBegan", "breathingPaused", "guideLeft", "breathed", "exerciseRestarted",
            "exerciseFinished", "joined", "left", "moodLogged", "moodCorrected", "noteWritten", "erased", "completed",
            "cancelled", "setAside", "presenceTold", "snoozed", "snoozeEnded", "reminded", "held", "reminderSent",
        ],
        5: ["missed", "linked", "sharesChanged", "reported", "deviceRenewed", "newsHeard", "unlinked"],
        6: ["talkingPointsErased"], 7: ["completedElsewhere"],
    ]
    static let reminderKinds: [Int: Set<String>] = [
        3: [
            "unlocked", "stillOpen", "providerAvailable", "completed", "missed", "scheduleTaken", "scheduleRefused",
            "overdue",
        ],
        5: ["mail", "chat", "survey", "broadcast"],
    ]

    /// The kinds that a version has.
    static func known(_ names: [Int: Set<String>], through version: Int) -> Set<String> {
        names.filter { $0.key <= version }.values.reduce([]) { $0.union($1) }
    }

    @Test func `the kinds of event are those of the versions`() {
        #expect(Set(EventKind.all.map(\.name)) == Self.known(Self.kinds, through: Tables.version))
    }

    @Test func `the kinds of reminder are those of the versions`() {
        let names = Reminder.Kind.allCases.map { ReminderNames.name(of: $0) }
        #expect(Set(names) == Self.known(Self.reminderKinds, through: Tables.version))
        #expect(names.map { ReminderNames.kind(of: $0) } == Reminder.Kind.allCases)
    }

    /// Whole rows as the `sqlite3` shell prints them, one for each shape of a body.
    @Test(arguments: [
        (Happening.dayBegan("2027-03-05"), #"dayBegan||{"on_day":"2027-03-05"}"#),
        (
            .assigned(.sample()),
            #"assigned|1|{"due":"2027-03-05","breaths":5,"moods":["calm","tired","hopeful"],"position":0}"#
        ),
        (
            .revised(.sample(moods: ["calm"], pattern: .box)),
            #"revised|1|{"due":"2027-03-05","breaths":5,"moods":["calm"],"position":0,"pattern":"4-4-4-4"}"#
        ),
        (.moved("1", position: 3), #"moved|1|{"position":3}"#),
        (.started("1", .calm), #"started|1|{"pattern":"4-0-6-0"}"#),
        (.breathed("1", breaths: 3), #"breathed|1|{"breaths":3}"#),
        (.left("1"), "left|1|"),
        (.moodLogged("1", "calm"), #"moodLogged|1|{"mood":"calm"}"#),
        (.moodCorrected("1", "tired"), #"moodCorrected|1|{"mood":"tired"}"#),
        (.noteWritten("1", Note(recorded: "A \"note\"\n\0")), #"noteWritten|1|{"note":"A \"note\"\n\u0000"}"#),
        (.noteWritten(nil, Note(recorded: "A note")), #"noteWritten||{"note":"A note"}"#),
        (.erased("1"), "erased|1|"), (.erased(nil), "erased||"), (.talkingPointsErased, "talkingPointsErased||"),
        (.completed("1", on: "2027-03-06"), #"completed|1|{"on_day":"2027-03-06"}"#),
        (.completedElsewhere("1", on: "2027-03-04"), #"completedElsewhere|1|{"on_day":"2027-03-04"}"#),
        (.snoozed(until: Instant(microseconds: 7)), #"snoozed||{"until":7}"#),
        (
            .presenceTold(
                Presence(online: true, name: "A", since: Instant(microseconds: 1), until: Instant(microseconds: 2))),
            #"presenceTold||{"online":1,"provider":"A","since":1,"until":2}"#
        ),
        (
            .reminded(Reminder(id: "2027-03-05/missed/1", kind: .missed, assignment: "1", due: "2027-03-05", count: 2)),
            #"reminded|1|{"due":"2027-03-05","reminder":"2027-03-05/missed/1","reminder_kind":"missed","count":2}"#
        ),
        (
            .held(Reminder(id: "2027-03-05/overdue/09:00", kind: .overdue, assignment: "1", due: "2027-03-05")),
            #"held|1|{"due":"2027-03-05","reminder":"2027-03-05/overdue/09:00","reminder_kind":"overdue","count":1}"#
        ),
        (.reminderSent("2027-03-05/unlocked/1"), #"reminderSent||{"reminder":"2027-03-05/unlocked/1"}"#),
        (.scheduleRefused(file: nil), "scheduleRefused||"),
        (
            .scheduleTaken(ScheduleChange(), file: nil, revision: 7),
            #"scheduleTaken||{"added":0,"changed":0,"withdrawn":0,"unchanged":0,"kept":0,"revision":7}"#
        ),
        (.missed("1"), "missed|1|"),
        (.linked(practice: "a@b", device: "d"), #"linked||{"practice":"a@b","device":"d"}"#),
        (
            .sharesChanged([.waiting, .moods], isPracticeTold: true),
            #"sharesChanged||{"shares":"moods waiting","told":1}"#
        ),
        (.sharesChanged([], isPracticeTold: false), #"sharesChanged||{"shares":"","told":0}"#),
        (.reported(through: 40, of: "d"), #"reported||{"through":40,"device":"d"}"#),
        (.deviceRenewed("e"), #"deviceRenewed||{"device":"e"}"#),
        (
            .newsHeard(NewsCounts(unreadMail: 5, urgentMail: 4, unreadChat: 3, surveysDue: 2, broadcasts: 1)),
            #"newsHeard||{"unread_mail":5,"urgent_mail":4,"unread_chat":3,"surveys_due":2,"broadcasts":1}"#
        ),
        (
            .newsHeard(
                NewsCounts(unreadMail: 0, urgentMail: 0, unreadChat: 0, surveysDue: 0, broadcasts: 0, unreadLessons: 3)),
            #"newsHeard||{"unread_mail":0,"urgent_mail":0,"unread_chat":0,"surveys_due":0,"broadcasts":0,"unread_lessons":3}"#
        ),
        (.unlinked, "unlinked||"),
        (
            .scheduleTaken(
                ScheduleChange(added: 1, changed: 2, withdrawn: 3, unchanged: 4, kept: 5), file: Fingerprint("f")),
            #"scheduleTaken||{"added":1,"changed":2,"withdrawn":3,"unchanged":4,"kept":5,"file":"f"}"#
        ),
    ])
    func `a row is spelled as it was released`(what: Happening, row: String) throws {
        try place.record([OneOfEach.event(what)])
        let common = "1|1804233601000001|2027-03-05|481|America/Argentina/Buenos_Aires|1000078|1804287600000000|"
        #expect(try place.shell("SELECT * FROM event") == common + "1000|0|4294967294|" + row)
    }
}

private let table = """
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
