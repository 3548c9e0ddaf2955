"""Many bridges of the gate at once, in a box: `bridges.py FILE`, as the account that sshd runs the gate as.

Starts `practice-gate enter` for the fingerprint in each line of FILE, and watches the practice over each of them. Prints "ready" once
all have heard it, and once all have ended, their number with each exit status.
"""

import collections
import os
import subprocess
import sys

WATCH = b'{"method":"org.daybreak.Practice.Watch","more":true}\0'
environment = {"SSH_ORIGINAL_COMMAND": "varlink", "SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"}
with open(sys.argv[1]) as file:
    bridges = [
        subprocess.Popen(
            ["/usr/local/bin/practice-gate", "enter", key], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for key in file.read().split()
    ]
for bridge in bridges:
    bridge.stdin.write(WATCH)
    bridge.stdin.flush()
for bridge in bridges:
    heard = b""
    while not heard.endswith(b"\0"):
        byte = os.read(bridge.stdout.fileno(), 1)
        if not byte:
            sys.exit(f"it ended early: {heard}")
        heard += byte
print("ready", flush=True)
ends = collections.Counter(bridge.wait() for bridge in bridges)
print("ended", *(f"{count} with {status}" for status, count in sorted(ends.items())), flush=True)
