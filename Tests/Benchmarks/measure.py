#!/usr/bin/env python3
"""The rounds behind http.sh: runs the loads, reads what the servers cost, prints the table and
writes the same figures as JSON.

Cost is the server process's user and system time (/proc/PID/stat) over the requests of a load;
its resolution is a clock tick, so loads of a second or more are needed for it to mean anything.
"""

import json
import os
import pathlib
import re
import signal
import socket
import statistics
import subprocess
import sys
import time

FOLDER = pathlib.Path(__file__).resolve().parent
EXAMPLE = FOLDER.parent.parent / "deploy/examples/ipad-mail.json"
CONNECTIONS = 64
YARDSTICK = "C epoll loop"
START_SECONDS_MAX = 10

# A label thirteen levels below its scene: what a deep UIKit hierarchy asks for all the time.
NODE = "/v1/sessions/ipad-mail/nodes/message-050.subject"
LOADS = [
    ("GET three traits", f"{NODE}/traits?traits=userInterfaceStyle,displayScale,theme", None),
    ("GET /livez", "/livez", None),
    ("GET all traits", f"{NODE}/traits", None),
    ("PUT override", "/v1/sessions/ipad-mail/nodes/message.quote/overrides/theme", "put_override"),
]


class Process:
    """A server on core 0, and what it has cost so far."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            ["taskset", "-c", "0", *command], stdout=subprocess.PIPE, text=True
        )

    def cpu_seconds(self):
        stat = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii")
        fields = stat.rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port):
    end = time.monotonic() + START_SECONDS_MAX
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.02)
    sys.exit(f"measure: nothing listens on port {port}")


def milliseconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()
    return float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def run(process, port, path, script, seconds):
    command = ["taskset", "-c", "1", "wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency"]
    if script:
        command += ["-s", str(FOLDER / f"{script}.lua")]
    before = process.cpu_seconds()
    output = subprocess.run(
        [*command, f"http://127.0.0.1:{port}{path}"], check=True, text=True,
        capture_output=True, timeout=seconds + 30,
    ).stdout
    cost = process.cpu_seconds() - before
    if refused := re.search(r"Non-2xx or 3xx responses: \d+|Socket errors: .*", output):
        sys.exit(f"measure: {path}: {refused.group(0)}")
    requests = int(re.search(r"(\d+) requests in", output).group(1))
    return {
        "rate": float(re.search(r"Requests/sec:\s*([\d.]+)", output).group(1)),
        # On lines of their own: the table above them has percentages too.
        "p50": milliseconds(re.search(r"^\s+50%\s+(\S+)$", output, re.M).group(1)),
        "p99": milliseconds(re.search(r"^\s+99%\s+(\S+)$", output, re.M).group(1)),
        "cpu": cost / requests * 1e6,
    }


def spread(values, digits):
    middle = statistics.median(values)
    return f"{middle:.{digits}f} ({min(values):.{digits}f}–{max(values):.{digits}f})"


def table(rounds):
    columns = "{:18} {:>24} {:>20} {:>20} {:>18} {:>20} {:>20}"
    print(columns.format(
        "load", "requests/s", "p50 ms", "p99 ms", "CPU µs", "rate, C = 1", "CPU, C = 1"
    ))
    for name in rounds[0]:
        of = {key: [one[name][key] for one in rounds] for key in rounds[0][name]}
        ratios = {key: [one[name][key] / one[YARDSTICK][key] for one in rounds]
                  for key in ("rate", "cpu")}
        print(columns.format(
            name, spread(of["rate"], 0), spread(of["p50"], 2), spread(of["p99"], 2),
            spread(of["cpu"], 1), spread(ratios["rate"], 2), spread(ratios["cpu"], 2),
        ))


def summary(values):
    return {"median": round(statistics.median(values), 4), "min": round(min(values), 4),
            "max": round(max(values), 4)}


def write(rounds, seconds, path):
    loads = []
    for name in rounds[0]:
        load = {"name": name}
        for key in rounds[0][name]:
            load[key] = summary([one[name][key] for one in rounds])
        for key in ("rate", "cpu"):
            load[f"{key}Ratio"] = summary(
                [one[name][key] / one[YARDSTICK][key] for one in rounds])
        loads.append(load)
    # What the server does first, the yardstick last.
    loads.sort(key=lambda load: load["name"] == YARDSTICK)
    report = {"rounds": len(rounds), "seconds": seconds, "connections": CONNECTIONS,
              "loads": loads}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main(traitd, loop, count, seconds):
    ports = {"traitd": free_port(), "loop": free_port()}
    servers = {
        "traitd": Process([
            traitd, "--port", str(ports["traitd"]), "--shards", "1", "--load", str(EXAMPLE)]),
        "loop": Process([loop, str(ports["loop"])]),
    }
    try:
        for port in ports.values():
            wait_for(port)
        for _, path, script in LOADS:
            run(servers["traitd"], ports["traitd"], path, script, 1)
        rounds = []
        for number in range(count):
            print(f"round {number + 1} of {count}", file=sys.stderr)
            result = {YARDSTICK: run(servers["loop"], ports["loop"], "/", None, seconds)}
            for name, path, script in LOADS:
                result[name] = run(servers["traitd"], ports["traitd"], path, script, seconds)
            rounds.append(result)
    finally:
        for server in servers.values():
            server.end()
    print(f"{count} rounds of {seconds} s a load, {CONNECTIONS} connections;"
          " median (lowest–highest)")
    table(rounds)
    write(rounds, seconds, FOLDER.parent.parent / "docs/performance/http.json")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
