"""Checks a history against the promises: every answer is that of one session, in the order of real time.

A session's revisions say in which order its commits happened, so no search is needed. Each commit stands at its
revision, and each other answer at the revision that it saw. What remains to check is

- order: no answer shows less than an answer that ended before its request began,
- states: what an answer shows is what the commits up to its revision give,
- outcomes: an acknowledged write is in the log, once; a refused one is not; a key makes one commit.
"""

import heapq

from history import Finding
from mirrors import WATCHED
from model import Impossible, Model
from workload import DEFAULTS, REGISTRATIONS, TRAITS, encoded

STALENESS_UNIT = 0.001  # seconds


class Checker:
    """All checks of one session."""

    def __init__(self, session, history, readers, mirrors):
        self.session = session
        self.requests = [request for request in history.requests if request.session == session]
        self.lists = [request for request in history.requests
                      if request.kind == "sessions" and request.is_done]
        self.readers = [reader for reader in readers if reader.session == session]
        self.mirrors = [mirror for mirror in mirrors if mirror.session == session]
        self.findings = []
        self.commits = {}  # revision: the record of a stream
        self.counts = {"commits": 0, "reads": 0, "refusals": 0, "unchanged": 0, "changes": 0,
                       "compared": 0, "keys repeated": 0, "found later": 0, "mirrored": 0,
                       "local reads": 0}

    def find(self, rule, text, *requests):
        self.findings.append(Finding(rule, f"{self.session}: {text}", list(requests)))

    def run(self):
        self.collect()
        self.check_outcomes()
        self.check_order()
        self.check_states()
        self.check_filtered()
        return self.findings

    # The log, as streams delivered it.

    def collect(self):
        whole = [reader for reader in self.readers if reader.sequence.has_commits]
        self.changes = {}  # revision: {registration: record}
        first = {}
        for reader in whole:
            for record in reader.records:
                revision, part = record["revision"], record["part"]
                before = first.setdefault((revision, part), record)
                if before is not record and encoded(before) != encoded(record):
                    self.find("streams agree", f"revision {revision} part {part} is {before} "
                                               f"and, on {reader.name}, {record}")
                if record["type"] == "commit":
                    self.commits[revision] = record
                else:
                    self.changes.setdefault(revision, {})[record["registration"]] = record
        self.traces = {}
        for revision, record in self.commits.items():
            trace = record["cause"].get("traceparent")
            if trace is None:
                if revision != 1:
                    self.find("outcomes", f"revision {revision} was asked for by no request: {record}")
            elif trace in self.traces:
                self.find("outcomes", f"revisions {self.traces[trace]} and {revision} are of one request")
            else:
                self.traces[trace] = revision

    # Outcomes.

    def check_outcomes(self):
        writes = [request for request in self.requests if request.kind == "write"]
        for request in self.requests:
            self.check_status(request)
        known = {request.trace: request for request in writes}
        for trace, revision in self.traces.items():
            if trace not in known:
                self.find("outcomes", f"revision {revision} was asked for by no request: "
                                      f"{self.commits[revision]}")
        by_revision, by_key = {}, {}
        for request in writes:
            revision = self.traces.get(request.trace)
            if request.key is not None and revision is not None:
                by_key.setdefault(request.key, []).append(request)
            if request.commit is not None:
                self.check_acknowledged(request, revision, known, by_revision)
            elif revision is not None and (request.is_refused or request.is_unchanged):
                self.find("outcomes", f"a write without a commit, by its answer, "
                                      f"made revision {revision}", request)
            elif revision is not None:
                self.counts["found later"] += 1
            if revision is not None and request.tag is not None and revision != request.tag + 1:
                self.find("if-match", f"a write for revision {request.tag} made {revision}", request)
        for key, requests in by_key.items():
            if len(requests) > 1:
                self.find("keys", f"key {key} made several commits", *requests)

    def check_acknowledged(self, request, revision, known, by_revision):
        self.counts["commits"] += not request.is_replayed
        self.counts["keys repeated"] += request.is_replayed
        record = self.commits.get(request.commit)
        if record is None:
            self.find("lost", f"revision {request.commit} is acknowledged, and not in the log", request)
            return
        trace = record["cause"].get("traceparent")
        if request.is_replayed:
            made_by = known.get(trace)
            if made_by is None or made_by.key != request.key or request.key is None:
                self.find("keys", f"revision {request.commit} is of another key", request,
                          *([made_by] if made_by else []))
            if request.revision < request.commit:
                self.find("order", "a replayed commit is newer than the answer", request)
            return
        if request.commit in by_revision:
            self.find("outcomes", f"revision {request.commit} is acknowledged twice", request,
                      by_revision[request.commit])
        by_revision[request.commit] = request
        if revision != request.commit:
            self.find("lost", f"revision {request.commit} is acknowledged, and the log has "
                              f"{trace} there: {record}; the write is at {revision}", request)
        elif record["operations"] != request.operations and request.operations[0]["op"] != "register":
            self.find("outcomes", f"the log has {record['operations']}", request)
        if request.revision != request.commit:
            self.find("order", "the answer's revision is not its commit's", request)

    def check_status(self, request):
        if request.code == "unknown-session":
            self.find("states", "the session exists", request)
            return
        if not (request.status is None or request.is_done or request.is_refused
                or request.is_not_modified
                or request.status == 503 or request.code == "idempotency-in-flight"
                or request.code == "storage-full" and "database space exceeded" in request.data):
            self.find("answers", "an answer that no rule expects", request)

    # Order of real time.

    def observations(self):
        """(start, end, revision, whether the request made it, request) of all that shows a revision."""
        for request in self.requests:
            revision = self.traces.get(request.trace) if request.kind == "write" else None
            if revision is not None:
                # Without an answer it may have been made at any time after its start.
                end = request.end if request.commit is not None else float("inf")
                yield request.start, end, revision, True, request
            elif request.revision is not None and self.shows(request):
                # A local read is as good as one that began earlier. Staleness is rounded down.
                age = 0 if request.staleness is None else request.staleness + STALENESS_UNIT
                yield request.start - age, request.end, request.revision, False, request
        for request in self.lists:
            for entry in request.body["sessions"]:
                if entry["name"] == self.session:
                    yield request.start, request.end, entry["revision"], False, request

    @staticmethod
    def shows(request):
        return request.is_done or request.is_refused or request.is_not_modified

    def check_order(self):
        """No answer shows less than what an answer or a stream had shown before the request."""
        seen = sorted(self.observations(), key=lambda one: one[0])
        ends, floor, shown_by = [], 0, None
        for reader in self.readers:
            for record, moment in zip(reader.records, reader.times):
                if record["last"]:
                    heapq.heappush(ends, (moment, id(record), record["revision"],
                                          f"the stream {reader.name}, at {moment:.4f}"))
        for start, end, revision, is_made, request in seen:
            while ends and ends[0][0] < start:
                _, _, ended, by = heapq.heappop(ends)
                if ended > floor:
                    floor, shown_by = ended, by
            if revision < floor + is_made:
                is_list = "sessions" in (request.kind, getattr(shown_by, "kind", None))
                self.find("lists" if is_list else "order",
                          f"revision {revision} is {'made' if is_made else 'shown'} after {floor} "
                          "was shown", request, shown_by)
            heapq.heappush(ends, (end, id(request), revision, request))
            self.counts["compared"] += 1
        for request in self.lists:
            if all(entry["name"] != self.session for entry in request.body["sessions"]):
                self.find("lists", "the session is not in the list", request)

    # States.

    def check_states(self):
        at, mirrored = {}, {}
        for mirror in self.mirrors:
            for revision, values in mirror.shown:
                mirrored.setdefault(revision, []).append(values)
        for request in self.requests:
            if request.revision is not None and self.shows(request) and request.commit is None:
                at.setdefault(request.revision, []).append(request)
        model = self.model = Model(DEFAULTS)
        before = {}
        for revision in sorted(self.commits):
            record = self.commits[revision]
            for request in at.pop(revision - 1, []):
                self.check_request(model, request)
            try:
                if record["cause"].get("traceparent") and not model.changed_by(record["operations"]):
                    self.find("states", f"revision {revision} changes nothing: {record}")
                model.apply(record["operations"])
            except Impossible as reason:
                self.find("states", f"revision {revision} has to be refused ({reason}): {record}")
                return
            before = self.check_notified(model, before, revision)
            self.check_mirrored(model, mirrored.pop(revision, []), revision)
        for request in at.pop(max(self.commits, default=0), []):
            self.check_request(model, request)
        for revision, requests in at.items():
            self.find("states", f"revision {revision} was shown, and is not in the log", *requests[:1])

    def check_request(self, model, request):
        if request.kind == "write":
            self.check_no_commit(model, request)
            return
        self.counts["reads"] += 1
        self.counts["local reads"] += request.staleness is not None
        if request.is_not_modified:
            if request.revision != request.tag:
                self.find("states", "the session has been modified since", request)
        elif request.kind == "dry":
            self.check_dry_run(model, request)
        elif request.kind == "values":
            shown = {node["node"]: node["traits"] for node in request.body["nodes"]} \
                if request.is_done else None
            expected = {node: {trait: model.resolved(node, trait)[0] for trait in TRAITS}
                        for node in shown or ["root"]}
            if shown != expected:
                self.find("states", f"the values have to be {expected}", request)
        elif request.kind in ("trait", "node"):
            self.check_read(model, request)
        elif request.kind == "nodes":
            shown = {node["id"]: (node["parent"], node.get("overrides", {}))
                     for node in request.body["nodes"]} if request.is_done else None
            expected = {node: model.shown(node) for node in model.parents}
            if shown != expected:
                self.find("states", f"the list has to be {expected}", request)
        elif not request.is_done:
            self.find("states", "the session exists", request)

    def check_dry_run(self, model, request):
        """It says which revision the write would make, if any."""
        is_changing = model.changed_by(request.operations)
        if not request.is_done or request.is_unchanged == is_changing \
                or request.body["revision"] != request.revision + is_changing:
            self.find("states", f"the write changes {'something' if is_changing else 'nothing'}",
                      request)

    def check_read(self, model, request):
        node = request.target.split("/nodes/")[1].split("/")[0]
        if node not in model.parents:
            if request.status != 404 or request.code != "unknown-node":
                self.find("states", f"there is no {node}", request)
            return
        if not request.is_done:
            self.find("states", f"there is a {node}: {model.shown(node)}", request)
        elif request.kind == "node":
            shown = request.body["parent"], request.body.get("overrides", {})
            if shown != model.shown(node):
                self.find("states", f"it has to be {model.shown(node)}", request)
        else:
            shown = request.body["value"], request.body["source"].get("node")
            expected = model.resolved(node, request.body["trait"])
            if shown != expected:
                self.find("states", f"it has to be {expected}", request)

    def check_no_commit(self, model, request):
        """A write that was refused, or that changed nothing, at the revision that it saw."""
        if request.is_refused:
            self.counts["refusals"] += 1
        else:
            self.counts["unchanged"] += 1
        try:
            is_changing, reason = model.changed_by(request.operations), ""
        except Impossible as impossible:
            is_changing, reason = None, str(impossible)
        if request.tag is not None and (request.status == 412) != (request.tag != request.revision):
            self.find("if-match", f"the tag is {request.tag}, the session at {request.revision}", request)
        elif request.tag is not None and request.status == 412:
            pass
        elif request.is_unchanged:
            if is_changing is not False:
                self.find("states", f"the write changes something, or is impossible: {reason}", request)
        elif request.code in ("unknown-node", "unknown-parent"):
            if "missing" not in reason:
                self.find("states", f"no node is missing: {reason}", request)
        elif "exists" not in reason:
            self.find("states", f"the write is possible, or impossible for another reason: {reason}",
                      request)

    # Notifications.

    def check_notified(self, model, before, revision):
        """Each registration is notified of exactly the values that changed. Returns those of now."""
        now = {}
        for name, (node, traits) in REGISTRATIONS.items():
            now[name] = {trait: model.resolved(node, trait)[0] for trait in traits}
            old = before.get(name, now[name])
            expected = {trait: (old[trait], now[name][trait])
                        for trait in traits if old[trait] != now[name][trait]}
            record = self.changes.get(revision, {}).get(name)
            shown = {} if record is None else {
                change["trait"]: (change["previous"], change["current"])
                for change in record["changes"]}
            if shown != expected:
                self.find("notifications", f"{name} is notified at {revision} of {shown}; "
                                           f"it has to be {expected}")
            self.counts["changes"] += record is not None
        return now

    def check_mirrored(self, model, caches, revision):
        """What a cache had at this revision is what the session had."""
        for cache in caches:
            self.counts["mirrored"] += 1
            expected = {(node, trait): model.resolved(node, trait)[0]
                        for node, traits in WATCHED.items() for trait in traits}
            if cache != expected:
                self.find("mirrors", f"the cache is {cache} at {revision}, and has to be {expected}")

    def check_filtered(self):
        """Streams of registrations have the changes that the stream of all commits has."""
        for reader in self.readers:
            if reader.sequence.has_commits:
                continue
            shown = [self.comparable(record) for record in reader.records]
            expected = [self.comparable(changes[name]) for _, changes in sorted(self.changes.items())
                        for name in changes if name in reader.registrations]
            if shown != expected:
                index = next((index for index, (a, b) in enumerate(zip(shown, expected)) if a != b),
                             min(len(shown), len(expected)))
                self.find("streams agree", f"{reader.name} has {len(shown)} records, the stream of all "
                                           f"commits {len(expected)}; the first that differs is "
                                           f"{shown[index:index + 1]} for {expected[index:index + 1]}")

    @staticmethod
    def comparable(record):
        return record["revision"], record["registration"], encoded(record["changes"])
