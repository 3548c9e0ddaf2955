"""The daemon by itself, in folders of its own, and what else the measurements share."""

import datetime
import json
import os
import pathlib
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time

FOLDER = pathlib.Path(sys.argv[1])
# Runtime folders are in memory, as /run/user is: no disk stands between a change and who is told of it.
RUNTIME = pathlib.Path(os.environ.get("IN_MEMORY") or FOLDER)
QUICK = "--quick" in sys.argv[2:]
PROGRAMS = pathlib.Path(os.environ["DAYBREAK_BIN"])

# It is about noon wherever something is measured: no midnight and no reminder comes in between.
AHEAD = 12 - int(time.time()) // 3600 % 24
NOON = f"Etc/GMT{'-' if AHEAD > 0 else '+'}{abs(AHEAD)}"
ZONE = datetime.timezone(datetime.timedelta(hours=AHEAD))
TODAY = datetime.datetime.now(ZONE).date()
CHOICES = ["calm", "tired", "hopeful"]


def days(count, today=TODAY):
    """One a day, the first of them a month ago."""
    first = today - datetime.timedelta(days=30)
    return [first + datetime.timedelta(days=number) for number in range(count)]


def schedule(count, today=TODAY, breaths=5):
    """One task a day."""
    return json.dumps([[breaths, CHOICES, day.isoformat()] for day in days(count, today)])


def call(method, **parameters):
    """As it goes over the socket, without the NUL."""
    return json.dumps({"method": f"org.daybreak.{method}", "parameters": parameters})


def process_milliseconds(command, environment, out="/dev/null"):
    """A whole process, from before it is made until it has ended."""
    silent = [(os.POSIX_SPAWN_OPEN, number, out if number == 1 else "/dev/null", os.O_WRONLY, 0) for number in (1, 2)]
    began = time.perf_counter()
    _, status = os.waitpid(os.posix_spawn(command[0], command, environment, file_actions=silent), 0)
    took = (time.perf_counter() - began) * 1_000
    if status != 0:
        raise RuntimeError(f"{command} ended with {os.waitstatus_to_exitcode(status)}")
    return took


def talk(verb, path, *words):
    """What `talk.c` prints."""
    words = [str(FOLDER / "talk"), verb, str(path), *map(str, words)]
    return [float(word) for word in subprocess.run(words, check=True, capture_output=True).stdout.split()]


def proc_status(process, key, text=None):
    text = text or pathlib.Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith(f"{key}:"))


def wake_ups(text):
    """In the texts of /proc's `status`."""
    return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("voluntary_ctxt_switches"))


def listen(notified):
    """A daemon's service manager hears what it says as long as it says it."""
    notified.settimeout(None)
    while b"STOPPING=1" not in notified.recv(65536):
        pass
    notified.close()


class Home:
    """A client's folders, and a daemon in them that nobody but this program knows."""

    def __init__(self, name, schedule):
        self.path = FOLDER / name
        self.runtime = RUNTIME / name / "run"
        for part in (self.path / "config/daybreak", self.path / "state", self.runtime):
            part.mkdir(parents=True, mode=0o700)
        self.save("tasks.json", schedule)
        self.save("daybreak.toml", "[reminders]\nat = []\n")
        self.environment = {
            "HOME": str(self.path), "XDG_CONFIG_HOME": str(self.path / "config"), "TZ": NOON, "PATH": "/usr/bin:/bin",
            "XDG_STATE_HOME": str(self.path / "state"), "XDG_RUNTIME_DIR": str(self.runtime), "TERM": "xterm-256color",
        }
        self.socket = str(self.runtime / "daybreak/control")
        self.history = self.path / "state/daybreak/history.db"
        self.daemon = None

    def save(self, name, text):
        (self.path / "config/daybreak" / name).write_text(text)

    def start(self, more={}):
        """Starts the daemon, with more in its environment; the milliseconds until it said READY."""
        path = str(self.path / "notify")
        pathlib.Path(path).unlink(missing_ok=True)
        notified = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notified.bind(path)
        began = time.perf_counter()
        self.daemon = subprocess.Popen(
            [PROGRAMS / "daybreakd"], env=self.environment | {"NOTIFY_SOCKET": path} | more,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(self.path / "log", "a"))
        notified.settimeout(60)
        while b"READY=1" not in notified.recv(65536):
            pass
        took = (time.perf_counter() - began) * 1_000
        threading.Thread(target=listen, args=[notified], daemon=True).start()
        return took

    def stop(self):
        if self.daemon:
            self.daemon.send_signal(signal.SIGTERM)
            self.daemon.wait()
            self.daemon = None

    def restart(self):
        self.stop()
        return self.start()

    def status(self, key):
        return proc_status(self.daemon.pid, key)

    def megabytes(self):
        """Resident, and of that anonymous."""
        return self.status("VmRSS") / 1024, self.status("RssAnon") / 1024

    def wake_ups(self):
        tasks = pathlib.Path(f"/proc/{self.daemon.pid}/task").iterdir()
        return wake_ups("\n".join((task / "status").read_text() for task in tasks))

    def daybreak(self, *words):
        subprocess.run([PROGRAMS / "daybreak", *words], env=self.environment, stdout=subprocess.DEVNULL, check=True)

    def ask(self, *calls):
        """Their replies, one after the other."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as daemon:
            daemon.connect(self.socket)
            daemon.settimeout(60)
            replies = []
            for each in calls:
                daemon.sendall(each.encode() + b"\0")
                reply = b""
                while not reply.endswith(b"\0"):
                    reply += daemon.recv(1 << 20)
                replies.append(json.loads(reply[:-1]))
            return replies

    def events(self):
        with sqlite3.connect(f"file:{self.history}?mode=ro", uri=True) as database:
            return database.execute("SELECT count(*) FROM event").fetchone()[0]

    def live_on(self, wanted):
        """Gives the history so many events, with the daemon stopped: today's task begun and given up, again and again."""
        with sqlite3.connect(self.history) as database:
            columns = [row[1] for row in database.execute("PRAGMA table_info(event)")]
            last = database.execute("SELECT max(seq) FROM event").fetchone()[0]
            like = "SELECT * FROM event WHERE kind = 'unlocked' ORDER BY seq DESC LIMIT 1"
            row = dict(zip(columns, database.execute(like).fetchone()))
            rows = (
                [(row | {"seq": number, "at": row["at"] + number} | kind)[column] for column in columns]
                for number in range(last + 1, wanted + 1)
                for kind in [{"kind": "started", "pattern": "4-0-6-0"} if (wanted - number) % 2 else {"kind": "cancelled"}])
            database.executemany(f"INSERT INTO event VALUES ({','.join('?' * len(columns))})", rows)
        database.close()
