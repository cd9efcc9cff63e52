"""What a client decides about streams: connections one after the other, and what their records do to a cache. The
classes are the base of those that block and of those of asyncio, which carry out the steps of `follow`."""
from __future__ import annotations

import collections, json, logging, time
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, Protocol
from urllib.parse import quote, urlencode

from ._cache import Change, Values, bytes_of, merged, own
from ._call import (BYTES_PER_SECOND_MIN, EVENTS, JSON, LOST, NDJSON, STREAM_WAIT_SECONDS_MAX, TARGET_BYTES_MAX, TOKEN, Calls, Rest,
                    Steps, TraitdError, exchange, name_of, names_of, next_part, parse, present, result, retry_after)
from ._http import Answer, Events, Lines
from .types import StreamRecord

QUEUE_MAX, RECORD_TOKEN_MAX = 10_000, 1_000
HEARTBEAT_SECONDS, HEARTBEAT_SECONDS_MAX = 15.0, 3_600.0
SILENT_MAX = 2  # connections without records, one after the other; then long polls
POLL_SECONDS, POLL_SECONDS_MIN = 25.0, 1.0  # of a long poll; half as many after one that fails
_FINAL = ("sessionDeleted", "nodeDeleted", "registrationRemoved", "revoked")
_log = logging.getLogger("traitd")
OnState = Callable[[str], object]
OnRecord = Callable[[StreamRecord], object]
OnChange = Callable[[Change], object]
Watches = Mapping[str, "Iterable[str] | str"]

class Again(OSError):
    """The connection is over, and another one follows, after the time that the server `named`."""
    def __init__(self, code: str, why: str, named: float | None = None, *, forget: bool = False) -> None:
        super().__init__(why)
        self.code, self.forget, self.named = code, forget, None if named is None else min(named, STREAM_WAIT_SECONDS_MAX)

class Changed(Protocol):
    """Guards what callers see, and wakes those that wait."""
    def __enter__(self) -> Any: ...
    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> bool | None: ...
    def notify_all(self) -> None: ...

class StreamBase:
    """One stream, connected again and again. `state` is `syncing`, `ready`, `stale` or `closed`. `reason` says why: of
    the end, of the last connection that was lost, or `polling` when the records come by long polls."""
    def __init__(self, calls: Calls, changed: Changed, on_state: OnState | None) -> None:
        self.state, self.revision = "syncing", 0
        self.reason: str | None = None
        self._calls, self._settings, self._on_state, self._changed = calls, calls.settings, on_state, changed
        self._token: str | None = None
        self._sent: str | None = None  # the token of this connection
        self._last, self._began, self._heartbeat = 0, False, HEARTBEAT_SECONDS
        self._before: Any = None  # type, revision and part of the record before
        self._silent, self._polls, self._poll_seconds = 0, False, POLL_SECONDS

    @property
    def _is_closed(self) -> bool:
        return self.state == "closed"

    def _end(self, reason: str) -> bool:
        """Whether this is the first end."""
        with self._changed:
            is_first = not self._is_closed
            if is_first:
                self.state, self.reason = "closed", reason
            self._changed.notify_all()
        return is_first

    def _enter(self, state: str, reason: str | None = None) -> None:
        with self._changed:
            if self._is_closed:
                return
            self.reason = reason
            if self.state == state:
                return
            self.state = state
            self._changed.notify_all()
        self._call(self._on_state, state)

    def _enter_ready(self) -> None:
        self._enter("ready", "polling" if self._polls else None)

    @staticmethod
    def _call(callback: Callable[[Any], object] | None, argument: Any) -> None:
        try:
            if callback:
                callback(argument)
        except BaseException:
            _log.exception("a callback failed")

    def _follow(self) -> Steps[None]:
        """Connects until the stream is closed. Raises TraitdError when no other connection may follow."""
        attempt = -1
        while not self._is_closed:
            started, named, is_poll, self._began = time.monotonic(), None, self._polls, False
            code, self._sent, self._before = "ended", self._token, None
            try:
                self._collect()
                if is_poll:
                    named = yield from self._poll()
                else:
                    yield from self._connection()
            except LOST as lost:
                _log.debug("connecting again: %r", lost)
                code = lost.code if isinstance(lost, Again) else "unreachable"
                named = lost.named if isinstance(lost, Again) else None
                if isinstance(lost, Again) and lost.forget:
                    self._token = None
                if is_poll:  # Perhaps the network is another one. One more silent connection leads back.
                    self._polls, self._silent = False, SILENT_MAX - 1
                    self._poll_seconds = max(self._poll_seconds / 2, POLL_SECONDS_MIN)
            else:
                if is_poll and named == 0:
                    attempt = -1
                    continue
            if self._is_closed:
                return
            if not is_poll or not self._polls:
                self._enter("stale" if self.state in ("ready", "stale") else "syncing", code)
            attempt = 0 if self._began else attempt + 1
            if named == 0 and time.monotonic() - started < self._settings.backoff[0]:
                named = None  # A server that ends each stream at once is not asked all the time.
            yield Rest(self._settings.wait(attempt, named))

    def _open(self, flags: Mapping[str, str], accept: str, seconds: float) -> Steps[Answer]:
        """One request, up to the head of a good answer."""
        target, body = self._request(flags)
        method = "GET" if body is None else "POST"
        data = self._settings.data(method, target, {"Accept": accept, "Last-Event-ID": self._sent}, body)
        answer = yield from exchange(self._settings, method, data, self._settings.timeout + seconds)
        status, media = answer.status, answer.media
        named = retry_after(answer) if status in (429, 503) else None
        if self._sent is not None and status in (400, 409, 410):
            raise Again(f"http-{status}", f"the token is refused with status {status}", forget=True)
        if status in (400, 401, 403, 404, 421, 422) and media != "text/html":
            try:
                yield from result(answer, self._settings.timeout)
            except TraitdError as error:
                if "wait" not in flags or (error.problem or {}).get("parameter") != "wait":
                    raise
                raise Again(error.code, error.message) from None  # The server, or this state, takes no such poll.
        if status != 200 or media not in accept:
            raise Again(f"http-{status}", f"the answer has status {status} and media type {media!r}", named)
        return answer

    def _connection(self) -> Steps[None]:
        """One stream, until it ends."""
        is_mute, size = True, 0  # mute: no record has come after half a heartbeat
        try:
            answer = yield from self._open({"overflow": "coalesce"}, f"{EVENTS}, {NDJSON};q=0.5", 0.0)
            reader: Events | Lines = Events() if answer.media == EVENTS else Lines()
            opened = last = time.monotonic()
            while True:
                idle = 2.5 * self._heartbeat if self._began else self._settings.timeout
                part = yield from next_part(answer, min(time.monotonic() + idle, last + idle + size / BYTES_PER_SECOND_MIN))
                size += len(part)
                if not part:
                    return
                for text in reader.feed(part):
                    if self._is_closed:
                        return
                    if text.strip():
                        self._record(parsed(text))
                        last, size = time.monotonic(), 0
                        is_mute = is_mute and last - opened < self._heartbeat / 2
        except TimeoutError:
            # A proxy that keeps what comes in small pieces gives a head at most, or also the first records.
            self._silent = self._silent + 1 if is_mute else 0
            self._polls = self._silent >= SILENT_MAX
            raise Again("silent", "no record came in time") from None

    def _poll(self) -> Steps[float | None]:
        """One page of records. The wait until the next one."""
        started = time.monotonic()
        seconds = self._poll_seconds if self.state == "ready" else 0.0  # The first page comes at once.
        answer = yield from self._open({"wait": f"{seconds * 1000:.0f}ms"}, JSON, seconds)
        try:
            page = yield from result(answer, self._settings.timeout)
        except TraitdError as error:  # What is no page is a proxy's.
            raise Again(error.code, error.message) from None
        records = page.get("records") if isinstance(page, dict) else None
        if not isinstance(records, list):
            raise Again("malformed-record", "the answer is no page of records")
        for record in records:
            if self._is_closed:
                return 0.0
            self._record(record)
        revision = page.get("revision")
        if isinstance(revision, int) and revision >= self._last:
            self._record({"type": "bookmark", **{name: page[name] for name in ("revision", "digest") if name in page},
                          "token": page.get("next")})
        elif isinstance(page.get("next"), str):
            self._token_of(page["next"])
        # A server that answers each poll at once is not asked all the time.
        return 0.0 if records or 0 < seconds / 2 < time.monotonic() - started else None

    def _record(self, record: Any) -> None:
        if not isinstance(record, dict) or not isinstance(record.get("type"), str):
            raise Again("malformed-record", "a line is no record")
        kind, revision, part = record["type"], record.get("revision"), record.get("part")
        if kind == "end":
            reason, self._began = record.get("reason"), True
            reason = reason if isinstance(reason, str) else "ended"
            if reason in _FINAL:
                raise TraitdError(reason)
            raise Again(reason, f"the server ended the stream: {reason}", _seconds(record.get("retryAfterMs")),
                        forget=record.get("resume") is not True)
        if isinstance(revision, int):
            if kind not in ("begin", "reset"):
                if revision < self._last:
                    raise Again("malformed-record", "a revision is lower than the one before", forget=True)
                if part is not None and (kind, revision, part) == self._before:
                    return
            self._last, self._before = revision, (kind, revision, part)
        if kind == "begin":
            self._heartbeat = min(_seconds(record.get("heartbeatMs")) or HEARTBEAT_SECONDS, HEARTBEAT_SECONDS_MAX)
        try:
            self._take(kind, record)
        except (KeyError, TypeError, AttributeError, RecursionError) as error:
            raise Again("malformed-record", f"a record is malformed: {error!r}") from None
        self._began = True

    def _token_of(self, token: Any) -> None:
        if isinstance(token, str) and len(token) <= RECORD_TOKEN_MAX and TOKEN.fullmatch(token):
            self._token = token

    def _keep(self, record: dict[str, Any]) -> None:
        """Keeps token and revision of a record that a stream can resume from."""
        self._token_of(record.get("token"))
        self.revision = self._last

    def _request(self, flags: Mapping[str, str]) -> tuple[str, bytes | None]:
        """The target, and the body of a long one, of the request with these parameters."""
        raise NotImplementedError

    def _collect(self) -> None: ...  # before a connection
    def _take(self, kind: str, record: dict[str, Any]) -> None: ...

def parsed(text: bytes | bytearray) -> Any:
    try:
        return parse(text)
    except ValueError as error:
        raise Again("malformed-record", f"a line is no JSON: {error}") from None

def _seconds(milliseconds: Any) -> float | None:
    return milliseconds / 1000 if isinstance(milliseconds, (int, float)) and 0 <= milliseconds < 1e9 else None

class RecordsBase(StreamBase):
    """The records of a session's stream, in order. Between two connections a record is missing only when `begin` has
    a higher revision than the record before: the server no longer had what was between."""
    def __init__(self, calls: Calls, changed: Changed, operations: bool, on_record: OnRecord,
                 on_state: OnState | None) -> None:
        super().__init__(calls, changed, on_state)
        self._operations, self._on_record = operations, on_record

    def _request(self, flags: Mapping[str, str]) -> tuple[str, bytes | None]:
        query = {"operations": "true"} if self._operations else {}
        query |= {name: value for name, value in flags.items() if name == "wait"}
        return f"{self._calls.path}/events" + ("?" + urlencode(query) if query else ""), None

    def _take(self, kind: str, record: dict[str, Any]) -> None:
        self._keep(record)
        if kind == "begin" or self._polls:
            self._enter_ready()
        if not self._is_closed:
            self._call(self._on_record, record)

class WatchBase(StreamBase):
    """A live cache. It shows a complete state or, before the first one, nothing. Iteration gives the changes."""
    def __init__(self, calls: Calls, changed: Changed, watches: Watches, registrations: Iterable[str],
                 on_change: OnChange | None, on_state: OnState | None) -> None:
        super().__init__(calls, changed, on_state)
        self._on_change, self._shown, self._complete = on_change, Values(), False
        self._collected: Values | None = None  # a state that is being read
        self._uid: Any = None
        self._queue: collections.deque[Change] = collections.deque()
        self._queue_max, self._queue_bytes = QUEUE_MAX, 0  # the bytes of the last count, and of all changes since
        self._members = {name_of("node", node): names_of("trait", [traits] if isinstance(traits, str) else traits)
                         for node, traits in watches.items()}
        self._registrations = names_of("registration", registrations)

    def _request(self, flags: Mapping[str, str]) -> tuple[str, bytes | None]:
        events, fixed = f"{self._calls.path}/events?", {"initial": "true", "resync": "auto", **flags}
        query = [("watch", f"{node}:{','.join(traits)}") for node, traits in self._members.items()]
        query += [("registrations", ",".join(self._registrations))] if self._registrations else []
        target = events + urlencode([*query, *fixed.items()], safe=":,", quote_via=quote)
        if len(target) <= TARGET_BYTES_MAX:
            return target, None
        watches = [{"node": node, "traits": traits} for node, traits in self._members.items()]
        body = json.dumps(present({"watches": watches, "registrations": self._registrations or None}))
        return events + urlencode(fixed), body.encode()

    def _rename(self, record: dict[str, Any]) -> None:
        """The next connection asks for the names that the nodes and traits have then."""
        node, trait, to = record.get("node"), record.get("trait"), record["to"]
        if not isinstance(to, str):
            raise TypeError("a name is no string")
        self._members = {to if name == node else name: [to if each == trait else each for each in traits]
                         for name, traits in self._members.items()}

    def get(self, node: str, trait: str, default: Any = None) -> Any:
        """The value of a pair. O(1); an object is copied."""
        with self._changed:
            return own(self._shown.pairs.get((node, trait), default))

    def snapshot(self) -> dict[str, dict[str, Any]]:
        """All values, by node and trait. O(values)."""
        values: dict[str, dict[str, Any]] = {}
        with self._changed:
            for (node, trait), value in self._shown.pairs.items():
                values.setdefault(node, {})[trait] = own(value)
        return values

    def _is_settled(self) -> bool:
        return self.state in ("ready", "closed")

    def _has_next(self) -> bool:
        return bool(self._queue) or self._is_closed

    def _collect(self) -> None:
        if self._sent is None:
            self._collected, self._token = Values(), None
            if self.state == "ready":
                self._enter("stale")
        else:
            self._collected = None

    def _take(self, kind: str, record: dict[str, Any]) -> None:
        if kind in ("begin", "reset", "gap") or kind == "state" and self._collected is None:  # it was not announced
            is_other, self._uid = self._uid != record.get("uid", self._uid), record.get("uid", self._uid)
            if kind != "begin":
                self._sent = None
            self._collect()
            if self._sent is not None and not is_other:
                self._enter_ready()
            if kind != "state":
                return
        values, changes = self._collected or self._shown, []
        if kind in ("state", "change"):
            node = record["node"]
            pairs = list(record["traits"].items()) if kind == "state" else [
                (change["trait"], change["current"]) for change in record["changes"]]
            if not all(isinstance(name, str) for name in [node, *(trait for trait, _ in pairs)]):
                raise TypeError("a name is no string")
            own([value for _, value in pairs])  # Raises for what is nested too deep, before anything is applied.
            with self._changed:
                found = [values.put(node, trait, value, self._last) for trait, value in pairs]
            if values.bytes > self._settings.state_bytes_max:
                raise TraitdError("state-too-large", None, None,
                                  f"the values have more than {self._settings.state_bytes_max} bytes")
            changes = [change for change in found if change and values is self._shown]
        elif kind == "sync" or kind == "bookmark" and (values is self._shown or "digest" in record):
            digest = f"{values.sum:016x}"
            if record.get("digest", digest) != digest:
                raise Again("digest-differs", f"the digest differs at revision {self._last}", forget=True)
            if values is not self._shown:
                changes = list(self._shown.changes_to(values, self._last)) if self._complete else []
                with self._changed:
                    self._shown, self._collected, self._complete = values, None, True
        if kind == "renamed":
            self._rename(record)
        if self._collected is None:
            self._keep(record)
            self._report(changes)
            if kind in ("sync", "bookmark"):
                self._enter_ready()

    def _report(self, changes: list[Change]) -> None:
        with self._changed:
            self._queue.extend(changes)
            self._queue_bytes, bytes_max = self._queue_bytes + bytes_of(changes), 2 * self._settings.state_bytes_max
            if len(self._queue) > self._queue_max or self._queue_bytes > bytes_max:
                kept = 0 if bytes_of(self._queue) > bytes_max else QUEUE_MAX * 9 // 10
                self._queue = collections.deque(merged(self._queue, len(self._queue) - kept))
                self._queue_bytes = bytes_of(self._queue)
                self._queue_max = max(QUEUE_MAX, len(self._queue) * 11 // 10)
            self._changed.notify_all()
        for change in changes:
            if not self._is_closed:
                self._call(self._on_change, change)
