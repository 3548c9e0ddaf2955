import Storage

/// The tables, by version. A released step is never changed: a later one is added.
///
/// Days are texts (`2027-03-05`), instants are microseconds since 1970, money is in the currency's smallest unit. A word in
/// braces, `{…}`, differs between the engines.
enum Tables {
    static let applicationID = 0x5052_4143  // "PRAC"

    static let steps = [
        first, keys, care, mail + tasks + chat, programmes, reports, guardOfErasing, lettersAbout,
        answersInOrder + callKeysInOrder, guardOfErasing,
    ]
    /// The version from which on sessions are tallied.
    static let withTallies = 6
    /// The version from which on there are letters, and that from which on those of the practice itself say whom they are about.
    static let withLetters = 4
    static let withLettersAbout = 8
    /// The version from which on drafts are found by their words, and an erasure takes out the names that rooms had.
    static let withDraftsIndexed = 10

    /// The definitions in a database of that version.
    static func definitions(of version: Int) throws -> [String] {
        version == steps.count ? try newest.get() : try made(version)
    }

    /// They are compared at each opening.
    private static let newest = Result { try made(steps.count) }

    private static func made(_ version: Int) throws -> [String] {
        let database = try SQLiteDatabase(":memory:")
        for step in steps.prefix(version) { try database.execute(Dialect.sqlite.sql(step)) }
        for change in guards(after: 0, upTo: version) { try database.execute(Dialect.sqlite.sql(change)) }
        return try database.definitions()
    }

    /// The tables whose rows are added and never changed, because they record events. Each has its unique
    /// sets of columns.
    private static let appendOnly: KeyValuePairs = [
        "turn": ["client, number"], "session": ["client, number"], "session_term": ["session, term"],
        "addendum": ["session, number"], "void": ["session"], "audit": ["id"], "disposal": ["id"],
    ]
    private static let appendOnlyCare: KeyValuePairs = [
        "schedule": ["client, revision"], "happening": ["client, device, sequence", "client, name"],
        "talking_point": ["id"], "feedback": ["id"],
    ]
    private static let appendOnlyProgrammes: KeyValuePairs = [
        "programme_version": ["programme, revision"], "lesson": ["programme, revision, position"],
        "questionnaire": ["programme, revision, position"], "programme_task": ["programme, revision, position"],
        "enrolment": ["id"], "enrolment_end": ["enrolment"], "enrolment_task": ["enrolment, task"],
        "lesson_read": ["enrolment, lesson"], "survey": ["id", "enrolment, survey, occurrence"],
        "survey_answer": ["survey"], "survey_missed": ["survey"],
    ]
    /// The tables whose rows stay after the erasing of a client.
    private static let staying = [
        "audit", "disposal", "programme_version", "lesson", "questionnaire", "programme_task",
    ]

    /// The tables whose rows are never changed, and removed only when a client is erased.
    static let onlyAddedTo =
        [appendOnly, appendOnlyCare, appendOnlyProgrammes].flatMap { $0.map(\.key) } + ["chat"]

    /// The statements that remove the rows of an erased client, `$1`, from these tables.
    ///
    /// First the deletions in chat, which are known by the messages.
    static let erasures: [String] = {
        let rooms = "SELECT room FROM member WHERE person = $1"
        let sessions = "SELECT id FROM session WHERE client = $1"
        return [
            """
            DELETE FROM chat WHERE room IN (SELECT m.room FROM member m JOIN room r ON r.id = m.room
            WHERE m.person = $1 AND r.kind = 'direct')
            """,
            """
            DELETE FROM chat WHERE room IN (\(rooms)) AND message IN
            (SELECT c.number FROM chat c WHERE c.room IN (\(rooms)) AND c.person = $1 AND c.kind = 'message')
            """, "DELETE FROM chat WHERE room IN (\(rooms)) AND (person = $1 OR kind = 'renamed')",
            "DELETE FROM session_term WHERE session IN (\(sessions))",
            "DELETE FROM addendum WHERE session IN (\(sessions))",
        ]
            + [
                "survey_answer", "survey_missed", "survey", "lesson_read", "enrolment_task", "enrolment_end",
                "enrolment", "schedule", "happening", "talking_point", "feedback", "void", "session", "turn",
            ].map { "DELETE FROM \($0) WHERE client = $1" }
    }()

    /// The triggers that refuse changes of these tables, for the steps between two versions. Erasing a client may remove
    /// their rows, but not those of the audit and the disposals. An erasure needs a disposal first.
    static func guards(after version: Int, upTo last: Int) -> [RefusedChange] {
        let disposal = RefusedChange(
            "erasing_has_a_disposal", .insert, "erasing",
            if: "NOT EXISTS (SELECT 1 FROM disposal WHERE client = NEW.client AND kind = 'erased')",
            "no client is erased without a disposal")
        let ofFirst = appendOnly.flatMap { guards(of: $0, unique: $1) } + [disposal]
        let steps: [(Int, [RefusedChange])] = [
            (1, ofFirst), (3, appendOnlyCare.flatMap { guards(of: $0, unique: $1) }),
            (withLetters, letterGuards + chatGuards),
            (5, appendOnlyProgrammes.flatMap { guards(of: $0, unique: $1) }), (7, [ofErasing]),
            (withLettersAbout, letterGuardsAnew), (withDraftsIndexed, [chatGuardAnew]),
        ]
        return steps.flatMap { step, changes in version < step && (step == 1 || step <= last) ? changes : [] }
    }

    /// The client of an erasure has a disposal; another one need not have any.
    private static let ofErasing = RefusedChange(
        "erasing_is_not_updated", .update, "erasing", "an erasure stays that of the client for whom it began")

    /// A letter that was sent is never changed, nor are its recipients. Only the erasing of a client takes out their letters.
    private static var letterGuards: [RefusedChange] {
        let erased = """
            EXISTS (SELECT 1 FROM erasing WHERE client = OLD.from_person
            OR client IN (SELECT person FROM letter_to WHERE letter = OLD.id))
            """
        func isSent(_ letter: String) -> String { "EXISTS (SELECT 1 FROM letter WHERE id = \(letter) AND sent = 1)" }
        return [
            RefusedChange(
                "letter_is_not_replaced", .replace, "letter", if: "EXISTS (SELECT 1 FROM letter WHERE id = NEW.id)",
                "a letter is never replaced"),
            RefusedChange(
                "letter_is_not_updated", .update, "letter", if: "OLD.sent = 1 AND NOT \(erased)",
                "a letter that was sent is never changed"),
            RefusedChange(
                "letter_is_not_deleted", .delete, "letter", if: "OLD.sent = 1 AND NOT \(erased)",
                "a letter that was sent is never removed"),
            RefusedChange(
                "letter_to_is_not_added", .insert, "letter_to", if: isSent("NEW.letter"),
                "a letter that was sent has its recipients"),
            RefusedChange(
                "letter_to_is_not_updated", .update, "letter_to", "the recipients of a letter are never changed"),
            RefusedChange(
                "letter_to_is_not_deleted", .delete, "letter_to",
                if: """
                    \(isSent("OLD.letter")) AND NOT EXISTS (SELECT 1 FROM erasing WHERE client = OLD.person
                    OR client = (SELECT from_person FROM letter WHERE id = OLD.letter))
                    """, "a letter that was sent has its recipients"),
        ]
    }

    /// The erasing of a client also takes out the letters about them, and changes those of their conversations.
    static let letterGuardsAnew: [RefusedChange] = {
        let condition = """
            OLD.sent = 1 AND NOT EXISTS (SELECT 1 FROM erasing e WHERE e.client = OLD.about
            OR EXISTS (SELECT 1 FROM letter o WHERE o.thread = OLD.thread AND (o.from_person = e.client OR o.about = e.client
            OR e.client IN (SELECT person FROM letter_to WHERE letter = o.id))))
            """
        return [
            RefusedChange(
                "letter_is_not_updated", .update, "letter", if: condition, "a letter that was sent is never changed",
                replaces: true),
            RefusedChange(
                "letter_is_not_deleted", .delete, "letter", if: condition, "a letter that was sent is never removed",
                replaces: true),
        ]
    }()

    /// A room's happenings never change. Only the erasing of a client takes out their messages, their deletions,
    /// and the rooms that they had with one other person.
    private static let chatGuards = [
        RefusedChange(
            "chat_is_not_replaced", .replace, "chat",
            if: """
                EXISTS (SELECT 1 FROM chat WHERE number = NEW.number)
                OR EXISTS (SELECT 1 FROM chat WHERE message = NEW.message)
                """, "what is in chat is never replaced"),
        RefusedChange("chat_is_not_updated", .update, "chat", "what is in chat is never changed"),
        RefusedChange(
            "chat_is_not_deleted", .delete, "chat",
            if: """
                NOT EXISTS (SELECT 1 FROM erasing e WHERE e.client = OLD.person
                OR e.client = (SELECT c.person FROM chat c WHERE c.number = OLD.message)
                OR EXISTS (SELECT 1 FROM member m JOIN room r ON r.id = m.room
                WHERE r.id = OLD.room AND r.kind = 'direct' AND m.person = e.client))
                """, "what is in chat is never removed"),
    ]

    /// The erasing of a client also takes out the names that their rooms had.
    private static let chatGuardAnew = RefusedChange(
        "chat_is_not_deleted", .delete, "chat",
        if: """
            NOT EXISTS (SELECT 1 FROM erasing e WHERE e.client = OLD.person
            OR e.client = (SELECT c.person FROM chat c WHERE c.number = OLD.message)
            OR EXISTS (SELECT 1 FROM member m JOIN room r ON r.id = m.room
            WHERE r.id = OLD.room AND (r.kind = 'direct' OR OLD.kind = 'renamed') AND m.person = e.client))
            """, "what is in chat is never removed", replaces: true)

    private static func guards(of table: String, unique sets: [String]) -> [RefusedChange] {
        let unlessErasing =
            staying.contains(table) ? nil : "NOT EXISTS (SELECT 1 FROM erasing WHERE client = OLD.client)"
        let same = sets.map { columns in
            let new = columns.split(separator: ", ").map { "NEW.\($0)" }.joined(separator: ", ")
            return "(\(columns)) = (\(new))"
        }
        // The text for one set is that of version 1: a database whose triggers have another text is refused.
        let others = same.dropFirst().map { " OR EXISTS (SELECT 1 FROM \(table) WHERE \($0))" }.joined()
        return [
            RefusedChange(
                "\(table)_is_not_replaced", .replace, table,
                if: "EXISTS (SELECT 1 FROM \(table) WHERE rowid = NEW.rowid OR \(same[0]))\(others)",
                "what is in \(table) is never replaced"),
            RefusedChange("\(table)_is_not_updated", .update, table, "what is in \(table) is never changed"),
            RefusedChange(
                "\(table)_is_not_deleted", .delete, table, if: unlessErasing, "what is in \(table) is never removed"),
        ]
    }

    private static let first = """
        -- Staff and clients. sort_key: sorts the names. folded: the name without case and accents, for searches.
        CREATE TABLE person (
            id {id}, role TEXT NOT NULL, name TEXT NOT NULL, sort_key TEXT NOT NULL, folded TEXT NOT NULL, account TEXT,
            email TEXT, phone TEXT, active INTEGER NOT NULL, since TEXT NOT NULL, revision BIGINT NOT NULL
        );
        CREATE INDEX person_by_name ON person (sort_key, id);
        CREATE INDEX staff_by_name ON person (sort_key, id) WHERE role <> 'client';
        -- A person who left keeps the name of their account, which another person may have afterwards.
        CREATE UNIQUE INDEX person_of_account ON person (account) WHERE active = 1;

        -- The fields that only clients have. number: never given again. sort_key: the person's. extra: the practice's own fields, a
        -- JSON object of texts. turns, sessions: their counts; the row's lock keeps the numbers without gaps.
        CREATE TABLE client (
            person BIGINT PRIMARY KEY REFERENCES person, number BIGINT NOT NULL UNIQUE, thanatologist BIGINT NOT NULL
            REFERENCES person, open INTEGER NOT NULL, closed_on TEXT, episode BIGINT NOT NULL, born TEXT, address TEXT,
            emergency_contact TEXT, referred_by TEXT, motive TEXT, extra TEXT NOT NULL, time_zone TEXT NOT NULL,
            sort_key TEXT NOT NULL, turns BIGINT NOT NULL, sessions BIGINT NOT NULL
        );
        CREATE INDEX client_of_thanatologist ON client (thanatologist, sort_key, person);
        CREATE INDEX client_of_thanatologist_by_state ON client (thanatologist, open, sort_key, person);
        CREATE INDEX client_by_name ON client (sort_key, person);
        CREATE INDEX client_by_state ON client (open, sort_key, person);

        -- on_day: the first day on which the turn holds. thanatologist, episode: the values after the turn.
        CREATE TABLE turn (
            client BIGINT NOT NULL, number BIGINT NOT NULL, at BIGINT NOT NULL, on_day TEXT NOT NULL, kind TEXT NOT NULL,
            cause TEXT, by_person BIGINT NOT NULL, thanatologist BIGINT NOT NULL, episode BIGINT NOT NULL,
            reason TEXT NOT NULL, PRIMARY KEY (client, number)
        );

        -- number: counted for each client from 1. week, month, year: the day's periods (2027-W09, 2027-03, 2027).
        CREATE TABLE session (
            id {id}, client BIGINT NOT NULL, number BIGINT NOT NULL, thanatologist BIGINT NOT NULL, episode BIGINT NOT NULL,
            on_day TEXT NOT NULL, week TEXT NOT NULL, month TEXT NOT NULL, year TEXT NOT NULL, minutes BIGINT NOT NULL,
            service BIGINT NOT NULL, fee BIGINT, currency TEXT NOT NULL, notes TEXT NOT NULL, recorded BIGINT NOT NULL,
            by_person BIGINT NOT NULL, UNIQUE (client, number)
        );
        CREATE INDEX session_of_client ON session (client, on_day);
        CREATE INDEX session_by_day ON session (on_day, thanatologist);
        CREATE INDEX session_of_thanatologist ON session (thanatologist, on_day);

        CREATE TABLE session_term (
            session BIGINT NOT NULL, term BIGINT NOT NULL, client BIGINT NOT NULL, PRIMARY KEY (session, term)
        );
        CREATE TABLE addendum (
            session BIGINT NOT NULL, number BIGINT NOT NULL, client BIGINT NOT NULL, at BIGINT NOT NULL,
            by_person BIGINT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (session, number)
        );
        CREATE TABLE void (
            session BIGINT PRIMARY KEY, client BIGINT NOT NULL, at BIGINT NOT NULL, by_person BIGINT NOT NULL,
            reason TEXT NOT NULL
        );
        CREATE INDEX void_of_client ON void (client);

        -- The services. category_key: sorts the categories.
        CREATE TABLE service (
            id {id}, category TEXT NOT NULL, category_key TEXT NOT NULL, name TEXT NOT NULL, sort_key TEXT NOT NULL,
            description TEXT NOT NULL, minutes BIGINT, fee BIGINT, link TEXT, offered INTEGER NOT NULL,
            revision BIGINT NOT NULL
        );
        CREATE INDEX service_by_name ON service (category_key, category, sort_key, id);
        CREATE TABLE picture (
            service BIGINT PRIMARY KEY REFERENCES service, type TEXT NOT NULL, bytes {bytes} NOT NULL
        );

        -- lowered: the word in small letters, which is unique in its vocabulary.
        CREATE TABLE term (
            id {id}, vocabulary TEXT NOT NULL, word TEXT NOT NULL, lowered TEXT NOT NULL, sort_key TEXT NOT NULL,
            offered INTEGER NOT NULL, UNIQUE (vocabulary, lowered)
        );

        -- Closed records that were exported or erased.
        CREATE TABLE disposal (
            id {id}, at BIGINT NOT NULL, by_person BIGINT NOT NULL, kind TEXT NOT NULL, client BIGINT NOT NULL,
            number BIGINT NOT NULL, reason TEXT NOT NULL
        );

        -- The audit of reading and changing. through: the caller's entrance.
        CREATE TABLE audit (
            id {id}, at BIGINT NOT NULL, person BIGINT, did TEXT NOT NULL, client BIGINT, what TEXT, through TEXT NOT NULL
        );
        CREATE INDEX audit_by_time ON audit (at, id);
        CREATE INDEX audit_of_client ON audit (client, at, id);
        CREATE INDEX audit_of_person ON audit (person, at, id);

        -- The calls with a key, and the object that each made.
        CREATE TABLE done_once (
            person BIGINT NOT NULL, key TEXT NOT NULL, method TEXT NOT NULL, made TEXT NOT NULL, at BIGINT NOT NULL,
            PRIMARY KEY (person, key)
        );
        CREATE INDEX done_once_by_time ON done_once (at);

        -- News for a person. number: counted for each person without gaps, in the order of the commits.
        CREATE TABLE news (
            person BIGINT NOT NULL, number BIGINT NOT NULL, at BIGINT NOT NULL, kind TEXT NOT NULL, what TEXT,
            PRIMARY KEY (person, number)
        );
        CREATE TABLE news_count (person BIGINT PRIMARY KEY, number BIGINT NOT NULL);

        -- The last given number of each kind.
        CREATE TABLE counter (name TEXT PRIMARY KEY, number BIGINT NOT NULL);
        -- Facts about the whole practice, such as the version of the sort keys.
        CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL);
        -- The clients whose closed records are being erased, within that one transaction.
        CREATE TABLE erasing (client BIGINT PRIMARY KEY);
        """

    private static let keys = """
        -- The SSH keys of people. key: in base64.
        CREATE TABLE ssh_key (
            fingerprint TEXT PRIMARY KEY, person BIGINT NOT NULL REFERENCES person, type TEXT NOT NULL,
            key TEXT NOT NULL UNIQUE, comment TEXT NOT NULL, added BIGINT NOT NULL, last_used BIGINT
        );
        CREATE INDEX ssh_key_of_person ON ssh_key (person);

        -- handle, secret: the two parts of the word. tries: wrong secrets so far.
        CREATE TABLE invitation (
            person BIGINT PRIMARY KEY REFERENCES person, handle TEXT NOT NULL UNIQUE, secret TEXT NOT NULL,
            expires BIGINT NOT NULL, tries BIGINT NOT NULL
        );
        """

    private static let care = """
        -- The schedules that were assigned. text: as tasks.json, each task with its id. revision: of that client's, from 1.
        CREATE TABLE schedule (
            client BIGINT NOT NULL, revision BIGINT NOT NULL, text TEXT NOT NULL, at BIGINT NOT NULL,
            by_person BIGINT NOT NULL, PRIMARY KEY (client, revision)
        );

        -- A client's devices. heard, heard_name: the last happening heard. revision: of the schedule that was taken in.
        CREATE TABLE device (
            client BIGINT NOT NULL, device TEXT NOT NULL, heard BIGINT NOT NULL, heard_name TEXT,
            last_heard BIGINT NOT NULL, revision BIGINT NOT NULL, PRIMARY KEY (client, device)
        );

        -- The happenings that clients' devices told. name: the id, made on the device. at, on_day: by the device's clock;
        -- received: by this machine's.
        CREATE TABLE happening (
            id {id}, client BIGINT NOT NULL, device TEXT NOT NULL, sequence BIGINT NOT NULL, name TEXT NOT NULL,
            at BIGINT NOT NULL, on_day TEXT NOT NULL, what TEXT NOT NULL, task TEXT, breaths BIGINT, mood TEXT, text TEXT,
            revision BIGINT, received BIGINT NOT NULL, UNIQUE (client, device, sequence), UNIQUE (client, name)
        );
        CREATE INDEX happening_in_order ON happening (client, at, id);
        CREATE INDEX happening_by_receipt ON happening (client, received);

        -- The subjects of which a client's devices may tell.
        CREATE TABLE share (
            client BIGINT NOT NULL, what TEXT NOT NULL, since BIGINT NOT NULL, PRIMARY KEY (client, what)
        );

        -- client: 0 for all of the thanatologist's. until: the end of the word.
        CREATE TABLE availability (
            thanatologist BIGINT NOT NULL, client BIGINT NOT NULL, available INTEGER NOT NULL, until BIGINT NOT NULL,
            link TEXT, PRIMARY KEY (thanatologist, client)
        );
        CREATE INDEX availability_of_client ON availability (client);

        CREATE TABLE talking_point (
            id {id}, client BIGINT NOT NULL, at BIGINT NOT NULL, by_person BIGINT NOT NULL, text TEXT NOT NULL
        );
        CREATE INDEX talking_point_of_client ON talking_point (client, at);

        -- client: NULL where it was said without a name.
        CREATE TABLE feedback (
            id {id}, at BIGINT NOT NULL, about BIGINT NOT NULL, client BIGINT, rating BIGINT, text TEXT NOT NULL
        );
        CREATE INDEX feedback_of_client ON feedback (client);
        """

    private static let mail = """
        -- A person's own folders. parent: 0 for none.
        CREATE TABLE folder (
            id {id}, person BIGINT NOT NULL REFERENCES person, name TEXT NOT NULL, sort_key TEXT NOT NULL,
            parent BIGINT NOT NULL, UNIQUE (person, parent, name)
        );

        -- number: of the newest thing in it; the row's lock keeps the numbers without gaps.
        CREATE TABLE mailbox (person BIGINT PRIMARY KEY, number BIGINT NOT NULL);

        -- What is written in a letter, or in a draft: sent is 1 from the sending on, and nothing of it changes any more.
        -- thread: the first letter of those that answer one another. from_person: NULL for the practice itself. names: of
        -- sender and recipients when it was sent, to be searched.
        CREATE TABLE letter (
            id {id}, thread BIGINT NOT NULL, reply_to BIGINT, from_person BIGINT, subject TEXT NOT NULL, body TEXT NOT NULL,
            preview TEXT NOT NULL, names TEXT NOT NULL, urgent INTEGER NOT NULL, at BIGINT NOT NULL, sent INTEGER NOT NULL,
            revision BIGINT NOT NULL
        );
        CREATE INDEX letter_in_thread ON letter (thread);
        CREATE INDEX letter_from ON letter (from_person);
        CREATE TABLE letter_to (
            letter BIGINT NOT NULL, position BIGINT NOT NULL, person BIGINT NOT NULL, PRIMARY KEY (letter, position)
        );
        CREATE INDEX letter_to_person ON letter_to (person, letter);

        -- Each person's own copy of a letter. number: of that mailbox; a draft that is saved anew takes a new one. folder: one of
        -- the four that everybody has, or the identifier of one of the person's own.
        CREATE TABLE copy (
            id {id}, person BIGINT NOT NULL, number BIGINT NOT NULL, folder TEXT NOT NULL, letter BIGINT NOT NULL,
            at BIGINT NOT NULL, is_read INTEGER NOT NULL, urgent INTEGER NOT NULL, UNIQUE (person, number)
        );
        CREATE INDEX copy_in_folder ON copy (person, folder, number);
        CREATE INDEX copy_unread ON copy (person, folder, number, urgent) WHERE is_read = 0;
        CREATE INDEX copy_urgent ON copy (person, folder, number) WHERE urgent = 1;
        CREATE INDEX copy_of_letter ON copy (letter, person);
        -- The words by which a copy is found, each once, in small letters and without accents. words: a part of them, each after
        -- a space, so short that all rows of a mailbox lie side by side.
        CREATE TABLE copy_words (
            person BIGINT NOT NULL, number BIGINT NOT NULL, part BIGINT NOT NULL, words TEXT NOT NULL,
            PRIMARY KEY (person, number, part)
        ) {rows in key's order};

        -- From the practice to many at once. starts, ends: when it is shown; one without an end has the greatest number.
        -- revision: rises with each edit.
        CREATE TABLE broadcast (
            id {id}, text TEXT NOT NULL, audience TEXT NOT NULL, starts BIGINT NOT NULL, ends BIGINT NOT NULL,
            dismissable INTEGER NOT NULL, level TEXT NOT NULL, revision BIGINT NOT NULL
        );
        CREATE INDEX broadcast_by_start ON broadcast (starts);
        CREATE INDEX broadcast_by_end ON broadcast (ends);
        -- revision: of the broadcast when that person dismissed it.
        CREATE TABLE dismissal (
            broadcast BIGINT NOT NULL, person BIGINT NOT NULL, revision BIGINT NOT NULL, PRIMARY KEY (broadcast, person)
        );
        CREATE INDEX dismissal_of_person ON dismissal (person);
        """

    /// The step to version 8. about: of a letter of the practice itself, the client with whose record it is erased.
    private static let lettersAbout = """
        ALTER TABLE letter ADD COLUMN about BIGINT;
        CREATE INDEX letter_about ON letter (about) WHERE about IS NOT NULL;
        """

    /// A part of the step to version 9. The row of a call's key has no hidden number, which would tell between which others it was
    /// written: that of feedback without a name would tell its hour.
    private static let callKeysInOrder = """
        DROP INDEX done_once_by_time;
        ALTER TABLE done_once RENAME TO done_once_in_time;
        CREATE TABLE done_once (
            person BIGINT NOT NULL, key TEXT NOT NULL, method TEXT NOT NULL, made TEXT NOT NULL, at BIGINT NOT NULL,
            PRIMARY KEY (person, key)
        ) {rows in key's order};
        INSERT INTO done_once (person, key, method, made, at)
        SELECT person, key, method, made, at FROM done_once_in_time ORDER BY person, key;
        DROP TABLE done_once_in_time;
        CREATE INDEX done_once_by_time ON done_once (at);
        """

    private static let tasks = """
        -- The tasks of each client's newest schedule, so that the late ones of many clients are counted by one query.
        CREATE TABLE assignment (
            client BIGINT NOT NULL, due TEXT NOT NULL, task TEXT NOT NULL, PRIMARY KEY (client, due, task)
        ) {rows in key's order};
        INSERT INTO assignment (client, due, task)
        SELECT s.client, e.value ->> 'due', e.value ->> 'id' FROM schedule s, {tasks of s.text} e
        WHERE s.revision = (SELECT max(n.revision) FROM schedule n WHERE n.client = s.client);
        CREATE INDEX happening_that_ends_a_task ON happening (client, task) WHERE what IN ('completed', 'missed');
        """

    /// An erasure ends within its transaction.
    private static let guardOfErasing = "DELETE FROM erasing"

    private static let chat = """
        -- The rooms to talk in. kind: direct, open, closed. pair: of a direct room, the numbers of its two people. name, folded:
        -- empty for a direct room. gone: 1 after it was deleted.
        CREATE TABLE room (
            id {id}, kind TEXT NOT NULL, name TEXT NOT NULL, folded TEXT NOT NULL, pair TEXT UNIQUE,
            by_person BIGINT NOT NULL, at BIGINT NOT NULL, gone INTEGER NOT NULL
        );
        CREATE INDEX room_to_join ON room (kind, gone);
        CREATE INDEX room_of_maker ON room (by_person, gone);

        -- Everything that came about in the rooms. number: counted over all of them, without gaps, in the order of the commits.
        -- text: of a message; of a room that was renamed, its name. message: the one that was deleted.
        CREATE TABLE chat (
            number {number}, room BIGINT NOT NULL, kind TEXT NOT NULL, at BIGINT NOT NULL, person BIGINT NOT NULL,
            text TEXT NOT NULL, message BIGINT
        );
        CREATE INDEX chat_in_room ON chat (room, number, kind, person);
        CREATE UNIQUE INDEX chat_deletion ON chat (message) WHERE message IS NOT NULL;

        -- The stays of people in rooms. since, until: the numbers of their joining and leaving; until is NULL while they stay.
        -- read_to: the number up to which they have read.
        CREATE TABLE member (
            room BIGINT NOT NULL, person BIGINT NOT NULL, since BIGINT NOT NULL, until BIGINT, read_to BIGINT NOT NULL,
            muted INTEGER NOT NULL, PRIMARY KEY (room, person, since)
        );
        CREATE UNIQUE INDEX member_now ON member (room, person) WHERE until IS NULL;
        CREATE INDEX member_of_person ON member (person, until);

        -- When people last listened to their rooms.
        CREATE TABLE seen (person BIGINT PRIMARY KEY, at BIGINT NOT NULL);
        """
}
