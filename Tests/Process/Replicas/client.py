"""A client of all replicas: sends requests to one of them and writes down what it saw.

Writes carry a `traceparent` of their own, which the commit keeps. So the checker finds in the log also the commits
of requests that were never answered.
"""

import http.client
import json
import time

from history import Request

TIMEOUTS = (1.0, 1.0, 4.0, 15.0)  # seconds; the server's own deadline is 10
AT_ONCE_SECONDS_MAX = 4.0
RETRY_SECONDS_MAX = 30
RETRY_PAUSE_SECONDS = 0.02


def revision_of(tag):
    """The revision in an entity tag, which is "uid.revision" or "uid.revision-variant"."""
    return None if tag is None else int(tag.strip('"').split(".")[1].split("-")[0])


class Answer:
    """Status, the headers that matter, and the body."""

    def __init__(self, status, headers, data):
        self.status, self.data = status, data
        self.body = json.loads(data) if data else None
        revision = headers.get("Traitd-Revision")
        self.revision = None if revision is None else int(revision)
        self.is_replayed = headers.get("Idempotency-Replayed") == "true"
        self.tag = headers.get("ETag")
        staleness = headers.get("Traitd-Staleness-Ms")
        self.staleness = None if staleness is None else int(staleness) / 1000

    def take(self, request):
        request.status = self.status
        request.data = None if self.body is None else json.dumps(self.body)
        request.revision, request.is_replayed = self.revision, self.is_replayed
        request.staleness = self.staleness
        if self.status >= 400 and isinstance(self.body, dict):
            request.code = self.body.get("code")


class Client:
    def __init__(self, number, replicas, history, dice, plant=None):
        self.number, self.replicas, self.history = number, replicas, history
        self.dice, self.plant = dice, plant
        self.connections = {}
        self.count = 0
        self.over = None  # an event that ends retries
        self.is_balanced = False  # whether a balancer keeps requests from a stopped replica

    def close(self):
        for connection in self.connections.values():
            connection.close()
        self.connections = {}

    def other(self, avoided=None):
        """A random replica."""
        return self.dice.choice([
            replica for replica in self.replicas
            if replica is not avoided and not (self.is_balanced and replica.is_stopped)])

    def begin(self, replica, method, target, body=None, headers=None, timeout=15.0):
        """Sends a request. Returns the connection that gets the answer; None when there is none."""
        connection = self.connections.get(replica.number)
        if connection is None:
            connection = self.connections[replica.number] = replica.connect()
        connection.timeout = timeout
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
        headers = dict(headers or {})
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body).encode()
        try:
            connection.request(method, target, body, headers)
            return connection
        except (OSError, http.client.HTTPException):
            connection.close()
            return None

    @staticmethod
    def finish(connection):
        """The answer; None when the outcome is not known, since no answer came."""
        if connection is None:
            return None
        try:
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        except (OSError, http.client.HTTPException, ValueError):
            connection.close()
            return None

    def exchange(self, *arguments):
        """Sends a request and waits for the answer."""
        return self.finish(self.begin(*arguments))

    def send(self, replica, request, method, body=None, headers=None):
        """One attempt, which is written down. Returns the answer."""
        timeout = self.dice.choice(TIMEOUTS)
        exchange = self.exchange if self.plant is None else self.plant.wrap(self, request)
        request.start = time.monotonic()
        answer = exchange(replica, method, request.target, body, headers, timeout)
        request.end = time.monotonic()
        if answer is not None:
            answer.take(request)
        self.history.add(request)
        return answer

    def read(self, session, kind, target, method="GET", body=None, tag=None, operations=()):
        replica = self.other()
        request = Request(self.number, replica.number, session, kind, target, 0.0,
                          operations=list(operations), tag=revision_of(tag))
        headers = {} if tag is None else {"If-None-Match": tag}
        return self.send(replica, request, method, body, headers), request

    def new_trace(self):
        """The first half of the trace names the write, the second the attempt."""
        self.count += 1
        return f"{self.number + 1:04x}{self.count:012x}"

    def write_at_once(self, session, method, target, operations, body, key):
        """The same write to two replicas before either has answered."""
        write, under_way = self.new_trace(), []
        for attempt, replica in enumerate(self.dice.sample(self.replicas, 2)):
            trace = f"00-{write}{attempt:016x}-00f067aa0ba902b7-01"
            request = Request(self.number, replica.number, session, "write", target,
                              time.monotonic(), operations=operations, key=key, trace=trace)
            headers = {"Idempotency-Key": key, "traceparent": trace}
            under_way.append(
                (request, self.begin(replica, method, target, body, headers, AT_ONCE_SECONDS_MAX)))
        for request, connection in under_way:
            answer = self.finish(connection)
            request.end = time.monotonic()
            if answer is not None:
                answer.take(request)
            self.history.add(request)
        return request

    def write(self, session, method, target, operations, body=None, tag=None, key=None,
              is_create_only=False):
        """A write; with a key it is sent again, to another replica, until its outcome is known."""
        write, attempt, replica = self.new_trace(), 0, None
        headers = {}
        if tag is not None:
            headers["If-Match"] = tag
        if key is not None:
            headers["Idempotency-Key"] = key
        if is_create_only:
            headers["If-None-Match"] = "*"
        end = time.monotonic() + RETRY_SECONDS_MAX
        while True:
            replica = self.other(avoided=replica)
            attempt += 1
            headers["traceparent"] = f"00-{write}{attempt:016x}-00f067aa0ba902b7-01"
            request = Request(
                self.number, replica.number, session, "write", target, 0.0,
                operations=operations, is_create_only=is_create_only,
                tag=revision_of(tag), key=key, trace=headers["traceparent"])
            self.send(replica, request, method, body, headers)
            if request.is_done or request.is_refused:
                # A client that lost the answer would send the request again, now or later.
                if key is None or not request.is_done or self.dice.random() < 0.7 or attempt > 3:
                    return request
            elif key is None or time.monotonic() > end or self.over.is_set():
                return request
            else:
                time.sleep(RETRY_PAUSE_SECONDS)
