#!/usr/bin/env python3
"""Upsets a release binary in every way that attacks.py knows, and expects it not to mind: /livez is
answered all the time, and afterwards descriptors and memory are what they were. Then once more, with
SIGTERM in the middle.

usage: robustness.py TRAITD [SECONDS [SCALE [LIVEZ_MS_MAX]]]

SECONDS of each attack (5); SCALE of its connections (1); /livez within LIVEZ_MS_MAX (100), as often longer as
the machine is slower before or after the attack.
"""

import resource
import sys
import time

sys.dont_write_bytecode = True
import attacks  # noqa: E402
from watching import Failure, Prober, Watched, pace  # noqa: E402

DRAIN_OPTIONS = ("--drain-window", "1")
# The window, what requests may take beyond it, and the rest of the way.
DRAIN_SECONDS_MAX = 1 + 5 + 3


def warm_up(server):
    """What the first requests cost once is no loss."""
    for _ in range(20):
        for target in ("/livez", "/openapi.yaml", "/v1/traits", "/v1/sessions"):
            server.ask(target)


def upset(attack, binary, seconds, scale, milliseconds_max):
    with Watched(binary, "--shards", "2", *attack.options, *DRAIN_OPTIONS) as server:
        warm_up(server)
        slowness = pace.slowness()
        prober = Prober(server.port)
        before = server.descriptors(), server.resident_bytes()
        attacker = attack(server, scale)
        highest = 0
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            attacker.turn()
            highest = max(highest, server.resident_bytes())
        # Still in the middle of it.
        slowest, usual, count = prober.finish()
        attacker.end()
        after = server.expect_base_line(*before)
        status, _ = server.ask()
        if status != 200:
            raise Failure(f"/livez answers {status} afterwards")
        print(f"{attack.__name__}: {attacker.summary()}; /livez {usual:.1f} ms at the 99th percentile"
              f" of {count}, {slowest:.1f} ms at worst; descriptors {before[0]} before, {after[0]}"
              f" after; MiB {before[1] / 2**20:.1f} before, {highest / 2**20:.1f} at most,"
              f" {after[1] / 2**20:.1f} after", flush=True)
        most = milliseconds_max * max(slowness, pace.slowness())
        if slowest > most:
            raise Failure(f"/livez took {slowest:.1f} ms, more than {most:g}")


def drain_in_the_middle(attack, binary, scale):
    with Watched(binary, "--shards", "2", *attack.options, *DRAIN_OPTIONS) as server:
        warm_up(server)
        attacker = attack(server, scale)
        for _ in range(5):
            attacker.turn()
        took = server.expect_drain(DRAIN_SECONDS_MAX)
        attacker.end()
        print(f"{attack.__name__}: ended {took:.1f} s after SIGTERM", flush=True)


def main(binary, seconds=5.0, scale=1.0, milliseconds_max=100.0):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    failed = False
    for attack in attacks.ALL:
        try:
            upset(attack, binary, float(seconds), float(scale), float(milliseconds_max))
            drain_in_the_middle(attack, binary, float(scale))
        except (Failure, OSError) as failure:
            failed = True
            print(f"{attack.__name__} FAILED: {failure}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
