"""What happens to the processes during a campaign, and how long writes then wait.

One fault follows another. After each all processes run and serve again, and a write is acknowledged, so that the
state of the checker is known before the next.
"""

import os
import statistics
import time
from dataclasses import dataclass

from history import Finding
from workload import SET_UP

RECOVERY_SECONDS_MAX = 30
# A single fault may take longer by this, since other work keeps a shared machine busy; half of each kind may not,
# when a campaign has enough of the kind.
SLACK_SECONDS = 2.0
MEDIAN_TIMES_MIN = 3
IS_STRICT = os.environ.get("TRAITD_STRICT_TIMES") == "1"
PAUSE_SECONDS = (0.3, 1.0)
KILLED_SECONDS = (0.1, 1.0)
STOPPED_SECONDS = (0.5, 3.0)
NO_MAJORITY_SECONDS = 3.0


@dataclass
class Fault:
    """One fault, and what clients noticed of it."""

    kind: str
    victims: str
    began: float
    healed: float = 0.0
    over: float = 0.0
    seconds: float = 0.0  # without an acknowledged write
    bar: float = 0.0

    def __str__(self):
        return (f"{self.kind} ({self.victims}) at {self.began:.4f}, "
                f"healed after {self.healed - self.began:.2f} s")


class Faults:
    def __init__(self, cluster, history, dice, say, probes):
        self.cluster, self.history, self.dice, self.say = cluster, history, dice, say
        self.probes = probes
        self.deck = []
        self.done = []
        # Name, what to do, seconds that writes may wait, and from when these are counted.
        self.kinds = [
            ("replica killed", self.kill_replica, 1.0),
            ("replica ended", self.end_replica, 1.0),
            ("member killed", self.kill_follower, 3.0),
            ("leader killed", self.kill_leader, 3.0),
            ("member stopped", self.stop_follower, 3.0),
            ("leader stopped", self.stop_leader, 3.0),
            ("replica stopped", self.stop_replica, 3.0),
            ("no majority, stopped", self.stop_all, 3.0),
            ("no majority, killed", self.kill_two, 3.0),
            ("tokens expired", self.expire_tokens, 3.0),
            ("full", self.fill, 3.0),
            ("credentials refused", self.refuse, 3.0),
        ]
        if cluster.network:
            self.kinds += [
                ("leader cut off", self.cut_leader, 3.0),
                ("member cut off", self.cut_follower, 3.0),
                ("replica cut off", self.cut_replica, 3.0),
            ]
        else:
            say("no process is cut off: only root makes network namespaces, with iproute2")

    def next(self):
        """Each kind comes once before one comes again."""
        if not self.deck:
            self.deck = list(self.kinds)
            self.dice.shuffle(self.deck)
        kind, action, bar = self.deck.pop()
        self.cluster.wait("etcd has no leader", lambda: self.cluster.leader() is not None)
        leader = self.cluster.leader() or self.cluster.members[0]
        fault = Fault(kind, "", time.monotonic(), bar=bar)
        action(fault, leader)
        fault.healed = time.monotonic()
        self.cluster.wait_healthy()
        while not self.history.is_acknowledged_since(fault.healed):
            if time.monotonic() > fault.healed + RECOVERY_SECONDS_MAX:
                self.report(f"no write is acknowledged {RECOVERY_SECONDS_MAX} s after {fault}")
                break
            time.sleep(0.01)
        fault.over = time.monotonic()
        self.probes.tokens()
        self.probes.after_outage()
        fault.seconds = self.without_writes(fault)
        self.done.append(fault)
        self.say(f"{len(self.done):3} {fault.kind} ({fault.victims}): {fault.seconds:.2f} s "
                 f"without an acknowledged write, all healthy after {fault.over - fault.began:.1f} s")
        if fault.seconds > bar + (0 if IS_STRICT else SLACK_SECONDS):
            self.report(f"{fault.seconds:.2f} s, more than {bar} s, without an acknowledged write "
                        f"after {fault}")
        time.sleep(self.dice.uniform(*PAUSE_SECONDS))

    def without_writes(self, fault):
        """The longest time without an acknowledged write; without a majority, from its return on."""
        is_outage = fault.kind.startswith(("no majority", "full", "credentials"))
        begin = fault.healed if is_outage else fault.began
        with self.history.lock:
            ends = sorted(end for _, end in self.history.acknowledged if end > begin)
        ends = [end for end in ends if end < fault.over] + [fault.over]
        if is_outage:
            return ends[0] - begin
        if fault.kind in ("replica killed", "replica ended"):
            return self.longest_of_one_client(begin, fault.over)
        return max(after - before for before, after in zip([begin, *ends], ends))

    def longest_of_one_client(self, begin, end):
        """How long one client had no answer to any request, although it asked other replicas."""
        last, longest = {}, 0.0
        with self.history.lock:
            answered = sorted((request.end, request.client) for request in self.history.requests[-20_000:]
                              if request.end > begin - 1 and request.status not in (None, 503)
                              and request.client != SET_UP)
        for moment, client in answered:
            if moment > begin:
                longest = max(longest, moment - max(begin, last.get(client, begin)))
            last[client] = moment
        return max([longest, *(end - max(begin, moment) for moment in last.values())])

    def rest(self, seconds):
        time.sleep(self.dice.uniform(*seconds))

    def kill(self, fault, programs, during=None):
        fault.victims = ", ".join(program.name for program in programs)
        fault.began = time.monotonic()
        for program in programs:
            program.kill()
        if during:
            during()
        self.rest(KILLED_SECONDS)
        for program in programs:
            program.start()

    def stop(self, fault, programs, seconds, during=None):
        fault.victims = ", ".join(program.name for program in programs)
        fault.began = time.monotonic()
        for program in programs:
            program.stop()
        if during:
            during()
        self.rest(seconds)
        for program in programs:
            program.go_on()

    def kill_replica(self, fault, _):
        self.kill(fault, [self.dice.choice(self.cluster.replicas)])

    def end_replica(self, fault, _):
        """As a rolling update ends one: it drains first."""
        replica = self.dice.choice(self.cluster.replicas)
        fault.victims = replica.name
        fault.began = time.monotonic()
        replica.end()
        replica.start()

    def kill_follower(self, fault, leader):
        self.kill(fault, [self.dice.choice(self.cluster.followers(leader))])

    def kill_leader(self, fault, leader):
        self.kill(fault, [leader])

    def stop_follower(self, fault, leader):
        self.stop(fault, [self.dice.choice(self.cluster.followers(leader))], STOPPED_SECONDS)

    def stop_leader(self, fault, leader):
        self.stop(fault, [leader], STOPPED_SECONDS)

    def stop_replica(self, fault, _):
        self.stop(fault, [self.dice.choice(self.cluster.replicas)], STOPPED_SECONDS)

    def stop_all(self, fault, _):
        members = list(self.cluster.members)
        self.dice.shuffle(members)
        self.stop(fault, members, (NO_MAJORITY_SECONDS, NO_MAJORITY_SECONDS), self.probes.outage)

    def kill_two(self, fault, _):
        self.kill(fault, self.dice.sample(self.cluster.members, 2), self.probes.outage)

    def expire_tokens(self, fault, _):
        fault.victims = "all"
        self.cluster.expire_tokens()

    def fill(self, fault, _):
        """etcd takes nothing but plain deletions."""
        fault.victims = "all"
        self.cluster.set_full(True)
        self.rest(STOPPED_SECONDS)
        self.cluster.set_full(False)

    def refuse(self, fault, _):
        """etcd takes the servers' password, and permits them nothing."""
        fault.victims = "all"
        self.cluster.permit(False)
        self.probes.refused()
        self.cluster.permit(True)

    def cut(self, fault, program, link):
        fault.victims = program.name
        fault.began = time.monotonic()
        program.place.host.cut(link)
        self.rest(STOPPED_SECONDS)
        program.place.host.join(link)

    def cut_leader(self, fault, leader):
        """Clients reach the member, which does not reach the others."""
        self.cut(fault, leader, "peers")

    def cut_follower(self, fault, leader):
        self.cut(fault, self.dice.choice(self.cluster.followers(leader)), "peers")

    def cut_replica(self, fault, _):
        """Clients reach the replica, which does not reach etcd."""
        self.cut(fault, self.dice.choice(self.cluster.replicas), "log")

    def report(self, text):
        self.history.report(Finding("recovery", text))

    def times(self):
        """Kind, allowed seconds, and the times in order."""
        for kind, _, bar in self.kinds:
            times = sorted(fault.seconds for fault in self.done if fault.kind == kind)
            if times:
                yield kind, bar, times

    def check_medians(self):
        for kind, bar, times in self.times():
            if len(times) >= MEDIAN_TIMES_MIN and statistics.median(times) > bar:
                self.report(f"{kind}: the median of {len(times)} times is more than {bar} s: {times}")

    def figures(self):
        """Median and maximum of each kind."""
        for kind, bar, times in self.times():
            beyond = sum(seconds > bar for seconds in times)
            yield (f"{kind}: {len(times)} times, median {statistics.median(times):.2f} s, "
                   f"longest {times[-1]:.2f} s, allowed {bar} s"
                   + (f", FINDING: {beyond} took longer" if beyond else ""))
