"""Measures Daybreak beside what a person would use instead, and prints one table; `Tests/Benchmarks/run` calls it."""

import json
import os
import pathlib
import pty
import shutil
import statistics
import subprocess
import sys
import termios
import threading
import time

import box_rows
import peers
import socket_rows
from home import CHOICES, FOLDER, NOON, PROGRAMS, QUICK, TODAY, Home, call, days, process_milliseconds, schedule, talk
from table import aim, row, show, times

ROUNDS = 15 if QUICK else 40
STARTS = 3 if QUICK else 9
IDLE = 20 if QUICK else 600
EXERCISE = 15 if QUICK else 300
FEW, MANY, MOST = 100, 10_000, 100_000
YEARS = 40_005


def measure_list():
    """Today's list, as long ago as the first task and as far as the last may be."""
    ours = {}
    for count in (FEW, MANY, MOST):
        home = Home(f"list-{count}", schedule(count))
        home.start()
        try:
            every = [make(days(count)) for make in (peers.taskwarrior, peers.calcurse, peers.remind)]
            mine = peers.ours(home)
            empty = peers.empty()
            took = peers.medians([mine, empty, *every], ROUNDS if count < MOST else ROUNDS // 2)
        finally:
            home.stop()
        ours[count] = took[mine]
        limit = f"a Swift program that does nothing takes {took[empty]:.2f} ms" if empty in took else "no swiftc here to say the limit"
        row(f"daybreak, {count:,} tasks", f"{ours[count]:.2f} ms", "an empty Swift program " + f"{took[empty]:.2f} ms" if empty in took else "",
            times(ours[count], took.get(empty)), aim("≤ 6 ms", ours[count] <= 6, limit))
        for peer in every:
            if peer in took:
                most = 0.05 if count == MANY and peer.name == "taskwarrior" else 1 if peer.name == "remind" else None
                to_reach = aim(f"≤ {most}", ours[count] <= most * took[peer], limit) if most else ""
                row(f"  beside {peer.name}", f"{ours[count]:.2f} ms", f"{took[peer]:.2f} ms", times(ours[count], took[peer]), to_reach)
            else:
                row(f"  beside {peer.name}", peer.missing)
    slope = (ours[MOST] - ours[FEW]) / (MOST - FEW) * 1e6
    row("  for each task more", f"{slope:.2f} ns", "", times(ours[MOST], ours[FEW]), "flat")


def measure_step():
    """`daybreak mood`, from the process's start to its end, the step safe on the disk, among 10,000 other tasks."""
    extra = ROUNDS + 2
    home = Home("step", json.dumps(json.loads(schedule(MANY)) + [[1, CHOICES, TODAY.isoformat()]] * extra))
    home.start()
    bare = FOLDER / "bare.db"
    insert = ["/usr/bin/sqlite3", str(bare), "PRAGMA synchronous = FULL; INSERT INTO event (what) VALUES ('mood: calm')"]
    if os.path.exists(insert[0]):
        subprocess.run([*insert[:2], "PRAGMA journal_mode = WAL; CREATE TABLE event (seq INTEGER PRIMARY KEY, what TEXT)"],
                       check=True, capture_output=True)
    tasks = peers.taskwarrior(days(MANY))
    took = {"ours": [], "asked": [], "insert": [], "sync": [], "taskwarrior": []}
    try:
        home.ask(call("Provider.SetPresence", online=True, forSeconds=80_000))
        for _ in range(ROUNDS + 1):
            home.ask(call("Homework.Start"), call("Homework.Leave"))
            took["ours"].append(process_milliseconds([str(PROGRAMS / "daybreak"), "mood", "calm"], home.environment))
            took["asked"].append(process_milliseconds([str(PROGRAMS / "daybreak"), "status"], home.environment))
            took["sync"].append(process_milliseconds([str(FOLDER / "talk"), "sync", str(FOLDER / "synced"), "1"], {}))
            if os.path.exists(insert[0]):
                took["insert"].append(process_milliseconds(insert, {}))
            if tasks.command and sum(took["taskwarrior"]) < 4_000:
                took["taskwarrior"].append(process_milliseconds(peers.task_done(tasks), tasks.environment))
    finally:
        home.stop()
    median = {name: statistics.median(seen[1:]) for name, seen in took.items() if seen}
    ours = median["ours"]
    row(f"daybreak mood calm, durable, {MANY:,} tasks", f"{ours:.2f} ms", f"write and fsync {median['sync']:.2f} ms", times(ours, median["sync"]))
    limit = f"to start, ask and end without a step takes {median['asked']:.2f} ms"
    for name, what, most in (("insert", "sqlite3's insert", 1.5), ("taskwarrior", "task done", 0.5)):
        if name in median:
            row(f"  beside {what}", f"{ours:.2f} ms", f"{median[name]:.2f} ms", times(ours, median[name]),
                aim(f"≤ {most}", ours <= most * median[name], limit))
        else:
            row(f"  beside {what}", "it is missing: apt install " + ("sqlite3" if name == "insert" else "taskwarrior"))


def measure_durable_commands():
    home = Home("commands", schedule(MANY))
    home.start()
    told = call("Provider.SetPresence", online=True)
    count = 1_000 if QUICK else 4_000
    rates = {1: [], 8: [], 64: []}
    syncs = []
    try:
        for _ in range(3):
            syncs.append(talk("sync", FOLDER / "synced", count)[0])
            for clients, seen in rates.items():
                seen.append(talk("load", home.socket, clients, count, told)[0])
    finally:
        home.stop()
    disk = statistics.median(syncs)
    rate = {clients: statistics.median(seen) for clients, seen in rates.items()}
    for clients, seen in rate.items():
        to_reach = "≥ 5 times one's" if clients == 64 else ""
        beside = f"the disk's fsyncs {disk:,.0f}" if clients == 1 else f"one client {rate[1]:,.0f}"
        row(f"durable commands a second, {clients} client{'s' if clients > 1 else ''}", f"{seen:,.0f}", beside,
            times(seen, disk if clients == 1 else rate[1]), to_reach)


def measure_start_and_memory(box):
    home = Home("years", schedule(MANY))
    home.start()
    home.stop()
    home.live_on(YEARS)
    start(home, 30, STARTS)
    resident, anonymous = home.megabytes()
    row(f"  resident then, and anonymous, {MANY:,} tasks", f"{resident:.1f}, {anonymous:.1f} MB", "", "", "≤ 20, ≤ 4 MB")
    if box:
        box_rows.memory_beside(box, resident, anonymous)
    (home.path / "changed.json").write_text(schedule(MANY, breaths=6))
    home.daybreak("schedule", "import", str(home.path / "changed.json"))
    resident, anonymous = home.megabytes()
    row("  after an import that changed each task", f"{resident:.1f}, {anonymous:.1f} MB", "", "", "≤ 20, ≤ 4 MB")
    home.stop()
    home.live_on(1_000_000)
    start(home, 1_000, 3)
    home.stop()


def start(home, most, rounds):
    took, read = [], []
    sqlite = ["/usr/bin/sqlite3", str(home.history), "SELECT * FROM event ORDER BY seq"]
    for _ in range(rounds):
        took.append(home.restart())
        if os.path.exists(sqlite[0]):
            read.append(process_milliseconds(sqlite, {}))
    beside = f"sqlite3 reads it in {statistics.median(read):.0f} ms" if read else "sqlite3 is missing: apt install sqlite3"
    ratio = times(statistics.median(took), statistics.median(read)) if read else ""
    limit = "every event is read and applied, none may be left out"
    row(f"start to READY, {home.events():,} events", f"{statistics.median(took):.0f} ms", beside, ratio,
        aim(f"≤ {most:,} ms", statistics.median(took) <= most, limit))


def measure_import():
    """100,000 entries, durable; and how long somebody waits who asks meanwhile."""
    text = schedule(MOST)
    (FOLDER / "most.json").write_text(text)
    took, read, waited = [], [], []
    for number in range(2 if QUICK else 5):
        home = Home(f"import-{number}", "[]")
        home.start()
        try:
            waiter = Waiter(home)
            command = [str(PROGRAMS / "daybreak"), "schedule", "import", str(FOLDER / "most.json")]
            took.append(process_milliseconds(command, home.environment))
            waited.append(waiter.longest())
        finally:
            home.stop()
            shutil.rmtree(home.path)
        began = time.perf_counter()
        json.loads((FOLDER / "most.json").read_text())
        read.append((time.perf_counter() - began) * 1_000)
    row(f"schedule import of {MOST:,} entries, durable", f"{statistics.median(took):.0f} ms", f"python's json.load {statistics.median(read):.0f} ms",
        times(statistics.median(took), statistics.median(read)), "≤ 1,000 ms")
    row("  who asks meanwhile waits", f"{statistics.median(waited):.0f} ms", "", "", "no longer")


class Waiter(threading.Thread):
    """Asks for the status again and again, and notes the longest that it took."""

    def __init__(self, home):
        super().__init__(daemon=True)
        self.home, self.most, self.over = home, 0, False
        self.start()

    def run(self):
        while not self.over:
            began = time.perf_counter()
            self.home.ask(call("Homework.GetStatus"))
            self.most = max(self.most, (time.perf_counter() - began) * 1_000)
            time.sleep(0.005)

    def longest(self):
        self.over = True
        self.join()
        return self.most


# By the linker's map, `-Xlinker -Map`.
REST = {
    "daybreakd": "Foundation, the Swift library, GRDB, TOMLKit; without ICU's data, 34 MB",
    "daybreak": "the Swift library 6 MB, ArgumentParser 1 MB; without Foundation, 5 MB",
}


def measure_size():
    for name, most in (("daybreakd", 60), ("daybreak", 15)):
        size = (PROGRAMS / name).stat().st_size / 1e6
        row(f"{name}, stripped", f"{size:.1f} MB", REST[name], "", f"≤ {most} MB")


class Exercise(threading.Thread):
    """Somebody breathes on a terminal of 256 colours and so many columns and rows, for so many seconds."""

    def __init__(self, columns, rows):
        super().__init__(daemon=True)
        self.columns, self.rows = columns, rows
        self.home = Home(f"exercise-{columns}", json.dumps([[60, CHOICES, TODAY.isoformat()]]))
        self.home.start()
        self.start()

    def run(self):
        ready, go = os.pipe()
        pid, terminal = pty.fork()
        if pid == 0:
            os.read(ready, 1)
            os.execve(PROGRAMS / "daybreak", ["daybreak", "start"], self.home.environment)
        termios.tcsetwinsize(terminal, (self.rows, self.columns))
        os.write(go, b"!")
        os.read(terminal, 65_536)  # The instructions, which any key ends.
        os.write(terminal, b" ")
        began = time.perf_counter()
        timer = threading.Timer(EXERCISE, lambda: os.write(terminal, b"q"))
        timer.start()
        pictures = []
        try:
            while shown := os.read(terminal, 65_536):
                pictures += [time.perf_counter()] * shown.count(b"\x1b[?2026h")
        except OSError:
            pass  # The other end is closed.
        timer.cancel()
        _, _, used = os.wait4(pid, 0)
        self.seconds = time.perf_counter() - began
        self.screen = used.ru_utime + used.ru_stime
        self.between = statistics.median(after - before for before, after in zip(pictures, pictures[1:]))
        fields = pathlib.Path(f"/proc/{self.home.daemon.pid}/stat").read_text().rsplit(")", 1)[1].split()
        self.daemon_used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def tell(self):
        self.join()
        self.home.stop()
        share = self.screen / self.seconds * 100
        row(f"CPU for {self.seconds:.0f} s of exercise at {self.columns}x{self.rows}", f"{share:.2f} %", f"and the daemon {self.daemon_used / self.seconds * 100:.2f} %", "",
            "≤ 3 % of a core")
        row("  from one picture to the next, median", f"{self.between * 1_000:.1f} ms", "", "", "≤ 33.3 ms")


def attempt(what, *given):
    """One group of rows. What fails is told in the table, and the next are measured all the same."""
    try:
        what(*given)
    except Exception as error:
        row(f"{what.__name__} failed", f"{type(error).__name__}: {error}")


def measure():
    box = box_rows.boot()
    home = Home("idle", schedule(MANY))
    home.start()
    try:
        time.sleep(2)
        began = time.perf_counter()
        before, box_before = home.wake_ups(), box_rows.statuses(box) if box else {}
        for what in (measure_list, measure_step, measure_durable_commands):
            attempt(what)
        attempt(measure_start_and_memory, box)
        attempt(measure_import)
        attempt(measure_size)
        exercises = [Exercise(80, 24), Exercise(200, 60)]
        time.sleep(max(0, IDLE - (time.perf_counter() - began)))
        seconds = round(time.perf_counter() - began)
        row(f"wake-ups in {seconds} s of idling, by itself", str(home.wake_ups() - before), f"{home.status('Threads')} thread", "", "0")
        if box:
            attempt(box_rows.idle, box_before, box_rows.statuses(box), seconds)
            attempt(box_rows.begin_minutes, box)
        for exercise in exercises:
            attempt(exercise.tell)
        attempt(socket_rows.measure_calls, home)
        attempt(socket_rows.measure_watchers)
        attempt(socket_rows.measure_attacks)
        if box:
            attempt(box_rows.midnights, box)
            attempt(box_rows.hundred_midnights, box)
    finally:
        home.stop()
        if box:
            box.end()


def measure_midnights():
    box = box_rows.boot()
    if box:
        attempt(box_rows.begin_minutes, box)
        attempt(box_rows.hundred_midnights, box)
        box.end()


try:
    measure_midnights() if "--midnights" in sys.argv[2:] else measure()
finally:
    show()
