#!/usr/bin/env python3
"""Measures traitd over three members of etcd against a bare C client that sends the same transactions.

Every figure is a ratio of two loads that take turns, the median of all rounds. etcd has the last core for itself, and
traitd, the bare client and the clients share the others. The bare client sends rows as long as traitd's were in the
same round, and follows them by a watch, as traitd does. The table is that of docs/replicas.md.

usage: replicas.py TRAITD [ROUNDS [SECONDS]]
       replicas.py TRAITD start [SESSIONS]   the start of a replica against bare paging of the same keys
       replicas.py TRAITD snapshot [NODES]   a snapshot against bare pieces of the same length
"""

import base64
import http.client
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "Replicas"))
import machine  # noqa: E402
from cluster import MEMBERS, Member, Place, Program  # noqa: E402

CORES = sorted(os.sched_getaffinity(0))
WRITERS = 64
SESSIONS = 64
LANES = 2
ENTRY_BYTES = 110  # of a deflated entry in a row of many; rows are base64 either way
START_SECONDS_MAX = 60
DELIVERY_SECONDS_MAX = 30  # longer than two heartbeats of a stream
COMMITS = 20  # of each session that is there at a start
MAKERS = 16
PAGE_KEYS = 5_000
STARTS = 3
PIECE_BYTES = 524_288
SNAPSHOTS = 3
SNAPSHOT_EVERY = 100
SNAPSHOT_SECONDS_MAX = 120
APPENDS_SECONDS = 5  # appends are timed before a snapshot


class Bench:
    def __init__(self, traitd, folder):
        self.traitd, self.folder = traitd, pathlib.Path(folder)
        self.bare = self.folder / "etcd_load"
        subprocess.run(["cc", "-O2", "-D_GNU_SOURCE", "-o", self.bare, FOLDER / "etcd_load.c", "-lpthread"],
                       check=True)
        members, places = Place.on_loopback()
        if len(CORES) > 1:
            os.sched_setaffinity(0, CORES[:-1])
            for place in members:
                place.command = ["taskset", "--cpu-list", str(CORES[-1])]
        self.members = [Member(number, members, folder) for number in range(MEMBERS)]
        urls = [member.url for member in self.members]
        log = ["--log", f"etcd={','.join(urls)}", "--log-compaction", "1m"]
        self.replicas = [
            Program(f"traitd{number}", [traitd, "serve", "--port", str(place.port), *log], place, folder)
            for number, place in enumerate(places)]
        memory = Place.on_loopback()[1][0]
        self.memory = Program("memory", [traitd, "serve", "--port", str(memory.port)], memory, folder)
        self.rounds = 0
        self.found, self.sizes = {}, {}

    def start(self):
        for program in self.members:
            program.start()
        self.wait(lambda: all(member.status() is not None for member in self.members))
        for server in (self.replicas[0], self.memory):
            self.serve(server)
        body = json.dumps({"traits": {"theme": {"type": "int", "default": 0}},
                           "nodes": [{"id": "root", "kind": "environment"}]})
        for server in (self.replicas[0], self.memory):
            for number in range(SESSIONS):
                assert server.ask("PUT", f"/v1/sessions/s{number}", body, 10)[0] == 201

    def serve(self, server):
        server.start()
        self.wait(lambda: (server.ask("GET", "/readyz") or [0])[0] == 200)

    def end(self):
        for program in [*self.replicas, self.memory, *self.members]:
            program.kill()

    @staticmethod
    def wait(condition):
        end = time.monotonic() + START_SECONDS_MAX
        while not condition():
            if time.monotonic() > end:
                raise RuntimeError("the servers do not start")
            time.sleep(0.05)

    # Loads

    def wrk(self, server, mode, sessions, connections, seconds, query=""):
        done = subprocess.run(
            ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", FOLDER / "replicas.lua",
             f"http://127.0.0.1:{server.place.port}", "--", mode, str(sessions), query],
            capture_output=True, encoding="utf-8", check=True)
        result = json.loads(done.stdout.splitlines()[-1])
        if result["failures"]:
            raise RuntimeError(f"wrk: {result}")
        return result

    def etcd(self, mode, seconds, lanes=1, sessions=1, entries=1):
        self.rounds += 1
        prefix = f"/bare{self.rounds}"
        watch = subprocess.Popen(
            ["curl", "--silent", "--no-buffer", f"{self.members[1].url}/v3/watch", "--data", json.dumps({
                "create_request": {"key": base64.b64encode(f"{prefix}/".encode()).decode(),
                                   "range_end": base64.b64encode(f"{prefix}0".encode()).decode()}})],
            stdout=subprocess.DEVNULL)
        try:
            return self.run_bare(mode, seconds, lanes, sessions, entries, prefix)
        finally:
            watch.kill()
            watch.wait()

    def run_bare(self, mode, seconds, lanes, sessions, entries, prefix):
        done = subprocess.run(
            [self.bare, mode, "127.0.0.1", str(self.members[0].place.port), str(seconds), str(lanes),
             str(sessions), str(entries), str(ENTRY_BYTES), prefix],
            capture_output=True, encoding="utf-8", check=True)
        result = json.loads(done.stdout)
        if result["failures"]:
            raise RuntimeError(f"etcd_load: {result}")
        return result

    @staticmethod
    def counted(server):
        """Appends and entries so far."""
        text = server.ask("GET", "/metrics", seconds=10)[1].decode()
        return [float(re.search(rf"^traitd_log_{name}_total (\S+)", text, re.M)[1])
                for name in ("appends", "entries")]

    def cpu(self, server):
        ticks = pathlib.Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
        return int(ticks[11]) + int(ticks[12])

    def note(self, name, ratio):
        self.found.setdefault(name, []).append(ratio)

    def compare(self, name, ours, bare, unit):
        """Notes a ratio with what it is of."""
        self.note(name, ours / bare)
        self.sizes.setdefault(name, []).append((ours, bare, unit))

    def table(self):
        """The figures as docs/replicas.md shows them."""
        here = machine.describe()
        where = (f"etcd has core {CORES[-1]} for itself, all else shares {len(CORES) - 1}"
                 if len(CORES) > 1 else "etcd and all else share one core")
        yield (f"{here['processor']}, {len(CORES)} cores: {where}; {here['kernel']}, {MEMBERS} members of etcd on one "
               f"machine; medians of {max(map(len, self.found.values()))} rounds.")
        yield ""
        yield "| | traitd | a bare client | ratio | bar |"
        yield "|---|---:|---:|---:|---|"
        for name, ratios in self.found.items():
            if name not in BARS:
                continue
            word, bar = BARS[name]
            middle = statistics.median(ratios)
            missed = middle < bar if word == "at least" else middle > bar
            shown = ["", ""]
            if name in self.sizes:
                ours, bares, units = zip(*self.sizes[name])
                shown = [f"{statistics.median(some):,.{0 if units[0] == '/s' else 2}f} {units[0]}"
                         for some in (ours, bares)]
            yield (f"| {name} | {shown[0]} | {shown[1]} | {middle:.2f} | {word} {bar}"
                   f"{', **missed**' if missed else ''} |")

    # Figures

    def write_one(self, seconds):
        before = self.counted(self.replicas[0])
        ours = self.wrk(self.replicas[0], "put", 1, WRITERS, seconds)
        after = self.counted(self.replicas[0])
        length = max(1, round((after[1] - before[1]) / (after[0] - before[0])))
        bare = self.etcd("append", seconds, entries=length)
        self.note("entries a row, 64 writers of one session", length)
        self.compare("64 writers of one session", ours["requests"] / ours["seconds"],
                     bare["entries"] / bare["seconds"], "/s")

    def write_many(self, seconds):
        before = self.counted(self.replicas[0])
        ours = self.wrk(self.replicas[0], "put", SESSIONS, WRITERS, seconds)
        after = self.counted(self.replicas[0])
        # With as many sessions as writers, a row has one entry.
        length = min(32, max(1, round((after[1] - before[1]) / (after[0] - before[0]))))
        bare = self.etcd("append", seconds, lanes=LANES, sessions=length)
        self.note("sessions an append, 64 writers of 64 sessions", length)
        self.compare("64 writers of 64 sessions", ours["requests"] / ours["seconds"],
                     bare["entries"] / bare["seconds"], "/s")

    def alone(self, seconds):
        ours = self.wrk(self.replicas[0], "put", 1, 1, seconds)
        bare = self.etcd("append", seconds)
        self.compare("one writer, p50", 1e3 * ours["p50"], 1e3 * bare["p50"], "ms")
        ours = self.wrk(self.replicas[0], "get", 1, 1, seconds)
        bare = self.etcd("head", seconds)
        self.compare("strong read, one connection, p50", 1e3 * ours["p50"], 1e3 * bare["p50"], "ms")

    def local(self, seconds):
        costs = []
        for server in (self.replicas[0], self.memory):
            begin = self.cpu(server)
            count = self.wrk(server, "get", 1, WRITERS, seconds, "?consistency=local")["requests"]
            costs.append((self.cpu(server) - begin) / count)
        self.note("local reads, CPU against a memory session", costs[0] / costs[1])

    def together(self, seconds):
        """All replicas write one session."""
        alone = self.wrk(self.replicas[0], "put", 1, 21, seconds)
        rates = [0.0] * len(self.replicas)

        def load(number):
            result = self.wrk(self.replicas[number], "put", 1, 21, seconds)
            rates[number] = result["requests"] / result["seconds"]
        threads = [threading.Thread(target=load, args=(number,)) for number in range(len(rates))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.note("three replicas of one session, smallest share", min(rates) / sum(rates))
        self.note("three replicas of one session, sum against one replica",
                  sum(rates) / (alone["requests"] / alone["seconds"]))

    def delivery(self, writes):
        """From a write to its record in a stream at another replica, against the write's own answer."""
        stream = self.replicas[1].connect(DELIVERY_SECONDS_MAX)
        stream.request("GET", "/v1/sessions/s0/events?from=now", headers={"Accept": "application/x-ndjson"})
        answer = stream.getresponse()
        came, times = {}, []

        def follow():
            # The first records may be of earlier writes, and bookmarks come after the last one.
            while len(times) < writes or times[-1][0] not in came:
                record = json.loads(answer.readline())
                if record["type"] == "commit":
                    came[record["revision"]] = time.monotonic()
        reader = threading.Thread(target=follow, daemon=True)
        reader.start()
        client = self.replicas[0].connect(10)
        for number in range(writes):
            begin = time.monotonic()
            client.request("PUT", "/v1/sessions/s0/nodes/root/overrides/theme",
                           json.dumps({"value": -number - 1 - self.rounds * writes}),
                           {"Content-Type": "application/json"})
            revision = json.loads(client.getresponse().read())["revision"]
            times.append((revision, begin, time.monotonic()))
        reader.join(DELIVERY_SECONDS_MAX)
        stream.close()
        own = statistics.median(end - begin for _, begin, end in times)
        other = statistics.median(came[revision] - begin for revision, begin, _ in times)
        self.note("commit to record at another replica, p50 against the answer", other / own)

    # The start

    def fill(self, sessions):
        """Makes sessions, each with as many commits."""
        body = json.dumps({"traits": {"theme": {"type": "int", "default": 0}},
                           "nodes": [{"id": "root", "kind": "environment"}]})

        def make(first):
            client = self.replicas[0].connect(START_SECONDS_MAX)
            for number in range(first, sessions, MAKERS):
                client.request("PUT", f"/v1/sessions/s{number}", body, {"Content-Type": "application/json"})
                client.getresponse().read()
        makers = [threading.Thread(target=make, args=(first,)) for first in range(MAKERS)]
        for maker in makers:
            maker.start()
        for maker in makers:
            maker.join()
        while self.counted(self.replicas[0])[1] < sessions * COMMITS:
            self.wrk(self.replicas[0], "put", sessions, WRITERS, 1)

    def page(self):
        """Reads all keys in pages, and nothing more. Returns how many there are."""
        place, count = self.members[0].place, 0
        client = http.client.HTTPConnection("127.0.0.1", place.port)
        first, end = b"/traitd/1/", b"/traitd/10"
        while True:
            client.request("POST", "/v3/kv/range", json.dumps({
                "key": base64.b64encode(first).decode(), "range_end": base64.b64encode(end).decode(),
                "limit": PAGE_KEYS}))
            answer = client.getresponse().read()
            keys = re.findall(rb'"key":"([^"]*)"', answer)
            count += len(keys)
            if not keys or b'"more":true' not in answer:
                return count
            first = base64.b64decode(keys[-1]) + b"\0"

    def starts(self, sessions):
        self.fill(sessions)
        for _ in range(STARTS):
            begin = time.monotonic()
            keys = self.page()
            bare = time.monotonic() - begin
            self.replicas[1].kill()
            begin = time.monotonic()
            self.serve(self.replicas[1])
            ours = time.monotonic() - begin
            self.note("keys", keys)
            self.note("start, seconds", ours)
            self.compare(START, ours, bare, "s")


    # A snapshot

    def load(self, nodes):
        """Makes a session of so many nodes, a random tree, from a document, at a replica that writes snapshots often."""
        document, dice = self.folder / "big.json", random.Random(nodes)
        with open(document, "w", encoding="utf-8") as file:
            file.write('{"format": 1, "name": "big", "nodes": [')
            for number in range(nodes):
                node = {"id": f"node{number}", "kind": "environment",
                        "parent": f"node{dice.randrange(number)}" if number else None}
                if dice.random() < 0.1:
                    node["overrides"] = {"displayScale": dice.randrange(1, 100)}
                file.write((",\n" if number else "") + json.dumps(node))
            file.write("]}\n")
        program = self.replicas[1]
        program.kill()
        program.command += ["--limit", f"snapshot-every={SNAPSHOT_EVERY}"]
        plain = program.command
        program.command = [*plain, "--load", str(document)]
        self.serve(program)
        program.command = plain

    def snapshots_of(self, server):
        text = server.ask("GET", "/metrics", seconds=10)[1].decode()
        return float(re.search(r"^traitd_log_snapshots_total (\S+)", text, re.M)[1])

    def stored(self):
        """The bytes of the newest snapshot of the large session in etcd, as its list has them."""
        client = http.client.HTTPConnection("127.0.0.1", self.members[0].place.port)
        client.request("POST", "/v3/kv/range", json.dumps({
            "key": base64.b64encode(b"/traitd/1/snapmeta/").decode(),
            "range_end": base64.b64encode(b"/traitd/1/snapmeta0").decode()}))
        lists = [base64.b64decode(found["value"]).decode().splitlines()
                 for found in json.loads(client.getresponse().read())["kvs"]]
        return max(int(lines[-1].split()[2]) for lines in lists if len(lines) > 1)

    def put_pieces(self, size):
        """Writes as many bytes in pieces, one after the other, and nothing more. Returns seconds."""
        client = http.client.HTTPConnection("127.0.0.1", self.members[0].place.port)
        bodies = [json.dumps({"key": base64.b64encode(f"/bare/{number}".encode()).decode(),
                              "value": base64.b64encode(os.urandom(min(PIECE_BYTES, size - at))).decode()})
                  for number, at in enumerate(range(0, size, PIECE_BYTES))]
        begin = time.monotonic()
        for body in bodies:
            client.request("POST", "/v3/kv/put", body)
            answer = client.getresponse()
            answer.read()
            assert answer.status == 200
        return time.monotonic() - begin

    def snapshots(self, nodes):
        self.load(nodes)
        writer = self.replicas[1]
        quiet = self.wrk(writer, "put", 1, 1, APPENDS_SECONDS)
        for _ in range(SNAPSHOTS):
            # A session rests after a snapshot, but not after a start.
            writer.kill()
            self.serve(writer)
            had = self.snapshots_of(writer)
            client = writer.connect(START_SECONDS_MAX)
            for number in range(SNAPSHOT_EVERY):
                client.request("PUT", "/v1/sessions/big/nodes/node7/overrides/displayScale",
                               json.dumps({"value": number + 3}), {"Content-Type": "application/json"})
                assert client.getresponse().read()
            begin, times = time.monotonic(), []
            # Appends to another session, while the snapshot is made and written.
            while self.snapshots_of(writer) == had:
                sent = time.monotonic()
                assert sent - begin < SNAPSHOT_SECONDS_MAX
                client.request("PUT", "/v1/sessions/s0/nodes/root/overrides/theme", json.dumps({"value": sent}),
                               {"Content-Type": "application/json"})
                assert client.getresponse().read()
                times.append(time.monotonic() - sent)
            ours = time.monotonic() - begin
            size = self.stored()
            self.note("snapshot, MB", size / 1e6)
            self.note("snapshot, seconds", ours)
            self.compare(SNAPSHOT, ours, self.put_pieces(size), "s")
            self.note(MEANWHILE, statistics.quantiles(times, n=100)[98] / quiet["p99"])


SNAPSHOT = "snapshot of a large session"
MEANWHILE = "appends to another session meanwhile, p99 against before"
START = "start of a replica"
BARS = {
    START: ("at most", 2),
    SNAPSHOT: ("at most", 2.5),
    MEANWHILE: ("at most", 5),
    "64 writers of one session": ("at least", 0.85),
    "64 writers of 64 sessions": ("at least", 0.85),
    "one writer, p50": ("at most", 1.2),
    "three replicas of one session, smallest share": ("at least", 0.2),
    "three replicas of one session, sum against one replica": ("at least", 0.4),
    "strong read, one connection, p50": ("at most", 1.25),
    "local reads, CPU against a memory session": ("at most", 1.05),
    "commit to record at another replica, p50 against the answer": ("at most", 1.3),
}


def measure(bench, rounds, seconds):
    for _ in range(rounds):
        bench.write_one(seconds)
        bench.write_many(seconds)
        bench.alone(seconds)
        bench.local(seconds)
    # Until here no other replica followed the log.
    for replica in bench.replicas[1:]:
        bench.serve(replica)
    for _ in range(rounds):
        bench.together(seconds)
        bench.delivery(200)


def main():
    traitd, *rest = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(traitd, folder)
        try:
            bench.start()
            if rest[:1] == ["start"]:
                bench.starts(int(rest[1]) if len(rest) > 1 else 10_000)
            elif rest[:1] == ["snapshot"]:
                bench.snapshots(int(rest[1]) if len(rest) > 1 else 1_000_000)
            else:
                measure(bench, int(rest[0]) if rest else 5, int(rest[1]) if len(rest) > 1 else 3)
        finally:
            bench.end()
    for name, ratios in bench.found.items():
        print(f"{name}: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    print(*bench.table(), sep="\n", flush=True)


if __name__ == "__main__":
    main()
