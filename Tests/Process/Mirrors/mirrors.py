#!/usr/bin/env python3
"""Tests the mirrors of deploy/examples: a page in four tabs of a headless Chromium, and the Python script.
The mirrors follow a session whose server restarts, which is replaced, and whose history is truncated. After
each of these, a mirror must hold the values of a fresh read, and a digest must have proved it.

The page is of another origin than the server. It connects directly, through nginx under a path prefix, and
with a token by a streaming fetch. Without a Chromium or nginx the test fails.

usage: mirrors.py TRAITD
"""

import importlib.util
import json
import os
import pathlib
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path[:0] = [str(ROOT / ".ci/lib"), str(ROOT / "Tests/Process/Access")]
import browser as access  # noqa: E402
import proxying  # noqa: E402

SECONDS_MAX = 300
TABS = 4
RETAINED = 8
NODES, TRAITS = ["root", "a", "b"], ["level", "name"]
WATCHES = ["root:level,name", "a:level,name", "b:level,name"]
SESSION = {
    "traits": {"level": {"type": "int", "default": 0}, "name": {"type": "string", "default": ""}},
    "nodes": [{"id": "root", "kind": "environment"},
              *({"id": name, "kind": "environment", "parent": "root"} for name in ["a", "b"])],
}

# Opens the tabs, and reports five times a second what their mirrors hold.
HARNESS = """<!doctype html><meta charset="utf-8"><title>harness</title><script>
const tabs = []
for (let number = 0; number < %d; number++) tabs.push(window.open(%s, 'tab' + number))
setInterval(() => fetch('/found', {method: 'POST', body: JSON.stringify(tabs.map(tab => {
  const mirror = tab && tab.mirror
  return mirror ? {...mirror, cache: Object.fromEntries(mirror.cache)} : null
}))}), 200)
</script>"""


class Pages(access.Pages):
    """Serves the harness and the page."""

    def __init__(self):
        super().__init__()
        self.RequestHandlerClass = Handler


class Handler(access.Handler):
    def do_GET(self):
        if self.path.startswith("/mirror.html"):
            return self.answer((ROOT / "deploy/examples/mirror.html").read_text())
        return self.answer(self.server.page)


class Relay:
    """Forwards connections to a port, until `cut` ends them."""

    def __init__(self):
        self.target, self.pairs, self.lock = None, [], threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            with self.lock:
                try:
                    server = socket.create_connection(("127.0.0.1", self.target or 1), 2)
                except OSError:
                    client.close()
                    continue
                self.pairs.append((client, server))
            threading.Thread(target=self.pump, args=(client, server), daemon=True).start()

    @staticmethod
    def pump(client, server):
        ends = {client: server, server: client}
        try:
            while True:
                for end in select.select(list(ends), [], [])[0]:
                    data = end.recv(65536)
                    if not data:
                        return
                    ends[end].sendall(data)
        except (OSError, ValueError):
            return
        finally:
            client.close()
            server.close()

    def cut(self):
        with self.lock:
            self.target = None
            for pair in self.pairs:
                for end in pair:
                    try:
                        end.shutdown(socket.SHUT_RDWR)
                    except OSError:
                        pass
            self.pairs = []


class Stage:
    """A server behind a relay, with the session that is mirrored."""

    def __init__(self, binary, token, *arguments):
        self.arguments = [binary, "--limit", "heartbeat-seconds=1", "--limit",
                          f"retained-commits-max={RETAINED}", *arguments]
        self.token, self.relay, self.traitd = token, Relay(), None
        self.start()

    def start(self):
        self.traitd = access.Traitd(*self.arguments)
        self.make()
        self.relay.target = self.traitd.port

    def ask(self, method, path, body=None, expect=range(200, 300)):
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        connection = access.http.client.HTTPConnection("127.0.0.1", self.traitd.port, timeout=120)
        connection.request(method, "/v1/sessions/s" + path, json.dumps(body) if body else None, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        if answer.status not in expect:
            raise SystemExit(f"{method} {path} gives {answer.status}: {text}")
        return json.loads(text) if text else None

    def make(self):
        self.ask("PUT", "", SESSION)

    def set(self, node, **values):
        self.ask("PATCH", f"/nodes/{node}/overrides", values)

    def read(self):
        """The values that a mirror has to hold."""
        answer = self.ask("POST", "/resolve", {"nodes": NODES, "traits": TRAITS})
        return {f"{node['node']}\n{trait}": value
                for node in answer["nodes"] for trait, value in node["traits"].items()}

    # --- The phases.

    def change(self):
        self.set("root", level=3, name="hé\n\u2028\"")
        self.set("a", level=-1)

    def restart(self):
        self.relay.cut()
        self.traitd.__exit__()
        self.start()
        self.set("b", level=9, name="after a restart")

    def replace(self):
        self.ask("DELETE", "")
        self.make()
        self.set("root", name="another session")

    def truncate(self):
        """While no mirror is connected, makes more commits than the server retains."""
        self.relay.cut()
        for number in range(2 * RETAINED):
            self.set("a", level=100 + number, name=f"unheard {number}")
        self.relay.target = self.traitd.port

    def close(self):
        self.relay.cut()
        self.traitd.__exit__()


PHASES = ["change", "restart", "change", "replace", "change", "truncate", "change"]


def wait_until(what, probe, failed):
    """Waits until `probe` returns None; else adds what it returned to `failed`."""
    end, found = time.monotonic() + SECONDS_MAX, None
    while time.monotonic() < end:
        found = probe()
        if found is None:
            return True
        time.sleep(0.1)
    failed.append(f"{what}: {found}")
    return False


def difference(mirrors, fresh, proofs):
    """The fault of one mirror; None when all hold `fresh` and have proved it since `proofs`."""
    for number, mirror in enumerate(mirrors):
        if mirror is None:
            return f"mirror {number} is not there"
        if mirror["wrong"]:
            return f"mirror {number} was wrong {mirror['wrong']} times"
        if not mirror["isWhole"] or mirror["cache"] != fresh:
            return f"mirror {number} holds {mirror['cache']} instead of {fresh}"
        if mirror["proofs"] <= proofs[number]:
            return f"mirror {number} has proved nothing since"
    return None


def play(name, stage, mirrors, failed):
    """Runs all phases. `mirrors` returns the present state of all mirrors."""
    def check(phase):
        fresh = stage.read()
        if not wait_until(f"{name}, {phase}", lambda: difference(mirrors(), fresh, proofs), failed):
            return False
        proofs[:] = [mirror["proofs"] for mirror in mirrors()]
        return True

    proofs = [0] * 100
    if not check("at first"):
        return None
    for phase in PHASES:
        getattr(stage, phase)()
        if not check(phase):
            return None
    return [mirror["resets"] for mirror in mirrors()]


def expect_resets(name, all_resets, failed):
    for number, resets in enumerate(all_resets or []):
        for reason in ["sessionReplaced", "historyGone"]:
            if reason not in resets:
                failed.append(f"{name}: mirror {number} was reset for {resets}, not for {reason}")


def tabs(browser, url):
    """A browser looks meanwhile at a page that opens others, which run as fast as it does."""
    return access.browsing(
        browser, url, "--disable-popup-blocking", "--ignore-certificate-errors",
        "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
        f"--host-resolver-rules=MAP {proxying.NAME} 127.0.0.1")


def try_page(name, browser, stage, api, pages, failed, resumes=True):
    query = "&".join([f"api={api}/v1/sessions/s"] + ["watch=" + watch for watch in WATCHES])
    fragment = f"#token={stage.token}" if stage.token else ""
    pages.page = HARNESS % (TABS, json.dumps(f"/mirror.html?{query}{fragment}"))
    latest = [None] * TABS

    def mirrors():
        while not pages.found.empty():
            latest[:] = pages.found.get()
        return list(latest)

    with tabs(browser, f"http://127.0.0.1:{pages.server_address[1]}/"):
        resets = play(name, stage, mirrors, failed)
        # While nginx answers 502, EventSource gives up, and the page starts again without a reset.
        if resumes:
            expect_resets(name, resets, failed)


def try_script(stage, failed):
    """deploy/examples/mirror.py, in this process."""
    specification = importlib.util.spec_from_file_location("mirror", ROOT / "deploy/examples/mirror.py")
    script = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(script)
    state = {"cache": {}, "wrong": 0, "isWhole": False, "proofs": 0, "resets": []}
    held, lock = {}, threading.Lock()

    def say(text, **_):
        """Takes the script's messages. Failed connections are expected, wrong digests are not."""
        if "the mirror is wrong" in text:
            with lock:
                state["wrong"] += 1

    script.print = say

    def told(record):
        with lock:
            if record["type"] in ("reset", "gap"):
                state["resets"].append(record.get("reason", "gap"))
            state["isWhole"] = record["type"] not in ("reset", "gap", "state", "begin") or (
                state["isWhole"] and record["type"] == "begin")
            state["proofs"] += "digest" in record
            state["cache"] = {"\n".join(pair): value for pair, value in held.items()}

    def mirrors():
        with lock:
            return [dict(state)]

    url = f"http://127.0.0.1:{stage.relay.port}/v1/sessions/s/events?" + "&".join(
        "watch=" + watch for watch in WATCHES)
    threading.Thread(target=script.mirror, args=(url, held, told), daemon=True).start()
    expect_resets("script", play("script", stage, mirrors, failed), failed)


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    browser = next(filter(None, map(shutil.which, access.BROWSERS)), None)
    if browser is None:
        print("mirrors: Chromium is missing; .ci/packages installs it")
        return 1
    failed = []
    stage = Stage(binary, None)
    try_script(stage, failed)
    stage.close()
    pages = Pages()
    origin = f"http://127.0.0.1:{pages.server_address[1]}"
    with tempfile.TemporaryDirectory() as work:
        stage = Stage(binary, None, "--allow-origin", origin)
        try_page("page", browser, stage, f"http://127.0.0.1:{stage.relay.port}", pages, failed)
        stage.close()

        tokens = os.path.join(work, "tokens")
        token = subprocess.run(
            [binary, "token", "new", "--tokens", tokens, "--name", "page", "--allow", "write",
             "--sessions", "s"], capture_output=True, text=True, check=True).stdout.strip()
        stage = Stage(binary, token, "--allow-origin", origin, "--tokens", tokens)
        try_page("page with a token", browser, stage, f"http://127.0.0.1:{stage.relay.port}", pages,
                 failed)
        stage.close()

        proxying.certify(work)
        stage = Stage(binary, None, "--allow-origin", origin, "--allow-host", proxying.NAME)
        port = proxying.free_port()
        with proxying.nginx(work, f"127.0.0.1:{stage.relay.port}", port):
            try_page("page behind nginx", browser, stage,
                     f"https://{proxying.NAME}:{port}/traits", pages, failed, resumes=False)
        stage.close()
    print("\n".join(failed), end="\n" if failed else "")
    print(f"mirrors: {len(PHASES) + 1} phases, {len(failed)} findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
