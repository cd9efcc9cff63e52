#!/usr/bin/env python3
"""Counts and times the program of immediate.sh; prints tables.

Counts are of instructions in user space, by the difference of two runs of different length, so that
what happens once cancels out. Times are taken in turn, round by round: a round's ratio compares
what ran side by side, and the median of the ratios is what is shown.

usage: immediate.py FOLDER ROUNDS
"""

import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

# Name, what it is, the two lengths for counting, what a pass is divided by.
CASES = [
    ("resolve", "one trait at a random node", (1000, 3000)),
    ("collect", "all 42 traits at a random node", (300, 900)),
    ("set", "an override that notifies no registration, committed", (500, 1500)),
    ("tell", "an override at the root that notifies 1,000 registrations, committed", (20, 60)),
    ("move", "a subtree of 1,111 to another parent, which notifies 123, committed", (20, 60)),
]
# The engine, and what stands in another tree of the session.
VARIANTS = [
    ("before", "nothing"), ("today", "nothing"), ("today", "scope"), ("today", "key"),
    ("today", "color"),
]


def program(folder, engine):
    return str(folder / engine / ".build/release/immediate")


def instructions(folder, engine, beside, case, count):
    with tempfile.NamedTemporaryFile() as output:
        subprocess.run(
            ["valgrind", "--tool=callgrind", f"--toggle-collect=*hot{case.capitalize()}*",
             f"--callgrind-out-file={output.name}", program(folder, engine), case, str(count),
             beside],
            check=True, capture_output=True, timeout=300,
        )
        text = pathlib.Path(output.name).read_text(encoding="utf-8")
    return int(re.search(r"^(?:summary|totals): (\d+)", text, re.M).group(1))


def counted(folder):
    print("| | before | today | with a scope | with a key | with a colour |")
    print("|---|---:|---:|---:|---:|---:|")
    for case, text, (short, long) in CASES:
        cells = []
        for engine, beside in VARIANTS:
            first, second = (
                instructions(folder, engine, beside, case, count) for count in (short, long))
            cells.append(f"{(second - first) / (long - short):,.0f}")
        print(f"| {text} | " + " | ".join(cells) + " |", flush=True)


def times(folder, engine, beside, repetitions=15):
    answer = subprocess.run(
        [program(folder, engine), "time", str(repetitions), beside], check=True,
        capture_output=True, text=True, timeout=120)
    return {line.split()[0]: float(line.split()[1]) for line in answer.stdout.splitlines()}


def timed(folder, rounds):
    measured = [
        [times(folder, engine, beside) for engine, beside in VARIANTS] for _ in range(rounds)]
    print("| | before | today | today / before | with a scope | with a key | with a colour |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for case, text, _ in CASES:
        def ratio(number, base):
            ratios = [row[number][case] / row[base][case] for row in measured]
            return f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"

        absolute = [statistics.median(row[number][case] for row in measured) for number in (0, 1)]
        print(
            f"| {text} | " + " | ".join(f"{value:,.0f} ns" for value in absolute)
            + f" | {ratio(1, 0)} | " + " | ".join(ratio(number, 1) for number in (2, 3, 4)) + " |",
            flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    counted(pathlib.Path(sys.argv[1]))
    print()
    timed(pathlib.Path(sys.argv[1]), int(sys.argv[2]))
