#!/usr/bin/env python3
"""Kills a traitd with SIGKILL at random moments while it is written to, read and streamed from, and
checks after each start that every write that was answered with success is there.

Eight writers commit to four sessions, two readers read, and a stream on each session goes on from its
last token after each start. At the end the log is verified entry by entry with `traitd check`.

usage: crash.py TRAITD [KILLS [SEED]]      defaults: 10 kills, seed 1
"""

import http.client
import json
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

SESSIONS = 4
WRITERS = 8
READERS = 2
START_SECONDS_MAX = 120
SHORTEST, LONGEST = 0.001, 0.3  # seconds between a start and the kill


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
        lines = queue.SimpleQueue()
        threading.Thread(
            target=lambda: lines.put(self.process.stdout.readline()), daemon=True).start()
        try:
            line = lines.get(timeout=START_SECONDS_MAX)
        except queue.Empty:
            self.fail("said nothing")
        found = re.fullmatch(r"traitd \S+ serving on http://127\.0\.0\.1:(\d+)\n", line)
        if not found:
            self.fail(f"said {line!r}")
        self.port = int(found.group(1))

    def fail(self, what):
        self.process.kill()
        self.process.wait()
        self.stderr.seek(0)
        raise Lost(f"the server {what}:\n{self.stderr.read()[-3000:]}")

    def check_running(self):
        if self.process.poll() is not None:
            self.fail(f"ended by itself with status {self.process.returncode}")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.stderr.close()


class Client:
    """One connection, made again for each life of the server."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def ask(self, method, target, body=None):
        """Status, header lines and body; None when the server was gone before it answered."""
        try:
            text = None if body is None else json.dumps(body)
            headers = {} if body is None else {"Content-Type": "application/json"}
            self.connection.request(method, target, body=text, headers=headers)
            answer = self.connection.getresponse()
            return answer.status, answer.headers, json.loads(answer.read() or b"null")
        except (OSError, http.client.HTTPException, json.JSONDecodeError):
            return None


class Story:
    """What clients know of one session."""

    def __init__(self, name):
        self.name = name
        self.uid = None
        self.lock = threading.Lock()
        self.acknowledged = {}  # revision: (node, value)
        self.sent = {}  # node: values that were sent and not answered
        self.records = []  # of the stream, in order
        self.token = None

    def path(self, rest=""):
        return f"/v1/sessions/{self.name}{rest}"

    def newest(self):
        return max(self.acknowledged, default=0)


def create(stories, port):
    client = Client(port)
    for story in stories:
        answer = client.ask("PUT", story.path(), {
            "traits": {"level": {"type": "int", "default": 0}},
            "nodes": [{"id": f"n{number}", "kind": "environment"} for number in range(WRITERS)]})
        if answer is None or answer[0] != 201:
            raise Lost(f"cannot create {story.name}: {answer}")
        story.uid = answer[2]["uid"]
        answer = client.ask("PUT", story.path("/registrations/r"),
                            {"node": "n0", "traits": ["level"]})
        if answer is None or answer[0] != 201:
            raise Lost(f"cannot register: {answer}")


def write(number, stories, port, over, rng, counts):
    """Each writer has a node of its own in every session, and values that only grow."""
    client = Client(port)
    while not over.is_set():
        story = rng.choice(stories)
        node = f"n{number}"
        value = counts["next"][number] = counts["next"][number] + 1
        with story.lock:
            story.sent.setdefault(node, []).append(value)
        answer = client.ask("PUT", story.path(f"/nodes/{node}/overrides/level"), {"value": value})
        if answer is None:
            return
        status, _, body = answer
        if status not in (200, 201):
            raise Lost(f"{status} for a write: {body}")
        with story.lock:
            story.sent[node].remove(value)
            if body["revision"] in story.acknowledged:
                raise Lost(f"revision {body['revision']} of {story.name} was given twice")
            story.acknowledged[body["revision"]] = (node, value)
        counts["commits"] += 1


def read(stories, port, over, rng, counts):
    """A read never shows what is not acknowledged, so it never goes back."""
    client = Client(port)
    while not over.is_set():
        story = rng.choice(stories)
        before = story.newest()
        answer = client.ask("GET", story.path("/nodes/n0/traits/level"))
        if answer is None:
            return
        status, headers, body = answer
        if status != 200:
            raise Lost(f"{status} for a read: {body}")
        if int(headers["Traitd-Revision"]) < before:
            raise Lost(f"{story.name} went back from {before} to {headers['Traitd-Revision']}")
        counts["reads"] += 1


def stream(story, port, over):
    """Goes on behind the last token; records are consecutive, also across kills."""
    source = f"from={story.token}" if story.token else "from=start"
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", story.path(f"/events?{source}"),
                           headers={"Accept": "application/x-ndjson"})
        answer = connection.getresponse()
        if answer.status != 200:
            raise Lost(f"{answer.status} for a stream {source}: {answer.read()}")
        while not over.is_set():
            line = answer.readline()
            if not line.endswith(b"\n"):
                return
            record = json.loads(line)
            if record["type"] == "end":
                return
            if "revision" in record and record["type"] != "bookmark":
                story.records.append(record)
            story.token = record["token"]
    except (OSError, http.client.HTTPException):
        return


def check(stories, port):
    """What a server that has just started has."""
    client = Client(port)
    for story in stories:
        answer = client.ask("GET", story.path())
        if answer is None or answer[0] != 200:
            raise Lost(f"{story.name} is lost: {answer}")
        body = answer[2]
        if body["uid"] != story.uid or body["durability"] != "disk":
            raise Lost(f"{story.name} is another session: {body}")
        if body["revision"] < story.newest():
            raise Lost(f"{story.name} is at {body['revision']}, and {story.newest()} was acknowledged")
        # A value that was acknowledged is there, unless one that was sent later is.
        newest = {}
        for _, (node, value) in sorted(story.acknowledged.items()):
            newest[node] = value
        for node, value in newest.items():
            answer = client.ask("GET", story.path(f"/nodes/{node}/traits/level"))
            if answer is None or answer[0] != 200:
                raise Lost(f"{story.name}/{node} cannot be read: {answer}")
            found = answer[2]["value"]
            if found != value and found not in story.sent.get(node, []):
                raise Lost(f"{story.name}/{node} is {found}; {value} was acknowledged")
        check_history(client, story)


def check_history(client, story):
    """The newest commits, one after another without a gap, with what they set."""
    answer = client.ask("GET", story.path("/history?pageSize=200&operations=true"))
    if answer is None or answer[0] != 200:
        raise Lost(f"the history of {story.name} cannot be read: {answer}")
    commits = answer[2]["commits"]
    revisions = [commit["revision"] for commit in commits]
    step = 1 if len(revisions) < 2 or revisions[1] > revisions[0] else -1
    if any(b - a != step for a, b in zip(revisions, revisions[1:])):
        raise Lost(f"the history of {story.name} has a gap: {revisions}")
    for commit in commits:
        known = story.acknowledged.get(commit["revision"])
        if known is None:
            continue
        operation = commit["operations"][0]
        if (operation["node"], operation["value"]) != known:
            raise Lost(f"revision {commit['revision']} of {story.name} is {operation}, not {known}")


def check_streams(stories):
    for story in stories:
        commits = [record["revision"] for record in story.records if record["type"] == "commit"]
        if commits != list(range(commits[0], commits[0] + len(commits))) if commits else False:
            raise Lost(f"the stream of {story.name} has a gap or a repetition: {commits[:50]}")
        changes = [record["revision"] for record in story.records if record["type"] == "change"]
        if changes != sorted(set(changes)):
            raise Lost(f"the stream of {story.name} repeats changes")


def live(process, stories, rng, counts, seconds):
    over = threading.Event()
    failures = queue.SimpleQueue()

    def guarded(body, *arguments):
        try:
            body(*arguments)
        except Exception as failure:  # pylint: disable=broad-except
            failures.put(failure)

    threads = [threading.Thread(target=guarded, args=arguments, daemon=True) for arguments in [
        *((write, number, stories, process.port, over, random.Random(rng.random()), counts)
          for number in range(WRITERS)),
        *((read, stories, process.port, over, random.Random(rng.random()), counts)
          for _ in range(READERS)),
        *((stream, story, process.port, over) for story in stories)]]
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    process.check_running()
    process.kill()
    over.set()
    for thread in threads:
        thread.join(30)
    if not failures.empty():
        raise failures.get()


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    binary = sys.argv[1]
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    rng = random.Random(seed)
    folder = tempfile.mkdtemp(prefix="traitd-crash-")
    stories = [Story(f"s{number}") for number in range(SESSIONS)]
    counts = {"commits": 0, "reads": 0, "next": [0] * WRITERS}
    began = time.monotonic()
    starts = []
    try:
        for kill in range(kills):
            started = time.monotonic()
            process = Process(binary, folder)
            try:
                if kill == 0:
                    create(stories, process.port)
                check(stories, process.port)
                starts.append(time.monotonic() - started)
                # Not only idle servers: short lives in which the start has just ended, too.
                live(process, stories, rng, counts, rng.uniform(SHORTEST, LONGEST))
            finally:
                process.process.kill()
                process.process.wait()
            check_streams(stories)
        process = Process(binary, folder)
        check(stories, process.port)
        process.kill()
        verified = subprocess.run([binary, "check", "--data-dir", folder], capture_output=True,
                                  text=True, check=False)
        if verified.returncode != 0:
            raise Lost(f"traitd check: {verified.stdout}{verified.stderr}")
    except Lost as lost:
        print(f"crash: seed {seed}, after {len(starts)} starts: {lost}\nthe data is in {folder}")
        sys.exit(1)
    records = sum(len(story.records) for story in stories)
    shutil.rmtree(folder)
    print(f"{kills} kills, {counts['commits']} acknowledged commits, {counts['reads']} reads, "
          f"{records} streamed records, longest start {max(starts):.2f} s, "
          f"{time.monotonic() - began:.0f} s, seed {seed}: nothing lost")


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C")
    main()
