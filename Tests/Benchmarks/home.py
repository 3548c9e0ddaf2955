"""A daemon in folders of its own, for the benchmarks and for the instruction counts."""

import contextlib
import datetime
import json
import os
import pathlib
import socket
import subprocess
import threading
import time

CHOICES = ["calm", "tired", "hopeful"]

# A zone in which it is noon now: no midnight comes while something is measured.
AHEAD = 720 - int(time.time()) // 60 % 1440
NOON = f"<NOON>{'-' if AHEAD >= 0 else '+'}{abs(AHEAD) // 60}:{abs(AHEAD) % 60:02}"
TODAY = datetime.datetime.now(datetime.timezone(datetime.timedelta(minutes=AHEAD))).date()


class Missing(Exception):
    """Something was waited for and did not come."""


def schedule(count, breaths=5):
    """One task a day, the first of them a month ago."""
    first = TODAY - datetime.timedelta(days=30)
    days = (first + datetime.timedelta(days=number) for number in range(count))
    return json.dumps([[breaths, CHOICES, day.isoformat()] for day in days])


def call(method, **parameters):
    """A call as it goes over the socket, without the NUL."""
    return json.dumps({"method": f"org.daybreak.{method}", "parameters": parameters})


@contextlib.contextmanager
def bound(what):
    """Says what was waited for when a wait reaches its bound."""
    try:
        yield
    except (TimeoutError, subprocess.TimeoutExpired) as error:
        raise Missing(f"waited in vain for {what}") from error


class Home:
    """A client's folders, and the daemon in them. In a `with` statement, the daemon ends with it."""

    def __init__(self, folder, programs, schedule, runtime=None):
        self.path, self.programs, self.daemon = pathlib.Path(folder), pathlib.Path(programs), None
        self.runtime = pathlib.Path(runtime or self.path / "run")
        for part in (self.path / "config/daybreak", self.path / "state", self.runtime):
            part.mkdir(parents=True, mode=0o700)
        (self.path / "config/daybreak/tasks.json").write_text(schedule)
        (self.path / "config/daybreak/daybreak.toml").write_text("[reminders]\nat = []\n")
        self.environment = {
            "HOME": str(self.path), "XDG_CONFIG_HOME": str(self.path / "config"), "TZ": NOON, "PATH": "/usr/bin:/bin",
            "XDG_STATE_HOME": str(self.path / "state"), "XDG_RUNTIME_DIR": str(self.runtime), "TERM": "dumb",
            "LANG": "C.UTF-8", "SWIFT_DETERMINISTIC_HASHING": "1",
        }
        self.socket = str(self.runtime / "daybreak/control")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.daemon:
            self.daemon.kill()
            self.daemon.communicate()

    def start(self, *before):
        """Starts the daemon, under the words before it if any; the milliseconds until it said READY."""
        path = str(self.path / "notify")
        pathlib.Path(path).unlink(missing_ok=True)
        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        manager.bind(path)
        manager.settimeout(120)
        began = time.perf_counter()
        self.daemon = subprocess.Popen(
            [*before, self.programs / "daybreakd"], env=self.environment | {"NOTIFY_SOCKET": path}, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        with bound("the daemon's READY"):
            while b"READY=1" not in manager.recv(65_536):
                pass
        took = (time.perf_counter() - began) * 1_000
        threading.Thread(target=listen, args=[manager], daemon=True).start()
        return took

    def stop(self):
        """Ends the daemon; its standard error."""
        self.daemon.terminate()
        with bound("the daemon's end"):
            errors = self.daemon.communicate(timeout=120)[1]
        self.daemon = None
        return errors

    def connect(self):
        daemon = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        daemon.settimeout(120)
        daemon.connect(self.socket)
        return daemon

    def ask(self, *calls):
        """Makes these calls one after the other; their replies."""
        with self.connect() as daemon:
            return [ask(daemon, each) for each in calls]

    def fill(self, pairs):
        """Gives the history two events for each pair: today's task is started and cancelled. Fifty pairs share a write."""
        calls = [call("Homework.Start").encode() + b"\0" + call("Homework.Cancel").encode() + b"\0"] * 50
        with self.connect() as daemon, bound("the replies to fifty pairs of steps"):
            for _ in range(0, pairs, 50):
                daemon.sendall(b"".join(calls))
                replies = b""
                while replies.count(0) < 100:
                    replies += received(daemon)
                if b'"error"' in replies:
                    raise Missing(f"a step was refused: {replies[:200]}")

    def status(self, key):
        """A number out of /proc's `status`."""
        lines = pathlib.Path(f"/proc/{self.daemon.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(f"{key}:"))


def received(daemon):
    data = daemon.recv(1 << 20)
    if not data:
        raise Missing("the daemon closed the connection")
    return data


def ask(daemon, call):
    """The reply to one call, or to the watching call that came before it (None)."""
    if call:
        daemon.sendall(call.encode() + b"\0")
    reply = b""
    with bound(f"the reply to {call}"):
        while not reply.endswith(b"\0"):
            reply += received(daemon)
    if b'"error"' in reply:
        raise Missing(f"{str(call)[:200]} was refused: {reply.decode()}")
    return json.loads(reply.rstrip(b"\0").split(b"\0")[-1])


def listen(manager):
    """Reads what the daemon says to its service manager, as one does."""
    manager.settimeout(None)
    while b"STOPPING=1" not in manager.recv(65_536):
        pass
    manager.close()
