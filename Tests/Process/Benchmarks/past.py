#!/usr/bin/env python3
"""Measures reads of the past of a session of 100,000 nodes with 10,000 commits, in memory and with a log on disk;
reverts of 1,000 values in a session of 10,000 nodes; and by how many bytes reasons and names let the log grow.

The first read of a revision rebuilds it, the next one finds it, and the history of a value replays all commits. Times
are those of the client over one connection, the least of three different revisions. Turns of the event loops beyond
two milliseconds are those that GET /v1/server/slow lists for the time of the reads. Fails beyond a target times
FACTOR, for a machine that is so many times slower than the reference.

usage: past.py TRAITD [FACTOR [NODES [COMMITS]]]      defaults: 1, 100000 and 10000
"""

import http.client
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path.insert(0, str(ROOT / ".ci/lib"))
import traitd_server  # noqa: E402

SESSION = "/v1/sessions/past"
# Milliseconds.
FIRST_MAX, NEXT_MAX, HISTORY_MAX, TURN_MAX, REVERT_MAX = 500, 1, 300, 2, 20
# Bytes of a commit beside the text of its reason, or of the name of its token: the members that hold them, and the
# accessor of the token.
REASON_BYTES_MAX, NAME_BYTES_MAX = 16, 40
BREADTH = 10


def write_document(path, nodes):
    with open(path, "w", encoding="ascii") as file:
        file.write('{"name":"past","traits":{"level":{"type":"int","default":0}},'
                   '"nodes":[{"id":"n0","kind":"environment"}')
        for number in range(1, nodes):
            file.write(f',{{"id":"n{number}","kind":"environment","parent":"n{(number - 1) // BREADTH}"}}')
        file.write("]}")


class Client:
    """One connection to the server."""

    def __init__(self, address):
        self.connection = http.client.HTTPConnection(address, timeout=60)

    def ask(self, method, target, body=None, **fields):
        self.connection.request(method, target, body=body,
                                headers={**({"Content-Type": "application/json"} if body else {}), **fields})
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            sys.exit(f"past: {method} {target} is answered {answer.status}: {content[:300]}")
        return content

    def timed(self, target):
        start = time.perf_counter()
        content = self.ask("GET", target)
        return (time.perf_counter() - start) * 1e3, content


def measure(binary, document, commits, *arguments):
    """Milliseconds of a first read, the next one, and a history of a value; and of the longest turn during them."""
    with traitd_server.Server(binary, "--load", document, "--limit", "slow-turn-microseconds-min=1500",
                               *arguments) as server:
        client = Client(server.address)
        for number in range(commits - 1):
            client.ask("PUT", f"{SESSION}/nodes/n{number % 7}/overrides/level", f'{{"value":{number + 1}}}')
        # A base, or a snapshot of the log, that is being made at the same time.
        time.sleep(3)
        began = time.time()
        first, following, history = [], [], []
        for revision in (commits // 2 - 1, commits - 10, commits // 2 + 9):
            target = f"{SESSION}/nodes/n99/traits/level?revision={revision}"
            took, content = client.timed(target)
            assert json.loads(content)["revision"] == revision
            first.append(took)
            following += [client.timed(target)[0] for _ in range(20)]
        for node in ("n99", "n1", "n5"):
            took, content = client.timed(f"{SESSION}/nodes/{node}/traits/level/history?pageSize=1000")
            assert len(json.loads(content)["changes"]) > 100
            history.append(took)
        slow = json.loads(client.ask("GET", "/v1/server/slow"))
        turns = [turn["ranMilliseconds"] for turn in slow.get("turns", []) if began <= at(turn)]
        return min(first), min(following), min(history), max(turns, default=0)


def measure_reverts(binary, document, reverts=21, values=1_000):
    """Milliseconds of the median revert of so many values, and of the longest turn during them."""
    with traitd_server.Server(binary, "--load", document, "--limit", "slow-turn-microseconds-min=1500") as server:
        client = Client(server.address)

        def change(value):
            operations = [{"op": "setOverride", "node": f"n{number}", "trait": "level", "value": value}
                          for number in range(values)]
            return json.loads(client.ask("POST", f"{SESSION}/transactions", json.dumps({"operations": operations})))

        target = change(1)["revision"]
        began, times = time.time(), []
        for number in range(reverts):
            change(number + 2)
            # The revision is there already: the revert alone is measured.
            client.timed(f"{SESSION}/nodes/n1?revision={target}")
            start = time.perf_counter()
            answer = json.loads(client.ask("POST", f"{SESSION}/revert", json.dumps({"revision": target})))
            times.append((time.perf_counter() - start) * 1e3)
            assert "unchanged" not in answer, answer
        slow = json.loads(client.ask("GET", "/v1/server/slow"))
        turns = [turn["ranMilliseconds"] for turn in slow.get("turns", []) if began <= at(turn)]
        return statistics.median(times), max(turns, default=0)


def measure_growth(binary, folder, commits=200):
    """Bytes of a commit more for a reason, and for a token, each beside its text."""
    reason, name = "r" * 100, "n" * 40
    tokens = pathlib.Path(folder) / "tokens"
    secret = subprocess.run([binary, "token", "new", "--tokens", str(tokens), "--name", name, "--allow", "admin"],
                            check=True, capture_output=True, text=True).stdout.split()[0]

    def bytes_of_a_commit(arguments, **fields):
        with traitd_server.Server(binary, *arguments) as server:
            client = Client(server.address)
            fields = {name.replace("_", "-"): value for name, value in fields.items()}
            client.connection.request("PUT", SESSION, json.dumps({
                "traits": {"level": {"type": "int", "default": 0}}, "nodes": [{"id": "n", "kind": "environment"}],
            }), {"Content-Type": "application/json", **fields})
            client.connection.getresponse().read()

            def retained():
                return json.loads(client.ask("GET", f"{SESSION}/stats", **fields))["retainedBytes"]
            before = retained()
            for number in range(commits):
                client.ask("PUT", f"{SESSION}/nodes/n/overrides/level", f'{{"value":{number + 1000}}}', **fields)
            return (retained() - before) / commits

    plain = bytes_of_a_commit(())
    with_reason = bytes_of_a_commit((), Traitd_Reason=reason)
    with_name = bytes_of_a_commit(("--tokens", str(tokens)), Authorization=f"Bearer {secret}")
    return plain, with_reason - plain - len(reason), with_name - plain - len(name)


def at(turn):
    """Seconds since 1970."""
    text = turn["time"].rstrip("Z").split(".")
    return time.mktime(time.strptime(text[0], "%Y-%m-%dT%H:%M:%S")) - time.timezone + float("0." + text[1])


def main(binary, factor=1.0, nodes=100_000, commits=10_000):
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        document = str(pathlib.Path(folder) / "past.json")
        write_document(document, nodes)
        for name, arguments in (("in memory", ()), ("with a log on disk", ("--data-dir", f"{folder}/data"))):
            found = measure(binary, document, commits, *arguments)
            for what, took, most in zip(("first read", "next read", "history of a value", "longest turn"), found,
                                        (FIRST_MAX, NEXT_MAX, HISTORY_MAX, TURN_MAX)):
                print(f"{name}, {what}: {took:.2f} ms, at most {most} ms on the reference: ratio {took / most:.2f}")
                if took > most * factor:
                    missed.append(f"{name}, {what}")
        small = str(pathlib.Path(folder) / "small.json")
        write_document(small, min(nodes, 10_000))
        for what, took, most in zip(("revert of 1,000 values", "longest turn of reverts"), measure_reverts(binary, small),
                                    (REVERT_MAX, TURN_MAX)):
            print(f"{what}: {took:.2f} ms, at most {most} ms on the reference: ratio {took / most:.2f}")
            if took > most * factor:
                missed.append(what)
        plain, reason, name = measure_growth(binary, folder)
        print(f"a commit without reason and name: {plain:.1f} bytes")
        for what, grown, most in (("a reason", reason, REASON_BYTES_MAX), ("a token's name", name, NAME_BYTES_MAX)):
            print(f"{what}: {grown:.1f} bytes beside its text, at most {most}")
            if grown > most:
                missed.append(what)
    if missed:
        sys.exit("past: too much: " + "; ".join(missed))


if __name__ == "__main__":
    main(sys.argv[1], float((sys.argv + ["1"])[2]) if len(sys.argv) > 2 else 1.0,
         *(int(value) for value in sys.argv[3:]))
