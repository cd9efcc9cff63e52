"""What the clients do: small writes and reads of a few sessions whose nodes come and go.

The nodes are few, so that clients meet: writes find their node gone, a creation finds the node there, and a value is
often the one that the node has already.
"""

import base64
import json
import random
import threading
import time

from client import Client
from history import Request, shortened

TRAITS = ("level", "tone")
DEFAULTS = {"level": 0, "tone": 0, "note": ""}
# Of these values a commit with some is stored deflated, and one with many in pieces.
NOTE_BYTES, SOME_NOTES, MANY_NOTES = 6_000, 3, 100
SOME, MANY = 0.01, 0.0003  # of the turns
FIXED = {"root": None, "a": "root", "b": "root", "aa": "a", "ab": "a"}
LOOSE = [f"x{number}" for number in range(6)]  # these come and go
REGISTRATIONS = {"q": ("root", TRAITS), "r": ("aa", ("level",)), "s": ("b", ("tone",))}
VALUES = 4
CLIENTS = 10
BALANCED = 3  # of the clients
PAUSE_SECONDS = (0.0, 0.012)
KEYED = 0.3  # of the writes
AFTER_LOSS_SECONDS = 0.01
NAMES_MAKER = 900
SET_UP = 901  # makes the sessions, and has ended when the others begin


def set_up(cluster, sessions, history, seed):
    """Makes the sessions with their registrations. Returns their uids."""
    client = Client(SET_UP, cluster.replicas, history, random.Random(seed))
    client.over = threading.Event()
    uids = {}
    for session in sessions:
        answer = client.exchange(client.other(), "PUT", f"/v1/sessions/{session}", {
            "traits": {trait: {"type": "int" if default == 0 else "string", "default": default}
                       for trait, default in DEFAULTS.items()},
            "nodes": [{"id": node, "kind": "environment", "parent": parent}
                      for node, parent in FIXED.items()]})
        if answer is None or answer.status != 201:
            raise RuntimeError(f"{session} cannot be made: {answer and answer.data}")
        uids[session] = answer.body["uid"]
        for name, (node, traits) in REGISTRATIONS.items():
            request = client.write(
                session, "PUT", f"/v1/sessions/{session}/registrations/{name}",
                [{"op": "register", "registration": name, "node": node, "traits": list(traits)}],
                {"node": node, "traits": list(traits)}, key=f"set-up-{name}")
            if not request.is_done:
                raise RuntimeError(f"a registration cannot be made: {request}")
    client.close()
    return uids


class Worker(threading.Thread):
    """One client, until the run is over."""

    def __init__(self, number, cluster, sessions, names, history, seed, plant, over):
        super().__init__(daemon=True)
        self.dice = random.Random(seed * 1000 + number)
        self.client = Client(number, cluster.replicas, history, self.dice, plant)
        self.client.over = over
        # The others wait for a replica that is stopped until their time is up.
        self.client.is_balanced = number < BALANCED
        self.number, self.sessions, self.names = number, sessions, names
        self.history, self.over = history, over
        self.error = None

    def run(self):
        turns = [*[self.set] * 4, self.set_at_once, self.remove, self.batch, self.batch,
                 self.create, self.create, self.delete, self.compare_and_set,
                 self.read_trait, self.read_locally, self.read_again, self.read_values,
                 self.read_node, self.read_node, self.read_missing, self.read_session,
                 self.try_first, self.list_nodes, self.list_sessions, self.read_name]
        try:
            while not self.over.is_set():
                request = self.choose(turns)(self.dice.choice(self.sessions))
                if request is not None and request.status in (None, 503, 507):
                    time.sleep(AFTER_LOSS_SECONDS)
                time.sleep(self.dice.uniform(*PAUSE_SECONDS))
        except Exception as error:  # the run has to know
            self.error = error
        finally:
            self.client.close()

    def choose(self, turns):
        chance = self.dice.random()
        return (self.write_many if chance < MANY else self.write_some if chance < MANY + SOME
                else self.dice.choice(turns))

    def write_some(self, session, count=SOME_NOTES):
        """A commit of many bytes, which leaves a short value."""
        values = [base64.b64encode(self.dice.randbytes(NOTE_BYTES)).decode() for _ in range(count)]
        values.append(f"{count} {self.client.count}")
        operations = [{"op": "setOverride", "node": "b", "trait": "note", "value": value}
                      for value in values]
        return self.client.write(
            session, "POST", f"/v1/sessions/{session}/transactions", shortened(operations),
            {"operations": operations}, key=self.key())

    def write_many(self, session):
        return self.write_some(session, MANY_NOTES)

    def node(self):
        return self.dice.choice([*FIXED, *LOOSE])

    def key(self, share=KEYED):
        if self.dice.random() >= share:
            return None
        return f"{self.number}-{self.client.count}-{self.dice.getrandbits(32):08x}"

    def set(self, session, node=None, tag=None):
        node, trait = node or self.node(), self.dice.choice(TRAITS)
        value = self.dice.randrange(VALUES)
        return self.client.write(
            session, "PUT", f"/v1/sessions/{session}/nodes/{node}/overrides/{trait}",
            [{"op": "setOverride", "node": node, "trait": trait, "value": value}],
            {"value": value}, tag, self.key())

    def set_at_once(self, session):
        node, trait = self.dice.choice([*FIXED]), self.dice.choice(TRAITS)
        value = self.dice.randrange(VALUES)
        return self.client.write_at_once(
            session, "PUT", f"/v1/sessions/{session}/nodes/{node}/overrides/{trait}",
            [{"op": "setOverride", "node": node, "trait": trait, "value": value}],
            {"value": value}, self.key(share=1.0))

    def remove(self, session):
        node, trait = self.node(), self.dice.choice(TRAITS)
        return self.client.write(
            session, "DELETE", f"/v1/sessions/{session}/nodes/{node}/overrides/{trait}",
            [{"op": "removeOverride", "node": node, "trait": trait}], key=self.key())

    def batch(self, session):
        """Operations on different nodes, so that none takes back another."""
        nodes = self.dice.sample([*FIXED, *LOOSE], self.dice.randint(2, 4))
        operations = []
        for node in nodes:
            choice = self.dice.random()
            if node in LOOSE and choice < 0.2:
                operations.append({"op": "deleteNode", "node": node})
            elif node in LOOSE and choice < 0.4:
                operations.append({"op": "createNode", "node": node, "kind": "environment",
                                   "parent": self.dice.choice([*FIXED])})
            elif choice < 0.6:
                operations.append({"op": "removeOverride", "node": node,
                                   "trait": self.dice.choice(TRAITS)})
            else:
                operations.append({"op": "setOverride", "node": node,
                                   "trait": self.dice.choice(TRAITS),
                                   "value": self.dice.randrange(VALUES)})
        return self.client.write(
            session, "POST", f"/v1/sessions/{session}/transactions", operations,
            {"operations": operations}, key=self.key())

    def create(self, session):
        node, parent = self.dice.choice(LOOSE), self.node()
        if parent == node:
            parent = "root"
        return self.client.write(
            session, "PUT", f"/v1/sessions/{session}/nodes/{node}",
            [{"op": "createNode", "node": node, "kind": "environment", "parent": parent}],
            {"kind": "environment", "parent": parent}, key=self.key(), is_create_only=True)

    def delete(self, session):
        node = self.dice.choice(LOOSE)
        return self.client.write(
            session, "DELETE", f"/v1/sessions/{session}/nodes/{node}",
            [{"op": "deleteNode", "node": node}], key=self.key())

    def compare_and_set(self, session):
        answer, request = self.client.read(session, "session", f"/v1/sessions/{session}")
        if answer is None or answer.status != 200:
            return request
        return self.set(session, self.dice.choice([*FIXED]), answer.tag)

    def read_trait(self, session):
        node, trait = self.node(), self.dice.choice(TRAITS)
        return self.client.read(
            session, "trait", f"/v1/sessions/{session}/nodes/{node}/traits/{trait}")[1]

    def read_locally(self, session):
        """What the replica knows, without the log."""
        node, trait = self.dice.choice(["root", "aa"]), "level"
        return self.client.read(
            session, "trait",
            f"/v1/sessions/{session}/nodes/{node}/traits/{trait}?consistency=local")[1]

    def read_again(self, session):
        """A second read asks for an answer only if the session has changed since the first."""
        target = f"/v1/sessions/{session}/nodes/root/traits/level"
        answer, request = self.client.read(session, "trait", target)
        if answer is None or answer.status != 200:
            return request
        return self.client.read(session, "trait", target, tag=answer.tag)[1]

    def read_values(self, session):
        nodes = self.dice.sample([*FIXED], 3)
        return self.client.read(session, "values", f"/v1/sessions/{session}/resolve", "POST",
                                {"nodes": nodes, "traits": list(TRAITS)})[1]

    def try_first(self, session):
        """A dry run."""
        node, value = self.dice.choice([*FIXED]), self.dice.randrange(VALUES)
        return self.client.read(
            session, "dry", f"/v1/sessions/{session}/nodes/{node}/overrides/level?dryRun=true",
            "PUT", {"value": value}, operations=[
                {"op": "setOverride", "node": node, "trait": "level", "value": value}])[1]

    def read_node(self, session, node=None):
        return self.client.read(
            session, "node", f"/v1/sessions/{session}/nodes/{node or self.node()}")[1]

    def read_missing(self, session):
        return self.read_node(session, "never")

    def list_nodes(self, session):
        return self.client.read(session, "nodes", f"/v1/sessions/{session}/nodes?pageSize=100")[1]

    def list_sessions(self, _):
        return self.client.read(None, "sessions", "/v1/sessions?pageSize=1000")[1]

    def read_session(self, session):
        return self.client.read(session, "session", f"/v1/sessions/{session}")[1]

    def read_name(self, _):
        """A session that comes and goes."""
        name = self.names.some(self.dice)
        return self.client.read(None, "name", f"/v1/sessions/{name}")[1]


class Names:
    """Names of sessions that come and go. A name with an unknown outcome gets a successor."""

    def __init__(self, prefix):
        self.prefix = prefix
        self.generations = [0, 0]

    def __getitem__(self, index):
        return f"{self.prefix}-{index}-{self.generations[index]}"

    def __len__(self):
        return len(self.generations)

    def some(self, dice):
        return self[dice.randrange(len(self.generations))]

    def retire(self, index):
        self.generations[index] += 1


class Maker(Worker):
    """The only client that makes and ends the sessions that come and go."""

    def run(self):
        try:
            while not self.over.is_set():
                for index in range(len(self.names)):
                    self.turn(index)
        except Exception as error:  # the run has to know
            self.error = error
        finally:
            self.client.close()

    def turn(self, index):
        for kind, method, body in (("make", "PUT", {}), ("unmake", "DELETE", None)):
            replica = self.client.other()
            request = Request(self.number, replica.number, None, kind,
                              f"/v1/sessions/{self.names[index]}", 0.0)
            self.client.send(replica, request, method, body,
                             {"If-None-Match": "*"} if kind == "make" else None)
            if request.status not in (200, 201):
                # The request may still be carried out at any time.
                self.names.retire(index)
                return
            time.sleep(self.dice.uniform(0.0, 0.2))


def encoded(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
