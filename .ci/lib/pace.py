"""A clock for limits of time: it goes slower where this machine is slower or has other work.

A thread times a small loop twice a second. A second of the clock is as long as that loop is slow, measured as
the run goes on. While the thread itself has no processor, the clock stands.
"""

import functools
import statistics
import subprocess
import threading
import time

LOOP = 200_000
# What the loop takes on the machine of the limits, with a processor to itself.
LOOP_SECONDS = 0.0052
INTERVAL_SECONDS = 0.5


def seconds_of_loop(clock):
    began, total = clock(), 0
    for number in range(LOOP):
        total ^= number * 31
    return clock() - began


def processor_slowness():
    """How many times longer a processor takes for the loop than on the machine of the limits; what else runs does
    not count."""
    return max(1.0, statistics.median(seconds_of_loop(time.thread_time) for _ in range(9)) / LOOP_SECONDS)


class Clock:
    def __init__(self):
        self.lock = threading.Lock()
        self.slowness, self.passed, self.measured = 1.0, 0.0, time.monotonic()
        self.measure()
        threading.Thread(target=self.follow, daemon=True).start()

    def follow(self):
        while True:
            time.sleep(INTERVAL_SECONDS)
            self.measure()

    def measure(self):
        slowness = max(1.0, seconds_of_loop(time.monotonic) / LOOP_SECONDS)
        with self.lock:
            self.passed, self.measured = self.read(), time.monotonic()
            # One loop may wait for a processor by chance.
            self.slowness += (slowness - self.slowness) / 2

    def read(self):
        return self.passed + min(time.monotonic() - self.measured, 2 * INTERVAL_SECONDS) / self.slowness


@functools.cache
def clock():
    return Clock()


def now():
    """Seconds of the clock."""
    with clock().lock:
        return clock().read()


def slowness():
    """How many seconds a second of the clock is."""
    return clock().slowness


class Deadline:
    def __init__(self, seconds):
        self.end = now() + seconds

    @property
    def has_passed(self):
        return now() >= self.end


def exit_status(process, seconds):
    """The status of a process, or nothing when it has none after so many seconds of the clock."""
    deadline = Deadline(seconds)
    while True:
        try:
            return process.wait(min(seconds, 1))
        except subprocess.TimeoutExpired:
            if deadline.has_passed:
                return None
