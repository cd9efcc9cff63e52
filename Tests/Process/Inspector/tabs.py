"""Many tabs of one browser, a page that is left and comes back, links that are followed while commits arrive, and the copied
curl line."""

import json
import re
import subprocess
import threading

from world import HIERARCHY, SESSION, Page, put, revision, serving

TABS = 8
VISITS = 10
LINKS = 25
# Characters that a terminal obeys, or that turn the text around them: C0, DEL, C1, line separators, directions, a tag.
HOSTILE = "a\u0001\u007f\u0085\u009b\u2028\u2029\u200f\u202e\u2066\U000e0041'\\$(x)`b"


def tabs(trial, browser, binary):
    """Eight tabs, half of them of one session and the others of sessions of their own, are all live."""
    with serving(binary) as (server, address), browser.page(trial, address) as first:
        names = [SESSION] * (TABS // 2) + [f"s{number}" for number in range(TABS // 2)]
        for name in names[TABS // 2:]:
            server.value("PUT", f"/v1/sessions/{name}", HIERARCHY)
        pages = [first] + [Page(first.page.context.new_page(), address) for _ in names[1:]]
        for page, name in zip(pages, names):
            page.open(name, node="w0")
            trial.expect(f"a tab of {name} is live", page.has("body[data-connection=live]"))
        trial.expect("streams are at most three", streams(server) <= 3)
        changed(trial, server, pages, names, "bold")
        # The tab that holds the stream of the others goes.
        first.page.close()
        changed(trial, server, pages[1:], names[1:], "standard")
        trial.fail("; ".join(first.console)) if first.console else None


def streams(server):
    """How many streams the server has."""
    server.client.request("GET", "/metrics")
    found = re.search(r"^traitd_streams (\d+)", server.client.getresponse().read().decode(), re.M)
    return int(found.group(1))


def changed(trial, server, pages, names, value):
    for name in dict.fromkeys(names):
        put(server, "scene", "theme", value, name)
    for page, name in zip(pages, names):
        trial.expect(f"{value} is shown by a tab of {name}", page.shows("w0", "theme", value))


def visits(trial, browser, binary):
    """Ten visits in one tab; a page that is left holds no stream, and one that comes back follows again."""
    with serving(binary) as (server, address), browser.page(trial, address) as page:
        for _ in range(VISITS):
            page.page.goto(f"{address}docs")
            page.open(node="w0")
            trial.expect("the visit is live", page.has("body[data-connection=live]"))
        # A browser without a window keeps no page in its back-forward cache, so the page gets the cache's events.
        leave = "type => { dispatchEvent(new PageTransitionEvent(type, {persisted: true})) }"
        page.page.evaluate(leave, "pagehide")
        for _ in range(100):
            if (left := streams(server)) == 0:
                break
            page.page.wait_for_timeout(20)
        trial.expect("streams of a page that was left", left, 0)
        put(server, "scene", "theme", "bold")
        page.page.evaluate(leave, "pageshow")
        trial.expect("the page that came back follows", page.shows("w0", "theme", "bold"))
        put(server, "scene", "theme", "standard")
        trial.expect("and goes on", page.shows("w0", "theme", "standard"))


def followed(trial, browser, binary):
    """A link that is followed while commits arrive leads to its node."""
    with serving(binary) as (server, address), browser.page(trial, address) as page:
        page.open(node="w0")
        page.wait("body[data-connection=live]")
        lost = []
        for number in range(LINKS):
            node = f"w{number % 3}.v{number % 40}"
            page.page.evaluate(f"""() => {{ location.hash = '#/sessions/{SESSION}/nodes/{node}' }}""")
            writer = threading.Thread(target=lambda name=f"n{number}": server.value(
                "PUT", f"/v1/sessions/{SESSION}/nodes/{name}", {"kind": "view", "parent": "w0"}))
            writer.start()
            writer.join()
            if not page.is_selected(node):
                lost.append(node)
        trial.expect(f"links of {LINKS} that stay at the former node", lost, [])
        trial.expect("each commit arrived", revision(server), LINKS + 1)


def plain_curl(trial, browser, binary):
    """The curl line has no character that a terminal obeys or that turns text, and does the same."""
    with serving(binary) as (_, address), browser.page(trial, address) as page:
        page.open(node="w0")
        line = page.get("body => import('/ui/server.js').then(({curlLine}) => curlLine('POST', '/v1/x', body))",
                        {"value": HOSTILE})
        trial.expect("it is printable ASCII", line.isascii() and line.isprintable())
        run = subprocess.run(["sh", "-c", f"curl() {{ for last; do :; done; printf %s \"$last\"; }}; {line}"],
                             capture_output=True, text=True, check=True)
        trial.expect("it sends the same", json.loads(run.stdout), {"value": HOSTILE})


FLOWS = [tabs, visits, followed, plain_curl]
