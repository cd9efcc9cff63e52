#!/usr/bin/env python3
"""Measures writes that are on disk when they are answered: traitd with --data-dir, Redis with
`appendfsync always`, and etcd, one after another in each round, on the same disk and with the same clients.

What a flush costs differs from machine to machine and from day to day, so the figures that count are
ratios of one round; a probe of the disk stands beside them. etcd is asked through its JSON gateway, which
costs it more than gRPC would. Then traitd and Redis are measured with longer flushes (slow_flush.c), as
most disks have. etcd is not, because it makes system calls without the C library. The figures go to
docs/performance/durable.json.

usage: durable.py TRAITD LOAD SLOW_FLUSH [ROUNDS [SECONDS [FOLDER]]]
       defaults: 3 rounds of 2 s, a temporary folder
"""

import contextlib
import http.client
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path.insert(0, str(ROOT / ".ci/lib"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import servers  # noqa: E402
from traitd_server import Server  # noqa: E402

WRITERS = [1, 16, 64, 256]
# Milliseconds that a flush takes longer on the slower disks, and the writers there.
SLOWER = [0.5, 1, 2, 4]
SLOWER_WRITERS = 64
PROBES = 200
# At 64 writers, at least so many times as fast.
WANTED = {"redis": 1.0, "etcd": 3.0}


def probe(folder):
    """Milliseconds of a write of 4 KiB and its flush: the median, and the 99th percentile."""
    path = os.path.join(folder, "probe")
    block = b"x" * 4096
    times = []
    with open(path, "wb", buffering=0) as file:
        for _ in range(PROBES):
            began = time.perf_counter()
            file.write(block)
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - began) * 1000)
    os.remove(path)
    times.sort()
    return statistics.median(times), times[len(times) * 99 // 100]


def redis(folder):
    port = servers.free_port()
    return servers.Server(["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", folder,
                  "--appendonly", "yes", "--appendfsync", "always", "--save", ""], port, pinned=())


def etcd(folder):
    port = servers.free_port()
    url, peer = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{servers.free_port()}"
    return servers.Server(["etcd", "--data-dir", folder, "--listen-client-urls", url,
                  "--advertise-client-urls", url, "--listen-peer-urls", peer,
                  "--initial-advertise-peer-urls", peer, "--initial-cluster", f"default={peer}",
                  "--log-level", "error"], port, pinned=())


def prepare(port):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("PUT", "/v1/sessions/bench", body=json.dumps({
        "traits": {"level": {"type": "int", "default": 0}},
        "nodes": [{"id": f"n{number}", "kind": "environment"} for number in range(max(WRITERS))],
    }), headers={"Content-Type": "application/json"})
    answer = connection.getresponse()
    if answer.status != 201:
        sys.exit(f"durable: {answer.status} {answer.read()}")
    connection.close()


def run(load, mode, port, writers, seconds):
    result = subprocess.run([load, mode, "127.0.0.1", str(port), str(writers), str(seconds)],
                            capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"durable: {mode}: {result.stderr}")
    writes, took, p50, p99 = map(float, result.stdout.split())
    return {"rate": writes / took, "p50": p50, "p99": p99}


def measure(traitd, load, seconds, folder, has_etcd):
    """One round: for each number of writers all servers, one after another."""
    figures = {}
    with Server(traitd, "--data-dir", f"{folder}/traitd") as ours, \
            Server(traitd) as memory, redis(make(folder, "redis")) as other, \
            etcd(make(folder, "etcd")) if has_etcd else contextlib.nullcontext() as theirs:
        prepare(port_of(ours))
        prepare(port_of(memory))
        for writers in WRITERS:
            row = {"traitd": run(load, "http", port_of(ours), writers, seconds),
                   "memory": run(load, "http", port_of(memory), writers, seconds),
                   "redis": run(load, "resp", other.port, writers, seconds)}
            if theirs:
                row["etcd"] = run(load, "etcd", theirs.port, writers, seconds)
            row["flush"] = probe(folder)
            figures[writers] = row
    return figures


def measure_slower(traitd, load, slow_flush, seconds, folder):
    """One round with slower flushes: for each, Redis and traitd."""
    figures = {}
    for milliseconds in SLOWER:
        # For the two servers alone: the load does not flush.
        os.environ["LD_PRELOAD"] = slow_flush
        os.environ["FLUSH_MICROSECONDS"] = str(int(milliseconds * 1000))
        try:
            with Server(traitd, "--data-dir", f"{folder}/traitd-{milliseconds}") as ours, \
                    redis(make(folder, f"redis-{milliseconds}")) as other:
                del os.environ["LD_PRELOAD"]
                prepare(port_of(ours))
                figures[milliseconds] = {
                    "traitd": run(load, "http", port_of(ours), SLOWER_WRITERS, seconds),
                    "redis": run(load, "resp", other.port, SLOWER_WRITERS, seconds)}
        finally:
            os.environ.pop("LD_PRELOAD", None)
            del os.environ["FLUSH_MICROSECONDS"]
    return figures


def port_of(server):
    return int(server.address.rsplit(":", 1)[1])


def make(folder, name):
    path = f"{folder}/{name}"
    os.mkdir(path)
    return path


def report_slower(found):
    """Prints medians of the rounds with slower flushes, and returns them."""
    print(f"\n{'flush + ms':>10} {'traitd':>9} {'p99 ms':>7} {'Redis':>9} {'x Redis':>8}")
    report = []
    for milliseconds in SLOWER:
        rows = [figures[milliseconds] for figures in found]
        line = {"moreMilliseconds": milliseconds, "writers": SLOWER_WRITERS,
                "p99Milliseconds": statistics.median(row["traitd"]["p99"] for row in rows) / 1000,
                "traitd": statistics.median(row["traitd"]["rate"] for row in rows),
                "redis": statistics.median(row["redis"]["rate"] for row in rows),
                "times_redis": statistics.median(
                    row["traitd"]["rate"] / row["redis"]["rate"] for row in rows)}
        report.append(line)
        print(f"{milliseconds:>10} {line['traitd']:>9.0f} {line['p99Milliseconds']:>7.2f} "
              f"{line['redis']:>9.0f} {line['times_redis']:>8.2f}")
    return report


def main():
    if not 4 <= len(sys.argv) <= 7:
        sys.exit(__doc__)
    traitd, load, slow_flush = sys.argv[1:4]
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 3
    seconds = float(sys.argv[5]) if len(sys.argv) > 5 else 2
    parent = sys.argv[6] if len(sys.argv) > 6 else None
    has_etcd = shutil.which("etcd") is not None
    if not has_etcd:
        print("durable: there is no etcd on this machine; it is left out")
    found, slower = [], []
    for _ in range(rounds):
        folder = tempfile.mkdtemp(prefix="traitd-durable-", dir=parent)
        try:
            found.append(measure(traitd, load, seconds, folder, has_etcd))
            slower.append(measure_slower(traitd, load, slow_flush, seconds, folder))
        finally:
            shutil.rmtree(folder)
    print(f"{'writers':>8} {'traitd':>9} {'p99 ms':>7} {'Redis':>9} {'etcd':>9} {'memory':>9} "
          f"{'x Redis':>8} {'x etcd':>7} {'flush ms':>9}")
    report = []
    for writers in WRITERS:
        rows = [figures[writers] for figures in found]

        def median(pick, rows=rows):
            return statistics.median(pick(row) for row in rows)

        line = {"writers": writers, "flushMilliseconds": median(lambda row: row["flush"][0]),
                "p99Milliseconds": median(lambda row: row["traitd"]["p99"]) / 1000}
        for name in ["traitd", "memory", "redis"] + ["etcd"] * has_etcd:
            line[name] = median(lambda row, name=name: row[name]["rate"])
        for name in ["redis"] + ["etcd"] * has_etcd:
            line[f"times_{name}"] = median(
                lambda row, name=name: row["traitd"]["rate"] / row[name]["rate"])
        report.append(line)
        print(f"{writers:>8} {line['traitd']:>9.0f} {line['p99Milliseconds']:>7.2f} "
              f"{line['redis']:>9.0f} {line.get('etcd', 0):>9.0f} {line['memory']:>9.0f} "
              f"{line['times_redis']:>8.2f} {line.get('times_etcd', 0):>7.2f} "
              f"{line['flushMilliseconds']:>9.3f}")
    slower_report = report_slower(slower)
    output = ROOT / "docs/performance/durable.json"
    output.write_text(json.dumps({"rounds": rounds, "seconds": seconds, "rows": report,
                                  "slower": slower_report}, indent=2) + "\n", encoding="utf-8")
    at64 = next(line for line in report if line["writers"] == 64)
    for name, wanted in WANTED.items():
        times = at64.get(f"times_{name}")
        if times is not None and times < wanted:
            print(f"durable: {times:.2f} times {name} at 64 writers, {wanted} is wanted")


if __name__ == "__main__":
    main()
