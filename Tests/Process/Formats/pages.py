#!/usr/bin/env python3
"""A page in a headless Chromium follows feature flags as the web provider of OpenFeature does, with and without tokens.

`@openfeature/ofrep-web-provider` comes from npm alone, so PROVIDER below does what version 0.4 does with event streams:
it evaluates all flags with `fetch`, opens an EventSource at the announced address, evaluates again 50 ms after a notice
with the notice's tag, reports the flags that changed, and after a stream that the browser gives up it evaluates again
with a pause that grows. The page is of another origin, which the server allows.

Each commit must reach the page by its stream, and nothing may be evaluated more often than that takes. An expired
ticket is shown with a broken one: the page must get another. The median of the times is printed.

deploy/examples/live.html must take each change of its node by another style sheet.

usage: pages.py TRAITD
"""

import http.server
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path.insert(0, str(ROOT / ".ci/lib"))
from traitd_server import Server  # noqa: E402

try:
    from playwright.sync_api import TimeoutError, sync_playwright  # noqa: A004
except ImportError:
    print("pages: skipped, no playwright (.ci/tools)")
    sys.exit(0)

SESSION, NODE = "/v1/sessions/acme-configuration", "acme"
CHANGES, WAIT_MILLISECONDS, EXTRA_EVALUATIONS_MAX = 10, 20_000, 4
LEVELS = ["debug", "info", "notice", "warning"]
BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
PROVIDER = """
window.follow = (base, token) => {
  const seen = window.seen = {changes: [], evaluations: 0, streams: 0, closed: 0, streaming: false};
  const headers = {'Content-Type': 'application/json', ...(token ? {Authorization: 'Bearer ' + token} : {})};
  let values = null, tag = null, address = null, source = null, timer = 0, failures = 0;
  const evaluate = async (notice) => {
    seen.evaluations += 1;
    const query = notice?.etag ? '?flagConfigEtag=' + encodeURIComponent(notice.etag) : '';
    const answer = await fetch(base + '/ofrep/v1/evaluate/flags' + query, {
      method: 'POST', headers: tag && !query ? {...headers, 'If-None-Match': tag} : headers,
      body: JSON.stringify({context: {targetingKey: window.node}})});
    if (answer.status === 304) return connect(address);
    const body = await answer.json();
    tag = answer.headers.get('ETag');
    const next = Object.fromEntries(body.flags.map((flag) => [flag.key, JSON.stringify(flag.value)]));
    const changed = Object.keys(next).filter((key) => values && values[key] !== next[key]);
    values = next;
    if (changed.length) seen.changes.push({changed, level: next.logLevel, at: Date.now()});
    const stream = (body.eventStreams ?? []).find((one) => one.type === 'sse');
    connect(stream && new URL(stream.endpoint.requestUri, new URL(base).origin).href);
  };
  const connect = (wanted) => {
    if (wanted === address && source) return;
    source?.close();
    source = null;
    address = wanted;
    if (!wanted) return;
    seen.streams += 1;
    const opened = source = new EventSource(window.spoil ? window.spoil(wanted) : wanted);
    opened.addEventListener('message', (event) => {
      seen.streaming = true;
      failures = 0;
      clearTimeout(timer);
      timer = setTimeout(() => evaluate(JSON.parse(event.data)), 50);
    });
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED) return;
      seen.closed += 1;
      source = null;
      tag = null;
      setTimeout(evaluate, 250 * 2 ** Math.min(failures++, 6));
    });
  };
  return evaluate();
};
"""


class Pages(http.server.BaseHTTPRequestHandler):
    """One page at every address."""

    page = "<!doctype html><title>flags</title>"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.page.encode())

    def log_message(self, *_):
        pass


def put(server, level, token):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer, data = server.ask("PUT", f"{SESSION}/nodes/{NODE}/overrides/logLevel", {"value": level}, headers)
    if answer.status != 200:
        sys.exit(f"pages: an override is answered {answer.status} {data.decode()}")


def follow(chromium, server, site, token, spoil=""):
    """Returns faults, and the milliseconds from the answer of each commit to the page's change."""
    page = chromium.new_page()
    page.set_default_timeout(WAIT_MILLISECONDS)
    page.goto(site)
    page.evaluate(PROVIDER + f"window.node = '{NODE}'; {spoil} null")
    put(server, "error", token)
    page.evaluate("([base, token]) => window.follow(base, token)", [f"http://{server.address}{SESSION}", token])
    times, faults = [], []
    try:
        page.wait_for_function("window.seen.streaming")
        for run in range(CHANGES):
            level = LEVELS[run % len(LEVELS)]
            start = time.time()
            put(server, level, token)
            wanted = json.dumps(json.dumps(level))
            page.wait_for_function(f"window.seen.changes.at(-1)?.level === {wanted}")
            times.append(page.evaluate("window.seen.changes.at(-1).at") - start * 1_000)
    except TimeoutError:
        faults.append(f"after {len(times)} changes the page saw none within {WAIT_MILLISECONDS} ms")
    seen = page.evaluate("window.seen")
    page.close()
    if seen["evaluations"] > CHANGES + EXTRA_EVALUATIONS_MAX:
        faults.append(f"{seen['evaluations']} evaluations for {CHANGES} changes")
    if bool(seen["closed"]) != bool(spoil):
        faults.append(f"the browser gave up {seen['closed']} streams")
    return faults, times


def live(chromium, binary, site):
    """Returns faults of the example whose page loads its sheet again at each change."""
    with Server(binary, "--load", str(ROOT / "deploy/examples/ipad-mail.json"), "--allow-origin", site) as server:
        text = (ROOT / "deploy/examples/live.html").read_text(encoding="utf-8")
        Pages.page = text.replace("127.0.0.1:8080", server.address)
        page = chromium.new_page()
        page.set_default_timeout(WAIT_MILLISECONDS)
        page.goto(site)
        shown = "getComputedStyle(document.documentElement).getPropertyValue('--trait-displayScale')"
        try:
            page.wait_for_function(f"{shown} === '2'")
            for scale in ["3", "1.5", "4"]:
                server.value("PUT", "/v1/sessions/ipad-mail/nodes/scene/overrides/displayScale", {"value": float(scale)})
                page.wait_for_function(f"{shown} === '{scale}'")
            page.wait_for_function("document.querySelectorAll('link').length === 1")
        except TimeoutError:
            return [f"live.html shows {page.evaluate(shown)!r} and not what was set"]
        finally:
            page.close()
        return []


def main():
    binary = sys.argv[1]
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        sys.exit("pages: there is no Chromium; .ci/packages browser installs one")
    web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    site = f"http://localhost:{web.server_port}"
    example = str(ROOT / "deploy/examples/acme-configuration.json")
    faults = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        tokens, log = f"{folder}/tokens", f"{folder}/access"
        token = subprocess.run(
            [binary, "token", "new", "--tokens", tokens, "--name", "page", "--allow", "write", "--sessions", "*"],
            capture_output=True, text=True, check=True).stdout.split()[-1]
        chromium = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"])
        spoil = "window.spoil = (address) => { window.spoil = null; return address.replace(/.$/, '_'); };"
        for name, options, given, spoiled in [
                ("without tokens", [], None, ""), ("with tokens", ["--tokens", tokens], token, ""),
                ("with a spoiled ticket", ["--tokens", tokens], token, spoil)]:
            with Server(binary, "--load", example, "--allow-origin", site, "--access-log", "text",
                        "--access-log-file", log, *options) as server:
                found, times = follow(chromium, server, site, given, spoiled)
            faults += [f"{name}: {fault}" for fault in found]
            if times:
                print(f"pages: {name} a change is seen {statistics.median(times):.0f} ms after its commit was sent")
        faults += live(chromium, binary, site)
        chromium.close()
        lines = pathlib.Path(log).read_text(encoding="utf-8")
        if "ticket=traitd_" not in lines or any(
                len(rest.split('"')[0].split("_")[-1]) > 3 for rest in lines.split("ticket=")[1:]):
            faults.append("the access log shows a ticket, or no stream")
    for fault in faults:
        print(f"pages: {fault}", file=sys.stderr)
    print(f"{int(not faults)} passed, {len(faults)} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
