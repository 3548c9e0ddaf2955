"""A line to a practice for tests, in the place of ssh: carries the frames between a companion and the practice's socket, for
one person of a made-up practice. The file FOLDER/fault says what goes wrong at one call, and how often. FOLDER/slow makes the
line slow as long as it is there: with "hold" nothing gets through, with "piece" and "pause" what comes back arrives in pieces of
so many bytes, so many seconds apart."""
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
        more = line.recv(1)
        if not more:
            sys.exit(255)
        frame += more
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


def slowness():
    try:
        with open(os.path.join(folder, "slow")) as text:
            return json.load(text)
    except FileNotFoundError:
        return {}


def forward(frame):
    """What the companion gets at once, without the practice."""
    told = fault(json.loads(frame)["method"])
    how = told["how"] if told else None
    if how == "lost before":
        sys.exit(255)
    if how == "refused":
        reply = json.dumps({"error": told["error"], "parameters": told["parameters"]}).encode() + b"\0"
        return reply
    if how == "meanwhile":
        ask(connect(told["as"]), told["call"])
    practice.sendall(frame + b"\0")
    if how == "lost after":
        answer(practice)
        sys.exit(255)


practice = connect(person)
frames, replies, rest = [], b"", b""
while True:
    slow = slowness()
    isHeld = slow.get("hold", False)
    if not isHeld:
        for frame in frames:
            replies += forward(frame) or b""
        frames = []
        if replies:
            replies = replies[os.write(1, replies[:slow.get("piece", len(replies))]):]
    wait = 0.01 if isHeld else slow.get("pause", 0) if replies else None
    readable = select.select([0, practice], [], [], wait)[0]
    if 0 in readable:
        more = os.read(0, 65536)
        if not more:
            sys.exit(0)
        *whole, rest = (rest + more).split(b"\0")
        frames += whole
    if practice in readable:
        more = practice.recv(65536)
        if not more:
            while replies:
                replies = replies[os.write(1, replies):]
            sys.exit(255)
        replies += more
