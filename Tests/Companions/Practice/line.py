"""A line to a practice for tests, in the place of ssh: carries the frames between a companion and the practice's socket, for
one person of a made-up practice. The file FOLDER/fault says what goes wrong at one call, and how often."""
import json, os, select, socket, sys

path, folder, person = sys.argv[1:4]


def connect(who):
    line = socket.socket(socket.AF_UNIX)
    line.connect(path)
    if who != "-":
        ask(line, {"method": "org.daybreak.Upkeep.PlayAs", "parameters": {"who": who}})
    return line


def ask(line, call):
    line.sendall(json.dumps(call).encode() + b"\0")
    return answer(line)


def answer(line):
    frame = b""
    while not frame.endswith(b"\0"):
        frame += line.recv(1)
    return frame


def fault(method):
    """The fault of a call, if it is to have one."""
    file = os.path.join(folder, "fault")
    if not os.path.exists(file):
        return None
    with open(file) as text:
        told = json.load(text)
    if not method.endswith("." + told["method"]):
        return None
    told["times"] -= 1
    if told["times"] <= 0:
        os.unlink(file)
    else:
        with open(file, "w") as text:
            json.dump(told, text)
    return told


def forward(frame):
    told = fault(json.loads(frame)["method"])
    how = told["how"] if told else None
    if how == "lost before":
        sys.exit(255)
    if how == "refused":
        reply = json.dumps({"error": told["error"], "parameters": told["parameters"]}).encode() + b"\0"
        return os.write(1, reply)
    if how == "meanwhile":
        ask(connect(told["as"]), told["call"])
    practice.sendall(frame + b"\0")
    if how == "lost after":
        answer(practice)
        sys.exit(255)


practice = connect(person)
rest = b""
while True:
    readable = select.select([0, practice], [], [])[0]
    if 0 in readable:
        more = os.read(0, 65536)
        if not more:
            sys.exit(0)
        rest += more
        while b"\0" in rest:
            frame, rest = rest.split(b"\0", 1)
            forward(frame)
    if practice in readable:
        more = practice.recv(65536)
        if not more:
            sys.exit(255)
        while more:
            more = more[os.write(1, more):]
