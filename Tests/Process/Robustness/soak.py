#!/usr/bin/env python3
"""Mixed load on a release binary for a while: reads, writes, streams that come and go, sessions made
and deleted, requests that are refused. Every stream is checked: no revision lost, repeated or out of
order, within one connection and from one to the next. Memory and descriptors are looked at all the
time and must not grow.

usage: soak.py TRAITD [MINUTES [SEED]]      default: 10 minutes
"""

import http.client
import json
import random
import resource
import sys
import threading
import time

sys.dont_write_bytecode = True
from watching import Failure, Watched  # noqa: E402

SESSIONS = 4
NODES = 40
WRITERS, READERS, LISTENERS, MAKERS = 2, 2, 8, 1
# After the first tenth of the time the tables have their size; what comes later is a leak. The
# windows of retained commits, at most 16 MiB a session, are full by then or counted here.
GROWTH_BYTES_MAX = 32 * 1024 * 1024
DESCRIPTOR_SLACK = 4
PAUSE_SECONDS = 0.0005


class Worker(threading.Thread):
    """One client; `turn` is called until the time is up."""

    def __init__(self, soak, number):
        super().__init__(daemon=True)
        self.soak, self.dice, self.count = soak, random.Random(soak.seed * 1000 + number), 0
        self.connection = None

    def run(self):
        try:
            while not self.soak.over.is_set():
                self.turn()
                self.count += 1
        except Exception as error:  # whatever it is, the run has failed
            self.soak.fail(f"{type(self).__name__}: {type(error).__name__} {error}")
        finally:
            if self.connection is not None:
                self.connection.close()

    def ask(self, method, target, body=None, expect=(200, 201, 204)):
        if self.connection is None or self.dice.random() < 0.01:
            if self.connection is not None:
                self.connection.close()
            self.connection = http.client.HTTPConnection(
                "127.0.0.1", self.soak.server.port, timeout=30)
        text = None if body is None else json.dumps(body)
        headers = {} if body is None else {"Content-Type": "application/json"}
        self.connection.request(method, target, text, headers)
        answer = self.connection.getresponse()
        data = answer.read()
        if answer.status not in expect:
            raise Failure(f"{method} {target}: {answer.status} {data[:300]}")
        time.sleep(PAUSE_SECONDS)
        return data

    def session(self):
        return f"/v1/sessions/soak-{self.dice.randrange(SESSIONS)}"

    def node(self):
        return f"n{self.dice.randrange(NODES)}"


class Writer(Worker):
    def turn(self):
        target = f"{self.session()}/nodes/{self.node()}"
        kind = self.dice.random()
        if kind < 0.5:
            self.ask("PUT", f"{target}/overrides/theme", {"value": self.dice.randrange(4)})
        elif kind < 0.7:
            self.ask("DELETE", f"{target}/overrides/theme")
        elif kind < 0.8:
            operations = [{"op": "setOverride", "node": self.node(), "trait": "displayScale",
                           "value": self.dice.randrange(1, 4)} for _ in range(5)]
            self.ask("POST", f"{self.session()}/transactions", {"operations": operations})
        elif kind < 0.9:
            extra = f"{self.session()}/nodes/extra-{self.dice.randrange(1000)}"
            self.ask("PUT", extra, {"kind": "environment", "parent": self.node()})
            self.ask("DELETE", extra, expect=(204, 200, 404))
        else:
            # Refused, which must cost nothing either.
            self.ask("PUT", f"{target}/overrides/theme", {"value": "no such"}, expect=(400, 422))
            self.ask("GET", f"{target}/events?traits=none", expect=(400, 404, 422))


class Reader(Worker):
    def turn(self):
        self.ask("GET", f"{self.session()}/nodes/{self.node()}/traits")
        self.ask("GET", f"{self.session()}/nodes/{self.node()}/traits/theme?explain=true")
        self.ask("GET", f"{self.session()}/nodes?pageSize=20")


class Maker(Worker):
    """Sessions that live for a moment."""

    def turn(self):
        name = f"/v1/sessions/brief-{self.dice.randrange(100000)}"
        nodes = [{"id": f"n{number}", "kind": "environment",
                  "parent": None if number == 0 else f"n{number // 2}"} for number in range(200)]
        self.ask("PUT", name, {"nodes": nodes})
        self.ask("PUT", f"{name}/nodes/n0/overrides/displayScale", {"value": 2})
        self.ask("GET", f"{name}/nodes/n199/traits")
        self.ask("DELETE", name)
        time.sleep(0.02)


class Listener(Worker):
    """Follows a session's commits, leaves, and comes back with its token."""

    def __init__(self, soak, number):
        super().__init__(soak, number)
        self.path = f"/v1/sessions/soak-{number % SESSIONS}/events"
        self.token, self.revision = None, None

    def turn(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.soak.server.port, timeout=30)
        try:
            query = f"?from={self.token}" if self.token else ""
            connection.request("GET", self.path + query)
            answer = connection.getresponse()
            if answer.status != 200:
                raise Failure(f"{self.path}{query}: {answer.status} {answer.read()[:300]}")
            leave = time.monotonic() + self.dice.uniform(0.2, 5)
            while time.monotonic() < leave and not self.soak.over.is_set():
                self.take(json.loads(answer.readline()))
        finally:
            connection.close()

    def take(self, record):
        kind, revision = record["type"], record["revision"]
        if kind == "begin":
            if self.revision is not None and revision != self.revision:
                raise Failure(f"{self.path}: begins at {revision}, left at {self.revision}")
        elif kind == "commit":
            if revision != self.revision + 1:
                raise Failure(f"{self.path}: {revision} follows {self.revision}")
            self.soak.heard()
        elif kind != "bookmark":
            raise Failure(f"{self.path}: {record}")
        self.token, self.revision = record["token"], revision


class Soak:
    def __init__(self, server, minutes, seed):
        self.server, self.seconds, self.seed = server, minutes * 60, seed
        self.over = threading.Event()
        self.failure = None
        self.records = 0
        self.lock = threading.Lock()

    def heard(self):
        with self.lock:
            self.records += 1

    def fail(self, reason):
        with self.lock:
            self.failure = self.failure or reason
        self.over.set()

    def prepare(self):
        traits = {"theme": {"type": "int", "default": 0}}
        nodes = [{"id": f"n{number}", "kind": "environment",
                  "parent": None if number == 0 else f"n{(number - 1) // 3}"}
                 for number in range(NODES)]
        for number in range(SESSIONS):
            status, body = self.server.ask(
                f"/v1/sessions/soak-{number}", "PUT", json.dumps(
                    {"traits": traits, "nodes": nodes}))
            if status != 201:
                raise Failure(f"no session: {status} {body[:300]}")

    def run(self):
        self.prepare()
        before = self.server.descriptors()
        kinds = [Writer] * WRITERS + [Reader] * READERS + [Maker] * MAKERS \
            + [Listener] * LISTENERS
        workers = [kind(self, number) for number, kind in enumerate(kinds)]
        start = time.monotonic()
        for worker in workers:
            worker.start()
        samples = self.sample(start)
        self.over.set()
        for worker in workers:
            worker.join(35)
        if self.failure:
            raise Failure(self.failure)
        self.judge(samples, workers, before)

    def sample(self, start):
        samples = []
        while not self.over.wait(min(1.0, self.seconds / 50)):
            passed = time.monotonic() - start
            samples.append((passed, self.server.resident_bytes(), self.server.descriptors()))
            if passed >= self.seconds:
                break
        return samples

    def judge(self, samples, workers, before):
        warm = [one for one in samples if one[0] > self.seconds / 10] or samples
        base, last = warm[0][1], max(one[1] for one in warm)
        half = next((one[1] for one in samples if one[0] > self.seconds / 2), base)
        turns = {kind.__name__: sum(one.count for one in workers if isinstance(one, kind))
                 for kind in (Writer, Reader, Maker, Listener)}
        after, resident = self.server.expect_base_line(before + DESCRIPTOR_SLACK, last)
        print(f"soak: {self.seconds:.0f} s, seed {self.seed}; turns {turns}; {self.records} records"
              f" on streams, none lost, repeated or out of order; MiB {base / 2**20:.1f} after a"
              f" tenth of the time, {half / 2**20:.1f} after half, {last / 2**20:.1f} at most,"
              f" {resident / 2**20:.1f} at the end;"
              f" descriptors {before} before, {max(one[2] for one in samples)} at most,"
              f" {after} after")
        if last - base > GROWTH_BYTES_MAX:
            raise Failure(f"memory grew by {(last - base) >> 20} MiB")


def main(binary, minutes=10.0, seed=None):
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    seed = int(seed) if seed is not None else random.randrange(1 << 30)
    with Watched(binary, "--shards", "2", "--drain-window", "1") as server:
        try:
            Soak(server, float(minutes), seed).run()
        except (Failure, OSError) as failure:
            print(f"soak FAILED, seed {seed}: {failure}")
            return 1
    return 0


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
