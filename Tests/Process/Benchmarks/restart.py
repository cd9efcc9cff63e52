#!/usr/bin/env python3
"""Measures how long a traitd that was killed takes until it is ready again: with one session of a million
nodes, and with ten thousand small ones.

usage: restart.py TRAITD [NODES [SESSIONS]]      defaults: 1000000 and 10000
"""

import concurrent.futures
import http.client
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SECONDS_MAX = 3.0
THREADS = 32


class Server:
    def __init__(self, traitd, folder, *arguments):
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [traitd, "--port", "0", "--data-dir", folder, "--limit", "body-bytes-max=500000000",
             *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        if " serving on http://" not in line:
            sys.exit(f"restart: the server said {line!r}")
        self.port = int(line.rsplit(":", 1)[1])

    def ask(self, method, target, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        connection.request(method, target, body=body,
                           headers={"Content-Type": "application/json"} if body else {})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, content

    def ready(self):
        """Seconds from the start of the process until it is ready."""
        while self.ask("GET", "/readyz")[0] != 200:
            time.sleep(0.01)
        return time.monotonic() - self.began

    def kill(self):
        self.process.kill()
        self.process.wait()


def large(folder, nodes):
    path = pathlib.Path(folder) / "large.json"
    with open(path, "w", encoding="ascii") as file:
        file.write('{"name":"large","limits":{"nodesMax":2000000},'
                   '"traits":{"level":{"type":"int","default":0}},"nodes":[{"id":"n0","kind":"environment"}')
        for number in range(1, nodes):
            file.write(f',{{"id":"n{number}","kind":"environment","parent":"n{(number - 1) // 8}"}}')
        file.write("]}")
    return path


def restart(traitd, folder, what):
    times = []
    for _ in range(3):
        server = Server(traitd, folder)
        times.append(server.ready())
        server.kill()
    print(f"{what}: ready after {min(times):.2f}, {sorted(times)[1]:.2f}, {max(times):.2f} s")
    return sorted(times)[1]


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    traitd = sys.argv[1]
    nodes = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    sessions = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
    folder = tempfile.mkdtemp(prefix="traitd-restart-")
    slow = []
    try:
        file = large(folder, nodes)
        data = os.path.join(folder, "large")
        server = Server(traitd, data, "--load", str(file))
        server.ready()
        status, body = server.ask("PUT", "/v1/sessions/large/nodes/n1/overrides/level", '{"value":1}')
        if status != 200 and status != 201:
            sys.exit(f"restart: {status} {body}")
        before = server.ask("GET", "/v1/sessions/large")[1]
        # The snapshot of the first commit is written beside everything else.
        size = -1
        while size != (size := sum(entry.stat().st_size for entry in os.scandir(data))):
            time.sleep(1)
        server.kill()
        if restart(traitd, data, f"one session of {nodes} nodes") > SECONDS_MAX:
            slow.append("large")
        server = Server(traitd, data)
        if json.loads(server.ask("GET", "/v1/sessions/large")[1]) != json.loads(before):
            sys.exit("restart: the session is not what it was")
        server.kill()

        data = os.path.join(folder, "small")
        server = Server(traitd, data)
        body = json.dumps({"traits": {"level": {"type": "int", "default": 0}},
                           "nodes": [{"id": "n", "kind": "environment"}]})
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            for status, answer in pool.map(
                    lambda number: server.ask("PUT", f"/v1/sessions/s{number}", body),
                    range(sessions)):
                if status != 201:
                    sys.exit(f"restart: {status} {answer}")
        server.kill()
        if restart(traitd, data, f"{sessions} small sessions") > SECONDS_MAX:
            slow.append("small")
    finally:
        shutil.rmtree(folder)
    if slow:
        sys.exit(f"restart: longer than {SECONDS_MAX} s: {', '.join(slow)}")


if __name__ == "__main__":
    main()
