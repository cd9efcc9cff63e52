#!/usr/bin/env python3
"""Times windows into a tree of 1,000,000 nodes (`POST …/rows`) by the clock of the client, over loopback.

The nodes have fan-out 10, and every tenth sets a value. What is asked: the first window after the order of the nodes
changed, other windows at all places and with many nodes open and closed, searches that are new, the next hit of one
that is kept, and windows while another client sets overrides. Of each the median counts; of the turns of the shard the
longest. Fails when one is above its budget.

usage: rows.py TRAITD [--ratio NUMBER] [--nodes COUNT]
       --ratio is how many times slower this machine is than the reference machine; budgets are compared with the
       figures divided by it
"""

import argparse
import json
import pathlib
import statistics
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path[:0] = [str(ROOT / ".ci/lib")]
import traitd_server  # noqa: E402

FAN_OUT, ROWS = 10, "/v1/sessions/big/rows"
AFTER_CHANGES, WINDOWS, SEARCHES, HITS = 5, 20, 5, 50
FIRST_MS, WINDOW_MS, SEARCH_MS, HIT_MS, TURN_MS = 150, 10, 250, 10, 5
ANSWER_BYTES_MAX = 262_144
# Of those listed by /v1/server/slow; shorter ones are not.
TURN_LISTED_MICROSECONDS = 1_000


def document(count):
    """A session with so many nodes, in lists of siblings, as a file."""
    nodes = ({"id": f"node{number}", "kind": "environment",
              "parent": f"node{(number - 1) // FAN_OUT}" if number else None,
              **({"overrides": {"displayScale": 2}} if number % 10 == 5 else {})} for number in range(count))
    yield '{"format": 1, "name": "big", "nodes": ['
    for number, node in enumerate(nodes):
        yield (",\n" if number else "") + json.dumps(node)
    yield "]}\n"


class Timed:
    """Asks for rows, and keeps the milliseconds of each kind of question."""

    def __init__(self, server):
        self.server = server
        self.found = {}
        self.bytes_max = 0

    def ask(self, what, body):
        start = time.perf_counter()
        answer, data = self.server.ask("POST", ROWS, body)
        self.found.setdefault(what, []).append((time.perf_counter() - start) * 1e3)
        if answer.status != 200:
            sys.exit(f"rows: {body} is answered {answer.status} {data[:300].decode()}")
        self.bytes_max = max(self.bytes_max, len(data))
        return json.loads(data)


def questions(count):
    """Windows of different kinds, by name."""
    some = [f"node{number}" for number in range(0, count, max(1, count // 1_000))]
    return {
        "at the beginning": {"from": 0},
        "in the middle, 500 rows": {"from": count // 2, "count": 500},
        "at the end": {"from": count - 100},
        "around a node": {"at": f"node{count - 1}"},
        "three levels and 1,000 open nodes": {"depth": 3, "open": some, "from": 100},
        "1,000 closed nodes": {"closed": some[1:], "from": count // 3},
        "hidden below closed nodes": {"depth": 2, "at": f"node{count - 1}"},
    }


def measure(server, timed, count):
    for number in range(AFTER_CHANGES):
        server.value("PUT", f"/v1/sessions/big/nodes/new{number}", {"kind": "environment", "parent": "node7"})
        timed.ask("first window after a change", {"from": count // 2})
    for what, body in questions(count).items():
        for _ in range(WINDOWS):
            timed.ask(f"window {what}", body)
    for number in range(WINDOWS):
        server.value("PUT", f"/v1/sessions/big/nodes/node{number}/overrides/displayScale", {"value": number + 3})
        timed.ask("window after an override", {"from": 1_000 * number})
    for number in range(SEARCHES):
        timed.ask("first search of a text", {"find": {"q": f"9{number}9"}, "only": True})
        timed.ask("first search of a text and a value",
                  {"find": {"q": f"8{number}8", "overriding": "displayScale"}, "only": True})
    find = {"find": {"q": "90"}, "only": True}
    hits = timed.ask("search before", find)["hits"]
    for _ in range(HITS):
        hits = timed.ask("next hit", {**find, "hitFrom": hits["next"] + 1, "from": hits["next"]})["hits"]
    for _ in range(HITS):
        timed.ask("next hit in all rows", {"find": {"q": "90"}, "hitFrom": count // 2})
    return hits["total"]


def while_written(server, timed, count):
    """Windows while another client sets overrides as fast as it can."""
    over = threading.Event()
    other = traitd_server.http.client.HTTPConnection(server.address, timeout=10)

    def write():
        number = 0
        while not over.is_set():
            number += 1
            other.request("PUT", f"/v1/sessions/big/nodes/node{number % 100}/overrides/displayScale",
                          json.dumps({"value": number}), {"Content-Type": "application/json"})
            other.getresponse().read()

    thread = threading.Thread(target=write)
    thread.start()
    for number in range(HITS):
        timed.ask("window while overrides are set", {"from": count // HITS * number})
    over.set()
    thread.join()
    other.close()


BUDGETS = {"first window": FIRST_MS, "window": WINDOW_MS, "first search": SEARCH_MS, "next hit": HIT_MS}


def budget(what):
    return next((most for start, most in BUDGETS.items() if what.startswith(start)), None)


def longest_turn(server, since):
    turns = server.value("GET", "/v1/server/slow")["turns"]
    return max((turn["ranMilliseconds"] for turn in turns if turn["time"] > since), default=0)


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("binary")
    parser.add_argument("--ratio", type=float, default=1)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    options = parser.parse_args()
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.writelines(document(options.nodes))
        file.flush()
        with traitd_server.Server(options.binary, "--load", file.name,
                                  "--limit", f"slow-request-microseconds-min={TURN_LISTED_MICROSECONDS}") as server:
            before = max((turn["time"] for turn in server.value("GET", "/v1/server/slow")["turns"]), default="")
            timed = Timed(server)
            hits = measure(server, timed, options.nodes)
            while_written(server, timed, options.nodes)
            turn = longest_turn(server, before)
            parts = server.value("GET", "/v1/memory")["parts"]
    missed = []
    print(f"{options.nodes:,} nodes, {hits:,} hits; ms on this machine, and divided by {options.ratio:g}")
    for what, found in timed.found.items():
        median, most = statistics.median(found), budget(what)
        if most is None:
            continue
        print(f"{what}: {median:.1f} ({min(found):.1f} to {max(found):.1f}), {median / options.ratio:.1f} of {most}")
        if median / options.ratio > most:
            missed.append(what)
    print(f"longest turn of the shard: {turn:.1f}, {turn / options.ratio:.1f} of {TURN_MS}")
    print(f"longest answer: {timed.bytes_max:,} of {ANSWER_BYTES_MAX:,} bytes; {parts['snapshots']:,} bytes kept")
    if turn / options.ratio > TURN_MS:
        missed.append("turns of the shard")
    if timed.bytes_max > ANSWER_BYTES_MAX:
        missed.append("bytes of an answer")
    if missed:
        sys.exit("rows: too much: " + "; ".join(missed))


if __name__ == "__main__":
    main()
