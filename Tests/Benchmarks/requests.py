#!/usr/bin/env python3
"""Counts the instructions that the server takes for a request over HTTP, by the difference of two runs
under callgrind, and writes docs/performance/requests.md. Counts do not depend on the machine's load.

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

TARGET = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/performance/requests.md"
SESSION = "/v1/sessions/demo"
OVERRIDE = f"{SESSION}/nodes/scene/overrides/theme"
THREE = f"{SESSION}/nodes/node7/traits?traits=theme,displayScale,userInterfaceStyle"
COUNTS = (500, 5500)
START_SECONDS_MAX = 120

# What is sent, whether the sessions are on disk, what the request is, and the most that it may take.
REQUESTS = [
    ("read", False, "three traits of a node eight levels below its scene", 11_855),
    ("override", False, "an override of the scene that notifies no registration", 22_760),
    ("heard", False, "an override of the scene that notifies one registration", 32_600),
    ("repeatable", False, "an override with an `Idempotency-Key`", 35_800),
    ("override", True, "an override with `--data-dir`", 77_000),
    ("heard", True, "an override with `--data-dir` that notifies one registration", 88_800),
    ("repeatable", True, "an override with `--data-dir` and an `Idempotency-Key`", 93_200),
]
# Name, what it is, and by how much it may add to a read that sends the same bytes, as a share.
ADDITIONS = [
    ("tokens", "a read by a caller with a token", 0.03),
    ("unlogged", "a read that --access-log-sample leaves out", 0.01),
    ("both", "a read by a caller with a token that --access-log-sample leaves out", 0.03),
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
    """traitd under callgrind, with one shard and the tree that is asked for."""

    def __init__(self, binary, folder, *options, token=None):
        self.output = pathlib.Path(folder) / "callgrind.out"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.process = subprocess.Popen(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={self.output}", binary,
             "--port", str(port), "--shards", "1", *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.fields = {"Authorization": f"Bearer {token}"} if token else {}
        self.connection = Connection("127.0.0.1", port, timeout=60)
        end = time.monotonic() + START_SECONDS_MAX
        while True:
            try:
                self.connection.connect()
                break
            except OSError:
                if time.monotonic() > end or self.process.poll() is not None:
                    sys.exit("requests: traitd does not serve under valgrind")
                time.sleep(0.1)
        self.make_tree()

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

    def end(self):
        """Instructions of the whole run."""
        self.connection.close()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        text = self.output.read_text(encoding="utf-8")
        return int(re.search(r"^(?:summary|totals): (\d+)", text, re.M)[1])


def instructions(binary, folder, what, *options, token=None, is_on_disk=False, runs=1):
    """Of one request, once everything is warm: the difference between a long run and a short one. Each is made
    `runs` times, and its least total counts. When a wake of the kernel comes late, a run takes some more
    instructions; in the short run that would make the difference too small."""
    few, many = (min(total(binary, folder, what, count, *options, token=token, is_on_disk=is_on_disk)
                     for _ in range(runs))
                 for count in COUNTS)
    return (many - few) / (COUNTS[1] - COUNTS[0])


def total(binary, folder, what, count, *options, token=None, is_on_disk=False):
    """Of a whole run with `count` requests."""
    with tempfile.TemporaryDirectory(dir=folder) as data:
        if is_on_disk:
            options += ("--data-dir", data)
        return counted(Server(binary, folder, *options, token=token), what, count)


def counted(server, what, count):
    """Of a whole run of a server that was just started."""
    if what == "heard":
        server.send("PUT", f"{SESSION}/registrations/r", {"node": "node7", "traits": ["theme"]})
    for number in range(count):
        if what == "read":
            server.send("GET", THREE)
        elif what == "repeatable":
            server.send("PUT", OVERRIDE, {"value": "abc"[number % 3]},
                        **{"Idempotency-Key": f'"key-{number:08}"'})
        else:
            server.send("PUT", OVERRIDE, {"value": "abc"[number % 3]})
    return server.end()


def precise(*arguments, **options):
    """The instructions of a request, precise enough to compare two that differ by a few per cent."""
    return instructions(*arguments, **options, runs=2)


def main(binary, isCheck):
    rows, missed = [], []
    with tempfile.TemporaryDirectory() as folder:
        for what, is_on_disk, words, most in REQUESTS:
            found = instructions(binary, folder, what, is_on_disk=is_on_disk)
            if found > most:
                # One run alone may have been disturbed.
                found = precise(binary, folder, what, is_on_disk=is_on_disk)
            rows.append(f"| {words} | {found:,.0f} | {most:,} |")
            if found > most:
                missed.append(f"{words}: {found:,.0f} instructions, more than {most:,}")
        tokens = pathlib.Path(folder) / "tokens"
        made = subprocess.run(
            [binary, "token", "new", "--tokens", tokens, "--name", "count", "--allow", "admin"],
            check=True, capture_output=True, text=True).stdout
        token = re.search(r"traitd_\S+", made)[0]
        with_field = precise(binary, folder, "read", token=token)
        without = precise(binary, folder, "read")
        for (name, words, share), found, base in [
                (ADDITIONS[0], precise(binary, folder, "read", "--tokens", str(tokens),
                                     token=token), with_field),
                (ADDITIONS[1], precise(binary, folder, "read", "--access-log", "json",
                                     "--access-log-sample", "1000000"), without),
                (ADDITIONS[2], precise(binary, folder, "read", "--tokens", str(tokens),
                                     "--access-log", "json", "--access-log-sample", "1000000",
                                     token=token), with_field),
                (ADDITIONS[3], precise(binary, folder, "read", "--access-log", "json"), without)]:
            most = base * (1 + share)
            rows.append(f"| {words}: {found / base - 1:.1%} more | {found:,.0f} | {most:,.0f} |")
            if found > most:
                missed.append(f"{name}: {found / base - 1:.1%} more, {share:.1%} allowed")
    print("\n".join(rows))
    if not isCheck:
        TARGET.write_text(PAGE.format(rows="\n".join(rows), counts=COUNTS), encoding="utf-8")
    if missed:
        sys.exit("requests: " + "; ".join(missed))


PAGE = """# Requests over HTTP, counted

Made by `Tests/Benchmarks/requests.py` (`make bench-paths`). All instructions of user space that the release
binary takes for one request on a connection that stays open, from `epoll_wait` to `send`: the
difference of a run of {counts[1]:,} requests and one of {counts[0]:,} under callgrind. The script
fails when one takes more than the last column says.

| request | instructions | at most |
|---|---:|---:|
{rows}

A percentage compares a row with the read that sends the same bytes to a server without the option, so the
read by a caller with a token is compared with one that has the field `Authorization`, too. Metrics are always
counted. A caller's token is compared with the one that the connection sent before.
"""


if __name__ == "__main__":
    main(sys.argv[1], "--check" in sys.argv[2:])
