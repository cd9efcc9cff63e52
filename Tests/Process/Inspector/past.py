"""The flows of a value's history and of the past: who changed a value and when, and the session as it was."""

import contextlib
import json

from looks import looked_at
from names import BIDI, MARKUP, harmless
from quick import disabled
from world import READY, SESSION, guarded, put, revision, serving

THEMES = ("bold", "standard", "pastel")
REASON = f"TICKET-17 {MARKUP}{BIDI}"
NODE = "w0.v3"


def history(key="theme"):
    return f"[data-trait={key}] [data-history] "


def change(server, value, reason=REASON, node="scene"):
    """Sets `theme` for a reason. Returns the revision."""
    return server.value("POST", f"/v1/sessions/{SESSION}/transactions", {
        "reason": reason, "operations": [{"op": "setOverride", "node": node, "trait": "theme", "value": value}],
    })["revision"]


@contextlib.contextmanager
def changed(binary, *arguments):
    """A server whose session has changed thrice, and the revisions of these changes."""
    with serving(binary, *arguments) as (server, address):
        yield server, address, [change(server, value) for value in THEMES]


def listed(page):
    """The revisions that the history lists."""
    return page.get(f"""[...document.querySelectorAll('{history()}li')].map(one => Number(one.dataset.revision))""")


def lists(page, wanted):
    return page.is_so(f"""wanted => [...document.querySelectorAll('{history()}li')]
        .map(one => Number(one.dataset.revision)).join() === wanted""", ",".join(map(str, wanted)))


def is_past(page, number):
    """Whether the page comes to show that revision, and says so."""
    return page.has("body[data-mode=past]") and page.is_so("""number =>
        document.getElementById('past').checkVisibility()
        && document.querySelector('#past [role=status]').textContent.includes(`revision ${number} `)""", str(number))


def history_by_keys(trial, browser, binary):
    """The history of a value, the past and the way back, by keys alone."""
    with changed(binary) as (server, address, revisions), browser.page(trial, address) as page:
        page.open(node=NODE)
        page.wait("body[data-connection=live]")
        trial.expect("the traits", page.shows(NODE, "theme", "pastel", "scene"))
        page.trait("theme").locator("button[aria-expanded]").focus()
        page.key("Enter")
        trial.expect("each change is listed, newest first", lists(page, [*reversed(revisions), 1]))
        text = page.page.locator(f"{history()}li").first.inner_text()
        trial.expect("a change has its reason, source and values", [part for part in (
            REASON, "standard → pastel", "override at scene", "theme = pastel at scene") if part not in text], [])
        page.page.locator(f"{history()}a").first.focus()
        page.key("Tab", "Tab")
        trial.expect("Tab goes to the next change", page.focused(f"{history()}li[data-revision='{revisions[1]}'] a"))
        page.key("Enter")
        trial.expect("the past is marked", is_past(page, revisions[1]))
        trial.expect("the value as it was", page.shows(NODE, "theme", "standard", "scene"))
        trial.expect("focus stays", page.focused(f"{history()}li[data-revision='{revisions[1]}'] a"))
        trial.expect("the change that decided is marked", page.has(
            f"{history()}li[data-revision='{revisions[1]}'][aria-current=true]"))
        trial.expect("the history reaches to the present", listed(page), [*reversed(revisions), 1])
        page.key("u", "w")
        page.trait("theme").locator("input[type=radio]").first.evaluate("one => one.click()")
        trial.expect("nothing is written or planned",
                     (revision(server), page.get("document.body.dataset.mode")), (revisions[-1], "past"))
        disabled(trial, page, "in the past")
        live_in_past(trial, server, page, revisions)
        page.key(".")
        trial.expect(". goes back to now", page.has("body[data-mode=edit]"))
        trial.expect("the value of now", page.shows(NODE, "theme", "bold", "scene"))
        trial.expect("the history has the change that came meanwhile",
                     lists(page, [revision(server), *reversed(revisions), 1]))
        trial.expect("controls write again", page.is_so(
            "!document.querySelector('[data-trait=theme] input').disabled"))
        trial.expect("the address is of now", "revision" in page.get("location.hash"), False)
        newest = change(server, "standard")
        trial.expect("the history goes on", lists(page, [newest, newest - 1, *reversed(revisions), 1]))


def live_in_past(trial, server, page, revisions):
    """A change that comes while the past is shown is listed, and changes nothing else."""
    new = change(server, "bold")
    trial.expect("the commit is listed", page.has(f"[role=log] [data-record=commit][data-revision='{new}']"))
    trial.expect("the past stays", page.shows(NODE, "theme", "standard", "scene"))
    page.page.locator("[role=tree]").focus()
    page.key("ArrowUp")
    trial.expect("another node of the past", page.shows("w0.v2", "theme", "standard", "scene"))
    page.key("ArrowDown")
    trial.expect("and back", page.shows(NODE, "theme", "standard", "scene"))
    trial.expect("the address has the revision", f"revision={revisions[1]}" in page.get("location.hash"))


def past_by_pointer(trial, browser, binary):
    """The past from a commit in the list of changes: nodes that are gone, links, back, reload; a filter."""
    with serving(binary) as (server, address), browser.page(trial, address, ["404"]) as page:
        page.open(node=NODE)
        page.wait("body[data-connection=live]")
        put(server, "w0", "theme", "bold")
        first = revision(server)
        server.value("DELETE", f"/v1/sessions/{SESSION}/nodes/w0.v4")
        server.value("PUT", f"/v1/sessions/{SESSION}/nodes/w9", {"kind": "window", "parent": "scene"})
        last = revision(server)
        trial.expect("the node is gone", page.is_so("!document.querySelector('[data-node=\"w0.v4\"]')"))
        page.page.click(f"[role=log] [data-record=commit][data-revision='{first}'] a")
        trial.expect("the past is marked", is_past(page, first))
        trial.expect("the node is there again", page.has("[role=treeitem][data-node='w0.v4']"))
        page.page.click("[data-node='w0.v4']")
        trial.expect("its value then", page.shows("w0.v4", "theme", "bold", "w0"))
        page.trait("theme").locator("[data-source] [data-goto=w0]").click()
        trial.expect("a link stays in the past", page.is_selected("w0") and is_past(page, first))
        page.page.go_back()
        trial.expect("back stays there, too", page.shows("w0.v4", "theme", "bold", "w0") and is_past(page, first))
        page.page.reload()
        page.wait(READY.format("session"))
        trial.expect("reload stays there, too", page.shows("w0.v4", "theme", "bold", "w0") and is_past(page, first))
        page.field("Filter nodes").fill("v4")
        trial.expect("a filter finds what was there", page.has("[data-node='w0.v4'][data-hit]"))
        # The rows around the node are still on their way when the page goes to a revision without the node.
        page.is_far(50)
        page.key("Escape")
        page.page.get_by_role("link", name="Back to now").click()
        trial.expect("now the node is gone", page.is_so("""document.body.dataset.mode === 'edit'
            && !document.querySelector('[role=treeitem][data-node="w0.v4"]')
            && document.querySelector('#traits [role=alert]').textContent.includes('may have been deleted')"""))
        trial.expect("the nodes beside it are there", page.has("[role=treeitem][data-node='w0.v5']"))
        page.page.locator("[role=tree]").focus()
        page.key("End")
        trial.expect("a new node", page.is_so("document.querySelector('#traits').dataset.node === 'w9'"))
        page.page.goto(f"{address}ui#/sessions/{SESSION}/nodes/w9?revision={first}")
        trial.expect("a node that was not there yet is told", page.is_so("""number =>
            document.querySelector('#traits [role=alert]').textContent.includes(`Revision ${number} has no node w9`)""",
                                                                      first))
        page.page.goto(f"{address}ui#/sessions/{SESSION}/nodes/w9?trait=theme")
        trial.expect("a history from where the node was not there", page.is_so(
            f"document.querySelector('{history()}li')?.textContent.includes('absent → pastel')"))
        page.page.go_back()
        trial.expect("nothing is enabled there", page.is_so("""!document.querySelector(
            '[data-trait] :is(input[type=radio], select, input[data-override]):enabled')"""))
        trial.expect("the session is as it was left", revision(server), last)


def is_refused(page, word):
    """Whether the tree and the traits come to say so, and no value of another revision is shown."""
    return page.is_so("""word => ['tree-pane', 'traits'].every(id =>
            document.querySelector(`#${id} [role=alert]`).textContent.includes(word))
        && ![...document.querySelectorAll('[data-trait]')].some(one => one.checkVisibility())""", word)


def past_refused(trial, browser, binary):
    """Revisions that are gone or not there yet."""
    bounds = ("--limit", "retained-commits-max=20", "--limit", "retained-commits-min=1")
    with serving(binary, *bounds) as (server, address), browser.page(trial, address, ["410", "409"]) as page:
        for _ in range(30):
            change(server, "bold", node="w0")
            change(server, "standard", node="w0")
        page.open(node=NODE)
        for number, word in ((1, "oldest"), (9999, "is at revision")):
            page.page.goto(f"{address}ui#/sessions/{SESSION}/nodes/{NODE}?revision={number}")
            trial.expect(f"revision {number} is refused in words", is_refused(page, word))
            page.key(".")
            trial.expect("and now is one key away", page.shows(NODE, "theme", "standard"))
        page.page.goto(f"{address}ui#/sessions/{SESSION}/nodes/w1?revision=9999")
        trial.expect("for another node, too", is_refused(page, "is at revision"))
        trial.expect("without the time of another revision", "20" in page.page.locator("#why").inner_text(), False)
        page.open(node=NODE)
        page.page.goto(f"{address}ui#/sessions/{SESSION}/nodes/{NODE}?revision=1")
        page.page.reload()
        page.wait(READY.format("session"))
        page.page.get_by_role("link", name="Back to now").click()
        trial.expect("also after it is opened there", page.shows(NODE, "theme", "standard"))


def history_refused(trial, browser, binary):
    """A history that a busy server refuses, and then a long one."""
    with changed(binary) as (server, address, _), browser.page(trial, address, ["429"]) as page:
        for number in range(12):
            change(server, THEMES[number % 3])
        page.open(node=NODE)
        busy(trial, page)


def busy(trial, page):
    answers = []

    def answer(route):
        if len(answers) > 2:
            return route.fallback()
        answers.append(429)
        detail = {"type": "about:blank", "status": 429, "code": "too-many-reads", "detail": "Four are being rebuilt."}
        return route.fulfill(status=429, content_type="application/problem+json", headers={"Retry-After": "0"},
                             body=json.dumps(detail))

    page.page.route("**/traits/theme/history?**", answer)
    page.trait("theme").locator("button[aria-expanded]").click()
    trial.expect("a busy server is asked again, then told", page.is_so(
        "document.querySelector('[data-trait=theme] .detail').textContent.includes('Four are being rebuilt.')"))
    trial.expect("requests until then", len(answers), 3)
    page.trait("theme").get_by_role("button", name="Retry").click()
    trial.expect("Retry reads the history", page.is_so(f"document.querySelectorAll('{history()}li').length === 10"))
    page.trait("theme").get_by_role("button", name="Show more").click()
    trial.expect("Show more shows all", page.is_so(f"document.querySelectorAll('{history()}li').length === 16"))
    trial.expect("up to where it begins", page.page.locator(f"{history()}li").last.inner_text().endswith("is retained"))


def past_for_reading(trial, browser, binary):
    """History and past with `--ui readonly`, and with a token that may only read; hostile reasons and callers."""
    with changed(binary, "--ui", "readonly") as (_, address, revisions), browser.page(trial, address) as page:
        page.page.goto(f"{address}ui#/sessions/{SESSION}/nodes/{NODE}?trait=theme")
        trial.expect("a history where the page is for reading", lists(page, [*reversed(revisions), 1]))
        page.page.click(f"{history()}li[data-revision='{revisions[0]}'] a")
        trial.expect("the past there", is_past(page, revisions[0]) and page.shows(NODE, "theme", "bold", "scene"))
        harmless(trial, page)
        page.key(".")
        trial.expect("the reason of the page again", page.is_so(
            "document.getElementById('why').textContent.includes('for reading')"))
    with guarded(binary, trial, browser) as (page, reader):
        page.sign_in("/nodes/scene?trait=userInterfaceStyle", reader)
        row = page.page.locator(f"{history('userInterfaceStyle')}li").first
        trial.expect("the caller of a change", "boss" in row.inner_text())
        row.locator("a").first.click()
        trial.expect("a reader sees the past", is_past(page, 3))
        page.key(".")
        trial.expect("and comes back", page.has("body[data-mode=edit]"))


def look_at_past(trial, browser, binary):
    """What axe finds where the past is shown, and where a node was not there."""
    with changed(binary) as (server, address, revisions), browser.page(trial, address, ["404"]) as page:
        server.value("PUT", f"/v1/sessions/{SESSION}/nodes/w9", {"kind": "window", "parent": "scene"})
        page.page.goto(f"{address}ui#/sessions/{SESSION}/nodes/{NODE}?trait=theme&revision={revisions[1]}")
        trial.expect("the past", is_past(page, revisions[1]))
        page.wait(f"{history()}[aria-current]")
        looked_at(trial, page, "the past")
        page.page.goto(f"{address}ui#/sessions/{SESSION}/nodes/w9?trait=theme")
        page.wait("[role=region][data-node=w9]")
        page.page.goto(f"{address}ui#/sessions/{SESSION}/nodes/w9?trait=theme&revision={revisions[1]}")
        trial.expect("the node was not there", page.is_so(
            "document.querySelector('#traits [role=alert]').textContent.includes('has no node')"))
        looked_at(trial, page, "a node that was not there")


FLOWS = [history_by_keys, past_by_pointer, past_refused, history_refused, past_for_reading, look_at_past]
