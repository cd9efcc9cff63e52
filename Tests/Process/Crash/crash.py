#!/usr/bin/env python3
"""Kills a traitd with SIGKILL at random moments while it is written to, and checks after each start that every write that
was answered with success is there, and at the end the log, entry by entry, with `traitd check`. What follows from an
order of events is the business of Tests/Random.

usage: crash.py TRAITD [KILLS [SEED]]      defaults: 10 kills, seed 1
"""

import http.client
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

SESSIONS, WRITERS = 4, 8
SHORTEST, LONGEST = 0.001, 0.3  # seconds between a start and the kill
ANSWER_SECONDS_MAX = 120


class Lost(Exception):
    """Something that was acknowledged is not as it was."""


class Process:
    """One life of the server."""

    def __init__(self, binary, folder):
        self.stderr = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [binary, "--port", "0", "--data-dir", folder, "--limit", "snapshot-every=200",
             "--limit", "retained-commits-max=2000", "--limit", "min-free-disk=1", "--shards", "1"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.stderr, text=True)
        line = self.process.stdout.readline()
        found = re.fullmatch(r"traitd \S+ serving on http://127\.0\.0\.1:(\d+)\n", line)
        if not found:
            self.fail(f"said {line!r}")
        self.port = int(found.group(1))

    def fail(self, what):
        self.kill()
        self.stderr.seek(0)
        raise Lost(f"the server {what}:\n{self.stderr.read()[-3000:]}")

    def check_running(self):
        if self.process.poll() is not None:
            self.fail(f"ended by itself with status {self.process.returncode}")

    def kill(self):
        self.process.kill()
        self.process.wait()


class Client:
    """One connection, made again for each life of the server."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_SECONDS_MAX)

    def ask(self, method, target, body=None):
        """Status and body; None when the server was gone before it answered."""
        try:
            self.connection.request(method, f"/v1/sessions/{target}", None if body is None else json.dumps(body),
                                    {} if body is None else {"Content-Type": "application/json"})
            answer = self.connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
        except (OSError, http.client.HTTPException, json.JSONDecodeError):
            return None

    def need(self, method, target, body=None):
        """The body of an answer that has to be a success."""
        answer = self.ask(method, target, body)
        if answer is None or answer[0] not in (200, 201):
            raise Lost(f"{method} {target} is answered {answer}")
        return answer[1]


class Story:
    """What clients know of one session."""

    def __init__(self, name):
        self.name, self.uid = name, None
        self.lock = threading.Lock()
        self.acknowledged = {}  # revision: (node, value)
        self.sent = {}  # node: values that were sent and not answered

    def create(self, client):
        self.uid = client.need("PUT", self.name, {
            "traits": {"level": {"type": "int", "default": 0}},
            "nodes": [{"id": f"n{number}", "kind": "environment"} for number in range(WRITERS)]})["uid"]

    def check(self, client):
        """What a server that has just started has."""
        body = client.need("GET", self.name)
        if body["uid"] != self.uid or body["durability"] != "disk":
            raise Lost(f"{self.name} is another session: {body}")
        if body["revision"] < max(self.acknowledged, default=0):
            raise Lost(f"{self.name} is at {body['revision']}, and {max(self.acknowledged)} was acknowledged")
        # A value that was acknowledged is there, unless one that was sent later is.
        newest = {}
        for _, (node, value) in sorted(self.acknowledged.items()):
            newest[node] = value
        for node, value in newest.items():
            found = client.need("GET", f"{self.name}/nodes/{node}/traits/level")["value"]
            if found != value and found not in self.sent.get(node, []):
                raise Lost(f"{self.name}/{node} is {found}; {value} was acknowledged")
        # The newest commits, one after another without a gap, with what they set.
        commits = client.need("GET", f"{self.name}/history?pageSize=200&operations=true")["commits"]
        for place, commit in enumerate(commits):
            operation, known = commit["operations"][0], self.acknowledged.get(commit["revision"])
            if commit["revision"] != body["revision"] - place:
                raise Lost(f"the history of {self.name} has a gap before {commit}")
            if known is not None and (operation["node"], operation["value"]) != known:
                raise Lost(f"{commit} of {self.name} is not {known}")


def write(number, stories, port, over, rng, counts):
    """Each writer has a node of its own in every session, and values that only grow."""
    client, node = Client(port), f"n{number}"
    while not over.is_set():
        story = rng.choice(stories)
        value = counts["next"][number] = counts["next"][number] + 1
        with story.lock:
            story.sent.setdefault(node, []).append(value)
        answer = client.ask("PUT", f"{story.name}/nodes/{node}/overrides/level", {"value": value})
        if answer is None:
            return
        status, body = answer
        if status not in (200, 201):
            raise Lost(f"{status} for a write: {body}")
        with story.lock:
            story.sent[node].remove(value)
            if body["revision"] in story.acknowledged:
                raise Lost(f"revision {body['revision']} of {story.name} was given twice")
            story.acknowledged[body["revision"]] = (node, value)
        counts["commits"] += 1


def live(process, stories, rng, counts):
    over, failures = threading.Event(), []

    def guarded(*arguments):
        try:
            write(*arguments)
        except Exception as failure:  # pylint: disable=broad-except
            failures.append(failure)

    threads = [threading.Thread(target=guarded, daemon=True, args=(
        number, stories, process.port, over, random.Random(rng.random()), counts)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    # Not only idle servers: short lives in which the start has just ended, too.
    time.sleep(rng.uniform(SHORTEST, LONGEST))
    process.check_running()
    process.kill()
    over.set()
    for thread in threads:
        thread.join(30)
    if failures:
        raise failures[0]


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    binary = sys.argv[1]
    kills, seed = [int(text) for text in [*sys.argv[2:], *["10", "1"][len(sys.argv) - 2:]]]
    rng, folder = random.Random(seed), tempfile.mkdtemp(prefix="traitd-crash-")
    stories = [Story(f"s{number}") for number in range(SESSIONS)]
    counts = {"commits": 0, "next": [0] * WRITERS}
    began, starts = time.monotonic(), []
    try:
        for kill in range(kills + 1):
            started = time.monotonic()
            process = Process(binary, folder)
            try:
                for story in stories:
                    if kill == 0:
                        story.create(Client(process.port))
                    story.check(Client(process.port))
                starts.append(time.monotonic() - started)
                if kill < kills:
                    live(process, stories, rng, counts)
            finally:
                process.kill()
        verified = subprocess.run([binary, "check", "--data-dir", folder], capture_output=True, text=True, check=False)
        if verified.returncode != 0:
            raise Lost(f"traitd check: {verified.stdout}{verified.stderr}")
    except Lost as lost:
        print(f"crash: seed {seed}, after {len(starts)} starts: {lost}\nthe data is in {folder}")
        sys.exit(1)
    shutil.rmtree(folder)
    print(f"{kills} kills, {counts['commits']} acknowledged commits, longest start {max(starts):.2f} s, "
          f"{time.monotonic() - began:.0f} s, seed {seed}: nothing lost")


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C")
    main()
