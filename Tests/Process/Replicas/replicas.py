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
from history import Finding  # noqa: E402
from plants import PLANTS  # noqa: E402
from probes import Probes  # noqa: E402
from run import Run  # noqa: E402

FINDINGS_SHOWN_MAX = 3  # of each rule
FINDING_CHARACTERS_MAX = 3_000
CLEAN_SECONDS = 2.0
PLANT_SECONDS = (0.5, 1.5, 4.0, 10.0)


def say(text):
    print(text, flush=True)


def show(findings):
    """The first findings of each rule."""
    rules = {}
    for finding in findings:
        rules.setdefault(finding.rule, []).append(finding)
    for of_rule in rules.values():
        for finding in of_rule[:FINDINGS_SHOWN_MAX]:
            say(str(finding)[:FINDING_CHARACTERS_MAX])
    say("findings: " + ", ".join(f"{len(some)} {rule}" for rule, some in rules.items()))


def campaign(arguments):
    """Faults, or load alone. Whether all promises were kept."""
    began = time.monotonic()
    with Cluster([arguments.traitd, *arguments.other]) as cluster:
        plant = PLANTS[arguments.plant](arguments.seed) if arguments.plant else None
        run = Run(cluster, "run", arguments.seed, plant)
        dice = random.Random(arguments.seed)
        probes = Probes(cluster, "run", run.history, dice)
        faults = Faults(cluster, run.history, dice, say, probes)
        try:
            run.begin()
            time.sleep(0.5)
            for _ in range(arguments.faults):
                faults.next()
                run.check_threads()
            time.sleep(arguments.seconds)
            faults.check_medians()
            cluster.check_running()
            findings = run.check(is_restarting=True)
        except Broken as broken:
            findings = [*run.history.findings, Finding("broken", str(broken))]
        finally:
            run.abandon()
            cluster.is_kept = sys.exc_info()[0] is not None
        if findings:
            cluster.is_kept = True
            run.save(f"{cluster.folder}/history.txt", findings)
            show(findings)
            say(f"seed {arguments.seed}; logs and history are in {cluster.folder}")
    for line in faults.figures():
        say(line)
    say(", ".join(f"{count} {label}" for label, count in sorted(run.answers().items())))
    say(", ".join(f"{count} {name}" for name, count in {**run.figures, **probes.figures}.items()))
    # The last line names the first finding, since some readers see that line only.
    say(f"{len(faults.done)} faults, {time.monotonic() - began:.0f} s, seed {arguments.seed}: "
        + (f"FAILED: {findings[0].rule}: {findings[0].text[:300]}" if findings else "every promise kept"))
    return not findings


def check_itself(arguments):
    """Without a plant nothing may be found, and each plant has to be found by one of its rules."""
    is_good = True
    with Cluster([arguments.traitd]) as cluster:
        for name, plant in {"nothing": None, **PLANTS}.items():
            is_good = (check_clean(cluster, name, arguments.seed) if plant is None
                       else check_plant(cluster, name, plant, arguments.seed)) and is_good
    return is_good


def short_run(cluster, prefix, seed, seconds, plant=None):
    run = Run(cluster, prefix, seed, plant, clients=6, sessions=1)
    try:
        run.begin()
        time.sleep(seconds)
        return run.check()
    finally:
        run.abandon()


def check_clean(cluster, name, seed):
    findings = short_run(cluster, name, seed, CLEAN_SECONDS)
    if findings:
        show(findings)
    say(f"{name}: {len(findings)} findings{' FAILED' if findings else ''}")
    return not findings


def check_plant(cluster, name, plant, seed):
    """A plant changes only what comes by, so a short run may show nothing, and a longer one follows."""
    for attempt, seconds in enumerate(PLANT_SECONDS):
        planted = plant(seed + attempt)
        findings = short_run(cluster, f"{name}-{attempt}", seed + attempt, seconds, planted)
        rules = {finding.rule for finding in findings}
        if rules & planted.rules:
            break
    is_found = bool(rules & planted.rules)
    say(f"{name}: {planted.count} times, {len(findings)} findings of {', '.join(sorted(rules))}"
        + ("" if is_found else f"; FAILED: none of {', '.join(sorted(planted.rules))}"))
    return is_found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("traitd")
    parser.add_argument("--faults", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--other", action="append", default=[], metavar="TRAITD",
                        help="another version, in turn with the first whenever a replica starts")
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
