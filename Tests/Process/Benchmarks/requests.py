#!/usr/bin/env python3
"""Counts the instructions that the server takes for a request over HTTP, between two dumps of callgrind, and
writes docs/performance/requests.md. Counts hardly depend on the machine's load.

usage: requests.py TRAITD [--check]    with --check nothing is written
"""

import http.client
import json
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

TARGET = pathlib.Path(__file__).resolve().parent.parent.parent.parent / "docs/performance/requests.md"
SESSION = "/v1/sessions/demo"
OVERRIDE = f"{SESSION}/nodes/scene/overrides/theme"
THREE = f"{SESSION}/nodes/node7/traits?traits=theme,displayScale,userInterfaceStyle"
# Requests that are not counted, since they find nothing warm, and requests that are.
WARM, COUNTED = 500, 5_000
START_SECONDS_MAX = 120
DUMP_SECONDS_MAX = 30
# Under callgrind everything takes fifty times as long. No turn may be a slow one: the shard would ask the system
# for its thread's times for almost every request. No request may be a slow one: its entry in the list of slow
# requests would be counted. Both would come the more often the slower the machine is.
NOTHING_IS_SLOW = ["--limit", "slow-turn-microseconds-min=1000000", "--limit", "slow-request-microseconds-min=60000000"]

# What is sent, whether the sessions are on disk, what the request is, and the most that it may take.
REQUESTS = [
    ("read", False, "three traits of a node eight levels below its scene", 11_700),
    ("override", False, "an override of the scene that notifies no registration", 20_000),
    ("heard", False, "an override of the scene that notifies one registration", 31_100),
    ("repeatable", False, "an override with an `Idempotency-Key`", 33_400),
    ("override", True, "an override with `--data-dir`", 75_100),
    ("heard", True, "an override with `--data-dir` that notifies one registration", 88_800),
    ("repeatable", True, "an override with `--data-dir` and an `Idempotency-Key`", 93_200),
]
# Name, what it is, and by how much it may add to a read that sends the same bytes, as a share.
ADDITIONS = [
    ("tokens", "a read by a caller with a token", 0.035),
    ("unlogged", "a read that --access-log-sample leaves out", 0.01),
    ("both", "a read by a caller with a token that --access-log-sample leaves out", 0.035),
    ("logged", "a read with a line of JSON in the access log, made beside the shard", 0.5),
]


class Connection(http.client.HTTPConnection):
    """Sends a head with its body at once: a server that receives the head alone takes more instructions
    than one that receives both, and which it is depends on the load of the machine."""

    held = b""

    def send(self, data):
        self.held += data

    def flush(self):
        self.sock.sendall(self.held)
        self.held = b""


class Server:
    """traitd under callgrind, with one shard and the tree that is asked for. Starting it takes as long as some
    thousand requests."""

    def __init__(self, binary, folder, *options, token=None, valgrind=()):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        # Looks for vgdb's commands often, so that vgdb needs no ptrace, which containers may refuse.
        self.process = subprocess.Popen(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={self.folder}/out", "--vgdb-poll=100",
             f"--vgdb-prefix={self.folder}/pipe", *valgrind, binary, "--port", str(port), "--shards", "1",
             *NOTHING_IS_SLOW, *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.dumps = 0
        self.keys = 0
        self.fields = {"Authorization": f"Bearer {token}"} if token else {}
        self.connection = Connection("127.0.0.1", port, timeout=60)
        end = time.monotonic() + START_SECONDS_MAX
        while True:
            try:
                self.connection.connect()
                break
            except OSError:
                if time.monotonic() > end or self.process.poll() is not None:
                    self.process.kill()
                    sys.exit("requests: traitd does not serve under valgrind")
                time.sleep(0.1)
        self.make_tree()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)

    def send(self, method, path, body=None, **more):
        fields = self.fields | more
        if body is not None:
            fields["Content-Type"] = "application/json"
            body = json.dumps(body)
        self.connection.putrequest(method, path, skip_accept_encoding=True)
        if body is not None:
            fields["Content-Length"] = str(len(body))
        for name, value in fields.items():
            self.connection.putheader(name, value)
        self.connection.endheaders(body.encode() if body is not None else None)
        self.connection.flush()
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            sys.exit(f"requests: {method} {path}: {answer.status} {text[:300]!r}")

    def make_tree(self):
        self.send("PUT", SESSION, {})
        self.send("PUT", f"{SESSION}/traits/theme",
                  {"type": "enum", "default": "a", "cases": {"a": 0, "b": 1, "c": 2}})
        parent = "scene"
        self.send("PUT", f"{SESSION}/nodes/scene", {"kind": "windowScene", "parent": None})
        for level in range(8):
            kind = "view" if level else "window"
            self.send("PUT", f"{SESSION}/nodes/node{level}", {"kind": kind, "parent": parent})
            parent = f"node{level}"
        self.send("PUT", OVERRIDE, {"value": "b"})

    def dump(self):
        """Instructions since the dump before."""
        run = subprocess.run(
            ["vgdb", "--max-invoke-ms=0", f"--vgdb-prefix={self.folder}/pipe", f"--pid={self.process.pid}",
             "dump"], capture_output=True, text=True, timeout=DUMP_SECONDS_MAX)
        self.dumps += 1
        output = self.folder / f"out.{self.dumps}"
        if run.returncode != 0 or not output.exists():
            sys.exit(f"requests: callgrind writes no dump: {run.stderr}")
        return int(re.search(r"^(?:summary|totals): (\d+)", output.read_text(encoding="utf-8"), re.M)[1])

    def send_many(self, what, count):
        for number in range(count):
            if what == "read":
                self.send("GET", THREE)
                continue
            more = {}
            if what == "repeatable":
                self.keys += 1
                more["Idempotency-Key"] = f'"key-{self.keys:08}"'
            self.send("PUT", OVERRIDE, {"value": "abc"[number % 3]}, **more)

    def instructions(self, what, runs=1):
        """Of one request, once everything is warm: the least of so many runs. When the machine was busy, a run
        takes some more, as timers go off more often during it."""
        if what == "heard":
            self.send("PUT", f"{SESSION}/registrations/r", {"node": "node7", "traits": ["theme"]})
        self.send_many(what, WARM)
        found = []
        for _ in range(runs):
            self.dump()
            self.send_many(what, COUNTED)
            found.append(self.dump() / COUNTED)
        return min(found)


def main(binary, isCheck):
    rows, missed = [], []
    with tempfile.TemporaryDirectory() as folder:
        for what, is_on_disk, words, most in REQUESTS:
            found = on_new_server(binary, folder, what, is_on_disk)
            if found > most:
                # One run alone may have been disturbed.
                found = min(found, on_new_server(binary, folder, what, is_on_disk))
            rows.append(f"| {words} | {found:,.0f} | {most:,} |")
            if found > most:
                missed.append(f"{words}: {found:,.0f} instructions, more than {most:,}")
        count_additions(binary, folder, rows, missed)
    print("\n".join(rows))
    if not isCheck:
        TARGET.write_text(PAGE.format(rows="\n".join(rows), counted=COUNTED, warm=WARM), encoding="utf-8")
    if missed:
        sys.exit("requests: " + "; ".join(missed))


def on_new_server(binary, folder, what, is_on_disk):
    with tempfile.TemporaryDirectory(dir=folder) as data:
        with Server(binary, folder, *(("--data-dir", data) if is_on_disk else ())) as server:
            return server.instructions(what)


def count_additions(binary, folder, rows, missed):
    tokens = pathlib.Path(folder) / "tokens"
    made = subprocess.run(
        [binary, "token", "new", "--tokens", tokens, "--name", "count", "--allow", "admin"],
        check=True, capture_output=True, text=True).stdout
    token = re.search(r"traitd_\S+", made)[0]

    def read(*options, token=None):
        """Precise enough to compare two that differ by a per cent."""
        with Server(binary, folder, *options, token=token) as server:
            return server.instructions("read", runs=2)

    asks_token = ("--tokens", str(tokens))
    logs = ("--access-log", "json")
    leaves_out = (*logs, "--access-log-sample", "1000000")
    with_field, without = read(token=token), read()
    for (name, words, share), found, base in [
            (ADDITIONS[0], read(*asks_token, token=token), with_field),
            (ADDITIONS[1], read(*leaves_out), without),
            (ADDITIONS[2], read(*asks_token, *leaves_out, token=token), with_field),
            (ADDITIONS[3], read(*logs), without)]:
        most = base * (1 + share)
        rows.append(f"| {words}: {found / base - 1:.1%} more | {found:,.0f} | {most:,.0f} |")
        if found > most:
            missed.append(f"{name}: {found / base - 1:.1%} more, {share:.1%} allowed")


PAGE = """# Requests over HTTP, counted

Made by `Tests/Process/Benchmarks/requests.py` (`make bench-paths`). All instructions of user space that the release
binary takes for one request on a connection that stays open, from `epoll_wait` to `send`: the mean of
{counted:,} requests under callgrind, after {warm} that are not counted. The script fails when one takes more
than the last column says. An option says that a turn is slow from a second on
(`--limit slow-turn-microseconds-min`), since every turn is slow under callgrind.

| request | instructions | at most |
|---|---:|---:|
{rows}

A percentage compares a row with the read that sends the same bytes to a server without the option, so the
read by a caller with a token is compared with one that has the field `Authorization`, too. Metrics are always
counted. A caller's token is compared with the one that the connection sent before.
"""


if __name__ == "__main__":
    main(sys.argv[1], "--check" in sys.argv[2:])
