#!/usr/bin/env python3
"""The rounds behind http.sh: runs the loads, reads what the servers cost, prints the tables and
writes the same figures as JSON.

Cost is the server process's user and system time (/proc/PID/stat) over the requests of a load;
its resolution is a clock tick, so loads of a second or more are needed for it to mean anything.
Loads that differ in connections or pipelining each have a yardstick of their own.

usage: measure.py TRAITD LOOP ROUNDS SECONDS [WORD…]    with words: only loads that have one of them
"""

import json
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True
import machine  # noqa: E402
import report_http  # noqa: E402
import servers  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent
CONNECTIONS = 64

# A label thirteen levels below its scene: what a deep UIKit hierarchy asks for all the time.
NODE = "/v1/sessions/ipad-mail/nodes/message-050.subject"
THREE = f"{NODE}/traits?traits=userInterfaceStyle,displayScale,theme"
OVERRIDE = "/v1/sessions/ipad-mail/nodes/message.quote/overrides/theme"


class Load:
    def __init__(self, name, server, path, yardstick, script=None, connections=CONNECTIONS):
        self.name, self.server, self.path, self.script = name, server, path, script
        self.yardstick, self.connections = yardstick, connections


C, LONE, PIPED = "C epoll loop", "C epoll loop, one connection", "C epoll loop, 16 pipelined"
LOADS = [
    Load(C, "loop", "/", C),
    Load("GET three traits", "traitd", THREE, C),
    Load("GET /livez", "traitd", "/livez", C),
    Load("GET all traits", "traitd", f"{NODE}/traits", C),
    Load("PUT override", "traitd", OVERRIDE, C, "put_override"),
    Load("nginx return 200", "nginx", "/", C),
    Load(LONE, "loop", "/", LONE, connections=1),
    Load("GET /livez, one connection", "traitd", "/livez", LONE, connections=1),
    Load("nginx, one connection", "nginx", "/", LONE, connections=1),
    Load(PIPED, "loop", "/", PIPED, "pipelined"),
    Load("GET three traits, 16 pipelined", "traitd", THREE, PIPED, "pipelined"),
    Load("nginx, 16 pipelined", "nginx", "/", PIPED, "pipelined"),
]


# What a run is held against: the load, the figure that is divided by its yardstick's, and the bound.
BARS = [
    ("GET /livez", "cpu", "at most", 1.15),
    ("GET three traits", "cpu", "at most", 1.35),
    ("GET three traits", "rate", "at least", 0.85),
    ("GET all traits", "cpu", "at most", 1.7),
    ("PUT override", "cpu", "at most", 1.45),
    ("GET /livez, one connection", "rate", "at least", 0.85),
    ("GET three traits, 16 pipelined", "rate", "at least", 0.4),
    ("GET /livez", "p99", "at most", 2),
    ("GET three traits", "p99", "at most", 2),
    ("GET all traits", "p99", "at most", 2),
    ("PUT override", "p99", "at most", 2),
]
FIGURES = {"cpu": "CPU a request", "rate": "requests a second", "p99": "p99"}
CALLS_MAX = 2.1


def bar(title, bound, target, unit, values):
    measured = round(statistics.median(values), 4)
    holds = measured <= target if bound == "at most" else measured >= target
    return {"title": title, "bound": bound, "target": target, "unit": unit,
            "measured": measured, "min": round(min(values), 4), "max": round(max(values), 4),
            "holds": holds}


def bars(rounds, loads, calls):
    named = {load.name: load for load in loads}
    found = [bar(f"{name}: {FIGURES[key]}", bound, target, "ratio",
                 ratios(rounds, named[name], key))
             for name, key, bound, target in BARS if name in named]
    if calls is not None:
        found.append(bar("GET three traits: system calls a request", "at most", CALLS_MAX,
                         "calls", [calls]))
    return found


def system_calls(load, server):
    """Of all threads for each request; None where there is no strace."""
    if shutil.which("strace") is None:
        return None
    log = subprocess.Popen(["strace", "-c", "-f", "-p", str(server.pid)], text=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        output = subprocess.run(
            ["taskset", "-c", "1", "wrk", "-t1", f"-c{load.connections}", "-d2s",
             f"http://127.0.0.1:{server.port}{load.path}"], check=True, text=True,
            capture_output=True, timeout=30).stdout
    finally:
        log.send_signal(signal.SIGINT)
        told = log.communicate(timeout=30)[1]
    total = re.search(r"^\s*100\.00\s+\S+\s+(?:\d+\s+)?(\d+)\s+(?:\d+\s+)?total$", told, re.M)
    requests = int(re.search(r"(\d+) requests in", output).group(1))
    return int(total.group(1)) / requests if total and requests else None


def milliseconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()
    return float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def run(load, server, seconds):
    command = ["taskset", "-c", "1", "wrk", "-t1", f"-c{load.connections}", f"-d{seconds}s",
               "--latency"]
    if load.script:
        command += ["-s", str(FOLDER / f"{load.script}.lua")]
    before = server.cpu_seconds()
    output = subprocess.run(
        [*command, f"http://127.0.0.1:{server.port}{load.path}"], check=True, text=True,
        capture_output=True, timeout=seconds + 30,
    ).stdout
    cost = server.cpu_seconds() - before
    if refused := re.search(r"Non-2xx or 3xx responses: \d+|Socket errors: .*", output):
        sys.exit(f"measure: {load.path}: {refused.group(0)}")
    requests = int(re.search(r"(\d+) requests in", output).group(1))
    return {
        "rate": float(re.search(r"Requests/sec:\s*([\d.]+)", output).group(1)),
        # Of a line of its own: the table above has percentages too.
        "p50": milliseconds(re.search(r"^\s+50%\s+(\S+)\s*$", output, re.M).group(1)),
        "p99": milliseconds(re.search(r"^\s+99%\s+(\S+)\s*$", output, re.M).group(1)),
        "cpu": cost / requests * 1e6,
    }


def ratios(rounds, load, key):
    """Within each round; wrk knows no latencies of pipelined requests and then says zero."""
    pairs = [(one[load.name][key], one[load.yardstick][key]) for one in rounds]
    return [mine / other for mine, other in pairs if other > 0] or [0.0]


def summary(values):
    return {"median": round(statistics.median(values), 4), "min": round(min(values), 4),
            "max": round(max(values), 4)}


def report(rounds, loads, seconds, calls):
    written = []
    for load in loads:
        one = {"name": load.name, "yardstick": load.yardstick, "connections": load.connections}
        for key in rounds[0][load.name]:
            one[key] = summary([each[load.name][key] for each in rounds])
        for key in ("rate", "cpu", "p99"):
            one[f"{key}Ratio"] = summary(ratios(rounds, load, key))
        written.append(one)
    # What the server does first, the yardsticks last.
    written.sort(key=lambda one: one["name"] == one["yardstick"])
    return {"machine": machine.describe(), "rounds": len(rounds), "seconds": seconds,
            "connections": CONNECTIONS, "bars": bars(rounds, loads, calls), "loads": written}


def chosen(words):
    if not words:
        return LOADS
    named = [load for load in LOADS if any(word in load.name for word in words)]
    return [load for load in LOADS
            if load in named or any(one.yardstick == load.name for one in named)]


def main(traitd, loop, count, seconds, words):
    running = {"traitd": servers.traitd(traitd), "loop": servers.loop(loop)}
    if (nginx := servers.nginx()) is not None:
        running["nginx"] = nginx
    loads = [load for load in chosen(words) if load.server in running]
    try:
        for load in loads:
            if load.server == "traitd":
                run(load, running[load.server], 1)
        rounds = []
        for number in range(count):
            print(f"round {number + 1} of {count}", file=sys.stderr)
            rounds.append({load.name: run(load, running[load.server], seconds)
                           for load in loads})
        calls = system_calls(LOADS[1], running["traitd"]) if not words else None
    finally:
        for server in running.values():
            server.end()
    found = report(rounds, loads, seconds, calls)
    print("\n".join(report_http.wire_part(found, None)))
    if not words:
        (FOLDER.parents[2] / "docs/performance/http.json").write_text(
            json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:])
