"""Describes the machine of a run, in the same words as the engine's benchmark."""

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
