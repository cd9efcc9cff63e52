#!/usr/bin/env python3
"""Measures, route by route, what a request costs on the largest states that the limits allow (largest.py):
bytes of the answer and microseconds of CPU for each of its bytes, the longest turn of the shard that the request
needs, and how long another caller waits for /livez while 24 clients send the request at once. During a turn the
shard serves no other request. The table in docs/robustness.md is the output.

Fails when a request needs a turn that works for 5 ms, when the other caller waits for 100 ms, or when an operation
has no line.

usage: costs.py TRAITD [--write] [--only TEXT]
       --write puts the table into docs/robustness.md; --only measures the requests that have TEXT in their names
"""

import http.client
import json
import re
import sys
import time

sys.dont_write_bytecode = True
from costly import Client  # noqa: E402
from largest import REQUESTS, prepare  # noqa: E402
from watching import ROOT, Prober, Watched, raise_descriptors  # noqa: E402

PAGE = ROOT / "docs/robustness.md"
OPERATIONS = ROOT / "Tests/Fixtures/openapi-operations.txt"
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
            # Beyond `--unsent-bytes-max` a stream ends early, which the table shows.
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


def main(binary, *flags):
    raise_descriptors()
    missing = covered()
    only = flags[flags.index("--only") + 1] if "--only" in flags else ""
    rows = []
    with Watched(binary, "--shards", "1", "--max-memory", "3GiB", "--watch-linger-seconds", "3600",
                 "--slow-turn-microseconds-min", str(TURN_LISTED_MICROSECONDS)) as server:
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
