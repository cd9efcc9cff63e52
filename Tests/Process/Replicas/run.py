"""One run: clients and streams on sessions of their own, then the comparison of all replicas, then the checks."""

import json
import random
import threading
import time

import names
from checker import Checker
from history import Finding, History, shortened
from keepers import Keepers
from mirrors import Mirror
from streams import readers
from workload import CLIENTS, NAMES_MAKER, Maker, Names, Worker, encoded, set_up

SESSIONS = 3
QUIET_SECONDS = 0.3
LEVEL_SECONDS_MAX = 20
JOIN_SECONDS_MAX = 40
ANSWER_SECONDS_MAX = 15
HISTORY_COMMITS_MIN = 1_000


class Run:
    def __init__(self, cluster, prefix, seed, plant=None, clients=CLIENTS, sessions=SESSIONS):
        self.cluster, self.seed, self.plant = cluster, seed, plant
        self.history = History()
        self.sessions = [f"{prefix}-s{number}" for number in range(sessions)]
        names_of_run = Names(f"{prefix}-t")
        self.uids = set_up(cluster, self.sessions, self.history, seed)
        self.over = threading.Event()
        self.workers = [
            Worker(number, cluster, self.sessions, names_of_run, self.history, seed, plant, self.over)
            for number in range(clients)]
        self.workers.append(Maker(NAMES_MAKER, cluster, self.sessions, names_of_run, self.history,
                                  seed, plant, self.over))
        self.readers = [reader for session in self.sessions
                        for reader in readers(session, cluster.replicas, self.history, seed, plant)]
        self.mirrors = [Mirror(session, cluster.replicas, self.history, f"{seed} {session}", plant)
                        for session in self.sessions]
        self.keepers = Keepers(cluster, prefix, self.history, random.Random(f"{seed} keepers"), plant)
        self.figures = {}

    def begin(self):
        for thread in self.readers + self.mirrors + self.workers:
            thread.start()
        self.keepers.start()

    def check_threads(self):
        for thread in self.readers + self.mirrors + self.workers:
            if thread.error is not None:
                raise thread.error

    def stop(self):
        self.over.set()
        for worker in self.workers:
            worker.join(JOIN_SECONDS_MAX)
            if worker.is_alive():
                raise RuntimeError(f"client {worker.number} does not end")
        self.keepers.stop()
        self.check_threads()

    def abandon(self):
        """After a failure: no thread goes on."""
        self.over.set()
        self.keepers.over.set()
        for reader in self.readers + self.mirrors:
            reader.end()

    # What all replicas show in the end.

    def get(self, replica, target):
        answer = replica.ask("GET", target, seconds=ANSWER_SECONDS_MAX)
        if answer is None or answer[0] != 200:
            self.history.report(Finding("level", f"{replica.name} answers {answer} to GET {target}"))
            return None
        return answer[1]

    def heads(self):
        """The heads of the sessions, when all replicas show the same for a while."""
        begin = time.monotonic()
        known, since = None, begin
        while True:
            found = [[json.loads(self.get(replica, f"/v1/sessions/{session}") or "{}").get("revision")
                      for session in self.sessions] for replica in self.cluster.replicas]
            now = time.monotonic()
            if found != known:
                known, since = found, now
            if found[1:] == found[:-1] and None not in found[0] and now - since > QUIET_SECONDS:
                return dict(zip(self.sessions, found[0]))
            if now - begin > LEVEL_SECONDS_MAX:
                self.history.report(Finding("level", f"the heads of the replicas are {found}"))
                return dict(zip(self.sessions, [max(heads) for heads in zip(*found)]))
            time.sleep(0.05)

    def finish_streams(self, heads):
        """Waits until the streams have everything, first those of all commits."""
        end = time.monotonic() + LEVEL_SECONDS_MAX
        for reader in sorted(self.readers, key=lambda reader: reader.registrations is not None):
            last = self.last_of(reader, heads)
            while reader.head < last:
                self.check_threads()
                if time.monotonic() > end:
                    self.history.report(Finding(
                        "stream", f"{reader.name} of {reader.session} ends at {reader.head}, and "
                                  f"there are records up to {last}"))
                    break
                time.sleep(0.02)
        for reader in self.readers + self.mirrors:
            reader.end()
        for reader in self.readers + self.mirrors:
            reader.join(JOIN_SECONDS_MAX)
        self.check_threads()

    def last_of(self, reader, heads):
        """The revision of the last record that a stream must have."""
        if reader.registrations is None:
            return heads[reader.session]
        return max((record["revision"] for other in self.readers
                    if other.session == reader.session and other.registrations is None
                    for record in other.records
                    if record.get("registration") in reader.registrations), default=0)

    def past(self, replica, session):
        """The retained commits, newest first."""
        token = ""
        while True:
            data = self.get(
                replica, f"/v1/sessions/{session}/history?operations=true&pageSize=500{token}")
            page = json.loads(data or '{"commits": []}')
            for commit in page["commits"]:
                # Streams do not say what an operation replaced.
                operations = [{name: value for name, value in operation.items() if name != "previous"}
                              for operation in commit["operations"]]
                # Nor whether the log still shows it: not before the oldest snapshot, after many commits.
                commit.pop("previousIsKnown", None)
                yield {**commit, "operations": shortened(operations)}
            if "nextPageToken" not in page:
                return
            token = f"&pageToken={page['nextPageToken']}"

    def compare(self, checkers, heads):
        """Each replica has the same document, and the commits that streams delivered."""
        for checker in checkers:
            session, head = checker.session, heads[checker.session]
            documents = {}
            for replica in self.cluster.replicas:
                data = self.get(replica, f"/v1/sessions/{session}/export")
                if self.plant is not None:
                    data = self.plant.export(replica, data)
                documents.setdefault(data, []).append(replica.name)
                self.compare_past(checker, replica, head)
            if len(documents) > 1:
                self.history.report(Finding(
                    "level", f"exports of {session} differ: {[*documents.values()]}; {[*documents]}"))
            for data in documents:
                nodes = {node["id"]: (node["parent"], node.get("overrides", {}))
                         for node in json.loads(data or '{"nodes": []}')["nodes"]}
                expected = {node: checker.model.shown(node) for node in checker.model.parents}
                if nodes != expected:
                    self.history.report(Finding(
                        "level", f"the export of {session} has {nodes} and not {expected}"))

    def compare_past(self, checker, replica, head):
        expected, count = head, 0
        for commit in self.past(replica, checker.session):
            known = checker.commits.get(commit["revision"], {})
            shown = {name: known.get(name) for name in commit}
            if commit["revision"] != expected or encoded(commit) != encoded(shown):
                self.history.report(Finding(
                    "level", f"{replica.name} has in the history of {checker.session}, where "
                             f"{expected} comes next, {commit}; streams had {shown}"))
                return
            expected, count = expected - 1, count + 1
        if count < min(head, HISTORY_COMMITS_MIN):
            self.history.report(Finding(
                "level", f"{replica.name} has {count} commits in the history of {checker.session}"))

    def compare_offline(self, heads):
        """The commands that read the log themselves find what the replicas have."""
        status, lines = self.cluster.offline("check")
        shown = {line.split()[0]: line for line in lines if "  uid " in line}
        for session, head in heads.items():
            if status != 0 or f"  revision {head}  " not in shown.get(session, ""):
                self.history.report(Finding(
                    "level", f"traitd check of {session} at {head}: status {status}, "
                             f"{shown.get(session, lines[-3:])}"))
        status, lines = self.cluster.offline("export", *(f"--session={name}" for name in heads))
        text = "\n".join(lines)
        for session, head in heads.items():
            if status != 0 or f'"{session}"' not in text or f'"revision":{head}' not in text:
                self.history.report(Finding(
                    "level", f"traitd export of {session} at {head}: status {status}, {text[:300]}"))

    def check(self, is_restarting=False):
        """Ends the run. Returns all findings."""
        self.stop()
        heads = self.heads()
        self.finish_streams(heads)
        checkers = [Checker(session, self.history, self.readers, self.mirrors)
                    for session in self.sessions]
        found = []
        for checker in checkers:
            found += checker.run()
        of_names, compared = names.check(self.history)
        found += of_names
        self.compare(checkers, heads)
        if self.plant is None:
            self.compare_offline(heads)
            self.keepers.check()
        if is_restarting:
            for replica in self.cluster.replicas:
                replica.kill()
                replica.start()
            self.cluster.wait_healthy()
            self.compare(checkers, self.heads())
        for checker in checkers:
            for name, count in checker.counts.items():
                self.figures[name] = self.figures.get(name, 0) + count
        self.figures["sessions made and ended"] = compared // 2
        self.figures["requests"] = len(self.history.requests)
        self.figures["without a known outcome"] = sum(
            request.status in (None, 503) for request in self.history.requests)
        self.figures["records of streams"] = sum(len(reader.records) for reader in self.readers)
        self.figures["digests of mirrors"] = sum(mirror.digests for mirror in self.mirrors)
        self.figures["resets of mirrors"] = sum(mirror.resets for mirror in self.mirrors)
        self.figures["leases renewed by PUT"] = self.keepers.puts
        self.figures["leases held by streams"] = self.keepers.streams
        self.figures["connections of streams"] = sum(reader.resumes for reader in self.readers)
        return self.history.findings + found

    def save(self, path, findings):
        """All that was found and seen, in the order of the ends."""
        with open(path, "w", encoding="utf-8") as file:
            for finding in findings:
                file.write(f"{finding}\n")
            for request in sorted(self.history.requests, key=lambda one: one.end):
                file.write(f"{request}\n")

    def answers(self):
        """How often each status and code came."""
        found = {}
        for request in self.history.requests:
            label = f"{request.status or 'none'} {request.code or ''}".strip()
            found[label] = found.get(label, 0) + 1
        for reader in self.readers:
            for label, count in reader.refusals.items():
                found[f"stream {label}"] = found.get(f"stream {label}", 0) + count
        return found
