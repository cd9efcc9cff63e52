#!/usr/bin/env python3
"""Kills and stops replicas of traitd and members of etcd while clients write, read and follow streams, and checks
what the clients saw.

Three replicas share a log in three members of etcd. Ten clients send each request to a random replica. In the end
every acknowledged write is in the log of every replica, every answer fits the commits before it and the order of
real time, and no stream has a gap.

usage: replicas.py TRAITD --faults N [--seed S]        N faults, one after another
       replicas.py TRAITD --seconds N [--plant NAME]   N seconds without faults of processes
       replicas.py TRAITD --check-itself               plants each fault, which has to be found
"""

import argparse
import os
import random
import signal
import sys
import time

sys.dont_write_bytecode = True
from cluster import Broken, Cluster  # noqa: E402
from faults import Faults  # noqa: E402
from plants import PLANTS  # noqa: E402
from run import Run  # noqa: E402

FINDINGS_SHOWN_MAX = 10
CLEAN_SECONDS = 2.0
PLANT_SECONDS, PLANT_SECONDS_MAX, PLANTED_MIN = 0.6, 6.0, 2


def say(text):
    print(text, flush=True)


def show(findings):
    rules = {}
    for finding in findings:
        rules[finding.rule] = rules.get(finding.rule, 0) + 1
    for finding in findings[:FINDINGS_SHOWN_MAX]:
        say(str(finding)[:3000])
    say(f"{len(findings)} findings: {rules}")


def campaign(arguments):
    """Faults, or load alone. Whether all promises were kept."""
    began = time.monotonic()
    with Cluster(arguments.traitd) as cluster:
        plant = PLANTS[arguments.plant](arguments.seed) if arguments.plant else None
        run = Run(cluster, "run", arguments.seed, plant)
        faults = Faults(cluster, run.history, random.Random(arguments.seed), say)
        try:
            run.begin()
            time.sleep(0.5)
            for _ in range(arguments.faults):
                faults.next()
                run.check_threads()
            time.sleep(arguments.seconds)
            cluster.check_running()
            findings = run.check(is_restarting=True)
        except Broken as broken:
            findings = [*run.history.findings, f"broken: {broken}"]
        finally:
            run.abandon()
            cluster.is_kept = sys.exc_info()[0] is not None
        if findings:
            cluster.is_kept = True
            say("\n".join(str(finding)[:3000] for finding in findings[:FINDINGS_SHOWN_MAX]))
            say(f"{len(findings)} findings, seed {arguments.seed}, logs in {cluster.folder}")
    for line in faults.figures():
        say(line)
    say(", ".join(f"{count} {label}" for label, count in sorted(run.answers().items())))
    say(", ".join(f"{count} {name}" for name, count in run.figures.items()))
    say(f"{len(faults.done)} faults, {time.monotonic() - began:.0f} s, seed {arguments.seed}: "
        + ("FAILED" if findings else "every promise kept"))
    return not findings


def await_plant(plant):
    """Until the plant had its chances."""
    end = time.monotonic() + PLANT_SECONDS_MAX
    while plant.count < PLANTED_MIN and time.monotonic() < end:
        time.sleep(0.05)


def check_itself(arguments):
    """Without a plant nothing may be found, and each plant has to be found by one of its rules."""
    is_good = True
    with Cluster(arguments.traitd) as cluster:
        for name, plant in {"nothing": None, **PLANTS}.items():
            planted = None if plant is None else plant(arguments.seed)
            run = Run(cluster, name, arguments.seed, planted, clients=4, sessions=1)
            try:
                run.begin()
                time.sleep(CLEAN_SECONDS if planted is None else PLANT_SECONDS)
                if planted is not None and not planted.is_last:
                    await_plant(planted)
                findings = run.check()
            finally:
                run.abandon()
            rules = {finding.rule for finding in findings}
            is_found = not findings if planted is None else bool(rules & planted.rules)
            is_good = is_good and is_found
            count = "" if planted is None else f" {planted.count} times,"
            say(f"{name}:{count} {len(findings)} findings {sorted(rules)}"
                + ("" if is_found else " FAILED"))
            if not is_found:
                say("\n".join(str(finding)[:2000] for finding in findings[:3]))
    return is_good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("traitd")
    parser.add_argument("--faults", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--plant", choices=PLANTS)
    parser.add_argument("--check-itself", action="store_true")
    arguments = parser.parse_args()
    # The processes are ended also when a step is.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("replicas: ended by SIGTERM"))
    say(f"seed {arguments.seed}")
    is_good = check_itself(arguments) if arguments.check_itself else campaign(arguments)
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C")
    main()
