"""Three members of etcd and three replicas of traitd over them, on one machine and in one temporary folder.

Each process has a network namespace of its own where that is possible; else all are on loopback, and none is cut off.
Faults end and stop these processes at any moment, so each of them keeps its address, its folder and its log over
all of its lives. Leaving the cluster kills every process that it started, by its pid.
"""

import base64
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

import network

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
CLIENT_PORT, PEER_PORT, REPLICA_PORT = 2379, 2380, 8080  # in namespaces
USER, PASSWORD, PREFIX = "traitd", "a password", "/traitd/1"


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

    def __init__(self, name, command, place, folder):
        self.name, self.place = name, place
        self.command = [*place.command, *command]
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

    def connect(self, seconds=None):
        return http.client.HTTPConnection(self.place.address, self.place.port, timeout=seconds)

    def ask(self, method, target, body=None, seconds=STATUS_SECONDS_MAX, token=None):
        """Status and body of one request; None when there is no answer in time."""
        connection = self.connect(seconds)
        headers = {} if body is None else {"Content-Type": "application/json"}
        try:
            connection.request(
                method, target, body, headers if token is None else {**headers, "Authorization": token})
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()


class Place:
    """Where a process listens, and the namespace that it runs in; none on loopback."""

    def __init__(self, address, port, peer=None, host=None):
        self.address, self.port, self.peer, self.host = address, port, peer, host
        self.command = host.command if host else []
        self.url = f"http://{address}:{port}"

    @staticmethod
    def on_loopback():
        ports = free_ports(2 * MEMBERS + REPLICAS)
        return ([Place("127.0.0.1", client, f"http://127.0.0.1:{peer}")
                 for client, peer in zip(ports[:MEMBERS], ports[MEMBERS:2 * MEMBERS])],
                [Place("127.0.0.1", port) for port in ports[2 * MEMBERS:]])

    @staticmethod
    def in_namespaces(net):
        members, replicas = [], []
        for number in range(MEMBERS):
            host = net.add(f"etcd{number}", 10 + number, ["log", "peers"])
            members.append(Place(host.addresses["log"], CLIENT_PORT,
                                 f"http://{host.addresses['peers']}:{PEER_PORT}", host))
        for number in range(REPLICAS):
            host = net.add(f"traitd{number}", 20 + number, ["front", "log"])
            replicas.append(Place(host.addresses["front"], REPLICA_PORT, host=host))
        return members, replicas


class Member(Program):
    """A member of etcd."""

    def __init__(self, number, places, folder):
        names = [f"etcd{index}" for index in range(len(places))]
        client, peer = places[number].url, places[number].peer
        self.url = client
        super().__init__(names[number], [
            ETCD, "--name", names[number], "--data-dir", f"{folder}/{names[number]}",
            "--logger", "zap", "--log-level", "error",
            "--listen-client-urls", client, "--advertise-client-urls", client,
            "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
            "--initial-cluster", ",".join(
                f"{name}={place.peer}" for name, place in zip(names, places)),
            "--election-timeout", "500", "--heartbeat-interval", "50",
            "--snapshot-count", "10000"], places[number], folder)

    def status(self):
        """The ids of this member and of the leader that it knows; None when it does not answer."""
        answer = self.ask("POST", "/v3/maintenance/status", "{}")
        if answer is None or answer[0] != 200:
            return None
        status = json.loads(answer[1])
        return status["header"]["member_id"], status.get("leader", "0")


class Replica(Program):
    """A server with sessions that it shares with the others."""

    def __init__(self, binaries, number, place, log, folder):
        self.binaries, self.starts = binaries, number
        super().__init__(f"traitd{number}", [
            binaries[0], "serve", "--host", place.address, "--port", str(place.port), *log,
            *(["--allow-anonymous"] if place.host else []), "--log-deadline", DEADLINES[number], "--log-compaction", "1m",
            "--drain-window", "1", "--limit", "heartbeat-seconds=1", "--limit", "snapshot-every=500",
            "--limit", f"retained-bytes-max={RETAINED_BYTES_MAX}"], place, folder)
        self.number = number

    def start(self):
        """As the next of the versions."""
        self.command[len(self.place.command)] = self.binaries[self.starts % len(self.binaries)]
        self.starts += 1
        super().start()

    def is_ready(self):
        answer = self.ask("GET", "/readyz")
        return answer is not None and answer[0] == 200


class Cluster:
    """All processes. Use as a context manager."""

    def __init__(self, binaries):
        self.folder = tempfile.mkdtemp(prefix="traitd-replicas-")
        self.network = network.Network() if network.is_possible() else None
        members, replicas = Place.in_namespaces(self.network) if self.network else Place.on_loopback()
        self.members = [
            Member(number, members, self.folder) for number in range(MEMBERS)]
        self.replicas = [
            # The first endpoint differs, so that replicas do not all use one member.
            Replica(binaries, number, place, self.log(number), self.folder)
            for number, place in enumerate(replicas)]
        self.binary = binaries[0]
        self.is_kept = False

    def log(self, first):
        """The options for the log, beginning with one member."""
        urls = [member.url for member in self.members]
        password = pathlib.Path(self.folder) / "password"
        if not password.exists():
            password.touch(0o600)
            password.write_text(f"{PASSWORD}\n", "utf-8")
        return ["--log", f"etcd={','.join(urls[first:] + urls[:first])}", "--log-prefix", PREFIX,
                "--log-user", USER, "--log-password-file", str(password)]

    # Users of etcd

    def command(self, target, body):
        """What an administrator does, at any member that answers. A slow one may do it without an answer."""
        def done():
            for member in self.members:
                if member.is_running():
                    token = self.root_token(member)
                    answer = member.ask("POST", target, json.dumps(body), 5.0, token)
                    if answer is not None and (answer[0] == 200 or b"already exists" in answer[1]
                                               or b"is not granted" in answer[1]):
                        return True
            return False
        self.wait(f"{target} of etcd is not carried out", done)

    @staticmethod
    def root_token(member):
        answer = member.ask(
            "POST", "/v3/auth/authenticate", json.dumps({"name": "root", "password": PASSWORD}), 5.0)
        return json.loads(answer[1])["token"] if answer is not None and answer[0] == 200 else None

    def permit(self, is_permitted):
        """Whether the servers may read and write their keys."""
        key, end = (base64.b64encode(f"{PREFIX}{last}".encode()).decode() for last in "/0")
        if is_permitted:
            self.command("/v3/auth/role/grant", {"name": USER, "perm": {
                "permType": "READWRITE", "key": key, "range_end": end}})
        else:
            self.command("/v3/auth/role/revoke", {"role": USER, "key": key, "range_end": end})

    def make_users(self):
        for user in ("root", USER):
            self.command("/v3/auth/user/add", {"name": user, "password": PASSWORD})
            self.command("/v3/auth/role/add", {"name": user})
        self.permit(True)
        for user in ("root", USER):
            self.command("/v3/auth/user/grant", {"user": user, "role": user})
        self.command("/v3/auth/enable", {})

    def expire_tokens(self):
        """A new password, which is the old one, ends all tokens of its user."""
        self.command("/v3/auth/user/changepw", {"name": USER, "password": PASSWORD})

    def set_full(self, is_full):
        """Has etcd behave as at its quota."""
        member = self.members[0]
        identifier, _ = self.wait(f"{member.name} does not say its id", member.status)
        self.command("/v3/maintenance/alarm", {
            "action": "ACTIVATE" if is_full else "DEACTIVATE", "memberID": identifier, "alarm": "NOSPACE"})

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
            self.make_users()
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
        if self.network:
            self.network.remove()
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
