"""Does, one after the other, what somebody would who has taken the daemon over, and says of each how it ended.

Run in the daemon's sandbox, in place of it. Prints lines `what it tried: done` or `what it tried: NAME OF THE ERROR`.
"""

import ctypes
import errno
import mmap
import os
import pathlib
import socket
import stat
import subprocess
import sys

home, runtime, neighbour = map(pathlib.Path, sys.argv[1:4])
state = pathlib.Path(sys.argv[4])
libc = ctypes.CDLL(None, use_errno=True)


def call(name, *arguments):
    if getattr(libc, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), name)


def system_call(number, *arguments):
    if libc.syscall(number, *arguments) == -1:
        raise OSError(ctypes.get_errno(), str(number))


def read(path):
    path.read_bytes()


def write(folder):
    draft = folder / "probe"
    draft.write_text("written")
    draft.unlink()


def trace():
    """In a child, which would stop at its next signal."""
    child = os.fork()
    if child == 0:
        os._exit(ctypes.get_errno() if libc.ptrace(0, 0, 0, 0) == -1 else 0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code != 0:
        raise OSError(code, "ptrace")


def abstract_socket():
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect("\0" + pathlib.Path("/etc/machine-id").read_text())


def setuid_file():
    draft = state / "probe"
    draft.touch()
    try:
        draft.chmod(0o4755)
        assert draft.stat().st_mode & stat.S_ISUID
    finally:
        draft.unlink()


def executable_memory():
    mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE | mmap.PROT_EXEC).close()


def own_group():
    return "/sys/fs/cgroup" + pathlib.Path("/proc/self/cgroup").read_text().split(":")[-1].strip()


tries = {
    "read a neighbour's letter": lambda: read(neighbour / "letter"),
    "read one's own letter": lambda: read(home / "letter"),
    "read one's own key": lambda: read(home / ".ssh/id"),
    "read the settings": lambda: read(home / ".config/daybreak/daybreak.toml"),
    "write the history's folder": lambda: write(state),
    "write the status file's folder": lambda: write(runtime / "daybreak"),
    "write the settings": lambda: write(home / ".config/daybreak"),
    "write beside the history": lambda: write(state.parent),
    "write at home": lambda: write(home),
    "write in the runtime folder": lambda: write(runtime),
    "write elsewhere": lambda: write(pathlib.Path("/var/open")),
    "write the libraries": lambda: write(pathlib.Path("/usr/lib")),
    "write shared memory": lambda: write(pathlib.Path("/dev/shm")),
    "write the control groups": lambda: os.mkdir(own_group() + "/probe"),
    "open a device": lambda: os.close(os.open("/dev/box", os.O_RDONLY)),
    "open an IPv4 socket": lambda: socket.socket(socket.AF_INET).close(),
    "open an IPv6 socket": lambda: socket.socket(socket.AF_INET6).close(),
    "open a netlink socket": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close(),
    "reach an abstract socket": abstract_socket,
    "trace": trace,
    "become root": lambda: os.setresuid(0, 0, 0),
    "become somebody else": lambda: os.setresuid(1, 1, 1),
    "make a user namespace": lambda: call("unshare", 0x1000_0000),
    "mount": lambda: call("mount", b"none", b"/tmp", b"tmpfs", 0, None),
    "make a file setuid": setuid_file,
    "write memory and execute it": executable_memory,
    "execute a shell": lambda: subprocess.run(["/bin/sh", "-c", ""], check=True),
    "execute what was written": lambda: subprocess.run([str(state / "program")], check=True),
    "real-time priority": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
    "another personality": lambda: call("personality", 0x0040000),
    "set the clock": lambda: __import__("time").clock_settime(0, 0),
    "name the host": lambda: socket.sethostname("mine"),
    "read the kernel's log": lambda: call("klogctl", 3, ctypes.create_string_buffer(64), 64),
    "use the keyring": lambda: system_call(250, 0, -3, 0),
    "make an io_uring": lambda: system_call(425, 1, ctypes.create_string_buffer(120)),
    "lock memory": lambda: call("mlock", ctypes.create_string_buffer(64), 64),
    "change the priority": lambda: os.setpriority(os.PRIO_PROCESS, 0, 19),
    "set the user, even to oneself": lambda: os.setresuid(os.getuid(), os.getuid(), os.getuid()),
    "signal another process": lambda: os.kill(os.getppid() or 1, 0),
    "see what others run": lambda: read(pathlib.Path("/proc/1/cmdline")),
}

for what, attempt in tries.items():
    try:
        attempt()
        print(f"{what}: done")
    except OSError as error:
        print(f"{what}: {errno.errorcode.get(error.errno, error.errno)}")
    except (ValueError, subprocess.SubprocessError, StopIteration) as error:
        print(f"{what}: {type(error).__name__}")
