"""Requests at moments that the load does not hit on purpose: local reads behind a pending write, imports during an
outage, tokens of another replica, and servers that etcd refuses.

They have a session of their own, which the checkers do not look at.
"""

import json
import threading
import time

from history import Finding

READ_SECONDS_MAX = 4  # on a machine that is busy with everything else
ASK_SECONDS_MAX = 15
REFUSED_SECONDS_MAX = 10
SESSION = {"traits": {"level": {"type": "int", "default": 0}},
           "nodes": [{"id": "root", "kind": "environment"}]}
OVERRIDE = "/nodes/root/overrides/level"
TRAIT = "/nodes/root/traits/level"


class Probes:
    def __init__(self, cluster, prefix, history, dice):
        self.cluster, self.history, self.dice = cluster, history, dice
        self.name = f"{prefix}-p"
        self.target = f"/v1/sessions/{self.name}"
        self.level = self.imports = 0
        self.figures = {"local reads in outages": 0, "imports in outages": 0, "tokens ahead": 0}
        status, data = self.ask(cluster.replicas[0], "PUT", self.target, SESSION)
        if status != 201:
            raise RuntimeError(f"{self.target} cannot be made: {data}")
        self.uid = json.loads(data)["uid"]

    @staticmethod
    def ask(replica, method, target, body=None, seconds=ASK_SECONDS_MAX):
        return replica.ask(method, target, body and json.dumps(body), seconds) or (None, b"")

    def report(self, rule, text):
        self.history.report(Finding(rule, text))

    def ask_again(self, replica, method, target, body, is_answer):
        """Repeats a request, as one without an answer in time may be, until the answer is one that is looked for."""
        end = time.monotonic() + ASK_SECONDS_MAX
        while True:
            status, data = self.ask(replica, method, target, body)
            if is_answer(status, data) or time.monotonic() > end:
                return status, data
            time.sleep(0.05)

    def write(self, replica, seconds=ASK_SECONDS_MAX):
        """Status and body of a write that changes the session."""
        self.level += 1
        return self.ask(replica, "PUT", self.target + OVERRIDE, {"value": self.level}, seconds)

    # While all members run

    def tokens(self):
        """A stream resumes at one replica with the token of another one, also with what that replica knows."""
        first, second = self.dice.sample(self.cluster.replicas, 2)
        status, data = self.write(first)
        if status != 200:
            return
        revision = json.loads(data)["revision"]
        status, data = self.ask(
            second, "GET", f"{self.target}/events?wait=0&consistency=local&from={self.uid}.{revision}")
        self.figures["tokens ahead"] += 1
        if status not in (200, 503) or b'"reset"' in data:
            self.report("token", f"{second.name} answers {status} {data!r} to the token {revision} of {first.name}")

    # While no majority of members answers

    def outage(self):
        """A write that waits holds up no local read, and an import ends at its deadline."""
        shown = {}
        for replica in self.cluster.replicas:
            status, data = self.ask(replica, "GET", f"{self.target}{TRAIT}?consistency=local")
            shown[replica.name] = data if status == 200 else None
            threading.Thread(target=self.write, args=(replica, 1), daemon=True).start()
        importing = threading.Thread(target=self.import_one, daemon=True)
        importing.start()
        time.sleep(0.3)
        for replica in self.cluster.replicas:
            for rest in (f"{self.target}{TRAIT}", self.target, f"{self.target}/export", "/v1/sessions"):
                begin = time.monotonic()
                status, data = self.ask(replica, "GET", f"{rest}?consistency=local")
                seconds = time.monotonic() - begin
                self.figures["local reads in outages"] += 1
                if status != 200 or seconds > READ_SECONDS_MAX:
                    self.report("local", f"{replica.name} answers {status} after {seconds:.1f} s to a local read "
                                         f"of {rest}: {data[:300]!r}")
                if rest.endswith(TRAIT) and status == 200 and shown[replica.name] is not None:
                    self.compare(replica, shown[replica.name], data)
        importing.join(ASK_SECONDS_MAX)

    def compare(self, replica, before, now):
        """A local read shows what the log has acknowledged."""
        if json.loads(before)["value"] != json.loads(now)["value"]:
            self.report("local", f"{replica.name} shows {now!r} before the log has it, after {before!r}")

    def import_one(self):
        # The replica whose requests wait the shortest.
        replica = self.cluster.replicas[0]
        self.imports += 1
        name = f"{self.name}{self.imports}"
        document = {"format": 1, "name": name, "nodes": [{"id": "root", "kind": "environment"}]}
        begin = time.monotonic()
        status, data = self.ask(replica, "PUT", f"/v1/sessions/{name}/import", document)
        seconds = time.monotonic() - begin
        self.figures["imports in outages"] += 1
        if status not in (201, 503) or seconds > READ_SECONDS_MAX:
            self.report("import", f"{replica.name} answers {status} after {seconds:.1f} s to an import: {data!r}")

    def after_outage(self):
        """Each import has happened, or can be repeated."""
        for number in range(1, self.imports + 1):
            name = f"{self.name}{number}"
            status, data = self.ask_again(
                self.dice.choice(self.cluster.replicas), "PUT", f"/v1/sessions/{name}/import",
                {"format": 1, "name": name, "nodes": [{"id": "root", "kind": "environment"}]},
                lambda status, data: status in (201, 409))
            if status not in (201, 409):
                self.report("import", f"the import of {name} cannot be repeated: {status} {data!r}")

    # While etcd refuses the servers

    def refused(self):
        """Every replica says so: it is not ready, and a write says why."""
        for replica in self.cluster.replicas:
            begin = time.monotonic()
            status, data = self.ask_again(replica, "GET", "/readyz", None, is_refused)
            if not is_refused(status, data) or time.monotonic() - begin > REFUSED_SECONDS_MAX:
                self.report("refused", f"{replica.name} is ready although etcd refuses it: {status} {data!r}")
        replica = self.dice.choice(self.cluster.replicas)
        self.level += 1
        status, data = self.ask_again(replica, "PUT", self.target + OVERRIDE, {"value": self.level}, is_refused)
        if not is_refused(status, data):
            self.report("refused", f"a write that etcd refuses is answered {status} {data!r}")


def is_refused(status, data):
    return status == 503 and b"log-refused" in data
