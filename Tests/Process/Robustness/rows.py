#!/usr/bin/env python3
"""Requests that cost much more than they are long, one row each: against a release binary that may take
256 MiB. Every answer has to be whole or a clear error, resident memory stays below 448 MiB, /livez is
answered throughout, and afterwards memory and descriptors are what they were.

usage: rows.py TRAITD [--write] [ROW…]      LIVEZ_MS_MAX=250; --write puts the table into
                                            docs/performance/costs.md
"""

import contextlib
import os
import re
import sys
import time

sys.dont_write_bytecode = True
import costly  # noqa: E402
import readers  # noqa: E402
import surroundings  # noqa: E402
from costly import Client  # noqa: E402
from watching import ROOT, Failure, Prober, Watched, raise_descriptors  # noqa: E402

BUDGET = "256MiB"
PEAK_BYTES_MAX = 448 << 20
LIVEZ_MS_MAX = float(os.environ.get("LIVEZ_MS_MAX", "250"))
OPTIONS = ("--shards", "2", "--max-memory", BUDGET, "--limit", "watch-linger-seconds=1",
           "--limit", "write-stall-timeout-seconds=5")


def run(row, binary):
    """Runs one row against a server of its own. Returns what came of it, as a line of the table."""
    peak_bytes_max = getattr(row, "peak_bytes_max", PEAK_BYTES_MAX)
    around = getattr(row, "surroundings", contextlib.nullcontext)()
    with around, Watched(binary, *OPTIONS, *row.options) as server:
        server.ask()
        before = server.descriptors(), server.resident_bytes()
        probers = [Prober(server.port) for _ in range(2)]
        client = Client(server.port)
        client.binary, client.clock = binary, around
        start = time.monotonic()
        try:
            said = row(client)
        finally:
            took = time.monotonic() - start
            client.close()
        slowest = max(prober.finish()[0] for prober in probers)
        peak = server.peak_bytes()
        check_answers(client)
        server.delete_sessions()
        after = server.expect_base_line(*before)
    text = (f"{row.__name__}: {client.summary()}{'; ' + said if said else ''}; {took:.1f} s;"
            f" /livez {slowest:.0f} ms at worst; MiB {before[1] / 2**20:.0f} before,"
            f" {peak / 2**20:.0f} at most, {after[1] / 2**20:.0f} after")
    if peak > peak_bytes_max:
        raise Failure(f"{text}: more than {peak_bytes_max >> 20} MiB")
    if slowest > LIVEZ_MS_MAX:
        raise Failure(f"{text}: /livez took more than {LIVEZ_MS_MAX:g} ms")
    print(text, flush=True)
    return (f"| `{row.__name__}` | {client.summary()}{'; ' + said if said else ''} | {took:.1f} | {slowest:.0f}"
            f" | {before[1] / 2**20:.0f}, {peak / 2**20:.0f}, {after[1] / 2**20:.0f} |")


def check_answers(client):
    if client.cut:
        raise Failure(f"answers were cut: {client.cut[:3]}")
    if "unknown-host" in client.codes:
        raise Failure("the server does not answer to the host that the row asks for")
    if client.unclear:
        raise Failure(f"errors that say nothing: {client.unclear[:3]}")


def main(binary, *names):
    raise_descriptors()
    writes = "--write" in names
    names = [name for name in names if name != "--write"]
    known = costly.ALL + readers.ALL + surroundings.ALL
    rows = [row for row in known if not names or row.__name__ in names]
    if names and len(rows) < len(set(names)):
        sys.exit(f"rows.py: there are {', '.join(row.__name__ for row in known)}")
    failed = 0
    lines = ["| row | answers | seconds | `/livez` at worst, ms | MiB before, at most, after |",
             "|---|---|---:|---:|---:|"]
    for row in rows:
        try:
            lines.append(run(row, binary))
        except (Failure, OSError) as failure:
            failed += 1
            print(f"{row.__name__} FAILED: {failure}", flush=True)
    if writes:
        page = (ROOT / "docs/performance/costs.md").read_text(encoding="utf-8")
        page = re.sub(r"(?<=<!-- rows -->\n).*?(?=<!-- end of rows -->)",
                      lambda _: "\n" + "\n".join(lines) + "\n\n", page, flags=re.S)
        (ROOT / "docs/performance/costs.md").write_text(page, encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
