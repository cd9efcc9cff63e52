#!/usr/bin/env python3
"""What a session of two nodes takes, which is most of what a server of many tenants holds: as the mean of
10,000, and again when each has answered with all traits. The memory that the server counts for them has to be
about what the process takes.

usage: small.py TRAITD      prints bytes; exit status 1 where a bar is missed
"""

import http.client
import json
import sys
import time

sys.dont_write_bytecode = True
from watching import Watched  # noqa: E402

SESSIONS = 10_000
BYTES_MAX, READ_BYTES_MAX = 10 << 10, 11 << 10
# The allocator rounds, and the server counts without asking it.
COUNTED_MIN, COUNTED_MAX = 0.75, 1.25
PARTS = ("nodes", "names", "values", "watches", "retainedCommits", "feeds")
BODY = json.dumps({"nodes": [{"id": "scene", "kind": "windowScene"},
                             {"id": "window", "kind": "window", "parent": "scene"}]})


def send(connection, method, target, body=None):
    connection.request(method, target, body, {"Content-Type": "application/json"} if body else {})
    answer = connection.getresponse()
    text = answer.read()
    if answer.status not in (200, 201):
        sys.exit(f"small: {method} {target}: {answer.status} {text[:200]}")
    return text.decode()


def counted(connection):
    """Bytes of all sessions as the server counts them, which it does about once a second."""
    time.sleep(3)
    total = 0
    for line in send(connection, "GET", "/metrics").splitlines():
        name, _, value = line.partition(" ")
        if name in {f'traitd_memory_bytes{{part="{part}"}}' for part in PARTS}:
            total += float(value)
    return total / SESSIONS


def main(binary):
    failed = 0
    with Watched(binary, "--limit", f"sessions-max={SESSIONS + 1}") as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        send(connection, "PUT", "/v1/sessions/warm", BODY)
        send(connection, "GET", "/v1/sessions/warm/nodes/window/traits")
        before = server.resident_bytes()
        for number in range(SESSIONS):
            send(connection, "PUT", f"/v1/sessions/s{number}", BODY)
        made = (server.resident_bytes() - before) / SESSIONS
        for number in range(SESSIONS):
            send(connection, "GET", f"/v1/sessions/s{number}/nodes/window/traits")
        read = (server.resident_bytes() - before) / SESSIONS
        share = counted(connection) / read
    for what, value, most in (("a session of two nodes", made, BYTES_MAX),
                              ("after a read of all traits", read, READ_BYTES_MAX)):
        failed += value > most
        print(f"{what}: {value:,.0f} bytes, at most {most:,}")
    failed += not COUNTED_MIN <= share <= COUNTED_MAX
    print(f"the server counts {share:.2f} of them, {COUNTED_MIN} to {COUNTED_MAX}")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
