"""Measures Daybreak and prints one table; `Tests/Benchmarks/run` builds what this needs, and calls it."""

import datetime
import json
import math
import os
import pathlib
import platform
import shutil
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import time

import attacks

FOLDER = pathlib.Path(sys.argv[1])
QUICK = "--quick" in sys.argv[2:]
PROGRAMS = pathlib.Path(os.environ["DAYBREAK_BIN"])
BOX = pathlib.Path(__file__).parent.parent / "Box" / "box"
RUNS = 20 if QUICK else 50
IDLE = 10 if QUICK else 60
MIDNIGHTS = 2 if QUICK else 5
TENS = 2 if QUICK else 10
CALLS = 5_000 if QUICK else 20_000
MILLION = 100_000 if QUICK else 1_000_000
CHANGES = 200 if QUICK else 1_000
MANY, FEW, EVENTS = 10_000, 100, 40_000

# It is about noon wherever something is measured: no midnight and no reminder comes in between.
AHEAD = 12 - int(time.time()) // 3600 % 24
NOON = f"Etc/GMT{'-' if AHEAD > 0 else '+'}{abs(AHEAD)}"
ZONE = datetime.timezone(datetime.timedelta(hours=AHEAD))

rows = []


def row(what, measured, beside="", ratio="", to_reach=""):
    rows.append((what, measured, beside, ratio, to_reach))
    print(".", end="", file=sys.stderr, flush=True)


def times(a, b):
    return f"{a / b:.2f}" if b else ""


def schedule(count, today=None, breaths=5):
    """One task a day, the first of them a month ago."""
    first = (today or datetime.datetime.now(ZONE).date()) - datetime.timedelta(days=30)
    days = (first + datetime.timedelta(days=number) for number in range(count))
    return json.dumps([[breaths, ["calm", "tired", "hopeful"], day.isoformat()] for day in days])


# ---- The daemon by itself ------------------------------------------------------------------------------------------


class Home:
    """Folders of their own, and a daemon in them that nobody but this program knows."""

    def __init__(self, name, count):
        self.path = FOLDER / name
        for part in ("config/daybreak", "state", "run"):
            (self.path / part).mkdir(parents=True, mode=0o700)
        self.save("tasks.json", schedule(count))
        self.save("daybreak.toml", "[reminders]\nat = []\n")
        self.environment = {
            "HOME": str(self.path), "XDG_CONFIG_HOME": str(self.path / "config"), "TZ": NOON, "PATH": "/usr/bin:/bin",
            "XDG_STATE_HOME": str(self.path / "state"), "XDG_RUNTIME_DIR": str(self.path / "run"),
        }
        self.socket = str(self.path / "run/daybreak/control")

    def save(self, name, text):
        (self.path / "config/daybreak" / name).write_text(text)

    def start(self, more={}):
        """Starts the daemon, with more in its environment; the seconds until it said READY."""
        path = str(self.path / "notify")
        pathlib.Path(path).unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
            notified.bind(path)
            began = time.perf_counter()
            self.daemon = subprocess.Popen(
                [PROGRAMS / "daybreakd"], env=self.environment | {"NOTIFY_SOCKET": path} | more, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=open(self.path / "log", "a"))
            notified.settimeout(60)
            while b"READY=1" not in notified.recv(65536):
                pass
            return time.perf_counter() - began

    def stop(self):
        self.daemon.send_signal(signal.SIGTERM)
        self.daemon.wait()

    def restart(self):
        self.stop()
        return self.start()

    def status(self, key):
        text = pathlib.Path(f"/proc/{self.daemon.pid}/status").read_text()
        return next(int(line.split()[1]) for line in text.splitlines() if line.startswith(f"{key}:"))

    def megabytes(self):
        return self.status("VmRSS") / 1024, self.status("RssAnon") / 1024

    def daybreak(self, *words):
        subprocess.run([PROGRAMS / "daybreak", *words], env=self.environment, stdout=subprocess.DEVNULL, check=True)

    def events(self):
        history = f"file:{self.path}/state/daybreak/history.db?mode=ro"
        with sqlite3.connect(history, uri=True) as database:
            return database.execute("SELECT count(*) FROM event").fetchone()[0]

    def live(self, wanted):
        """Begins today's task and gives it up, again and again, until so many events are in the history."""
        call = "".join(f'{{"method":"org.daybreak.Homework.{verb}"}}\0' for verb in ("Start", "Cancel")).encode()
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as daemon:
            daemon.connect(self.socket)
            while self.events() < wanted:
                daemon.sendall(call * 200)
                replies = 0
                while replies < 400:
                    replies += daemon.recv(1 << 20).count(0)


def process_milliseconds(command, environment):
    """A whole process, from before it is made until it has ended."""
    silent = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    began = time.perf_counter()
    os.waitpid(os.posix_spawn(command, [command], environment, file_actions=silent), 0)
    return (time.perf_counter() - began) * 1_000


def measure_command_line(many, few):
    program = str(PROGRAMS / "daybreak")
    kinds = [("/bin/true", many), (program, many), (program, few)]
    # By turns, so that what else the machine does falls on all alike. The first turns warm up.
    turns = [[process_milliseconds(command, home.environment) for command, home in kinds] for _ in range(RUNS + 5)][5:]
    nothing, slow, fast = (statistics.median(took) for took in zip(*turns))
    late = sorted(turn[1] for turn in turns)[round(RUNS * 0.95) - 1]
    row(f"daybreak on {MANY:,} tasks, median", f"{slow:.2f} ms", f"/bin/true {nothing:.2f} ms", times(slow, nothing), "< 10 ms")
    row("  its 95th percentile", f"{late:.2f} ms", f"its median {slow:.2f} ms", times(late, slow), "< 10 ms")
    row("  its median again", f"{slow:.2f} ms", f"on {FEW} tasks {fast:.2f} ms", times(slow, fast))


def measure_memory(many, few):
    few_resident, few_anonymous = few.megabytes()
    many.restart()
    resident, anonymous = many.megabytes()
    beside = f"with {FEW} tasks"
    row(f"daybreakd with {MANY:,} tasks, restarted: resident", f"{resident:.1f} MB", f"{beside} {few_resident:.1f} MB",
        times(resident, few_resident), "< 25 MB")
    row("  of which anonymous", f"{anonymous:.1f} MB", f"{beside} {few_anonymous:.1f} MB",
        times(anonymous, few_anonymous), "< 6 MB")
    changed = many.path / "changed.json"
    changed.write_text(schedule(MANY, breaths=6))
    many.daybreak("schedule", "import", str(changed))
    after_resident, after_anonymous = many.megabytes()
    row("  after an import that changed each: resident", f"{after_resident:.1f} MB", f"before {resident:.1f} MB",
        times(after_resident, resident), "< 25 MB")
    row("  of which anonymous", f"{after_anonymous:.1f} MB", f"before {anonymous:.1f} MB",
        times(after_anonymous, anonymous), "< 6 MB")


def wake_ups(text):
    return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("voluntary_ctxt_switches"))


def measure_idle(home):
    def now():
        tasks = pathlib.Path(f"/proc/{home.daemon.pid}/task").iterdir()
        return wake_ups("\n".join((task / "status").read_text() for task in tasks))

    time.sleep(1)
    before = now()
    time.sleep(IDLE)
    row(f"wake-ups in {IDLE} s of idling, by itself", str(now() - before), f"{home.status('Threads')} thread", "", "0")


def measure_start(home):
    rounds = 3 if QUICK else 9
    few = home.events()
    empty = statistics.median(home.restart() for _ in range(rounds)) * 1_000
    home.live(EVENTS)
    count = home.events()
    full = statistics.median(home.restart() for _ in range(rounds)) * 1_000
    row(f"start to READY with {count:,} events", f"{full:.0f} ms", f"with {few:,} events {empty:.0f} ms", times(full, empty))
    resident, anonymous = home.megabytes()
    row("  resident then, of which anonymous", f"{resident:.1f}, {anonymous:.1f} MB")


def talk(path, *call, verb="ask", count=None):
    words = [str(FOLDER / "talk"), verb, path, str(count or CALLS), *call]
    return [float(word) for word in subprocess.run(words, check=True, capture_output=True).stdout.split()]


def measure_calls(home):
    call = '{"method":"org.daybreak.Homework.GetStatus"}'
    length = int(talk(home.socket, call)[3])
    path = str(FOLDER / "echo")
    words = [str(FOLDER / "talk"), "serve", path, str(length)]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as server:
        server.stdout.readline()
        pairs = [(talk(home.socket, call), talk(path, call)) for _ in range(3)]
        server.terminate()
    ours, bare = ([statistics.median(run[column] for run in side) for column in range(3)] for side in zip(*pairs))
    row(f"GetStatus calls a second, replies of {length} bytes", f"{ours[0]:,.0f}", f"bare echo {bare[0]:,.0f}", times(ours[0], bare[0]),
        "> 40,000")
    row("  median", f"{ours[1]:.1f} µs", f"bare echo {bare[1]:.1f} µs", times(ours[1], bare[1]))
    row("  99th percentile", f"{ours[2]:.1f} µs", f"bare echo {bare[2]:.1f} µs", times(ours[2], bare[2]), "< 60 µs")
    measure_redis(home, call)
    measure_flood(home, call)


def measure_redis(home, call):
    """The same client loop on a Redis server, where one is installed."""
    if not shutil.which("redis-server"):
        row("  beside Redis' PING", "no redis-server here")
        return
    path = str(FOLDER / "redis")
    words = ["redis-server", "--port", "0", "--unixsocket", path, "--save", ""]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        next(line for line in server.stdout if "Ready to accept" in line or "ready to accept" in line)
        pairs = [(talk(home.socket, call), talk(path, verb="ping")) for _ in range(3)]
        server.terminate()
    ours, redis = (statistics.median(run[0] for run in side) for side in zip(*pairs))
    row("  beside Redis' PING", f"{ours:,.0f}", f"Redis {redis:,.0f}", times(ours, redis), "not behind")


def measure_flood(home, call):
    talk(home.socket, call, verb="flood", count=1_000)
    before, _ = home.megabytes()
    rate = talk(home.socket, call, verb="flood", count=MILLION)[0]
    after, _ = home.megabytes()
    row("  a hundred at a time", f"{rate:,.0f}", "", "", "> 120,000")
    row(f"resident after {MILLION:,} calls", f"{after:.1f} MB", f"after the first thousand {before:.1f} MB",
        times(after, before), "within 2 MB")


def measure_watchers():
    """How long after a change is durable those who watch have it: the daemon notes when its last fdatasync returned."""
    durable = FOLDER / "durable"
    durable.write_bytes(bytes(8))
    home = Home("watched", FEW)
    home.start({"LD_PRELOAD": str(FOLDER / "durable.so"), "DURABLE": str(durable)})
    for watchers in (1, 100):
        words = [str(FOLDER / "talk"), "watch", home.socket, str(CHANGES), str(watchers), str(durable)]
        told = [float(word) for word in subprocess.run(words, check=True, capture_output=True).stdout.split()]
        who = f"the last of {watchers} watchers" if watchers > 1 else "a watcher"
        row(f"durable change to {who}, median", f"{told[0] / 1_000:.2f} ms", f"99th percentile {told[1] / 1_000:.2f} ms",
            times(told[1], told[0]), "< 5 ms")
    home.stop()


def honest_milliseconds(path):
    began = time.perf_counter()
    with attacks.connected(path) as client:
        client.sendall(b'{"method":"org.daybreak.Homework.GetStatus"}\0')
        reply = b""
        while not reply.endswith(b"\0"):
            received = client.recv(1 << 16)
            assert received, "the next honest client was sent away"
            reply += received
    return (time.perf_counter() - began) * 1_000


def measure_attacks():
    """Each attack once to warm up, once for the figures."""
    home = Home("attacked", FEW)
    home.start()

    def descriptors():
        honest_milliseconds(home.socket)  # By its answer the one before is gone.
        return len(os.listdir(f"/proc/{home.daemon.pid}/fd"))

    every = attacks.all_of_them(home.daemon.pid)
    for attack in every.values():
        attack(home.socket)
    before = descriptors(), home.megabytes()[0]
    took = {}
    for name, attack in every.items():
        attack(home.socket)
        took[name] = honest_milliseconds(home.socket)
    after = descriptors(), home.megabytes()[0]
    slowest = max(took, key=took.get)
    row(f"the next honest client after each of {len(took)} attacks", f"{statistics.median(took.values()):.2f} ms",
        f"the slowest {took[slowest]:.2f} ms ({slowest})", "", "< 50 ms")
    row("  descriptors after all of them", str(after[0]), f"before {before[0]}", times(after[0], before[0]), "as before")
    row("  resident", f"{after[1]:.1f} MB", f"before {before[1]:.1f} MB", times(after[1], before[1]), "as before")
    home.stop()


# ---- The daemon under systemd --------------------------------------------------------------------------------------


class Box:
    def __init__(self):
        words = [BOX, "boot", "--show", PROGRAMS, "--localtime", f"/usr/share/zoneinfo/{NOON}"]
        self.keeper = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.number = self.keeper.stdout.readline().strip()

    def run(self, line, text=None):
        words = [BOX, "user", self.number, "client", "bash", "-c", line]
        return subprocess.run(words, input=text or "", capture_output=True, text=True, check=True).stdout.strip()

    def save_schedule(self):
        today = datetime.date.fromisoformat(self.run("date +%F"))
        self.run("mkdir -p ~/.config/daybreak && cat >~/.config/daybreak/tasks.json", schedule(MANY, today))

    def end(self):
        self.keeper.stdin.close()
        self.keeper.wait()


def measure_in_box():
    possible = subprocess.run([BOX, "possible"], capture_output=True, text=True)
    if possible.returncode != 0:
        row("under systemd", possible.stdout.strip())
        return
    box = Box()
    try:
        box.save_schedule()
        box.run("/srv/daybreak/systemd/install --from /srv/show")
        idle_in_box(box)
        midnights(box)
        hundred_midnights(box)
    finally:
        box.end()


def idle_in_box(box):
    count = "cat /proc/$(systemctl --user show --property MainPID --value daybreakd)/task/*/status"
    time.sleep(1)
    before = wake_ups(box.run(count))
    time.sleep(IDLE)
    row(f"wake-ups in {IDLE} s of idling, under systemd's watchdog", str(wake_ups(box.run(count)) - before), "", "", "the watchdog's")


def midnights(box):
    took = [both for both in (midnight(box) for _ in range(MIDNIGHTS)) if both]
    if not took:
        row("midnight to journal entry", "the machine was too slow")
        return
    sent, entered = ([both[index] for both in took] for index in range(2))
    row(f"midnight to journal entry with {MANY:,} tasks, {len(took)} times", f"{statistics.median(entered):.2f} ms",
        f"the slowest {max(entered):.2f} ms", times(max(entered), statistics.median(entered)), "< 5 ms")
    row("  of which until the daemon had sent it", f"{statistics.median(sent):.2f} ms",
        f"the slowest {max(sent):.2f} ms", times(max(sent), statistics.median(sent)))


def hundred_midnights(box):
    """In zones a second apart, ten daemons at a time; half a second beside each a timer of systemd's that logs a line."""
    units = ".config/systemd/user"
    box.run(f"""mkdir -p ~/{units}
        printf '[Timer]\\nOnCalendar=*:*:0.5/1\\nAccuracySec=1us\\n' >~/{units}/tick.timer
        printf '[Service]\\nType=oneshot\\nExecStart=/bin/echo tick\\n' >~/{units}/tick.service
        systemctl --user daemon-reload && systemctl --user start tick.timer""")
    took = []
    for _ in range(TENS):
        lines = box.run("/srv/daybreak/Tests/Box/midnights 10 ~/.local/bin/daybreakd").splitlines()
        took += [line.split()[:4] for line in lines]
    box.run("systemctl --user stop tick.timer")
    ticks = box.run("journalctl --user --quiet --output json --user-unit tick.service MESSAGE=tick").splitlines()
    ticked = [(int(json.loads(line)["__REALTIME_TIMESTAMP"]) / 1_000 - 500) % 1_000 for line in ticks]
    ways = [("journal entry", [(int(entered) - int(midnight)) / 1_000 for midnight, _, entered, _ in took], ticked),
            ("the daemon's sending it", [(int(sent) - int(midnight)) / 1_000 for midnight, _, _, sent in took], None)]
    for what, own, beside in ways:
        for name, part in (("median", 0.5), ("99th percentile", 0.99), ("slowest", 1)):
            other = share(beside, part) if beside else None
            row(f"midnight to {what}, {len(own)} times: {name}", f"{share(own, part):.2f} ms",
                f"systemd's timer {other:.2f} ms" if other else "", times(share(own, part), other or 0),
                "< 1 ms" if what == "journal entry" and part == 0.99 else "")


def share(numbers, part):
    """The number that this part of all does not exceed."""
    return sorted(numbers)[max(0, math.ceil(len(numbers) * part) - 1)]


def midnight(box):
    """Lives through one, with a new history: the milliseconds until the reminder was sent, and until the journal had
    it. None where the daemon had not started by then."""
    box.run("systemctl --user stop daybreakd.service daybreakd.socket && rm -f ~/.local/state/daybreak/history.db*")
    subprocess.run([BOX, "midnight", box.number, "5"], check=True)
    cursor = box.run("journalctl --user --quiet --lines 0 --show-cursor").removeprefix("-- cursor: ")
    begins = int(box.run("date -d \"$(date +%F) + 1 day\" +%s"))
    tomorrow = box.run("date -d \"$(date +%F) + 1 day\" +%F")
    box.save_schedule()
    box.run("systemctl --user start daybreakd.socket daybreakd.service")
    if time.time() > begins:
        return None
    match = f"DAYBREAK_REMINDER={tomorrow}/unlocked/{tomorrow}"
    journal = f"journalctl --user --follow --lines all --after-cursor '{cursor}' --output json {match}"
    entry = json.loads(box.run(f"{journal} | head -n 1"))
    return [int(entry[at]) / 1_000 - begins * 1_000 for at in ("_SOURCE_REALTIME_TIMESTAMP", "__REALTIME_TIMESTAMP")]


# ---- All of it -----------------------------------------------------------------------------------------------------


def measure():
    many, few = Home("many", MANY), Home("few", FEW)
    many.start()
    few.start()
    try:
        measure_command_line(many, few)
        measure_memory(many, few)
        many.restart()
        measure_idle(many)
        measure_calls(many)
        many.stop()
        shutil.rmtree(many.path)
        many = Home("many", MANY)
        many.start()
        measure_start(many)
    finally:
        many.stop()
        few.stop()
    measure_watchers()
    measure_attacks()
    measure_in_box()


def show():
    print(file=sys.stderr)
    print(f"{os.cpu_count()} processors, Linux {platform.release()}, load {os.getloadavg()[0]:.1f}; medians of one run.\n")
    table = [("what", "measured", "beside", "ratio", "to reach"), *rows]
    widths = [max(len(line[column]) for line in table) for column in range(5)]
    for line in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())


measure()
show()
