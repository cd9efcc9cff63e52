#!/usr/bin/env python3
"""Compiles code that reaches a session's state without its lock, which the compiler has to refuse.

usage: walls.py    after a debug build
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
BUILT = ROOT / ".build/debug"

# What is tried, and what the compiler has to say to it; None where it has to agree.
TRIED = [
    ("func f(_ s: Session) -> Int64 { s.withState { $0.head } }", None),
    ("func f(_ s: Session) -> Int { s.hierarchy.nodeCount }", "has no member 'hierarchy'"),
    ("func f(_ s: Session) -> Int64 { s.unlockedState.head }", "'unlockedState' is inaccessible"),
    ("func f(_ s: Session) { _ = s.withState { $0 } }", r"returning task-isolated '\$0'"),
    ("func f(_ s: Session) { _ = s.withState { $0.hierarchy } }",
     r"returning task-isolated '\$0\.hierarchy'"),
    ("func f(_ s: Session) { _ = s.withStateIfFree { s in { s.head } } }", "returning a task-isolated"),
    ("func f(_ s: Session) { s.withState { s in _ = Task { s.head } } }", "risks causing data races"),
    ("func f(_ s: Session) { s.nowOrLater { s, _ in Task { s.head } } }", "risks causing data races"),
    ("func f(_ s: SessionState) { s.queue.acknowledged = 1 }", "'queue' is inaccessible"),
]


def compiled(code, folder):
    """What the compiler writes about code in another module of the package."""
    source = pathlib.Path(folder) / "tried.swift"
    source.write_text("import TraitSessions\n" + code + "\n", encoding="utf-8")
    maps = [*BUILT.glob("*.build/module.modulemap"), *ROOT.glob("Sources/C*/module.modulemap")]
    run = subprocess.run(
        ["swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6",
         "-package-name", re.sub(r"\W", "_", ROOT.name.lower()), "-I", BUILT / "Modules",
         *(part for path in maps for part in ("-Xcc", f"-fmodule-map-file={path}")), source],
        capture_output=True, text=True)
    return run.returncode, run.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        for code, wanted in TRIED:
            status, said = compiled(code, folder)
            if (status == 0) != (wanted is None) or wanted and not re.search("error: .*" + wanted, said):
                sys.exit(f"walls: {code}\nThe compiler should say {wanted or 'nothing'}:\n{said}")


if __name__ == "__main__":
    main()
