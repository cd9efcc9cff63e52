"""What a client decides about requests: addresses, what is repeated, how long it waits. Each exchange is a generator of
steps, which a blocking driver and one of asyncio carry out; so the decisions stand here once."""
from __future__ import annotations

import collections, contextlib, email.utils, itertools, json, random, re, ssl, time, uuid
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, Union
from urllib.parse import quote, urlencode, urlsplit

from ._http import Answer, Lines, head
from .types import VariantsEnd, VariantsHead, VariantsRequest

ANSWER_BYTES_MAX, STATE_BYTES_MAX, TARGET_BYTES_MAX = 64 << 20, 64 << 20, 4_000
BYTES_PER_SECOND_MIN = 4 << 10
CALL_WAIT_SECONDS_MAX, STREAM_WAIT_SECONDS_MAX = 60.0, 300.0
JSON, NDJSON, EVENTS = "application/json", "application/x-ndjson", "text/event-stream"
LOST = (OSError, ValueError)  # an answer that did not come, or is none
TOKEN = re.compile(r"[\x21-\x7e]+")
_SAFE = "/?%:,;@!$&'()*+=~"
_T = TypeVar("_T")
_Next = TypeVar("_Next")

class TraitdError(Exception):
    """A refusal: `code` is the problem's; `unreachable` without an answer; `redirected`, `answer-too-large`,
    `incomplete-answer`, `malformed-answer`, or `http-STATUS` for an answer that is not traitd's. `status` and
    `problem` (the body) may be None."""
    def __init__(self, code: str, status: int | None = None, problem: dict[str, Any] | None = None,
                 message: str | None = None) -> None:
        detail = (problem or {}).get("detail")
        self.code, self.status, self.problem = code, status, problem
        self.message = message or (detail if isinstance(detail, str) else code)
        super().__init__(self.message)

@dataclass(frozen=True)
class Resolution:
    """What nodes resolve to at a revision: `values[node][trait]`. With `changed` what they show now of these traits, which
    is nothing for a new node, and how many nodes there are."""
    revision: int
    values: dict[str, dict[str, Any]]
    previous: dict[str, dict[str, Any]] = field(default_factory=dict)
    count: int | None = None

def resolution(answer: Any) -> Resolution:
    shown = [{node["node"]: node.get(member, {}) for node in answer["nodes"]} for member in ("traits", "previous")]
    return Resolution(answer["revision"], shown[0], shown[1] if "count" in answer else {}, answer.get("count"))

# --- The steps of an exchange. `until` is a moment of time.monotonic().
@dataclass(frozen=True)
class Connect:
    """Opens a connection in place of the one before, and sends the data."""
    data: bytes
    until: float

@dataclass(frozen=True)
class Receive:
    """The answer to this step is what the connection gave; nothing at its end."""
    until: float

@dataclass(frozen=True)
class Rest:
    """Ends the connection, and waits."""
    seconds: float

@dataclass(frozen=True)
class Give:
    """Gives the caller a row, and goes on when the caller asks for the next one."""
    row: Any

Step = Union[Connect, Receive, Rest]
Steps = Generator[Step, bytes, _T]
Rows = Generator[Union[Step, Give], bytes, None]

def forward(steps: Generator[_Next, bytes, Any], reply: bytes | Exception) -> _Next:
    """The step after a reply, or after a connection that was lost."""
    return steps.throw(reply) if isinstance(reply, Exception) else steps.send(reply)

# --- Names and paths.
def name_of(kind: str, name: str) -> str:
    """The name, unless an address cannot have it as a part."""
    if not isinstance(name, str) or name in ("", ".", ".."):
        raise ValueError(f"{name!r} is no name of a {kind}: it is neither empty nor '.' nor '..'")
    return name

def names_of(kind: str, names: Iterable[str]) -> list[str]:
    return [name_of(kind, name) for name in names]

def path_of(path: str) -> str:
    """The path and query as a target has them, when each part of the path stays what it is."""
    parts, _, _ = path.partition("?")
    if parts and (parts[0] != "/" or re.search(r"/(?:\.|%2e){0,2}(?:/|$)", parts, re.I)) or re.search(r"[#\\\0-\x1f]", path):
        raise ValueError(f"{path!r} is no path: it begins with / and has no part that is empty, '.' or '..'")
    return quote(path, safe=_SAFE)

def parse(data: bytes | bytearray) -> Any:
    """Strict JSON; ValueError otherwise, also for NaN."""
    try:
        return json.loads(data.decode("utf-8"), parse_constant=int)
    except RecursionError:
        raise ValueError("nested too deep") from None

def present(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}

class Settings:
    """What all requests of a client share."""
    def __init__(self, url: str, token: str | None, timeout: float, retries: int, backoff: tuple[float, float],
                 state_bytes_max: int) -> None:
        parts = urlsplit(url)
        if (parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or parts.query
                or parts.fragment):
            raise ValueError("the url has to be http://host:port or https://host:port, and maybe a path")
        if token is not None and not TOKEN.fullmatch(token):
            raise ValueError("the token has characters that a field of HTTP cannot have")
        self.context = ssl.create_default_context() if parts.scheme == "https" else None
        self.host = parts.hostname if parts.hostname.isascii() else parts.hostname.encode("idna").decode()
        port = parts.port
        self.port = port if port is not None else 443 if self.context else 80
        shown = f"[{self.host}]" if ":" in self.host else self.host
        self.prefix = path_of(parts.path.rstrip("/"))
        self._fields = {"Host": shown if port is None else f"{shown}:{port}", "Connection": "close",
                        **({} if token is None else {"Authorization": f"Bearer {token}"})}
        if not TOKEN.fullmatch(self._fields["Host"]):
            raise ValueError("the host has characters that a name of a host cannot have")
        self.timeout, self.retries, self.backoff, self.state_bytes_max = timeout, retries, backoff, state_bytes_max

    def wait(self, attempt: int, named: float | None) -> float:
        """How long to wait before an attempt (from 0), or after a time that the server named."""
        if named is not None:
            return named + min(named * 0.1, 1.0) * random.random()
        return min(self.backoff[0] * 2.0 ** min(attempt, 60), self.backoff[1]) * random.uniform(0.5, 1.0)

    def data(self, method: str, target: str, fields: Mapping[str, Any], body: bytes | None) -> bytes:
        """The bytes of a request."""
        if not re.fullmatch("[A-Za-z]+", method):
            raise ValueError(f"{method!r} is no method")
        if body is not None:
            fields = {**fields, "Content-Type": JSON, "Content-Length": len(body)}
        elif method.upper() not in ("GET", "HEAD", "OPTIONS", "DELETE"):
            fields = {**fields, "Content-Length": 0}
        return head(method, target, {**self._fields, **present(fields)}) + (body or b"")

# --- One request and its answer.
def exchange(settings: Settings, method: str, data: bytes, seconds: float) -> Steps[Answer]:
    """Sends a request and reads the head of its answer, which may come byte by byte."""
    answer, until = Answer(method), time.monotonic() + seconds
    yield Connect(data, until)
    while not answer.status:
        answer.feed((yield Receive(until)))
    return answer

def next_part(answer: Answer, until: float) -> Steps[bytes]:
    """The next part of the body; nothing at its end."""
    part = answer.take()
    while not part and not answer.is_over:
        answer.feed((yield Receive(until)))
        part = answer.take()
    return part

def timely_part(answer: Answer, timeout: float, began: float, size: int) -> Steps[bytes]:
    """The next part of what has had so many bytes since it began. One that trickles would hold the call for years."""
    return next_part(answer, min(time.monotonic() + timeout, began + timeout + size / BYTES_PER_SECOND_MIN))

def result(answer: Answer, timeout: float) -> Steps[Any]:
    """The JSON of an answer of success. Raises TraitdError for any other answer."""
    is_good = 200 <= answer.status < 300
    if 300 <= answer.status < 400:
        raise TraitdError("redirected", answer.status, None, "the server redirects, which is refused")
    data, value, began = bytearray(), None, time.monotonic()
    while part := (yield from timely_part(answer, timeout, began, len(data))):
        data += part
        if len(data) > ANSWER_BYTES_MAX:
            raise TraitdError("answer-too-large", answer.status, None, f"more than {ANSWER_BYTES_MAX} bytes")
    with contextlib.suppress(ValueError):
        value = parse(data)
        if is_good:
            return value
    if is_good and not data:
        return None
    problem = value if isinstance(value, dict) else {}
    code = problem.get("code")
    raise TraitdError(code if isinstance(code, str) else f"http-{answer.status}", answer.status, problem or None,
                      None if problem else f"an answer with status {answer.status} that is not traitd's")

def retry_after(answer: Answer) -> float | None:
    """The seconds that `Retry-After` names."""
    text = answer.field("retry-after") or ""
    if re.fullmatch(r"[0-9]+", text):
        return float(text[:12])
    with contextlib.suppress(ValueError, TypeError, IndexError, OverflowError, OSError):
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    return None

class ClientBase:
    """A server. `backoff` is the first and the longest wait between attempts; `retries` is for requests. The
    values of a watch have at most `state_bytes_max` bytes."""
    def __init__(self, url: str, token: str | None = None, *, timeout: float = 10.0, retries: int = 4,
                 backoff: tuple[float, float] = (0.5, 30.0), state_bytes_max: int = STATE_BYTES_MAX) -> None:
        self._settings = Settings(url, token, timeout, retries, backoff, state_bytes_max)

class Calls:
    """The requests of a client, and of a session when it has a name, as steps. Arguments are checked at once, before
    anything is sent."""
    def __init__(self, settings: Settings, session: str | None = None) -> None:
        self.settings, self.path = settings, settings.prefix
        if session is not None:
            self.path += f"/v1/sessions/{quote(name_of('session', session), safe='')}"

    def request(self, method: str, path: str, body: Any, reason: str | None) -> Steps[Any]:
        """Only methods that read are repeated."""
        is_root = path == "/" and self.path == self.settings.prefix
        target = self.path + ("/" if is_root else path_of(path))
        return self._send(method, target if target.startswith("/") else f"/{target}", body, reason=reason,
                          repeats=method.upper() in ("GET", "HEAD", "OPTIONS"))

    def resolve(self, nodes: Sequence[str] | None, under: str | None, traits: Sequence[str] | None,
                assume: Sequence[Mapping[str, Any]] | None, changed: bool) -> Steps[Any]:
        body = present({"nodes": None if nodes is None else names_of("node", nodes),
                        "under": None if under is None else name_of("node", under),
                        "traits": None if traits is None else names_of("trait", traits),
                        "assume": None if assume is None else list(assume), "changed": changed or None})
        return self._send("POST", f"{self.path}/resolve", body, repeats=True)

    def variants(self, query: VariantsRequest, read: Callable[[Answer, float], Steps[_T]]) -> Steps[_T]:
        names_of("node", query["nodes"])
        return self._send("POST", f"{self.path}/variants", query, repeats=True, accept=NDJSON, read=read)

    def transaction(self, operations: Sequence[Mapping[str, Any]], if_revision: int | None, dry_run: bool,
                    key: str | None, reason: str | None) -> Steps[Any]:
        body = present({"operations": list(operations), "ifRevision": if_revision, "reason": reason})
        return self._write("POST", "/transactions", {"dryRun": dry_run}, body, key, None)

    def override(self, operation: str, node: str, trait: str, members: Mapping[str, Any], if_revision: int | None,
                 dry_run: bool, key: str | None, reason: str | None) -> Steps[Any]:
        """One operation as a transaction."""
        return self.transaction([{"op": operation, "node": name_of("node", node), "trait": name_of("trait", trait),
                                  **members}], if_revision, dry_run, key, reason)

    def apply(self, document: Mapping[str, Any], manager: str, prune: bool, force: bool, plan: str | None,
              dry_run: bool, key: str | None, reason: str | None) -> Steps[Any]:
        query = {"manager": manager, "prune": prune, "force": force, "plan": plan, "dryRun": dry_run}
        return self._write("PUT", "/apply", query, document, key, reason)

    def _write(self, method: str, path: str, query: Mapping[str, object], body: Mapping[str, Any], key: str | None,
               reason: str | None) -> Steps[Any]:
        given = {name: "true" if it is True else it for name, it in present(query).items() if it is not False}
        target = self.path + path + ("?" + urlencode(given) if given else "")
        key = str(uuid.uuid4()) if key is None else key
        if not (key and key.isascii() and key.isprintable()):
            raise ValueError("an idempotency key has printable characters of ASCII only")
        return self._send(method, target, dict(body), repeats=True, key=key, reason=reason)

    def _send(self, method: str, target: str, body: Any, *, repeats: bool, key: str | None = None, reason: str | None = None,
              accept: str = JSON, read: Callable[[Answer, float], Steps[Any]] = result) -> Steps[Any]:
        data = None if body is None else json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
        fields = {"Accept": accept, "Idempotency-Key": key, "Traitd-Reason": reason}
        return self._attempts(method, self.settings.data(method, target, fields, data), repeats, read)

    def _attempts(self, method: str, data: bytes, repeats: bool,
                  read: Callable[[Answer, float], Steps[Any]]) -> Steps[Any]:
        settings = self.settings
        for attempt in itertools.count():
            named = None
            try:
                answer = yield from exchange(settings, method, data, settings.timeout)
                named = retry_after(answer)
                return (yield from read(answer, settings.timeout))
            except TraitdError as refusal:
                error = refusal
            except LOST as lost:
                error = TraitdError("unreachable", None, None, f"no answer: {lost}")
            again = error.status in (None, 429, 502, 503, 504) or error.code == "idempotency-in-flight"
            if not (again and repeats and attempt < settings.retries) or (named or 0) > CALL_WAIT_SECONDS_MAX:
                raise error
            yield Rest(settings.wait(attempt, named))

# --- Answers of many lines.
class _Objects:
    """The lines of an answer as objects; what is no object is an empty one."""
    def __init__(self, answer: Answer, timeout: float) -> None:
        self.answer, self._timeout, self._lines, self._waiting = answer, timeout, Lines(), collections.deque[bytearray]()

    def next(self) -> Steps[Any]:
        began, size = time.monotonic(), 0  # What the caller does between two lines does not count.
        while not self._waiting:
            part = yield from timely_part(self.answer, self._timeout, began, size)
            if not part:
                raise ConnectionError("without its end")
            size += len(part)
            self._waiting.extend(self._lines.feed(part))
        with contextlib.suppress(ValueError):
            found = parse(self._waiting.popleft())
            return found if isinstance(found, dict) else {}
        return {}

class VariantsBase:
    """Rows that are read as they are asked for; each iteration is a request. `head` is there with the first row, and
    `end` after the last one."""
    head: VariantsHead | None = None
    end: VariantsEnd | None = None

    def __init__(self, calls: Calls, query: VariantsRequest) -> None:
        self._calls, self._query = calls, query
        calls.variants(query, result)  # Raises for what cannot be sent.

    def _open(self, answer: Answer, timeout: float) -> Steps[_Objects]:
        if answer.status == 200 and answer.media == NDJSON:
            objects = _Objects(answer, timeout)
            self.head = (yield from objects.next()) or None
            if self.head:
                return objects
        else:
            yield from result(answer, timeout)
        raise TraitdError("malformed-answer", answer.status, None, "the answer has no rows")

    def _rows(self) -> Rows:
        self.head, self.end, rows, combinations = None, None, 0, 0
        objects = yield from self._calls.variants(self._query, self._open)  # Repeated until the head has come.
        status = objects.answer.status
        try:
            while True:
                row = yield from objects.next()
                if row.get("end") and (row.get("rows"), row.get("combinations")) == (rows, combinations):
                    self.end = row
                    return
                count = row.get("combinations", 1)
                if row.get("row") != rows or not isinstance(count, int):
                    raise TraitdError("malformed-answer", status, None, f"row {rows} is not what it should be")
                rows, combinations = rows + 1, combinations + count
                yield Give(row)
        except LOST as lost:
            raise TraitdError("incomplete-answer", status, None, f"the answer ended after {rows} rows: {lost}") from None
