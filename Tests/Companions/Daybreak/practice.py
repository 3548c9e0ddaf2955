"""A practice for tests, in the place of ssh, ssh-keygen, ssh-keyscan and systemctl: answers as org.daybreak.Care does, and
other calls as `replies` say. It keeps its state in the folder PRACTICE."""
import json, os, subprocess, sys, time

# The first argument is the program that it stands in for.
name = sys.argv.pop(1)
folder = os.environ["PRACTICE"]


def path(file):
    return os.path.join(folder, file)


def state():
    with open(path("state.json")) as file:
        return json.load(file)


def keep(changed):
    with open(path("state.new"), "w") as file:
        json.dump(changed, file)
    os.rename(path("state.new"), path("state.json"))


def log(line):
    with open(path("log"), "a") as file:
        file.write(line + "\n")


def fail(sentence, status=255):
    sys.stderr.write(sentence + "\n")
    sys.exit(status)


def send(message):
    sys.stdout.buffer.write(json.dumps(message, ensure_ascii=False).encode() + b"\0")
    sys.stdout.buffer.flush()


def news(now, revision):
    told = dict(now["news"])
    told["shares"] = now["shares"]
    if told["revision"] and told["revision"] != revision:
        told["schedule"] = now["schedule"]
    return {"news": told}


def answer(call):
    now = state()
    method = call["method"].split(".")[-1]
    given = call.get("parameters", {})
    log(method)
    if method in now.get("lost", []):
        fail("The line is cut.")
    if method in now.get("errors", {}):
        now.setdefault("given", {})[method] = given
        keep(now)
        return now["errors"][method]
    if method in now.get("replies", {}):
        now.setdefault("given", {})[method] = given
        keep(now)
        return {"parameters": now["replies"][method]}
    if method == "Profile":
        return {"parameters": dict(now["profile"], shares=now["shares"])}
    if method == "SetShares":
        now["shares"] = given["shares"]
        keep(now)
        return {"parameters": {}}
    if method == "GiveFeedback":
        now["feedback"] = given
        keep(now)
        return {"parameters": {}}
    if method == "Report":
        heard = now["heard"].setdefault(given["device"], [])
        for happening in given["happenings"]:
            if not heard or happening["sequence"] > heard[-1]["sequence"]:
                heard.append(happening)
                now["taken"].append(happening)
        keep(now)
        last = heard[-1] if heard else None
        return {"parameters": {"heard": last["sequence"], "heardID": last["id"]} if last else {"heard": 0}}
    return {"error": "org.varlink.service.MethodNotFound", "parameters": {"method": call["method"]}}


def follow(call):
    log("Follow")
    revision, told = call.get("parameters", {}).get("revision"), None
    # Until the test kills it, or the link closes its input.
    import select
    while True:
        fresh = news(state(), revision)
        if fresh != told:
            told = fresh
            send({"parameters": fresh, "continues": True})
            revision = fresh["news"]["revision"]
        if select.select([sys.stdin], [], [], 0.02)[0] and not os.read(0, 1):
            return


def varlink():
    rest = b""
    while True:
        while b"\0" not in rest:
            more = os.read(0, 65536)
            if not more:
                return
            rest += more
        frame, rest = rest.split(b"\0", 1)
        call = json.loads(frame)
        if call["method"].endswith(".Follow"):
            return follow(call)
        send(answer(call))


if name == "ssh":
    log("ssh " + " ".join(sys.argv[1:]))
    now = state()
    if "banner" in now:
        sys.stderr.write(now["banner"] + "\n")
        sys.stderr.flush()
    if now["trouble"]:
        fail(now["trouble"])
    if "silent" in now:
        # Accepts, and never answers. It outlives its input, as ssh does while the practice keeps the line.
        while True:
            time.sleep(1)
    if sys.argv[-1] == "redeem":
        word = sys.stdin.readline().strip()
        if now["redeemed"] or word != now["word"]:
            fail("There is no such invitation.", 1)
        now["redeemed"] = True
        # Carried out, and nobody hears of it.
        cut = now.pop("cut", None)
        now["trouble"] = cut or ""
        keep(now)
        if cut is not None:
            fail("Connection closed.")
        print(json.dumps({"person": "p3"}))
    elif not now["redeemed"]:
        fail("This key is nobody's yet.", 1)
    else:
        varlink()
elif name == "ssh-keyscan":
    print("clinic.example ssh-ed25519 " + state()["hostKey"])
elif name == "systemctl":
    log("systemctl " + " ".join(sys.argv[1:]))
