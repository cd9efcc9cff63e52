#!/usr/bin/env python3
"""Sends everything that costs much, mixed at random, at a release binary that has 512 MiB, while writers
note what was acknowledged. The server has to live, every acknowledged write has to be there at the end,
and /livez has to be answered.

The server runs in a control group of 512 MiB and takes its default from it, three quarters. Where no
group can be made it gets the same limit by --max-memory, and more than 512 MiB resident counts as killed.

No three turns of a shard may work for 3 ms, without the machine's own stops (stalls.c). The system's time counts as
work: an interrupt, or a search for free pages in the group. It makes one turn in millions long; what costs the server
much is sent again and again. A stop counts on whichever processor it was, as the server does not say which one a turn
had. A turn also waits for other threads of the server, and the attackers take the processor of the thread it waits
for; so no turn may take longer than 20 ms and the machine's longest stop, without the time in which the system ran
others on its own processor. Both limits are longer where the processor is slower.

usage: adversary.py TRAITD [SECONDS [SEED]]     60 seconds; TURN_MS_MAX is another bound than 20 ms
"""

import datetime
import http.client
import json
import multiprocessing
import os
import pathlib
import random
import re
import sys
import threading
import time

sys.dont_write_bytecode = True
import costly  # noqa: E402
from costly import LONG, Client, node  # noqa: E402
from stalls import Stalls, stopped  # noqa: E402
from watching import Failure, Prober, Watched, pace, raise_descriptors  # noqa: E402

LIMIT_BYTES = 512 << 20
LIVEZ_MS_MAX = float(os.environ.get("LIVEZ_MS_MAX", "500"))
TURN_MS_MAX = float(os.environ.get("TURN_MS_MAX", "20"))
# A turn this long is listed. If so many turns work for so long, it is a failure.
SLOW_TURN_MS = 3.0
SLOW_TURNS_FAIL = 3
TURNS_LISTED_MAX = 128
ATTACKERS, WRITERS = 3, 2
CLIENT_NICENESS = 15
OPTIONS = ("--shards", "2", "--limit", "watch-linger-seconds=2", "--limit", "write-stall-timeout-seconds=2",
           "--limit", "session-memory-percent-max=60", "--drain-window", "1",
           "--limit", f"slow-turn-microseconds-min={SLOW_TURN_MS * 1_000:.0f}")


class Group:
    """A control group for one process; None where the system has none to give."""

    @staticmethod
    def make():
        for root, limit in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
                            ("/sys/fs/cgroup", "memory.max")):
            path = pathlib.Path(root) / f"traitd-adversary-{os.getpid()}"
            try:
                path.mkdir()
            except OSError:
                continue
            try:
                (path / limit).write_text(str(LIMIT_BYTES), encoding="ascii")
                if (path / limit).read_text(encoding="ascii").strip() == str(LIMIT_BYTES):
                    return Group(path)
            except OSError:
                pass
            path.rmdir()
        return None

    def __init__(self, path):
        self.path = path

    def starting(self, command):
        """The command that starts another one inside."""
        enter = f'echo $$ > {self.path}/cgroup.procs && exec "$0" "$@"'
        return ["/bin/sh", "-c", enter, *command]

    def remove(self):
        for _ in range(50):
            try:
                return self.path.rmdir()
            except OSError:
                time.sleep(0.1)


# --- Attackers, each in a process of its own

class Attacker:
    """Takes one costly thing after the other. Answers may be refusals; none may be cut or unclear."""

    def __init__(self, port, seed, number):
        self.client = Client(port)
        self.dice = random.Random(seed * 100 + number)
        self.number = number
        self.count = 0

    def name(self):
        return f"attack-{self.number}-{self.dice.randrange(4)}"

    def turn(self):
        action = self.dice.choice(self.actions)
        self.count += 1
        action(self)
        if self.dice.random() < 0.15:
            self.client.ask("DELETE", f"/v1/sessions/{self.name()}")
        if len(self.client.sockets) > 300:
            self.client.close()
            self.client.sockets.clear()

    def texts(self, name):
        self.client.ask("PUT", f"/v1/sessions/{name}", {"traits": {
            f"t{number}": {"type": "string", "default": ""} for number in range(20)}})

    def grow(self):
        name = self.name()
        self.texts(name)
        count = self.dice.randrange(1, 200)
        self.client.ask("POST", f"/v1/sessions/{name}/transactions", {"operations": [
            {"op": "createNode", "node": f"n{self.dice.randrange(100_000)}", "kind": "environment",
             "overrides": {f"t{self.dice.randrange(20)}": f"{self.dice.random()}{LONG}"}}
            for _ in range(count)]})

    def many_nodes(self):
        start = self.dice.randrange(10**9)
        count = self.dice.randrange(1_000, 100_000)
        self.client.ask("PUT", f"/v1/sessions/{self.name()}-big", {"nodes": [
            {"id": f"n{start + number}", "kind": "environment"} for number in range(count)]})
        if self.dice.random() < 0.5:
            self.client.ask("DELETE", f"/v1/sessions/{self.name()}-big")

    def resolve(self):
        name = self.name()
        self.texts(name)
        self.client.ask("PUT", f"/v1/sessions/{name}/nodes/s", {"kind": "environment", "overrides": {
            f"t{number}": f"{self.dice.random()}{LONG}" for number in range(20)}})
        coding = self.dice.choice(["gzip", "identity"])
        self.client.ask("POST", f"/v1/sessions/{name}/resolve",
                        {"nodes": ["s"] * self.dice.randrange(1, 3_000)},
                        headers={"Accept-Encoding": coding})

    def read(self):
        rest = self.dice.choice(["/nodes?pageSize=1000", "/history?operations=true&pageSize=1000",
                                 "/nodes/s", "/nodes/s/traits?explain=true", "/traits", "/stats",
                                 "/events?from=start&wait=0&limit=1000"])
        self.client.ask("GET", f"/v1/sessions/{self.name()}{rest}",
                        headers={"Accept-Encoding": self.dice.choice(["gzip", "identity"])})

    def read_nothing(self):
        name = self.name()
        for _ in range(self.dice.randrange(1, 50)):
            try:
                self.client.connect(4_096).sendall((
                    f"GET /v1/sessions/{name}/nodes/s HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    f"GET /v1/sessions/{name}/events?from=start&operations=true HTTP/1.1\r\n"
                    "Host: localhost\r\n\r\n").encode())
            except OSError:
                pass

    def packed(self):
        blank = b" " * self.dice.randrange(100_000, 16_000_000)
        body = self.dice.choice([b'{"a":' + blank + b"1}",
                                 b'{"a":[' + b"1," * (len(blank) // 2) + b"1]}"])
        self.client.ask("POST", "/v1/collections", raw=costly.gzip.compress(body, 1),
                        headers={"Content-Encoding": "gzip"})

    def unfinished(self):
        for _ in range(self.dice.randrange(1, 6)):
            try:
                self.client.connect().sendall(
                    b"PUT /v1/sessions/x HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    b"Content-Length: 16000000\r\n\r\n" + b" " * self.dice.randrange(10_000_000))
            except OSError:
                pass

    def watches(self):
        name = self.name()
        self.texts(name)
        try:
            connection = self.client.connect()
            for number in range(self.dice.randrange(1, 300)):
                traits = ",".join(f"t{bit}" for bit in range(20)
                                  if self.dice.randrange(1 << 20) >> bit & 1) or "t0"
                connection.sendall((
                    f"GET /v1/sessions/{name}/nodes/s/events?wait=0&traits={traits} HTTP/1.1\r\n"
                    "Host: localhost\r\n\r\n").encode())
        except OSError:
            pass

    def heard(self):
        name = self.name()
        self.texts(name)
        operations = [node("hb"), node("hm")]
        for number in range(300):
            operations += [node(f"h{number}", "hm"),
                           {"op": "register", "registration": f"h{number}", "node": f"h{number}",
                            "traits": [f"t{trait}" for trait in range(20)]}]
        self.client.ask("POST", f"/v1/sessions/{name}/transactions", {"operations": operations})
        self.client.ask("PATCH", f"/v1/sessions/{name}/nodes/hb/overrides", {
            f"t{trait}": f"{self.dice.random()}{LONG}" for trait in range(20)})
        self.client.ask("PATCH", f"/v1/sessions/{name}/nodes/hm",
                        {"parent": self.dice.choice(["hb", None])})

    def small_sessions(self):
        prefix = self.dice.randrange(10)
        for number in range(200):
            self.client.ask("PUT", f"/v1/sessions/small-{self.number}-{prefix}-{number}", {})
        for number in range(200):
            self.client.ask("DELETE", f"/v1/sessions/small-{self.number}-{prefix}-{number}")

    def wrong(self):
        for _ in range(100):
            self.client.ask("GET", "/v1/sessions/attack-" + "9" * 60)

    actions = [grow, grow, grow, many_nodes, resolve, read, read, read, read_nothing, packed,
               unfinished, watches, heard, small_sessions, wrong]


def attack(port, seed, number, seconds, pipe):
    attacker = Attacker(port, seed, number)
    pipe.recv()
    end = time.monotonic() + seconds
    failure = None
    try:
        while time.monotonic() < end:
            attacker.turn()
    except Exception as error:  # the server is gone, or an answer never came
        failure = f"{type(error).__name__}: {error}"
    client = attacker.client
    client.close()
    pipe.send((attacker.count, client.statuses, sorted(client.codes), client.cut, client.unclear,
               failure))


# --- Writers, whose every acknowledged write is looked for at the end

class Writer(threading.Thread):
    def __init__(self, port, seed, number, over):
        super().__init__(daemon=True)
        self.port, self.over = port, over
        self.dice = random.Random(seed * 7 + number)
        self.session = f"/v1/sessions/writer-{number}"
        # The values that a node may have: the one acknowledged last, and those whose answer is lost.
        self.values = {}
        self.acknowledged = self.refused = self.lost = 0
        self.failure = None

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def run(self):
        try:
            self.write()
        except Exception as error:
            self.failure = f"{type(error).__name__}: {error}"

    def ask(self, connection, method, target, body=None):
        text = None if body is None else json.dumps(body)
        connection.request(method, target, text, costly.JSON_TYPE)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def write(self):
        connection = self.connect()
        body = {"traits": {"t": {"type": "string", "default": ""}},
                "nodes": [{"id": f"n{number}", "kind": "environment"} for number in range(50)]}
        status, text = self.ask(connection, "PUT", self.session, body)
        if status != 201:
            raise Failure(f"no session to write to: {status} {text[:200]}")
        count = 0
        while not self.over.is_set():
            name, count = f"n{self.dice.randrange(50)}", count + 1
            value = f"{count}-{'v' * self.dice.randrange(200)}"
            known = self.values.setdefault(name, [""])
            try:
                status, text = self.ask(connection, "PUT", f"{self.session}/nodes/{name}/overrides/t",
                                        {"value": value})
            except (OSError, http.client.HTTPException):
                self.lost += 1
                known.append(value)
                connection.close()
                connection = self.connect()
                continue
            if status == 200:
                self.acknowledged += 1
                self.values[name] = [value]
            elif status in (503, 507):
                self.refused += 1
            else:
                raise Failure(f"{status} {text[:200]}")
            time.sleep(0.001)
        connection.close()

    def check(self):
        connection = self.connect()
        for name, known in self.values.items():
            status, text = self.ask(connection, "GET", f"{self.session}/nodes/{name}/traits/t")
            if status != 200 or json.loads(text)["value"] not in known:
                raise Failure(f"{self.session} {name}: {status} {text[:100]}, acknowledged"
                              f" {known[0][:40]}")


def assault(server, seconds, seed):
    over = threading.Event()
    # All processes begin before the first thread: one that is forked while a thread holds a lock keeps the
    # lock for ever.
    probers = [Prober(server.port) for _ in range(2)]
    pipes, processes = [], []
    for number in range(ATTACKERS):
        ours, theirs = multiprocessing.Pipe()
        process = multiprocessing.Process(
            target=attack, args=(server.port, seed, number, seconds, theirs), daemon=True)
        process.start()
        pipes.append(ours)
        processes.append(process)
    writers = [Writer(server.port, seed, number, over) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    for pipe in pipes:
        pipe.send("go")
    reports = []
    for pipe in pipes:
        if not pipe.poll(seconds + 200):
            raise Failure("an attacker still waits for an answer")
        reports.append(pipe.recv())
    over.set()
    for writer in writers:
        writer.join(70)
    slowest = max(prober.finish()[0] for prober in probers)
    return writers, reports, slowest


def judge(server, writers, reports, slowest, seconds):
    if server.process.poll() is not None:
        raise Failure(f"the server ended with {server.process.returncode}")
    peak = server.peak_bytes()
    statuses = {}
    for _, counted, _, _, _, _ in reports:
        for status, count in counted.items():
            statuses[status] = statuses.get(status, 0) + count
    codes = sorted({code for report in reports for code in report[2]})
    print(f"adversary: {seconds:.0f} s, {sum(report[0] for report in reports)} attacks, answers"
          f" {dict(sorted(statuses.items()))} ({' '.join(codes)});"
          f" {sum(writer.acknowledged for writer in writers)} writes acknowledged,"
          f" {sum(writer.refused for writer in writers)} refused,"
          f" {sum(writer.lost for writer in writers)} without an answer;"
          f" /livez {slowest:.0f} ms at worst; {peak / 2**20:.0f} MiB at most", flush=True)
    for report in reports:
        _, _, _, cut, unclear, failure = report
        if failure:
            raise Failure(failure)
        if cut or unclear:
            raise Failure(f"cut {cut[:3]}, unclear {unclear[:3]}")
    for writer in writers:
        if writer.failure:
            raise Failure(f"a writer: {writer.failure}")
        if not writer.acknowledged:
            raise Failure("a writer had no write acknowledged")
        writer.check()
    if peak > LIMIT_BYTES:
        raise Failure(f"{peak >> 20} MiB resident, more than {LIMIT_BYTES >> 20}")
    if slowest > LIVEZ_MS_MAX:
        raise Failure(f"/livez took {slowest:.0f} ms, more than {LIVEZ_MS_MAX:g}")


def expect_turns(server, turns, stops, slowness):
    """Has the server end, which logs its longest turns. `turns` are the slow ones, `stops` the machine's, and
    `slowness` is how many times longer its processor takes than the limits expect."""
    server.expect_drain(20)
    server.stderr.seek(0)
    log = server.stderr.read()
    longest = []
    for name in ("longestTurnMicroseconds", "longestScheduledTurnMicroseconds"):
        found = re.findall(rf"{name}=(\d+)", log)
        if not found:
            raise Failure(f"the server did not tell its {name}")
        longest.append(int(found[-1]) / 1000)
    by_clock, scheduled = longest
    own, work = [], []
    for begin, end, ran, waited in turns:
        # The list's times are to a millisecond. A stop may have been while the thread waited, which counts once.
        stop = stopped(begin - 1, end + 1, stops or [])
        own.append(end - begin - max(waited, stop))
        work.append(max(0, ran - stop))
    own.sort(reverse=True)
    work.sort(reverse=True)
    print(f"adversary: longest turn {scheduled:.1f} ms, by the clock {by_clock:.1f} ms; {len(turns)} took"
          f" {SLOW_TURN_MS:g} ms, the longest of them without the machine's stops {milliseconds(own)} ms, of"
          f" which work {milliseconds(work)} ms", flush=True)
    most = TURN_MS_MAX * slowness + max((end - begin for begin, end in stops or []), default=0)
    if scheduled > most:
        raise Failure(f"a turn took {scheduled:.1f} ms, more than {most:.1f}")
    if stops is not None and len(work) >= SLOW_TURNS_FAIL and work[SLOW_TURNS_FAIL - 1] > SLOW_TURN_MS * slowness:
        raise Failure(f"{SLOW_TURNS_FAIL} turns worked for {milliseconds(work)} ms without the machine's stops,"
                      f" more than {SLOW_TURN_MS * slowness:.1f}")
    if len(turns) >= TURNS_LISTED_MAX:
        raise Failure(f"{len(turns)} turns took {SLOW_TURN_MS:g} ms, the list has no more")


def milliseconds(times):
    """The longest times, as a person reads them."""
    return ", ".join(f"{time:.1f}" for time in times[:SLOW_TURNS_FAIL]) or "-"


def slow_turns(server):
    """The turns that took long: when each began and ended, and for how long it had and awaited a processor."""
    slow = json.loads(Client(server.port).must("GET", "/v1/server/slow"))
    turns = []
    for turn in slow["turns"]:
        # Python 3.10 does not read the Z.
        end = datetime.datetime.fromisoformat(turn["time"].replace("Z", "+00:00")).timestamp() * 1_000
        turns.append((end - turn["milliseconds"], end, turn["ranMilliseconds"], turn["waitedMilliseconds"]))
    return turns


def main(binary, seconds=60.0, seed=None):
    raise_descriptors()
    seconds = float(seconds)
    seed = int(seed) if seed is not None else random.randrange(1 << 30)
    group = Group.make()
    options = OPTIONS if group else (*OPTIONS, "--max-memory", str(LIMIT_BYTES // 4 * 3))
    print(f"adversary: seed {seed}, {'control group of' if group else 'bounded process of'}"
          f" {LIMIT_BYTES >> 20} MiB", flush=True)
    try:
        watched = Watched(binary, *options)
        if group:
            watched.command = group.starting(watched.command)
        with Stalls() as stalls, watched as server:
            # Clients that share the server's processors must not take them in the middle of a turn.
            os.nice(CLIENT_NICENESS)
            judge(server, *assault(server, seconds, seed), seconds)
            slowness = pace.processor_slowness()
            expect_turns(server, slow_turns(server), stalls.finish(), slowness)
    except (Failure, OSError) as failure:
        print(f"adversary FAILED, seed {seed}: {failure}", flush=True)
        return 1
    finally:
        if group:
            group.remove()
    return 0


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
