"""The client of asyncio: a protocol for each connection, and a task for each stream. No thread."""
from __future__ import annotations

import asyncio, contextlib, logging, time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar, cast, overload

from ._cache import Change
from ._call import (LOST, Calls, ClientBase, Connect, Give, Receive, Resolution, Rows, Settings, Step, Steps, TraitdError, VariantsBase,
                    forward, resolution)
from ._stream import OnChange, OnRecord, OnState, RecordsBase, StreamBase, WatchBase, Watches
from .types import Commit, Operation, Plan, VariantRow, VariantsRequest

_HELD_BYTES_MAX, _WRITE_BYTES = 256 << 10, 64 << 10
_log = logging.getLogger("traitd")
_T = TypeVar("_T")
_Self = TypeVar("_Self", bound="_Tasked")

class _Signal:
    """Wakes the tasks that wait. All run on one thread, so there is nothing to guard."""
    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...

    def notify_all(self) -> None:
        for future in self._waiting:
            if not future.done():
                future.set_result(None)

    async def wait_for(self, is_so: Callable[[], bool], seconds: float | None = None) -> None:
        """Returns when it is so, or the time is up."""
        until = None if seconds is None else time.monotonic() + seconds
        loop = asyncio.get_running_loop()
        while not is_so() and (until is None or time.monotonic() < until):
            future = loop.create_future()
            timer = until and loop.call_later(until - time.monotonic(), self.notify_all)
            self._waiting.add(future)
            try:
                await future
            finally:
                self._waiting.discard(future)
                if timer:
                    timer.cancel()

class _Pipe(asyncio.Protocol):
    """What a connection brings, until it is received; reading pauses when that is much."""
    def __init__(self) -> None:
        self.changed, self.held, self.is_over, self.is_full = _Signal(), bytearray(), False, False
        self.error: Exception | None = None
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self.held += data
        if len(self.held) > _HELD_BYTES_MAX and self.transport:
            self.transport.pause_reading()
        self.changed.notify_all()

    def eof_received(self) -> bool:
        self.is_over = True
        self.changed.notify_all()
        return False

    def connection_lost(self, error: Exception | None) -> None:
        self.is_over, self.error = True, error
        self.changed.notify_all()

    def pause_writing(self) -> None:
        self.is_full = True

    def resume_writing(self) -> None:
        self.is_full = False
        self.changed.notify_all()

    async def send(self, data: bytes, until: float) -> None:
        """Sends the data, or what a server takes of it that answers before it has all."""
        for start in range(0, len(data), _WRITE_BYTES):
            if self.is_over or not self.transport:
                return
            self.transport.write(data[start:start + _WRITE_BYTES])
            await self.changed.wait_for(lambda: not self.is_full or self.is_over, until - time.monotonic())
            if self.is_full and not self.is_over:
                raise TimeoutError("the request was not taken in time")

    async def receive(self, until: float) -> bytes:
        await self.changed.wait_for(lambda: bool(self.held) or self.is_over, max(until - time.monotonic(), 0.001))
        if self.held:
            data, self.held = bytes(self.held), bytearray()
            if self.transport and not self.is_over:
                self.transport.resume_reading()
            return data
        if self.error:
            raise self.error
        if not self.is_over:
            raise TimeoutError("nothing came in time")
        return b""

class _Connection:
    """Carries out steps on connections, one after the other."""
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.pipe: _Pipe | None = None

    async def run(self, steps: Steps[_T], is_over: Callable[[], bool] = lambda: False) -> _T | None:
        """The result of the steps; None when they are over before."""
        with contextlib.closing(self), contextlib.closing(steps):
            try:
                step = next(steps)
                while not is_over():
                    step = forward(steps, await self.carry_out(step))
                return None
            except StopIteration as end:
                return cast(_T, end.value)

    async def rows(self, steps: Rows) -> AsyncIterator[Any]:
        """What the steps give. The connection ends with the iteration."""
        with contextlib.suppress(StopIteration), contextlib.closing(self), contextlib.closing(steps):
            step = next(steps)
            while True:
                while isinstance(step, Give):
                    yield step.row
                    step = next(steps)
                step = forward(steps, await self.carry_out(step))

    async def carry_out(self, step: Step) -> bytes | Exception:
        try:
            if isinstance(step, Connect):
                self.close()
                settings, loop = self.settings, asyncio.get_running_loop()
                opening = loop.create_connection(_Pipe, settings.host, settings.port, ssl=settings.context)
                try:
                    _, pipe = await asyncio.wait_for(opening, step.until - time.monotonic())
                except asyncio.TimeoutError:  # In Python 3.10 this is no TimeoutError.
                    raise TimeoutError("no connection in time") from None
                self.pipe = pipe
                await pipe.send(step.data, step.until)
            elif isinstance(step, Receive):
                assert self.pipe
                return await self.pipe.receive(step.until)
            else:
                self.close()
                await asyncio.sleep(step.seconds)
        except LOST as lost:
            return lost
        return b""

    def close(self) -> None:
        if self.pipe and self.pipe.transport:
            self.pipe.transport.abort()
        self.pipe = None

class AsyncClient(ClientBase):
    __doc__ = ClientBase.__doc__

    def session(self, name: str) -> AsyncSession:
        return AsyncSession(self._settings, name)

    async def request(self, method: str, path: str, body: Any = None, *, reason: str | None = None) -> Any:
        """Any route of the server, as `/v1/sessions`. Only methods that read are repeated."""
        return await _Connection(self._settings).run(Calls(self._settings).request(method, path, body, reason))

class AsyncSession:
    """A session of a server, by its name. Creating the object makes no request."""
    def __init__(self, settings: Settings, name: str) -> None:
        self._calls, self.name = Calls(settings, name), name

    async def _run(self, steps: Steps[Any]) -> Any:
        return await _Connection(self._calls.settings).run(steps)

    async def resolve(self, *, nodes: Sequence[str] | None = None, under: str | None = None,
                      traits: Sequence[str] | None = None, assume: Sequence[Operation] | None = None,
                      changed: bool = False) -> Resolution:
        """What traits of nodes, or of a node and all below it, resolve to, at one revision; with `assume` what they would
        after these operations, with `changed` only where that differs."""
        return resolution(await self._run(self._calls.resolve(nodes, under, traits, assume, changed)))

    def variants(self, query: VariantsRequest) -> AsyncVariants:
        """What nodes would show under combinations of assumptions, as rows. docs/whatif.md has the query."""
        return AsyncVariants(self._calls, query)

    async def transaction(self, operations: Sequence[Operation], *, if_revision: int | None = None,
                          dry_run: bool = False, idempotency_key: str | None = None,
                          reason: str | None = None) -> Commit:
        """Operations as one commit, which is the answer. The history shows the `reason`."""
        return cast(Commit, await self._run(self._calls.transaction(
            operations, if_revision, dry_run, idempotency_key, reason)))

    async def set_override(self, node: str, trait: str, value: Any, *, if_revision: int | None = None,
                           dry_run: bool = False, idempotency_key: str | None = None,
                           reason: str | None = None) -> Commit:
        """One value as one commit."""
        return cast(Commit, await self._run(self._calls.override(
            "setOverride", node, trait, {"value": value}, if_revision, dry_run, idempotency_key, reason)))

    async def remove_override(self, node: str, trait: str, *, if_revision: int | None = None, dry_run: bool = False,
                              idempotency_key: str | None = None, reason: str | None = None) -> Commit:
        return cast(Commit, await self._run(self._calls.override(
            "removeOverride", node, trait, {}, if_revision, dry_run, idempotency_key, reason)))

    @overload
    async def apply(self, document: Mapping[str, Any], *, manager: str, dry_run: Literal[True], prune: bool = False,
                    force: bool = False, plan: str | None = None, idempotency_key: str | None = None,
                    reason: str | None = None) -> Plan: ...
    @overload
    async def apply(self, document: Mapping[str, Any], *, manager: str, dry_run: Literal[False] = False,
                    prune: bool = False, force: bool = False, plan: str | None = None,
                    idempotency_key: str | None = None, reason: str | None = None) -> Commit: ...
    async def apply(self, document: Mapping[str, Any], *, manager: str, dry_run: bool = False, prune: bool = False,
                    force: bool = False, plan: str | None = None, idempotency_key: str | None = None,
                    reason: str | None = None) -> Commit | Plan:
        """Makes the session match a document: the commit, or with `dry_run` the plan."""
        return cast("Commit | Plan", await self._run(self._calls.apply(
            document, manager, prune, force, plan, dry_run, idempotency_key, reason)))

    async def request(self, method: str, path: str, body: Any = None, *, reason: str | None = None) -> Any:
        """Any other route below the session. Only methods that read are repeated."""
        return await self._run(self._calls.request(method, path, body, reason))

    def watch(self, watches: Watches, *, registrations: Iterable[str] = (), on_change: OnChange | None = None,
              on_state: OnState | None = None) -> AsyncWatch:
        """A live cache of traits of nodes, and of registrations. Callbacks run on the loop, and must not block it."""
        watch = AsyncWatch(self._calls, _Signal(), watches, registrations, on_change, on_state)
        watch._start(self.name)
        return watch

    def records(self, *, operations: bool = False, on_record: OnRecord, on_state: OnState | None = None) -> AsyncRecords:
        """The session's stream as it is, without a cache. After a lost connection it goes on where it was."""
        records = AsyncRecords(self._calls, _Signal(), operations, on_record, on_state)
        records._start(self.name)
        return records

class AsyncVariants(VariantsBase):
    __doc__ = VariantsBase.__doc__

    def __aiter__(self) -> AsyncIterator[VariantRow]:
        return _Connection(self._calls.settings).rows(self._rows())

class _Tasked(StreamBase):
    """A stream in a task of its own."""
    _changed: _Signal

    def _start(self, name: str) -> None:
        self._task = asyncio.get_running_loop().create_task(self._main(), name=f"traitd {name}")

    def close(self) -> None:
        """Ends the connection at once. No callback begins after this, but the one for `closed`."""
        self._finish("closed")

    async def __aenter__(self: _Self) -> _Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()
        if asyncio.current_task() is not self._task:
            await asyncio.wait([self._task])

    def _finish(self, reason: str) -> None:
        if self._end(reason):
            self._task.cancel()
            self._call(self._on_state, "closed")

    async def _main(self) -> None:
        try:
            await _Connection(self._settings).run(self._follow(), lambda: self._is_closed)
        except TraitdError as error:
            self._finish(error.code)
        except asyncio.CancelledError:
            self._finish("closed")  # Also when the loop ends.
        except Exception:
            _log.exception("a stream ended by an error of the client")
            self._finish("client-error")

class AsyncRecords(_Tasked, RecordsBase):
    __doc__ = RecordsBase.__doc__

class AsyncWatch(_Tasked, WatchBase):
    __doc__ = WatchBase.__doc__

    async def synced(self, timeout: float | None = None) -> bool:
        """Waits until the watch is `ready`. False when it is closed, or not ready in time: `reason` says why."""
        await self._changed.wait_for(self._is_settled, timeout)
        return self.state == "ready"

    async def __aiter__(self) -> AsyncIterator[Change]:
        """Changes since the watch was made, each to one iterator; ends when the watch is closed."""
        while True:
            await self._changed.wait_for(self._has_next)
            if not self._queue:
                return
            yield self._queue.popleft()
