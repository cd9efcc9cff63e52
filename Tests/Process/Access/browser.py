#!/usr/bin/env python3
"""Tests in a headless Chromium that foreign web pages can neither read nor write, that an allowed page
can, and that the server's own page `/docs` shows every operation.

This script serves the other pages, on ports of their own; each page reports its results to the script
with a POST. Without a Chromium the test fails.

usage: browser.py TRAITD
"""

import contextlib
import http.client
import http.server
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

SECONDS_MAX = 300
METHODS = ["get", "put", "post", "patch", "delete"]
BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]

# The reproduction: a page of another origin writes without asking.
FOREIGN = """
async function run(api) {
  const found = {};
  const tries = {
    create: ['/v1/sessions', {method: 'POST', mode: 'no-cors'}],
    createAsText: ['/v1/sessions', {method: 'POST', mode: 'no-cors', body: '{"name":"stolen"}'}],
    layout: ['/v1/sessions/target/layout', {method: 'POST', mode: 'no-cors'}],
    put: ['/v1/sessions/stolen', {method: 'PUT', body: '{}',
          headers: {'Content-Type': 'application/json'}}],
    remove: ['/v1/sessions/target', {method: 'DELETE'}],
    read: ['/v1/sessions', {}],
  };
  for (const [name, [path, options]] of Object.entries(tries)) {
    try {
      const answer = await fetch(api + path, options);
      found[name] = answer.type === 'opaque' ? 'opaque' : await answer.text();
    } catch (error) { found[name] = 'refused'; }
  }
  const form = document.createElement('form');
  const frame = document.createElement('iframe');
  frame.name = 'sink';
  document.body.append(frame, form);
  form.method = 'POST';
  form.action = api + '/v1/sessions';
  form.enctype = 'text/plain';
  form.target = 'sink';
  const input = document.createElement('input');
  input.name = '{"name":"stolen","a":"';
  input.value = '"}';
  form.append(input);
  const loaded = new Promise(done => { frame.onload = done; });
  form.submit();
  await Promise.race([loaded, new Promise(done => setTimeout(done, 2000))]);
  return found;
}
"""

# An allowed page reads, writes and streams, with a token where one is needed.
ALLOWED = """
async function run(api, token) {
  const found = {};
  const headers = {'Content-Type': 'application/json'};
  if (token) headers.Authorization = 'Bearer ' + token;
  const made = await fetch(api + '/v1/sessions/mine', {method: 'PUT', body: '{}', headers});
  found.made = [made.status, made.headers.get('Traitd-Revision'), !!made.headers.get('ETag')];
  const node = body => fetch(api + '/v1/sessions/mine/nodes/' + body,
    {method: 'PUT', body: '{"kind":"environment"}', headers});
  await node('n');
  const read = await fetch(api + '/v1/sessions/mine', {headers});
  found.read = (await read.json()).nodes;
  const stream = await fetch(api + '/v1/sessions/mine/events', {headers});
  const reader = stream.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  const records = [];
  while (records.length < 2) {
    const {value, done} = await reader.read();
    if (done) break;
    text += decoder.decode(value, {stream: true});
    const lines = text.split('\\n');
    text = lines.pop();
    for (const line of lines) {
      records.push(JSON.parse(line).type);
      if (records.length === 1) await node('m');
    }
  }
  await reader.cancel();
  found.stream = records;
  const gone = await fetch(api + '/v1/sessions/mine', {method: 'DELETE', headers});
  found.gone = gone.status;
  return found;
}
"""

PAGE = """<!doctype html><meta charset="utf-8"><title>page</title><body><script>
%s
run(%s, %s).catch(error => ({error: String(error)})).then(found =>
  fetch('/found', {method: 'POST', body: JSON.stringify(found)}));
</script></body>"""


class Pages(http.server.ThreadingHTTPServer):
    """One origin; what its page found comes out of `found`."""

    daemon_threads = True

    def __init__(self):
        self.page = ""
        self.files = {}
        self.found = queue.Queue()
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, text, kind="text/html"):
        data = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        self.answer(self.server.files.get(self.path, self.server.page))

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.found.put(json.loads(body))
        self.answer("")


class Traitd:
    def __init__(self, binary, *arguments):
        self.process = subprocess.Popen([binary, "--port", "0", *arguments],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        self.port = int(line.rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def command(browser, folder, *arguments):
    """`evil.test` is this machine."""
    return [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}",
            "--disable-dev-shm-usage", "--host-resolver-rules=MAP *.test 127.0.0.1", *arguments]


@contextlib.contextmanager
def browsing(browser, url, *arguments):
    """A browser looks at the page meanwhile."""
    with tempfile.TemporaryDirectory(prefix="traitd-browser-", ignore_cleanup_errors=True) as folder:
        process = subprocess.Popen(
            command(browser, folder, "--remote-debugging-port=0", *arguments, url),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            yield
        finally:
            # The command may be a script that starts the browser: its whole group ends.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def findings_of(browser, pages, url):
    with browsing(browser, url):
        try:
            return pages.found.get(timeout=SECONDS_MAX)
        except queue.Empty:
            return {"error": "the page did not come to its end"}


class Trial:
    def __init__(self):
        self.count = 0
        self.failed = []

    def expect(self, what, found, wanted):
        self.count += 1
        if found != wanted:
            self.failed.append(f"{what}: {found!r} instead of {wanted!r}")


def try_foreign(trial, binary, browser):
    """Pages of another port and of another site, and a name that was made to lead here."""
    pages = Pages()
    port = pages.server_address[1]
    with Traitd(binary) as traitd:
        traitd.ask("PUT", "/v1/sessions/target", '{"updates":"layout"}')
        before = traitd.ask("GET", "/v1/sessions")
        pages.page = PAGE % (FOREIGN, json.dumps(f"http://127.0.0.1:{traitd.port}"), "null")
        for host in ["127.0.0.1", "evil.test"]:
            found = findings_of(browser, pages, f"http://{host}:{port}/")
            trial.expect(f"a page of {host} reads", found.get("read"), "refused")
            trial.expect(f"a page of {host} puts", found.get("put"), "refused")
            trial.expect(f"a page of {host} deletes", found.get("remove"), "refused")
            trial.expect(f"a page of {host} posts", found.get("create"), "opaque")
            trial.expect(f"sessions after a page of {host}", traitd.ask("GET", "/v1/sessions"),
                         before)
        text, _ = dom(browser, f"http://rebound.test:{traitd.port}/v1/sessions")
        trial.expect("a rebound name is told", "unknown-host" in text, True)
        trial.expect("a rebound name reads", '"target"' in text, False)


def try_allowed(trial, binary, browser, token_file):
    pages = Pages()
    origin = f"http://pages.test:{pages.server_address[1]}"
    token, arguments = None, ["--allow-origin", origin]
    if token_file:
        token = subprocess.run(
            [binary, "token", "new", "--tokens", token_file, "--name", "page", "--allow", "write",
             "--sessions", "mine"], capture_output=True, text=True, check=True).stdout.strip()
        arguments += ["--tokens", token_file]
    with Traitd(binary, *arguments) as traitd:
        pages.page = PAGE % (
            ALLOWED, json.dumps(f"http://127.0.0.1:{traitd.port}"), json.dumps(token))
        found = findings_of(browser, pages, origin)
    wanted = {"made": [201, "1", True], "read": 1, "stream": ["begin", "commit"], "gone": 200}
    trial.expect(f"an allowed page{' with a token' if token else ''}", found, wanted)


def dom(browser, url):
    """What a page has become after its scripts have run, and what it wrote to the console."""
    with tempfile.TemporaryDirectory(prefix="traitd-browser-", ignore_cleanup_errors=True) as folder:
        run = subprocess.run(
            command(browser, folder, "--enable-logging=stderr", "--virtual-time-budget=10000", "--dump-dom", url),
            capture_output=True, text=True, timeout=SECONDS_MAX, check=False)
    return run.stdout, [line for line in run.stderr.splitlines() if ":CONSOLE" in line]


OPEN_ALL = """<script>
const opening = setInterval(() => {
  const boxes = document.querySelectorAll('details');
  if (boxes.length === 0) return;
  clearInterval(opening);
  for (const box of boxes) box.open = true;
}, 100);
</script></html>"""


def try_words(trial, traitd, browser):
    """The page with everything opened: its text is no raw Markdown, and its links lead somewhere."""
    pages = Pages()
    pages.page = traitd.ask("GET", "/docs")[1].replace("</html>", OPEN_ALL)
    pages.files = {"/openapi.json": traitd.ask("GET", "/openapi.json")[1]}
    text, console = dom(browser, f"http://127.0.0.1:{pages.server_address[1]}/docs")
    trial.expect("the console of the opened /docs", console, [])
    trial.expect("the boxes of /docs are filled", text.count("<h3>Answers</h3>") > 80, True)
    words = re.sub(r"<(script|style|pre|code)\b.*?</\1>", "", text, flags=re.DOTALL)
    words = re.sub(r"<[^>]+>", "", words)
    raw = re.findall(r".{0,40}(?:\*\*|`|\]\(|^ *#+ |^ *\||\|---|^ *\d+\. ).{0,40}", words, re.MULTILINE)
    trial.expect("raw Markdown on /docs", raw, [])
    names = set(re.findall(r' id="([^"]+)"', text))
    lost = set()
    for link in set(re.findall(r' href="([^"]+)"', text)):
        if link.startswith("#"):
            found = link[1:] in names
        elif "://" in link:
            continue
        else:
            found = traitd.ask("GET", "/" + link.lstrip("/"))[0] == 200
        if not found:
            lost.add(link)
    trial.expect("links of /docs that lead nowhere", sorted(lost), [])


def try_docs(trial, binary, browser):
    """The page of the interface: each operation by its identifier, one of them opened by its link."""
    with Traitd(binary) as traitd:
        interface = json.loads(traitd.ask("GET", "/openapi.json")[1])
        operations = {value["operationId"]: (path, value) for path, item in interface["paths"].items()
                      for method, value in item.items() if method in METHODS}
        opened = "applySession"
        text, console = dom(browser, f"http://127.0.0.1:{traitd.port}/docs#{opened}")
        found = set(re.findall(r'<details id="([^"]+)"', text))
        trial.expect("operations missing on /docs", sorted(set(operations) - found), [])
        schemas = {"schema-" + name for name in interface["components"]["schemas"]}
        trial.expect("schemas missing on /docs", sorted(schemas - found), [])
        box = re.search(rf'<details id="{opened}" open="">.*?</details>', text, re.DOTALL)
        trial.expect("the operation of the link is open", box is not None, True)
        shown = set(re.findall(r"<td><code>(\w+)\??</code></td>", box.group() if box else ""))
        trial.expect("its parameters", {"manager", "prune", "plan", "session"} <= shown, True)
        trial.expect("the console of /docs", console, [])
        try_words(trial, traitd, browser)
        # The same way of looking sees a page that fails.
        pages = Pages()
        pages.page = "<!doctype html><script>missing()</script>"
        _, console = dom(browser, f"http://127.0.0.1:{pages.server_address[1]}/")
        trial.expect("the console of a page with an error", len(console), 1)


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print("browser: there is none; .ci/packages browser installs one")
        return 1
    trial = Trial()
    try_docs(trial, binary, browser)
    try_foreign(trial, binary, browser)
    try_allowed(trial, binary, browser, None)
    with tempfile.TemporaryDirectory() as folder:
        try_allowed(trial, binary, browser, os.path.join(folder, "tokens"))
    print("\n".join(trial.failed), end="\n" if trial.failed else "")
    print(f"{trial.count - len(trial.failed)} passed, {len(trial.failed)} failed")
    return 1 if trial.failed else 0


if __name__ == "__main__":
    sys.exit(main())
