"""Clients of all replicas: they write and read through any of them, and write down what they saw and when.

Each write has a value of its own, and a `traceparent` whose first half names it, which the commit keeps. So the commits
of writes that were never answered are found as well. Times are of the monotonic clock of this process.
"""

import http.client
import json
import random
import threading
import time
from dataclasses import dataclass, field

NODES, TRAITS = ("root", "a", "b"), ("level", "tone")
TIMEOUTS = (1.0, 4.0, 15.0)  # seconds; the longest deadline of a replica is 10
PAUSE_SECONDS = (0.0, 0.012)
RETRY_PAUSE_SECONDS = 0.02
ATTEMPTS_MAX = 200
# Refusals say that nothing was done. Any other answer, or none, leaves the outcome open.
REFUSED = (404, 409, 412, 422)


@dataclass(slots=True)
class Write:
    """A write with all of its attempts."""

    name: str  # the first half of its traces
    session: str
    node: str
    trait: str
    value: int
    start: float
    condition: int | None = None  # the revision in If-Match
    end: float = float("inf")
    revision: int | None = None  # of its commit, as it was answered
    is_refused: bool = False

    def __str__(self):
        return (f"write {self.name} of {self.session}/{self.node}/{self.trait} at {self.start:.4f}–{self.end:.4f}, "
                f"revision {self.revision}")


@dataclass(slots=True)
class Read:
    """An answer that shows a revision, and the value that it shows."""

    what: str
    session: str
    start: float
    end: float
    revision: int
    place: tuple = ()  # node and trait
    value: int | None = None

    def __str__(self):
        return (f"{self.what} of {self.session} at {self.start:.4f}–{self.end:.4f}, revision {self.revision}"
                + (f", {self.place} is {self.value}" if self.place else ""))


@dataclass
class History:
    """What all clients saw. Any thread may add to it."""

    writes: list = field(default_factory=list)
    reads: list = field(default_factory=list)
    findings: list = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, one):
        with self.lock:
            (self.writes if isinstance(one, Write) else self.reads).append(one)

    def report(self, rule, text):
        with self.lock:
            self.findings.append(f"{rule}: {text}")

    def acknowledged(self, since):
        """Start and end of each acknowledged write that ended since a moment."""
        with self.lock:
            return [(write.start, write.end) for write in self.writes
                    if write.revision is not None and write.end > since]


class Client(threading.Thread):
    """One client, until the run is over."""

    def __init__(self, number, cluster, sessions, history, seed, plant):
        super().__init__(daemon=True)
        self.number, self.replicas, self.sessions, self.history = number, cluster.replicas, sessions, history
        self.dice, self.plant = random.Random(seed * 1000 + number), plant
        self.over = threading.Event()
        self.connections, self.count, self.error = {}, 0, None
        self.tags = {}

    def run(self):
        turns = [self.write] * 6 + [self.read_trait, self.read_again, self.read_missing, self.read_locally, self.list]
        try:
            while not self.over.is_set():
                self.dice.choice(turns)(self.dice.choice(self.sessions))
                time.sleep(self.dice.uniform(*PAUSE_SECONDS))
        except Exception as error:  # the run has to know
            self.error = error
        finally:
            for connection in self.connections.values():
                connection.close()

    def ask(self, method, target, body=None, headers=None):
        """Status, headers and body of one attempt at a random replica; None without an answer."""
        replica = self.dice.choice(self.replicas)
        connection = self.connections.setdefault(replica.number, replica.connect())
        connection.timeout = self.dice.choice(TIMEOUTS)
        if connection.sock is not None:
            connection.sock.settimeout(connection.timeout)
        headers = dict(headers or {})
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, f"/v1/sessions{target}", None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, json.loads(answer.read() or b"null")
        except (OSError, http.client.HTTPException, ValueError):
            connection.close()
            return None

    # Writes

    def write(self, session):
        """With a key it is sent again, to any replica, until its outcome is known."""
        self.count += 1
        write = Write(f"{self.number + 1:04x}{self.count:012x}", session, self.dice.choice(NODES),
                      self.dice.choice(TRAITS), self.number + 100 * self.count, time.monotonic())
        headers, has_key = {}, self.dice.random() < 0.6
        if has_key:
            headers["Idempotency-Key"] = write.name
        if self.dice.random() < 0.2 and session in self.tags:
            tag = headers["If-Match"] = self.tags[session]
            write.condition = revision_of(tag)
        self.history.add(write)
        target, is_open = f"/{session}/nodes/{write.node}/overrides/{write.trait}", False
        for attempt in range(ATTEMPTS_MAX if has_key else 1):
            headers["traceparent"] = f"00-{write.name}{attempt + 1:016x}-00f067aa0ba902b7-01"
            answer = self.ask("PUT", target, {"value": write.value}, self.plant.fields(headers))
            status, code = (answer[0], (answer[2] or {}).get("code")) if answer else (None, None)
            if status in (200, 201):
                write.revision, write.end = answer[2]["revision"], time.monotonic()
                self.plant.acknowledged(write)
                return
            if status in REFUSED and code != "idempotency-in-flight":
                # An attempt before may have been carried out all the same.
                write.is_refused, write.end = not is_open, time.monotonic()
                if status != 412:
                    self.history.report("answers", f"{status} {answer[2]} to {write}")
                return
            if status not in (None, 409, 503):
                self.history.report("answers", f"{status} {answer[2]} to {write}")
            is_open = True
            if self.over.is_set():
                return
            time.sleep(RETRY_PAUSE_SECONDS)

    # Reads

    def read(self, what, session, target, headers=None, expected=(200,)):
        """The answer, which is written down if it shows a revision; None without one."""
        start = time.monotonic()
        answer = self.plant.answer(what, session, self.ask("GET", f"/{session}{target}", headers=headers))
        if answer is None or answer[0] == 503:
            return None
        status, fields, body = answer
        if status not in expected or "Traitd-Revision" not in fields:
            self.history.report("answers", f"{status} {body} to {what} of {session}")
            return None
        # A local read is as good as one that began earlier.
        age = int(fields.get("Traitd-Staleness-Ms", 0)) / 1000
        read = Read(what, session, start - age, time.monotonic(), int(fields["Traitd-Revision"]))
        if status == 200 and "/traits/" in target:
            read.place, read.value = tuple(target.split("?")[0].split("/")[2::2]), body["value"]
        self.history.add(read)
        return answer

    def read_trait(self, session):
        target = f"/nodes/{self.dice.choice(NODES)}/traits/{self.dice.choice(TRAITS)}"
        if answer := self.read("a read", session, target):
            self.tags[session] = f'"{answer[1]["ETag"].strip(chr(34)).split("-")[0]}"'

    def read_again(self, session):
        """A second read asks for an answer only if the session has changed since the first."""
        target = "/nodes/root/traits/level"
        if answer := self.read("a read", session, target):
            self.read("a second read", session, target, {"If-None-Match": answer[1]["ETag"]}, (200, 304))

    def read_missing(self, session):
        self.read("a read of no node", session, "/nodes/none/traits/level", expected=(404,))

    def read_locally(self, session):
        self.read("a local read", session, "/nodes/root/traits/level?consistency=local")

    def list(self, _):
        start = time.monotonic()
        answer = self.ask("GET", "?pageSize=1000")
        if answer is None or answer[0] == 503:
            return
        shown = {entry["name"]: entry["revision"] for entry in answer[2]["sessions"]}
        for session in self.sessions:
            self.history.add(Read("a list", session, start, time.monotonic(), shown.get(session, -1)))


def revision_of(tag):
    """The revision in an entity tag, which is "uid.revision" or "uid.revision-variant"."""
    return int(tag.strip('"').split(".")[1].split("-")[0])
