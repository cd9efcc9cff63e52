#!/usr/bin/env python3
"""Turns the JSON of docs/performance into charts, tables and the performance part of README.md.

Every figure that a person reads there comes out of this program, so none can drift away from the
run it belongs to.

usage: report.py                       rewrites charts and texts
       report.py --check ENGINE NAMES  whether a run's JSON has every figure that --list names
"""

import json
import pathlib
import sys

sys.dont_write_bytecode = True
from plots import Chart, Series  # noqa: E402
from report_http import readme_http, wire_part  # noqa: E402
from report_words import bars_table, machine_text, number, quantity  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
FOLDER = ROOT / "docs/performance"


class Figures:
    """The measurements of one run, to be asked by name and tree."""

    def __init__(self, report):
        self.all = report["measurements"]

    def select(self, name, **wanted):
        return [one for one in self.all if one["name"] == name
                and all(one.get(key) == value for key, value in wanted.items())]

    def one(self, name, **wanted):
        found = self.select(name, **wanted)
        return found[0] if found else None

    def points(self, name, by="nodes", **wanted):
        return [(one[by], one["median"], one["p25"], one["p75"])
                for one in self.select(name, **wanted) if one["median"] > 0]


def charts(figures, chromium):
    """Name and chart, without those that the run has too little for."""
    shares = [(0, "none overriding"), (1, "1 % overriding"), (30, "30 % overriding")]
    yield "resolve", Chart(
        "Resolving one trait at a random node, ten children a node", "nodes", "ns a read",
        [Series(f"{text}, isolated", figures.points(
            "resolve.one.isolated", shape="wide", overridingPercent=share))
            for share, text in shares]
        + [Series(f"{text}, overlapping", figures.points(
            "resolve.one.overlapping", shape="wide", overridingPercent=share), dashed=True)
            for share, text in shares])
    yield "chain", Chart(
        "Resolving in a chain, warm and isolated", "levels", "ns a read",
        [Series(f"one, {text}", figures.points(
            "resolve.one.isolated", shape="chain", overridingPercent=share))
            for share, text in shares]
        + [Series(f"all 42, {text}", figures.points(
            "resolve.all.isolated", shape="chain", overridingPercent=share), dashed=True)
            for share, text in shares]
        + [Series("bottom, set nowhere", figures.points(
            "resolve.absent.isolated", shape="chain", overridingPercent=0))])
    browser = [
        (one["readers"], one["chromium"]["median"], one["chromium"]["p25"],
         one["chromium"]["p75"]) for one in (chromium or {}).get("comparisons", [])]
    # Chromium keeps its place in the palette whether or not there is one.
    compared = figures.select("commit.root")
    size = compared[0]["nodes"] if compared else 0
    yield "commit", Chart(
        f"A change at the root of {size:,} nodes", "notified", "µs a commit",
        [Series("traitd", figures.points("commit.root", by="registrations")),
         Series("naive engine", figures.points("commit.root.naive", by="registrations")),
         Series((chromium or {}).get("browser", "Chromium").rsplit(".", 3)[0], browser)])
    yield "memory", Chart(
        "Memory, identifiers of 8 bytes, ten children a node", "nodes", "bytes a node",
        [Series("nodes and names, in use", figures.points(
            "memory.used", shape="wide", overridingPercent=0)),
         Series("values at 30 % overriding", figures.points(
             "memory.values", shape="wide", overridingPercent=30)),
         Series("process, none overriding", resident(figures, 0), dashed=True),
         Series("process, 30 % overriding", resident(figures, 30), dashed=True)],
        y_log=False)
    yield "build", Chart(
        "Building a tree in one commit", "nodes", "nodes a second",
        [Series(text, [(x, 1e9 / y, 1e9 / high, 1e9 / low) for x, y, low, high in
                       figures.points("build", shape=shape)])
         for shape, text in (("wide", "ten children a node"), ("random", "random parents"),
                             ("star", "one parent"), ("chain", "chain"))]
        + [Series("from a file, whole server", [
            (one["nodes"], one["median"], one["p25"], one["p75"])
            for one in figures.select("load.nodes-per-second")])])


def resident(figures, share):
    """What a process of its own grew by; below 100,000 nodes that is mostly the process."""
    return [point for point in figures.points(
        "memory.resident", shape="wide", overridingPercent=share) if point[0] >= 100_000]


# MARK: Texts


def figures_table(figures):
    yield "| | tree | median | lowest | p25 | p75 | highest | times |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|"
    for one in figures.all:
        cells = [quantity(one[key], one["unit"]) for key in ("median", "min", "p25", "p75", "max")]
        yield (f"| `{one['name']}` | {tree(one)} | " + " | ".join(cells)
               + f" | {one['repetitions']} |")


def tree(one):
    parts = []
    if one["nodes"] > 0:
        parts.append(f"{one.get('shape', '')} {one['nodes']:,}".strip())
    if one["overridingPercent"] > 0:
        parts.append(f"{one['overridingPercent']} % overriding")
    if one["registrations"] > 0:
        parts.append(f"{one['registrations']:,} registrations")
    return ", ".join(parts + ([one["detail"]] if one["detail"] else []))


# What README shows of the bars: the ones a user would ask for first.
README_ROWS = [
    ("one trait of a random node, by itself", "resolve.one.isolated",
     {"shape": "wide", "nodes": 1_000_000, "overridingPercent": 1}),
    ("all 42 traits of a random node, by itself", "resolve.all.isolated",
     {"shape": "wide", "nodes": 1_000_000, "overridingPercent": 1}),
    ("one trait in a chain of 10,000", "resolve.one.isolated",
     {"shape": "chain", "nodes": 10_000, "overridingPercent": 1}),
    ("an override at the root that notifies 1,000 registrations", "override.change",
     {"shape": "wide", "nodes": 1_000_000, "registrations": 1_000, "overridingPercent": 0,
      "detail": "at the root"}),
    ("an override that notifies no registration", "override.change",
     {"shape": "wide", "nodes": 1_000_000, "registrations": 0, "overridingPercent": 0,
      "detail": "at the root"}),
    ("memory of a node with its name", "memory.used",
     {"shape": "wide", "nodes": 1_000_000, "overridingPercent": 0}),
    ("loading a file of 1,000,000 nodes", "load.nodes-per-second", {"nodes": 1_000_000}),
]


def readme_part(figures, report, chromium, http, bars):
    compared = figures.one("commit.root.ratio", registrations=1_000)
    yield f"The engine on {machine_text(report['machine'])}; 1,000,000 nodes unless said otherwise:"
    yield ""
    yield "| | median | middle half |"
    yield "|---|---:|---:|"
    for text, name, wanted in README_ROWS:
        if one := figures.one(name, **wanted):
            spread = f"{quantity(one['p25'], one['unit'])} – {quantity(one['p75'], one['unit'])}"
            yield f"| {text} | {quantity(one['median'], one['unit'])} | {spread} |"
    if compared:
        yield (f"| 1,000 of {compared['nodes']:,} nodes notified: against a naive engine |"
               f" {number(compared['median'])} times faster | |")
    for one in (chromium or {}).get("comparisons", []):
        if one["readers"] == 1_000:
            yield (f"| the same against the styles of {chromium['browser'].rsplit('.', 3)[0]} |"
                   f" {number(one['ratio'])} times faster | |")
    yield ""
    yield from readme_http(http)
    yield "![Resolving by size](docs/performance/resolve.svg)"
    yield "![A change by how many registrations it notifies](docs/performance/commit.svg)"
    yield ""
    held = sum(bar["holds"] for bar in bars)
    yield (f"{held} of {len(bars)} targets hold in these runs. [docs/performance](docs/performance/"
           "README.md) has them all, with every figure, the method, and how to repeat it.")


def docs_part(figures, report, chromium, http, streams, names):
    bars = report["bars"] + (chromium["bars"] if chromium else [])
    yield f"Machine: {machine_text(report['machine'])}."
    agreed = report["agreement"]
    core = report["core"]
    yield (f"Of {sum(core[key] for key in ('free', 'waited', 'shared')):,} repetitions {core['free']:,}"
           f" found the core free, {core['waited']:,} waited until it was ({core['seconds']:.0f} s in all),"
           f" and {core['shared']:,} shared it.")
    yield (f"Seed {report['seed']}, {report['passes']} passes; both engines agreed on {agreed['values']:,} values and"
           f" {agreed['notifications']:,} notifications of {agreed['commits']:,} commits.")
    yield ""
    yield "### Targets"
    yield ""
    yield from bars_table(bars)
    yield ""
    yield "### Charts"
    yield ""
    for name, title in names:
        yield f"![{title}]({name}.svg)"
    yield ""
    if chromium:
        yield "### Beside a browser engine"
        yield ""
        yield f"{chromium['browser']}, headless, {chromium['comparisons'][0]['nodes']:,} rendered elements:"
        yield ""
        yield "| readers | Chromium | traitd | |"
        yield "|---:|---:|---:|---:|"
        for one in chromium["comparisons"]:
            yield (f"| {one['readers']:,} | {quantity(one['chromium']['median'], 'µs')} |"
                   f" {quantity(one['engine']['median'], 'µs')} |"
                   f" {number(one['ratio'])} times faster |")
        yield ""
    yield from wire_part(http, streams)
    if report["skipped"]:
        yield "### Left out"
        yield ""
        for one in report["skipped"]:
            yield f"- `{one['name']}`: {one['reason']}"
        yield ""
    yield "Every figure of the engine with its spread: [figures.md](figures.md)."


def figures_page(figures, report):
    yield "# Every figure of the engine"
    yield ""
    yield f"Made by `make bench`. {machine_text(report['machine'])}."
    yield ""
    yield from figures_table(figures)
    yield ""


def replace_part(path, lines):
    begin, end = "<!-- figures: made by make bench -->", "<!-- end of figures -->"
    before, found, rest = path.read_text(encoding="utf-8").partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        sys.exit(f"report: {path.name} has no part for figures")
    body = "\n".join(lines)
    path.write_text(f"{before}{begin}\n\n{body}\n\n{end}{after}", encoding="utf-8")


def load(name):
    path = FOLDER / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def write():
    report, chromium, http, streams = (
        load(f"{name}.json") for name in ("engine", "chromium", "http", "streams"))
    if report is None:
        sys.exit("report: no docs/performance/engine.json; run make bench-engine")
    figures = Figures(report)
    bars = [bar for one in (report, chromium, http, streams) if one for bar in one["bars"]]
    names = []
    for name, chart in charts(figures, chromium):
        (FOLDER / f"{name}.svg").write_text(chart.svg(), encoding="utf-8")
        names.append((name, chart.title))
    replace_part(FOLDER / "README.md",
                 docs_part(figures, report, chromium, http, streams, names))
    (FOLDER / "figures.md").write_text(
        "\n".join(figures_page(figures, report)), encoding="utf-8")
    replace_part(ROOT / "README.md", readme_part(figures, report, chromium, http, bars))
    missed = [bar["title"] for bar in bars if not bar["holds"]]
    print(f"report: {len(bars) - len(missed)} of {len(bars)} targets hold")
    for title in missed:
        print(f"report: missed: {title}")


def check(engine, names):
    report = json.loads(pathlib.Path(engine).read_text(encoding="utf-8"))
    listed = pathlib.Path(names).read_text(encoding="utf-8").split()
    there = {one["name"] for one in report["measurements"]}
    skipped = {one["name"]: one["reason"] for one in report["skipped"]}
    problems = [f"{name} is neither measured nor skipped" for name in listed
                if name not in there and name not in skipped]
    problems += [f"{name} is measured and not listed" for name in there if name not in listed]
    for one in report["measurements"]:
        ordered = [one[key] for key in ("min", "p25", "median", "p75", "max")]
        if ordered != sorted(ordered) or one["repetitions"] < 1:
            problems.append(f"{one['name']} has no sensible spread: {ordered}")
        if one["repetitions"] % report["passes"]:
            problems.append(f"{one['name']} was not measured in every pass")
    if not report["agreement"]["notifications"] or not report["agreement"]["values"]:
        problems.append("nothing was compared with the naive engine")
    print("\n".join(problems) or f"benchmark: {len(report['measurements'])} figures of"
          f" {len(there)} kinds, {len(skipped)} left out: {', '.join(skipped) or 'none'}")
    return 1 if problems or not listed else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--check"] and len(sys.argv) == 4:
        sys.exit(check(sys.argv[2], sys.argv[3]))
    if len(sys.argv) != 1:
        sys.exit(__doc__)
    write()
