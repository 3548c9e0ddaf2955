"""A practice that has grown for some years, in folders of its own, for the benchmarks."""

import base64
import datetime
import json
import os
import pathlib
import pwd
import socket
import sqlite3
import struct
import subprocess
import threading

from home import Missing, ask, bound, call, listen

WORDS = [one + two for one in (
    "garden", "mourning", "harbour", "letter", "evening", "photograph", "river", "friend", "silence", "winter", "journey",
    "kitchen", "window", "memory", "candle", "forest", "island", "morning", "neighbour", "orchard") for two in (
    "", "s", "ly", "ing", "ed", "er", "less", "ful", "ness", "ward")]
FAMILIES = ["Muñoz", "Ångström", "Vidal", "Smith", "Okafor", "Nguyễn", "García", "Weiß", "Šimić", "Brown"]

# Each client (p41 and so on) comes weekly from a day of their own on; half of the records are closed, and some of them opened again.
# A tenth of the sessions is voided. Letters and messages: some of each client's, most of them answered.
NUMBERS = "WITH RECURSIVE number(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < {})"
DAY_OF_CLIENT = "(c.person * 7919 % max(1, :gone))"
TEN_YEARS = [
    NUMBERS.format(":clients") + """
    INSERT INTO person (id, role, name, sort_key, folded, active, since, revision)
    SELECT n + 41, 'client', 'Client ' || n, 'client ' || n, 'client ' || n, 1, '2016-01-01', 1 FROM number""",
    NUMBERS.format(":clients") + """
    INSERT INTO client (person, number, thanatologist, open, episode, extra, time_zone, sort_key, turns, sessions)
    SELECT n + 41, n + 1, n % 40 + 1, 1, 1, '{}', 'UTC', 'client ' || n, 3, :each FROM number""",
    f"""
    INSERT INTO turn SELECT c.person, 1, 0, k.day, 'opened', NULL, 0, c.thanatologist, 1, ''
    FROM client c JOIN calendar k ON k.n = {DAY_OF_CLIENT}""",
    f"""
    INSERT INTO turn SELECT c.person, 2, 0, k.day, 'closed', NULL, 0, c.thanatologist, 1, 'All is said.'
    FROM client c JOIN calendar k ON k.n = {DAY_OF_CLIENT} + :each * 5 WHERE c.person % 2 = 0""",
    f"""
    INSERT INTO turn SELECT c.person, 3, 0, k.day, 'reopened', CASE c.person % 3 WHEN 0 THEN 'mistake' ELSE 'return' END, 0,
    c.thanatologist, 1, 'Came back.' FROM client c JOIN calendar k ON k.n = {DAY_OF_CLIENT} + :each * 6 WHERE c.person % 4 = 0""",
    NUMBERS.format(":each") + f"""
    INSERT INTO session (client, number, thanatologist, episode, on_day, week, month, year, minutes, service, fee, currency, notes,
    recorded, by_person)
    SELECT c.person, number.n + 1, c.thanatologist, 1, k.day, k.week, k.month, k.year, 50, c.person * 3 % 12 + 1,
    CASE (c.person + number.n) % 10 WHEN 0 THEN NULL WHEN 1 THEN 0 ELSE 3000 + c.person % 40 * 100 END,
    CASE WHEN k.n < 500 THEN 'USD' ELSE 'EUR' END,
    'What was said in this session, in a few sentences, of which there are some more in others.', 0, c.thanatologist
    FROM client c CROSS JOIN number JOIN calendar k ON k.n = min({DAY_OF_CLIENT} + number.n * 7, :last) ORDER BY k.n, c.person""",
    "INSERT INTO session_term SELECT id, id * 7 % 40 + 1, client FROM session",
    "INSERT INTO session_term SELECT id, id * 11 % 30 + 41, client FROM session",
    "INSERT INTO void SELECT id, client, 0, thanatologist, 'Twice.' FROM session WHERE id % 10 = 0",
    *(f"""
    INSERT INTO tally SELECT s.{period}, s.thanatologist, '{kind}', {key}, '', count(*), 0 FROM session s {terms}
    WHERE s.id % 10 <> 0 GROUP BY 1, 2, 4""" for period in ("week", "month") for kind, key, terms in (
        ("client", "s.client", ""), ("service", "s.service", ""), ("term", "t.term", "JOIN session_term t ON t.session = s.id"))),
    *(f"""
    INSERT INTO tally SELECT s.{period}, s.thanatologist,
    CASE WHEN s.fee IS NULL THEN 'nothing' WHEN s.fee = 0 THEN 'none' ELSE 'given' END, 0, CASE WHEN s.fee > 0 THEN s.currency
    ELSE '' END, count(*), sum(coalesce(s.fee, 0)) FROM session s WHERE s.id % 10 <> 0 GROUP BY 1, 2, 3, 5"""
      for period in ("week", "month")),
    # Two letters of each client with their answers, and a talk of ten messages.
    NUMBERS.format("4") + """
    INSERT INTO letter (thread, from_person, subject, body, preview, names, urgent, at, sent, revision)
    SELECT c.person * 5 + n / 2, CASE n % 2 WHEN 0 THEN c.person ELSE c.thanatologist END, 'At ten?', 'Dear you', '', '', 0,
    :epoch + (c.person * 7919 % 3600 + n / 2) * 86400000000 + n % 2 * c.person % 97 * 1800000000, 0, 1
    FROM client c CROSS JOIN number WHERE n % 2 = 0 OR c.person % 50 > 0 ORDER BY 8""",
    """
    INSERT INTO letter_to SELECT l.id, 0, coalesce(c.thanatologist, (SELECT max(f.from_person) FROM letter f
    WHERE f.thread = l.thread)) FROM letter l LEFT JOIN client c ON c.person = l.from_person""",
    "UPDATE letter SET sent = 1",
    "INSERT INTO room SELECT person, 'direct', '', '', person || ' ' || thanatologist, person, 0, 0 FROM client",
    "INSERT INTO member SELECT person, person, 0, NULL, 0, 0 FROM client",
    "INSERT INTO member SELECT person, thanatologist, 0, NULL, 0, 0 FROM client",
    NUMBERS.format("10") + """
    INSERT INTO chat (room, kind, at, person, text)
    SELECT c.person, 'message', :epoch + (c.person * 7907 % 3640 + n / 2) * 86400000000 + n % 2 * (c.person % 89) * 600000000,
    CASE n % 2 WHEN 0 THEN c.person ELSE c.thanatologist END, 'At ten?' FROM client c CROSS JOIN number ORDER BY 3, n""",
    "INSERT INTO counter SELECT 'chat', max(number) FROM chat",
]


def programme(lessons, number):
    """The folder of a programme with so many lessons of 8 KB, and a survey each week."""
    head = f'id = "long"\nname = "Long {number}"\n'
    tables = "".join(f'[[lesson]]\nfile = "lesson-{lesson}.md"\nafter_days = {lesson}\n' for lesson in range(lessons))
    survey = '[[survey]]\nfile = "week.json"\nevery_days = 7\ntimes = 3\nopen_days = 3\n'
    text = "# A lesson\n\n" + "A sentence of a lesson, and another one.\n" * 200
    question = {"linkId": "sleep", "type": "boolean", "text": "Did you sleep?", "required": True}
    week = {"resourceType": "Questionnaire", "title": "Week", "status": "active", "item": [question]}
    return ([{"path": "programme.toml", "text": head + tables + survey}, {"path": "week.json", "text": json.dumps(week)}]
            + [{"path": f"lesson-{lesson}.md", "text": text} for lesson in range(lessons)])


def public_key(key):
    """The line of a public key of these 32 bytes."""
    blob = b"".join(struct.pack(">I", len(part)) + part for part in (b"ssh-ed25519", key))
    return "ssh-ed25519 " + base64.b64encode(blob).decode()


class Clinic:
    """Its folders, and practiced in them. In a `with` statement, the daemon ends with it."""

    def __init__(self, folder, programs, storage=""):
        """storage: lines of `[storage]`, for a practice on a server."""
        self.path, self.programs, self.daemon = pathlib.Path(folder), pathlib.Path(programs), None
        # Words before the daemon, if it runs under another program.
        self.before = []
        for part in ("state", "run"):
            (self.path / part).mkdir(parents=True, exist_ok=True)
        # Another account reaches the socket.
        for part in (self.path, self.path / "run"):
            part.chmod(0o755)
        self.settings = self.path / "practice.toml"
        self.settings.write_text(f'[practice]\nname = "Clinic at the Park"\ntime_zone = "UTC"\n{storage}')
        self.socket = str(self.path / "run/control")
        self.environment = {"STATE_DIRECTORY": str(self.path / "state"), "RUNTIME_DIRECTORY": str(self.path / "run")}
        # The account of the thanatologist who asks: root itself is always an administrator.
        self.user = pwd.getpwnam("daemon") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.daemon:
            self.daemon.kill()
            self.daemon.wait()

    def start(self, *options):
        path = str(self.path / "notify")
        pathlib.Path(path).unlink(missing_ok=True)
        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        manager.bind(path)
        manager.settimeout(120)
        self.daemon = subprocess.Popen(
            [*self.before, self.programs / "practiced", "--config", self.settings, *options], env=self.environment | {"NOTIFY_SOCKET": path},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with bound("practiced's READY"):
            while b"READY=1" not in manager.recv(65_536):
                pass
        threading.Thread(target=listen, args=[manager], daemon=True).start()

    def start_played(self, *names):
        """Starts practiced with these thanatologists, p1 and so on, whom any connection can play."""
        self.start()
        with self.connect() as root:
            for name in names:
                ask(root, call("Practice.AddStaff", name=name, role="thanatologist"))
        self.daemon.terminate()
        self.daemon.wait()
        with sqlite3.connect(self.path / "state/practice.db") as kept:
            kept.execute("INSERT INTO fact (name, value) VALUES ('made_up', '1')")
        kept.close()
        self.start("--demo")

    def open_gate(self):
        """Lets the thanatologist's account ask for keys, as sshd does. Before the start."""
        with self.settings.open("a") as settings:
            settings.write(f'[gate]\nkeys_account = "{self.user.pw_name}"\n')

    def give_host_key(self):
        """The key that invitations name. Before the start."""
        host = self.path / "host.pub"
        host.write_text(public_key(os.urandom(32)))
        with self.settings.open("a") as settings:
            settings.write(f'[gate]\nhost_key = "{host}"\n')

    def give_keys(self, count):
        """Clients of p1, p2 and so on, each with a key: the keys' lines."""
        lines = []
        with self.play("p1") as ana:
            clients = [ask(ana, call("Records.AddClient", name=f"Client {number}"))["parameters"]["client"]["id"]
                       for number in range(count)]
        for client in clients:
            lines.append(public_key(os.urandom(32)))
            with self.play(client) as daemon:
                reply = ask(daemon, call("Practice.AddKey", publicKey=lines[-1]))
                if "error" in reply:
                    raise Missing(f"Practice.AddKey was refused: {reply}")
        return lines

    def play(self, who):
        """A connection of that person's."""
        daemon = self.connect()
        ask(daemon, call("Upkeep.PlayAs", who=who))
        return daemon

    def listen(self, who):
        """A connection of that person's, which listens to their rooms and has heard that they are online."""
        daemon = self.play(who)
        daemon.sendall(call("Chat.Listen")[:-1].encode() + b',"more":true}\0')
        ask(daemon, None)
        return daemon

    def write(self, letters, writers=16):
        """So many letters from p1 to p2, each of some sentences. Every hundredth has the word "lighthouse"."""
        faults = []

        def send(writer):
            with self.play("p1") as daemon:
                for number in range(writer, letters, writers):
                    rare = " lighthouse" if number % 100 == 0 else ""
                    body = f"Dear Ben, this is letter {number}{rare}. " + " ".join(
                        WORDS[(number * 7 + place * 13) % len(WORDS)] for place in range(60))
                    try:
                        ask(daemon, call("Mail.Send", to=["p2"], subject=f"Letter {number}", body=body))
                    except Missing as fault:
                        faults.append(fault)
                        return
        threads = [threading.Thread(target=send, args=[writer]) for writer in range(writers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if faults:
            raise faults[0]

    def connect(self, user=None):
        """A connection of that user: the kernel tells the effective one (man 7 unix, SO_PEERCRED)."""
        # Without a timeout until it is connected: it waits while the daemon has many to accept (man 2 connect, EAGAIN).
        daemon = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        if user is not None and user != os.geteuid():
            os.seteuid(user)
            try:
                daemon.connect(self.socket)
            finally:
                os.seteuid(0)
        else:
            daemon.connect(self.socket)
        daemon.settimeout(120)
        return daemon

    def grow(self, clients, sessions):
        """Twenty thanatologists; their clients, each with so many sessions. The first thanatologist has the account."""
        with self.connect() as root:
            def done(method, **parameters):
                reply = ask(root, call(method, **parameters))
                if b'"error"' in reply:
                    raise Missing(f"{method} was refused: {reply[:300]}")
                return reply
            for number in range(20):
                done("Practice.AddStaff", name=f"Thanatologist {number}", role="thanatologist")
            done("Practice.AddService", category="Grief", name="Talk", description="An hour.")
            done("Practice.AddTerm", vocabulary="motives", word="Loss")
            done("Practice.AddTerm", vocabulary="tools", word="Letter")
            rows = [{"line": number + 2, "values": {
                "name": f"{FAMILIES[number % 10]}, client {number}", "email": f"client{number}@example.org",
                "thanatologist": f"Thanatologist {number % 20}", "since": "2020-01-01", "motive": "A loss.",
            }} for number in range(clients)]
            done("Upkeep.Import", kind="clients", rows=rows)
            notes = "What was said in this session, in a few sentences. " * 15
            rows = [{"line": number + 2, "values": {
                "client": str(number % clients + 1), "on": f"20{20 + number // clients // 12:02}-{number // clients % 12 + 1:02}-05",
                "minutes": "50", "service": "Talk", "motives": "Loss", "tools": "Letter", "fee": "4500", "notes": notes,
            }} for number in range(clients * sessions)]
            for begin in range(0, len(rows), 20_000):
                done("Upkeep.Import", kind="sessions", rows=rows[begin:begin + 20_000])
            done("Practice.EditStaff", person="p1", revision=1, account=self.user.pw_name)

    def live_ten_years(self, clients, sessions):
        """Forty thanatologists, and the sessions, letters and messages of ten years until today, written as rows, with their tallies."""
        with self.connect() as root:
            for number in range(40):
                ask(root, call("Practice.AddStaff", name=f"Thanatologist {number:02}", role="thanatologist"))
            for number in range(12):
                ask(root, call("Practice.AddService", category="Grief", name=f"Service {number}", description=""))
            for number in range(70):
                vocabulary = "motives" if number < 40 else "tools"
                ask(root, call("Practice.AddTerm", vocabulary=vocabulary, word=f"Word {number:02}"))
        self.daemon.terminate()
        self.daemon.wait()
        with sqlite3.connect(self.path / "state/practice.db") as kept:
            kept.executescript("PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA temp_store = MEMORY")
            kept.execute("CREATE TEMP TABLE calendar (n INTEGER PRIMARY KEY, day TEXT, week TEXT, month TEXT, year TEXT)")
            first, days = datetime.date.today() - datetime.timedelta(3_650), 3_651
            for number in range(days):
                day = first + datetime.timedelta(number)
                year, week, _ = day.isocalendar()
                kept.execute("INSERT INTO calendar VALUES (?, ?, ?, ?, ?)", (
                    number, day.isoformat(), f"{year}-W{week:02}", f"{day:%Y-%m}", f"{day:%Y}"))
            each = sessions // clients
            rows = dict(clients=clients, each=each, last=days - 1, gone=days - each * 7)
            epoch = int(datetime.datetime.combine(first, datetime.time(9)).timestamp()) * 1_000_000
            for statement in TEN_YEARS:
                kept.execute(statement, {name: value for name, value in (rows | {"epoch": epoch}).items()
                                         if ":" + name in statement})
            kept.commit()
        kept.close()
        self.start()

    def give_homework(self, clients):
        """Thirty tasks for each client of the first thanatologist, seven of them late; all of them share what they complete."""
        today = datetime.date.today()
        tasks = [[5, "calm,tired", (today + datetime.timedelta(number - 25)).isoformat()] for number in range(30)]
        with self.connect(self.user.pw_uid) as daemon:
            for number in range(clients // 20):
                reply = ask(daemon, call("Care.Assign", client=f"p{21 + number * 20}", schedule=json.dumps(tasks)))
                if b'"error"' in reply:
                    raise Missing(f"Care.Assign was refused: {reply[:300]}")
        self.daemon.terminate()
        self.daemon.wait()
        with sqlite3.connect(self.path / "state/practice.db") as kept:
            kept.execute("INSERT INTO share (client, what, since) SELECT person, 'completed', 0 FROM client")
        kept.close()
        self.start()

    def enrol(self, many):
        """So many clients of p1, from p2 on, each with an enrolment and three surveys, of which one is due."""
        self.daemon.terminate()
        self.daemon.wait()
        today = datetime.date.today()
        midnight = int(datetime.datetime.combine(today, datetime.time(), datetime.timezone.utc).timestamp()) * 1_000_000
        day = 86_400_000_000
        with sqlite3.connect(self.path / "state/practice.db") as kept:
            clients = range(2, 2 + many)
            kept.executemany(
                "INSERT INTO person (id, role, name, sort_key, folded, active, since, revision)"
                " VALUES (?, 'client', ?, ?, ?, 1, '2027-01-01', 1)",
                ((number, f"Client {number}", f"client {number}", f"client {number}") for number in clients))
            kept.executemany(
                "INSERT INTO client (person, number, thanatologist, open, episode, extra, time_zone, sort_key, turns, sessions)"
                " VALUES (?, ?, 1, 1, 1, '{}', 'UTC', ?, 0, 0)",
                ((number, number, f"client {number}") for number in clients))
            kept.executemany(
                "INSERT INTO enrolment (id, client, programme, revision, on_day, at, by_person) VALUES (?, ?, 'long', 1, ?, 0, 1)",
                ((number, number, today.isoformat()) for number in clients))
            rows = [(number * 3 + week, number, week) for number in clients for week in range(3)]
            kept.executemany(
                "INSERT INTO survey (id, client, enrolment, survey, occurrence, opens_on, closes_on)"
                " VALUES (?, ?, ?, 'week', ?, ?, ?)",
                ((survey, number, number, week + 1, (today + datetime.timedelta(7 * week)).isoformat(),
                  (today + datetime.timedelta(7 * week + 3)).isoformat()) for survey, number, week in rows))
            kept.executemany(
                "INSERT INTO survey_pending (survey, client, opens, closes, told) VALUES (?, ?, ?, ?, 1)",
                ((survey, number, midnight + 7 * week * day, midnight + (7 * week + 3) * day) for survey, number, week in rows))
        kept.close()
        self.start("--demo")

    def status(self, key):
        for line in open(f"/proc/{self.daemon.pid}/status"):
            if line.startswith(key + ":"):
                return int(line.split()[1])
        raise Missing(f"{key} of practiced")

    def wakeups(self):
        """Voluntary context switches of all its threads."""
        count = 0
        for task in os.listdir(f"/proc/{self.daemon.pid}/task"):
            for line in open(f"/proc/{self.daemon.pid}/task/{task}/status"):
                if line.startswith("voluntary_ctxt_switches:"):
                    count += int(line.split()[1])
        return count
