"""Streams that go on with their token at another replica whenever a connection ends: one of all commits, which has to
have no gap and no repetition, and one of watches, whose cache has to be right whenever the server says what it has."""

import http.client
import json
import pathlib
import random
import sys
import threading
import time
from socket import SHUT_RDWR

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path.insert(0, str(ROOT / "deploy/examples"))
from mirror import MASK, pair_hash  # noqa: E402

SILENCE_SECONDS_MAX = 3.0  # the server sends a bookmark each second
LIFETIME_SECONDS = (0.5, 4.0)
RETRY_PAUSE_SECONDS = 0.05


class Reader(threading.Thread):
    """All commits of a session, from its first one to the end of the run."""

    def __init__(self, session, number, replicas, history, seed, plant):
        super().__init__(daemon=True)
        self.session, self.replicas, self.history, self.plant = session, replicas, history, plant
        self.dice = random.Random(f"{seed} {session} {number}")
        self.commits, self.head, self.token = [], 0, None
        self.replica, self.connection, self.error = None, None, None
        self.over = threading.Event()

    def target(self):
        return f"/v1/sessions/{self.session}/events?operations=true&from={self.token or 'start'}"

    def fields(self):
        return {}

    def run(self):
        try:
            while not self.over.is_set():
                self.connect()
                time.sleep(RETRY_PAUSE_SECONDS * self.dice.random())
        except Exception as error:  # the run has to know
            self.error = error

    def end(self):
        """No record is waited for any more."""
        self.over.set()
        socket = self.connection and self.connection.sock
        if socket is not None:
            try:
                socket.shutdown(SHUT_RDWR)
            except OSError:
                pass  # the replica was faster

    def report(self, text):
        self.history.report("streams", f"{self.session} at {self.replica.name}, token {self.token}: {text}")

    def connect(self):
        self.replica = self.dice.choice([one for one in self.replicas if one is not self.replica])
        connection = self.connection = self.replica.connect(SILENCE_SECONDS_MAX)
        end = time.monotonic() + self.dice.uniform(*LIFETIME_SECONDS)
        try:
            connection.request("GET", self.target(), headers={"Accept": "application/x-ndjson", **self.fields()})
            answer = connection.getresponse()
            # Before a replica has caught up with a token it refuses it, after it has waited.
            if answer.status not in (200, 503):
                self.report(f"refused with {answer.status} {answer.read()[:300]!r}")
            while answer.status == 200 and not self.over.is_set() and time.monotonic() < end:
                line = answer.readline()
                if not line.endswith(b"\n") or b'"type":"end"' in line:
                    return
                for record in self.plant.records(json.loads(line)):
                    self.take(record)
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()

    def take(self, record):
        if record["type"] == "commit":
            if record["revision"] != len(self.commits) + 1:
                self.report(f"after {len(self.commits)} comes {record}")
            self.commits.append(record)
            self.head = record["revision"]
        elif record["type"] == "bookmark" and record["revision"] != len(self.commits):
            self.report(f"after {len(self.commits)} comes {record}")
        self.token = record["token"]


class Mirror(Reader):
    """A replica knows a watch only while it is open there, so elsewhere the stream begins with the present values."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.cache, self.was_resumed, self.digests = {}, False, 0

    def target(self):
        return (f"/v1/sessions/{self.session}/events?watch=root:level,tone&watch=a:level,tone"
                "&initial=true&resync=auto&overflow=coalesce")

    def fields(self):
        self.was_resumed = self.token is not None
        return {"Last-Event-ID": self.token} if self.was_resumed else {}

    def take(self, record):
        kind = record["type"]
        if kind in ("reset", "gap") or kind == "begin" and not self.was_resumed:
            self.cache = {}
            # Another replica may know the watch, and would resume from the old token without the state.
            self.token = None
        for trait, value in record["traits"].items() if kind == "state" else ():
            self.cache[record["node"], trait] = value
        for change in record["changes"] if kind == "change" else ():
            self.cache[record["node"], change["trait"]] = change["current"]
        if "digest" in record:
            self.digests += 1
            total = sum(pair_hash(*pair, value) for pair, value in self.cache.items()) & MASK
            if record["digest"] != f"{total:016x}":
                self.report(f"the digest of {self.cache} is {total:016x}, and not that of {record}")
        if kind not in ("begin", "reset", "state", "gap"):
            self.token, self.head = record["token"], record["revision"]
