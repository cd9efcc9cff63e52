#!/usr/bin/env python3
"""Counts what one pass of each hot path executes, by the difference of two runs.

traitd-bench has every hot path in a function of its own; callgrind counts only inside of it. In the
difference of two runs of different length everything that happens once cancels out. The counts are
exact, not sampled.

usage: callgrind.py BENCH
"""

import pathlib
import re
import subprocess
import sys
import tempfile

TARGET = pathlib.Path(__file__).resolve().parent.parent.parent.parent / "docs/performance/hot-paths.md"

# Name, what it is, the function's name, the two lengths, units a pass, what must not be called.
PATHS = [
    ("resolve", "one trait at a random node, by handle", (1000, 3000), 1),
    ("collect", "all 42 traits at a random node", (500, 1500), 1),
    ("find", "an identifier to its node", (1000, 3000), 1),
    ("write", "a commit of one override that notifies no registration", (500, 1500), 1),
    ("toggle", "a commit that adds or removes one override and notifies no registration", (500, 1500), 1),
    ("tell", "each of 1,000 registrations that an override notifies", (20, 60), 1000),
]
# Reads own nothing, so none of these may happen at all.
READS = {"resolve", "collect", "find"}
GROUPS = {
    "retain": r"swift_(bridgeObject|unknownObject|nonatomic_)?[rR]etain\w*",
    "release": r"swift_(bridgeObject|unknownObject|nonatomic_)?[rR]elease\w*",
    "exclusivity": r"swift_(begin|end)Access\w*",
    "allocation": r"(malloc|calloc|realloc|posix_memalign|aligned_alloc|swift_slowAlloc)",
    "object": r"swift_allocObject",
}


def run(bench, path, count, folder):
    output = pathlib.Path(folder) / f"{path}.{count}"
    symbol = f"*HotPath*hot{'Write' if path == 'tell' else path.capitalize()}*"
    subprocess.run(
        ["valgrind", "--tool=callgrind", f"--toggle-collect={symbol}",
         f"--callgrind-out-file={output}", bench, "--hot-path", path, "--count", str(count)],
        check=True, capture_output=True, timeout=300,
    )
    return counts(output.read_text(encoding="utf-8"))


def counts(text):
    """Instructions, and calls of each group."""
    names, called = {}, dict.fromkeys(GROUPS, 0)
    callee = None
    for line in text.splitlines():
        if found := re.match(r"c?fn=\((\d+)\)(?: (.*))?$", line):
            number, name = found.groups()
            if name:
                names[number] = name
            if line.startswith("c"):
                callee = names[number]
        elif found := re.match(r"calls=(\d+)", line):
            for group, pattern in GROUPS.items():
                if re.fullmatch(pattern, re.sub(r"'\d+$|@.*$", "", callee)):
                    called[group] += int(found.group(1))
    instructions = int(re.search(r"^(?:summary|totals): (\d+)", text, re.M).group(1))
    return {"instructions": instructions, **called}


def main(bench):
    rows, broken = [], []
    with tempfile.TemporaryDirectory() as folder:
        for path, text, (short, long), units in PATHS:
            first, second = (run(bench, path, count, folder) for count in (short, long))
            passes = (long - short) * units
            each = {key: (second[key] - first[key]) / passes for key in first}
            if each["instructions"] <= 0:
                sys.exit(f"callgrind: nothing was counted in '{path}'")
            rows.append((path, text, each))
            calls = sum(each[group] for group in GROUPS)
            # A read may call none of them; of telling, only what a commit does once.
            if path in READS and calls > 0 or path == "tell" and calls > 0.1:
                broken.append(path)
    lines = [
        "# Hot paths, counted",
        "",
        "Made by `Tests/Process/Benchmarks/callgrind.sh`. A tree of 10,000 nodes with ten children each,"
        " 30 % of them",
        "overriding (none where 1,000 registrations are notified). Everything is counted per pass:"
        " instructions of user",
        "space, and calls of the runtime for retaining, releasing, checking exclusive access,"
        " allocating.",
        "",
        "| path | instructions | retain | release | exclusivity | allocation | object |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for _, text, each in rows:
        cells = [f"{each['instructions']:,.0f}"] + [
            f"{each[group]:.3g}" for group in GROUPS]
        lines.append(f"| {text} | " + " | ".join(cells) + " |")
    lines += [
        "",
        "A read must call none of these, and nor must notifying one more registration; otherwise the"
        " script fails.",
        "A commit allocates its result, the list of notifications and changes.",
        "",
    ]
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines[6:-4]))
    if broken:
        print(f"callgrind: runtime calls in {', '.join(broken)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
