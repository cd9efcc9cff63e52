"""A client of traitd: reads, writes, and a live cache of traits that the server's digests prove.

    from traitd import Client
    mail = Client("http://127.0.0.1:8080").session("mail")
    with mail.watch({"inbox": ["theme"]}, on_change=print) as watch:
        watch.synced(10)
        mail.transaction([{"op": "setOverride", "node": "inbox", "trait": "theme", "value": "bold"}])

`AsyncClient` has the same for asyncio. docs/clients.md has the states, what is retried, and what a watch promises.
Times are in seconds. `traitd.types` has the operations and answers.
"""
from ._asyncio import AsyncClient, AsyncRecords, AsyncSession, AsyncVariants, AsyncWatch
from ._blocking import Client, Records, Session, Variants, Watch
from ._cache import Change, canonical, pair_hash
from ._call import Resolution, TraitdError
from .types import Commit, Operation, Plan

__all__ = ["AsyncClient", "AsyncRecords", "AsyncSession", "AsyncVariants", "AsyncWatch", "Change", "Client", "Commit",
           "Operation", "Plan", "Records", "Resolution", "Session", "TraitdError", "Variants", "Watch", "canonical", "pair_hash"]
