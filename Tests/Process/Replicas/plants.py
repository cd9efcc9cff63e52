"""Faults that are planted between a client and its replica, to show that the checker finds them.

A plant changes what one client sends or sees, as a faulty server would. Each names the rules of which one has to
find it.
"""

import copy
import random
import time


class Plant:
    """Changes nothing."""

    rules = set()
    SHARE = 0.2  # of the requests or records that the plant fits

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.count = 0

    def strikes(self):
        if self.dice.random() < self.SHARE:
            self.count += 1
            return True
        return False

    def wrap(self, client, request):
        """The function that sends a request."""
        def exchange(*arguments):
            return self.exchange(client, request, *arguments)
        return exchange

    def exchange(self, client, request, replica, method, target, body, headers, timeout):
        return self.answer(request, client.exchange(replica, method, target, body, headers, timeout))

    def answer(self, request, answer):
        return answer

    def records(self, reader, record):
        return [record]

    def export(self, replica, data):
        return data

    def ends_lease(self):
        return False


class StaleRead(Plant):
    """A replica answers from its own state, although the log has more."""

    rules = {"order"}

    def __init__(self, seed):
        super().__init__(seed)
        self.known = {}

    def fits(self, request, answer):
        return request.kind in ("trait", "node", "nodes", "session") and answer.status == 200

    def answer(self, request, answer):
        if answer is None or not self.fits(request, answer):
            return answer
        kept = self.known.get(request.target)
        if kept is None:
            self.known[request.target] = answer
        elif kept.revision < answer.revision and self.strikes():
            del self.known[request.target]
            return kept
        return answer


class OldLocally(StaleRead):
    """A local read is older than its replica says."""

    SHARE = 1.0

    def fits(self, request, answer):
        return request.kind == "trait" and "=local" in request.target

    def answer(self, request, answer):
        answer = super().answer(request, answer)
        if answer is not None and answer.staleness is not None:
            answer.staleness = 0.0
        return answer


class NotModified(Plant):
    """A replica says that nothing has changed since the tag, and has not asked the log."""

    rules = {"states"}
    SHARE = 0.5

    def answer(self, request, answer):
        if answer is not None and request.kind == "trait" and request.tag is not None \
                and answer.status == 200 and self.strikes():
            answer.status, answer.body = 304, None
        return answer


class StaleMissing(StaleRead):
    """A replica says that a node does not exist, and has not asked the log."""

    rules = {"order"}
    SHARE = 1.0

    def fits(self, request, answer):
        return request.kind in ("trait", "node") and answer.status == 404


class StaleList(StaleRead):
    """A list of sessions is older than the log."""

    rules = {"lists", "names"}

    def answer(self, request, answer):
        if answer is None or request.kind != "sessions":
            return answer
        kept = self.known.setdefault("list", answer)
        if kept.data != answer.data and self.strikes():
            return self.known.pop("list")
        return answer


class Shortened(Plant):
    """A list leaves out a node."""

    rules = {"states"}

    def answer(self, request, answer):
        if answer is not None and request.kind == "nodes" and answer.status == 200 and self.strikes():
            answer.body["nodes"].pop()
        return answer


class WrongValue(Plant):
    """A read shows a value that the session does not have at this revision."""

    rules = {"states"}

    def answer(self, request, answer):
        if answer is not None and request.kind == "trait" and answer.status == 200 and self.strikes():
            answer.body["value"] += 1
        return answer


class LostWrite(Plant):
    """A write is acknowledged, and never made."""

    rules = {"lost"}

    def exchange(self, client, request, replica, method, target, body, headers, timeout):
        if request.kind == "write" and method == "PUT" and self.strikes():
            seen = client.exchange(replica, "GET", f"/v1/sessions/{request.session}")
            if seen is not None and seen.status == 200:
                seen.revision += 1
                seen.body = {"session": request.session, "revision": seen.revision, "notified": 0}
                return seen
        return super().exchange(
            client, request, replica, method, target, body, headers, timeout)


class UndoneWrite(Plant):
    """A write is refused, and made all the same."""

    rules = {"outcomes"}

    def answer(self, request, answer):
        if answer is not None and request.kind == "write" and answer.status in (200, 201) \
                and not answer.body.get("unchanged") and not answer.is_replayed and self.strikes():
            answer.status, answer.body = 404, {"code": "unknown-node"}
        return answer


class TwiceAcknowledged(Plant):
    """Two writes get the same revision."""

    rules = {"lost", "outcomes"}

    def __init__(self, seed):
        super().__init__(seed)
        self.last = None

    def answer(self, request, answer):
        if answer is not None and request.kind == "write" and answer.status in (200, 201) \
                and not answer.body.get("unchanged") and not answer.is_replayed:
            if self.last is not None and self.strikes():
                answer.body["revision"] = answer.revision = self.last
            self.last = answer.revision
        return answer


class IgnoredCondition(Plant):
    """A write is made although the session has moved on since the revision in If-Match."""

    rules = {"if-match"}
    SHARE = 1.0

    def exchange(self, client, request, replica, method, target, body, headers, timeout):
        if request.tag is not None and self.strikes():
            headers = {name: value for name, value in headers.items() if name != "If-Match"}
            # The other clients get time to move the session.
            time.sleep(0.03)
        return super().exchange(
            client, request, replica, method, target, body, headers, timeout)


class ForgottenKey(Plant):
    """A replica does not know a key that another has carried out."""

    rules = {"keys"}
    SHARE = 1.0

    def exchange(self, client, request, replica, method, target, body, headers, timeout):
        if request.key is not None and self.strikes():
            headers = {name: value for name, value in headers.items() if name != "Idempotency-Key"}
            if "value" in (body or {}):
                # Else the repetition of a value changes nothing.
                body = {"value": 1000 + self.count}
                request.operations[0]["value"] = body["value"]
        return super().exchange(
            client, request, replica, method, target, body, headers, timeout)


class EndedName(StaleRead):
    """A session that has ended is still shown."""

    rules = {"names"}
    SHARE = 1.0

    def answer(self, request, answer):
        if answer is None or request.kind != "name":
            return answer
        if answer.status == 200:
            self.known[request.target] = answer
        elif request.target in self.known and self.strikes():
            return self.known[request.target]
        return answer


class RepeatedRecord(Plant):
    """A stream delivers a record twice."""

    rules = {"stream"}
    SHARE = 0.05

    def records(self, reader, record):
        is_counted = record["type"] in ("commit", "change") and reader.name != "mirror"
        return [record, record] if is_counted and self.strikes() else [record]


class MissingRecord(Plant):
    """A stream leaves out a commit."""

    rules = {"stream"}
    SHARE = 0.05

    def records(self, reader, record):
        return [] if record["type"] == "commit" and self.strikes() else [record]


class MissingPart(Plant):
    """A stream of registrations leaves out a change."""

    rules = {"stream", "streams agree"}
    SHARE = 0.3

    def records(self, reader, record):
        fits = reader.name in ("one", "two") and record["type"] == "change"
        return [] if fits and self.strikes() else [record]


class SwappedRecords(Plant):
    """Two records of a stream change places."""

    rules = {"stream"}
    SHARE = 0.05

    def __init__(self, seed):
        super().__init__(seed)
        self.kept = {}

    def records(self, reader, record):
        if record["type"] not in ("commit", "change") or reader.name == "mirror":
            return [record]
        if reader in self.kept:
            return [record, self.kept.pop(reader)]
        if self.strikes():
            self.kept[reader] = record
            return []
        return [record]


class OtherRecord(Plant):
    """A stream has another commit than the others at a revision."""

    rules = {"streams agree"}
    SHARE = 0.05

    def records(self, reader, record):
        if record["type"] == "commit" and reader.name == "all-2" and self.strikes():
            record = copy.deepcopy(record)
            record["time"] = "2000-01-01T00:00:00.000Z"
        return [record]


class StaleMirror(Plant):
    """A stream of watches leaves out a change."""

    rules = {"mirrors"}
    SHARE = 0.5

    def records(self, reader, record):
        fits = reader.name == "mirror" and record["type"] == "change"
        return [] if fits and self.strikes() else [record]


class Diverged(Plant):
    """The state of one replica is another one in the end."""

    rules = {"level"}

    def export(self, replica, data):
        if replica.number == 1:
            self.count += 1
            return (data or b"").replace(b'"nodes":[', b'"nodes":[{"id":"more","parent":null},')
        return data


class EndedLease(Plant):
    """A registration ends that a client keeps."""

    rules = {"lease"}
    SHARE = 1  # a client renews about once a second

    def ends_lease(self):
        return self.strikes()


PLANTS = {plant.__name__: plant for plant in [
    StaleRead, OldLocally, NotModified, StaleMissing, StaleList, Shortened, WrongValue, LostWrite, UndoneWrite,
    TwiceAcknowledged, IgnoredCondition, ForgottenKey, EndedName, RepeatedRecord, MissingRecord,
    MissingPart, SwappedRecords, OtherRecord, StaleMirror, Diverged, EndedLease]}
