"""The rows of `run --practice`: what a practice of 100,000 clients does, beside a small one, on either engine."""

import base64
import concurrent.futures
import contextlib
import datetime
import math
import os
import pathlib
import pwd
import select
import sqlite3
import statistics
import time

import grown
from clinic import Clinic, programme
from home import Missing, ask, call, received
from server import DAEMON, OWNER, Server, possible

SEED = 20_270_305
ENGINES = "SQLite", "PostgreSQL"


def percentile(took):
    return sorted(took)[math.ceil(len(took) * 0.99) - 1]


class Practice:
    """A made practice on an engine, which is served while a `with` statement lasts. What was made in a folder before is kept."""

    def __init__(self, folder, programs, size, server=None, name="large"):
        self.size, self.server, self.name = size, server, name
        # One connection more than the ten thousand that are measured. They come as those through the gate do.
        account = pwd.getpwuid(os.geteuid()).pw_name
        storage = f'[limits]\nconnections = 10001\n[gate]\naccount = "{account}"\n' + ("" if server is None else
            f'[storage]\nurl = "{server.address(name, DAEMON)}"\nmigration_url = "{server.address(name, OWNER)}"\n')
        self.path, self.storage, self.programs = pathlib.Path(folder) / f"{name}-{'server' if server else 'file'}", storage, programs
        self.clinic = Clinic(self.path, programs, storage)
        # How long it took to make.
        made = self.path / "made"
        if not made.exists():
            began = time.perf_counter()
            self.fill()
            made.write_text(f"{time.perf_counter() - began:.0f}")
        self.seconds = int(made.read_text())

    def fill(self):
        if self.server:
            self.server.make(self.name)
        self.clinic.start()
        with self.clinic.connect() as root:
            ask(root, call("Programmes.ImportProgramme", files=programme(10, 1)))
        self.stop()
        today = datetime.datetime.now(datetime.timezone.utc).date()
        if self.server:
            self.server.stop()
            self.server.start(fsync="off", full_page_writes="off", max_wal_size="3GB", checkpoint_timeout="1h")
            grown.fill_server(self.server.psql(self.name, OWNER), self.size, SEED, today)
            self.server.stop()
            self.server.start()
        else:
            grown.fill_file(self.path / "state/practice.db", self.size, SEED, today)

    @property
    def bytes(self):
        return int(self.sql("SELECT pg_database_size(current_database())" if self.server else
                            "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"))

    def sql(self, text):
        """Carries out a statement, while the daemon is stopped or only reads; its first value."""
        if self.server:
            return self.server.sql(self.name, text, OWNER).partition("\n")[0]
        with contextlib.closing(sqlite3.connect(self.path / "state/practice.db", isolation_level=None)) as kept:
            return (kept.execute(text).fetchone() or [None])[0]

    def stop(self):
        if self.clinic.daemon:
            self.clinic.daemon.terminate()
            self.clinic.daemon.wait()
            self.clinic.daemon = None

    def __enter__(self):
        if not self.server:
            # Five minutes after its start practiced makes the night's copy, unless there is one.
            nights = self.path / "state/backups"
            nights.mkdir(mode=0o700, exist_ok=True)
            (nights / f"night-{datetime.datetime.now(datetime.timezone.utc).date()}.db").touch()
        if not self.clinic.daemon:
            self.clinic.start("--demo")
        return self

    def __exit__(self, *_):
        self.stop()


def calls(size):
    """The calls of people: name, caller, and the parameters from a number. No call makes a later one take longer."""
    own, administrator, first, started = size.client, f"p{size.staff}", f"p{size.staff + 1}", int(time.time())
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    picture = base64.b64encode(b"\xff\xd8\xff\xe0" + bytes(100_000)).decode()
    session = dict(on=today, minutes=50, service="v1", motives=["t1"], tools=["t41"], notes="Slept better. " * 60)

    def copy(number):
        """One of the client's own letters: of the last ones that they got."""
        return f"l{2 * ((size.each - 1 - number % (size.each // 2) * 2) * size.clients + 1)}"
    return [
        *((name, "p1", make) for name, make in (
            ("Practice.WhoAmI", lambda n: {}),
            ("Practice.ListServices", lambda n: {}),
            ("Practice.ListTerms", lambda n: dict(vocabulary="motives")),
            ("Practice.Audit", lambda n: {}),
            ("Records.ListClients", lambda n: dict(limit=100)),
            ("Records.ListClients by name", lambda n: dict(query="ba")),
            ("Records.GetClient", lambda n: dict(client=own(n))),
            ("Records.ListSessions", lambda n: dict(client=own(n))),
            ("Records.GetSession", lambda n: dict(session=f"s{1 + n % 20 * size.clients}")),
            ("Records.ListTurns", lambda n: dict(client=own(n))),
            ("Records.CaseFile", lambda n: dict(client=own(n))),
            ("Records.EditClient", lambda n: dict(client=own(n), revision=1 + n // grown.OPEN, motive=f"Reason {n}.")),
            ("Records.AddSession", lambda n: dict(client=own(n), **session)),
            ("Records.AddAddendum", lambda n: dict(session=f"s{1 + n % 20 * size.clients}", text="Later.")),
            ("Care.Homework", lambda n: dict(client=own(n))),
            ("Mail.List", lambda n: dict(folder="inbox")),
            ("Mail.List from its middle", lambda n: dict(folder="inbox", after=str(size.each * grown.OF_ONE // 2))),
            ("Mail.List by words", lambda n: dict(query="bacedi gula")),
            ("Mail.ListFolders", lambda n: {}),
            ("Mail.ListRecipients", lambda n: {}),
            ("Mail.Send", lambda n: dict(to=[own(n)], subject="At ten?", body="Shall we meet at ten? " * 10)),
            ("Chat.ListRooms", lambda n: {}),
            ("Programmes.ListSurveys", lambda n: dict(client=own(n))),
            ("Reports.Get", lambda n: dict(kind="attended", period="month", count=12)),
        )),
        *((name, first, make) for name, make in (
            ("Care.Profile", lambda n: {}),
            ("Mail.Get", lambda n: dict(letter=copy(n))),
            ("Mail.List of a client", lambda n: {}),
            ("Mail.Send of a client", lambda n: dict(to=["p1"], subject="At ten?", body="Shall we meet at ten? " * 10)),
            ("Mail.ListRecipients of a client", lambda n: {}),
            ("Chat.Messages", lambda n: dict(room="r1")),
            ("Chat.Send", lambda n: dict(room="r1", text="Shall we meet at ten?")),
            ("Programmes.ListSurveys of a client", lambda n: {}),
            ("Care.Report", lambda n: dict(device=f"d{started}", happenings=[dict(
                sequence=1 + n, id=f"{started}.{n}", at=f"{today}T00:00:00Z", day=today, what="moodLogged", task="t5", mood="calm")])),
        )),
        *((name, administrator, make) for name, make in (
            ("Practice.ListStaff", lambda n: {}),
            ("Practice.AddService with a picture", lambda n: dict(
                category="Grief", name=f"Service {n}", description="An hour.", picture=picture)),
            ("Practice.Audit of all", lambda n: {}),
            ("Records.ListClients of all", lambda n: {}),
            ("Records.ListClients of all by name", lambda n: dict(query="bacedi")),
            ("Mail.ListRecipients of all", lambda n: {}),
            ("Upkeep.Status", lambda n: {}),
            ("Reports.Get of all", lambda n: dict(kind="attended", period="month", count=12)),
        )),
    ]


def compare(bench, small, large):
    """Of each call in the small and in the large practice: the 99th percentile and the median, in the same seconds. Of three
    times, the one with the least 99th percentile counts, because others use the machine."""
    rounds, found = bench.some(34, 2), {}
    made = {practice: calls(practice.size) for practice in (small, large)}
    with contextlib.ExitStack() as connections:
        people = {practice: {who: connections.enter_context(practice.clinic.play(who))
                             for who in {who for _, who, _ in made[practice]}} for practice in made}
        for (name, who, make), (_, its, make_large) in zip(*made.values()):
            least = {}
            for begin in range(0, 3 * rounds, rounds):
                took = {small: [], large: []}
                for number in range(begin, begin + rounds):
                    for practice, person, parameters in (small, who, make), (large, its, make_large):
                        asked = call(name.split(" ")[0], **parameters(number))
                        began = time.perf_counter()
                        ask(people[practice][person], asked)
                        took[practice].append((time.perf_counter() - began) * 1_000)
                for practice, values in took.items():
                    least[practice] = min(least.get(practice, (math.inf,)), (percentile(values), statistics.median(values)))
            found[name] = least[small], least[large]
    return found


def rows_of_calls(bench, engine, small, large):
    found = compare(bench, small, large)
    for name, (before, after) in sorted(found.items(), key=lambda item: -item[1][1][0] / item[1][0][0]):
        bench.note(f"{engine}: {name}: {before[0]:.2f} and {after[0]:.2f} ms, medians {before[1]:.2f} and {after[1]:.2f} ms")
    ratios = {name: after[0] / before[0] for name, (before, after) in found.items()}
    worst = max(ratios, key=ratios.get)
    over = [f"{name} {ratios[name]:.1f} ×" for name in sorted(ratios, key=ratios.get, reverse=True) if ratios[name] > 2]
    bench.row(f"{engine}: a call, {large.size.clients:,} clients beside {small.size.clients:,}", f"{ratios[worst]:.1f} ×",
              "99th percentile ≤ 2 × the small one's", bool(over),
              f"of {len(found)} calls; " + (", ".join(over) if over else f"the worst is {worst}, {found[worst][1][0]:.1f} ms"))


def watch(practice, people):
    """Connections of these people, each of which watches."""
    watching = {}
    for person in people:
        daemon = practice.clinic.play(person)
        daemon.sendall(call("Practice.Watch")[:-1].encode() + b',"more":true}\0')
        ask(daemon, None)
        watching[daemon.fileno()] = daemon
    return watching


def heard_by(waiting, seconds, heard):
    """Reads from these connections until each has had a frame with that word; the seconds from now."""
    poll, left, began = select.epoll(), dict(waiting), time.perf_counter()
    texts = dict.fromkeys(left, b"")
    for place in left:
        poll.register(place, select.EPOLLIN)
    while left:
        ready = poll.poll(max(0, seconds - (time.perf_counter() - began)))
        if not ready:
            raise Missing(f"{len(left)} of {len(waiting)} heard nothing for {seconds} seconds")
        for place, _ in ready:
            texts[place] += received(waiting[place])
            if heard in texts[place] and left.pop(place, None):
                poll.unregister(place)
    poll.close()
    return time.perf_counter() - began


def rows_of_midnight(bench, engine, practice):
    """A survey of each client opens at the same instant. Some clients watch, the first and the last in the order among them."""
    size = practice.size
    last, some = 2 * size.clients, min(200, size.clients)
    took, lead = [], bench.some(20, 4)
    while len(took) < bench.some(2, 1):
        practice.stop()
        due = int(time.time()) + lead
        practice.sql(f"UPDATE survey_pending SET opens = {due}000000, told = 0 WHERE survey > {last}")
        with practice:
            clients = [size.staff + 1 + number * (size.clients - 1) // (some - 1) for number in range(some)]
            watching = watch(practice, [f"p{client}" for client in clients])
            if isInTime := time.time() < due - 0.1:
                time.sleep(due - time.time())
                heard_by(watching, 300, b'"kind":"survey"')
                took.append(time.time() - due)
            for daemon in watching.values():
                daemon.close()
        if not isInTime:
            # A busy machine: the watchers came after midnight.
            lead *= 2
            if lead > 600:
                raise Missing("the watchers were not there at midnight")
            continue
        left = int(practice.sql(f"SELECT count(*) FROM survey_pending WHERE told = 0 AND opens <= {due}000000"))
        if left:
            raise Missing(f"{left} clients were not told")
    slowest = max(took)
    bench.row(f"{engine}: a midnight with {size.clients:,} surveys", f"{slowest:.2f} s", "≤ 1 s until all are told", slowest > 1,
              f"the slower of {len(took)}; {size.clients / slowest:,.0f} a second")


NEXT = """SELECT min(at) FROM (SELECT min(opens) AS at FROM survey_pending WHERE told = 0
    UNION ALL SELECT min(closes) FROM survey_pending) change"""


def rows_of_next(bench, engine, practice):
    """The query for the next instant at which the clock brings anything."""
    rounds = bench.some(1_000, 20)
    if practice.server:
        took = practice.server.measure(practice.name, NEXT + ";", count=rounds)[1]
    else:
        with contextlib.closing(sqlite3.connect(practice.path / "state/practice.db")) as kept:
            took = []
            for _ in range(rounds):
                began = time.perf_counter()
                kept.execute(NEXT).fetchone()
                took.append((time.perf_counter() - began) * 1_000)
            took = statistics.mean(took)
    bench.row(f"{engine}: the next wake, {2 * practice.size.clients:,} surveys wait", f"{took:.3f} ms", "≤ 1 ms", took > 1,
              "a mean")


def memory(process):
    """The proportional memory, in bytes."""
    lines = open(f"/proc/{process.pid}/smaps_rollup").readlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1_024


def rows_of_connections(bench, engine, practice):
    """Many clients' machines, of which a tenth follows; an announcement to all of them; and all of them coming again."""
    many, size = bench.some(10_000, 50), practice.size
    people = [f"p{size.staff + 1 + number * size.clients // many}" for number in range(many)]
    follow = call("Care.Follow", device="laptop", revision=1)[:-1].encode() + b',"more":true}\0'

    def calls_of(number):
        """The calls of a machine that comes: it says who it is, and asks for its news once or holds the call."""
        enter = call("Upkeep.PlayAs", who=people[number]).encode() + b"\0"
        return enter + (follow if number % 10 == 0 else call("Care.Profile").encode() + b"\0")

    with practice:
        before = memory(practice.clinic.daemon)
        daemons = storm(practice, many, bench.some(10, 1), calls_of)[2]
        each = (memory(practice.clinic.daemon) - before) / many
        bench.row(f"{engine}: memory of a connection, of {many:,}", f"{each / 1_000:.1f} KB", "≤ 20 KB", each > 20_000,
                  f"a tenth follows; {memory(practice.clinic.daemon) / 1e6:.0f} MB in all")
        following, took = {daemon.fileno(): daemon for daemon in daemons[::10]}, []
        with practice.clinic.connect() as root:
            for number in range(bench.some(5, 1)):
                text = f"We are closed on day {number}."
                root.sendall(call("Mail.Announce", text=text, to="clients").encode() + b"\0")
                took.append(heard_by(following, 60, text.encode()))
                ask(root, None)
        worst = max(took)
        bench.row(f"{engine}: an announcement to {len(following):,} who follow", f"{worst:.2f} s", "≤ 1 s", worst > 1,
                  f"the slowest of {len(took)}")
        began = time.perf_counter()
        for daemon in daemons:
            daemon.close()
        with practice.clinic.connect() as root:
            while ask(root, call("Upkeep.Status"))["parameters"]["health"]["connections"] > 1:
                time.sleep(0.01)
        bench.row(f"{engine}: {many:,} hang up at once", f"{time.perf_counter() - began:.1f} s", "",
                  beside="until the daemon has noticed all of them")
        late, seconds, daemons = storm(practice, many, bench.some(10, 1), calls_of)
        for daemon in daemons:
            daemon.close()
        bench.row(f"{engine}: {many:,} come again in {bench.some(10, 1)} s", f"{seconds:.1f} s", "none is cut", False,
                  f"until the last is served; 99th percentile {percentile(late):.2f} s, two calls each")


def storm(practice, many, seconds, calls_of):
    """So many connections, spread over so many seconds. How long each waited for its replies, how long all
    of it took, and the connections."""
    poll, begun, daemons, late = select.epoll(), {}, {}, []
    texts, began, opened = {}, time.perf_counter(), 0
    while len(late) < many:
        while opened < many and time.perf_counter() - began >= opened * seconds / many:
            daemon = practice.clinic.connect()
            begun[daemon.fileno()], texts[daemon.fileno()], daemons[daemon.fileno()] = time.perf_counter(), b"", daemon
            poll.register(daemon, select.EPOLLIN)
            daemon.sendall(calls_of(opened))
            opened += 1
        for place, _ in poll.poll(0.001 if opened < many else 60):
            texts[place] += received(daemons[place])
            if b'"error"' in texts[place]:
                raise Missing(f"a connection was cut: {texts[place][-300:]}")
            if place in begun and texts[place].count(0) >= 2:
                late.append(time.perf_counter() - begun.pop(place))
    poll.close()
    return late, time.perf_counter() - began, list(daemons.values())


# The statements of a message as practiced sends them: of a transaction, of each message in it, and of its end.
BEGIN = "BEGIN;\nSELECT pg_advisory_xact_lock(1347567939, hashtext(current_schema()));\n"
PERSON = "id, role, name, account, email, phone, active, since, revision"
MESSAGE = f"""SAVEPOINT part;
SELECT {PERSON} FROM person WHERE account = '{{account}}' AND active = 1;
SELECT r.id, r.kind, r.name, r.by_person, r.gone, m.since, m.read_to, m.muted FROM room r LEFT JOIN member m ON m.room = r.id AND m.person = 1 AND m.until IS NULL WHERE r.id = 1;
SELECT person FROM member WHERE room = 1 AND person <> 1 LIMIT 1;
SELECT {PERSON} FROM person WHERE id = {{client}};
SELECT p.{PERSON.replace(", ", ", p.")}, c.born, c.address, c.emergency_contact, c.referred_by, c.motive, c.extra, c.time_zone, c.number, c.thanatologist, c.open, c.closed_on, c.episode FROM client c JOIN person p ON p.id = c.person WHERE c.person = {{client}} AND (c.thanatologist = NULL OR c.person = NULL OR NULL IS NULL);
INSERT INTO counter (name, number) VALUES ('chat', 1) ON CONFLICT (name) DO UPDATE SET number = counter.number + 1 RETURNING number \\gset
INSERT INTO chat (number, room, kind, at, person, text, message) VALUES (:number, 1, 'message', 1795660797386858, 1, '{{text}}', NULL);
RELEASE part;
"""
END = """INSERT INTO notice (at, daemon, kind, person, detail) SELECT 1795660797386858, 'pgbench', r.value ->> 0, CAST(r.value ->> 1 AS BIGINT), r.value ->> 2 FROM jsonb_array_elements('[["chat", null, "0"]]'::jsonb) WITH ORDINALITY AS r(value, place) ORDER BY r.place;
COMMIT;
NOTIFY practice_notices;
"""
TEXT = "Shall we meet at ten?"


def at_once(bench, sockets, count, asked, user):
    """Calls a second of 64 clients of each of these daemons, all at the same time; and how busy the processors are then."""
    def busy():
        times = list(map(int, open("/proc/stat").readline().split()[1:9]))
        return sum(times) - times[3] - times[4], sum(times)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        before = busy()
        rates = list(pool.map(lambda socket: bench.said("load", socket, count, 64, asked, user=user)[0], sockets))
        after = busy()
    return sum(rates), (after[0] - before[0]) / max(1, after[1] - before[1])


def rows_of_messages(bench, practice):
    """Durable messages a second on PostgreSQL: beside pgbench with the same statements, and of two daemons beside one."""
    count, seconds, rounds, user = bench.some(10_000, 200), bench.some(5, 1), bench.some(3, 1), practice.clinic.user
    server, client = practice.server, practice.size.staff + 1
    send, read = call("Chat.Send", room="r1", text=TEXT), call("Chat.Messages", room="r1")
    message = MESSAGE.format(account=user.pw_name, client=client, text=TEXT)
    ours, alone, many, two, reads, both, share = [], [], [], [], [], [], []
    practice.stop()
    practice.sql(f"UPDATE person SET account = '{user.pw_name}' WHERE id = 1")
    second = Clinic(practice.path / "second", practice.programs, practice.storage)
    with practice, second:
        second.start("--demo")
        sockets = [practice.clinic.socket, second.socket]
        for _ in range(rounds):
            newest = practice.sql("SELECT coalesce(max(number), 0) FROM notice")
            ours.append(at_once(bench, sockets[:1], count, send, user.pw_uid)[0])
            batch = round(count / int(practice.sql(f"SELECT count(*) FROM notice WHERE kind = 'chat' AND number > {newest}")))
            alone.append(batch * server.measure(practice.name, BEGIN + message * batch + END, seconds=seconds)[0])
            many.append(server.measure(practice.name, BEGIN + message + END, seconds=seconds, clients=64)[0])
            rate, busy = at_once(bench, sockets, count // 2, send, user.pw_uid)
            two.append(rate)
            share.append(busy)
            reads.append(at_once(bench, sockets[:1], count, read, user.pw_uid)[0])
            both.append(at_once(bench, sockets, count // 2, read, user.pw_uid)[0])
    ours, alone, many, two, reads, both, busy = map(statistics.median, (ours, alone, many, two, reads, both, share))
    bench.row("PostgreSQL: messages a second, 64 senders", f"{ours:,.0f}", "≥ 0.8 × pgbench's", ours < 0.8 * alone,
              f"pgbench, one connection, {batch} to a commit, {alone:,.0f}: {ours / alone:.2f} ×; "
              f"64 connections, each its own commit, {many:,.0f}: {ours / many:.2f} ×")
    bench.row("PostgreSQL: of two daemons", f"{two:,.0f}", "≥ 1.5 × one's", two < 1.5 * ours,
              f"{two / ours:.2f} ×; {busy:.0%} of the processors are busy")
    bench.row("PostgreSQL: of two daemons, pages of messages read", f"{both:,.0f}", "≥ 1.5 × one's", both < 1.5 * reads,
              f"one reads {reads:,.0f}: {both / reads:.2f} ×")


def rows(bench, folder, engines=ENGINES):
    """All rows of the practice's growth. What is made in the folder is there for the next run."""
    for engine in engines:
        if engine == "PostgreSQL" and (bench.smoke or possible()):
            bench.row(f"{engine}: all rows of its growth", "skipped", beside=possible() or "in the shortest form")
            continue
        with contextlib.ExitStack() as stack:
            server = stack.enter_context(Server(f"{folder}/server", kept=True)) if engine == "PostgreSQL" else None
            if server:
                server.start()
            small, large = (
                Practice(folder, bench.programs, grown.Size(*bench.some(full, few)), server, name)
                for name, full, few in (("small", (8,), (1, 4)), ("large", (bench.thanatologists,), (2, 4))))
            bench.row(f"{engine}: a made practice", f"{large.bytes / 1e9:.1f} GB", "",
                      beside=f"{large.size}; made in {large.seconds:,} s")
            for practice in small, large:
                practice.sql("UPDATE person SET revision = 1 WHERE revision > 1")
            with small, large:
                rows_of_calls(bench, engine, small, large)
            rows_of_next(bench, engine, large)
            rows_of_midnight(bench, engine, large)
            rows_of_connections(bench, engine, large)
            if server:
                rows_of_messages(bench, large)
