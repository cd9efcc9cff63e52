"""Starts a traitd for a check, asks it, and ends it again, whatever happens in between."""

import http.client
import json
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading

import pace

START_SECONDS_MAX = 20
# Only an answer that never comes takes as long.
ANSWER_SECONDS_MAX = 120
STOP_SECONDS_MAX = 20


class Lines:
    """The lines that a process prints, each within a time limit."""

    def __init__(self, stream):
        self.queue = queue.SimpleQueue()
        threading.Thread(target=self.read, args=(stream,), daemon=True).start()

    def read(self, stream):
        for line in stream:
            self.queue.put(line.rstrip("\n"))
        self.queue.put(None)

    def next(self, seconds):
        """The next line. None when none comes within that time, or at the end."""
        deadline = pace.Deadline(seconds)
        while True:
            try:
                return self.queue.get(timeout=min(seconds, 1))
            except queue.Empty:
                if deadline.has_passed:
                    return None


class Server:
    """A traitd of its own on a free port. Use as a context manager.

    Leaving it sends SIGTERM and expects an orderly end: every check tests the drain on the way.
    """

    def __init__(self, binary, *arguments):
        self.command = [binary, "--port", "0", *arguments]
        self.stderr = tempfile.TemporaryFile("w+")

    def __enter__(self):
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=self.stderr, text=True,
            # Its settings come from the check alone.
            env={name: value for name, value in os.environ.items()
                 if not name.startswith("TRAITD_")},
        )
        line = Lines(self.process.stdout).next(START_SECONDS_MAX)
        found = re.fullmatch(r"traitd \S+ serving on http://(\S+:\d+)", line or "")
        if not found:
            self.kill(f"said {line!r} within {START_SECONDS_MAX} s instead of where it serves")
        self.address = found.group(1)
        self.client = http.client.HTTPConnection(self.address, timeout=ANSWER_SECONDS_MAX)
        return self

    def ask(self, method, target, body=None, headers=None):
        """Sends a request on one connection, its body as JSON. Returns the answer and its bytes."""
        headers = dict(headers or {})
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body)
        self.client.request(method, target, body, headers)
        answer = self.client.getresponse()
        return answer, answer.read()

    def value(self, method, target, body=None):
        """Sends a request that must succeed. Returns the JSON value of the answer."""
        answer, data = self.ask(method, target, body)
        if answer.status >= 400:
            sys.exit(f"{method} {target} is answered {answer.status} {data[:300].decode()}")
        return json.loads(data or "null")

    def end(self, seconds=STOP_SECONDS_MAX):
        """Sends SIGTERM. Returns the exit status."""
        self.client.close()
        self.process.send_signal(signal.SIGTERM)
        status = pace.exit_status(self.process, seconds)
        if status is None:
            self.kill(f"did not end within {seconds} s of SIGTERM")
        return status

    def __exit__(self, kind, error, traceback):
        status = self.end()
        if status != 0 and error is None:
            self.fail(f"ended with status {status} after SIGTERM")
        self.stderr.close()

    def kill(self, reason):
        self.process.kill()
        self.process.wait()
        self.fail(reason)

    def fail(self, reason):
        self.stderr.seek(0)
        sys.stderr.write(self.stderr.read()[-4000:])
        sys.exit(f"{' '.join(self.command)} {reason}")
