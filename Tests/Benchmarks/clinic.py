"""A practice that has grown for some years, in folders of its own, for the benchmarks."""

import datetime
import json
import os
import pathlib
import pwd
import socket
import sqlite3
import subprocess
import threading

from home import Missing, ask, bound, call, listen

WORDS = [one + two for one in (
    "garden", "mourning", "harbour", "letter", "evening", "photograph", "river", "friend", "silence", "winter", "journey",
    "kitchen", "window", "memory", "candle", "forest", "island", "morning", "neighbour", "orchard") for two in (
    "", "s", "ly", "ing", "ed", "er", "less", "ful", "ness", "ward")]
FAMILIES = ["Muñoz", "Ångström", "Vidal", "Smith", "Okafor", "Nguyễn", "García", "Weiß", "Šimić", "Brown"]


class Clinic:
    """Its folders, and practiced in them. In a `with` statement, the daemon ends with it."""

    def __init__(self, folder, programs):
        self.path, self.programs, self.daemon = pathlib.Path(folder), pathlib.Path(programs), None
        for part in ("state", "run"):
            (self.path / part).mkdir(parents=True)
        # Another account reaches the socket.
        for part in (self.path, self.path / "run"):
            part.chmod(0o755)
        self.settings = self.path / "practice.toml"
        self.settings.write_text("[practice]\nname = \"Clinic at the Park\"\ntime_zone = \"UTC\"\n")
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
            [self.programs / "practiced", "--config", self.settings, *options], env=self.environment | {"NOTIFY_SOCKET": path},
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
        daemon = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        daemon.settimeout(120)
        if user is not None and user != os.geteuid():
            os.seteuid(user)
            try:
                daemon.connect(self.socket)
            finally:
                os.seteuid(0)
        else:
            daemon.connect(self.socket)
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
