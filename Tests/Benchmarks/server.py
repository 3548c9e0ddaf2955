"""A server of PostgreSQL for the benchmarks, as Debian sets one up, which is thrown away at the end."""

import os
import pathlib
import pwd
import re
import shutil
import subprocess

from home import Missing

PROGRAMS = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
OWNER, DAEMON = "practice_owner", "practice_daemon"
# Of a machine for a practice of that size; all else is PostgreSQL's default, so each commit waits for the disk.
SETTINGS = {"shared_buffers": "1GB", "max_wal_size": "4GB", "max_connections": "200", "wal_level": "minimal", "max_wal_senders": "0"}


def possible():
    """The reason why there is no server here; empty if there is one."""
    return "" if PROGRAMS else "PostgreSQL is not installed"


class Server:
    """Its folder, and the server in it. In a `with` statement, both end with it."""

    def __init__(self, folder, kept=False):
        self.path, self.kept, self.process = pathlib.Path(folder), kept, None
        self.path.mkdir(parents=True, exist_ok=True)
        self.user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        if self.user:
            os.chown(self.path, self.user.pw_uid, self.user.pw_gid)
        if not (self.path / "data").exists():
            self.program("initdb", "--pgdata", "data", "--username", "postgres", "--auth", "trust", "--encoding", "UTF8",
                         "--locale", "C")
            self.start()
            for role in OWNER, DAEMON:
                self.sql("postgres", f"CREATE ROLE {role} LOGIN")
            self.stop()

    def program(self, name, *words):
        own = dict(user=self.user.pw_uid, group=self.user.pw_gid, extra_groups=[]) if self.user else {}
        done = subprocess.run([PROGRAMS[-1] / name, *words], cwd=self.path, capture_output=True, text=True, **own)
        if done.returncode != 0:
            raise Missing(f"{name}: {done.stderr.strip()[-500:]}")
        return done.stdout

    def start(self, **settings):
        """Starts it, with these settings besides."""
        own = dict(user=self.user.pw_uid, group=self.user.pw_gid, extra_groups=[]) if self.user else {}
        settings = SETTINGS | settings | {"listen_addresses": "", "unix_socket_directories": str(self.path)}
        with open(self.path / "log", "a") as log:
            self.process = subprocess.Popen(
                [PROGRAMS[-1] / "postgres", "-D", "data", *(f"--{name}={value}" for name, value in settings.items())],
                cwd=self.path, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **own)
        for _ in range(600):
            if subprocess.run([PROGRAMS[-1] / "pg_isready", "-q", "-h", self.path, "-t", "1"]).returncode == 0:
                return
            if self.process.poll() is not None:
                break
        raise Missing(f"PostgreSQL did not start: {(self.path / 'log').read_text()[-500:]}")

    def stop(self):
        """Ends it with a checkpoint."""
        if self.process:
            self.process.send_signal(2)
            self.process.wait()
        self.process = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        if not self.kept:
            shutil.rmtree(self.path)

    def psql(self, database, role="postgres"):
        return [PROGRAMS[-1] / "psql", "-X", "-A", "-t", "-h", self.path, "-U", role, database]

    def sql(self, database, text, role="postgres"):
        done = subprocess.run([*self.psql(database, role), "-v", "ON_ERROR_STOP=1", "-c", text], capture_output=True, text=True)
        if done.returncode != 0:
            raise Missing(f"psql: {done.stderr.strip()[-500:]}")
        return done.stdout.strip()

    def make(self, database):
        self.sql("postgres", f"CREATE DATABASE {database} OWNER {OWNER}")

    def address(self, database, role):
        return f"postgresql:///{database}?host={self.path}&user={role}"

    def measure(self, database, script, count=None, seconds=None, clients=1):
        """What pgbench reaches with a script: scripts a second, and the milliseconds of one."""
        (self.path / "script.sql").write_text(script)
        amount = ["-t", str(count)] if count else ["-T", str(seconds)]
        said = subprocess.run(
            [PROGRAMS[-1] / "pgbench", "-n", "-M", "prepared", "-f", self.path / "script.sql", "-h", self.path, "-U", DAEMON,
             "-c", str(clients), "-j", str(min(2, clients)), *amount, database], capture_output=True, text=True)
        found = [re.search(pattern, said.stdout) for pattern in (r"tps = ([\d.]+)", r"latency average = ([\d.]+) ms")]
        if said.returncode != 0 or not all(found):
            raise Missing(f"pgbench: {said.stderr.strip()[-500:]}")
        return tuple(float(each[1]) for each in found)
