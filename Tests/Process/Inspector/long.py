"""The flows of `make gate`: a server that restarts or stands behind a proxy, and a session of 1,000,000 nodes."""

import json
import re
import signal

import proxying
from world import HIERARCHY, SESSION, WAIT_MILLISECONDS, Server, folder, put, revision

KEY_MILLISECONDS_MAX = 100
HEAP_BYTES_MAX = 50_000_000
ANSWER_BYTES_MAX = 262_144
ROWS_MAX = 300
NODES, FAN_OUT = 1_000_000, 10


class Restarting:
    """A server that keeps its port and its data over restarts."""

    def __init__(self, binary, path):
        self.port, self.server = proxying.free_port(), None
        self.arguments = [binary, "--port", str(self.port), "--data-dir", str(path)]

    def __enter__(self):
        self.server = Server(self.arguments[0], *self.arguments[3:])
        self.server.command = self.arguments
        self.server.__enter__()
        return self.server

    def __exit__(self, *error):
        self.server.__exit__(*error)

    def restart(self, number):
        """Ends the server by a signal, and starts it again."""
        self.server.client.close()
        self.server.process.send_signal(number)
        self.server.process.wait(20)
        return self.__enter__()


def restart(trial, browser, binary):
    """No commit is missing after a restart and after a kill, with commits while the page was away."""
    with folder() as work:
        running = Restarting(binary, work / "data")
        with running as server:
            server.value("PUT", f"/v1/sessions/{SESSION}", HIERARCHY)
            # The connection ends in the middle of answers.
            with browser.page(trial, f"http://127.0.0.1:{running.port}/", ["ERR_", "Failed to load"]) as page:
                page.open(node="w0")
                page.wait("body[data-connection=live]")
                for number in (signal.SIGTERM, signal.SIGKILL):
                    for value in ("bold", "pastel"):
                        put(server, "scene", "theme", value)
                    server = running.restart(number)
                    for value in ("standard", "bold", "standard"):
                        put(server, "scene", "theme", value)
                    wanted = list(range(1, revision(server) + 1))
                    page.page.wait_for_function(
                        "count => document.querySelectorAll('[role=log] [data-record=commit]').length >= count",
                        arg=len(wanted), timeout=30_000)
                    trial.expect(f"the commits after signal {number}", page.commits(), wanted)
                    trial.expect("no gap is told", page.get(
                        "document.querySelectorAll('[role=log] [data-record=gap]').length"), 0)
                    trial.expect("live again", page.has("body[data-connection=live]"))
                    trial.expect("the value is the newest", page.shows("w0", "theme", "standard", "scene"))


def proxied(trial, browser, binary):
    """Behind nginx, below a path, with TLS."""
    with folder() as work:
        proxying.certify(work)
        with Server(binary, "--allow-host", proxying.NAME) as server:
            server.value("PUT", f"/v1/sessions/{SESSION}", HIERARCHY)
            port = proxying.free_port()
            with proxying.nginx(str(work), server.address, port):
                behind(trial, browser, server, port)


def behind(trial, browser, server, port):
    # The port of the address would be another one than the proxy passes on.
    rules = f"--host-resolver-rules=MAP {proxying.NAME}:443 127.0.0.1:{port}"
    with browser.another(rules) as other, other.page(
            trial, f"https://{proxying.NAME}/traits/", ignore_https_errors=True) as page:
        page.open(None, view="sessions")
        page.page.click(f"[data-session={SESSION}]")
        trial.expect("the first row", page.is_selected("scene"))
        trial.expect("live through the proxy", page.has("body[data-connection=live]"))
        page.choose("theme", "bold")
        trial.expect("written through the proxy", page.shows("scene", "theme", "bold", "scene"))
        put(server, "scene", "theme", "standard")
        trial.expect("another client's change", page.shows("scene", "theme", "standard", "scene"))
        curl = page.get("[...document.querySelectorAll('[data-curl]')].map(one => one.textContent).join()")
        trial.expect("the curl line has the path", f"https://{proxying.NAME}/traits/v1/" in curl)
        page.trait("theme").locator("button[aria-expanded]").click()
        page.page.click("[data-trait=theme] [data-history] li:nth-child(2) a")
        trial.expect("the past through the proxy", page.has("body[data-mode=past]") and page.shows(
            "scene", "theme", "bold", "scene"))
        page.key(".")
        trial.expect("and now again", page.shows("scene", "theme", "standard", "scene"))


# Resolves to the milliseconds from the event to the frame in which a row of that number is on screen and selected.
SHOWN = """([row, type]) => { window.took = new Promise(resolve => {
  addEventListener(type, ({timeStamp}) => {
    const look = () => {
      const element = document.querySelector(`[role=treeitem][data-row="${row}"][aria-selected=true]`)
      const box = element?.getBoundingClientRect(), pane = document.querySelector('[role=tree]').getBoundingClientRect()
      if (!box || box.top < pane.top - 1 || box.bottom > pane.bottom + 1) return requestAnimationFrame(look)
      const channel = new MessageChannel()
      channel.port1.onmessage = () => resolve(performance.now() - timeStamp)
      requestAnimationFrame(() => channel.port2.postMessage(null))
    }
    look()
  }, {once: true, capture: true})
}) }"""
# The same for a scroll bar that is moved: rows, not their places, are on screen.
SCROLLED = """part => new Promise(resolve => {
  const tree = document.querySelector('[role=tree]'), start = performance.now()
  tree.scrollTop = (tree.scrollHeight - tree.clientHeight) * part
  const look = () => {
    const pane = tree.getBoundingClientRect(), middle = document.elementFromPoint(pane.left + pane.width / 2,
      pane.top + pane.height / 2)?.closest('[role=treeitem]'), row = Number(middle?.dataset.row)
    if (!(Math.abs(row / Number(tree.dataset.total) - part) < 0.01)) return requestAnimationFrame(look)
    requestAnimationFrame(() => resolve({row, took: performance.now() - start}))
  }
  requestAnimationFrame(look)
  setTimeout(() => resolve(null), 10000)
})"""


def document(path):
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"format":1,"name":"large","traits":{"theme":{"type":"enum","cases":{"a":0,"b":1},"default":"a"}},'
                   '"nodes":[{"id":"n0","kind":"environment","parent":null}')
        for number in range(1, NODES):
            file.write(f',{{"id":"n{number}","kind":"environment","parent":"n{(number - 1) // FAN_OUT}"}}')
        file.write("]}")


def million(trial, browser, binary):
    """First, last and middle row, and any hit, on screen after a key; the heap; the bytes of the answers."""
    with folder() as work:
        document(work / "large.json")
        with Server(binary, "--load", str(work / "large.json")) as server, \
                browser.page(trial, f"http://{server.address}/") as page:
            answers = measured(page)
            page.open("large")
            page.key("Shift+*")
            trial.expect("all nodes are rows", page.is_so(
                "total => document.querySelector('[role=tree]').dataset.total === total", str(NODES)))
            moves(trial, page)
            hits(trial, page)
            trial.expect("rows that are elements", page.get(
                "document.querySelectorAll('[role=treeitem]').length") <= ROWS_MAX)
            trial.at_most("the largest answer", max(answers.values()), ANSWER_BYTES_MAX, "bytes")
            session = page.page.context.new_cdp_session(page.page)
            session.send("HeapProfiler.collectGarbage")
            session.send("Performance.enable")
            metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
            trial.at_most("the heap", metrics["JSHeapUsedSize"], HEAP_BYTES_MAX, "bytes")


def measured(page):
    """The bytes of each answer, decompressed, but not of streams, by number of the request."""
    answers, streams = {"": 0}, set()
    session = page.page.context.new_cdp_session(page.page)
    session.send("Network.enable")

    def began(event):
        if event["response"]["mimeType"] in ("application/x-ndjson", "text/event-stream"):
            streams.add(event["requestId"])

    def received(event):
        if event["requestId"] not in streams:
            answers[event["requestId"]] = answers.get(event["requestId"], 0) + event["dataLength"]

    session.on("Network.responseReceived", began)
    session.on("Network.dataReceived", received)
    return answers


def timed(trial, page, what, key, row):
    page.get(SHOWN, [row, "keydown"])
    page.key(key)
    took = page.within("took")
    if took is None:
        trial.expect(f"{what} is on screen", False)
    else:
        trial.at_most(what, took, KEY_MILLISECONDS_MAX, "ms")


def moves(trial, page):
    last = NODES - 1
    # The first time, a row of a window that was never read; then each again.
    for turn in ("", " again"):
        timed(trial, page, f"the last row{turn}", "End", last)
        timed(trial, page, f"the row before{turn}", "ArrowUp", last - 1)
        timed(trial, page, f"the first row{turn}", "Home", 0)
    scrolled = page.get(SCROLLED, 0.5)
    if scrolled is None:
        return trial.expect("the middle by the scroll bar is on screen", False)
    trial.at_most("the middle by the scroll bar", scrolled["took"], KEY_MILLISECONDS_MAX, "ms")
    page.page.click(f"[role=treeitem][data-row='{scrolled['row']}']")
    for step, key in enumerate(["ArrowDown"] * 3, start=1):
        timed(trial, page, f"a row after the middle, {step}", key, scrolled["row"] + step)
    # One key moves one row, wherever it is.
    page.page.wait_for_function("() => document.querySelector('[role=region][aria-label=Traits]').dataset.node === "
                                "document.querySelector('[aria-selected=true]').dataset.node",
                                timeout=WAIT_MILLISECONDS)


def hits(trial, page):
    page.key("/")
    page.page.keyboard.type("777")
    trial.expect("the hits are counted", page.is_so(r"""[...document.querySelectorAll('[role=status]')]
        .some(one => /^[\d,]+ of 1,000,000 nodes$/.test(one.textContent))"""))
    page.key("Enter")
    trial.expect("a hit is selected", page.has("[role=treeitem][data-hit][aria-selected=true]"))
    for number in range(5):
        before = int(page.get("document.querySelector('[aria-selected=true]').dataset.row"))
        row = next_hit(page, before)
        timed(trial, page, f"hit {number + 2}", "n", row)
        trial.expect("it is a hit", bool(re.search("777", page.selected or "")))


def next_hit(page, row):
    """As the server counts, by the request that the page makes."""
    body = {"find": {"q": "777"}, "only": True, "from": 0, "count": 1, "hitFrom": row + 1}
    return page.get("""body => fetch('v1/sessions/large/rows', {method: 'POST', body,
        headers: {'Content-Type': 'application/json'}}).then(answer => answer.json()).then(({hits}) => hits.next)""",
                    json.dumps(body))


FLOWS = [restart, proxied, million]
