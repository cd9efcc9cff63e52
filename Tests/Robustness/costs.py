#!/usr/bin/env python3
"""Measures, route by route, what a request costs for each of its bytes: bytes of the answer, and
microseconds of CPU, on sessions that are made to be costly. Measures the longest turn of the shard that each
request needs, too: during a turn the shard serves no other request. The table in docs/robustness.md is the output.

Fails when a request needs a turn of the shard that works for 5 ms, or when an operation has no line.

usage: costs.py TRAITD [--write]        --write puts the table into docs/robustness.md
"""

import json
import os
import re
import sys

sys.dont_write_bytecode = True
from costly import LONG, Client, node  # noqa: E402
from watching import ROOT, Watched, raise_descriptors  # noqa: E402

PAGE = ROOT / "docs/robustness.md"
OPERATIONS = ROOT / "Tests/Fixtures/openapi-operations.txt"
TICK_SECONDS = 1 / os.sysconf("SC_CLK_TCK")
# The clock of the process ticks a hundred times a second.
CPU_SECONDS_MIN = 0.3
REPEATS_MAX = 3_000
# So often the turns of a request are looked at. The middle of them counts, as work includes the machine's stops.
TURN_SAMPLES = 5
TURN_LISTED_MICROSECONDS, TURN_MS_MAX = 100, 5.0


def prepare(client):
    """A session whose answers are as long as a session of a few MiB can make them, and one that updates
    on request."""
    client.texts(200, "x")
    client.operate([node("s")] + [node(f"c{level}", f"c{level - 1}" if level else "s")
                                  for level in range(2_000)])
    client.fill("s", 200)
    client.operate([node(f"w{number}", "s") for number in range(2_000)])
    client.operate([{"op": "register", "registration": f"r{number}", "node": f"w{number}",
                     "traits": [f"t{trait}" for trait in range(20)]} for number in range(500)])
    for number in range(100):
        for kind in ("colors/color", "images/image"):
            client.must("PUT", f"/v1/sessions/x/{kind}{number}", VARIANTS)
        client.must("PUT", f"/v1/sessions/x/environmentKeys/key{number}",
                    {"type": "string", "default": LONG[:1000]})
        client.must("PUT", f"/v1/sessions/x/nodes/s/scopes/scope{number}",
                    {"reads": ["t0", "t1"]})
    client.session("l", updates="layout")
    client.operate([{"op": "createNode", "node": "s", "kind": "windowScene"}]
                   + [node(f"n{number}", "s") for number in range(10_000)], "l")
    for number in range(500):
        client.must("PUT", f"/v1/sessions/empty{number}", {})


X = "/v1/sessions/x"
VARIANTS = {"variants": [{"when": {"displayScale": scale}, "value": f"{scale}{LONG[:100]}"}
                         for scale in range(1, 40)] + [{"value": "v"}]}
# One of each operation's costliest forms: what it is called in the table, method, target, body. `{n}` is
# the number of the repetition.
REQUESTS = [
    ("getLive", "GET", "/livez", None),
    ("getReady", "GET", "/readyz", None),
    ("getVersion", "GET", "/version", None),
    ("getMemory", "GET", "/v1/memory", None),
    ("getMetrics", "GET", "/metrics", None),
    ("getServer", "GET", "/v1/server", None),
    ("listSlowRequests", "GET", "/v1/server/slow", None),
    ("whoAmI", "GET", "/v1/whoami?can=write&session=x", None),
    ("getIndex", "GET", "/", None),
    ("getDocs", "GET", "/docs", None),
    ("getOpenAPI", "GET", "/openapi.yaml", None),
    ("getOpenAPIAsJSON", "GET", "/openapi.json", None),
    ("getProblem", "GET", "/problems/quota", None),
    ("listSystemTraits", "GET", "/v1/traits", None),
    ("makeCollection", "POST", "/v1/collections", {"from": [{}] * 100}),
    ("compareCollections", "POST", "/v1/collections/compare", {"a": {}, "b": {}}),
    ("listSessions", "GET", "/v1/sessions?pageSize=1000", None),
    ("createSession", "POST", "/v1/sessions?dryRun=true", {}),
    ("putSession", "PUT", "/v1/sessions/made{n}", {}),
    ("getSession", "GET", X, None),
    ("deleteSession", "DELETE", "/v1/sessions/made{n}", None),
    ("compareSessions", "GET", f"{X}/compare?with=l", None),
    ("exportSession", "GET", f"{X}/export", None),
    ("importSession", "PUT", "/v1/sessions/none/import?dryRun=true", {"format": 1, "nodes": []}),
    ("applySession, a plan for 10,000 nodes", "PUT",
     "/v1/sessions/l/apply?manager=m&prune=true&dryRun=true",
     {"format": 1, "nodes": [{"id": "s", "kind": "windowScene", "parent": None,
                              "overrides": {"displayScale": 3}}]}),
    ("getBackup", "GET", "/v1/backup", None),
    ("listTraits", "GET", f"{X}/traits", None),
    ("putTrait", "PUT", f"{X}/traits/new{{n}}", {"type": "int", "default": 0}),
    ("getTrait", "GET", f"{X}/traits/t0", None),
    ("deleteTrait", "DELETE", f"{X}/traits/new{{n}}", None),
    ("listNodes", "GET", f"{X}/nodes?pageSize=1000", None),
    ("createNode", "POST", f"{X}/nodes", {"kind": "environment", "parent": "c1999"}),
    ("putNode", "PUT", f"{X}/nodes/p{{n}}", {"kind": "environment", "parent": "c1999"}),
    ("getNode", "GET", f"{X}/nodes/s", None),
    ("patchNode, a subtree that 500 watch", "PATCH", f"{X}/nodes/s?dryRun=true&changes=true",
     {"label": "n"}),
    ("deleteNode", "DELETE", f"{X}/nodes/p{{n}}", None),
    ("listOverrides", "GET", f"{X}/nodes/s/overrides", None),
    ("patchOverrides that 500 hear", "PATCH", f"{X}/nodes/s/overrides?dryRun=true&changes=true",
     {f"t{trait}": "short" for trait in range(20)}),
    ("putOverride that 500 hear", "PUT", f"{X}/nodes/s/overrides/t0", {"value": "v{n}"}),
    ("getOverride", "GET", f"{X}/nodes/s/overrides/t1", None),
    ("deleteOverride that 500 hear", "DELETE", f"{X}/nodes/s/overrides/t1?dryRun=true", None),
    ("listSupplied", "GET", f"{X}/nodes/s/supplied", None),
    ("patchSupplied", "PATCH", f"{X}/nodes/s/supplied?dryRun=true", {"t0": "a"}),
    ("putSupplied", "PUT", f"{X}/nodes/s/supplied/t0?dryRun=true", {"value": "b"}),
    ("getSupplied", "GET", f"{X}/nodes/s/supplied/t0", None),
    ("deleteSupplied", "DELETE", f"{X}/nodes/s/supplied/t0", None),
    ("runTransaction, moves of 2,000 levels", "POST", f"{X}/transactions?dryRun=true",
     {"operations": [{"op": "updateNode", "node": "c1", "parent": parent}
                     for parent in ["w1", "w2"] * 100]}),
    ("layout of 10,000 nodes", "POST", "/v1/sessions/l/transactions",
     {"operations": [{"op": "setOverride", "node": "s", "trait": "displayScale", "value": "{n}"},
                     {"op": "layout"}]}),
    ("updateTraitsIfNeeded", "POST", "/v1/sessions/l/nodes/s/updateTraitsIfNeeded", {}),
    ("getHistory", "GET", f"{X}/history?operations=true&pageSize=1000", None),
    ("getStatistics", "GET", f"{X}/stats", None),
    ("getNodeTraits, explained with what is absent", "GET",
     f"{X}/nodes/c1999/traits?explain=true&absent=true", None),
    ("getNodeTrait, explained with what is absent", "GET",
     f"{X}/nodes/c1999/traits/t0?explain=true&absent=true", None),
    ("compareNodes", "GET", f"{X}/nodes/c1999/compare?with=w1", None),
    ("resolve", "POST", f"{X}/resolve", {"under": "s", "traits": ["t0", "t1"]}),
    ("listScopes", "GET", f"{X}/nodes/s/scopes", None),
    ("putScope", "PUT", f"{X}/nodes/c1999/scopes/other", {"reads": ["t0", "t1"]}),
    ("getScope", "GET", f"{X}/nodes/s/scopes/scope1", None),
    ("deleteScope", "DELETE", f"{X}/nodes/c1999/scopes/other", None),
    ("listEnvironmentKeys", "GET", f"{X}/environmentKeys?pageSize=1000", None),
    ("putEnvironmentKey", "PUT", f"{X}/environmentKeys/key0",
     {"type": "string", "default": LONG[:1000]}),
    ("getEnvironmentKey", "GET", f"{X}/environmentKeys/key0", None),
    ("deleteEnvironmentKey", "DELETE", f"{X}/environmentKeys/none{{n}}", None),
    ("getEnvironment", "GET", f"{X}/nodes/c1999/environment", None),
    ("putEnvironmentValue", "PUT", f"{X}/nodes/s/environment/key0?dryRun=true", {"value": "a"}),
    ("getEnvironmentValue", "GET", f"{X}/nodes/c1999/environment/key0", None),
    ("deleteEnvironmentValue", "DELETE", f"{X}/nodes/s/environment/key0", None),
    ("listColors", "GET", f"{X}/colors?pageSize=1000", None),
    ("putColor", "PUT", f"{X}/colors/color0", VARIANTS),
    ("getColor", "GET", f"{X}/colors/color0", None),
    ("deleteColor", "DELETE", f"{X}/colors/none{{n}}", None),
    ("getNodeColor", "GET", f"{X}/nodes/c1999/colors/color0", None),
    ("listImages", "GET", f"{X}/images?pageSize=1000", None),
    ("putImage", "PUT", f"{X}/images/image0", VARIANTS),
    ("getImage", "GET", f"{X}/images/image0", None),
    ("deleteImage", "DELETE", f"{X}/images/none{{n}}", None),
    ("getNodeImage", "GET", f"{X}/nodes/c1999/images/image0", None),
    ("listRegistrations", "GET", f"{X}/registrations?pageSize=1000", None),
    ("createRegistration", "POST", f"{X}/registrations?dryRun=true",
     {"node": "c1999", "traits": ["all"]}),
    ("putRegistration at 2,000 levels", "PUT", f"{X}/registrations/deep",
     {"node": "c1999", "traits": ["t0"]}),
    ("getRegistration", "GET", f"{X}/registrations/r0", None),
    ("deleteRegistration", "DELETE", f"{X}/registrations/deep", None),
    ("streamRegistrationEvents", "GET", f"{X}/registrations/r0/events?from=start&wait=0", None),
    ("streamNodeEvents", "GET", f"{X}/nodes/w1/events?wait=0&traits=t0,t1", None),
    ("streamManyEvents, their state", "POST", f"{X}/events?initial=true&wait=0",
     {"watches": [{"node": f"w{number}", "traits": ["t0"]} for number in range(20)]}),
    ("streamSessionEvents", "GET",
     f"{X}/events?from=start&wait=0&limit=1000&operations=true", None),
]


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * TICK_SECONDS


def head_bytes(method, target, data):
    fields = ["Host: 127.0.0.1:8080"]
    if data:
        fields += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
    return len(f"{method} {target} HTTP/1.1\r\n") + sum(len(field) + 2 for field in fields) + 2


def send(connection, request, number):
    """Sends one request and reads its answer: the status, bytes sent and answered."""
    _, method, target, body = request
    data = None
    if body is not None:
        text = json.dumps(body).replace('"{n}"', str(number % 3 + 1))
        data = text.replace("{n}", str(number)).encode()
    target = target.replace("{n}", str(number))
    connection.request(method, target, data, {"Content-Type": "application/json"} if data else {})
    answer = connection.getresponse()
    length = 0
    while part := answer.read(1 << 18):
        length += len(part)
    return answer.status, head_bytes(method, target, data) + len(data or b""), length


def longest_turn(connection, since):
    """Milliseconds of work in the longest turn since then, and when the newest turn ended."""
    connection.request("GET", "/v1/server/slow")
    turns = [turn for turn in json.loads(connection.getresponse().read())["turns"] if turn["time"] > since]
    return (max((turn["ranMilliseconds"] for turn in turns), default=0),
            max((turn["time"] for turn in turns), default=since))


def measure(server, client, request):
    """The status, bytes sent and answered, and CPU seconds, of one request on average; milliseconds of its
    longest turn."""
    connection = client.persistent()
    turns, (_, newest) = [], longest_turn(connection, "")
    for number in range(TURN_SAMPLES):
        send(connection, request, number)
        turn, newest = longest_turn(connection, newest)
        turns.append(turn)
    count, sent, answered, statuses = 0, 0, 0, set()
    start = cpu_seconds(server.pid)
    while count < REPEATS_MAX:
        status, *lengths = send(connection, request, TURN_SAMPLES + count)
        statuses.add(status)
        count += 1
        sent += lengths[0]
        answered += lengths[1]
        if count % 10 == 0 and cpu_seconds(server.pid) - start > CPU_SECONDS_MIN:
            break
    used = cpu_seconds(server.pid) - start
    connection.close()
    return statuses, sent / count, answered / count, used / count, sorted(turns)[TURN_SAMPLES // 2]


def covered():
    """Every operation of the interface has a line."""
    listed = {line.split()[2] for line in OPERATIONS.read_text(encoding="utf-8").splitlines()
              if line.split()[0] in ("GET", "PUT", "POST", "PATCH", "DELETE") and "/" in line}
    measured = {re.match(r"\w+", request[0]).group() for request in REQUESTS}
    return sorted(listed - measured)


def main(binary, *flags):
    raise_descriptors()
    missing = covered()
    rows = []
    with Watched(binary, "--shards", "1", "--max-memory", "1GiB",
                 "--slow-turn-microseconds-min", str(TURN_LISTED_MICROSECONDS)) as server:
        client = Client(server.port)
        prepare(client)
        for request in REQUESTS:
            statuses, sent, answered, seconds, turn = measure(server, client, request)
            rows.append((request[0], "/".join(map(str, sorted(statuses))), sent, answered,
                         answered / sent, seconds * 1e6, seconds * 1e6 / sent, turn))
    rows.sort(key=lambda row: -row[6])
    lines = ["| operation | status | bytes sent | bytes answered | answered for each byte sent"
             " | CPU, µs | µs for each byte sent | longest turn, ms |", "|---|---|---:|---:|---:|---:|---:|---:|"]
    for name, status, sent, answered, ratio, micros, rate, turn in rows:
        lines.append(f"| {name} | {status} | {sent:,.0f} | {answered:,.0f} | {ratio:,.1f}"
                     f" | {micros:,.1f} | {rate:,.3f} | {turn:.1f} |")
    table = "\n".join(lines)
    print(table)
    if missing:
        print(f"costs.py: without a line: {', '.join(missing)}", file=sys.stderr)
    long = [f"{row[0]}, {row[7]:.1f} ms" for row in rows if row[7] >= TURN_MS_MAX]
    if long:
        print(f"costs.py: a turn works for {TURN_MS_MAX:g} ms: {'; '.join(long)}", file=sys.stderr)
    if "--write" in flags:
        page = PAGE.read_text(encoding="utf-8")
        page = re.sub(r"(<!-- costs: [^>]*-->\n).*?(?=<!-- end of costs -->)",
                      lambda match: f"{match.group(1)}\n{table}\n\n", page, flags=re.S)
        PAGE.write_text(page, encoding="utf-8")
    return 1 if missing or long else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
