#!/usr/bin/env python3
"""Streams against the C loop's, each server on core 0, the client on core 1: what 10,000 idle ones
cost in memory, and how long a broadcast takes to reach the last of 5,000. Rounds are interleaved, and
ratios taken within a round. The figures go to docs/performance/streams.json too.

The client is one epoll loop of this process; its receiving is in every time, alike for both servers.

usage: streams.py TRAITD LOOP [ROUNDS [IDLE [LISTENING]]]      defaults: 9, 10000, 5000
"""

import gc
import http.client
import json
import os
import pathlib
import resource
import select
import socket
import statistics
import sys
import time

sys.dont_write_bytecode = True
import machine  # noqa: E402
import measure  # noqa: E402
import report_http  # noqa: E402
import servers  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent
BROADCASTS = 5
SESSION = "/v1/sessions/ipad-mail"
EVENTS = f"{SESSION}/events"
WAIT_SECONDS_MAX = 20


class Streams:
    """Open streams of one server."""

    def __init__(self, server, path, count):
        self.server = server
        self.poller = select.epoll()
        self.sockets = {}
        request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        # In portions that the backlog takes.
        for first in range(0, count, 500):
            portion = [self.connect() for _ in range(min(500, count - first))]
            for client in portion:
                client.send(request)
            for client in portion:
                self.take_head(client, path == EVENTS)
                client.setblocking(False)
                self.poller.register(client, select.EPOLLIN)

    def connect(self):
        client = socket.create_connection(("127.0.0.1", self.server.port))
        client.settimeout(WAIT_SECONDS_MAX)
        self.sockets[client.fileno()] = client
        return client

    @staticmethod
    def take_head(client, has_record):
        data = b""
        while b"\r\n\r\n" not in data or (has_record and b'"begin"' not in data):
            more = client.recv(4096)
            if not more:
                raise OSError("a stream ended")
            data += more
        if not data.startswith(b"HTTP/1.1 200 "):
            raise OSError(f"no stream: {data[:60]}")

    def receive(self, size):
        """Waits until each has received `size` bytes, and answers when the last had."""
        missing = dict.fromkeys(self.sockets, size)
        end = time.monotonic() + WAIT_SECONDS_MAX
        while missing:
            for descriptor, _ in self.poller.poll(1, 4096):
                count = len(os.read(descriptor, 4096))
                left = missing.get(descriptor, 0) - count
                if left > 0:
                    missing[descriptor] = left
                else:
                    missing.pop(descriptor, None)
            if time.monotonic() > end:
                raise OSError(f"{len(missing)} streams did not hear of it")
        return time.perf_counter()

    def close(self):
        self.poller.close()
        for client in self.sockets.values():
            client.close()


class Loop:
    """The C loop: /broadcast sends 200 bytes to each."""

    path, name = "/stream", "C epoll loop"

    def __init__(self, server):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port)

    def trigger(self):
        self.connection.putrequest("GET", "/broadcast")
        self.connection.endheaders()
        return 206

    def finish(self):
        self.connection.getresponse().read()


class Traitd:
    """A commit that all streams of the session hear of."""

    path, name = EVENTS, "traitd"

    def __init__(self, server):
        self.server = server
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port)
        self.number = 0

    def send(self):
        self.number += 1
        theme = ("bold", "pastel")[self.number % 2]
        self.connection.request(
            "PUT", f"{SESSION}/nodes/message.quote/overrides/theme", f'{{"value":"{theme}"}}',
            {"Content-Type": "application/json"})

    def trigger(self):
        self.send()
        return self.size

    def finish(self):
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise OSError(f"status {answer.status}: {body[:200]}")

    def measure_record(self):
        """The bytes of one record, by a stream of its own."""
        streams = Streams(self.server, self.path, 1)
        sizes = set()
        for _ in range(4):
            self.send()
            self.finish()
            time.sleep(0.05)
            client = next(iter(streams.sockets.values()))
            sizes.add(len(client.recv(65536)))
        streams.close()
        # Revisions get digits as they grow; the shortest of these is in every record.
        return min(sizes)

    size = 0


def idle(server, side, count):
    """KiB of resident memory that each of `count` idle streams adds."""
    before = server.resident_bytes()
    streams = Streams(server, side.path, count)
    # The server's last allocations are behind it when it answers the next request.
    side.connection.request("GET", "/livez")
    side.connection.getresponse().read()
    cost = (server.resident_bytes() - before) / count / 1024
    streams.close()
    return cost


def broadcast(server, side, streams):
    """Milliseconds until the last stream has a record, and of the server's time for that."""
    cpu = server.cpu_seconds()
    start = time.perf_counter()
    size = side.trigger()
    last = streams.receive(size)
    side.finish()
    drain(streams)
    return (last - start) * 1000, (server.cpu_seconds() - cpu) * 1000


def drain(streams):
    """What is left of longer records."""
    while ready := streams.poller.poll(0.02):
        for descriptor, _ in ready:
            os.read(descriptor, 65536)


def one_round(running, sides, listening):
    times = {}
    for name, server in running.items():
        streams = Streams(server, sides[name].path, listening)
        broadcast(server, sides[name], streams)
        taken = [broadcast(server, sides[name], streams) for _ in range(BROADCASTS)]
        times[name] = [statistics.median(column) for column in zip(*taken)]
        streams.close()
        # Thousands of connections end; that is not the next one's affair.
        wait_until_idle(server)
    return times


def wait_until_idle(server):
    before = -1.0
    while (now := server.cpu_seconds()) != before:
        before = now
        time.sleep(0.1)


def main(traitd, loop, rounds=9, idle_count=10000, listening=5000):
    rounds, idle_count, listening = int(rounds), int(idle_count), int(listening)
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    most = max(idle_count, listening) + 100
    if limit < most:
        sys.exit(f"streams: {most} descriptors are needed, the limit is {limit}")
    os.sched_setaffinity(0, {1})
    running = {"traitd": servers.traitd(traitd, "--limit", "heartbeat-seconds=300"),
               "loop": servers.loop(loop)}
    try:
        sides = {"traitd": Traitd(running["traitd"]), "loop": Loop(running["loop"])}
        sides["traitd"].size = sides["traitd"].measure_record()
        gc.disable()
        memory = {name: idle(server, sides[name], idle_count)
                  for name, server in running.items()}
        for server in running.values():
            wait_until_idle(server)
        measured = []
        for number in range(rounds):
            print(f"streams: round {number + 1} of {rounds}", file=sys.stderr)
            measured.append(one_round(running, sides, listening))
    finally:
        for server in running.values():
            server.end()
    report(memory, measured, idle_count, listening, sides["traitd"].size)


def summary(name, unit, values, digits):
    return {"name": name, "unit": unit, **measure.summary(values), "digits": digits}


def report(memory, measured, idle_count, listening, record_bytes):
    ratios = [one["traitd"][0] / one["loop"][0] for one in measured]
    figures = [
        summary(f"Memory of one of {idle_count:,} idle streams", "KiB", [memory["traitd"]], 2),
        summary("The same, C epoll loop", "KiB", [memory["loop"]], 2),
    ]
    for key, name in (("traitd", ""), ("loop", ", C epoll loop")):
        figures.append(summary(f"The last of {listening:,} streams has a record{name}", "ms",
                               [one[key][0] for one in measured], 1))
        figures.append(summary(f"The server's time for it{name}", "ms",
                               [one[key][1] for one in measured], 0))
    figures.append(summary("The last stream, C = 1", "ratio", ratios, 2))
    result = {
        "machine": machine.describe(),
        "text": f"{len(measured)} rounds, each the median of {BROADCASTS} broadcasts of one record"
                f" ({record_bytes} bytes chunk and all; the C loop's has 206) to {listening:,}"
                " streams; server on core 0, client on core 1. Ratios are of one round.",
        "figures": figures,
        "bars": [
            measure.bar(f"memory of an idle stream, of {idle_count:,}", "at most", 1.5, "KiB", [memory["traitd"]]),
            measure.bar(f"broadcast to {listening:,} streams, the last one, C loop = 1", "at most", 1.2,
                        "ratio", ratios),
        ],
    }
    print("\n".join(report_http.wire_part(None, result)))
    path = FOLDER.parents[2] / "docs/performance/streams.json"
    path.write_text(
        json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
