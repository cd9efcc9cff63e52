#!/usr/bin/env python3
"""Many clients create, fill, read, follow and delete the same few sessions, all at once. Every request has
to be answered within ten seconds, and none with an internal error. First a server that keeps sessions
in memory, then one with a folder.

usage: answers.py TRAITD [SECONDS [SEED]]      15 seconds for each of the two
"""

import collections
import http.client
import json
import random
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
from watching import Failure, Watched, pace  # noqa: E402

CLIENTS, SESSIONS = 14, 3
ANSWER_SECONDS_MAX = 60
# What trying later can cure.
EXPECTED_ERRORS = (503, 507)
SMALL = {"traits": {"t": {"type": "number", "default": 0}},
         "nodes": [{"id": "n0", "kind": "environment"},
                   {"id": "n1", "kind": "environment", "parent": "n0"}]}
LARGE = {"nodes": [{"id": f"n{number}", "kind": "environment", "parent": "n0" if number else None}
                   for number in range(3_000)]}


def draw(dice):
    """The method, the target and the body of a request that is drawn at random."""
    target = f"/v1/sessions/s{dice.randrange(SESSIONS)}"
    document = dice.choice([SMALL, SMALL, LARGE])
    kinds = [
        (18, "PUT", target, dice.choice([{}, {}, document])),
        (10, "DELETE", target, None),
        (6, "POST", "/v1/sessions", {"name": target.rsplit("/", 1)[1]}),
        (8, "GET", target, None),
        (4, "GET", f"{target}/export", None),
        (4, "PUT", f"{target}/import", document),
        (5, "PUT", f"{target}/apply?{dice.choice(['', 'dryRun=true', 'prune=true'])}", document),
        (7, "PUT", f"{target}/nodes/n{dice.randrange(4)}", {"kind": "environment"}),
        (8, "PUT", f"{target}/nodes/n0/overrides/t", {"value": dice.randrange(9)}),
        (6, "GET", f"{target}/nodes/n1/traits", None),
        (4, "POST", f"{target}/transactions", {"operations": [
            {"op": "setOverride", "node": "n0", "trait": "t", "value": dice.randrange(99)},
            {"op": "putNode", "id": "n1", "kind": "environment", "parent": "n0"}]}),
        (4, "POST", f"{target}/resolve", {"nodes": ["n0", "n1"], "traits": ["t"]}),
        (4, "GET", f"{target}/events?wait={dice.choice(['0', '0.2'])}", None),
        (3, "PUT", f"{target}/registrations/r{dice.randrange(2)}", {"node": "n0", "traits": ["t"]}),
        (3, "GET", f"{target}/history", None),
        (2, "GET", f"{target}/compare?with=s{dice.randrange(SESSIONS)}", None),
        (2, "GET", "/v1/sessions", None),
        (2, "POST", f"{target}/layout", {}),
    ]
    return dice.choices(kinds, [kind[0] for kind in kinds])[0][1:]


class Client(threading.Thread):
    def __init__(self, port, seed, number, over):
        super().__init__(daemon=True)
        self.port, self.over = port, over
        self.dice = random.Random(seed * 1_000 + number)
        self.connection = None
        self.statuses = collections.Counter()
        self.failure = None

    def run(self):
        while not self.over.is_set():
            method, target, body = draw(self.dice)
            try:
                self.send(method, target, body)
            except Exception as error:  # whatever it is, the run has failed
                self.failure = f"{method} {target}: {type(error).__name__} {error}"
                self.over.set()
        if self.connection is not None:
            self.connection.close()

    def send(self, method, target, body):
        if self.connection is None or self.dice.random() < 0.3:
            if self.connection is not None:
                self.connection.close()
            self.connection = http.client.HTTPConnection(
                "127.0.0.1", self.port, timeout=ANSWER_SECONDS_MAX)
        fields = {}
        if method in ("PUT", "POST"):
            fields["Content-Type"] = "application/json"
        if method != "GET" and self.dice.random() < 0.3:
            fields["Idempotency-Key"] = f'"k{self.dice.randrange(6)}"'
        self.connection.request(
            method, target, body=None if body is None else json.dumps(body), headers=fields)
        answer = self.connection.getresponse()
        text = answer.read()
        self.statuses[answer.status] += 1
        if answer.status >= 500 and answer.status not in EXPECTED_ERRORS:
            raise Failure(f"{answer.status} {text[:300]!r}")


def run(binary, seconds, seed, *options):
    with Watched(binary, "--shards", "2", "--drain-window", "1", *options) as server:
        over = threading.Event()
        clients = [Client(server.port, seed, number, over) for number in range(CLIENTS)]
        for client in clients:
            client.start()
        deadline = pace.Deadline(seconds)
        while not over.wait(0.1) and not deadline.has_passed:
            pass
        over.set()
        end = time.monotonic() + 2 * ANSWER_SECONDS_MAX
        for client in clients:
            client.join(max(0, end - time.monotonic()))
    failures = [client.failure for client in clients if client.failure]
    if failures:
        raise Failure("; ".join(failures[:5]))
    statuses = sum((client.statuses for client in clients), collections.Counter())
    if min(statuses[status] for status in (200, 201, 404, 409)) == 0:
        raise Failure(f"the clients did too little: {dict(statuses)}")
    return ", ".join(f"{statuses[status]} × {status}" for status in sorted(statuses))


def main(binary, seconds=15.0, seed=None):
    seed = int(seed) if seed is not None else random.randrange(1 << 30)
    try:
        print(f"answers: in memory, seed {seed}: {run(binary, float(seconds), seed)}")
        with tempfile.TemporaryDirectory() as folder:
            found = run(binary, float(seconds), seed, "--data-dir", f"{folder}/data")
        print(f"answers: in a folder, seed {seed}: {found}")
    except (Failure, OSError) as failure:
        print(f"answers FAILED, seed {seed}: {failure}")
        return 1
    return 0


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
