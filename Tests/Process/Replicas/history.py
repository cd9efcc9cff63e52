"""What clients and stream readers saw, and when: the input of the checker.

Times are of the monotonic clock of this process, which all clients share. A request without a known outcome has an
end like any other; its status says that it may or may not have made a commit.
"""

import hashlib
import json
import threading
from dataclasses import dataclass, field

# Refusals say that nothing was done. Any other answer, or none, leaves the outcome open.
DONE = (200, 201)
REFUSED = (404, 409, 412, 422)


VALUE_CHARACTERS_MAX = 64


def shortened(operations):
    """The operations with digests in place of long values, so that a run of hours fits into memory."""
    return [
        {**operation, "value": hashlib.sha256(operation["value"].encode()).hexdigest()}
        if isinstance(operation.get("value"), str) and len(operation["value"]) > VALUE_CHARACTERS_MAX
        else operation for operation in operations]


@dataclass(slots=True)
class Request:
    """One request to one replica, and its answer."""

    client: int
    replica: int
    session: str | None
    kind: str  # "write", "dry", "node", "nodes", "trait", "values", "session", "sessions", "name", "make", "unmake"
    target: str
    start: float
    end: float = 0.0
    status: int | None = None  # None: no answer
    code: str | None = None  # of a problem
    revision: int | None = None  # that the answer saw: Traitd-Revision
    data: str | None = None  # the body as JSON, which takes a tenth of what its values take
    is_replayed: bool = False
    staleness: float | None = None  # seconds, of a local read
    # Of writes:
    operations: list = field(default_factory=list)
    is_create_only: bool = False
    tag: int | None = None  # the revision in If-Match, or in If-None-Match of a read
    key: str | None = None
    trace: str | None = None  # the traceparent, which the commit carries

    @property
    def body(self):
        return None if self.data is None else json.loads(self.data)

    @property
    def is_done(self):
        return self.status in DONE

    @property
    def is_refused(self):
        return self.status in REFUSED and self.code != "idempotency-in-flight"

    @property
    def is_not_modified(self):
        return self.status == 304

    @property
    def is_unchanged(self):
        return self.is_done and bool(self.body.get("unchanged"))

    @property
    def commit(self):
        """The revision that an acknowledged write made."""
        if self.kind == "write" and self.is_done and not self.is_unchanged:
            return self.body["revision"]
        return None

    def __str__(self):
        parts = [f"{self.start:.4f}–{self.end:.4f} client {self.client} replica {self.replica}",
                 self.target, f"status {self.status}"]
        parts += [f"code {self.code}"] if self.code else []
        parts += [f"saw {self.revision}"] if self.revision is not None else []
        parts += [f"committed {self.commit}"] if self.commit is not None else []
        parts += ["unchanged"] if self.is_unchanged else []
        parts += ["replayed"] if self.is_replayed else []
        parts += [f"at most {self.staleness} s old"] if self.staleness is not None else []
        parts += [f"if {self.tag}"] if self.tag is not None else []
        parts += [f"key {self.key}"] if self.key else []
        parts += [f"trace {self.trace}"] if self.trace else []
        parts += [f"operations {self.operations}"] if self.operations else []
        if self.data is not None and self.kind != "write":
            parts.append(f"body {self.data[:400]}")
        return ", ".join(parts)


@dataclass
class Finding:
    """A promise that was not kept, and the requests that show it."""

    rule: str
    text: str
    requests: list = field(default_factory=list)

    def __str__(self):
        return "\n    ".join([f"{self.rule}: {self.text}", *map(str, self.requests)])


class History:
    """All requests of a run. Any thread may add to it."""

    def __init__(self):
        self.lock = threading.Lock()
        self.requests = []
        self.acknowledged = []  # ends of acknowledged commits
        self.findings = []

    def add(self, request):
        with self.lock:
            self.requests.append(request)
            if request.commit is not None and not request.is_replayed:
                self.acknowledged.append((request.start, request.end))

    def report(self, finding):
        with self.lock:
            self.findings.append(finding)

    def is_acknowledged_since(self, moment):
        """Whether a write that started after the moment is acknowledged."""
        with self.lock:
            return any(start > moment for start, _ in reversed(self.acknowledged[-50:]))
