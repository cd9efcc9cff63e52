#!/usr/bin/env python3
"""Compares one change at the root of 100,000 nodes with the same change in a browser engine.

Runs chromium/tree.html in headless Chromium and the same tree in traitd-bench, one after the other, and
writes docs/performance/chromium.json. Without a browser the script says so and writes nothing.

usage: chromium.py BENCH
"""

import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import machine  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent
TARGET = FOLDER.parents[2] / "docs/performance/chromium.json"
BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
NODES = 100_000
ROUNDS = 15
READERS = [1, 1_000]
RATIO_MIN = 500
BROWSER_SECONDS_MAX = 240


def browse(browser, profile):
    command = [
        browser, "--headless", "--disable-gpu", f"--user-data-dir={profile}", "--dump-dom",
        f"{(FOLDER / 'chromium/tree.html').as_uri()}?nodes={NODES}&rounds={ROUNDS}",
    ]
    # Its sandbox refuses to start for root; the page is our own.
    if os.geteuid() == 0:
        command.insert(1, "--no-sandbox")
    page = subprocess.run(
        command, check=True, text=True, timeout=BROWSER_SECONDS_MAX,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ).stdout
    found = re.search(r"RESULTS(\{.*\})END", page)
    if not found:
        sys.exit("chromium: the page gave no results")
    results = json.loads(found.group(1))
    if "error" in results or not results["rendered"]:
        sys.exit(f"chromium: {results.get('error', 'the elements were not rendered')}")
    return results


def measure_engine(bench, folder):
    path = pathlib.Path(folder) / "styled.json"
    subprocess.run(
        [bench, "--filter", "commit.styled", "--json", str(path)], check=True,
        stdout=subprocess.DEVNULL, timeout=300,
    )
    report = json.loads(path.read_text(encoding="utf-8"))
    return {one["registrations"]: one for one in report["measurements"]}


def spread(values):
    quartiles = statistics.quantiles(values, n=4, method="inclusive")
    return {
        "unit": "µs", "median": round(quartiles[1]), "min": round(min(values)),
        "p25": round(quartiles[0]), "p75": round(quartiles[2]), "max": round(max(values)),
        "repetitions": len(values),
    }


def main(bench):
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if browser is None:
        print(f"chromium: skipped, none of {', '.join(BROWSERS)} is installed")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        results = browse(browser, pathlib.Path(folder) / "profile")
        engine = measure_engine(bench, folder)
    version = re.search(r"HeadlessChrome/([\d.]+)|Chrome/([\d.]+)", results["browser"])
    rows = []
    for readers in READERS:
        theirs = spread(results["microseconds"][str(readers)])
        ours = {key: engine[readers][key] for key in theirs}
        rows.append({
            "nodes": NODES, "readers": readers, "chromium": theirs, "engine": ours,
            "ratio": round(theirs["median"] / ours["median"]),
        })
        print(f"{readers:>5} readers of {NODES} elements: Chromium {theirs['median'] / 1000:.1f} ms,"
              f" traitd {ours['median']:.1f} µs, {rows[-1]['ratio']} times faster")
    ratio = rows[-1]["ratio"]
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(json.dumps({
        "machine": machine.describe(), "browser": "Chromium " + next(filter(None, version.groups())),
        "comparisons": rows,
        "bars": [{
            "title": "100,000 nodes, 1,000 notified: times faster than Chromium's styles",
            "target": RATIO_MIN, "measured": ratio, "unit": "ratio", "bound": "at least",
            "holds": ratio >= RATIO_MIN,
        }],
    }, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
