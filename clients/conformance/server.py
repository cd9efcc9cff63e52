"""A server of one session that fails on command. It holds the truth with which a client is compared.

It speaks what clients use: the session's stream with watches and registrations, transactions, applies, resolves, variants.
It answers on 127.0.0.1. `answers` are faults of the next answers, `mangles` are faults of the next records.
"""

import collections
import itertools
import json
import pathlib
import random
import re
import select
import socket
import struct
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "deploy/examples"))
from mirror import MASK, canonical, pair_hash  # noqa: E402  Not the client's own: one mistake would agree with itself.

HEARTBEAT_SECONDS = 0.06  # between bookmarks; `heartbeat_ms`, which `begin` names, may be more
IDLE_SECONDS_MAX = 30
NOTED_RECORDS_MAX = 10  # of a commit; a script with larger ones is not asked for the states between its records
FLAGS = {"initial": ["true"], "resync": ["auto"], "overflow": ["coalesce"]}


# Answers without an end: what comes once, then what comes again and again until the client is gone, and the pause between.
_GOOD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
ENDLESS = {
    "fields": (b"HTTP/1.1 200 OK\r\n", b"X-%d: x\r\n", 0),
    "field": (b"HTTP/1.1 200 OK\r\nX: ", b"x%d" * 100, 0),
    "heads": (b"", b"HTTP/1.1 103 Early Hints\r\nX: %d\r\n\r\n", 0),
    "trailers": (_GOOD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n", b"X-%d: x\r\n", 0.02),
    "extensions": (_GOOD + b"Transfer-Encoding: chunked\r\n\r\n2", b";x%d=x", 0.02),
    "rows": (b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n{\"axes\":[]}\n[", b"%d,", 0.05),
    "drip": (_GOOD + b"\r\n[", b"%d,", 0.05),
}


class Gone(Exception):
    """The connection is over."""


def digest(values):
    pairs = ((node, trait, value) for node, traits in values.items() for trait, value in traits.items())
    return f"{sum(pair_hash(*pair) for pair in pairs) & MASK:016x}"


def text(value):
    """The same for equal values, as digests see them: 1 and 1.0 are equal."""
    return canonical(value)


class Wire:
    """A client's connection, with the ways in which it can fail."""

    def __init__(self, sock):
        self.sock, self.chunked, self.slow, self.media, self.forgets = sock, True, False, None, False
        self.is_events = False  # Lines are sent as server-sent events.

    def raw(self, data):
        try:
            for part in (data[i:i + 1] for i in range(len(data))) if self.slow else [data]:
                self.sock.sendall(part)
        except OSError:
            raise Gone from None

    def framed(self, data):
        """Lines as events, where the last event may be unfinished: without the empty line."""
        if not self.is_events:
            return data
        *lines, rest = data.split(b"\n")
        return b"".join(b"id: 1\nevent: record\ndata: " + line + b"\n\n" for line in lines) + (rest and b"data: " + rest + b"\n")

    def send(self, data):
        data = self.framed(data)
        self.raw(b"%x\r\n%s\r\n" % (len(data), data) if self.chunked else data)

    def half(self, data):
        """The first half of a line, in a chunk that is complete itself or, now and then, is not."""
        data = self.framed(data[:max(1, len(data) // 2)])
        self.raw(b"%x\r\n%s" % (len(data) + 100, data) if self.chunked and len(data) % 2 else
                 b"%x\r\n%s\r\n" % (len(data), data) if self.chunked else data)

    def finish(self):
        if self.chunked:
            self.raw(b"0\r\n\r\n")
        raise Gone

    def reset(self):
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raise Gone

    def rest(self, seconds):
        """Sends nothing, until the client is gone."""
        if not select.select([self.sock], [], [], seconds)[0]:
            return
        try:
            if not self.sock.recv(65536):
                raise Gone
        except OSError:
            raise Gone from None


class Server:
    def __init__(self, registrations=None, token=None, heartbeat_ms=4000, has_events=True, poll_ms_max=300_000):
        self.random, self.registrations, self.token = random.Random(0), registrations or {}, token
        self.heartbeat_ms, self.has_events, self.poll_ms_max = heartbeat_ms, has_events, poll_ms_max
        self.changed = threading.Condition()
        self.answers, self.mangles = collections.deque(), []
        self.requests, self.faults, self.streams, self.ends = [], [], {}, []
        self.outcomes, self.commits_made, self.epoch, self.polls, self.exchanges = {}, 0, 0, 0, 0
        self.states = {text({})}  # every state that a client may show
        self.view = ({}, [])
        self.former = set()  # names of nodes and traits that were given up
        self.uid, self.revision, self.values = "first", 1, {}
        self.history, self.oldest = [], 1  # (revision, the records' (node, traits)), and where it begins
        self.is_over, self.listener = False, None
        self.listen(0)

    # --- The truth.

    def members(self, view):
        """The (registration or None, node, traits) of a view; traits are None for all."""
        watches, registrations = view
        found = [(None, node, None if traits in ("all", ["all"]) else traits) for node, traits in watches.items()]
        return found + [(name, self.registrations[name]["node"], self.registrations[name]["traits"])
                        for name in registrations if name in self.registrations]

    def truth(self, view=None):
        found = {}
        for _, node, traits in self.members(view or self.view):
            for trait, value in self.values.get(node, {}).items():
                if traits is None or trait in traits:
                    found.setdefault(node, {})[trait] = value
        return found

    def note(self):
        self.states.add(text(self.truth()))

    def show(self, view, values):
        with self.changed:
            self.view, self.values = view, values
            self.note()

    def commit(self, values, remove=()):
        """One revision. Each node is a record of its own. New and removed pairs make the streams begin anew."""
        with self.changed:
            self.revision += 1
            known = all(trait in self.values.get(node, {}) for node, traits in values.items() for trait in traits)
            records = []
            for node, traits in values.items():
                self.values = {**self.values, node: {**self.values.get(node, {}), **traits}}
                records.append((node, traits))
                if known and len(values) <= NOTED_RECORDS_MAX:
                    self.note()
            for node in remove:
                self.values = {name: traits for name, traits in self.values.items() if name != node}
            self.note()
            self.history.append((self.revision, records))
            if remove or not known:
                for stream in self.streams.values():
                    stream["reset"] = "setChanged"
                self.oldest = self.revision
            self.commits_made += 1
            self.changed.notify_all()

    def gap(self, values):
        """A commit that the open streams leave out: they get `gap` and the state."""
        with self.changed:
            self.commit(values)
            for stream in self.streams.values():
                stream["reset"] = "gap"

    def rename(self, to, node=None, trait=None):
        """A commit that gives a node or a trait another name. Streams get `renamed`, then the state under that name."""
        with self.changed:
            def name_of_trait(name):
                return to if name == trait else name

            def renamed(view):
                return {to if name == node else name: traits if isinstance(traits, str) else [*map(name_of_trait, traits)]
                        for name, traits in view[0].items()}, view[1]
            self.revision += 1
            self.values = {to if name == node else name: {name_of_trait(key): value for key, value in traits.items()}
                           for name, traits in self.values.items()}
            self.former.add(node or trait)
            self.view = renamed(self.view)
            self.note()
            self.history.append((self.revision, []))
            self.oldest = self.revision
            for stream in self.streams.values():
                stream["view"], stream["reset"] = renamed(stream["view"]), "setChanged"
                stream["renamed"] = {"type": "renamed", **({"node": node} if node else {"trait": trait}), "to": to,
                                     "revision": self.revision, "part": 0, "last": True,
                                     "token": self.token_of(self.revision, 0), "time": "2026-11-26T10:00:00.000Z"}
            self.changed.notify_all()

    def truncate(self):
        with self.changed:
            self.oldest = self.revision

    def replace(self, values=None, revision=1):
        """Another session of that name: streams end."""
        with self.changed:
            self.uid, self.revision = f"uid{self.random.randrange(10**9)}", revision
            self.history, self.oldest, self.outcomes = [], revision, {}
            self.values = self.values if values is None else values
            self.note()
        self.cut("finish")

    def cut(self, how):
        """Ends the streams that are open: `finish`, `close`, `half`, `reset`, or an `end` record."""
        with self.changed:
            for stream in self.streams.values():
                stream["cut"] = how
            self.changed.notify_all()

    # --- Listening.

    def listen(self, port):
        listener = socket.create_server(("127.0.0.1", port), backlog=64)
        self.listener, self.port = listener, listener.getsockname()[1]
        self.epoch += 1
        threading.Thread(target=self.accept, args=(listener, self.epoch), daemon=True).start()

    def accept(self, listener, epoch):
        while True:
            try:
                sock, _ = listener.accept()
            except OSError:
                return
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.serve, args=(sock, epoch), daemon=True).start()

    def stop(self):
        """No connection is possible, until `listen`."""
        listener = self.listener
        try:
            listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        listener.close()
        self.epoch += 1
        self.cut("reset")

    def close(self):
        self.is_over = True
        self.stop()

    # --- One connection.

    def serve(self, sock, epoch):
        wire = Wire(sock)
        wire.epoch = epoch  # The server has not stopped since.
        sock.settimeout(IDLE_SECONDS_MAX)
        try:
            with sock.makefile("rb") as lines:
                while request := self.read(lines):
                    try:
                        self.answer(wire, request)
                    finally:
                        with self.changed:
                            self.exchanges -= 1
                    if request["headers"].get("connection", "").lower() == "close":
                        break
        except (Gone, OSError):
            pass
        finally:
            sock.close()

    def read(self, lines):
        start = lines.readline()
        if not start.strip():
            return None
        method, target, _ = start.decode().split(" ", 2)
        headers = {}
        while (line := lines.readline().strip()):
            name, _, value = line.decode(errors="replace").partition(":")
            headers[name.strip().lower()] = value.strip()
        body = lines.read(int(headers.get("content-length", 0)))
        path, _, query = target.partition("?")
        request = {"method": method, "target": target, "path": path, "query": urllib.parse.parse_qs(query),
                   "headers": headers, "body": json.loads(body) if body else None,
                   "stream": path.endswith("/events"), "time": time.monotonic()}
        with self.changed:
            self.requests.append(request)
            self.exchanges += 1
            self.judge(request)
            self.changed.notify_all()
        return request

    def judge(self, request):
        """What no client may send."""
        headers, query = request["headers"], request["query"]
        wanted = self.token and f"Bearer {self.token}"
        if headers.get("authorization") != wanted:
            self.faults.append(f"Authorization is {headers.get('authorization')!r}")
        if self.token and self.token in json.dumps([request["target"], request["body"], {
                name: value for name, value in headers.items() if name != "authorization"}]):
            self.faults.append("the token stands elsewhere")
        reads = request["method"] in ("GET", "HEAD") or request["path"].endswith(("/events", "/resolve", "/variants"))
        if reads and "idempotency-key" in headers:
            self.faults.append(f"a read has an Idempotency-Key: {request['target']}")
        if request["body"] is not None and headers.get("content-type") != "application/json":
            self.faults.append(f"a body has the media type {headers.get('content-type')}")
        if request["path"].endswith("/variants") and headers.get("accept") != "application/x-ndjson":
            self.faults.append(f"variants accept {headers.get('accept')}")
        if not request["stream"] or "operations" in query:
            return
        flags = {name: value for name, value in FLAGS.items() if name != "overflow" or "wait" not in query}
        if {name: query.get(name) for name in FLAGS} != {name: flags.get(name) for name in FLAGS} or "from" in query:
            self.faults.append(f"a stream is asked for with {query}")
        if not re.fullmatch("0|[0-9]+(ms|s|m)", query.get("wait", ["0"])[0]):
            self.faults.append(f"a poll waits for {query['wait'][0]}")
        wanted = {"application/json"} if "wait" in query else {"application/x-ndjson", "text/event-stream"}
        accepted = {media.split(";")[0].strip() for media in headers.get("accept", "").split(",")}
        if not accepted or accepted - wanted:
            self.faults.append(f"a stream accepts {headers.get('accept')}")
        if len(request["target"]) > 4000:
            self.faults.append(f"a target has {len(request['target'])} bytes")
        token = headers.get("last-event-id")
        if token is not None and token.startswith("never"):
            self.faults.append(f"the token {token} was sent")

    def answer(self, wire, request):
        fault = self.take_answer(request)
        how = fault.get("how") if fault else None
        if how == "close":
            raise Gone
        if how == "silence":
            while not self.is_over:
                wire.rest(0.1)
            raise Gone
        if how == "trickle":
            for byte in b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1000:
                wire.raw(bytes([byte]))
                wire.rest(0.05)
            raise Gone
        if how == "redirect":
            return self.plain(wire, 307, b"", {"Location": f"http://127.0.0.1:{fault['port']}{request['target']}"})
        if fault and "status" in fault:
            media = fault.get("media", "application/problem+json")
            problem = {"code": fault.get("code", "x"), "status": fault["status"], "detail": "as the script says"}
            body = b"<!doctype html><p>no" if media == "text/html" else json.dumps(problem).encode()
            body = fault["text"].encode() if "text" in fault else body
            return self.plain(wire, fault["status"], body, {"Content-Type": media, **fault.get("headers", {})})
        wire.slow, wire.chunked = how == "bytes", how != "unchunked"
        wire.forgets = how == "forget"
        wire.is_events = self.has_events and how != "media" and "text/event-stream" in request["headers"].get("accept", "")
        wire.media = "text/plain" if how == "media" else "text/event-stream" if wire.is_events else "application/x-ndjson"
        if how in ENDLESS:
            return self.endless(wire, *ENDLESS[how])
        if request["stream"]:
            return self.page(wire, request) if "wait" in request["query"] else self.stream(wire, request)
        if how == "lost":
            self.call(request)
            raise Gone
        if how == "cut":
            self.call(request)
            wire.raw(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"re")
            raise Gone
        if request["path"].endswith("/variants"):
            return self.variants(wire, request["body"])
        status, body = self.call(request)
        self.plain(wire, status, json.dumps(body).encode(), {"Content-Type": "application/json"})

    def endless(self, wire, once, often, pause):
        wire.raw(once)
        for number in range(10**9):
            if self.is_over:
                break
            wire.raw(often % ((number,) * often.count(b"%d")))
            if pause:
                wire.rest(pause)
        raise Gone

    def take_answer(self, request):
        with self.changed:
            for fault in self.answers:
                if fault.get("for", "stream") == ("stream" if request["stream"] else "call"):
                    if fault.get("times", 1) <= 1:
                        self.answers.remove(fault)
                    else:
                        fault["times"] -= 1
                    return fault
        return None

    def plain(self, wire, status, body, headers):
        head = f"HTTP/1.1 {status} Status\r\nContent-Length: {len(body)}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.ends.append(time.monotonic())
        wire.raw(head.encode() + b"\r\n" + body)

    # --- Calls.

    def call(self, request):
        key, path = request["headers"].get("idempotency-key"), request["path"]
        if path.endswith("/resolve"):
            body = request["body"]
            names = body.get("nodes") or [body["under"]]
            with self.changed:
                assumed = {node: dict(traits) for node, traits in self.values.items()}
                for operation in body.get("assume", []):
                    assumed[operation["node"]][operation["trait"]] = operation["value"]
                nodes = [{"node": node, "state": "current", "traits": {
                    trait: value for trait, value in assumed.get(node, {}).items()
                    if trait in body.get("traits", [trait])}} for node in names]
                more = {"assumed": True} if "assume" in body else {}
                if body.get("changed"):
                    for node in nodes:
                        now = self.values.get(node["node"], {})
                        node["traits"] = {name: value for name, value in node["traits"].items() if text(value) != text(now.get(name))}
                        node["previous"] = {name: now[name] for name in node["traits"]}
                    nodes = [node for node in nodes if node["traits"]]
                    more["count"] = len(nodes)
                return 200, {"uid": self.uid, "revision": self.revision, "nodes": nodes, **more}
        if not path.endswith(("/transactions", "/apply")) or request["method"] not in ("POST", "PUT"):
            return 200, {"path": path, "query": request["query"], "body": request["body"]}
        if not key:
            self.faults.append("a write has no Idempotency-Key")
        with self.changed:
            if key not in self.outcomes:
                values = {}
                for operation in request["body"].get("operations", []):
                    if operation["op"] == "removeOverride":
                        continue
                    values.setdefault(operation["node"], {})[operation["trait"]] = operation["value"]
                self.commit(values)
                self.outcomes[key] = {"session": "s", "uid": self.uid, "revision": self.revision, "notified": 0}
            return 200, self.outcomes[key]

    def variants(self, wire, query):
        """The product of axes that name a trait, a node and cases."""
        wire.raw(b"HTTP/1.1 200 OK\r\nContent-Type: " + wire.media.encode() + b"\r\n"
                 + (b"Transfer-Encoding: chunked\r\n\r\n" if wire.chunked else b"Connection: close\r\n\r\n"))
        axes, stream = query["axes"], {"wire": wire, "held": None, "epoch": wire.epoch}
        rows = list(itertools.product(*(axis["cases"] for axis in axes)))
        self.send(stream, {"uid": self.uid, "revision": self.revision, "assumed": True, "strength": 0, "rows": len(rows),
                           "axes": [{"name": axis["name"], "values": axis["cases"]} for axis in axes]})
        for number, cases in enumerate(rows):
            nodes = [{"node": node, "state": "current", "traits": self.values.get(node, {}) | {
                axis["trait"]: case for axis, case in zip(axes, cases) if axis["at"] == node}} for node in query["nodes"]]
            self.send(stream, {"row": number, "labels": dict(zip((axis["name"] for axis in axes), cases)), "nodes": nodes})
        self.send(stream, {"end": True, "rows": len(rows), "combinations": len(rows)})
        if not wire.chunked:
            raise Gone
        self.ends.append(time.monotonic())
        wire.raw(b"0\r\n\r\n")

    # --- Streams.

    def token_of(self, revision, part=None):
        return f"{self.uid}.{revision}" + ("" if part is None else f".{part}")

    def stream(self, wire, request):
        view = self.view_of(request)
        names = {name for node, traits in view[0].items() for name in (node, *traits)}
        if lost := self.former & names:
            problem = {"code": "unknown-node", "status": 404, "detail": f"{min(lost)} has another name."}
            return self.plain(wire, 404, json.dumps(problem).encode(), {"Content-Type": "application/problem+json"})
        wire.raw(b"HTTP/1.1 200 OK\r\nContent-Type: " + wire.media.encode() + b"\r\n"
                 + (b"Transfer-Encoding: chunked\r\n\r\n" if wire.chunked else b"Connection: close\r\n\r\n"))
        stream = {"wire": wire, "view": view, "cut": None, "reset": None, "renamed": None, "held": None, "since": 0,
                  "epoch": wire.epoch}
        with self.changed:
            self.streams[id(stream)] = stream
        try:
            self.begin(stream, None if wire.forgets else request["headers"].get("last-event-id"))
            while True:
                self.turn(stream)
        finally:
            with self.changed:
                self.ends.append(time.monotonic())
                del self.streams[id(stream)]
                self.changed.notify_all()
            # After `end` and the like, what the client has not read yet must reach it.
            if not wire.sock.getsockopt(socket.SOL_SOCKET, socket.SO_LINGER):
                try:
                    wire.sock.shutdown(socket.SHUT_WR)
                except OSError:
                    pass

    def view_of(self, request):
        if request["method"] == "POST":
            watches = {one["node"]: one["traits"] for one in request["body"].get("watches", [])}
            return watches, request["body"].get("registrations", [])
        watches = {}
        for watch in request["query"].get("watch", []):
            node, _, traits = watch.partition(":")
            watches[node] = traits.split(",")
        return watches, [name for names in request["query"].get("registrations", []) for name in names.split(",")]

    def begin(self, stream, token):
        with self.changed:
            uid, revision, part = self.uid, self.revision, None
            why = None
            if token is not None:
                uid, revision, part = (token.split(".") + [None, None])[:3]
                revision, part = int(revision) if (revision or "").isdigit() else -1, part and int(part)
                why = ("sessionReplaced" if uid != self.uid else "revisionAhead" if revision > self.revision else
                       "historyGone" if revision < self.oldest else None)
            start = self.revision if why else revision
            stream["at"] = (start, part) if part is not None and not why else (start, 1 << 30)
            record = {"type": "begin", "revision": start, "token": f"never-{self.uid}.begin", "session": "s",
                      "uid": self.uid, "oldestRevision": self.oldest, "headRevision": self.revision,
                      "heartbeatMs": self.heartbeat_ms, "maxLifetimeMs": 3600000}
        self.send(stream, record)
        if token is None:
            self.state(stream)
        elif why:
            self.fresh(stream, {"type": "reset", "reason": why, "uid": self.uid, "previousUid": uid})

    def page(self, wire, request):
        """A long poll: records as soon as there are some, or none when the time is up."""
        seconds = float(request["query"]["wait"][0].removesuffix("ms")) / 1000
        if seconds * 1000 > self.poll_ms_max:
            problem = {"code": "malformed-parameter", "status": 400, "detail": "It waits too long.", "parameter": "wait"}
            return self.plain(wire, 400, json.dumps(problem).encode(), {"Content-Type": "application/problem+json"})
        view, token, until = self.view_of(request), request["headers"].get("last-event-id"), time.monotonic() + seconds
        with self.changed:
            self.polls += 1
            stream = {"wire": wire, "view": view, "page": []}
            if token is not None:
                uid, revision, part = (token.split(".") + [None, None])[:3]
                at = (int(revision), 1 << 30 if part is None else int(part))

                def why():
                    return ("sessionReplaced" if uid != self.uid else "revisionAhead" if at[0] > self.revision else
                            "historyGone" if at[0] < self.oldest else None)
                stream["at"] = at
                self.changed.wait_for(lambda: why() or self.records_after(stream) or self.is_over or self.epoch != wire.epoch,
                                      until - time.monotonic())
                if self.is_over or self.epoch != wire.epoch:
                    wire.reset()
                reset, records = why(), self.records_after(stream)
            if token is None or reset:
                if token is not None:
                    stream["page"].append({"type": "reset", "reason": reset, "uid": self.uid, "revision": self.revision,
                                           "token": "never-reset"})
                self.state(stream)
            else:
                stream["page"] += records
            body = {"records": stream["page"], "revision": self.revision, "next": self.token_of(self.revision)}
        body |= self.take_mangle("page").get("with", {})
        self.plain(wire, 200, json.dumps(body, ensure_ascii=False).encode(), {"Content-Type": "application/json"})

    def fresh(self, stream, record):
        """A `reset` or `gap`, and the state after it."""
        self.send(stream, {**record, "revision": self.revision, "token": "never-reset"})
        self.state(stream)

    def state(self, stream):
        with self.changed:
            revision, truth, uid = self.revision, self.truth(stream["view"]), self.uid
            members = self.members(stream["view"])
            stream["at"], stream["synced"] = (revision, 1 << 30), True
            records = []
            for name, node, traits in members:
                values = {trait: value for trait, value in self.values.get(node, {}).items()
                          if traits is None or trait in traits}
                if values:
                    records.append({"type": "state", "revision": revision, "token": "never-state", "node": node,
                                    "traits": values, **({"registration": name} if name else {})})
        for record in records:
            self.send(stream, record)
        self.send(stream, {"type": "sync", "revision": revision, "token": f"{uid}.{revision}", "count": len(records),
                           "digest": digest(truth)})

    def turn(self, stream):
        """Sends what is new, or a bookmark after a heartbeat."""
        with self.changed:
            def due():
                return (stream["cut"] or stream["reset"] or self.is_over or stream["epoch"] != self.epoch
                        or self.revision > stream["at"][0] or stream["at"][1] != 1 << 30)
            is_due = self.changed.wait_for(due, HEARTBEAT_SECONDS)
            if self.is_over or stream["epoch"] != self.epoch:
                stream["wire"].reset()
            cut, reset, stream["reset"] = stream["cut"], stream["reset"], None
            renamed, stream["renamed"] = stream["renamed"], None
            records = [] if cut or reset else self.records_after(stream)
            if records or not is_due:
                stream["at"] = (self.revision, 1 << 30)
            revision, token = self.revision, self.token_of(self.revision)
            proof = digest(self.truth(stream["view"]))
        if cut:
            self.end(stream, cut)
        elif reset:
            if renamed:
                self.send(stream, renamed)
            self.fresh(stream, {"type": "gap", "fromRevision": revision, "toRevision": revision} if reset == "gap" else
                       {"type": "reset", "reason": reset, "uid": self.uid})
        elif is_due:
            for record in records:
                self.send(stream, record)
            if not records:
                stream["at"] = (revision, 1 << 30)
        else:
            # The client may be gone; a bookmark would be lost unnoticed.
            stream["wire"].rest(0)
            self.send(stream, {"type": "bookmark", "revision": revision, "token": token, "lagMs": 0, "digest": proof})

    def records_after(self, stream):
        found = []
        members = collections.defaultdict(list)
        for name, node, named in self.members(stream["view"]):
            members[node].append((name, named))
        for revision, nodes in self.history:
            if revision < stream["at"][0]:
                continue
            parts = []
            for node, traits in nodes:
                for name, named in members[node]:
                    values = {trait: value for trait, value in traits.items() if named is None or trait in named}
                    if values:
                        parts.append({"type": "change", "revision": revision, "node": node,
                                      **({"registration": name} if name else {}),
                                      "changes": [{"trait": trait, "previous": None, "current": value}
                                                  for trait, value in values.items()]})
            for part, record in enumerate(parts):
                is_last = part == len(parts) - 1
                record |= {"part": part, "last": is_last, "time": "2026-11-26T10:00:00.000Z",
                           "token": self.token_of(revision, None if is_last else part)}
                if (revision, part) > stream["at"]:
                    found.append(record)
        return found

    def end(self, stream, how):
        wire = stream["wire"]
        if isinstance(how, dict):
            record = {"type": "end", "revision": self.revision, "token": self.token_of(self.revision), **how}
            wire.send(json.dumps(record).encode() + b"\n")
            wire.finish()
        if how == "finish":
            wire.finish()
        if how == "half":
            wire.half(b'{"type":"change","revision":2,"changes":[]}')
        if how == "reset":
            wire.reset()
        raise Gone

    def take_mangle(self, kind):
        with self.changed:
            for mangle in self.mangles:
                if mangle.get("on", "change") in (kind, "any"):
                    skip = mangle.get("skip", 0)
                    if skip:
                        mangle["skip"] = skip - 1
                        return {}
                    self.mangles.remove(mangle)
                    return mangle
        return {}

    def send(self, stream, record):
        """Sends a record, unless a fault is due for its kind, or adds it to a page."""
        if "page" in stream:
            stream["page"].append(record)
            return
        mangle = self.take_mangle(record.get("type") or next(kind for kind in ("end", "row", "axes") if kind in record))
        how, wire = mangle.get("how"), stream["wire"]
        data = json.dumps(record, ensure_ascii=False).encode() + b"\n"
        if how == "drop":
            return
        if how == "hold":
            stream["held"] = data
            return
        if how == "digest":
            record = {**record, "digest": f"{int(record['digest'], 16) ^ 1:016x}"}
            data = json.dumps(record).encode() + b"\n"
        elif how == "corrupt":
            data = self.corrupted(record)
        elif how == "lower":
            data = json.dumps({**record, "revision": 0}).encode() + b"\n"
        elif how == "members":
            data = json.dumps({name: value for name, value in record.items() if name != mangle["without"]}).encode() + b"\n"
        elif how == "replace":
            data = json.dumps({**record, **mangle["with"]}).encode() + b"\n"
        elif how == "garble":
            data = data[:-3] + b"\n"
        elif how == "line":
            data = mangle["line"].encode("latin-1") + b"\n" + data
        elif how == "after":
            data += json.dumps(mangle["record"]).encode() + b"\n"
        elif how == "unfinished":
            wire.send(data[:-1])
            wire.finish()
        elif how == "long":
            data = b'{"type":"long","text":"' + b"x" * ((16 << 20) + 1000) + b'"}\n' + data
        elif how == "insert":
            data = json.dumps({"revision": record["revision"], **mangle["record"]}).encode() + b"\n" + data
        elif how == "half":
            wire.half(data)
            raise Gone
        elif how == "resetHalf":
            wire.half(data)
            wire.reset()
        elif how == "pause":
            self.pause(stream)
        elif how == "wait":
            wire.rest(mangle["ms"] / 1000)
        elif how == "flood":
            # Nodes without end, in a state that no `sync` completes.
            for number in range(10**9):
                if self.is_over:
                    raise Gone
                many = {f"t{trait}": "x" * 100 for trait in range(100)}
                changes = [{"trait": trait, "current": value} for trait, value in many.items()]
                more = {"traits": many} if record["type"] == "state" else {"changes": changes, "part": number}
                wire.send(json.dumps({**record, "node": f"n{number}", **more}).encode() + b"\n")
        wire.slow = wire.slow or how == "bytes"
        wire.send(data * (2 if how == "duplicate" else 1))
        if stream["held"]:
            held, stream["held"] = stream["held"], None
            wire.send(held)
        if mangle.get("then", how) in ("finish", "close", "reset"):
            self.end(stream, mangle.get("then", how))
        if how == "end":
            self.end(stream, mangle["with"])
        if how == "silence":
            while not self.is_over and stream["epoch"] == self.epoch:
                wire.rest(0.05)
            raise Gone

    def pause(self, stream):
        """Waits before a record until the script goes on (`unpause`)."""
        with self.changed:
            stream["paused"] = True
            self.changed.notify_all()
            self.changed.wait_for(lambda: not stream["paused"] or self.is_over or stream["epoch"] != self.epoch, 10)

    def unpause(self):
        with self.changed:
            for stream in self.streams.values():
                stream["paused"] = False
            self.changed.notify_all()

    @staticmethod
    def corrupted(record):
        """The record with another value, in JSON that is right."""
        record = json.loads(json.dumps(record))
        if record["type"] == "change":
            record["changes"][0]["current"] = "corrupted"
        elif record["type"] == "state":
            record["traits"][next(iter(record["traits"]))] = "corrupted"
        return json.dumps(record).encode() + b"\n"
