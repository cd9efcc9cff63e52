"""Caches of the values that a stream of watches delivers, kept by the rules of docs/streams.md.

A replica knows a watch only while it is open there. On another replica the stream begins again with the present
values, so changes may be merged. The cache still has to be right: the checker compares it with the session at each
revision that the stream names, and each digest of the server with that of the cache.
"""

import pathlib
import sys

from streams import Reader

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path.insert(0, str(ROOT / "deploy/examples"))
from mirror import MASK, pair_hash  # noqa: E402

WATCHED = {"aa": ("level", "tone"), "b": ("tone",), "root": ("level",)}


class Mirror(Reader):
    def __init__(self, session, replicas, history, seed, plant=None):
        query = "events?" + "&".join(
            f"watch={node}:{','.join(traits)}" for node, traits in WATCHED.items())
        super().__init__("mirror", session, query, tuple(WATCHED), replicas, history, seed, plant)
        self.cache, self.resumed = {}, False
        self.shown = []  # (revision, values) whenever the cache is complete
        self.resets, self.digests = 0, 0

    def target(self):
        return (f"/v1/sessions/{self.session}/{self.query}"
                "&initial=true&resync=auto&overflow=coalesce")

    def fields(self):
        self.resumed = self.token is not None
        return {"Last-Event-ID": self.token} if self.resumed else {}

    def take(self, record):
        kind = record["type"]
        if kind == "end":
            return False
        if kind in ("reset", "gap") or kind == "begin" and not self.resumed:
            self.cache = {}
            self.resets += 1
            # Another replica may know the watch, and would resume from the old token without the state.
            self.token = None
        elif kind == "state":
            for trait, value in record["traits"].items():
                self.cache[record["node"], trait] = value
        elif kind == "change":
            for change in record["changes"]:
                self.cache[record["node"], change["trait"]] = change["current"]
        if "digest" in record:
            self.digests += 1
            total = sum(pair_hash(*pair, value) for pair, value in self.cache.items()) & MASK
            if record["digest"] != f"{total:016x}":
                self.report("mirrors", f"the digest of {self.cache} is {total:016x}, "
                                       f"and not that of {record}")
        if kind in ("sync", "bookmark") or kind == "change" and record["last"]:
            if self.shown and record["revision"] < self.shown[-1][0]:
                self.report("mirrors", f"{record} after {self.shown[-1][0]}")
            self.shown.append((record["revision"], dict(self.cache)))
            self.head = record["revision"]
        if kind not in ("begin", "reset", "state", "gap"):
            self.token = record["token"]
        return True
