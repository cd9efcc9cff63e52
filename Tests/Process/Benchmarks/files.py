#!/usr/bin/env python3
"""Lists the files of Sources whose code the server runs for each override of a value, and writes
docs/performance/files.md: callgrind notes the instructions, and llvm-symbolizer says where each of them comes
from, inlined code included.

usage: files.py TRAITD UNSTRIPPED [--check]    two forms of one build; with --check nothing is written
"""

import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import requests

TARGET = requests.TARGET.with_name("files.md")
DUMPED = ["--dump-instr=yes", "--compress-strings=no", "--compress-pos=no"]
# Between the wire and the engine, and how many of their files an override may pass.
SERVICE = ("TraitService", "TraitSessions", "SessionLog", "Ledger")
FILES_MAX = 45


def counts(dump):
    """How often each instruction of the binary ran, by its address."""
    inside, found = False, collections.Counter()
    for line in dump.read_text(encoding="utf-8").split("\n"):
        if line.startswith("ob="):
            inside = line.endswith("/traitd")
        elif inside and (ran := re.match(r"0x([0-9a-f]+) \d+ (\d+)$", line)):
            found[int(ran[1], 16)] += int(ran[2])
    return found


def addresses(server):
    """Of the instructions that ran for each request. What timers ran is what runs as long without requests; a slow
    machine has more of that."""
    server.send_many("override", requests.WARM)
    server.dump()
    began = time.monotonic()
    server.send_many("override", requests.COUNTED)
    seconds = time.monotonic() - began
    server.dump()
    ran = counts(server.folder / f"out.{server.dumps}")
    time.sleep(seconds)
    server.dump()
    idle = counts(server.folder / f"out.{server.dumps}")
    return sorted(at for at, count in ran.items() if count - 2 * idle[at] >= requests.COUNTED)


def files(found, binary):
    """The files of the instructions, by module."""
    symbolizer = pathlib.Path(shutil.which("swift")).resolve().with_name("llvm-symbolizer")
    said = subprocess.run(
        [symbolizer, "--obj", binary, "--inlines", "--functions=none"],
        input="\n".join(hex(address) for address in found), capture_output=True, text=True, check=True).stdout
    modules = collections.defaultdict(set)
    for module, path in re.findall(r"^\S*/Sources/(\w+)/(\S+\.swift):(?!0:)\d+", said, re.M):
        modules[module].add(path)
    return modules


def main(stripped, binary, isCheck):
    with tempfile.TemporaryDirectory() as folder:
        # Without a snapshot for the past, which is due at every half of the window.
        with requests.Server(
                stripped, folder, "--limit", "retained-commits-max=1000000", valgrind=DUMPED) as server:
            modules = files(addresses(server), binary)
    count = sum(len(modules[module]) for module in SERVICE)
    rows = [f"| {module} | {len(modules[module])} | {' · '.join(sorted(modules[module]))} |"
            for module in ("HTTPServer", "HTTPWire", "JSONCodec", *SERVICE, "TraitEngine")]
    print(f"{', '.join(SERVICE)}: {count} files, at most {FILES_MAX}")
    if not isCheck:
        TARGET.write_text(PAGE.format(rows="\n".join(rows), count=count, most=FILES_MAX), encoding="utf-8")
    if count > FILES_MAX:
        page = TARGET.read_text(encoding="utf-8")
        new = [f"{module}/{path}" for module in SERVICE for path in sorted(modules[module]) if path not in page]
        sys.exit(f"files: an override passes {count} files, more than {FILES_MAX}; not in {TARGET.name}: "
                 + ", ".join(new))


PAGE = """# The files of one override

Made by `Tests/Process/Benchmarks/files.py` (`make bench-paths`): all files whose code the release binary runs for each PUT
of a value, without `--data-dir` and without a stream, inlined code included. Between the wire and the engine there
are {count}, and the script fails when there are more than {most}.

| module | files | which |
|---|---:|---|
{rows}
"""


if __name__ == "__main__":
    main(*sys.argv[1:3], "--check" in sys.argv[3:])
