#!/usr/bin/env python3
"""Sends a release binary with a single shard writes that take long, and prints the longest turn that
the shard has counted during each, with what small reads of another session took at the same time.

usage: turns.py TRAITD [NODES [TURN_MS_MAX]]

NODES of the large sessions (1,000,000). Without TURN_MS_MAX nothing is judged: on a machine that does
other things as well, a turn lasts as long as the system keeps the processor from it.
"""

import gzip
import http.client
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor


class Server:
    """One traitd for one measurement: the figure is in the log line that it ends with."""

    def __init__(self, binary, *options):
        self.process = subprocess.Popen(
            [binary, "--port", "0", "--shards", "1", "--log-format", "json", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://([^:]+):(\d+)", line)
        if not found:
            sys.exit(f"{binary} said {line!r} instead of where it serves")
        self.host, self.port = found[1], int(found[2])

    def connect(self):
        return http.client.HTTPConnection(self.host, self.port, timeout=300)

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        _, log = self.process.communicate(timeout=60)
        if self.process.returncode != 0:
            sys.exit(f"traitd ended with {self.process.returncode}:\n{log[-2000:]}")
        found = re.search(r'longestTurnMicroseconds[" :]+(\d+)', log)
        if not found:
            sys.exit(f"no longest turn in the log:\n{log[-2000:]}")
        return int(found[1])


class Client:
    def __init__(self, server):
        self.server = server
        self.connection = server.connect()

    def send(self, method, path, body=None, packed=False, expect=(200, 201, 204)):
        fields = {"Content-Type": "application/json"}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if packed:
            body = gzip.compress(body, 1)
            fields["Content-Encoding"] = "gzip"
        self.connection.request(method, path, body, fields)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status not in expect:
            sys.exit(f"{method} {path}: {answer.status} {text[:300]!r}")
        return text


class Reader:
    """Small reads of another session, one after the other, all the time."""

    def __init__(self, server):
        client = Client(server)
        client.send("PUT", "/v1/sessions/small", {"nodes": [
            {"id": "n", "kind": "environment", "overrides": {"displayScale": 2}}]})
        self.client = client
        self.milliseconds = []
        self.isOver = False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.isOver:
            start = time.perf_counter()
            self.client.send("GET", "/v1/sessions/small/nodes/n/traits/displayScale")
            self.milliseconds.append((time.perf_counter() - start) * 1000)
            time.sleep(0.0005)

    def end(self):
        self.isOver = True
        self.thread.join()
        times = sorted(self.milliseconds)
        return times[int(len(times) * 0.99)], times[-1], len(times)


def tree(count, layout=False):
    """Ten children a node; as JSON text."""
    nodes = ",".join(
        '{"id":"n%d","kind":"environment"%s}'
        % (n, ',"parent":"n%d"' % ((n - 1) // 10) if n else "") for n in range(count))
    updates = '"updates":"layout",' if layout else ""
    return ("{%s\"nodes\":[%s]}" % (updates, nodes)).encode()


def transactions(client, count):
    client.send("PUT", "/v1/sessions/t", tree(10_000))
    for turn in range(10):
        operations = [
            {"op": "setOverride", "node": f"n{n}", "trait": "displayScale", "value": turn + 1}
            for n in range(10_000)]
        client.send("POST", "/v1/sessions/t/transactions", {"operations": operations})


def load(client, count):
    client.send("PUT", "/v1/sessions/large", tree(count), packed=True)


def delete_nodes(client, count):
    load(client, count)
    client.send("DELETE", "/v1/sessions/large/nodes/n0")
    for _ in range(100):
        client.send("PUT", "/v1/sessions/large/nodes/x", {"kind": "environment"})
        client.send("DELETE", "/v1/sessions/large/nodes/x")


def delete_session(client, count):
    load(client, count)
    client.send("DELETE", "/v1/sessions/large")
    time.sleep(1)


def update(client, count):
    client.send("PUT", "/v1/sessions/large", tree(count // 2, layout=True), packed=True)
    client.send("POST", "/v1/sessions/large/layout")
    client.send("PUT", "/v1/sessions/large/nodes/n0/overrides/displayScale", {"value": 3})
    client.send("POST", "/v1/sessions/large/layout")


def notify(client, count):
    client.send("PUT", "/v1/sessions/t", tree(10_000))
    for part in range(0, 100_000, 10_000):
        client.send("POST", "/v1/sessions/t/transactions", {"operations": [
            {"op": "register", "registration": f"r{part + n}", "node": f"n{n}",
             "traits": ["displayScale"]} for n in range(10_000)]})
    for value in range(2, 7):
        client.send(
            "PUT", "/v1/sessions/t/nodes/n0/overrides/displayScale", {"value": value})
    client.send("DELETE", "/v1/sessions/t/nodes/n0/overrides/displayScale")
    client.send("DELETE", "/v1/sessions/t")


def resolve(client, count):
    load(client, count)
    traits = ["displayScale", "userInterfaceStyle", "layoutDirection", "horizontalSizeClass",
              "preferredContentSizeCategory"]
    read = subprocess.run(
        ["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code} %{size_download}",
         "-H", "Content-Type: application/json", "-H", "Accept: application/x-ndjson",
         "-d", json.dumps({"under": "n0", "traits": traits}),
         f"http://{client.server.host}:{client.server.port}/v1/sessions/large/resolve"],
        capture_output=True, text=True, check=True)
    status, size = read.stdout.split()
    if status != "200" or int(size) < count * 100:
        sys.exit(f"a resolve of {count} nodes answered {status} with {size} bytes")


WORK = [transactions, load, delete_nodes, delete_session, update, notify, resolve]


def measure(binary, work, count):
    """The longest turn during the work, in milliseconds. In a process of its own."""
    server = Server(binary, "--limit", "body-bytes-max=134217728")
    # Clients that share the server's processors must not take them in the middle of a turn.
    os.nice(15)
    reader = Reader(server)
    client = Client(server)
    start = time.perf_counter()
    work(client, count)
    seconds = time.perf_counter() - start
    usual, slowest, reads = reader.end()
    turn = server.end() / 1000
    print(f"{work.__name__}: {seconds:.2f} s; longest turn {turn:.2f} ms; another session's"
          f" reads {usual:.2f} ms at the 99th percentile of {reads}, {slowest:.1f} ms at worst",
          flush=True)
    return turn


def main():
    binary = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    most = float(sys.argv[3]) if len(sys.argv) > 3 else None
    only = os.environ.get("TURNS_ONLY")
    worst = 0
    for work in WORK:
        if only and work.__name__ != only:
            continue
        with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as process:
            worst = max(worst, process.submit(measure, binary, work, count).result())
    print(f"longest turn of all: {worst:.2f} ms")
    if most is not None and worst > most:
        sys.exit(f"a turn took {worst:.2f} ms, more than {most:g}")


main()
