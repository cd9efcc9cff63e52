#!/usr/bin/env python3
"""Compares what the formats that other tools read cost with the JSON of the same values, in one run.

Instructions are counted by callgrind, as requests.py counts them: the evaluation of one flag against the read of its
trait, a node's style sheet against the node's traits, and the evaluation of all 34 flags of the example. Fails when
one costs more than its share. The evaluation of all flags is also timed by the clock of the server's process, without
callgrind; the time depends on the machine, so it is only printed.

usage: formats.py TRAITD
"""

import json
import pathlib
import sys
import tempfile
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path[:0] = [str(ROOT / ".ci/lib"), str(ROOT / "Tests/Process/Benchmarks")]
import requests as counted  # noqa: E402
import traitd_server  # noqa: E402

EXAMPLE = str(ROOT / "deploy/examples/acme-configuration.json")
SESSION, NODE = "/v1/sessions/acme-configuration", "north-america.engineering"
WARM, COUNTED, TIMED = 200, 2_000, 5_000
CONTEXT = {"context": {"targetingKey": NODE}}
JSON_OF_TRAIT = ("GET", f"{SESSION}/nodes/{NODE}/traits/logLevel", None, {})
JSON_OF_NODE = ("GET", f"{SESSION}/nodes/{NODE}/traits", None, {})
FLAG = ("POST", f"{SESSION}/ofrep/v1/evaluate/flags/logLevel", CONTEXT, {})
FLAGS = ("POST", f"{SESSION}/ofrep/v1/evaluate/flags", CONTEXT, {})
SHEET = ("GET", f"{SESSION}/nodes/{NODE}/traits", None, {"Accept": "text/css,*/*;q=0.1"})
# What, the request, the one that it is compared with, and the most that it may take of that.
RATIOS = [("one flag, against its trait", FLAG, JSON_OF_TRAIT, 1.5),
          ("a node's style sheet, against its JSON", SHEET, JSON_OF_NODE, 1.5)]
FLAGS_INSTRUCTIONS_MAX = 130_000
ROUNDS = 5


def instructions(server, request):
    method, path, body, fields = request
    for _ in range(WARM):
        server.send(method, path, body, **fields)
    server.dump()
    for _ in range(COUNTED):
        server.send(method, path, body, **fields)
    return server.dump() / COUNTED


def microseconds(binary, request):
    """CPU of all threads of the server for one request."""
    method, path, body, fields = request
    with traitd_server.Server(binary, "--load", EXAMPLE) as server:
        def send(count):
            for _ in range(count):
                answer, _ = server.ask(method, path, body, fields)
                if answer.status != 200:
                    sys.exit(f"formats: {path} is answered {answer.status}")
        send(WARM)
        clock = ~server.process.pid << 3 | 2
        start = time.clock_gettime(clock)
        send(TIMED)
        return (time.clock_gettime(clock) - start) / TIMED * 1e6


def main(binary):
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        with counted.Server(binary, folder, "--load", EXAMPLE) as server:
            for what, request, base, most in RATIOS:
                found, other = instructions(server, request), instructions(server, base)
                print(f"{what}: {found:,.0f} of {other:,.0f} instructions, {found / other:.2f}, at most {most}")
                if found > other * most:
                    missed.append(what)
            found = instructions(server, FLAGS)
            print(f"all flags: {found:,.0f} instructions, at most {FLAGS_INSTRUCTIONS_MAX:,}")
            if found > FLAGS_INSTRUCTIONS_MAX:
                missed.append("all flags")
    flags = len(json.loads(pathlib.Path(EXAMPLE).read_text())["traits"]) + 22
    times = sorted(microseconds(binary, FLAGS) for _ in range(ROUNDS))
    print(f"all {flags} flags: {times[0]:.1f} µs of CPU with the system's, {times[-1]:.1f} at most, of {ROUNDS} rounds")
    if missed:
        sys.exit("formats: too much: " + "; ".join(missed))


if __name__ == "__main__":
    main(sys.argv[1])
