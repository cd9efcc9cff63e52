"""Runs the steps of a check, some side by side. Each has a time limit and a budget.

A lane is a list of steps that run one after another; lanes run side by side. Steps of the lanes
`work…` compute and take only the processor time that the others leave, since tests that wait on
sockets have time limits. The first step that fails ends all of them, unless KEEP_GOING=1 is set. On a
slow machine a step has a longer time limit, in proportion to the time that a loop takes.

The output of a step goes to .build-ci/logs. Of a step that passed a few lines are shown, of a step that
failed all. At the end the times of the steps are printed.
"""

import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOGS = ROOT / ".build-ci/logs"
SHOWN_LINES_MAX = 30
# What the loop of `slowness` takes on the machine of the time limits.
LOOP_SECONDS = 0.026
# What a shown line must have where a step prints more than that.
TELLING = re.compile(
    r"warning:|error:|FAILED|skipped|TOO LITTLE|^Build|Test run with|\d+ passed|^Suite .* parts$")
FAILURE = re.compile(r"^✘ Test .* recorded an issue|error:|FAILED|Fatal error|^ended after")
TESTS = re.compile(r"Test run with (\d+) tests? in \d+ suites? (passed|failed)")
# A suite of the command TraitOracle counts as many tests as it has parts.
PARTS = re.compile(r"^Suite .* (\d+) of \d+ parts$")


@dataclass
class Step:
    name: str
    command: list
    limit: int  # seconds, after which it has failed, on a machine with a slowness of 1
    lane: str = "tests"
    after: list = field(default_factory=list)  # names of steps of other lanes
    # Set by the run:
    seconds: float = 0.0
    status: int | None = None
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def log(self):
        return LOGS / (re.sub(r"\W+", "-", self.name).strip("-") + ".log")

    def lines(self):
        text = self.log.read_text(encoding="utf-8", errors="replace")
        # Of tests that have started the log says nothing.
        return [line for line in text.splitlines() if not line.startswith("◇")]

    def failures(self):
        """The lines that name what failed, or the last lines where none does."""
        lines = self.lines()
        found = [line for line in lines if FAILURE.search(line)][:SHOWN_LINES_MAX]
        return [f"FAILED {self.name}: {line[:500]}" for line in found or lines[-5:]]


def slowness():
    """By how much this machine is slower than that of the time limits; 1 where it is faster."""
    def seconds():
        began, total = time.perf_counter(), 0
        for number in range(1_000_000):
            total ^= number * 31
        return time.perf_counter() - began
    return max(1.0, min(seconds() for _ in range(5)) / LOOP_SECONDS)


class Run:
    def __init__(self, name, steps):
        self.name, self.steps = name, steps
        self.named = {step.name: step for step in steps}
        self.lock = threading.Lock()
        self.processes = {}
        self.is_over = False
        self.started = time.monotonic()
        self.slower = 1.0

    def say(self, text):
        with self.lock:
            print(text, flush=True)

    def run(self):
        LOGS.mkdir(parents=True, exist_ok=True)
        for kind in (signal.SIGINT, signal.SIGTERM):
            signal.signal(kind, self.interrupted)
        self.slower = slowness()
        lanes = [threading.Thread(target=self.follow, args=(lane,), daemon=True)
                 for lane in dict.fromkeys(step.lane for step in self.steps)]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join()
        return self.report()

    def follow(self, lane):
        for step in (step for step in self.steps if step.lane == lane):
            for name in step.after:
                self.named[name].done.wait()
            if self.is_over:
                break
            self.take(step)
        for step in (step for step in self.steps if step.lane == lane):
            step.done.set()

    def take(self, step):
        command = ["nice", "-n", "19"] * step.lane.startswith("work") + step.command
        began, limit = time.monotonic(), step.limit * self.slower
        with open(step.log, "w", encoding="utf-8") as log:
            process = subprocess.Popen(
                command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log,
                # A process group, not a session: Linux gives sessions equal shares of the processors
                # whatever their priorities are.
                stderr=subprocess.STDOUT, process_group=0,
            )
            self.processes[step.name] = process
            try:
                step.status = process.wait(limit)
            except subprocess.TimeoutExpired:
                self.end(process)
                log.write(f"ended after {limit:.0f} s, its limit\n")
                step.status = 124
        del self.processes[step.name]
        step.seconds = time.monotonic() - began
        if self.is_over:
            step.status = None
            return
        self.show(step)
        if step.status != 0 and os.environ.get("KEEP_GOING") != "1":
            self.stop()
        step.done.set()

    def show(self, step):
        lines = step.lines()
        if step.status == 0 and len(lines) > SHOWN_LINES_MAX:
            lines = [line for line in lines if TELLING.search(line)][-SHOWN_LINES_MAX:]
        verdict = "took" if step.status == 0 else f"FAILED (status {step.status}) after"
        text = [f"\n== {step.name} {verdict} {step.seconds:.0f} s", *lines]
        if step.status != 0:
            text.append(f"== {step.name} FAILED: {shlex.join(step.command)}")
        self.say("\n".join(text))

    def end(self, process):
        """Ends a step with all that it started: its process group."""
        for kind in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, kind)
                process.wait(10)
                return
            except ProcessLookupError:
                return
            except subprocess.TimeoutExpired:
                continue

    def stop(self):
        self.is_over = True
        for process in list(self.processes.values()):
            self.end(process)
        for step in self.steps:
            step.done.set()

    def interrupted(self, kind, _):
        self.stop()
        sys.exit(f"{self.name}: interrupted ({signal.Signals(kind).name})")

    def report(self):
        """Prints the times. Whether all is well."""
        passed, failed = 0, 0
        for step in self.steps:
            if step.status is None:
                continue
            counted = 0
            for line in step.lines():
                if found := TESTS.search(line) or PARTS.search(line):
                    counted += int(found[1])
            passed += (counted or 1) if step.status == 0 else 0
            failed += step.status != 0
        print(f"\n seconds  step (this machine is {self.slower:.1f} times slower)")
        for step in self.steps:
            if step.status is not None:
                print(f"{step.seconds:8.1f}  {step.name}")
        undone = [step.name for step in self.steps if step.status is None]
        if undone:
            print(f"not begun: {', '.join(undone)}")
        for step in self.steps:
            if step.status:
                print("\n".join(step.failures()))
        print(f"\nmake {self.name} took {time.monotonic() - self.started:.0f} s")
        print(f"{passed} passed, {failed} failed", flush=True)
        return 0 if failed == 0 and not undone else 1


def run(name, steps):
    sys.exit(Run(name, steps).run())
