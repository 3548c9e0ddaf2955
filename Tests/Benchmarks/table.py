"""The programs to measure, the machine, and the tables in the README."""

import datetime
import os
import pathlib
import platform
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def built():
    """The folder of the programs, built as `systemd/install` builds them."""
    build = ["swift", "build", "--configuration", "release", "--scratch-path", ".build/static", "--static-swift-stdlib",
             "-Xlinker", "-s", "-Xswiftc", "-gnone",
             "-Xswiftc", "-Xfrontend", "-Xswiftc", "-disable-concrete-type-metadata-mangled-name-accessors"]
    for product in ("daybreakd", "daybreak", "practiced", "practice"):
        subprocess.run([*build, "--product", product], cwd=ROOT, check=True, stdout=sys.stderr)
    return subprocess.run([*build, "--show-bin-path"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def machine():
    model = next(line for line in open("/proc/cpuinfo") if line.startswith("model name")).split(":")[1].strip()
    return f"{os.cpu_count()} processors ({model}), Linux {platform.release()}, load {os.getloadavg()[0]:.1f}"


def write(name, heads, rows):
    """Writes a table into the README, between its marks."""
    readme = HERE / "README.md"
    begin, end = f"<!-- {name} begins -->", f"<!-- {name} ends -->"
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads), *("| " + " | ".join(row) + " |" for row in rows)]
    date = f"{datetime.date.today():%d %B %Y}".lstrip("0")
    before, rest = readme.read_text().split(begin)
    table = f"{begin}\nMeasured on {date}: {machine()}.\n\n" + "\n".join(lines) + "\n"
    readme.write_text(before + table + end + rest.split(end)[1])
