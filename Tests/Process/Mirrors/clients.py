#!/usr/bin/env python3
"""Tests the JavaScript client in a browser: eight tabs with `shared: true` follow a session through one stream.

The server restarts, its session is made anew, its history is truncated, and the tab that holds the stream is closed.
After each, every tab must hold the values of a fresh read, and so must the changes that it has received. The page is of
another origin than the server, and imports `/client.js` from it: directly, and through nginx under a path prefix.
Without a Chromium or nginx the test fails.

usage: clients.py TRAITD
"""

import contextlib
import json
import pathlib
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
import mirrors  # noqa: E402
from mirrors import access, proxying  # noqa: E402

TABS = 8
WATCHES = {node: mirrors.TRAITS for node in mirrors.NODES}

# Opens the tabs, reports five times a second what they hold, and closes those that the test names.
HARNESS = """<!doctype html><meta charset="utf-8"><title>harness</title><script>
const tabs = Array.from({length: %d}, (_, number) => window.open('/tab', 'tab' + number))
setInterval(async () => {
  const found = tabs.map(tab => tab && !tab.closed && tab.report ? tab.report() : null)
  const answer = await fetch('/found', {method: 'POST', body: JSON.stringify(found)})
  for (const number of await answer.json()) tabs[number].close()
}, 200)
</script>"""

TAB = """<!doctype html><meta charset="utf-8"><title>tab</title><script type="module">
import {Client, canonical} from '%(api)s/client.js'
const session = new Client('%(api)s', {shared: true, backoff: [100, 500]}).session('s')
const key = change => change.node + '\\n' + change.trait
const flat = values => Object.fromEntries(Object.entries(values).flatMap(([node, traits]) =>
  Object.entries(traits).map(([trait, value]) => [node + '\\n' + trait, value])))
let watch, replayed = null, wrong = 0, polls = 0
addEventListener('unhandledrejection', () => wrong++)
function open() {
  replayed = null
  const made = watch = session.watch(%(watches)s, {
    onChange(change) {
      if (replayed === null || canonical(replayed[key(change)]) !== canonical(change.previous)) wrong++
      if (change.current === undefined) delete replayed[key(change)]
      else replayed[key(change)] = change.current
    },
    onState(state) {
      if (state === 'ready') replayed ??= flat(made.snapshot())
      if (state === 'closed') setTimeout(open, 300)
    },
  })
}
open()
window.report = () => {
  const cache = flat(watch.snapshot())
  const isWhole = watch.state === 'ready' && replayed !== null && canonical(cache) === canonical(replayed)
  return {cache, isWhole, wrong, proofs: ++polls, resets: []}
}
</script>"""


class Handler(access.Handler):
    def do_GET(self):
        self.answer(self.server.tab if self.path == "/tab" else self.server.page)

    def do_POST(self):
        self.server.found.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        closing, self.server.closing = self.server.closing, []
        self.answer(json.dumps(closing), "application/json")


class Tabs:
    """The tabs of a browser, and what they hold."""

    def __init__(self, api):
        self.pages = access.Pages()
        self.pages.RequestHandlerClass, self.pages.closing = Handler, []
        self.origin = f"http://127.0.0.1:{self.pages.server_address[1]}"
        self.pages.page = HARNESS % TABS
        self.api, self.latest, self.closed = api, [None] * TABS, set()

    def mirrors(self):
        while not self.pages.found.empty():
            self.latest = self.pages.found.get()
        return [mirror for number, mirror in enumerate(self.latest) if number not in self.closed]

    def close(self, number):
        self.closed.add(number)
        self.pages.closing = [number]


def streams(stage):
    """How many streams the server has open."""
    connection = access.http.client.HTTPConnection("127.0.0.1", stage.traitd.port, timeout=120)
    connection.request("GET", "/metrics")
    found = re.findall(r"^traitd_streams(?:\{[^}]*\})? (\d+)$", connection.getresponse().read().decode(), re.M)
    return sum(map(int, found))


def play(name, stage, tabs, failed):
    def check(phase):
        fresh, before = stage.read(), [0] * TABS
        return mirrors.wait_until(f"{name}, {phase}", lambda: mirrors.difference(tabs.mirrors(), fresh, before), failed)

    def one_stream(phase):
        return mirrors.wait_until(f"{name}, {phase}", lambda: None if streams(stage) == 1 else
                                  f"{streams(stage)} streams for {TABS} tabs", failed)

    if not check("at first") or not one_stream("at first"):
        return
    for phase in mirrors.PHASES:
        getattr(stage, phase)()
        if not check(phase):
            return
    # One of the tabs holds the stream. When all but one are closed one by one, the last one has taken over.
    for number in range(TABS - 1):
        tabs.close(number)
        stage.set("a", level=500 + number)
        if not check(f"tab {number} closed") or not one_stream(f"tab {number} closed"):
            return


def run(name, binary, browser, failed, behind=None):
    tabs = Tabs(None)
    stage = mirrors.Stage(binary, None, "--allow-origin", tabs.origin, "--allow-host", proxying.NAME)
    tabs.api = behind or f"http://127.0.0.1:{stage.relay.port}"
    tabs.pages.tab = TAB % {"api": tabs.api, "watches": json.dumps(WATCHES)}
    yield stage
    with contextlib.closing(stage), mirrors.tabs(browser, tabs.origin + "/"):
        play(name, stage, tabs, failed)


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    browser = next(filter(None, map(shutil.which, access.BROWSERS)), None)
    if browser is None:
        print("clients: Chromium is missing; .ci/packages installs it")
        return 1
    failed = []
    for _ in run("tabs", binary, browser, failed):
        pass
    with tempfile.TemporaryDirectory() as work:
        proxying.certify(work)
        port = proxying.free_port()
        started = run("tabs behind nginx", binary, browser, failed, f"https://{proxying.NAME}:{port}/traits")
        stage = next(started)
        with proxying.nginx(work, f"127.0.0.1:{stage.relay.port}", port):
            next(started, None)
    print("\n".join(failed), end="\n" if failed else "")
    print(f"clients: {TABS} tabs, {len(failed)} findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
