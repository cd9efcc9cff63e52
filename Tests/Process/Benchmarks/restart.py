#!/usr/bin/env python3
"""Measures how long a traitd that was killed takes until it is ready again: with one session of a million
nodes, and with ten thousand small ones.

usage: restart.py TRAITD [NODES [SESSIONS]]      defaults: 1000000 and 10000
"""

import os
import pathlib
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / ".ci/lib"))
from traitd_server import Server  # noqa: E402

SECONDS_MAX = 3.0
RUNS = 3


class Life(Server):
    """A server that ends by SIGKILL."""

    def __init__(self, traitd, folder, *arguments):
        super().__init__(traitd, "--data-dir", folder, "--limit", "body-bytes-max=500000000", *arguments)

    def __enter__(self):
        self.began = time.monotonic()
        return super().__enter__()

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def ready(self):
        """Seconds from the start of the process until it is ready."""
        while self.ask("GET", "/readyz")[0].status != 200:
            time.sleep(0.01)
        return time.monotonic() - self.began


def restart(traitd, folder, what):
    """Whether the middle of some restarts is in time."""
    times = []
    for _ in range(RUNS):
        with Life(traitd, folder) as server:
            times.append(server.ready())
    times.sort()
    print(f"{what}: ready after {times[0]:.2f}, {times[1]:.2f}, {times[-1]:.2f} s, at most {SECONDS_MAX}")
    return times[1] <= SECONDS_MAX


def large(traitd, folder, nodes):
    data, path = f"{folder}/large", pathlib.Path(folder, "large.json")
    below = "".join(f',{{"id":"n{number}","kind":"environment","parent":"n{(number - 1) // 8}"}}'
                    for number in range(1, nodes))
    path.write_text('{"name":"large","limits":{"nodesMax":2000000},"traits":{"level":{"type":"int","default":0}},'
                    f'"nodes":[{{"id":"n0","kind":"environment"}}{below}]}}', encoding="ascii")
    with Life(traitd, data, "--load", str(path)) as server:
        server.ready()
        server.value("PUT", "/v1/sessions/large/nodes/n1/overrides/level", {"value": 1})
        before = server.value("GET", "/v1/sessions/large")
        # The snapshot of the first commit is written beside everything else.
        size = -1
        while size != (size := sum(entry.stat().st_size for entry in os.scandir(data))):
            time.sleep(1)
    in_time = restart(traitd, data, f"one session of {nodes} nodes")
    with Life(traitd, data) as server:
        if server.value("GET", "/v1/sessions/large") != before:
            sys.exit("restart: the session is not what it was")
    return in_time


def small(traitd, folder, sessions):
    with Life(traitd, f"{folder}/small") as server:
        for number in range(sessions):
            server.value("PUT", f"/v1/sessions/s{number}",
                         {"traits": {"level": {"type": "int", "default": 0}},
                          "nodes": [{"id": "n", "kind": "environment"}]})
    return restart(traitd, f"{folder}/small", f"{sessions} small sessions")


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    nodes, sessions = [int(text) for text in [*sys.argv[2:], *["1000000", "10000"][len(sys.argv) - 2:]]]
    with tempfile.TemporaryDirectory(prefix="traitd-restart-") as folder:
        if not all([large(sys.argv[1], folder, nodes), small(sys.argv[1], folder, sessions)]):
            sys.exit(f"restart: longer than {SECONDS_MAX} s")


if __name__ == "__main__":
    main()
