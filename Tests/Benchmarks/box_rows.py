"""The daemon under a real systemd, where this machine can have one: see `Tests/Box/box`."""

import base64
import datetime
import json
import math
import pathlib
import statistics
import subprocess
import time

from home import FOLDER, NOON, PROGRAMS, QUICK, proc_status, schedule, wake_ups
from table import aim, row, times

BOX = pathlib.Path(__file__).parent.parent / "Box" / "box"
MIDNIGHTS = 2 if QUICK else 5
TENS = 2 if QUICK else 10
MANY = 10_000


class Box:
    def __init__(self):
        words = [BOX, "boot", "--show", PROGRAMS, "--localtime", f"/usr/share/zoneinfo/{NOON}"]
        self.keeper = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.number = self.keeper.stdout.readline().strip()

    def run(self, line, text=None):
        words = [BOX, "user", self.number, "client", "bash", "-c", line]
        return subprocess.run(words, input=text or "", capture_output=True, text=True, check=True).stdout.strip()

    def root(self, line):
        words = [BOX, "root", self.number, "bash", "-c", line]
        return subprocess.run(words, input="", capture_output=True, text=True, check=True).stdout.strip()

    def save_schedule(self):
        today = datetime.date.fromisoformat(self.run("date +%F"))
        self.run("mkdir -p ~/.config/daybreak && cat >~/.config/daybreak/tasks.json", schedule(MANY, today))

    def end(self):
        self.keeper.stdin.close()
        self.keeper.wait()


def boot():
    """A box in which the daemon runs since now, beside systemd, its bus and cron; None where there can be none."""
    possible = subprocess.run([BOX, "possible"], capture_output=True, text=True)
    if possible.returncode != 0:
        row("under systemd", possible.stdout.strip())
        return None
    box = Box()
    box.save_schedule()
    box.run("/srv/daybreak/systemd/install --from /srv/show")
    box.root("type -P cron >/dev/null && rm -rf /etc/cron.* /etc/crontab /var/spool/cron/crontabs/* && cron || true")
    time.sleep(1)
    return box


OTHERS = {
    "daybreakd": "pgrep -u client -x daybreakd", "systemd --user": "pgrep -u client -x systemd",
    "dbus-daemon": "pgrep -u client -x dbus-daemon", "cron": "pgrep -u root -x cron",
}


def statuses(box):
    """What /proc says of each that runs there; systemd starts a user's bus when it is first asked for."""
    box.run("busctl --user list >/dev/null")
    found = {name: box.root(f"cat /proc/$({find} | head -n 1)/status 2>/dev/null || true") for name, find in OTHERS.items()}
    return {name: text for name, text in found.items() if text}


def memory_beside(box, resident, anonymous):
    """Ours, with ten years in it, beside what runs for every user anyway."""
    for name, text in statuses(box).items():
        if name != "daybreakd":
            theirs = [proc_status(0, key, text) / 1024 for key in ("VmRSS", "RssAnon")]
            row(f"  beside {name}", f"{resident:.1f}, {anonymous:.1f} MB", f"{theirs[0]:.1f}, {theirs[1]:.1f} MB",
                times(resident, theirs[0]))
    if "cron" not in statuses(box):
        row("  beside cron", "cron is missing: apt install cron")


def idle(before, after, seconds):
    for name, text in after.items():
        to_reach = "the watchdog's" if name == "daybreakd" else ""
        count = wake_ups(text) - wake_ups(before[name])
        row(f"wake-ups in {seconds} s of idling, {name} under systemd", str(count), "", "", to_reach)


def begin_minutes(box):
    """From now on a line of cron's is logged at each full minute, which is to cron what midnight is: it knows no finer time."""
    box.root("echo '* * * * * root /usr/bin/logger --tag minute tick' >/etc/crontab")


def minutes(box, own):
    """How long after the minute the journal had cron's line."""
    lines = box.root("journalctl --quiet --output json --identifier minute").splitlines()
    late = [int(json.loads(line)["__REALTIME_TIMESTAMP"]) / 1_000 % 60_000 for line in lines]
    if not late:
        row("  beside cron", "no full minute came" if "cron" in statuses(box) else "cron is missing: apt install cron")
        return
    other = statistics.median(late)
    row(f"  beside cron, its median of {len(late)} minutes", f"{own:.2f} ms", f"cron {other:.0f} ms", times(own, other), "≤ 0.1")


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
    """In zones a second apart, ten daemons at a time; half a second beside each a timer of systemd's that logs a line, and a
    quarter of a second a bare program (`midnight.c`).

    An entry's time is when journald took it in (__REALTIME_TIMESTAMP), the sending's when the kernel was handed the
    datagram (_SOURCE_REALTIME_TIMESTAMP); either is counted from the first instant of the day."""
    units = ".config/systemd/user"
    box.run(f"""mkdir -p ~/{units}
        printf '[Timer]\\nOnCalendar=*:*:0.5/1\\nAccuracySec=1us\\n' >~/{units}/tick.timer
        printf '[Service]\\nType=oneshot\\nExecStart=/bin/echo tick\\n' >~/{units}/tick.service
        systemctl --user daemon-reload && systemctl --user start tick.timer""")
    box.run("base64 -d >~/bare && chmod +x ~/bare", base64.b64encode((FOLDER / "midnight").read_bytes()).decode())
    box.run("systemd-run --user --quiet --unit=bare ~/bare ~/bare.page")
    took = []
    for _ in range(TENS):
        lines = box.run("/srv/daybreak/Tests/Box/midnights 10 ~/.local/bin/daybreakd").splitlines()
        took += [line.split()[:4] for line in lines]
    box.run("systemctl --user stop tick.timer bare.service")
    ticks = box.run("journalctl --user --quiet --output json --user-unit tick.service MESSAGE=tick").splitlines()
    ticked = [(int(json.loads(line)["__REALTIME_TIMESTAMP"]) / 1_000 - 500) % 1_000 for line in ticks]
    entries = box.run("journalctl --user --quiet --output json --identifier bare").splitlines()
    bare = [int(json.loads(line)["__REALTIME_TIMESTAMP"]) / 1_000 % 1_000 - 250 for line in entries]
    ways = [("journal entry", [(int(entered) - int(midnight)) / 1_000 for midnight, _, entered, _ in took], ticked),
            ("the daemon's sending it", [(int(sent) - int(midnight)) / 1_000 for midnight, _, _, sent in took], None)]
    for what, own, beside in ways:
        for name, part in (("median", 0.5), ("99th percentile", 0.99), ("slowest", 1)):
            mine, other, least = share(own, part), share(beside, part) if beside else None, share(bare, part)
            to_reach = aim("≤ 1 ms", mine <= 1, f"a bare program takes {least:.2f} ms") if beside and part == 0.99 else ""
            row(f"midnight to {what}, {len(own)} times: {name}", f"{mine:.2f} ms",
                f"systemd's timer {other:.2f} ms" if other else "", times(mine, other or 0), to_reach)
            if beside:
                row("  beside a bare program in C", f"{mine:.2f} ms", f"{least:.2f} ms", times(mine, least))
        if beside:
            minutes(box, share(own, 0.5))


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
