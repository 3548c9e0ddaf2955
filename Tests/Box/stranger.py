"""Asks a daemon how things stand, as any program may that reaches its socket: nothing here refuses to ask.

Prints what was answered, `heard nothing` where the connection was ended instead, or the name of the error.
"""

import socket
import sys

heard = b""
try:
    client = socket.socket(socket.AF_UNIX)
    client.connect(sys.argv[1])
    try:
        client.sendall(b'{"method":"org.daybreak.Homework.GetStatus"}\0')
        while not heard.endswith(b"\0") and (more := client.recv(65536)):
            heard += more
    except ConnectionError:
        pass  # It was ended before that was said or heard.
    print(heard.decode().rstrip("\0") or "heard nothing")
except OSError as error:
    print(type(error).__name__)
