"""A practice of any size, made by a seed and written as rows into a database that practiced has made and left.

Each thanatologist has 125 clients; each client 20 sessions in five years, 100 letters and 100 messages with their thanatologist,
a schedule of 10 tasks, 10 happenings of a device, an enrolment with three surveys, and a zone out of 60. So people's own
share stays the same, and only the practice grows.
"""

import contextlib
import datetime
import json
import random
import sqlite3
import subprocess
import zoneinfo

OF_ONE, OPEN, SESSIONS, TASKS, HAPPENINGS = 125, 113, 20, 10, 10
ZONES = """
    Pacific/Honolulu America/Anchorage America/Los_Angeles America/Phoenix America/Denver America/Chicago America/Mexico_City
    America/Bogota America/Lima America/New_York America/Toronto America/Caracas America/Halifax America/Santiago
    America/St_Johns America/Sao_Paulo America/Argentina/Buenos_Aires America/Montevideo Atlantic/South_Georgia Atlantic/Azores
    Atlantic/Canary Atlantic/Reykjavik Europe/London Europe/Dublin Europe/Lisbon Africa/Lagos Africa/Casablanca Europe/Madrid
    Europe/Paris Europe/Berlin Europe/Rome Europe/Stockholm Europe/Warsaw Europe/Zagreb Europe/Athens Europe/Kyiv
    Europe/Bucharest Africa/Cairo Africa/Johannesburg Asia/Jerusalem Europe/Istanbul Africa/Nairobi Asia/Riyadh Asia/Tehran
    Asia/Dubai Asia/Kabul Asia/Karachi Asia/Kolkata Asia/Kathmandu Asia/Dhaka Asia/Bangkok Asia/Ho_Chi_Minh Asia/Shanghai
    Asia/Singapore Australia/Perth Asia/Tokyo Asia/Seoul Australia/Adelaide Australia/Sydney Pacific/Auckland""".split()
SYLLABLES = "ba ce di fo gu la me ni po ru sa te vi do ka le mo ra si tu".split()
TEXTS, WEEKS = 997, 260
DAY = 86_400_000_000
ANSWERS = json.dumps({"resourceType": "QuestionnaireResponse", "status": "completed",
                      "item": [{"linkId": "sleep", "answer": [{"valueBoolean": True}]}]})


class Size:
    """The numbers of a practice. Its staff are p1 and so on, the thanatologists first, then support and administrators."""

    def __init__(self, thanatologists, each=100):
        self.thanatologists, self.each = thanatologists, each
        self.clients, self.staff = thanatologists * OF_ONE, max(thanatologists * 5 // 4, thanatologists + 1)
        self.support = (self.staff - thanatologists) * 3 // 4
        self.sessions, self.letters = self.clients * SESSIONS, self.clients * each

    def __str__(self):
        return f"{self.clients:,} clients, {self.sessions:,} sessions, {self.letters:,} letters and messages"

    def client(self, number):
        """The identifier of a client of p1's whose record is open."""
        place = number % OPEN
        return f"p{self.staff + 1 + (place + place // 9) * self.thanatologists}"


def drawn(number, below, seed):
    """SQL: a number below that one, drawn by another one and the seed."""
    return f"((({number}) * 2654435761 + {seed % 1_000 * 40_503 + 12_345}) % 4294967296 / 1024 % {below})"


def quoted(value):
    return "NULL" if value is None else str(value) if isinstance(value, (int, float)) else "'" + value.replace("'", "''") + "'"


def table(name, columns, rows):
    """SQL: a temporary table with these rows."""
    yield f"CREATE TEMP TABLE {name} ({columns})"
    for begin in range(0, len(rows), 400):
        values = ", ".join("(" + ", ".join(map(quoted, row)) + ")" for row in rows[begin:begin + 400])
        yield f"INSERT INTO {name} VALUES {values}"


def texts(chance):
    """Letters as people write them: subject, body, preview, and the words by which they are found."""
    words = [one + two + three for one in SYLLABLES for two in SYLLABLES for three in ("", "n", "s")]
    for number in range(TEXTS):
        chosen = [chance.choice(words) for _ in range(chance.randrange(20, 50))]
        body = " ".join(chosen).capitalize() + "."
        yield number, " ".join(chosen[:3]), body, body[:100], " " + " ".join(sorted(set(chosen)))


def instants(days_from_now, today):
    """The beginning of a day in each zone, in microseconds."""
    day = datetime.datetime.combine(today + datetime.timedelta(days_from_now), datetime.time())
    return [int(day.replace(tzinfo=zoneinfo.ZoneInfo(zone)).timestamp()) * 1_000_000 for zone in ZONES]


def statements(size, seed, today):
    """The SQL that fills a practice, one statement after the other, for either engine."""
    chance = random.Random(seed)
    first = today - datetime.timedelta(WEEKS * 7)
    epoch = int(datetime.datetime.combine(first, datetime.time(), datetime.timezone.utc).timestamp()) * 1_000_000
    days = [first + datetime.timedelta(number) for number in range(WEEKS * 7 + 1)]
    yield from table("calendar", "n BIGINT PRIMARY KEY, day TEXT, week TEXT, month TEXT, year TEXT", [
        (number, f"{day}", f"{day.isocalendar()[0]}-W{day.isocalendar()[1]:02}", f"{day:%Y-%m}", f"{day:%Y}")
        for number, day in enumerate(days)])
    yield from table("wording", "n BIGINT PRIMARY KEY, subject TEXT, body TEXT, preview TEXT, words TEXT", list(texts(chance)))
    windows = [instants(number, today) for number in (-8, -5, -1, 2, 6, 9)]
    yield from table("zone", "n BIGINT PRIMARY KEY, name TEXT, " + ", ".join(f"day{place} BIGINT" for place in range(6)),
                     [(number, name, *(window[number] for window in windows)) for number, name in enumerate(ZONES)])
    names = sorted({one + two + three for one in SYLLABLES for two in SYLLABLES for three in ("rez", "son", "", "ić")})
    yield from table("family", "n BIGINT PRIMARY KEY, name TEXT, folded TEXT", [
        (number, name.capitalize(), name.replace("ć", "c")) for number, name in enumerate(names)])
    yield "CREATE TEMP TABLE number (n BIGINT PRIMARY KEY)"
    yield (f"INSERT INTO number WITH RECURSIVE all_of(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM all_of"
           f" WHERE n + 1 < {max(size.clients, size.each * OF_ONE)}) SELECT n FROM all_of")
    yield from people(size, seed, len(names))
    yield from records(size, seed, epoch)
    yield from letters(size, seed, epoch)
    yield from chat(size, seed, epoch)
    yield from care(size, seed, epoch, today)
    yield "INSERT INTO fact (name, value) VALUES ('made_up', '1')"


def people(size, seed, names):
    role = (f"CASE WHEN m.n < {size.thanatologists} THEN 'thanatologist' WHEN m.n < {size.thanatologists + size.support}"
            " THEN 'support' ELSE 'administrator' END")
    for count, begin, role in (size.staff, 1, role), (size.clients, size.staff + 1, "'client'"):
        yield f"""
            INSERT INTO person (id, role, name, sort_key, folded, email, active, since, revision)
            SELECT m.n + {begin}, {role}, f.name || ' ' || m.n, f.folded || ' ' || m.n || ' ' || f.name ||
            ' ' || m.n, f.folded || ' ' || m.n, 'p' || m.n || '@example.org', 1, '2021-01-01', 1
            FROM number m JOIN family f ON f.n = {drawn(f"m.n + {begin}", names, seed)} WHERE m.n < {count} ORDER BY m.n"""
    # place: among their thanatologist's clients.
    yield """
        CREATE TEMP TABLE who (c BIGINT PRIMARY KEY, person BIGINT, thanatologist BIGINT, place BIGINT, zone BIGINT,
        sort_key TEXT, folded TEXT, names TEXT)"""
    yield f"""
        INSERT INTO who SELECT m.n, m.n + {size.staff + 1}, m.n % {size.thanatologists} + 1, m.n / {size.thanatologists},
        {drawn("m.n", len(ZONES), seed)}, p.sort_key, p.folded || ' ' || t.folded, p.name || '\n' || t.name
        FROM number m JOIN person p ON p.id = m.n + {size.staff + 1} JOIN person t ON t.id = m.n % {size.thanatologists} + 1
        WHERE m.n < {size.clients} ORDER BY m.n"""


def records(size, seed, epoch):
    """A tenth of the records is closed, a hundredth of the sessions voided."""
    day = f"({{number}} * {WEEKS * 7} + {drawn('w.c', WEEKS * 7, seed)}) / {SESSIONS}"
    yield f"""
        INSERT INTO client (person, number, thanatologist, open, closed_on, episode, motive, extra, time_zone, sort_key, turns,
        sessions) SELECT w.person, w.c + 1, w.thanatologist, CASE WHEN w.place % 10 = 9 THEN 0 ELSE 1 END,
        CASE WHEN w.place % 10 = 9 THEN k.day END, 1, 'A loss.', '{{}}', z.name, w.sort_key,
        CASE WHEN w.place % 10 = 9 THEN 2 ELSE 1 END, {SESSIONS}
        FROM who w JOIN zone z ON z.n = w.zone JOIN calendar k ON k.n = {WEEKS * 7} ORDER BY w.c"""
    for number, kind, which in (1, "opened", ""), (2, "closed", "WHERE w.place % 10 = 9"):
        yield f"""
            INSERT INTO turn SELECT w.person, {number}, {epoch}, k.day, '{kind}', NULL, w.thanatologist, w.thanatologist, 1,
            'All is said.' FROM who w JOIN calendar k ON k.n = {0 if number == 1 else WEEKS * 7} {which} ORDER BY w.c"""
    yield """
        INSERT INTO service (id, category, category_key, name, sort_key, description, offered, revision)
        SELECT n + 1, 'Grief', 'grief', 'Service ' || n, 'service ' || n, 'An hour.', 1, 1 FROM number WHERE n < 12"""
    yield """
        INSERT INTO term (id, vocabulary, word, lowered, sort_key, offered) SELECT n + 1, CASE WHEN n < 40 THEN 'motives' ELSE
        'tools' END, 'Word ' || n, 'word ' || n, 'word ' || n, 1 FROM number WHERE n < 70"""
    for number in range(SESSIONS):
        yield f"""
            INSERT INTO session (id, client, number, thanatologist, episode, on_day, week, month, year, minutes, service, fee,
            currency, notes, recorded, by_person) SELECT {number * size.clients + 1} + w.c, w.person, {number + 1}, w.thanatologist,
            1, k.day, k.week, k.month, k.year, 50, w.c % 12 + 1, CASE (w.c + {number}) % 10 WHEN 0 THEN NULL WHEN 1 THEN 0 ELSE
            3000 + w.c % 40 * 100 END, 'EUR', t.body || ' ' || t.body, {epoch} + k.n * {DAY}, w.thanatologist
            FROM who w JOIN calendar k ON k.n = {day.format(number=number)}
            JOIN wording t ON t.n = {drawn(f"w.c + {number}", TEXTS, seed)} ORDER BY w.c"""
    for terms, begin in (40, 1), (30, 41):
        yield f"INSERT INTO session_term SELECT id, {drawn('id', terms, seed + begin)} + {begin}, client FROM session ORDER BY id"
    yield "INSERT INTO void SELECT id, client, recorded, thanatologist, 'Twice.' FROM session WHERE id % 100 = 0"
    for did in "AddSession", "GetClient":
        yield f"""
            INSERT INTO audit (at, person, did, client, what, through) SELECT recorded, thanatologist, '{did}', client, 's' || id,
            'socket' FROM session ORDER BY id"""
    columns = "period, thanatologist, kind, key, currency, sessions, amount"
    for period in "week", "month":
        for kind, key, terms in (("client", "s.client", ""), ("service", "s.service", ""),
                                 ("term", "t.term", "JOIN session_term t ON t.session = s.id")):
            yield f"""
                INSERT INTO tally ({columns}) SELECT s.{period}, s.thanatologist, '{kind}', {key}, '', count(*), 0
                FROM session s {terms} WHERE s.id % 100 <> 0 GROUP BY 1, 2, 4"""
        yield f"""
            INSERT INTO tally ({columns}) SELECT s.{period}, s.thanatologist, CASE WHEN s.fee IS NULL THEN 'nothing' WHEN s.fee = 0
            THEN 'none' ELSE 'given' END, 0, CASE WHEN s.fee > 0 THEN s.currency ELSE '' END, count(*), sum(coalesce(s.fee, 0))
            FROM session s WHERE s.id % 100 <> 0 GROUP BY 1, 2, 3, 5"""
    yield f"INSERT INTO counter (name, number) VALUES ('client', {size.clients})"


def letters(size, seed, epoch):
    """Client and thanatologist write in turns. The last two letters are unread, and a hundredth is urgent."""
    pace = WEEKS * 7 * DAY // size.each
    word = drawn("w.c * 31 + {number}", TEXTS, seed)
    for number in range(size.each):
        letter, at = f"{number * size.clients + 1} + w.c", f"{epoch + number * pace} + {drawn('w.c', pace // 1_000, seed)} * 1000"
        urgent, is_read = f"CASE WHEN (w.c + {number}) % 100 = 0 THEN 1 ELSE 0 END", int(number < size.each - 2)
        answered = f"{letter} - {size.clients}" if number % 2 else "NULL"
        boxes = ("w.person", number + 1), ("w.thanatologist", f"{number * OF_ONE + 1} + w.place")
        (sender, own), (reader, its) = boxes if number % 2 == 0 else boxes[::-1]
        yield f"""
            INSERT INTO letter (id, thread, reply_to, from_person, subject, body, preview, names, urgent, at, sent, revision)
            SELECT {letter}, {answered if number % 2 else letter}, {answered}, {sender}, t.subject, t.body, t.preview, w.names,
            {urgent}, {at}, 1, 1 FROM who w JOIN wording t ON t.n = {word.format(number=number)} ORDER BY w.c"""
        yield f"INSERT INTO letter_to (letter, position, person) SELECT {letter}, 0, {reader} FROM who w ORDER BY w.c"
        yield f"""
            INSERT INTO copy (id, person, number, folder, letter, at, is_read, urgent)
            SELECT 2 * ({letter}) - 1 + m.n, CASE m.n WHEN 0 THEN {sender} ELSE {reader} END, CASE m.n WHEN 0 THEN {own} ELSE {its} END,
            CASE m.n WHEN 0 THEN 'sent' ELSE 'inbox' END, {letter}, {at}, CASE m.n WHEN 0 THEN 1 ELSE {is_read} END, {urgent}
            FROM who w CROSS JOIN number m WHERE m.n < 2 ORDER BY w.c, m.n"""
    yield f"""
        INSERT INTO copy_words (person, number, part, words) SELECT w.person, m.n + 1, 0, t.words || ' ' || w.folded
        FROM who w CROSS JOIN number m JOIN wording t ON t.n = {word.format(number="m.n")} WHERE m.n < {size.each}
        ORDER BY 1, 2"""
    yield f"""
        INSERT INTO copy_words (person, number, part, words) SELECT s.n, m.n + 1, 0, t.words || ' ' || w.folded
        FROM (SELECT n + 1 AS n FROM number WHERE n < {size.thanatologists}) s CROSS JOIN number m
        JOIN who w ON w.c = m.n % {OF_ONE} * {size.thanatologists} + s.n - 1
        JOIN wording t ON t.n = {word.format(number=f"m.n / {OF_ONE}")} WHERE m.n < {size.each * OF_ONE} ORDER BY 1, 2"""
    yield f"INSERT INTO mailbox (person, number) SELECT person, {size.each} FROM who ORDER BY c"
    yield f"INSERT INTO mailbox (person, number) SELECT n + 1, {size.each * OF_ONE} FROM number WHERE n < {size.thanatologists}"
    yield f"""
        INSERT INTO news (person, number, at, kind, what) SELECT w.person, m.n + 1, {epoch + WEEKS * 7 * DAY}, 'mail', NULL
        FROM who w CROSS JOIN number m WHERE m.n < 10 ORDER BY w.c, m.n"""
    yield "INSERT INTO news_count (person, number) SELECT person, 10 FROM who ORDER BY c"


def chat(size, seed, epoch):
    """A room of each client and their thanatologist, in which the last two messages are unread."""
    pace, read = WEEKS * 7 * DAY // size.each, f"{(size.each - 3) * size.clients + 1} + w.c"
    yield f"""
        INSERT INTO room (id, kind, name, folded, pair, by_person, at, gone) SELECT w.c + 1, 'direct', '', '',
        w.thanatologist || ' ' || w.person, w.person, {epoch}, 0 FROM who w ORDER BY w.c"""
    yield f"""
        INSERT INTO member (room, person, since, until, read_to, muted) SELECT w.c + 1, CASE m.n WHEN 0 THEN w.person ELSE
        w.thanatologist END, 0, NULL, {read}, 0 FROM who w CROSS JOIN number m WHERE m.n < 2 ORDER BY w.c, m.n"""
    for number in range(size.each):
        yield f"""
            INSERT INTO chat (number, room, kind, at, person, text) SELECT {number * size.clients + 1} + w.c, w.c + 1, 'message',
            {epoch + number * pace} + {drawn('w.c', pace // 1_000, seed)} * 1000, w.{"thanatologist" if number % 2 else "person"},
            t.preview FROM who w JOIN wording t ON t.n = {drawn(f"w.c * 17 + {number}", TEXTS, seed)} ORDER BY w.c"""
    yield f"INSERT INTO counter (name, number) VALUES ('chat', {size.letters})"


def care(size, seed, epoch, today):
    due = [today + datetime.timedelta(number - TASKS // 2) for number in range(TASKS)]
    schedule = json.dumps([{"breaths": 5, "moods": ["calm", "tired"], "due": f"{day}", "id": f"t{number}"}
                           for number, day in enumerate(due)])
    now = epoch + WEEKS * 7 * DAY
    yield f"""
        INSERT INTO schedule (client, revision, text, at, by_person) SELECT person, 1, {quoted(schedule)}, {now}, thanatologist
        FROM who ORDER BY c"""
    yield from table("due", "n BIGINT PRIMARY KEY, day TEXT", [(number, f"{day}") for number, day in enumerate(due)])
    yield "INSERT INTO assignment (client, due, task) SELECT w.person, d.day, 't' || d.n FROM who w CROSS JOIN due d ORDER BY 1, 2"
    yield f"""
        INSERT INTO device (client, device, heard, heard_name, last_heard, revision) SELECT person, 'laptop', {HAPPENINGS},
        'e{HAPPENINGS}', {now}, 1 FROM who ORDER BY c"""
    for what in "completed", "moods":
        yield f"INSERT INTO share (client, what, since) SELECT person, '{what}', 0 FROM who ORDER BY c"
    for number in range(HAPPENINGS):
        what, mood = ("completed", "NULL") if number % 2 else ("moodLogged", "'calm'")
        yield f"""
            INSERT INTO happening (client, device, sequence, name, at, on_day, what, task, mood, revision, received)
            SELECT w.person, 'laptop', {number + 1}, 'e{number + 1}', {now - (HAPPENINGS - number) * DAY}, k.day, '{what}',
            't{number // 2}', {mood}, 1, {now - (HAPPENINGS - number) * DAY}
            FROM who w JOIN calendar k ON k.n = {WEEKS * 7 - HAPPENINGS + number} ORDER BY w.c"""
    yield f"""
        INSERT INTO enrolment (id, client, programme, revision, on_day, at, by_person)
        SELECT c + 1, person, 'long', 1, '{today - datetime.timedelta(8)}', {now}, thanatologist FROM who ORDER BY c"""
    for number in range(3):
        opens, closes = (today + datetime.timedelta(7 * number - 8 + more) for more in (0, 3))
        survey = f"{number * size.clients + 1} + w.c"
        yield f"""
            INSERT INTO survey (id, client, enrolment, survey, occurrence, opens_on, closes_on)
            SELECT {survey}, w.person, w.c + 1, 'week', {number + 1}, '{opens}', '{closes}' FROM who w ORDER BY w.c"""
        if number == 0:
            yield f"INSERT INTO survey_answer SELECT {survey}, w.person, {now}, NULL, {quoted(ANSWERS)} FROM who w ORDER BY w.c"
        else:
            yield f"""
                INSERT INTO survey_pending (survey, client, opens, closes, told) SELECT {survey}, w.person, z.day{2 * number},
                z.day{2 * number + 1}, {int(number == 1)} FROM who w JOIN zone z ON z.n = w.zone ORDER BY w.c"""


# Rows are written without indexes and guards, which are made again as practiced had made them.

def fill_file(path, size, seed, today):
    """Fills a file of SQLite."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as kept:
        for pragma in "journal_mode = OFF", "synchronous = OFF", "cache_size = -4000000", "temp_store = MEMORY", "threads = 2":
            kept.execute(f"PRAGMA {pragma}")
        kept.execute("BEGIN EXCLUSIVE")
        apart = kept.execute(
            "SELECT type, name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL").fetchall()
        for kind, name, _ in apart:
            kept.execute(f"DROP {kind} {name}")
        for statement in statements(size, seed, today):
            kept.execute(statement)
        for _, _, definition in apart:
            kept.execute(definition)
        kept.execute("COMMIT")


SERVER = """
CREATE TEMP TABLE apart AS SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS sql
FROM pg_index i JOIN pg_class k ON k.oid = i.indrelid WHERE k.relnamespace = current_schema()::regnamespace
AND k.relkind = 'r' AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid);
DO $$ DECLARE one record; BEGIN
FOR one IN SELECT * FROM apart LOOP EXECUTE 'DROP INDEX ' || one.name; END LOOP;
FOR one IN SELECT oid::regclass AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
LOOP EXECUTE 'ALTER TABLE ' || one.name || ' DISABLE TRIGGER USER'; END LOOP; END $$;
"""
SERVER_END = """
DO $$ DECLARE one record; BEGIN
FOR one IN SELECT * FROM apart LOOP EXECUTE one.sql; END LOOP;
FOR one IN SELECT oid::regclass AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
LOOP EXECUTE 'ALTER TABLE ' || one.name || ' ENABLE TRIGGER USER'; END LOOP;
FOR one IN SELECT attrelid::regclass AS name FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
WHERE relnamespace = current_schema()::regnamespace AND attidentity = 'd'
LOOP EXECUTE format('SELECT setval(pg_get_serial_sequence(%L, ''id''), (SELECT coalesce(max(id), 0) + 1 FROM %s), false)',
one.name, one.name); END LOOP; END $$;
"""


def fill_server(psql, size, seed, today):
    """Fills a database of PostgreSQL. psql: the command that reads SQL as the tables' owner."""
    script = "SET synchronous_commit = off; SET work_mem = '512MB'; SET maintenance_work_mem = '1GB'; SET client_min_messages = warning;"
    script += SERVER + ";\n".join(statements(size, seed, today)) + ";\n" + SERVER_END + "VACUUM (FREEZE, ANALYZE);\n"
    done = subprocess.run([*psql, "-v", "ON_ERROR_STOP=1", "-q"], input=script, capture_output=True, text=True)
    if done.returncode != 0:
        raise OSError(f"psql: {done.stderr[-1_000:]}")
