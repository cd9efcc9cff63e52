#!/usr/bin/env python3
"""Checks that a small GET on an open connection allocates nothing. Counts the allocator calls of a
release binary over thousands of requests of each kind.

A write allocates, because a commit is retained; its count is printed and has a bound.

usage: allocations.py TRAITD
"""

import http.client
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import servers  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent
NODE = "/v1/sessions/ipad-mail/nodes/message-050.subject"
OVERRIDE = "/v1/sessions/ipad-mail/nodes/message.quote/overrides/theme"
WARM, COUNTED = 500, 5_000
# What the process does beside requests: Dispatch's threads and a buffer that grows once, and in each
# second the timers that measure memory and sweep idle feeds, with about ten allocations.
STRAY_MAX, STRAY_PER_SECOND_MAX = 100, 40
KINDS = [
    ("GET /livez", "GET", "/livez", 0),
    ("GET one trait", "GET", f"{NODE}/traits/theme", 0),
    ("GET three traits", "GET", f"{NODE}/traits?traits=userInterfaceStyle,displayScale,theme", 0),
    ("GET all traits", "GET", f"{NODE}/traits", 0),
    ("PUT override", "PUT", OVERRIDE, 12),
]
VALUES = ["standard", "pastel", "bold", "monochrome"]


def allocations(path):
    return int.from_bytes(path.read_bytes()[:8], sys.byteorder)


def send(connection, method, target, count):
    for number in range(count):
        body, fields = None, {}
        if method == "PUT":
            body = f'{{"value":"{VALUES[number % len(VALUES)]}"}}'
            fields = {"Content-Type": "application/json"}
        connection.request(method, target, body, fields)
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            sys.exit(f"allocations: {method} {target}: {answer.status}")


def main(traitd):
    with tempfile.TemporaryDirectory() as work:
        library, file = pathlib.Path(work, "count.so"), pathlib.Path(work, "count")
        subprocess.run(["cc", "-O2", "-Wall", "-shared", "-fPIC", "-o", library,
                        FOLDER / "count_allocations.c"], check=True)
        os.environ.update(ALLOCATIONS_FILE=str(file), LD_PRELOAD=str(library))
        server = servers.traitd(traitd)
        del os.environ["LD_PRELOAD"], os.environ["ALLOCATIONS_FILE"]
        failed = False
        try:
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
            for name, method, target, bound in KINDS:
                send(connection, method, target, WARM)
                before, began = allocations(file), time.monotonic()
                send(connection, method, target, COUNTED)
                calls = allocations(file) - before
                stray = STRAY_MAX + STRAY_PER_SECOND_MAX * (time.monotonic() - began)
                holds = calls <= stray + bound * COUNTED
                failed |= not holds
                print(f"{name}: {calls / COUNTED:.2f} allocations a request, {calls} in all;"
                      f" {'as it should be' if holds else f'more than {bound}'}")
        finally:
            server.end()
    sys.exit(failed)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
