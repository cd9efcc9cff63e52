#!/usr/bin/env python3
"""Measures, route by route, what a request costs on the largest states that the limits allow (largest.py):
bytes of the answer and microseconds of CPU for each of its bytes, the longest turn of the shard that the request
needs, and how long another caller waits for /livez while 24 clients send the request at once. During a turn the
shard serves no other request. The table in docs/performance/costs.md is the output.

Fails when a request needs a turn that works for 5 ms, when the other caller waits for 100 ms, or when an operation
has no line.

With --shares it asks what eight callers can take from another one, with --max-memory 256MiB: each sends the request
all the time, while a bystander of another address sends a short write, a long one of 20,000 operations and a read of
the past to sessions of its own. Each may take three times as long as alone.

usage: costs.py TRAITD [--write] [--only TEXT] [--shares]
       --write puts the table into docs/performance/costs.md; --only measures the requests that have TEXT in their names
"""

import http.client
import json
import multiprocessing
import os
import re
import statistics
import sys
import time

sys.dont_write_bytecode = True
from costly import Client  # noqa: E402
import largest  # noqa: E402
from largest import REQUESTS, prepare  # noqa: E402
from watching import ROOT, Prober, Watched, raise_descriptors  # noqa: E402

PAGE = ROOT / "docs/performance/costs.md"
OPERATIONS = ROOT / "Tests/Support/Fixtures/openapi-operations.txt"
# A request is repeated until it took so much, or so often.
CPU_SECONDS_MIN = 0.02
REPEATS_MAX = 50
# So often the turns of a request are looked at. The middle of them counts, as work includes the machine's stops.
TURN_SAMPLES = 5
TURN_LISTED_MICROSECONDS, TURN_MS_MAX = 100, 5.0
# Clients that send a request at once, from one address, while another address waits for /livez.
TOGETHER, WAIT_MS_MAX = 24, 100.0
OTHER_ADDRESS = "127.0.0.2"
# A wait that is too long is measured again, as the machine may have stopped.
WAIT_SAMPLES = 3


def cpu_seconds(pid):
    """Of all threads of the process, exact to a microsecond: its clock as clock_getcpuclockid(3) names it."""
    return time.clock_gettime(~pid << 3 | 2)


def head_bytes(method, target, data):
    fields = ["Host: 127.0.0.1:8080"]
    if data:
        fields += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
    return len(f"{method} {target} HTTP/1.1\r\n") + sum(len(field) + 2 for field in fields) + 2


def send(connection, request, number):
    """Sends one request and reads its answer: the status, bytes sent and answered. Of a stream it reads until
    the text that ends the measurement, and closes the connection."""
    _, method, target, body, *until = request
    data = None
    if body is not None:
        text = json.dumps(body).replace('"{n}"', str(number % 3 + 1))
        data = text.replace("{n}", str(number)).encode()
    target = target.replace("{n}", str(number))
    headers = until[1] if until[1:] else {}
    connection.request(method, target, data,
                       {**headers, "Content-Type": "application/json"} if data else headers)
    answer = connection.getresponse()
    length, tail, status = 0, b"", answer.status
    try:
        while part := answer.read1(1 << 18) if until else answer.read(1 << 18):
            length += len(part)
            if until:
                tail = (tail + part)[-len(part) - 32:]
                if until[0] in tail:
                    break
        else:
            # Beyond `--limit unsent-bytes-max` a stream ends early, which the table shows.
            status = "ended" if until else status
    except http.client.IncompleteRead:
        if not until:
            raise
        status = "ended"
    if until:
        connection.close()
    return status, head_bytes(method, target, data) + len(data or b""), length


def longest_turn(connection, since):
    """Milliseconds of work in the longest turn since then, and when the newest turn ended."""
    connection.request("GET", "/v1/server/slow")
    turns = [turn for turn in json.loads(connection.getresponse().read())["turns"] if turn["time"] > since]
    return (max((turn["ranMilliseconds"] for turn in turns), default=0),
            max((turn["time"] for turn in turns), default=since))


def longest_wait(client, request):
    """Milliseconds that another caller waits for /livez at worst while many send the request."""
    waits = []
    while len(waits) < WAIT_SAMPLES and (not waits or waits[-1] > WAIT_MS_MAX):
        prober = Prober(client.port, OTHER_ADDRESS)
        client.together(TOGETHER, lambda number: send_once(client, request, 10_000 + number))
        waits.append(prober.finish()[0])
    return min(waits)


def send_once(client, request, number):
    connection = client.persistent()
    try:
        send(connection, request, number)
    finally:
        connection.close()


def measure(server, client, request):
    """The status, bytes sent and answered, and CPU seconds, of one request on average; milliseconds of its
    longest turn and of the longest wait of another caller."""
    connection, watcher = client.persistent(), client.persistent()
    turns, (_, newest) = [], longest_turn(watcher, "")
    for number in range(TURN_SAMPLES):
        send(connection, request, number)
        turn, newest = longest_turn(watcher, newest)
        turns.append(turn)
    count, sent, answered, statuses = 0, 0, 0, set()
    start = cpu_seconds(server.pid)
    while count < REPEATS_MAX:
        status, *lengths = send(connection, request, TURN_SAMPLES + count)
        statuses.add(status)
        count += 1
        sent += lengths[0]
        answered += lengths[1]
        if cpu_seconds(server.pid) - start > CPU_SECONDS_MIN:
            break
    used = cpu_seconds(server.pid) - start
    connection.close()
    watcher.close()
    return (statuses, sent / count, answered / count, used / count, sorted(turns)[TURN_SAMPLES // 2],
            longest_wait(client, request))


def covered():
    """Every operation of the interface has a line."""
    listed = {line.split()[2] for line in OPERATIONS.read_text(encoding="utf-8").splitlines()
              if line.split()[0] in ("GET", "PUT", "POST", "PATCH", "DELETE") and "/" in line}
    measured = {re.match(r"\w+", request[0]).group() for request in REQUESTS}
    return sorted(listed - measured)


# --- What eight callers can take from another one

SHARES_CALLERS, SHARES_SECONDS = 8, 2.0
SHARES_MEMORY, SHARES_RESIDENT_MAX = "256MiB", 320 << 20
# A bystander may take so many times as long as alone, or so many milliseconds for what is shorter alone.
TIMES_MAX, MS_MIN = 3.0, 10.0
# The parts of `prepare`, and the sessions of each.
PARTS = [(largest.wide, "xl"), (largest.small, ""), (largest.values, "v"), (largest.notified, "h"),
         (largest.scopes, "c"), (largest.environment, "ek"), (largest.dynamics, "d"), (largest.explained, "p"),
         (largest.layouts, "y"), (largest.deep, "m"), (largest.followed, "f"), (largest.touched, "wo")]


def attack(port, address, request, pipe):
    """Sends a request all the time, on one connection, until it is stopped."""
    os.nice(15)
    connection, number, statuses = None, 0, {}
    while not pipe.poll(0):
        try:
            if connection is None:
                connection = http.client.HTTPConnection("127.0.0.1", port, 120, source_address=(address, 0))
            past = [*request[:2], request[2].replace("{past}", str(10 + number % 20)), *request[3:]]
            status, _, _ = send(connection, past, number)
            statuses[status] = statuses.get(status, 0) + 1
        except (http.client.HTTPException, OSError):
            connection = None
        number += 1
    pipe.send(statuses)


class Bystander:
    """Its short write, long write and read of the past, each in milliseconds."""

    LONG = {"operations": [{"op": "setOverride", "node": "n", "trait": "displayScale", "value": number % 3 + 1}
                           for number in range(20_000)]}

    def __init__(self, port, isFirst=False):
        self.port, self.value = port, 0
        if not isFirst:
            return
        self.ask("PUT", "/v1/sessions/bystander", {"nodes": [{"id": "n", "kind": "environment"}]})
        self.ask("PUT", "/v1/sessions/before", {})
        self.ask("PUT", "/v1/sessions/before/nodes/n", {"kind": "environment"})
        for value in range(60):
            self.ask("PUT", "/v1/sessions/before/nodes/n/overrides/displayScale", {"value": value % 2 + 1})

    def ask(self, method, target, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, 120, source_address=(OTHER_ADDRESS, 0))
        data = json.dumps(body).encode() if body is not None else None
        start = time.perf_counter()
        connection.request(method, target, data, {"Content-Type": "application/json"} if data else {})
        answer = connection.getresponse()
        text = answer.read()
        took = (time.perf_counter() - start) * 1_000
        connection.close()
        if answer.status not in (200, 201):
            raise SystemExit(f"costs.py: the bystander's {method} {target}: {answer.status} {text[:300]}")
        return took

    def measure(self, seconds):
        """The medians of what was measured for so long."""
        times = {"short write": [], "long write": [], "past read": []}
        end = time.monotonic() + seconds
        while time.monotonic() < end or not times["past read"]:
            self.value += 1
            for _ in range(5):
                self.value += 1
                times["short write"].append(self.ask(
                    "PUT", "/v1/sessions/bystander/nodes/n/overrides/displayScale", {"value": self.value % 2 + 1}))
            times["long write"].append(self.ask("POST", "/v1/sessions/bystander/transactions", self.LONG))
            times["past read"].append(self.ask("GET", f"/v1/sessions/before/nodes/n?revision={3 + self.value % 50}"))
        return {name: statistics.median(list) for name, list in times.items()}


def share(port, request, alone):
    """What the bystander's requests take under this load, the longest wait for /livez, and what the callers were answered."""
    pipes, bystander = [], Bystander(port)
    for number in range(SHARES_CALLERS):
        ours, theirs = multiprocessing.Pipe()
        multiprocessing.Process(
            target=attack, args=(port, f"127.0.0.{11 + number}", request, theirs), daemon=True).start()
        pipes.append(ours)
    prober = Prober(port, OTHER_ADDRESS)
    time.sleep(0.3)
    took = bystander.measure(SHARES_SECONDS)
    slowest = prober.finish()[0]
    for pipe in pipes:
        pipe.send("end")
    statuses = {}
    for pipe in pipes:
        for status, count in (pipe.recv() if pipe.poll(120) else {"none": 1}).items():
            statuses[status] = statuses.get(status, 0) + count
    slow = [f"a {name} took {time:.1f} ms, {alone[name]:.1f} alone" for name, time in took.items()
            if time > max(TIMES_MAX * alone[name], MS_MIN)]
    if slowest > WAIT_MS_MAX:
        slow.append(f"/livez took {slowest:.0f} ms")
    return took, slowest, statuses, slow


def shares(binary, only):
    failures, peak = [], 0
    for part, names in PARTS:
        requests = [request for request in REQUESTS + largest.TOUCHING if only in request[0]
                    and ((found := re.match(r"/v1/sessions/(\w)(?:[/?]|$)", request[2])) and found[1] in names
                         or part is largest.small and not found)]
        if not requests:
            continue
        with Watched(binary, "--shards", "1", "--max-memory", SHARES_MEMORY, "--limit", "session-memory-percent-max=60",
                     "--limit", f"slow-turn-microseconds-min={TURN_MS_MAX * 1_000:.0f}") as server:
            part(Client(server.port))
            alone = Bystander(server.port, True).measure(SHARES_SECONDS)
            newest = longest_turn(Client(server.port).persistent(), "")[1]
            for request in requests:
                took, slowest, statuses, slow = share(server.port, request, alone)
                turn, newest = longest_turn(Client(server.port).persistent(), newest)
                if turn > TURN_MS_MAX:
                    slow.append(f"a turn worked for {turn:.1f} ms")
                print(f"{request[0]}: {' '.join(f'{count}×{status}' for status, count in statuses.items())}; "
                      + ", ".join(f"{name} {time:.1f} ({alone[name]:.1f})" for name, time in took.items())
                      + f"; /livez {slowest:.0f} ms; {server.peak_bytes() >> 20} MiB", flush=True)
                failures += [f"{request[0]}: {text}" for text in slow]
            peak = max(peak, server.peak_bytes())
    if peak > SHARES_RESIDENT_MAX:
        failures.append(f"{peak >> 20} MiB were resident")
    print("\n".join(f"costs.py: {failure}" for failure in failures), f"{peak >> 20} MiB at most", sep="\n")
    return 1 if failures else 0


def main(binary, *flags):
    raise_descriptors()
    missing = covered()
    only = flags[flags.index("--only") + 1] if "--only" in flags else ""
    if "--shares" in flags:
        return shares(binary, only)
    rows = []
    with Watched(binary, "--shards", "1", "--max-memory", "3GiB", "--limit", "watch-linger-seconds=3600",
                 "--limit", f"slow-turn-microseconds-min={TURN_LISTED_MICROSECONDS}") as server:
        client = Client(server.port)
        prepare(client)
        for request in REQUESTS:
            if only not in request[0]:
                continue
            try:
                statuses, sent, answered, seconds, turn, wait = measure(server, client, request)
            except (http.client.HTTPException, OSError) as error:
                raise SystemExit(f"costs.py: {request[0]}: {type(error).__name__} {error}") from error
            if "--verbose" in flags:
                print(f"{turn:.1f} ms, {wait:.0f} ms: {request[0]} {statuses} {answered:,.0f}", flush=True)
            rows.append((request[0], "/".join(sorted(map(str, statuses))), sent, answered,
                         answered / sent, seconds * 1e6, seconds * 1e6 / sent, turn, wait))
    rows.sort(key=lambda row: -row[6])
    lines = ["| operation | status | bytes sent | bytes answered | answered for each byte sent | CPU, µs"
             " | µs for each byte sent | longest turn, ms | longest wait of another, ms |",
             "|---|---|---:|---:|---:|---:|---:|---:|---:|"]
    for name, status, sent, answered, ratio, micros, rate, turn, wait in rows:
        lines.append(f"| {name} | {status} | {sent:,.0f} | {answered:,.0f} | {ratio:,.1f}"
                     f" | {micros:,.1f} | {rate:,.3f} | {turn:.1f} | {wait:.0f} |")
    table = "\n".join(lines)
    print(table)
    if missing:
        print(f"costs.py: without a line: {', '.join(missing)}", file=sys.stderr)
    long = [f"{row[0]}, {row[7]:.1f} ms" for row in rows if row[7] >= TURN_MS_MAX]
    if long:
        print(f"costs.py: a turn works for {TURN_MS_MAX:g} ms: {'; '.join(long)}", file=sys.stderr)
    waits = [f"{row[0]}, {row[8]:.0f} ms" for row in rows if row[8] >= WAIT_MS_MAX]
    if waits:
        print(f"costs.py: another caller waits for {WAIT_MS_MAX:g} ms: {'; '.join(waits)}", file=sys.stderr)
    if "--write" in flags:
        page = PAGE.read_text(encoding="utf-8")
        page = re.sub(r"(<!-- costs: [^>]*-->\n).*?(?=<!-- end of costs -->)",
                      lambda match: f"{match.group(1)}\n{table}\n\n", page, flags=re.S)
        PAGE.write_text(page, encoding="utf-8")
    return 1 if missing or long or waits else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
