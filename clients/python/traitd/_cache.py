"""The cache of a watch: values, their digest, and what turns one set of values into another. No I/O."""
from __future__ import annotations

import collections, copy, json, struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

Pair = tuple[str, str]
_MASK = (1 << 64) - 1
PAIR_BYTES = 64  # what a pair counts beside its text

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

def _hash(data: bytes) -> int:
    """FNV-1a of 64 bits with MurmurHash3's finalizer. O(bytes)."""
    h = 0xCBF29CE484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 & _MASK
    h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD & _MASK
    h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53 & _MASK
    return h ^ h >> 33

def _text(node: str, trait: str, value: Any) -> bytes:
    return f"{node}\n{trait}\n{canonical(value)}".encode("utf-8", "replace")

def pair_hash(node: str, trait: str, value: Any) -> int:
    """The hash of a pair, as docs/streams.md has it. O(bytes)."""
    return _hash(_text(node, trait, value))

def own(value: Any) -> Any:
    """The value for another owner: objects are copied, so that the cache stays what the server sent."""
    return copy.deepcopy(value) if isinstance(value, (dict, list)) else value

class Values:
    """Values by pair, with the running sum of their hashes, and the bytes that they count."""
    def __init__(self) -> None:
        self.pairs: dict[Pair, Any] = {}
        self.sum = 0
        self.bytes = 0

    def put(self, node: str, trait: str, value: Any, revision: int) -> Change | None:
        """Stores a value; the change, or None when the pair has this value already. Two hashes."""
        previous, added = self.pairs.get((node, trait)), (node, trait) not in self.pairs
        if not added:
            if canonical(previous) == canonical(value):
                return None
            text = _text(node, trait, previous)
            self.sum -= _hash(text)
            self.bytes -= len(text) + PAIR_BYTES
        text = _text(node, trait, value)
        self.pairs[node, trait] = value
        self.sum = self.sum + _hash(text) & _MASK
        self.bytes += len(text) + PAIR_BYTES
        return Change(node, trait, own(previous), own(value), revision, added)

    def changes_to(self, other: Values, revision: int) -> Iterator[Change]:
        """What turns these values into the others. Values that are equal stay the objects that they are here."""
        for pair, value in other.pairs.items():
            if pair in self.pairs and canonical(self.pairs[pair]) == canonical(value):
                other.pairs[pair] = self.pairs[pair]
            else:
                yield Change(*pair, own(self.pairs.get(pair)), own(value), revision, pair not in self.pairs)
        for pair in [pair for pair in self.pairs if pair not in other.pairs]:
            yield Change(*pair, own(self.pairs[pair]), None, revision, False, True)

def bytes_of(changes: Iterable[Change]) -> int:  # of the new values, about
    return sum(len(canonical(change.current)) for change in changes)

def merged(changes: collections.deque[Change], most: int) -> Iterator[Change]:
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
