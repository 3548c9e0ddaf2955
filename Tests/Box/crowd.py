"""Many clients of one therapist, in a box.

crowd.py enrol COUNT THERAPIST   adds clients with a made-up key each, and prints the fingerprints of their keys
crowd.py follow FILE SEEN        as the gate's account, follows for the holder of each key in FILE; writes to SEEN "ready" once all
                                 have had their first news, and when the first and the last of them saw that the therapist is
                                 there, in nanoseconds since 1970
"""

import base64
import hashlib
import json
import os
import select
import socket
import struct
import sys
import time


def connect():
    client = socket.socket(socket.AF_UNIX)
    client.connect("/run/practice/control")
    return client


def send(client, method, parameters, more=False):
    call = {"method": "org.daybreak." + method, "parameters": parameters}
    if more:
        call["more"] = True
    client.sendall(json.dumps(call).encode() + b"\0")


def ask(client, method, parameters):
    send(client, method, parameters)
    heard = b""
    while not heard.endswith(b"\0"):
        heard += client.recv(65536)
    answer = json.loads(heard[:-1])
    if "error" in answer:
        sys.exit(f"{method}: {answer}")
    return answer["parameters"]


def enrol(count, therapist):
    root = connect()
    for number in range(count):
        client = ask(root, "Records.AddClient", {"name": f"Client {number}", "thanatologist": therapist})["client"]
        blob = b"".join(struct.pack(">I", len(part)) + part for part in (b"ssh-ed25519", os.urandom(32)))
        line = "ssh-ed25519 " + base64.b64encode(blob).decode()
        ask(root, "Practice.AddKey", {"person": client["id"], "publicKey": line})
        print("SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("="))


def follow(keys, seen):
    poll, clients, heard = select.epoll(), {}, {}
    for key in keys:
        client = connect()
        ask(client, "Gate.Enter", {"fingerprint": key, "through": "192.0.2.1"})
        send(client, "Care.Follow", {"device": "d"}, more=True)
        poll.register(client, select.EPOLLIN)
        clients[client.fileno()], heard[client.fileno()] = client, b""
    waiting, first, ready = set(clients), None, False
    while waiting:
        for number, _ in poll.poll():
            heard[number] += clients[number].recv(65536)
            if not heard[number]:
                sys.exit("a client was cut")
            while b"\0" in heard[number]:
                news, heard[number] = heard[number].split(b"\0", 1)
                news = json.loads(news)["parameters"]["news"]
                if ready and news["available"]:
                    first = first or time.time_ns()
                    waiting.discard(number)
                elif not ready:
                    waiting.discard(number)
        if not waiting and not ready:
            waiting, ready = set(clients), True
            seen.write("ready\n")
            seen.flush()
    seen.write(f"{first} {time.time_ns()}\n")
    seen.flush()
    time.sleep(3600)


if sys.argv[1] == "enrol":
    enrol(int(sys.argv[2]), sys.argv[3])
else:
    with open(sys.argv[2]) as file, open(sys.argv[3], "w") as seen:
        follow(file.read().split(), seen)
