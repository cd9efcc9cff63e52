"""Clients that keep registrations with a `ttl`, through replicas that are killed: one by a stream, one by PUT.

A registration that a client keeps must not end. A registration that no client keeps must end, by one commit.
"""

import http.client
import json
import threading
import time

from history import Finding
from streams import LIFETIME_SECONDS, SILENCE_SECONDS_MAX

KEPT_TTL = 15  # longer than an outage, and shorter than a campaign
LEFT_TTL = 5
LEFT_SECONDS_MAX = 45  # etcd removes the notes of a process 15 s after its death, and then the ttl begins
PUT_PAUSE_SECONDS = (0.2, 1.5)
ASK_SECONDS_MAX = 15
SESSION = {"traits": {"level": {"type": "int", "default": 0}},
           "nodes": [{"id": "root", "kind": "environment"}]}


class Keepers:
    """A session with three registrations. Clients keep two of them; no client keeps the third."""

    def __init__(self, cluster, prefix, history, dice, plant=None):
        self.cluster, self.history, self.dice, self.plant = cluster, history, dice, plant
        self.target = f"/v1/sessions/{prefix}-k"
        self.over = threading.Event()
        self.error = None
        self.puts = self.streams = 0
        self.make("", SESSION)
        for name, ttl in (("streamed", KEPT_TTL), ("put", KEPT_TTL), ("left", LEFT_TTL)):
            self.make(f"/registrations/{name}", self.registration(ttl))
        self.began = time.monotonic()
        self.threads = [threading.Thread(target=self.guarded, args=(body,), daemon=True)
                        for body in (self.follow, self.put)]

    @staticmethod
    def registration(ttl):
        return {"node": "root", "traits": ["level"], "ttl": ttl}

    def replica(self):
        return self.dice.choice(self.cluster.replicas)

    def ask(self, method, rest, body=None, replica=None):
        """Status and body of a request; None without an answer."""
        answer = (replica or self.replica()).ask(
            method, self.target + rest, body and json.dumps(body), ASK_SECONDS_MAX)
        return answer and (answer[0], json.loads(answer[1] or b"null"))

    def make(self, rest, body):
        answer = self.ask("PUT", rest, body)
        if answer is None or answer[0] != 201:
            raise RuntimeError(f"{self.target}{rest} cannot be made: {answer}")

    def report(self, text):
        self.history.report(Finding("lease", text))

    def start(self):
        for thread in self.threads:
            thread.start()

    def guarded(self, body):
        try:
            while not self.over.is_set():
                body()
        except Exception as error:  # the run has to know
            self.error = error

    # The two that are kept.

    def follow(self):
        """One connection, which ends soon; the next one is at any replica."""
        replica = self.replica()
        connection = replica.connect(SILENCE_SECONDS_MAX)
        end = time.monotonic() + self.dice.uniform(*LIFETIME_SECONDS)
        try:
            connection.request("GET", f"{self.target}/registrations/streamed/events?from=now")
            answer = connection.getresponse()
            if answer.status == 404:
                self.report(f"a registration that streams keep has ended: {answer.read()!r}")
                self.over.set()
            self.streams += answer.status == 200
            while answer.status == 200 and not self.over.is_set() and time.monotonic() < end:
                line = answer.readline()
                if not line.endswith(b"\n"):
                    return
                if b'"registrationRemoved"' in line:
                    self.report(f"{replica.name} ends a stream, and its registration: {line!r}")
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()
        time.sleep(0.02)

    def put(self):
        if self.plant is not None and self.plant.ends_lease():
            self.ask("DELETE", "/registrations/put")
        answer = self.ask("PUT", "/registrations/put", self.registration(KEPT_TTL))
        if answer is not None and answer[0] in (200, 201):
            self.puts += 1
            if not answer[1].get("unchanged"):
                self.report(f"a registration that PUT keeps had ended: {answer}")
        time.sleep(self.dice.uniform(*PUT_PAUSE_SECONDS))

    # The one that is left.

    def stop(self):
        """Waits until the registration that nobody keeps has ended at every replica, and only that one."""
        self.over.set()
        for thread in self.threads:
            thread.join(ASK_SECONDS_MAX + SILENCE_SECONDS_MAX + 1)
        if self.error is not None:
            raise self.error

    def check(self):
        for replica in self.cluster.replicas:
            found = {name: self.ask("GET", f"/registrations/{name}", replica=replica)
                     for name in ("streamed", "put", "left")}
            while (found["left"] or [0])[0] == 200 and (
                    time.monotonic() < self.began + LEFT_SECONDS_MAX):
                time.sleep(0.1)
                found["left"] = self.ask("GET", "/registrations/left", replica=replica)
            shown = {name: answer and answer[0] for name, answer in found.items()}
            if shown["left"] != 404:
                self.report(f"at {replica.name} there are {shown}, and left is not gone")
        past = self.ask("GET", "/history?operations=true&pageSize=100")
        if not past or past[0] != 200:
            self.report(f"the history cannot be read: {past}")
            return
        ends = [commit for commit in past[1]["commits"]
                if any(operation["op"] == "unregister" and operation["registration"] == "left"
                       for operation in commit["operations"])]
        if len(ends) != 1:
            self.report(f"{len(ends)} commits end the registration that nobody keeps: {ends}")
