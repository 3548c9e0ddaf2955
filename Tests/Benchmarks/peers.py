"""What a person would use instead, with the same tasks in it. Debian's packages; where one is missing its row says so."""

import calendar
import datetime
import os
import shutil
import statistics
import uuid

from home import FOLDER, NOON, PROGRAMS, ZONE, process_milliseconds


class Peer:
    """One way to see the tasks of the day; `command` is nil where it is not installed."""

    def __init__(self, name, package, command=None, environment=None):
        self.name = name
        self.command = command
        self.environment = environment or {}
        self.missing = f"{name} is missing: apt install {package}"


def folder(name):
    path = FOLDER / name
    path.mkdir(parents=True, exist_ok=True)
    return path


def environment(path):
    return {"HOME": str(path), "TZ": NOON, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}


def taskwarrior(days):
    program = shutil.which("task")
    if not program:
        return Peer("taskwarrior", "taskwarrior")
    path = folder(f"taskwarrior-{len(days)}")
    (path / ".taskrc").write_text(f"data.location={path}\nconfirmation=no\nverbose=nothing\nnews.version=9.9.9\n")
    with open(path / "pending.data", "w") as data:
        for day in days:
            noon = datetime.datetime(day.year, day.month, day.day, 12, tzinfo=ZONE)
            due = calendar.timegm(noon.utctimetuple())
            data.write(f'[description:"5 breaths" due:"{due}" entry:"{due}" status:"pending" uuid:"{uuid.uuid4()}"]\n')
    return Peer("taskwarrior", "taskwarrior", [program, "due:today", "list"], environment(path))


def calcurse(days):
    program = shutil.which("calcurse")
    if not program:
        return Peer("calcurse", "calcurse")
    path = folder(f"calcurse-{len(days)}")
    (path / "apts").write_text("".join(f"{day:%m/%d/%Y} [1] 5 breaths\n" for day in days))
    return Peer("calcurse", "calcurse", [program, "-D", str(path), "-a"], environment(path))


def remind(days):
    program = shutil.which("remind")
    if not program:
        return Peer("remind", "remind")
    path = folder(f"remind-{len(days)}")
    (path / "reminders").write_text("".join(f"REM {day.isoformat()} MSG 5 breaths\n" for day in days))
    return Peer("remind", "remind", [program, str(path / "reminders")], environment(path))


def empty():
    """What nothing takes: `run` builds it as Daybreak is built."""
    program = FOLDER / "empty"
    return Peer("an empty Swift program", "swift", [str(program)] if program.exists() else None)


def ours(home):
    return Peer("daybreak", "", [str(PROGRAMS / "daybreak")], home.environment)


def medians(peers, rounds):
    """Their medians in milliseconds, taken by turns, so that what else the machine does falls on all alike. Whoever is
    slow has fewer turns; the first turn warms up."""
    took = {peer: [] for peer in peers if peer.command}
    for turn in range(rounds + 1):
        for peer, seen in took.items():
            if len(seen) > 3 and sum(seen) > 2_000:
                continue
            one = process_milliseconds(peer.command, peer.environment)
            if turn > 0:
                seen.append(one)
    return {peer: statistics.median(seen) for peer, seen in took.items()}


def task_done(peer):
    """One of its tasks, by its name for ever."""
    line = next(line for line in open(os.path.join(peer.environment["HOME"], "pending.data")) if "pending" in line)
    return [peer.command[0], line.split('uuid:"')[1].split('"')[0], "done"]
