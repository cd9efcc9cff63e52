"""A traitd under watch: its descriptors and memory, and whether it answers while it is upset."""

import http.client
import json
import multiprocessing
import os
import pathlib
import resource
import signal
import socket
import sys
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path.insert(0, str(ROOT / ".ci/lib"))
import pace  # noqa: E402
from traitd_server import ANSWER_SECONDS_MAX, Server  # noqa: E402

# What a server may keep that it did not have before: tables that grew with the connections, and
# what malloc holds back.
MEMORY_SLACK_BYTES = 24 * 1024 * 1024
# Descriptors come and go with the prober's own connection.
DESCRIPTOR_SLACK = 2
SETTLE_SECONDS_MAX = 20
START_SECONDS_MAX = 120


def raise_descriptors():
    """As many as the system lets this process have; its server inherits them."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))


class Failure(Exception):
    pass


class Watched(Server):
    """A server whose descriptors and memory can be looked at."""

    @property
    def port(self):
        return int(self.address.rsplit(":", 1)[1])

    @property
    def pid(self):
        return self.process.pid

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def resident_bytes(self):
        pages = pathlib.Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * resource.getpagesize()

    def peak_bytes(self):
        """The most that was ever resident."""
        for line in pathlib.Path(f"/proc/{self.pid}/status").read_text("ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
        raise Failure("the process is gone")

    def delete_sessions(self):
        while True:
            _, body = self.ask("/v1/sessions?pageSize=1000")
            names = [session["name"] for session in json.loads(body)["sessions"]]
            if not names:
                return
            for name in names:
                self.ask(f"/v1/sessions/{name}", "DELETE")

    def limit_descriptors(self, count):
        """From now on; what is open stays open."""
        resource.prlimit(self.pid, resource.RLIMIT_NOFILE, (count, count))

    def ask(self, target="/livez", method="GET", body=None, timeout=ANSWER_SECONDS_MAX):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            headers = {"Content-Type": "application/json"} if body else {}
            connection.request(method, target, body=body, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def expect_base_line(self, descriptors, resident):
        """Waits until the server holds no more than before, or says what it still holds."""
        deadline = pace.Deadline(SETTLE_SECONDS_MAX)
        while True:
            now = self.descriptors(), self.resident_bytes()
            if now[0] <= descriptors + DESCRIPTOR_SLACK \
                    and now[1] <= resident + MEMORY_SLACK_BYTES:
                return now
            if deadline.has_passed:
                raise Failure(
                    f"{now[0]} descriptors ({descriptors} before), "
                    f"{now[1] >> 20} MiB ({resident >> 20} before)")
            time.sleep(0.05)

    def expect_drain(self, seconds_max):
        """SIGTERM now. Returns how long the end took."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        status = pace.exit_status(self.process, seconds_max)
        if status is None:
            self.process.kill()
            raise Failure(f"not ended {seconds_max} s after SIGTERM")
        if status != 0:
            raise Failure(f"status {status} after SIGTERM")
        return time.monotonic() - start


class Prober:
    """Asks /livez all the time, from a process of its own, on one connection that it keeps."""

    def __init__(self, port, address="127.0.0.1"):
        self.ours, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=_probe, args=(port, address, theirs), daemon=True)
        self.process.start()
        if not self.ours.poll(START_SECONDS_MAX) or self.ours.recv() != "ready":
            raise Failure("the prober does not start")

    def finish(self):
        """Milliseconds of the slowest answer and of the one at the 99th percentile."""
        self.ours.send("end")
        times = self.ours.recv()
        self.process.join()
        if isinstance(times, str):
            raise Failure(f"/livez: {times}")
        times.sort()
        return times[-1] * 1000, times[len(times) * 99 // 100] * 1000, len(times)


def _probe(port, address, pipe):
    times = []
    request = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
    try:
        connection = socket.create_connection(("127.0.0.1", port), timeout=ANSWER_SECONDS_MAX, source_address=(address, 0))
        pipe.send("ready")
        while not pipe.poll(0.005):
            start = time.perf_counter()
            connection.sendall(request)
            answer = connection.recv(4096)
            times.append(time.perf_counter() - start)
            if not answer.startswith(b"HTTP/1.1 200 "):
                raise OSError(f"answered {answer[:40]!r}")
        connection.close()
    except OSError as error:
        times = str(error) or type(error).__name__
    pipe.recv()
    pipe.send(times)
