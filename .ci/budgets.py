"""Compares the time of each step and each suite with its budget in .ci/budgets.

A time 50 % above the budget is a finding. Findings are printed and do not fail the run, since times on
a shared machine say little about a change. With TRAITD_STRICT_BUDGETS=1, for a quiet machine, they fail
the run. A machine that is slower than the one of the budgets gets more time, in proportion to the time
that a loop takes.
"""

import os
import pathlib
import time

PATH = pathlib.Path(__file__).resolve().parent / "budgets"
BEYOND = 1.5
# Below this a clock measures the machine. Budgets may be smaller, findings are not.
SECONDS_MIN = 1.0
SHOWN_SECONDS_MIN = 0.5


def read():
    """Seconds by name."""
    found = {}
    for line in PATH.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            seconds, name = line.split(maxsplit=1)
            found[name] = float(seconds)
    return found


def loop_seconds():
    """What a fixed piece of work takes here, at best."""
    best = float("inf")
    for _ in range(5):
        began = time.perf_counter()
        total = 0
        for number in range(1_000_000):
            total ^= number * 31
        best = min(best, time.perf_counter() - began)
    return best


def speed():
    """By how much this machine is slower than that of the budgets; 1 where it is faster."""
    return max(1.0, loop_seconds() / read()["(a loop, by which machines are compared)"])


def report(steps, suites, slower):
    """Prints times beside their budgets. Whether that is good enough."""
    known = read()
    findings = []
    print(f"\n{'seconds':>8} {'budget':>7}  step or suite"
          + (f" (this machine is {slower:.1f} times slower)" if slower > 1.2 else ""))
    rest, rest_seconds = 0, 0.0
    for kind, name, seconds in (
        [("", *step) for step in steps] + [("suite ", *suite) for suite in sorted(suites)]
    ):
        budget = known.get(kind + name, known.get(f"{kind}(any other)", 0))
        is_beyond = seconds > max(SECONDS_MIN, budget * BEYOND * slower)
        if is_beyond:
            findings.append(f"FINDING {kind}{name} took {seconds:.1f} s, its budget is {budget:g} s")
        if kind and seconds < SHOWN_SECONDS_MIN and not is_beyond:
            rest, rest_seconds = rest + 1, rest_seconds + seconds
            continue
        print(f"{seconds:8.1f} {budget:7g}  {kind}{name}")
    if rest:
        print(f"{rest_seconds:8.1f}          {rest} other suites, each below {SHOWN_SECONDS_MIN} s")
    print("\n".join(findings), end="\n" if findings else "")
    return not findings or os.environ.get("TRAITD_STRICT_BUDGETS") != "1"
