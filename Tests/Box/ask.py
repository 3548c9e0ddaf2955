"""Asks a Varlink service: `ask.py SOCKET METHOD PARAMETERS…`, and prints each answer on a line of its own."""

import json
import socket
import sys

client = socket.socket(socket.AF_UNIX)
client.connect(sys.argv[1])
heard = b""
for method, parameters in zip(sys.argv[2::2], sys.argv[3::2]):
    client.sendall(json.dumps({"method": "org.daybreak." + method, "parameters": json.loads(parameters)}).encode() + b"\0")
    while b"\0" not in heard:
        more = client.recv(65536)
        if not more:
            sys.exit("the connection was ended")
        heard += more
    answer, heard = heard.split(b"\0", 1)
    print(answer.decode())
