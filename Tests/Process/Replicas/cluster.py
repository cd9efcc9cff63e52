"""Three members of etcd and three replicas of traitd over them, on one machine and in one temporary folder.

Faults end and stop these processes at any moment, so each of them keeps its port, its folder and its log over all of
its lives. Leaving the cluster kills every process that it started, by its pid.
"""

import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time

MEMBERS, REPLICAS = 3, 3
START_SECONDS_MAX = 60
STATUS_SECONDS_MAX = 0.5
# Below the ports that Linux gives to connections, since a killed process has to get its port again.
PORTS = range(10_000, 30_000)
ETCD = "etcd"
# So that a stream finds its place however long it was away.
RETAINED_BYTES_MAX = 256 * 1024 * 1024
# How long each replica lets requests wait for etcd: shorter and longer than an outage.
DEADLINES = ("1s", "2s", "10s")
LOG_LINES_SHOWN = 30


class Broken(Exception):
    """A process did not do what the campaign needs to go on."""


def free_ports(count):
    """Ports that are free now, for addresses that are given out again and again."""
    found = []
    while len(found) < count:
        port = random.SystemRandom().choice(PORTS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in found:
            found.append(port)
    return found


class Program:
    """One process after another with the same command."""

    def __init__(self, name, command, port, folder):
        self.name, self.port, self.command = name, port, command
        self.log = pathlib.Path(folder) / f"{name}.log"
        self.process = None

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                # Settings come from the campaign alone.
                env={name: value for name, value in os.environ.items()
                     if not name.startswith(("TRAITD_", "ETCD_"))})

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        if self.is_running():
            self.process.send_signal(signal.SIGKILL)
        if self.process is not None:
            self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def tail(self):
        """The last lines that the process wrote."""
        if not self.log.exists():
            return ""
        lines = self.log.read_text("utf-8", "replace").splitlines()
        return "\n".join(lines[-LOG_LINES_SHOWN:])

    def connect(self, seconds=None):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)

    def ask(self, method, target, body=None, seconds=STATUS_SECONDS_MAX):
        """Status and body of one request; None when there is no answer in time."""
        connection = self.connect(seconds)
        try:
            connection.request(
                method, target, None if body is None else json.dumps(body),
                {} if body is None else {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()


class Member(Program):
    """A member of etcd."""

    def __init__(self, number, ports, peers, folder):
        client, peer = (f"http://127.0.0.1:{some[number]}" for some in (ports, peers))
        self.url = client
        super().__init__(f"etcd{number}", [
            ETCD, "--name", f"etcd{number}", "--data-dir", f"{folder}/etcd{number}",
            "--logger", "zap", "--log-level", "error",
            "--listen-client-urls", client, "--advertise-client-urls", client,
            "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
            "--initial-cluster", ",".join(
                f"etcd{index}=http://127.0.0.1:{port}" for index, port in enumerate(peers)),
            "--election-timeout", "500", "--heartbeat-interval", "50",
            "--snapshot-count", "10000"], ports[number], folder)

    def status(self):
        """The ids of this member and of the leader that it knows; None when it does not answer."""
        answer = self.ask("POST", "/v3/maintenance/status", {})
        if answer is None or answer[0] != 200:
            return None
        status = json.loads(answer[1])
        return status["header"]["member_id"], status.get("leader", "0")


class Replica(Program):
    """A server with sessions that it shares with the others."""

    def __init__(self, binaries, number, port, log, folder):
        self.binaries, self.starts = binaries, number
        super().__init__(f"traitd{number}", [
            binaries[0], "serve", "--port", str(port), *log, "--log-deadline", DEADLINES[number],
            "--log-compaction", "1m", "--drain-window", "1", "--limit", "heartbeat-seconds=1",
            "--limit", "snapshot-every=500", "--limit", f"retained-bytes-max={RETAINED_BYTES_MAX}"],
            port, folder)
        self.number = number

    def start(self):
        """As the next of the versions."""
        self.command[0] = self.binaries[self.starts % len(self.binaries)]
        self.starts += 1
        super().start()

    def is_ready(self):
        answer = self.ask("GET", "/readyz")
        return answer is not None and answer[0] == 200


class Cluster:
    """All processes. Use as a context manager."""

    def __init__(self, binaries):
        self.folder = tempfile.mkdtemp(prefix="traitd-replicas-")
        ports = free_ports(2 * MEMBERS + REPLICAS)
        clients, peers = ports[:MEMBERS], ports[MEMBERS:2 * MEMBERS]
        self.members = [Member(number, clients, peers, self.folder) for number in range(MEMBERS)]
        self.replicas = [
            # The first endpoint differs, so that replicas do not all use one member.
            Replica(binaries, number, port, self.log(number), self.folder)
            for number, port in enumerate(ports[2 * MEMBERS:])]
        self.binary = binaries[0]
        self.is_kept = False

    def log(self, first):
        """The options for the log, beginning with one member."""
        urls = [member.url for member in self.members]
        return ["--log", f"etcd={','.join(urls[first:] + urls[:first])}"]

    def offline(self, command, *arguments):
        """What a command says of the log beside the replicas: its status and its lines."""
        done = subprocess.run([self.binary, command, *self.log(0), *arguments], capture_output=True,
                              encoding="utf-8", timeout=START_SECONDS_MAX, check=False)
        return done.returncode, done.stdout.splitlines() or done.stderr.splitlines()

    def __enter__(self):
        try:
            for member in self.members:
                member.start()
            self.wait("etcd has no leader", lambda: self.leader() is not None)
            for replica in self.replicas:
                replica.start()
            self.wait_healthy()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind, error, traceback):
        for program in self.replicas + self.members:
            program.kill()
        if not self.is_kept:
            shutil.rmtree(self.folder, ignore_errors=True)

    def leader(self):
        """The member that is the leader by its own account and by that of a majority."""
        known = [(member, member.status()) for member in self.members if member.is_running()]
        votes = [status[1] for _, status in known if status is not None and status[1] != "0"]
        for member, status in known:
            if status is not None and status[0] == status[1] \
                    and votes.count(status[0]) > MEMBERS // 2:
                return member
        return None

    def wait(self, trouble, condition, seconds=START_SECONDS_MAX):
        """What the condition returns, once that is true."""
        end = time.monotonic() + seconds
        while not (found := condition()):
            self.check_running()
            if time.monotonic() > end:
                raise Broken(f"{trouble} after {seconds} s\n{self.tails()}")
            time.sleep(0.02)
        return found

    def wait_healthy(self):
        self.wait("etcd has no leader", lambda: self.leader() is not None)
        for replica in self.replicas:
            self.wait(f"{replica.name} is not ready", replica.is_ready)

    def check_running(self):
        """Every process runs, except those that a fault has killed."""
        for program in self.replicas + self.members:
            process = program.process
            if process is not None and process.poll() not in (None, -signal.SIGKILL):
                raise Broken(f"{program.name} ended by itself with status {process.returncode}\n"
                             f"{program.tail()}")

    def tails(self):
        return "\n".join(f"-- {program.name}\n{program.tail()}"
                         for program in self.replicas + self.members)
