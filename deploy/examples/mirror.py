#!/usr/bin/env python3
"""Mirrors the values that a stream delivers, and proves with each digest that the mirror is right.

    mirror.py http://127.0.0.1:8080/v1/sessions/mail/events?watch=inbox.view:userInterfaceStyle

Connects again by itself: after a restart, when the session was created again, and when the history after its
last token is gone. TRAITD_TOKEN is sent as the bearer token. Uses the standard library only.
"""
import http.client, json, os, struct, sys, time, urllib.request

MASK = (1 << 64) - 1


def canonical(value):
    """JSON without white space, members sorted, numbers as the 16 digits of their double."""
    if isinstance(value, dict):
        members = (f"{canonical(name)}:{canonical(value[name])}" for name in sorted(value))
        return "{" + ",".join(members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return struct.pack(">d", float(value) + 0.0).hex()
    return json.dumps(value, ensure_ascii=False)


def pair_hash(node, trait, value):
    """FNV-1a, 64 bits, with MurmurHash3's finalizer."""
    h = 0xCBF29CE484222325
    for byte in f"{node}\n{trait}\n{canonical(value)}".encode():
        h = (h ^ byte) * 0x100000001B3 & MASK
    h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD & MASK
    h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53 & MASK
    return h ^ h >> 33


def mirror(url, cache, on_record):
    """Connects again and again. `on_record` is called with each record after the cache has it."""
    url += ("&" if "?" in url else "?") + "initial=true&resync=auto&overflow=coalesce"
    fields = {"Accept": "application/x-ndjson"}
    if "TRAITD_TOKEN" in os.environ:
        fields["Authorization"] = "Bearer " + os.environ["TRAITD_TOKEN"]
    while True:
        try:
            with urllib.request.urlopen(urllib.request.Request(url, headers=fields), timeout=60) as lines:
                for line in lines:
                    record = json.loads(line)
                    kind = record["type"]
                    if kind in ("reset", "gap") or kind == "begin" and "Last-Event-ID" not in fields:
                        cache.clear()
                        fields.pop("Last-Event-ID", None)
                    for trait, value in record.get("traits", {}).items() if kind == "state" else ():
                        cache[record["node"], trait] = value
                    for change in record["changes"] if kind == "change" else ():
                        cache[record["node"], change["trait"]] = change["current"]
                    if "digest" in record:
                        total = sum(pair_hash(*pair, value) for pair, value in cache.items()) & MASK
                        if record["digest"] != f"{total:016x}":
                            fields.pop("Last-Event-ID", None)
                            raise ValueError(f"the mirror is wrong at {record['token']}")
                    if kind not in ("begin", "reset", "state", "gap", "end"):
                        fields["Last-Event-ID"] = record["token"]
                    on_record(record)
        except (OSError, ValueError, http.client.HTTPException) as error:
            print(f"again in a second: {error}", file=sys.stderr)
        time.sleep(1)


if __name__ == "__main__":
    held = {}
    mirror(sys.argv[1], held, lambda record: print(record["type"], record["revision"], len(held)))
