"""Runs the steps of a check, some side by side. Each has a time limit.

A lane is a list of steps that run one after another; lanes run side by side. Steps of the lanes
`work…` compute, and leave most of the processor time to the others. A step that fails does not keep the others
from running, unless FAIL_FAST=1 is set. Limits are seconds of a clock that goes slower on a slow or busy machine.

The output of a step goes to .build-ci/logs. Of a step that passed a few lines are shown, of a step that
failed all. Every 30 seconds a line says what runs, for how long, and what waits. At the end the times of the
steps are printed, and what they took of the processors.
"""

import ctypes
import os
import pathlib
import re
import resource
import shlex
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

import pace

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LOGS = ROOT / ".build-ci/logs"
SHOWN_LINES_MAX = 30
REPORT_SECONDS = 30
# What a shown line must have where a step prints more than that.
TELLING = re.compile(r"warning:|error:|FAILED|skipped|TOO LITTLE|^Build|Test run with|\d+ passed|^Suite .* parts$")
FAILURE = re.compile(r"^✘ Test .* recorded an issue|error:|FAILED|Fatal error|^ended after")
BEGAN = re.compile(r"^◇ Test (.+) started\.$")
ENDED = re.compile(r"^[^◇] Test (.+?) (?:with \d+ test cases? )?(?:passed|failed|skipped)\b")
TESTS = re.compile(r"Test run with (\d+) tests? in \d+ suites? (passed|failed)")
# A suite of the command TraitOracle counts as many tests as it has parts.
PARTS = re.compile(r"^Suite .* (\d+) of \d+ parts$")


@dataclass
class Step:
    name: str
    command: list
    limit: int  # seconds of `pace`, after which it has failed
    lane: str = "tests"
    after: list = field(default_factory=list)  # names of steps of other lanes
    # Set by the run:
    began: float | None = None
    seconds: float = 0.0
    processor: float = 0.0
    status: int | None = None
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def log(self):
        return LOGS / (re.sub(r"\W+", "-", self.name).strip("-") + ".log")

    def lines(self):
        text = self.log.read_text(encoding="utf-8", errors="replace")
        # Of tests that have started the log says nothing.
        return [line for line in text.splitlines() if not line.startswith("◇")]

    def last_line(self):
        lines = [line for line in self.lines() if line.strip()] if self.log.exists() else []
        return f": {lines[-1].strip()[:60]}" if lines else ""

    def failures(self):
        """The lines that name what failed, or the last lines where none does."""
        lines = self.lines()
        found = [line for line in lines if FAILURE.search(line)][:SHOWN_LINES_MAX]
        return [f"FAILED {self.name}: {line[:500]}" for line in found or lines[-5:]]

    def tests(self):
        found = [TESTS.search(line) or PARTS.search(line) for line in self.lines()]
        return sum(int(one[1]) for one in found if one)

    def unfinished(self):
        """The tests that have begun and not ended."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        ended = {found[1] for line in lines if (found := ENDED.match(line))}
        return [found[1] for line in lines if (found := BEGAN.match(line)) and found[1] not in ended]


def descendants(process):
    """The processes below one, which may have made sessions of their own."""
    children = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(entry.read_text(errors="replace").rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(entry.parent.name))
    found = children.get(process, [])
    for number in found:
        found += children.get(number, [])
    return found


class Run:
    def __init__(self, name, steps):
        self.name, self.steps = name, steps
        self.named = {step.name: step for step in steps}
        self.lock = threading.Lock()
        self.processes, self.used = {}, 0.0
        self.is_over = False
        self.started, self.paced = time.monotonic(), pace.now()

    def say(self, text):
        with self.lock:
            print(text, flush=True)

    def run(self):
        LOGS.mkdir(parents=True, exist_ok=True)
        for kind in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(kind, self.interrupted)
        # Steps are in the background of the terminal: what asks there fails, instead of being stopped.
        for kind in (signal.SIGTTIN, signal.SIGTTOU):
            signal.signal(kind, signal.SIG_IGN)
        # What a step leaves behind becomes a child of this process (PR_SET_CHILD_SUBREAPER), which ends it.
        ctypes.CDLL(None).prctl(36, 1)
        lanes = [threading.Thread(target=self.follow, args=(lane,), daemon=True)
                 for lane in dict.fromkeys(step.lane for step in self.steps)]
        for lane in lanes:
            lane.start()
        due = time.monotonic() + 1
        for lane in lanes:
            while lane.is_alive():
                lane.join(max(0, due - time.monotonic()))
                if time.monotonic() >= due:
                    self.say(self.state())
                    due += REPORT_SECONDS
        self.end_all(descendants(os.getpid()))
        return self.report()

    def state(self):
        """A line that says what runs, and what waits for which step."""
        running = [f"{step.name} ({time.monotonic() - step.began:.0f} s{step.last_line()})"
                   for step in self.steps if step.began and not step.done.is_set()]
        waiting = []
        for lane in dict.fromkeys(step.lane for step in self.steps):
            first = next((step for step in self.steps if step.lane == lane and not step.done.is_set()), None)
            if first and first.began is None:
                waits = [name for name in first.after if not self.named[name].done.is_set()]
                waiting += [f"{first.name} waits for {', '.join(waits)}"] * bool(waits)
        return (f"== running: {'; '.join(running + waiting)}; "
                f"a second takes {pace.slowness():.1f} s on this machine")

    def follow(self, lane):
        for step in (step for step in self.steps if step.lane == lane):
            for name in step.after:
                self.named[name].done.wait()
            if self.is_over:
                break
            # What a step is made from has failed.
            if any(self.named[name].status != 0 for name in step.after):
                step.done.set()
            else:
                self.take(step)
        for step in (step for step in self.steps if step.lane == lane):
            step.done.set()

    def take(self, step):
        command = ["nice", "-n", "5"] * step.lane.startswith("work") + step.command
        step.began = time.monotonic()
        with open(step.log, "w", encoding="utf-8") as log:
            process = subprocess.Popen(
                command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log,
                # A process group, not a session: Linux gives sessions equal shares of the processors
                # whatever their priorities are.
                stderr=subprocess.STDOUT, process_group=0,
            )
            self.processes[step.name] = process
            status = pace.exit_status(process, step.limit)
            if status is None:
                self.end(process)
                log.write(f"ended after {step.limit} s of its limit, {time.monotonic() - step.began:.0f} s here\n")
                log.writelines(f"ended: the test {name}\n" for name in step.unfinished())
                status = 124
            step.status = status
        del self.processes[step.name]
        step.seconds = time.monotonic() - step.began
        with self.lock:
            # Of the processes that have ended since the end of the last step.
            used = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
            step.processor, self.used = used - self.used, used
        if self.is_over:
            step.status = None
            return
        self.show(step)
        if step.status != 0 and os.environ.get("FAIL_FAST") == "1":
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
        """Ends a step with all that it started, in its process group or not."""
        others = descendants(process.pid)
        for kind in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, kind)
            except ProcessLookupError:
                break
            if pace.exit_status(process, 10) is not None:
                break
        self.end_all(others)

    def end_all(self, numbers):
        for number in numbers:
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def stop(self):
        self.is_over = True
        for process in list(self.processes.values()):
            self.end(process)
        self.end_all(descendants(os.getpid()))
        for step in self.steps:
            step.done.set()

    def interrupted(self, kind, _):
        self.stop()
        sys.exit(f"{self.name}: interrupted ({signal.Signals(kind).name})")

    def report(self):
        """Prints the times. Whether all is well."""
        ended = [step for step in self.steps if step.status is not None]
        undone = [step.name for step in self.steps if step.status is None]
        failed = [step for step in ended if step.status != 0]
        passed = sum(step.tests() or 1 for step in ended if step.status == 0)
        seconds = time.monotonic() - self.started
        print(f"\n seconds   CPU  step (a second took {seconds / max(pace.now() - self.paced, 0.001):.1f} s on this machine)")
        print("".join(f"{step.seconds:8.1f} {step.processor:5.0f}  {step.name}\n" for step in ended), end="")
        if undone:
            print(f"not begun: {', '.join(undone)}")
        for step in failed:
            print("\n".join(step.failures()))
        print(f"\nmake {self.name} took {seconds:.0f} s and {self.used:.0f} s of CPU\n{passed} passed, {len(failed)} failed",
              flush=True)
        return 1 if failed or undone else 0
