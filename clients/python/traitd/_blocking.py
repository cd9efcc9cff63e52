"""The client that blocks: a socket for each exchange, and a thread for each stream."""
from __future__ import annotations

import contextlib, logging, socket, threading, time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar, cast, overload

from ._cache import Change
from ._call import (LOST, Calls, ClientBase, Connect, Give, Receive, Resolution, Rows, Settings, Step, Steps, TraitdError, VariantsBase,
                    forward, resolution)
from ._stream import OnChange, OnRecord, OnState, RecordsBase, StreamBase, WatchBase, Watches
from .types import Commit, Operation, Plan, VariantRow, VariantsRequest

_CLOSE_SECONDS_MAX, _WRITE_BYTES = 2.0, 256 << 10
_log = logging.getLogger("traitd")
_T = TypeVar("_T")
_Self = TypeVar("_Self", bound="_Threaded")

def _shut(inner: socket.socket | None) -> None:
    """Makes reads of the socket end, also those of another thread."""
    with contextlib.suppress(OSError):
        if inner is not None:
            inner.shutdown(socket.SHUT_RDWR)

class _Connection:
    """Carries out steps on sockets, one after the other. `opened` gets each socket as soon as there is one."""
    def __init__(self, settings: Settings, opened: Callable[[socket.socket], None] = lambda _: None,
                 rest: Callable[[float], object] = time.sleep) -> None:
        self.settings, self.opened, self.rest = settings, opened, rest
        self.inner: socket.socket | None = None

    def run(self, steps: Steps[_T], is_over: Callable[[], bool] = lambda: False) -> _T | None:
        """The result of the steps; None when they are over before."""
        with contextlib.closing(self), contextlib.closing(steps):
            try:
                step = next(steps)
                while not is_over():
                    step = forward(steps, self.carry_out(step))
                return None
            except StopIteration as end:
                return cast(_T, end.value)

    def rows(self, steps: Rows) -> Iterator[Any]:
        """What the steps give. The connection ends with the iteration."""
        with contextlib.suppress(StopIteration), contextlib.closing(self), contextlib.closing(steps):
            step = next(steps)
            while True:
                while isinstance(step, Give):
                    yield step.row
                    step = next(steps)
                step = forward(steps, self.carry_out(step))

    def carry_out(self, step: Step) -> bytes | Exception:
        try:
            if isinstance(step, Connect):
                self.connect(step)
            elif isinstance(step, Receive):
                assert self.inner
                self.inner.settimeout(max(step.until - time.monotonic(), 0.001))
                return self.inner.recv(65536)
            else:
                self.close()
                self.rest(step.seconds)
        except LOST as lost:
            return lost
        return b""

    def connect(self, step: Connect) -> None:
        self.close()
        settings = self.settings
        # The timeout of a socket is that of each call.
        def left() -> float:
            return max(step.until - time.monotonic(), 0.001)
        self.inner = socket.create_connection((settings.host, settings.port), left())
        self.opened(self.inner)
        if settings.context:
            self.inner.settimeout(left())
            self.inner = settings.context.wrap_socket(self.inner, server_hostname=settings.host)
            self.opened(self.inner)
        self.inner.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # A server may refuse a body before it has all of it, and close: the answer counts.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            for start in range(0, len(step.data), _WRITE_BYTES):
                self.inner.settimeout(left())
                self.inner.sendall(step.data[start:start + _WRITE_BYTES])

    def close(self) -> None:
        if self.inner:
            self.inner.close()
            self.inner = None

class Client(ClientBase):
    __doc__ = ClientBase.__doc__

    def session(self, name: str) -> Session:
        return Session(self._settings, name)

    def request(self, method: str, path: str, body: Any = None, *, reason: str | None = None) -> Any:
        """Any route of the server, as `/v1/sessions`. Only methods that read are repeated."""
        return _Connection(self._settings).run(Calls(self._settings).request(method, path, body, reason))

class Session:
    """A session of a server, by its name. Creating the object makes no request."""
    def __init__(self, settings: Settings, name: str) -> None:
        self._calls, self.name = Calls(settings, name), name

    def _run(self, steps: Steps[Any]) -> Any:
        return _Connection(self._calls.settings).run(steps)

    def resolve(self, *, nodes: Sequence[str] | None = None, under: str | None = None,
                traits: Sequence[str] | None = None, assume: Sequence[Operation] | None = None,
                changed: bool = False) -> Resolution:
        """What traits of nodes, or of a node and all below it, resolve to, at one revision; with `assume` what they would
        after these operations, with `changed` only where that differs."""
        return resolution(self._run(self._calls.resolve(nodes, under, traits, assume, changed)))

    def variants(self, query: VariantsRequest) -> Variants:
        """What nodes would show under combinations of assumptions, as rows. docs/whatif.md has the query."""
        return Variants(self._calls, query)

    def transaction(self, operations: Sequence[Operation], *, if_revision: int | None = None, dry_run: bool = False,
                    idempotency_key: str | None = None, reason: str | None = None) -> Commit:
        """Operations as one commit, which is the answer. The history shows the `reason`."""
        return cast(Commit, self._run(self._calls.transaction(operations, if_revision, dry_run, idempotency_key, reason)))

    def set_override(self, node: str, trait: str, value: Any, *, if_revision: int | None = None, dry_run: bool = False,
                     idempotency_key: str | None = None, reason: str | None = None) -> Commit:
        """One value as one commit."""
        return cast(Commit, self._run(self._calls.override(
            "setOverride", node, trait, {"value": value}, if_revision, dry_run, idempotency_key, reason)))

    def remove_override(self, node: str, trait: str, *, if_revision: int | None = None, dry_run: bool = False,
                        idempotency_key: str | None = None, reason: str | None = None) -> Commit:
        return cast(Commit, self._run(self._calls.override(
            "removeOverride", node, trait, {}, if_revision, dry_run, idempotency_key, reason)))

    @overload
    def apply(self, document: Mapping[str, Any], *, manager: str, dry_run: Literal[True], prune: bool = False,
              force: bool = False, plan: str | None = None, idempotency_key: str | None = None,
              reason: str | None = None) -> Plan: ...
    @overload
    def apply(self, document: Mapping[str, Any], *, manager: str, dry_run: Literal[False] = False, prune: bool = False,
              force: bool = False, plan: str | None = None, idempotency_key: str | None = None,
              reason: str | None = None) -> Commit: ...
    def apply(self, document: Mapping[str, Any], *, manager: str, dry_run: bool = False, prune: bool = False,
              force: bool = False, plan: str | None = None, idempotency_key: str | None = None,
              reason: str | None = None) -> Commit | Plan:
        """Makes the session match a document: the commit, or with `dry_run` the plan."""
        return cast("Commit | Plan", self._run(self._calls.apply(
            document, manager, prune, force, plan, dry_run, idempotency_key, reason)))

    def request(self, method: str, path: str, body: Any = None, *, reason: str | None = None) -> Any:
        """Any other route below the session. Only methods that read are repeated."""
        return self._run(self._calls.request(method, path, body, reason))

    def watch(self, watches: Watches, *, registrations: Iterable[str] = (), on_change: OnChange | None = None,
              on_state: OnState | None = None) -> Watch:
        """A live cache of traits of nodes, and of registrations. Callbacks run on the watch's own thread."""
        watch = Watch(self._calls, threading.Condition(), watches, registrations, on_change, on_state)
        watch._start(self.name)
        return watch

    def records(self, *, operations: bool = False, on_record: OnRecord, on_state: OnState | None = None) -> Records:
        """The session's stream as it is, without a cache. After a lost connection it goes on where it was."""
        records = Records(self._calls, threading.Condition(), operations, on_record, on_state)
        records._start(self.name)
        return records

class Variants(VariantsBase):
    __doc__ = VariantsBase.__doc__

    def __iter__(self) -> Iterator[VariantRow]:
        return _Connection(self._calls.settings).rows(self._rows())

class _Threaded(StreamBase):
    """A stream on a thread of its own."""
    _changed: threading.Condition
    _socket: socket.socket | None = None

    def _start(self, name: str) -> None:
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._main, name=f"traitd {name}", daemon=True)
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
        self._end(reason)
        with self._changed:
            self._over.set()
            _shut(self._socket)

    def _opened(self, inner: socket.socket) -> None:
        with self._changed:
            self._socket = inner
            if self._over.is_set():
                _shut(inner)

    def _main(self) -> None:
        try:
            _Connection(self._settings, self._opened, self._over.wait).run(self._follow(), self._over.is_set)
        except TraitdError as error:
            self._finish(error.code)
        except Exception:
            _log.exception("a stream ended by an error of the client")
            self._finish("client-error")
        self._call(self._on_state, "closed")

class Records(_Threaded, RecordsBase):
    __doc__ = RecordsBase.__doc__

class Watch(_Threaded, WatchBase):
    __doc__ = WatchBase.__doc__

    def synced(self, timeout: float | None = None) -> bool:
        """Waits until the watch is `ready`. False when it is closed, or not ready in time: `reason` says why."""
        with self._changed:
            self._changed.wait_for(self._is_settled, timeout)
        return self.state == "ready"

    def __iter__(self) -> Iterator[Change]:
        """Changes since the watch was made, each to one iterator; ends when the watch is closed."""
        while True:
            with self._changed:
                self._changed.wait_for(self._has_next)
                if not self._queue:
                    return
                change = self._queue.popleft()
            yield change
