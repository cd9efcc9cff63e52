#!/usr/bin/env python3
"""Kills and stops replicas of traitd and members of etcd while clients write, read and follow streams, and checks what the
clients saw: the real binary over the real etcd, by HTTP and libcurl. What follows from an order of events is the
business of Tests/Random/Simulation, which has every kind of fault and a seed for each order.

usage: replicas.py TRAITD --faults N [--seed S]     N faults, one after another
       replicas.py TRAITD --check-itself            plants faults between clients and replicas, which have to be found
"""

import argparse
import json
import os
import random
import signal
import sys
import threading
import time

sys.dont_write_bytecode = True
import checks  # noqa: E402
from client import NODES, TRAITS, Client, History  # noqa: E402
from cluster import Broken, Cluster  # noqa: E402
from streams import Mirror, Reader  # noqa: E402

SESSIONS, CLIENTS = 2, 8
# A fault may take longer by this, since other work keeps a shared machine busy.
SLACK_SECONDS = 2.0
RECOVERY_SECONDS_MAX, LEVEL_SECONDS_MAX, JOIN_SECONDS_MAX, ANSWER_SECONDS_MAX = 30, 20, 40, 15
PAUSE_SECONDS, KILLED_SECONDS, NO_MAJORITY_SECONDS = (0.3, 1.0), (0.1, 1.0), 3.0
LOCAL_SECONDS_MAX = 4  # on a machine that is busy with everything else
PLANT_SECONDS = (0.5, 2.0, 6.0)
FINDINGS_SHOWN_MAX, FINDING_CHARACTERS_MAX = 12, 2_000


def say(text):
    print(text, flush=True)


class Run:
    """Clients and streams on sessions of their own, then the comparison of all replicas, then the checks."""

    def __init__(self, cluster, prefix, seed, plant=None):
        self.cluster, self.history, self.dice = cluster, History(), random.Random(seed)
        self.sessions = [f"{prefix}-s{number}" for number in range(SESSIONS)]
        for session in self.sessions:
            answer = cluster.replicas[0].ask("PUT", f"/v1/sessions/{session}", {
                "traits": {trait: {"type": "int", "default": 0} for trait in TRAITS},
                "nodes": [{"id": node, "kind": "environment", **({} if node == "root" else {"parent": "root"})}
                          for node in NODES]}, ANSWER_SECONDS_MAX)
            if answer is None or answer[0] != 201:
                raise Broken(f"{session} cannot be made: {answer}")
        # A local read knows a new session once its replica has heard of it.
        for replica in cluster.replicas:
            for session in self.sessions:
                cluster.wait(f"{replica.name} does not hear of {session}", lambda replica=replica, session=session:
                             isinstance(self.get(replica, f"/v1/sessions/{session}?consistency=local"), bytes))
        plant = plant or checks.Plant()
        self.clients = [Client(number, cluster, self.sessions, self.history, seed, plant) for number in range(CLIENTS)]
        self.readers = [kind(session, number, cluster.replicas, self.history, seed, plant if kind is Reader else checks.Plant())
                        for session in self.sessions for number, kind in enumerate((Reader, Reader, Mirror))]
        for thread in self.clients + self.readers:
            thread.start()

    def check_threads(self):
        for thread in self.clients + self.readers:
            if thread.error is not None:
                raise thread.error

    def abandon(self):
        for thread in self.clients:
            thread.over.set()
        for reader in self.readers:
            reader.end()

    def get(self, replica, target):
        answer = replica.ask("GET", target, seconds=ANSWER_SECONDS_MAX)
        return answer[1] if answer is not None and answer[0] == 200 else answer

    def wait(self, what, condition):
        end = time.monotonic() + LEVEL_SECONDS_MAX
        while not condition():
            self.check_threads()
            if time.monotonic() > end:
                return self.history.report("level", what())
            time.sleep(0.02)

    def finish(self):
        """What was found."""
        for client in self.clients:
            client.over.set()
        for client in self.clients:
            client.join(JOIN_SECONDS_MAX)
        for session in self.sessions:
            self.compare(session)
        for reader in self.readers:
            reader.end()
        for reader in self.readers:
            reader.join(JOIN_SECONDS_MAX)
        self.check_threads()
        findings = list(self.history.findings)
        for session in self.sessions:
            one, other = [reader for reader in self.readers if reader.session == session and type(reader) is Reader]
            if one.commits != other.commits:
                findings.append(f"streams: {session} has other commits in its second stream")
            findings += checks.check(session, self.history, one.commits)
        return findings

    def compare(self, session):
        """All replicas have the same, and streams have all of it."""
        exports = []

        def are_equal():
            exports[:] = [self.get(replica, f"/v1/sessions/{session}/export") for replica in self.cluster.replicas]
            return all(isinstance(one, bytes) and one == exports[0] for one in exports)
        self.wait(lambda: f"the replicas export {exports}", are_equal)
        # A write without an answer may still come.
        head = json.loads(self.get(self.cluster.replicas[0], f"/v1/sessions/{session}"))["revision"]
        readers = [reader for reader in self.readers if reader.session == session]
        self.wait(lambda: f"streams of {session} end at {[reader.head for reader in readers]}, it is at {head}",
                  lambda: all(reader.head >= head for reader in readers))


class Faults:
    def __init__(self, run):
        self.run, self.cluster, self.history, self.dice = run, run.cluster, run.history, run.dice
        self.deck, self.imports, self.times = [], 0, {}
        # What to do, seconds that writes may wait, and whether these count from its end on.
        self.kinds = [("a replica killed", self.kill_replica, 1.0, False), ("the leader killed", self.kill_leader, 3.0, False),
                      ("no majority", self.stop_all, 3.0, True)]

    def next(self):
        """Each kind comes once before one comes again."""
        if not self.deck:
            self.deck = self.dice.sample(self.kinds, len(self.kinds))
        kind, action, bar, is_outage = self.deck.pop()
        self.cluster.wait_healthy()
        began = time.monotonic()
        action()
        healed = time.monotonic()
        self.cluster.wait_healthy()
        while not (ends := [end for start, end in self.history.acknowledged(healed) if start > healed]):
            if time.monotonic() > healed + RECOVERY_SECONDS_MAX:
                return self.history.report("recovery", f"no write is acknowledged after {kind}")
            time.sleep(0.01)
        begin, over = healed if is_outage else began, min(ends)
        moments = sorted(end for _, end in self.history.acknowledged(begin) if end <= over)
        seconds = max(after - before for before, after in zip([begin, *moments], moments))
        self.times.setdefault(kind, []).append(seconds)
        say(f"{kind}: {seconds:.2f} s without an acknowledged write")
        if seconds > bar + SLACK_SECONDS:
            self.history.report("recovery", f"{seconds:.2f} s without an acknowledged write, {kind}")
        time.sleep(self.dice.uniform(*PAUSE_SECONDS))

    def kill(self, program):
        program.kill()
        time.sleep(self.dice.uniform(*KILLED_SECONDS))
        program.start()

    def kill_replica(self):
        self.kill(self.dice.choice(self.cluster.replicas))

    def kill_leader(self):
        self.kill(self.cluster.leader() or self.cluster.members[0])

    def stop_all(self):
        for member in self.cluster.members:
            member.stop()
        importing = threading.Thread(target=self.ask_during, args=(
            "import", self.cluster.replicas[0], "PUT", f"/v1/sessions/i{self.imports}/import", (201, 503),
            {"format": 1, "name": f"i{self.imports}", "nodes": [{"id": "root", "kind": "environment"}]}))
        self.imports += 1
        importing.start()
        time.sleep(0.3)
        # Writes of the clients wait at every replica by now, and hold up no local read.
        for replica in self.cluster.replicas:
            for rest in (f"/{self.run.sessions[0]}/nodes/root/traits/level", f"/{self.run.sessions[0]}/export", ""):
                self.ask_during("local", replica, "GET", f"/v1/sessions{rest}?consistency=local", (200,))
        importing.join(ANSWER_SECONDS_MAX)
        time.sleep(NO_MAJORITY_SECONDS)
        for member in self.cluster.members:
            member.go_on()

    def ask_during(self, rule, replica, method, target, expected, body=None):
        """A request that etcd's silence holds up no longer than the deadline of its replica."""
        began = time.monotonic()
        answer = replica.ask(method, target, body, ANSWER_SECONDS_MAX)
        seconds = time.monotonic() - began
        if answer is None or answer[0] not in expected or seconds > LOCAL_SECONDS_MAX:
            self.history.report(rule, f"{replica.name} answers {answer} to {method} {target} after {seconds:.1f} s")


def campaign(arguments):
    """Whether all promises were kept."""
    with Cluster([arguments.traitd, *arguments.other]) as cluster:
        run = Run(cluster, "run", arguments.seed)
        faults = Faults(run)
        try:
            time.sleep(0.5)
            for _ in range(arguments.faults):
                faults.next()
                run.check_threads()
            cluster.check_running()
            findings = run.finish()
            status, lines = cluster.offline("check")
            if status != 0:
                findings.append(f"level: traitd check ends with {status}: {lines[-5:]}")
        except Broken as broken:
            findings = [*run.history.findings, f"broken: {broken}"]
        finally:
            run.abandon()
        if findings:
            cluster.is_kept = True
            say("\n".join(text[:FINDING_CHARACTERS_MAX] for text in findings[:FINDINGS_SHOWN_MAX]))
            say(f"the logs are in {cluster.folder}")
    for kind, times in faults.times.items():
        say(f"{kind}: {len(times)} times, longest {max(times):.2f} s")
    say(f"{len(run.history.writes)} writes, {len(run.history.reads)} reads, "
        f"{sum(reader.digests for reader in run.readers if isinstance(reader, Mirror))} digests, seed {arguments.seed}: "
        + (f"FAILED: {findings[0][:300]}" if findings else "every promise kept"))
    return not findings


def check_itself(arguments):
    """Without a plant nothing may be found, and each plant has to be found by its rule."""
    is_good = True
    with Cluster([arguments.traitd]) as cluster:
        for plant in [checks.Plant, *checks.PLANTS]:
            # It changes only what comes by, so a short run may show nothing, and a longer one follows.
            for attempt, seconds in enumerate(PLANT_SECONDS):
                run = Run(cluster, f"{plant.__name__}-{attempt}".lower(), arguments.seed + attempt, plant())
                time.sleep(seconds)
                findings = run.finish()
                rules = sorted({text.split(":")[0] for text in findings})
                if plant.rule in rules or plant.rule is None:
                    break
            is_found = plant.rule in rules if plant.rule else not findings
            is_good = is_good and is_found
            say(f"{plant.__name__}: {len(findings)} findings of {', '.join(rules)}"
                + ("" if is_found else f" FAILED {' '.join(findings)[:FINDING_CHARACTERS_MAX]}"))
    return is_good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("traitd")
    parser.add_argument("--faults", type=int, default=3)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--other", action="append", default=[], metavar="TRAITD",
                        help="another version, in turn with the first whenever a replica starts")
    parser.add_argument("--check-itself", action="store_true")
    arguments = parser.parse_args()
    # The processes are ended also when a step is.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("replicas: ended by SIGTERM"))
    say(f"seed {arguments.seed}")
    sys.exit(0 if (check_itself if arguments.check_itself else campaign)(arguments) else 1)


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C")
    main()
