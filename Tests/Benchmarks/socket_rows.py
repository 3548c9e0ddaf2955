"""What the control socket takes: calls, watchers, attacks."""

import contextlib
import os
import shutil
import statistics
import subprocess
import time

import attacks
from home import FOLDER, QUICK, Home, schedule, talk
from table import aim, row, times

CALLS = 5_000 if QUICK else 20_000
MILLION = 100_000 if QUICK else 1_000_000
CHANGES = 200 if QUICK else 1_000
FEW = 100
APART = "see a processor each"


@contextlib.contextmanager
def one_processor(*processes):
    """These, and whatever is started meanwhile, take turns on one processor: nobody waits for another one to wake up."""
    everywhere = os.sched_getaffinity(0)
    try:
        for process in (0, *processes):
            os.sched_setaffinity(process, {min(everywhere)})
        yield
    finally:
        for process in (0, *processes):
            os.sched_setaffinity(process, everywhere)


@contextlib.contextmanager
def two_processors(server):
    """It has one by itself, and whatever is started meanwhile the others: each call and each reply wakes a processor."""
    everywhere = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(server.pid, {max(everywhere)})
        os.sched_setaffinity(0, everywhere - {max(everywhere)} or everywhere)
        yield
    finally:
        for process in (0, server.pid):
            os.sched_setaffinity(process, everywhere)


def measure_calls(home):
    """The same client loop on the daemon, on a server that does nothing else, and on Redis where that is installed."""
    asked = '{"method":"org.daybreak.Homework.GetStatus"}'
    length = int(talk("ask", home.socket, CALLS, asked)[3])
    with served("ready", FOLDER / "talk", "serve", FOLDER / "echo", length) as echo, redis() as ping:
        measure_pace(f"GetStatus calls a second, replies of {length} bytes", home, asked, ping)
        with one_processor(*(server.pid for server in (home.daemon, echo, ping) if server)):
            measure_pace("GetStatus calls a second, all on one processor", home, asked, ping)
        measure_flood(home, asked)
        measure_apart(home, echo, ping, asked)


def measure_pace(title, home, asked, ping):
    """Three rounds by turns, so that what else the machine does falls on all alike."""
    rounds = [
        (talk("ask", home.socket, CALLS, asked), talk("ask", FOLDER / "echo", CALLS, asked),
         talk("ping", FOLDER / "redis", CALLS) if ping else [0] * 3) for _ in range(3)]
    ours, bare, redis = ([statistics.median(run[column] for run in side) for column in range(3)] for side in zip(*rounds))
    row(title, f"{ours[0]:,.0f}", f"bare echo {bare[0]:,.0f}", times(ours[0], bare[0]), aim("> 40,000", ours[0] > 40_000, APART))
    row("  median", f"{ours[1]:.1f} µs", f"bare echo {bare[1]:.1f} µs", times(ours[1], bare[1]))
    row("  99th percentile", f"{ours[2]:.1f} µs", f"bare echo {bare[2]:.1f} µs", times(ours[2], bare[2]),
        aim("< 60 µs", ours[2] < 60, APART))
    if ping:
        row("  beside Redis' PING", f"{ours[0]:,.0f}", f"Redis {redis[0]:,.0f}", times(ours[0], redis[0]), "not behind")
    else:
        row("  beside Redis' PING", "redis-server is missing: apt install redis-server")


def measure_apart(home, echo, ping, asked):
    """What it takes to wake a processor for each call and another one for each reply, whoever answers."""
    ways = [("GetStatus calls a second, a processor each", home.daemon, ("ask", home.socket, CALLS, asked)),
            ("  a bare echo", echo, ("ask", FOLDER / "echo", CALLS, asked)),
            ("  Redis' PING", ping, ("ping", FOLDER / "redis", CALLS))]
    rounds = {what: [] for what, server, _ in ways if server}
    for _ in range(3):
        for what, server, words in ways:
            if server:
                with two_processors(server):
                    rounds[what].append(talk(*words)[:3])
    for what, took in rounds.items():
        calls, median, most = (statistics.median(column) for column in zip(*took))
        row(what, f"{calls:,.0f}", f"median {median:.1f} µs, 99th percentile {most:.1f} µs")


def redis():
    """Nothing where it is not installed."""
    if not shutil.which("redis-server"):
        return contextlib.nullcontext()
    words = ["redis-server", "--port", "0", "--unixsocket", FOLDER / "redis", "--save", ""]
    return served("eady to accept", *words)


@contextlib.contextmanager
def served(ready, *words):
    with subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, text=True) as server:
        next(line for line in server.stdout if ready in line)
        try:
            yield server
        finally:
            server.terminate()


def measure_flood(home, asked):
    talk("flood", home.socket, 1_000, asked)
    before, _ = home.megabytes()
    rate = talk("flood", home.socket, MILLION, asked)[0]
    after, _ = home.megabytes()
    row("  a hundred at a time", f"{rate:,.0f}", "", "", "> 120,000")
    row(f"resident after {MILLION:,} calls", f"{after:.1f} MB", f"after the first thousand {before:.1f} MB",
        times(after, before), "within 2 MB")


def measure_watchers():
    """How long after a change is durable those who watch have it: the daemon notes when its last fdatasync returned."""
    durable = FOLDER / "durable"
    durable.write_bytes(bytes(8))
    home = Home("watched", schedule(FEW))
    home.start({"LD_PRELOAD": str(FOLDER / "durable.so"), "DURABLE": str(durable)})
    for watchers in (1, 100):
        told = talk("watch", home.socket, CHANGES, watchers, durable)
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
    home = Home("attacked", schedule(FEW))
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
