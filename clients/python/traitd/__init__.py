"""A client of traitd: reads, writes, and a live cache of traits that the server's digests prove.

    from traitd import Client
    mail = Client("http://127.0.0.1:8080").session("mail")
    with mail.watch({"inbox": ["theme"]}, on_change=print) as watch:
        watch.synced(10)
        mail.transaction([{"op": "setOverride", "node": "inbox", "trait": "theme", "value": "bold"}])

docs/clients.md has the states, what is retried, and what a watch promises. Times are in seconds.
"""
from __future__ import annotations

import collections, contextlib, copy, email.utils, http.client, itertools, json, logging, random, re
import socket, ssl, struct, threading, time, uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from urllib.parse import quote, urlencode, urlsplit

__all__ = ["Change", "Client", "Records", "Resolution", "Session", "TraitdError", "Watch", "canonical", "pair_hash"]

ANSWER_BYTES_MAX, LINE_BYTES_MAX, TARGET_BYTES_MAX, QUEUE_MAX = 64 << 20, 16 << 20, 4_000, 10_000
_JSON, _NDJSON, _HEARTBEAT_SECONDS, _CLOSE_SECONDS_MAX = "application/json", "application/x-ndjson", 15.0, 2.0
_MASK, _TOKEN = (1 << 64) - 1, re.compile(r"[\x21-\x7e]+")
_LOST = (OSError, http.client.HTTPException, ValueError)
_log = logging.getLogger("traitd")
_Self = TypeVar("_Self", bound="_Stream")
Pair = tuple[str, str]
OnState = Callable[[str], object]
OnRecord = Callable[[dict[str, Any]], object]

class TraitdError(Exception):
    """A refusal: `code` is the problem's; `unreachable` without an answer; `redirected`, `answer-too-large`, or
    `http-STATUS` for an answer that is not traitd's. `status` and `problem` (the body) may be None."""
    def __init__(self, code: str, status: int | None = None, problem: dict[str, Any] | None = None,
                 message: str | None = None) -> None:
        detail = (problem or {}).get("detail")
        self.code, self.status, self.problem = code, status, problem
        self.message = message or (detail if isinstance(detail, str) else code)
        super().__init__(self.message)

@dataclass(frozen=True)
class Change:
    """A pair whose value differs. `previous` is None too when the pair is `added`, `current` when it is `removed`."""
    node: str
    trait: str
    previous: Any
    current: Any
    revision: int
    added: bool = False
    removed: bool = False

@dataclass(frozen=True)
class Resolution:
    """What nodes resolve to at a revision: `values[node][trait]`."""
    revision: int
    values: dict[str, dict[str, Any]]

# --- The cache: values, their digest, and what records do to them. No I/O.
def canonical(value: Any) -> str:
    """JSON without white space, members sorted by their bytes, numbers as the 16 digits of their double."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        number = float(value) if -1e308 < value < 1e308 else float(str(value))  # str: an int may be beyond floats
        return struct.pack(">d", number + 0.0).hex()
    return json.dumps(value, ensure_ascii=False)

def pair_hash(node: str, trait: str, value: Any) -> int:
    """FNV-1a of 64 bits over node, trait and the canonical value, with MurmurHash3's finalizer. O(bytes)."""
    h = 0xCBF29CE484222325
    for byte in f"{node}\n{trait}\n{canonical(value)}".encode("utf-8", "replace"):
        h = (h ^ byte) * 0x100000001B3 & _MASK
    h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD & _MASK
    h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53 & _MASK
    return h ^ h >> 33

def _own(value: Any) -> Any:
    """The value for another owner: objects are copied, so that the cache stays what the server sent."""
    return copy.deepcopy(value) if isinstance(value, (dict, list)) else value

class _Values:
    """Values by pair, with the running sum of their hashes."""
    def __init__(self) -> None:
        self.pairs: dict[Pair, Any] = {}
        self.sum = 0

    def put(self, node: str, trait: str, value: Any, revision: int) -> Change | None:
        """Stores a value; the change, or None when the pair has this value already. Two hashes."""
        previous, added = self.pairs.get((node, trait)), (node, trait) not in self.pairs
        if not added:
            if canonical(previous) == canonical(value):
                return None
            self.sum -= pair_hash(node, trait, previous)
        self.pairs[node, trait] = value
        self.sum = self.sum + pair_hash(node, trait, value) & _MASK
        return Change(node, trait, _own(previous), _own(value), revision, added)

    def changes_to(self, other: _Values, revision: int) -> Iterator[Change]:
        """What turns these values into the others. Values that are equal stay the objects that they are here."""
        for pair, value in other.pairs.items():
            if pair in self.pairs and canonical(self.pairs[pair]) == canonical(value):
                other.pairs[pair] = self.pairs[pair]
            else:
                yield Change(*pair, _own(self.pairs.get(pair)), _own(value), revision, pair not in self.pairs)
        for pair in [pair for pair in self.pairs if pair not in other.pairs]:
            yield Change(*pair, _own(self.pairs[pair]), None, revision, False, True)

def _merged(changes: collections.deque[Change], most: int) -> Iterator[Change]:
    """The changes without the oldest of pairs that have later ones: at most `most` become a part of the next."""
    later = collections.Counter((change.node, change.trait) for change in changes)
    held: dict[Pair, Change] = {}
    for change in changes:
        pair = (change.node, change.trait)
        later[pair] -= 1
        if pair in held:
            earlier = held.pop(pair)
            change = replace(change, previous=earlier.previous, added=earlier.added)
        if later[pair] and most > 0:
            held[pair], most = change, most - 1
        elif change.added != change.removed or canonical(change.previous) != canonical(change.current):
            yield change

# --- One request and its answer, on a connection of its own.
def _shut(inner: socket.socket | None) -> None:
    """Makes reads of the socket end, also those of another thread."""
    with contextlib.suppress(OSError):
        if inner is not None:
            inner.shutdown(socket.SHUT_RDWR)

class _Exchange:
    def __init__(self, client: Client, method: str, target: str, headers: Mapping[str, str], body: bytes | None,
                 opened: Callable[[socket.socket], None] = lambda _: None) -> None:
        """Sends the request and reads the head. `opened` gets the socket as soon as there is one."""
        self.timeout = client._timeout
        self.inner = socket.create_connection((client._host, client._port), self.timeout)
        # The timeout of a socket is that of each read, and a head may come byte by byte.
        watchdog = threading.Timer(self.timeout, lambda: _shut(self.inner))
        watchdog.daemon = True  # The program may end meanwhile.
        try:
            opened(self.inner)
            watchdog.start()
            if client._context:
                self.inner = client._context.wrap_socket(self.inner, server_hostname=client._host)
                opened(self.inner)
            self.inner.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection = http.client.HTTPConnection(client._authority)
            connection.sock = self.inner
            # A server may refuse a body before it has all of it, and close: the answer counts.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.request(method, target, body, {**headers, **client._fields})
            self.answer = connection.getresponse()
        except BaseException:
            self.inner.close()
            raise
        finally:
            watchdog.cancel()
        self.status = self.answer.status
        self.media = self.answer.headers.get_content_type() if self.answer.headers["Content-Type"] else ""

    def parts(self, idle: Callable[[], float]) -> Iterator[bytes]:
        """The body as it comes; TimeoutError when for `idle` seconds nothing does."""
        self.inner.settimeout(idle())
        while part := self.answer.read1(65536):
            yield part
            self.inner.settimeout(idle())

    def lines(self, idle: Callable[[], float]) -> Iterator[bytearray]:
        """Complete lines. What comes after the last line feed is no line."""
        rest = bytearray()
        for part in self.parts(idle):
            rest += part
            *lines, rest = rest.split(b"\n") if b"\n" in part else [rest]
            if max(map(len, (rest, *lines))) > LINE_BYTES_MAX:
                raise ValueError(f"a line of more than {LINE_BYTES_MAX} bytes")
            yield from lines

    def result(self) -> Any:
        """The JSON of an answer of success. Raises TraitdError for any other answer."""
        if 300 <= self.status < 400:
            raise TraitdError("redirected", self.status, None, "the server redirects, which is refused")
        data, value = bytearray(), None
        for part in self.parts(lambda: self.timeout):
            data += part
            if len(data) > ANSWER_BYTES_MAX:
                raise TraitdError("answer-too-large", self.status, None, f"more than {ANSWER_BYTES_MAX} bytes")
        if self.answer.length:
            raise http.client.IncompleteRead(bytes(data), self.answer.length)
        with contextlib.suppress(ValueError):
            value = _parse(data)
            if 200 <= self.status < 300:
                return value
        if 200 <= self.status < 300 and not data:
            return None
        problem = value if isinstance(value, dict) else {}
        code = problem.get("code")
        raise TraitdError(code if isinstance(code, str) else f"http-{self.status}", self.status, problem or None,
                          None if problem else f"an answer with status {self.status} that is not traitd's")

    def retry_after(self) -> float | None:
        """The seconds that `Retry-After` names."""
        text = (self.answer.headers["Retry-After"] or "").strip()
        if re.fullmatch(r"[0-9]{1,9}", text):
            return float(text)
        with contextlib.suppress(ValueError, TypeError, IndexError, OverflowError):
            return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
        return None

def _parse(data: bytes | bytearray) -> Any:
    """Strict JSON; ValueError otherwise, also for NaN."""
    try:
        return json.loads(data.decode("utf-8"), parse_constant=int)
    except RecursionError:
        raise ValueError("nested too deep") from None

def _present(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}

class Client:
    """A server. `backoff` is the first and the longest wait between attempts; `retries` is for requests."""
    def __init__(self, url: str, token: str | None = None, *, timeout: float = 10.0, retries: int = 4,
                 backoff: tuple[float, float] = (0.5, 30.0)) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise ValueError("the url has to be http://host:port or https://host:port, and maybe a path")
        if token is not None and not _TOKEN.fullmatch(token):
            raise ValueError("the token has characters that a field of HTTP cannot have")
        self._context = ssl.create_default_context() if parts.scheme == "https" else None
        self._host, self._port = parts.hostname, parts.port or (443 if self._context else 80)
        self._authority = parts.netloc.rpartition("@")[2]
        self._prefix = quote(parts.path.rstrip("/"), safe="/%:,;@!$&'()*+=~")
        self._fields = {"Connection": "close"} | ({} if token is None else {"Authorization": f"Bearer {token}"})
        self._timeout, self._retries, self._backoff = timeout, retries, backoff

    def session(self, name: str) -> Session:
        return Session(self, name)

    def request(self, method: str, path: str, body: Any = None) -> Any:
        """Any route of the server, as `/v1/sessions`. Only methods that read are repeated."""
        target = self._prefix + quote(path, safe="/?%:,;@!$&'()*+=~")
        return self._request(method, target, body, repeats=method.upper() in ("GET", "HEAD", "OPTIONS"))

    def _wait(self, attempt: int, named: float | None) -> float:
        """How long to wait before an attempt (from 0), or after a time that the server named."""
        if named is not None:
            return min(named + min(named * 0.1, 1.0) * random.random(), threading.TIMEOUT_MAX)
        return min(self._backoff[0] * 2.0 ** min(attempt, 60), self._backoff[1]) * random.uniform(0.5, 1.0)

    def _request(self, method: str, target: str, body: Any = None, *, repeats: bool, key: str | None = None) -> Any:
        data = None if body is None else json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
        headers = _present({"Accept": _JSON, "Content-Type": data and _JSON, "Idempotency-Key": key})
        for attempt in itertools.count():
            named = None
            try:
                exchange = _Exchange(self, method, target, headers, data)
                with exchange.inner, exchange.answer:
                    named = exchange.retry_after()
                    return exchange.result()
            except TraitdError as refusal:
                error = refusal
            except _LOST as lost:
                error = TraitdError("unreachable", None, None, f"no answer: {lost}")
            again = error.status in (None, 429, 502, 503, 504) or error.code == "idempotency-in-flight"
            if not (again and repeats and attempt < self._retries):
                raise error
            time.sleep(self._wait(attempt, named))

class Session:
    """A session of a server, by its name. Creating the object makes no request."""
    def __init__(self, client: Client, name: str) -> None:
        self._client, self.name = client, name
        self._path = f"{client._prefix}/v1/sessions/{quote(name, safe='')}"

    def resolve(self, *, nodes: Sequence[str] | None = None, under: str | None = None,
                traits: Sequence[str] | None = None) -> Resolution:
        """What traits of nodes, or of a node and all below it, resolve to, at one revision."""
        body = _present({"nodes": nodes and list(nodes), "under": under, "traits": traits and list(traits)})
        answer = self._client._request("POST", f"{self._path}/resolve", body, repeats=True)
        return Resolution(answer["revision"], {node["node"]: node["traits"] for node in answer["nodes"]})

    def transaction(self, operations: Sequence[Mapping[str, Any]], *, if_revision: int | None = None,
                    dry_run: bool = False, idempotency_key: str | None = None) -> dict[str, Any]:
        """Operations as one commit, which is the answer."""
        body = _present({"operations": list(operations), "ifRevision": if_revision})
        return self._write("POST", "/transactions", {"dryRun": dry_run}, body, idempotency_key)

    def apply(self, document: Mapping[str, Any], *, manager: str, prune: bool = False, force: bool = False,
              plan: str | None = None, dry_run: bool = False, idempotency_key: str | None = None) -> dict[str, Any]:
        """Makes the session match a document: the commit, or with `dry_run` the plan."""
        query = {"manager": manager, "prune": prune, "force": force, "plan": plan, "dryRun": dry_run}
        return self._write("PUT", "/apply", query, document, idempotency_key)

    def request(self, method: str, path: str, body: Any = None) -> Any:
        """Any other route below the session. Only methods that read are repeated."""
        return self._client.request(method, f"/v1/sessions/{quote(self.name, safe='')}{path}", body)

    def watch(self, watches: Mapping[str, Iterable[str] | str], *, registrations: Iterable[str] = (),
              on_change: Callable[[Change], object] | None = None, on_state: OnState | None = None) -> Watch:
        """A live cache of traits of nodes, and of registrations. Callbacks run on the watch's own thread."""
        members = {node: [traits] if isinstance(traits, str) else list(traits) for node, traits in watches.items()}
        return Watch(self, members, list(registrations), on_change, on_state)

    def records(self, *, operations: bool = False, on_record: OnRecord, on_state: OnState | None = None) -> Records:
        """The session's stream as it is, without a cache. After a lost connection it goes on where it was."""
        return Records(self, operations, on_record, on_state)

    def _write(self, method: str, path: str, query: Mapping[str, object], body: Mapping[str, Any],
               key: str | None) -> dict[str, Any]:
        given = {name: "true" if it is True else it for name, it in _present(query).items() if it is not False}
        target = self._path + path + ("?" + urlencode(given) if given else "")
        key = str(uuid.uuid4()) if key is None else key
        if not (key.isascii() and key.isprintable()):
            raise ValueError("an idempotency key has printable characters of ASCII only")
        answer: dict[str, Any] = self._client._request(method, target, dict(body), repeats=True, key=key)
        return answer

# --- Streams.
class _Again(OSError):
    """The connection is over, and another one follows, after the time that the server `named`."""
    def __init__(self, why: str, named: float | None = None, *, forget: bool = False) -> None:
        super().__init__(why)
        self.named, self.forget = named, forget

class _Stream:
    """A thread that holds one stream, connects again, and calls back. `state` is `syncing`, `ready`, `stale` or
    `closed`, then with a `reason`; `revision` is that of the last record."""
    def __init__(self, session: Session, target: str, body: bytes | None, on_state: OnState | None) -> None:
        self.state, self.revision = "syncing", 0
        self.reason: str | None = None
        self._client, self._target, self._body = session._client, target, body
        self._on_state, self._changed, self._over = on_state, threading.Condition(), threading.Event()
        self._socket: socket.socket | None = None
        self._token: str | None = None
        self._sent: str | None = None  # the token of this connection
        self._last, self._began, self._heartbeat = 0, False, _HEARTBEAT_SECONDS
        self._before: Any = None  # type, revision and part of the record before
        self._thread = threading.Thread(target=self._main, name=f"traitd {session.name}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the connection at once. No callback begins after this, but the one for `closed`."""
        self._finish("closed")
        if threading.current_thread() is not self._thread:
            self._thread.join(_CLOSE_SECONDS_MAX)

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _finish(self, reason: str) -> None:
        with self._changed:
            if self.state != "closed":
                self.state, self.reason = "closed", reason
            self._over.set()
            self._changed.notify_all()
            _shut(self._socket)

    def _opened(self, inner: socket.socket) -> None:
        with self._changed:
            self._socket = inner
            if self._over.is_set():
                _shut(inner)

    def _main(self) -> None:
        attempt = -1
        try:
            while not self._over.is_set():
                started, named, self._began = time.monotonic(), None, False
                try:
                    self._follow()
                except _LOST as lost:
                    _log.debug("connecting again: %r", lost)
                    named = lost.named if isinstance(lost, _Again) else None
                    if isinstance(lost, _Again) and lost.forget:
                        self._token = None
                if self.state == "ready":
                    self._enter("stale")
                attempt = 0 if self._began else attempt + 1
                if named == 0 and time.monotonic() - started < self._client._backoff[0]:
                    named = None  # A server that ends each stream at once is not asked all the time.
                self._over.wait(self._client._wait(attempt, named))
        except TraitdError as error:
            self._finish(error.code)
        except Exception:
            _log.exception("a stream ended by an error of the client")
            self._finish("client-error")
        self._call(self._on_state, "closed")

    def _enter(self, state: str) -> None:
        with self._changed:
            if self.state in (state, "closed"):
                return
            self.state = state
            self._changed.notify_all()
        self._call(self._on_state, state)

    @staticmethod
    def _call(callback: Callable[[Any], object] | None, argument: Any) -> None:
        try:
            if callback:
                callback(argument)
        except BaseException:
            _log.exception("a callback failed")

    def _follow(self) -> None:
        """One connection, until it ends. Raises `_Again`, or TraitdError when no other may follow."""
        self._sent, self._before = self._token, None
        self._collect()
        headers = _present({"Accept": _NDJSON, "Last-Event-ID": self._sent, "Content-Type": self._body and _JSON})
        method = "POST" if self._body else "GET"
        exchange = _Exchange(self._client, method, self._target, headers, self._body, self._opened)
        with exchange.inner, exchange.answer:
            status, media = exchange.status, exchange.media
            if self._sent is not None and status in (400, 409, 410):
                raise _Again(f"the token is refused with status {status}", forget=True)
            if status in (400, 401, 403, 404, 421, 422) and media != "text/html":
                exchange.result()
            if status != 200 or media != _NDJSON:
                named = exchange.retry_after() if status in (429, 503) else None
                raise _Again(f"the answer has status {status} and media type {media!r}", named)
            for line in exchange.lines(lambda: 2.5 * self._heartbeat if self._began else self._client._timeout):
                if self._over.is_set():
                    return
                if line.strip():
                    self._record(_parse(line))

    def _record(self, record: Any) -> None:
        if not isinstance(record, dict) or not isinstance(record.get("type"), str):
            raise _Again("a line is no record")
        kind, revision, part = record["type"], record.get("revision"), record.get("part")
        if kind == "end":
            reason, self._began = record.get("reason"), True
            if reason in ("sessionDeleted", "nodeDeleted", "registrationRemoved", "revoked"):
                raise TraitdError(reason)
            raise _Again(f"the server ended the stream: {reason}", _seconds(record.get("retryAfterMs")),
                         forget=record.get("resume") is not True)
        if isinstance(revision, int):
            if kind not in ("begin", "reset"):
                if revision < self._last:
                    raise _Again("a revision is lower than the one before", forget=True)
                if part is not None and (kind, revision, part) == self._before:
                    return
            self._last, self._before = revision, (kind, revision, part)
        if kind == "begin":
            self._heartbeat = _seconds(record.get("heartbeatMs")) or _HEARTBEAT_SECONDS
        try:
            self._take(kind, record)
        except (KeyError, TypeError, AttributeError, RecursionError) as error:
            raise _Again(f"a record is malformed: {error!r}") from None
        self._began = True

    def _keep(self, record: dict[str, Any]) -> None:
        """Keeps token and revision of a record that a stream can resume from."""
        token = record.get("token")
        if isinstance(token, str) and _TOKEN.fullmatch(token):
            self._token = token
        self.revision = self._last

    def _collect(self) -> None: ...  # before a connection
    def _take(self, kind: str, record: dict[str, Any]) -> None: ...

def _seconds(milliseconds: Any) -> float | None:
    return milliseconds / 1000 if isinstance(milliseconds, (int, float)) and 0 <= milliseconds < 1e9 else None

class Records(_Stream):
    """The records of a session's stream, in order. Between two connections a record is missing only when `begin` has
    a higher revision than the record before: the server no longer had what was between."""
    def __init__(self, session: Session, operations: bool, on_record: OnRecord, on_state: OnState | None) -> None:
        self._on_record = on_record
        super().__init__(session, f"{session._path}/events" + "?operations=true" * operations, None, on_state)

    def _take(self, kind: str, record: dict[str, Any]) -> None:
        self._keep(record)
        if kind == "begin":
            self._enter("ready")
        if not self._over.is_set():
            self._call(self._on_record, record)

class Watch(_Stream):
    """A live cache. It shows a complete state or, before the first one, nothing. Iteration gives the changes."""
    def __init__(self, session: Session, members: dict[str, list[str]], registrations: list[str],
                 on_change: Callable[[Change], object] | None, on_state: OnState | None) -> None:
        self._on_change, self._shown, self._complete = on_change, _Values(), False
        self._collected: _Values | None = None  # a state that is being read
        self._uid: Any = None
        self._queue: collections.deque[Change] = collections.deque()
        self._queue_max = QUEUE_MAX
        self._members, self._registrations, self._events = members, registrations, f"{session._path}/events?"
        super().__init__(session, *self._request(), on_state)

    def _request(self) -> tuple[str, bytes | None]:
        """The target and the body, for a long target, of the request that opens the stream."""
        query = [("watch", f"{node}:{','.join(traits)}") for node, traits in self._members.items()]
        query += [("registrations", ",".join(self._registrations))] if self._registrations else []
        flags = [("initial", "true"), ("resync", "auto"), ("overflow", "coalesce")]
        target = self._events + urlencode(query + flags, safe=":,", quote_via=quote)
        if len(target) <= TARGET_BYTES_MAX:
            return target, None
        watches = [{"node": node, "traits": traits} for node, traits in self._members.items()]
        body = json.dumps(_present({"watches": watches, "registrations": self._registrations or None}))
        return self._events + urlencode(flags), body.encode()

    def _rename(self, record: dict[str, Any]) -> None:
        """The next connection asks for the names that the nodes and traits have then."""
        node, trait, to = record.get("node"), record.get("trait"), record["to"]
        if not isinstance(to, str):
            raise TypeError("a name is no string")
        self._members = {to if name == node else name: [to if each == trait else each for each in traits]
                         for name, traits in self._members.items()}
        self._target, self._body = self._request()

    def get(self, node: str, trait: str, default: Any = None) -> Any:
        """The value of a pair. O(1); an object is copied."""
        with self._changed:
            return _own(self._shown.pairs.get((node, trait), default))

    def snapshot(self) -> dict[str, dict[str, Any]]:
        """All values, by node and trait. O(values)."""
        values: dict[str, dict[str, Any]] = {}
        with self._changed:
            for (node, trait), value in self._shown.pairs.items():
                values.setdefault(node, {})[trait] = _own(value)
        return values

    def synced(self, timeout: float | None = None) -> bool:
        """Waits until the watch is `ready`; False when it is closed, or not ready in time."""
        with self._changed:
            self._changed.wait_for(lambda: self.state in ("ready", "closed"), timeout)
        return self.state == "ready"

    def __iter__(self) -> Iterator[Change]:
        """Changes since the watch was made, each to one iterator; ends when the watch is closed."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._queue or self.state == "closed")
                if not self._queue:
                    return
                change = self._queue.popleft()
            yield change

    def _collect(self) -> None:
        if self._sent is None:
            self._collected, self._token = _Values(), None
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
                self._enter("ready")
            if kind != "state":
                return
        values, changes = self._collected or self._shown, []
        if kind in ("state", "change"):
            node = record["node"]
            pairs = list(record["traits"].items()) if kind == "state" else [
                (change["trait"], change["current"]) for change in record["changes"]]
            if not all(isinstance(name, str) for name in [node, *(trait for trait, _ in pairs)]):
                raise TypeError("a name is no string")
            _own([value for _, value in pairs])  # Raises for what is nested too deep, before anything is applied.
            with self._changed:
                found = [values.put(node, trait, value, self._last) for trait, value in pairs]
            changes = [change for change in found if change and values is self._shown]
        elif kind == "sync" or kind == "bookmark" and (values is self._shown or "digest" in record):
            digest = f"{values.sum:016x}"
            if record.get("digest", digest) != digest:
                raise _Again(f"the digest differs at revision {self._last}", forget=True)
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
                self._enter("ready")

    def _report(self, changes: list[Change]) -> None:
        with self._changed:
            self._queue.extend(changes)
            if len(self._queue) > self._queue_max:
                over = len(self._queue) - QUEUE_MAX * 9 // 10
                self._queue = collections.deque(_merged(self._queue, over))
                self._queue_max = max(QUEUE_MAX, len(self._queue) * 11 // 10)
            self._changed.notify_all()
        for change in changes:
            if not self._over.is_set():
                self._call(self._on_change, change)
