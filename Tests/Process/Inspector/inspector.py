#!/usr/bin/env python3
"""Drives the inspector, the page at /ui, in a headless Chromium, by the hooks that its contract names.

--quick: keyboard, pointer, changes of another client, what if, access, histories and the past, hostile names, what axe
  finds; for `make test`.
--long: the other views, the index and /docs, restarts, nginx, and 1,000,000 nodes; for `make gate`.
--faults: faults planted in the page's files, each of which a flow must find.
FLOW…: those flows alone.

usage: inspector.py TRAITD --quick | --long | --faults | FLOW…
"""

import contextlib
import pathlib
import sys
import time
import traceback

sys.dont_write_bytecode = True
import daily  # noqa: E402
import faults  # noqa: E402
import long  # noqa: E402
import looks  # noqa: E402
import names  # noqa: E402
import past  # noqa: E402
import quick  # noqa: E402
import tabs  # noqa: E402
import tasks  # noqa: E402
import variants  # noqa: E402
import world  # noqa: E402

QUICK = [*quick.FLOWS, *past.FLOWS, *daily.FLOWS, *variants.FLOWS, *names.FLOWS, *tabs.FLOWS, *looks.QUICK]
LONG = [*looks.FLOWS, *daily.LOOKS, *variants.LOOKS, *tasks.FLOWS, *long.FLOWS]


# Other load only adds to a time: a flow in which only times are too long runs up to so often, and the best ones count.
RUNS_MAX = 3


def run(flow, browser, binary, stops=False):
    """What the flow found."""
    trial = run_once(flow, browser, binary, stops)
    for _ in range(RUNS_MAX - 1):
        if trial.failed or not trial.slow:
            break
        again = run_once(flow, browser, binary, stops)
        again.slow = {what: text for what, text in again.slow.items() if what in trial.slow}
        trial = again
    trial.failed += trial.slow.values()
    return trial


def run_once(flow, browser, binary, stops=False):
    """What one run of the flow found."""
    from playwright.sync_api import Error
    trial, start = world.Trial(stops), time.monotonic()
    try:
        flow(trial, browser, binary)
    except world.Found:
        pass
    except Error as error:
        at = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.name == flow.__name__]
        trial.failed.append(f"ended at line {at[-1]}: {str(error).splitlines()[0]}")
    print(f"  {flow.__name__}: {trial.count} checks, {len(trial.failed)} failed, "
          f"{len(trial.slow)} too slow, {time.monotonic() - start:.1f} s",
          flush=True)
    return trial


def check(flows, browser, binary):
    count, failed = 0, []
    for flow in flows:
        trial = run(flow, browser, binary)
        count += trial.count
        failed += [f"{flow.__name__}: {line}" for line in trial.failed]
    print("\n".join(failed), end="\n" if failed else "")
    print(f"{count - len(failed)} passed, {len(failed)} failed")
    return bool(failed)


def plant(browser, binary):
    """Whether a fault stays unseen, or a flow finds one where none is planted."""
    unseen = [f"without a fault, {flow.__name__}: {line}"
              for flow in dict.fromkeys(fault[-1] for fault in faults.FAULTS)
              for line in run(flow, browser, binary).failed]
    for what, file, old, new, flow in faults.FAULTS:
        browser.replaced = {file: (old, new)}
        trial = run(flow, browser, binary, stops=True)
        browser.replaced = {}
        print(f"{what}: {trial.failed[0][:150] if trial.failed else 'NOT FOUND'}", flush=True)
        if not trial.failed:
            unseen.append(what)
    print("\n".join(f"FAILED: {what}" for what in unseen), end="\n" if unseen else "")
    print(f"{len(faults.FAULTS)} faults planted, {len(unseen)} failed")
    return bool(unseen)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("inspector: skipped, no Playwright (.ci/tools)")
        return 0
    binary, *wanted = str(pathlib.Path(sys.argv[1]).resolve()), *sys.argv[2:]
    groups = {"--quick": QUICK, "--long": LONG, "--faults": []}
    flows = [flow for word in wanted for flow in groups.get(word, [])]
    flows += [flow for flow in QUICK + LONG if flow.__name__ in wanted]
    unknown = set(wanted) - set(groups) - {flow.__name__ for flow in flows}
    if unknown:
        sys.exit(f"inspector: there is no flow {', '.join(sorted(unknown))}")
    with sync_playwright() as playwright, contextlib.closing(world.Browser(playwright)) as browser:
        if "--faults" in wanted:
            return int(plant(browser, binary))
        return int(check(flows, browser, binary))


if __name__ == "__main__":
    sys.exit(main())
