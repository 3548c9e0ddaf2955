"""What clumsy and hostile clients do to a control socket. Each attack ends with its sockets closed."""

import array
import contextlib
import os
import resource
import socket

PRESENCE = b'{"method":"org.daybreak.Provider.Presence"}\0'
LIST = b'{"method":"org.daybreak.Homework.List","parameters":{"all":true}}\0'


@contextlib.contextmanager
def connected(path, count=1):
    clients = [socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) for _ in range(count)]
    try:
        for client in clients:
            client.settimeout(5)
            client.connect(path)
        yield clients[0] if count == 1 else clients
    finally:
        for client in clients:
            client.close()


def heard(client):
    """Everything until the daemon closes the connection, or says nothing for a while."""
    with contextlib.suppress(OSError):
        while client.recv(1 << 20):
            pass


def send(path, data):
    with connected(path) as client, contextlib.suppress(OSError):
        client.sendall(data)
        client.shutdown(socket.SHUT_WR)
        heard(client)


def call(parameters):
    return b'{"method":"org.daybreak.Provider.SetPresence","parameters":' + parameters + b"}\0"


def never_reads(path):
    with connected(path) as client:
        client.setblocking(False)
        with contextlib.suppress(OSError):
            while True:
                client.send(LIST * 100)


def watcher_never_reads(path):
    with connected(path, 2) as (watcher, caller):
        watcher.sendall(b'{"method":"org.daybreak.Homework.GetStatus","more":true}\0')
        steps = b"".join(b'{"method":"org.daybreak.Homework.%s"}\0' % name for name in (b"Start", b"Cancel"))
        for _ in range(500):
            caller.sendall(steps)
            replies = 0
            while replies < 2:
                replies += caller.recv(1 << 16).count(0)


def opened_and_left(path):
    for _ in range(1_000):
        with connected(path):
            pass


def a_thousand(path):
    with contextlib.suppress(OSError), connected(path, 1_000):
        pass


def drip(path):
    with connected(path) as client:
        for byte in PRESENCE[:-1]:
            client.sendall(bytes([byte]))


def half_closed(path):
    with connected(path, 50) as clients:
        for client in clients:
            client.shutdown(socket.SHUT_WR)


def reset(path):
    """Gone without reading what it asked for: to the daemon the connection is reset."""
    for _ in range(100):
        with connected(path) as client:
            client.sendall(PRESENCE * 10)


def descriptors_along(path):
    with connected(path) as client:
        sent = array.array("i", [1] * 200)
        for _ in range(50):
            client.sendmsg([PRESENCE], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, sent)])
            client.recv(1 << 16)


def more_flood(path):
    watch = b'{"method":"org.daybreak.Homework.GetStatus","more":true}\0'
    with connected(path, 100) as clients:
        for client in clients:
            client.sendall(watch * 20)
        for client in clients:
            client.recv(1 << 16)


def without_descriptors(path, process):
    free = len(os.listdir(f"/proc/{process}/fd"))
    before = resource.prlimit(process, resource.RLIMIT_NOFILE)
    resource.prlimit(process, resource.RLIMIT_NOFILE, (free + 5, before[1]))
    try:
        with contextlib.suppress(OSError), connected(path, 50) as clients:
            heard(clients[-1])
    finally:
        resource.prlimit(process, resource.RLIMIT_NOFILE, before)


BYTES = {
    "no UTF-8": b'{"method":"\xff\xfe"}\0',
    "no JSON": b"GET / HTTP/1.1\r\n\r\n\0",
    "no object": b"[1,2,3]\0",
    "duplicate keys": b'{"method":"a.b","method":"a.b"}\0',
    "1e400": call(b'{"online":true,"forSeconds":1e400}'),
    "-0": call(b'{"online":true,"forSeconds":-0}'),
    "2^63": call(b'{"online":true,"forSeconds":9223372036854775808}'),
    "a deep nest": call(b'{"online":' + b"[" * 60_000 + b"}"),
    "a thousand keys": b"{" + b",".join(b'"k%d":1' % number for number in range(1_000)) + b"}\0",
    "a frame without end": b"x" * 1_000_000,
    "an overlong frame": b" " * 70_000 + PRESENCE,
    "an overlong import": b'{"method":"org.daybreak.Homework.Import","parameters":{"schedule":"' + b" " * 34_000_000,
    "ten thousand empty frames": b"\0" * 10_000,
    "half a frame": PRESENCE[:20],
    "a oneway flood": b'{"method":"org.daybreak.Provider.Presence","oneway":true}\0' * 20_000,
}


def all_of_them(process):
    """The attacks by their names, each to be called with the socket's path."""
    attacks = {name: lambda path, data=data: send(path, data) for name, data in BYTES.items()}
    others = [
        never_reads, watcher_never_reads, opened_and_left, a_thousand, drip, half_closed, reset, descriptors_along,
        more_flood,
    ]
    attacks |= {attack.__name__.replace("_", " "): attack for attack in others}
    return attacks | {"no descriptors": lambda path: without_descriptors(path, process)}
