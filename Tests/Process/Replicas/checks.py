"""Checks what clients saw against the commits that the streams delivered.

A session's revisions say in which order its commits happened, so no search is needed: each write stands at its revision,
and each answer at the revision that it shows. Plants change what a client sends or sees, as a faulty server would, to
show that the checks find it.
"""

import heapq
from collections import defaultdict


def check(session, history, commits):
    """What is wrong with a session whose commits are these, from revision 1 on."""
    found = defaultdict(list)  # name of a write: revisions
    values = {}  # place: value, at the revision that is looked at
    shown = defaultdict(list)
    for read in history.reads:
        if read.session == session:
            shown[read.revision].append(read)
    for commit in commits:
        revision, trace = commit["revision"], commit["cause"].get("traceparent")
        if revision > 1:
            found[trace.split("-")[1][:16] if trace else "none"].append(commit)
        for operation in commit["operations"]:
            if operation["op"] == "setOverride":
                values[operation["node"], operation["trait"]] = operation["value"]
        for read in shown.pop(revision, []):
            expected = values.get(read.place, values.get(("root", *read.place[1:]), 0))
            if read.value is not None and read.value != expected:
                yield f"states: {expected} is not shown by {read}"
    for revision, reads in shown.items():
        yield f"states: revision {revision} is not in the log, and shown by {reads[0]}"
    writes = [write for write in history.writes if write.session == session]
    for write in writes:
        yield from check_write(write, found.pop(write.name, []))
    for some in found.values():
        yield f"outcomes: no client has asked for {some}"
    yield from check_order(writes, [read for read in history.reads if read.session == session])


def check_write(write, commits):
    revisions = [commit["revision"] for commit in commits]
    if len(commits) > 1:
        yield f"keys: several commits, {revisions}, of {write}"
    if write.revision is not None and write.revision not in revisions:
        yield f"lost: the log has {revisions} of {write}"
    if write.is_refused and commits:
        yield f"outcomes: the log has {revisions} of a refused {write}"
    for commit in commits:
        operation = commit["operations"][0]
        if (operation["node"], operation["trait"], operation["value"]) != (write.node, write.trait, write.value):
            yield f"outcomes: the log has {commit} of {write}"
        if write.condition is not None and commit["revision"] != write.condition + 1:
            yield f"conditions: for revision {write.condition} only, and at {revisions}, {write}"
        if write.revision is None:
            # Without an answer it was made at any time after its start.
            write.revision, write.end = commit["revision"], float("inf")


def check_order(writes, reads):
    """No answer shows less than what an answer had shown before its request."""
    seen = [(one.start, one.end, one.revision, one.revision, one) for one in reads]
    seen += [(one.start, one.end, one.revision, one.revision - 1, one) for one in writes if one.revision is not None]
    ends, floor, shown_by = [], 0, None
    for start, end, revision, before, one in sorted(seen, key=lambda some: some[0]):
        while ends and ends[0][0] < start:
            _, _, ended, by = heapq.heappop(ends)
            if ended > floor:
                floor, shown_by = ended, by
        if before < floor:
            yield f"order: {floor} was shown before it began: {one}, by {shown_by}"
        heapq.heappush(ends, (end, id(one), revision, one))


class Plant:
    """Changes nothing."""

    rule = None
    EVERY = 10  # of what it fits

    def __init__(self):
        self.count = 0

    def strikes(self):
        self.count += 1
        return self.count % self.EVERY == 0

    def fields(self, headers):
        """The headers of a write."""
        return headers

    def answer(self, what, session, answer):
        """The answer to a read."""
        return answer

    def acknowledged(self, write):
        pass

    def records(self, record):
        """What a stream delivers in place of a record."""
        return [record]


class StaleRead(Plant):
    """A replica answers from its own state, although the log has more."""

    rule = "order"

    def __init__(self):
        super().__init__()
        self.known = {}

    def answer(self, what, session, answer):
        if what == "a read of no node" and answer is not None and answer[0] == 404:
            kept = self.known.setdefault(session, answer)
            return kept if self.strikes() else answer
        return answer


class LostWrite(Plant):
    """A write is acknowledged with the revision of another one."""

    rule = "lost"

    def acknowledged(self, write):
        write.revision -= self.strikes()


class IgnoredCondition(Plant):
    """A write is made although the session has moved on since the revision in If-Match."""

    rule = "conditions"
    EVERY = 1

    def fields(self, headers):
        return {name: value for name, value in headers.items() if name != "If-Match"}


class RepeatedRecord(Plant):
    """A stream delivers a record twice."""

    rule = "streams"

    def records(self, record):
        return [record] * (2 if record["type"] == "commit" and self.strikes() else 1)


PLANTS = [StaleRead, LostWrite, IgnoredCondition, RepeatedRecord]
