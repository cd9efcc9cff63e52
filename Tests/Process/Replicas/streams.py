"""Readers of streams that go on with their token at another replica whenever a connection ends.

A reader keeps every record that counts, and reports a gap, a repetition and a wrong order as soon as it sees one.
"""

import http.client
import json
import random
import threading
import time
from socket import SHUT_RDWR

from history import Finding, shortened

SILENCE_SECONDS_MAX = 3.0  # the server sends a bookmark each second
LIFETIME_SECONDS = (0.5, 4.0)
RETRY_PAUSE_SECONDS = 0.05


class Sequence:
    """Checks the order of the records of one stream, across all its connections."""

    def __init__(self, has_commits):
        self.has_commits = has_commits
        self.revision, self.part, self.is_last = 0, 0, True

    def take(self, record):
        """What is wrong with the record; None when it is the one that follows."""
        revision, part = record["revision"], record["part"]
        before = f"after {self.revision} part {self.part}{' (the last)' if self.is_last else ''}"
        found = f"{record['type']} of {revision} part {part}"
        if self.is_last:
            if revision <= self.revision:
                trouble = f"{before} comes again {found}"
            elif self.has_commits and revision != self.revision + 1:
                trouble = f"{before} comes {found}: a gap"
            elif part != 0:
                trouble = f"{before} comes {found}: parts are missing"
            else:
                trouble = None
        elif (revision, part) != (self.revision, self.part + 1):
            trouble = f"{before} comes {found}"
        else:
            trouble = None
        if self.has_commits and trouble is None and (record["type"] == "commit") != (part == 0):
            trouble = f"{before} comes {found}: a commit is part 0, and nothing else is"
        self.revision, self.part, self.is_last = revision, part, record["last"]
        return trouble


class Reader(threading.Thread):
    """One stream of a session, from its first commit to the end of the run."""

    def __init__(self, name, session, query, registrations, replicas, history, seed, plant=None):
        super().__init__(daemon=True)
        self.name, self.session, self.query = name, session, query
        self.registrations = registrations  # None: all, and the commits
        self.replicas, self.history, self.plant = replicas, history, plant
        self.dice = random.Random(seed)
        self.pool = {}  # shared by the streams of all commits of a session
        self.sequence = Sequence(registrations is None)
        self.records, self.times = [], []
        self.head = 0  # every record up to this revision has come
        self.token, self.replica = None, None
        self.resumes, self.refusals = 0, {}
        self.over = threading.Event()
        self.connection = None
        self.error = None

    def end(self):
        """No record is waited for any more."""
        self.over.set()
        socket = self.connection and self.connection.sock
        if socket is not None:
            try:
                socket.shutdown(SHUT_RDWR)
            except OSError:
                pass  # the replica was faster

    def run(self):
        try:
            while not self.over.is_set():
                self.connect()
                self.resumes += 1
                time.sleep(RETRY_PAUSE_SECONDS * self.dice.random())
        except Exception as error:  # the run has to know
            self.error = error

    def report(self, rule, text):
        self.history.report(Finding(
            rule, f"stream {self.name} of {self.session}, replica {self.replica.number}, "
                  f"connection {self.resumes}, token {self.token}: {text}"))

    def connect(self):
        self.replica = self.dice.choice(
            [replica for replica in self.replicas if replica is not self.replica])
        connection = self.connection = self.replica.connect(SILENCE_SECONDS_MAX)
        try:
            connection.request(
                "GET", self.target(), headers={"Accept": "application/x-ndjson", **self.fields()})
            answer = connection.getresponse()
            if answer.status != 200:
                self.refused(answer.status, answer.read())
                return
            self.follow(answer)
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()

    def target(self):
        return (f"/v1/sessions/{self.session}/{self.query}"
                f"{'&' if '?' in self.query else '?'}from={self.token or 'start'}")

    def fields(self):
        return {}

    def refused(self, status, data):
        code = json.loads(data).get("code") if data.startswith(b"{") else None
        label = f"{status} {code}"
        self.refusals[label] = self.refusals.get(label, 0) + 1
        # Before a replica has caught up with a token it refuses it, after it has waited.
        if status != 503:
            self.report("stream", f"refused with {status} {data[:300]!r}")
            time.sleep(1)

    def follow(self, answer):
        end = time.monotonic() + self.dice.uniform(*LIFETIME_SECONDS)
        while not self.over.is_set() and time.monotonic() < end:
            line = answer.readline()
            if not line.endswith(b"\n"):
                return
            record = json.loads(line)
            taken = [record] if self.plant is None else self.plant.records(self, record)
            for one in taken:
                if not self.take(one):
                    return

    def take(self, record):
        kind = record["type"]
        if kind == "end":
            return False
        if kind in ("commit", "change"):
            if trouble := self.sequence.take(record):
                self.report("stream", trouble)
            if "operations" in record:
                record["operations"] = shortened(record["operations"])
            self.records.append(self.pooled(record))
            self.times.append(time.monotonic())
            self.head = record["revision"] if record["last"] else self.head
        elif kind == "bookmark":
            self.bookmark(record)
        elif kind != "begin":
            self.report("stream", f"an unexpected record: {record}")
        self.token = record["token"]
        return True

    def pooled(self, record):
        """The record of another stream of the session if it is equal, so that both take memory once."""
        if not self.sequence.has_commits:
            return record
        first = self.pool.setdefault((record["revision"], record["part"]), record)
        return first if first == record else record

    def bookmark(self, record):
        """All commits up to its revision have come."""
        if self.sequence.has_commits and record["revision"] != self.sequence.revision:
            self.report("stream", f"a bookmark of {record['revision']} "
                                  f"after {self.sequence.revision}")
        if not self.sequence.is_last:
            self.report("stream", f"a bookmark inside of {self.sequence.revision}")
        self.head = max(self.head, record["revision"])


def readers(session, replicas, history, seed, plant):
    """Two streams of all commits, one of two registrations, one of one."""
    forms = [("all-1", "events?operations=true", None), ("all-2", "events?operations=true", None),
             ("two", "events?registrations=q,s", ("q", "s")),
             ("one", "registrations/r/events", ("r",))]
    made = [Reader(name, session, query, registrations, replicas, history,
                   f"{seed} {session} {name}", plant)
            for name, query, registrations in forms]
    for reader in made:
        reader.pool = made[0].pool
    return made
