"""Counts the reports of a practice a second time, from the rows of its database alone.

Usage: count.py reports DATABASE ZONE TODAY < requests > reports
       count.py zones FIRST-YEAR LAST-YEAR > instants

A request is a line of JSON. For each there is a block of lines, `name: value value | total`, and `end` behind it.
The second form prints instants around the midnights between two weeks at which a zone's clocks turn, with their periods.
"""

import bisect
import datetime
import json
import math
import sqlite3
import statistics
import sys
import zoneinfo

DAY = datetime.timedelta(days=1)
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def period(day, unit):
    if unit == "week":
        year, week, _ = day.isocalendar()
        return f"{year:04}-W{week:02}"
    return f"{day.year:04}-{day.month:02}" if unit == "month" else f"{day.year:04}"


def periods(unit, until, count, today):
    """The last `count` different periods, going back day by day."""
    day, found = today, []
    while period(day, unit) != (until or period(today, unit)):
        day -= DAY
    while len(found) < count:
        if not found or found[-1] != period(day, unit):
            found.append(period(day, unit))
        day -= DAY
    return found[::-1]


class Practice:
    def __init__(self, path, zone, today):
        self.sql, self.zone, self.today = sqlite3.connect(f"file:{path}?mode=ro", uri=True), zoneinfo.ZoneInfo(zone), today
        void = {session for session, in self.sql.execute("SELECT session FROM void")}
        self.sessions = [row for row in self.sql.execute(
            "SELECT id, client, thanatologist, on_day, service, fee, currency FROM session") if row[0] not in void]
        self.terms = {}
        for session, term in self.sql.execute("SELECT session, term FROM session_term"):
            self.terms.setdefault(session, []).append(term)
        self.people = list(self.sql.execute(
            "SELECT id, name, active FROM person WHERE role = 'thanatologist' ORDER BY name"))
        self.waits = [*self.letters(), *self.messages()]

    def day(self, microseconds):
        return (EPOCH + datetime.timedelta(microseconds=microseconds)).astimezone(self.zone).date()

    def letters(self):
        """Began, answered, recipients: each conversation of a client, read from its beginning."""
        role = dict(self.sql.execute("SELECT id, role FROM person"))
        recipients = {}
        for letter, person in self.sql.execute("SELECT letter, person FROM letter_to"):
            recipients.setdefault(letter, []).append(person)
        talks, waits = {}, []
        sent = {letter: rest for letter, *rest in self.sql.execute(
            "SELECT id, reply_to, thread, from_person, at FROM letter WHERE sent = 1 ORDER BY at, id")}

        def read(letter):
            """An answer is read after its letter, also one that a clock which was set back puts before it."""
            if letter not in sent:
                return
            answered, thread, writer, at = sent.pop(letter)
            read(answered)
            if role.get(writer) == "client":
                if (thread, writer) not in talks:
                    talks[thread, writer] = [at, None, recipients.get(letter, [])]
            elif writer is not None:
                for client in recipients.get(letter, []):
                    wait = talks.pop((thread, client), None)
                    if wait:
                        waits.append([wait[0], at, wait[2]])

        for letter in list(sent):
            read(letter)
        return waits + list(talks.values())

    def messages(self):
        role = dict(self.sql.execute("SELECT id, role FROM person"))
        members = {}
        for room, person in self.sql.execute(
                "SELECT m.room, m.person FROM member m JOIN room r ON r.id = m.room WHERE r.kind = 'direct'"):
            members.setdefault(room, set()).add(person)
        talks, waits = {}, []
        for room, writer, at in self.sql.execute(
                "SELECT room, person, at FROM chat WHERE kind = 'message' ORDER BY number"):
            if room not in members or not any(role[person] == "client" for person in members[room]):
                continue
            if role[writer] == "client":
                talks.setdefault(room, [at, None, [person for person in members[room] if person != writer]])
            elif room in talks:
                began, _, to = talks.pop(room)
                waits.append([began, at, to])
        return waits + list(talks.values())

    # The reports: the rows of one thanatologist, or of all if who is None.

    def attended(self, names, unit, who):
        clients = [set() for _ in names]
        for _, client, thanatologist, day, *_ in self.of(who):
            place = self.place(day, unit, names)
            if place is not None:
                clients[place].add(client)
        return [("Clients", [float(len(each)) for each in clients], float(len(set().union(*clients))))]

    caseload = attended

    def of(self, who):
        return [session for session in self.sessions if who is None or session[2] == who]

    @staticmethod
    def place(day, unit, names):
        name = period(datetime.date.fromisoformat(day), unit)
        return names.index(name) if name in names else None

    def sums(self, names, unit, who, things):
        """The sessions for each thing that a session has."""
        rows = {}
        for session in self.of(who):
            place = self.place(session[3], unit, names)
            for thing, amount in things(session) if place is not None else []:
                rows.setdefault(thing, [0] * len(names))[place] += amount
        return rows

    def fees(self, names, unit, who):
        def things(session):
            fee = session[5]
            return [("nothing", 1)] if fee is None else [("none", 1)] if fee == 0 else [(session[6], fee)]
        rows = self.sums(names, unit, who, things)
        empty = [0] * len(names)
        money = {code: rows[code] for code in rows if code not in ("none", "nothing")} | (
            {} if "EUR" in rows else {"EUR": empty})
        result = [(code, [value / 100 for value in money[code]], sum(money[code]) / 100)
                  for code in sorted(money, key=lambda code: (code != "EUR", code))]
        for name, key in ("None given", "none"), ("Nothing to give", "nothing"):
            result.append((name, [float(value) for value in rows.get(key, empty)], float(sum(rows.get(key, empty)))))
        return result

    def named(self, names, unit, who, things, query):
        rows = self.sums(names, unit, who, things)
        words = [(name, rows[number]) for number, name in self.sql.execute(query) if number in rows]
        words.sort(key=lambda row: (-sum(row[1]), row[0]))
        return [(name, [float(value) for value in values], float(sum(values))) for name, values in words]

    def motives(self, names, unit, who, vocabulary="motives"):
        return self.named(names, unit, who, lambda session: [(term, 1) for term in self.terms.get(session[0], [])],
                          f"SELECT id, word FROM term WHERE vocabulary = '{vocabulary}'")

    def tools(self, names, unit, who):
        return self.motives(names, unit, who, "tools")

    def services(self, names, unit, who):
        return self.named(names, unit, who, lambda session: [(session[4], 1)], "SELECT id, name FROM service")

    def records(self, names, unit, who):
        opened, closed, reopened = ([0] * len(names) for _ in range(3))
        under_way, turns = [set() for _ in names], {}
        for client, kind, cause, day, thanatologist in self.sql.execute(
                "SELECT client, kind, cause, on_day, thanatologist FROM turn ORDER BY client, number"):
            turns.setdefault(client, []).append((kind, cause, datetime.date.fromisoformat(day), thanatologist))

        def count(counts, day, thanatologist):
            name = period(day, unit)
            if name in names and who in (None, thanatologist):
                counts[names.index(name)] += 1
        for client, all_of_it in turns.items():
            # A closing that was a mistake never was.
            kept = []
            for turn in all_of_it:
                if turn[:2] == ("reopened", "mistake"):
                    last = max(place for place, (kind, *_) in enumerate(kept) if kind == "closed")
                    del kept[last]
                else:
                    kept.append(turn)
            # Each episode, with the days on which it passed to somebody, and its end.
            episodes = []
            for kind, cause, day, thanatologist in kept:
                if kind in ("opened", "reopened"):
                    episodes.append([[(day, thanatologist)], None])
                    count(opened if kind == "opened" else reopened, day, thanatologist)
                elif kind == "closed":
                    episodes[-1][1] = day
                    count(closed, day, thanatologist)
                elif episodes[-1][1] is None:
                    episodes[-1][0].append((day, thanatologist))
            for number, (parts, end) in enumerate(episodes):
                nexts = [day for day, _ in parts[1:]] + [self.today + 400 * DAY]
                for (day, holder), until in zip(parts, nexts):
                    until = until if end is None else min(until, end)
                    while day <= until:
                        name = period(day, unit)
                        if name in names and who in (None, holder):
                            under_way[names.index(name)].add((client, number))
                        day += DAY
        rows = [(name, [float(value) for value in values], float(sum(values)))
                for name, values in (("Opened", opened), ("Closed", closed), ("Reopened", reopened))]
        return rows + [("Episodes", [float(len(each)) for each in under_way], float(len(set().union(*under_way))))]

    def replies(self, names, unit, who):
        taken, waiting = [[] for _ in names], [0] * len(names)
        for began, answered, to in self.waits:
            name = period(self.day(began), unit)
            if name not in names or who is not None and who not in to:
                continue
            if answered is None:
                waiting[names.index(name)] += 1
            else:
                taken[names.index(name)].append(max(0, math.floor((answered - began) / 36_000_000 + 0.5) / 100))
        every = [hours for each in taken for hours in each]

        def ninetieth(hours):
            """The least of them that nine of ten do not exceed."""
            return min(hour for hour in hours if sum(other <= hour for other in hours) * 10 >= len(hours) * 9)
        rows = [(name, [measure(each) if each else None for each in taken], measure(every) if every else None)
                for name, measure in (
                    ("Median", lambda hours: math.floor(statistics.median(hours) * 100 + 0.5) / 100),
                    ("90th percentile", ninetieth))]
        return rows + [("Waiting", [float(count) for count in waiting], float(sum(waiting)))]

    def report(self, kind, unit, until, count, thanatologist, each):
        names = periods(unit, until, count, self.today)
        make = getattr(self, kind)
        if kind != "caseload" and not each:
            return make(names, unit, thanatologist)
        rows = []
        for number, name, _ in self.people:
            if thanatologist in (None, number):
                rows += [(name if kind in ("attended", "caseload") else f"{name}: {row[0]}", *row[1:])
                         for row in make(names, unit, number)]
        return rows


def shown(value):
    return "-" if value is None else repr(float(value))


def reports(path, zone, today):
    practice = Practice(path, zone, datetime.date.fromisoformat(today))
    for line in sys.stdin:
        for name, values, total in practice.report(**json.loads(line)):
            print(f"{name}: {' '.join(map(shown, values))} | {shown(total)}")
        print("end")


def zones(first, last):
    mondays = []
    day = datetime.date(int(first), 1, 4)
    day -= day.weekday() * DAY
    while day.year <= int(last):
        mondays.append(day)
        day += 7 * DAY
    for name in sorted(zoneinfo.available_timezones()):
        zone = zoneinfo.ZoneInfo(name)
        for monday in mondays:
            midnight = datetime.datetime(monday.year, monday.month, monday.day, tzinfo=datetime.timezone.utc)
            around = [midnight + datetime.timedelta(hours=hours) for hours in (-38, 38)]
            if around[0].astimezone(zone).utcoffset() == around[1].astimezone(zone).utcoffset():
                continue
            for quarter in range(-38 * 4, 38 * 4):
                for second in -1, 0:
                    instant = midnight + datetime.timedelta(minutes=15 * quarter, seconds=second)
                    day, before = (
                        (instant - datetime.timedelta(seconds=back)).astimezone(zone).date() for back in (0, 900))
                    if day != before:
                        print(name, int(instant.timestamp()), *(period(day, unit) for unit in ("week", "month", "year")))


if __name__ == "__main__":
    {"reports": reports, "zones": zones}[sys.argv[1]](*sys.argv[2:])
