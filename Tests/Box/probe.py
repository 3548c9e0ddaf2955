"""Tries, one after the other, what an intruder in the daemon would try, and prints how each attempt ended.

It runs in the daemon's sandbox, in the daemon's place, and prints lines `ATTEMPT: done` or `ATTEMPT: NAME OF THE ERROR`.
Outside, the same user runs `sleep infinity`, the process that the attempts attack.
"""

import ctypes
import errno
import mmap
import os
import pathlib
import signal
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


class Refused(Exception):
    pass


def in_child(attempt):
    """Makes the attempt in a process of its own, which it may stop, replace or kill."""
    child = os.fork()
    if child == 0:
        try:
            attempt()
            os._exit(0)
        except OSError as error:
            os._exit(error.errno)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code < 0:
        raise Refused(signal.Signals(-code).name)
    if code != 0:
        raise OSError(code, "in a child")


def refuse_if(held, number):
    if held:
        raise OSError(number, "held")


def victim():
    """Another process of the same user."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        if (process / "cmdline").read_bytes().endswith(b"sleep\0infinity\0") and process.stat().st_uid == os.getuid():
            return process
    raise OSError(errno.ESRCH, "no such process")


def read_memory():
    """Reads at an invalid address: a caller with the right gets EFAULT."""
    vector = (ctypes.c_size_t * 2)(0, 8)
    try:
        system_call(310, int(victim().name), vector, 1, vector, 1, ctypes.c_long(0))
    except OSError as error:
        refuse_if(error.errno != errno.EFAULT, error.errno)


def run_from_memory():
    program = os.memfd_create("program")
    os.write(program, pathlib.Path("/bin/true").read_bytes())
    in_child(lambda: os.execve(program, ["true"], {}))


def map_what_was_written():
    with open(state / "program", "rb") as program:
        mmap.mmap(program.fileno(), 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC, flags=mmap.MAP_PRIVATE).close()


def open_to_others():
    draft = state / "probe"
    os.close(os.open(draft, os.O_CREAT | os.O_WRONLY, 0o666))
    mode = draft.stat().st_mode
    draft.unlink()
    refuse_if(mode & 0o077 == 0, errno.EACCES)


def limit(name):
    lines = pathlib.Path("/proc/self/limits").read_text().splitlines()
    return next(line for line in lines if line.startswith(name)).split()[-2]


def status(name):
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(line for line in lines if line.startswith(name + ":")).split()[-1]


def connect(path):
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(path)


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


def ask_the_bus(path, interface, member, signature=None, *arguments):
    """The service manager, on the session bus."""
    sys.path += map(str, pathlib.Path(__file__).parents[2].glob(".build/tests-venv/lib/python3*/site-packages"))
    from jeepney import DBusAddress, MessageType, new_method_call
    from jeepney.io.blocking import open_dbus_connection

    manager = DBusAddress(
        "/org/freedesktop/systemd1" + path, "org.freedesktop.systemd1", "org.freedesktop.systemd1." + interface
    )
    with open_dbus_connection(os.environ.get("DBUS_SESSION_BUS_ADDRESS", f"unix:path={runtime}/bus")) as bus:
        answer = bus.send_and_get_reply(new_method_call(manager, member, signature, arguments), timeout=10)
    if answer.header.message_type is MessageType.error:
        raise Refused(answer.header.fields[4].split(".")[-1])


def run_by_the_manager():
    command = ("ExecStart", ("a(sasb)", [("/bin/true", ["true"], False)]))
    ask_the_bus("", "Manager", "StartTransientUnit", "ssa(sv)a(sa(sv))", "probe.service", "fail", [command], [])


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
    "reach the system's bus": lambda: connect("/run/dbus/system_bus_socket"),
    "reach shared memory by its key": lambda: call("shmget", 0x4242, 64, 0),
    "trace": lambda: in_child(lambda: call("ptrace", 0, 0, 0, 0)),
    "attach to another process": lambda: in_child(lambda: call("ptrace", 0x4206, int(victim().name), 0, 0)),
    "read another process's memory": read_memory,
    "write another process's memory": lambda: os.close(os.open(victim() / "mem", os.O_RDWR)),
    "read another process's environment": lambda: read(victim() / "environ"),
    "look through another process's root": lambda: os.listdir(victim() / "root/home"),
    "become root": lambda: os.setresuid(0, 0, 0),
    "become somebody else": lambda: os.setresuid(1, 1, 1),
    "make a user namespace": lambda: call("unshare", 0x1000_0000),
    "mount": lambda: call("mount", b"none", b"/tmp", b"tmpfs", 0, None),
    "make a file setuid": setuid_file,
    "write memory and execute it": executable_memory,
    "map what was written as executable": map_what_was_written,
    "execute from memory": run_from_memory,
    "execute a shell": lambda: subprocess.run(["/bin/sh", "-c", ""], check=True),
    "execute what was written": lambda: subprocess.run([str(state / "program")], check=True),
    "have the service manager execute a program": run_by_the_manager,
    "have it start another unit": lambda: ask_the_bus("/unit/basic_2etarget", "Unit", "Start", "s", "replace"),
    "have it reload": lambda: ask_the_bus("", "Manager", "Reload"),
    "ask it for the one unit's state": lambda: ask_the_bus(
        "", "Manager", "GetUnitFileState", "s", "daybreak-start.service"
    ),
    "execute a helper": lambda: subprocess.run(["/usr/lib/systemd/systemd", "--version"], check=True, stdout=-3),
    "gain by a setuid program": lambda: refuse_if(status("NoNewPrivs") == "1", errno.EPERM),
    "another architecture's system call": lambda: in_child(lambda: system_call(0x4000_0000 + 39)),
    "write a file that others may read": open_to_others,
    "leave a core dump": lambda: refuse_if(limit("Max core file size") == "0", errno.EFBIG),
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
    "see how the machine is": lambda: read(pathlib.Path("/proc/meminfo")),
}

for what, attempt in tries.items():
    try:
        attempt()
        print(f"{what}: done")
    except OSError as error:
        print(f"{what}: {errno.errorcode.get(error.errno, error.errno)}")
    except Refused as error:
        print(f"{what}: {error}")
    except (ValueError, subprocess.SubprocessError, StopIteration) as error:
        print(f"{what}: {type(error).__name__}")
