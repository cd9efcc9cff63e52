"""Three members of etcd and three replicas of traitd over them, on loopback and in one temporary folder.

Faults end and stop these processes at any moment, so each of them keeps its ports, its folder and its log over
all of its lives. Leaving the cluster kills every process that it started, by its pid.
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
END_SECONDS_MAX = 20
STATUS_SECONDS_MAX = 0.5
# Below the ports that Linux gives to connections, since a killed process has to get its port again.
PORTS = range(10_000, 30_000)
ETCD = "etcd"
# So that a stream finds its place also behind large commits.
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
        self.name, self.command, self.port = name, command, port
        self.log = pathlib.Path(folder) / f"{name}.log"
        self.process = None
        self.is_stopped = False

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

    def end(self):
        """SIGTERM, and an orderly end."""
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(END_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            status = None
        if status != 0:
            raise Broken(f"{self.name} ended with {status} after SIGTERM\n{self.tail()}")

    def stop(self):
        self.is_stopped = True
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)
        self.is_stopped = False

    def tail(self):
        """The last lines that the process wrote."""
        if not self.log.exists():
            return ""
        lines = self.log.read_text("utf-8", "replace").splitlines()
        return "\n".join(lines[-LOG_LINES_SHOWN:])

    def ask(self, method, target, body=None, seconds=STATUS_SECONDS_MAX):
        """Status and body of one request; None when there is no answer in time."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            connection.request(
                method, target, body, {} if body is None else {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()


class Member(Program):
    """A member of etcd."""

    def __init__(self, number, ports, peers, folder):
        names = [f"etcd{index}" for index in range(len(peers))]
        client, peer = (f"http://127.0.0.1:{port}" for port in (ports[number], peers[number]))
        self.url = client
        super().__init__(names[number], [
            ETCD, "--name", names[number], "--data-dir", f"{folder}/{names[number]}",
            "--logger", "zap", "--log-level", "error",
            "--listen-client-urls", client, "--advertise-client-urls", client,
            "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
            "--initial-cluster", ",".join(
                f"{name}=http://127.0.0.1:{port}" for name, port in zip(names, peers)),
            "--election-timeout", "500", "--heartbeat-interval", "50",
            "--snapshot-count", "10000"], ports[number], folder)

    def status(self):
        """The ids of this member and of the leader that it knows; None when it does not answer."""
        answer = self.ask("POST", "/v3/maintenance/status", "{}")
        if answer is None or answer[0] != 200:
            return None
        status = json.loads(answer[1])
        return status["header"]["member_id"], status.get("leader", "0")


class Replica(Program):
    """A server with sessions that it shares with the others."""

    def __init__(self, binaries, number, port, urls, folder):
        self.binaries, self.starts = binaries, number
        super().__init__(f"traitd{number}", [
            binaries[0], "serve", "--port", str(port), "--log", f"etcd={','.join(urls)}",
            "--log-deadline", DEADLINES[number], "--log-compaction", "1m",
            "--drain-window", "1", "--heartbeat-seconds", "1", "--snapshot-every", "500",
            "--retained-bytes-max", str(RETAINED_BYTES_MAX)], port, folder)
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
        self.members = [
            Member(number, clients, peers, self.folder) for number in range(MEMBERS)]
        urls = [member.url for member in self.members]
        self.replicas = [
            # The first endpoint differs, so that replicas do not all use one member.
            Replica(binaries, number, port, urls[number:] + urls[:number], self.folder)
            for number, port in enumerate(ports[2 * MEMBERS:])]
        self.log = ["--log", f"etcd={','.join(urls)}"]
        self.binary = binaries[0]
        self.is_kept = False

    def offline(self, command, *arguments):
        """What a command says of the log beside the replicas: its status and its lines."""
        done = subprocess.run([self.binary, command, *self.log, *arguments], capture_output=True,
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

    def followers(self, leader):
        return [member for member in self.members if member is not leader]

    def wait(self, trouble, condition, seconds=START_SECONDS_MAX):
        end = time.monotonic() + seconds
        while not condition():
            self.check_running()
            if time.monotonic() > end:
                raise Broken(f"{trouble} after {seconds} s\n{self.tails()}")
            time.sleep(0.02)

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
