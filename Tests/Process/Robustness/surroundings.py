"""Rows of rows.py about what surrounds a server: very many idle streams, a clock that jumps, few
descriptors, a library that moves the environment, and a commit that a million registrations hear of."""

import email.utils
import http.client
import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time

from costly import node

ANOTHER_CLIENT = "127.0.0.2"
HEALTH_MS_MAX = 250
FOLDER = pathlib.Path(__file__).resolve().parent


def ask_health(port):
    """Asks /livez from another address, on a connection of its own. Answers with status and milliseconds."""
    start = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10,
                                            source_address=(ANOTHER_CLIENT, 0))
    try:
        connection.request("GET", "/livez")
        answer = connection.getresponse()
        answer.read()
        return answer.status, (time.perf_counter() - start) * 1000
    finally:
        connection.close()


def idle_streams_of_one_client(client):
    """One client takes every connection there is; /livez of another one has room of its own."""
    client.session()
    client.operate([node("s")])
    asking = client.connect()
    answers = asking.makefile("rb")
    request = b"GET /v1/sessions/x/nodes/s/events?traits=layoutDirection HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for _ in range(16_000):
        client.connect(4_096).sendall(request)
    end = time.monotonic() + 30
    streams = 0
    # Besides the streams there are the connection that asks, and those of the probers.
    while streams < 15_990 and time.monotonic() < end:
        asking.sendall(b"GET /v1/sessions/x/stats HTTP/1.1\r\nHost: localhost\r\n\r\n")
        streams = read_body(answers)["streams"]
        time.sleep(0.05)
    if streams < 15_990:
        raise OSError(f"{streams} streams are open")
    slowest = 0
    for _ in range(100):
        status, took = ask_health(client.port)
        slowest = max(slowest, took)
        if status != 200 or took > HEALTH_MS_MAX:
            raise OSError(f"/livez of another client: {status} after {took:.0f} ms")
    # Everything else is refused, with words.
    client.ask("GET", "/version")
    if client.codes != {"too-many-connections": True}:
        raise OSError(f"a connection too many gets {sorted(client.codes)}")
    return f"{streams:,} streams; /livez of another address on 100 new connections {slowest:.0f} ms at worst"


def read_body(stream):
    """The JSON of one answer of known length."""
    length = 0
    while (line := stream.readline()) not in (b"\r\n", b""):
        if line.lower().startswith(b"content-length:"):
            length = int(line[15:])
    return json.loads(stream.read(length))


class Clock:
    """The wall clock of servers that are started inside."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        library, self.path = f"{self.folder.name}/clock.so", f"{self.folder.name}/shift"
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, str(FOLDER / "shifted_clock.c")],
                       check=True)
        self.set(0)
        self.variables = {"LD_PRELOAD": library, "SHIFTED_CLOCK": self.path}

    def set(self, seconds):
        with open(self.path, "r+b" if os.path.exists(self.path) else "wb") as file:
            file.write(struct.pack("=q", seconds))

    def __enter__(self):
        os.environ.update(self.variables)
        return self

    def __exit__(self, *_):
        for name in self.variables:
            del os.environ[name]


def clock_jumps(client):
    """Heartbeats come, streams last and long polls wait as if nothing had happened."""
    client.session()
    client.operate([node("s")])
    arrived = []

    def follow():
        connection = client.persistent()
        connection.request("GET", "/v1/sessions/x/nodes/s/events?traits=layoutDirection")
        for line in connection.getresponse():
            arrived.append((time.monotonic(), json.loads(line)))
    start = time.monotonic()
    stream = threading.Thread(target=follow)
    stream.start()
    # Idle all the time: it must still be there at the end.
    idle = client.persistent()
    idle.request("GET", "/livez")
    idle.getresponse().read()
    for years in (10, -10, 0, -40, 40):
        client.clock.set(years * 31_557_600)
        answer = client.persistent()
        answer.request("GET", "/livez")
        date = email.utils.parsedate_to_datetime(answer.getresponse().getheader("Date")).timestamp()
        if abs(date - time.time() - years * 31_557_600) > 30:
            raise OSError("the clock of the server does not jump")
        began = time.monotonic()
        client.must("GET", "/v1/sessions/x/events?wait=1s")
        if not 0.9 < time.monotonic() - began < 2:
            raise OSError(f"a long poll of 1 s took {time.monotonic() - began:.1f} s")
        client.must("PUT", "/v1/sessions/x/nodes/s/overrides/layoutDirection",
                    {"value": ["leftToRight", "rightToLeft"][years % 4 == 0]})
    idle.request("GET", "/livez")
    idle.getresponse().read()
    stream.join(CLOCK_LIFETIME_SECONDS + 5)
    if stream.is_alive() or arrived[-1][1].get("reason") != "timeout":
        raise OSError(f"the stream ended with {arrived[-1][1]}")
    lasted = arrived[-1][0] - start
    silence = max(after[0] - before[0] for before, after in zip(arrived, arrived[1:]))
    if not CLOCK_LIFETIME_SECONDS - 0.5 < lasted < CLOCK_LIFETIME_SECONDS + 2:
        raise OSError(f"a stream of {CLOCK_LIFETIME_SECONDS} s lasted {lasted:.1f} s")
    if silence > 2:
        raise OSError(f"heartbeats of 1 s were away for {silence:.1f} s")
    return f"5 jumps of up to 80 years; a stream lasted {lasted:.1f} s, with {silence:.1f} s of silence at most"


def few_descriptors(client):
    """Whatever the limit, the start ends with a message, or the server answers and ends by SIGTERM."""
    served = refused = 0
    for limit in [*range(3, 80), 100, 150, 193, 200, 256, 512, 1_024]:
        process = subprocess.Popen(
            ["/bin/sh", "-c", f"ulimit -n {limit} && exec \"$0\" \"$@\"", client.binary, "--port", "0",
             "--shards", "2", "--drain-window", "0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = process.stdout.readline()
        if line:
            port = int(line.rsplit(":", 1)[1])
            connections = [socket.create_connection(("127.0.0.1", port), 10) for _ in range(limit)]
            status, _ = ask_health(port)
            if status != 200:
                raise OSError(f"with {limit} descriptors /livez is {status}")
            for connection in connections:
                connection.close()
            process.send_signal(signal.SIGTERM)
            served += 1
        try:
            _, said = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise OSError(f"with {limit} descriptors SIGTERM does not end it") from None
        if not line:
            refused += 1
            if process.returncode not in (69, 127) or not said.strip():
                raise OSError(f"with {limit} descriptors: status {process.returncode}, {said[-200:]!r}")
        elif process.returncode != 0:
            raise OSError(f"with {limit} descriptors it ends with {process.returncode}")
    client.must("GET", "/version")
    return f"{served} limits served, {refused} refused with a message"


def moved_environment(client):
    """A preloaded library that moves the environment leaves every command its arguments."""
    runs = 0
    with tempfile.TemporaryDirectory() as folder:
        library = f"{folder}/moved.so"
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, str(FOLDER / "moved_environment.c")],
                       check=True)
        for how in ("set", "clear", "array", "words"):
            variables = os.environ | {"LD_PRELOAD": library, "MOVED": how}
            for arguments, status, said in (
                    (["--version"], 0, "traitd "), (["serve", "--nonsense"], 64, "--nonsense"),
                    (["healthcheck", "--port", "1"], 1, "127.0.0.1:1"),
                    (["token", "list", "--tokens", f"{folder}/none"], 65, f"{folder}/none"),
                    (["serve", "--print-config", "--port", "9"], 0, "9 ")):
                try:
                    run = subprocess.run([client.binary, *arguments], env=variables, text=True, timeout=120,
                                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
                except subprocess.TimeoutExpired:
                    raise OSError(f"{how}: {' '.join(arguments)} does not end") from None
                if run.returncode != status or said not in run.stdout:
                    raise OSError(f"{how}: {' '.join(arguments)}: {run.returncode}, {run.stdout[-200:]!r}")
                runs += 1
    client.must("GET", "/version")
    return f"{runs} commands had their arguments"


def commit_that_a_million_hear(client):
    """One commit with a million notes, read by a session's stream from its first byte to its last."""
    count = 1_000_000
    client.session()
    client.operate([node("s")])
    client.operate([{"op": "register", "registration": f"r{number}", "node": "s",
                     "traits": ["layoutDirection"]} for number in range(count)], part=100_000)
    connection = client.persistent()
    connection.request("GET", "/v1/sessions/x/events")
    stream = connection.getresponse()
    stream.readline()
    start = time.monotonic()
    client.must("PUT", "/v1/sessions/x/nodes/s/overrides/layoutDirection", {"value": "rightToLeft"})
    written = time.monotonic() - start
    records = 0
    while records < count:
        line = stream.readline()
        if not line:
            client.cut.append("the stream")
            break
        records += line.startswith(b'{"type":"change"')
    took = time.monotonic() - start
    connection.close()
    if took > 20:
        raise OSError(f"{records:,} records took {took:.1f} s")
    return f"the write took {written:.1f} s, {records:,} records {took:.1f} s"


CLOCK_LIFETIME_SECONDS = 8
ALL = [idle_streams_of_one_client, clock_jumps, few_descriptors, moved_environment,
       commit_that_a_million_hear]
for row in ALL:
    row.options = ()
clock_jumps.options = ("--limit", "heartbeat-seconds=1", "--limit", f"stream-lifetime-seconds={CLOCK_LIFETIME_SECONDS}")
clock_jumps.surroundings = Clock
# A million registrations with their nodes do not fit into what the other rows have.
commit_that_a_million_hear.options = (
    "--max-memory", "2GiB", "--limit", "body-bytes-max=67108864", "--limit", "operations-max=100000",
    "--limit", "notification-bytes-max=1073741824", "--limit", "retained-bytes-max=1073741824")
commit_that_a_million_hear.peak_bytes_max = 3 << 30
