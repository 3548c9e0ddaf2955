"""The table that is printed in the end."""

import os
import platform
import sys

rows = []


def row(what, measured, beside="", ratio="", to_reach=""):
    rows.append((what, measured, beside, ratio, to_reach))
    print(".", end="", file=sys.stderr, flush=True)


def times(a, b):
    return f"{a / b:.2f}" if b else ""


def aim(to_reach, reached, limit):
    """What is to be reached; where it was not, what stands in the way."""
    return to_reach if reached else f"{to_reach}: missed, {limit}"


def show():
    print(file=sys.stderr)
    print(f"{os.cpu_count()} processors, Linux {platform.release()}, load {os.getloadavg()[0]:.1f}; medians of one run.\n")
    table = [("what", "measured", "beside", "ratio", "to reach"), *rows]
    widths = [max(len(line[column]) for line in table) for column in range(5)]
    for line in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
