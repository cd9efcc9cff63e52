"""Describes the machine of a run: what makes figures of two runs comparable, or shows that they are not. No names of
hosts or people. As a command it prints the description as JSON, for traitd-bench."""

import json
import os
import pathlib
import platform
import re
import subprocess


def _read(path):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def _caches():
    for folder in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        kind = {"Data": "d", "Instruction": "i"}.get(_read(folder / "type"), "")
        yield f"L{_read(folder / 'level')}{kind} {_read(folder / 'size')}"


def _compiler():
    try:
        text = subprocess.run(["swift", "--version"], capture_output=True, text=True,
                              check=True, timeout=30).stdout
    except (OSError, subprocess.SubprocessError):
        return "unknown compiler"
    found = re.search(r"Swift version \S+", text)
    return found.group(0) if found else "unknown compiler"


def describe():
    processor = re.search(r"^model name\s*:\s*(.*)$", _read("/proc/cpuinfo"), re.M)
    return {
        "processor": processor.group(1) if processor else platform.processor(),
        "cores": os.cpu_count(),
        "caches": list(_caches()),
        "memoryBytes": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
        # What follows the version number names a build of the kernel.
        "kernel": f"Linux {re.match(r'[0-9.]*', platform.release()).group()}",
        "architecture": platform.machine(),
        "compiler": _compiler(),
    }


if __name__ == "__main__":
    print(json.dumps(describe()))
