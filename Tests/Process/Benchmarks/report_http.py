"""Writes the figures of measurements over sockets, http.json and streams.json, as text."""

import sys

sys.dont_write_bytecode = True
from report_words import bars_table, machine_text, number  # noqa: E402


def spread(one, digits):
    return f"{one['median']:.{digits}f} ({one['min']:.{digits}f}–{one['max']:.{digits}f})"


def http_table(http):
    yield ("| | requests/s | p50 ms | p99 ms | CPU µs a request | rate, C = 1 | CPU, C = 1 |"
           " p99, C = 1 |")
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for load in http["loads"]:
        cells = [number(load["rate"]["median"]), f"{load['p50']['median']:.2f}",
                 spread(load["p99"], 2), f"{load['cpu']['median']:.1f}",
                 spread(load["rateRatio"], 2), spread(load["cpuRatio"], 2),
                 spread(load["p99Ratio"], 2) if load["p99"]["median"] > 0 else ""]
        yield f"| {load['name']} | " + " | ".join(cells) + " |"


def wire_part(http, streams):
    """What is measured with a client at the other end of a socket."""
    if http:
        yield "### Over HTTP"
        yield ""
        yield (f"{machine_text(http['machine'])}. {http['rounds']} rounds of {http['seconds']} s a"
               f" load, {http['connections']} connections unless said otherwise, server and load"
               " generator on a core each; median (lowest–highest). C is a minimal epoll loop, whose"
               " figure of the same round is 1.")
        yield ""
        yield from http_table(http)
        yield ""
        yield from bars_table(http["bars"])
        yield ""
    if streams:
        yield "### Streams"
        yield ""
        yield f"{machine_text(streams['machine'])}. {streams['text']}"
        yield ""
        yield "| | median (lowest–highest) | |"
        yield "|---|---:|---|"
        for one in streams["figures"]:
            yield f"| {one['name']} | {spread(one, one.get('digits', 2))} | {one['unit']} |"
        yield ""
        yield from bars_table(streams["bars"])
        yield ""


# The loads that README shows: how much more than a minimal C loop a request costs.
README_LOADS = [
    ("GET /livez", "GET of `/livez`"), ("GET three traits", "GET of three traits"),
    ("GET all traits", "GET of all traits of a node"), ("PUT override", "PUT of an override"),
]


def readme_http(http):
    if not http:
        return
    yield (f"Over HTTP, in a run of its own, on {machine_text(http['machine'])}; {http['connections']}"
           " connections, server and load generator on a core each:")
    yield ""
    yield "| | median | CPU, lowest – highest |"
    yield "|---|---:|---:|"
    for load in http["loads"]:
        for name, text in README_LOADS:
            if load["name"] == name:
                ratio = load["cpuRatio"]
                yield (f"| {text} | {number(load['rate']['median'])}/s, CPU"
                       f" {ratio['median']:.2f} times a minimal C loop's |"
                       f" {ratio['min']:.2f} – {ratio['max']:.2f} |")
    yield ""
