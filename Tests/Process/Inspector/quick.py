"""The flows of `make test`: what a user does with the keyboard and the pointer, and what other clients do at the same time."""

import statistics

from world import READY, SESSION, guarded, milliseconds, overrides, put, revision, serving

LIVE_MILLISECONDS_MAX = 200
CHANGES = 7
# The tree opens breadth first until the screen is full: the scene, its windows, and what is in the first of them.
OPENED = 44


def keyboard(trial, browser, binary):
    """Everything by keys alone."""
    with serving(binary) as (server, address), browser.page(trial, address) as page:
        page.open(None, view="sessions")
        trial.expect("focus in the list of sessions", page.focused(f"[data-session={SESSION}]"))
        page.key("Enter")
        page.wait(READY.format("session"))
        trial.expect("focus in the tree", page.focused("[role=tree][aria-label=Nodes]"))
        trial.expect("the first row is selected", page.is_selected("scene"))
        trial.expect("the rows in all", page.get("document.querySelector('[role=tree]').dataset.total"),
                     str(OPENED))
        for key, node in (("ArrowDown", "w0"), ("j", "w0.v0"), ("k", "w0"), ("End", "w2"), ("Home", "scene"),
                          ("ArrowRight", "w0"), ("ArrowRight", "w0.v0"), ("ArrowLeft", "w0")):
            page.key(key)
            trial.expect(f"the row after {key}", page.is_selected(node))
        page.key("ArrowLeft")
        trial.expect("a row closes", page.has("[data-node=w0][aria-expanded=false]"))
        trial.expect("its children are gone", page.has("[data-node=w1]") and "w0.v0" not in page.rows())
        page.key("ArrowRight")
        trial.expect("a row opens", page.has("[data-node=w0][aria-expanded=true]"))
        page.key("ArrowRight")
        trial.expect("the traits follow", page.shows("w0.v0", "theme", "pastel", "scene"))
        page.key("Enter")
        trial.expect("Enter goes to the traits", page.focused("[data-trait] button[aria-expanded]"))
        writes_by_keys(trial, server, page)
        filter_by_keys(trial, page)


def writes_by_keys(trial, server, page):
    page.trait("theme").locator("button[aria-expanded]").focus()
    page.key("Enter")
    trial.expect("the chain is unfolded", page.has(
        "[data-trait=theme] [data-chain] [data-layer=override][data-node=scene][data-status=winner]"))
    trial.expect("losers are struck through", page.has("[data-trait=theme] [data-chain] [data-layer=default] s"))
    page.trait("theme").locator("input[type=radio]:checked").focus()
    page.key("ArrowDown")
    trial.expect("an arrow moves focus", page.focused("input[type=radio][value=standard]:not(:checked)"))
    trial.expect("and writes nothing", overrides(server, "w0.v0"), {})
    page.key("Enter")
    trial.expect("a radio writes its case", page.shows("w0.v0", "theme", "standard", "w0.v0"))
    trial.expect("the server has it", overrides(server, "w0.v0"), {"theme": "standard"})
    page.key("Escape", "u")
    trial.expect("u undoes", page.shows("w0.v0", "theme", "pastel", "scene"))
    trial.expect("the server has no override", overrides(server, "w0.v0"), {})
    page.key("?")
    trial.expect("? lists the keys", page.has("dialog[open]"))
    page.key("Escape")
    trial.expect("Escape closes the list", page.is_so("!document.querySelector('dialog[open]')"))


def filter_by_keys(trial, page):
    page.key("/")
    trial.expect("/ goes to the filter", page.focused("input[type=search]"))
    page.page.keyboard.type("v7")
    trial.expect("hits are marked", page.is_so("document.querySelectorAll('[role=treeitem][data-hit]').length === 3"))
    page.key("Enter")
    trial.expect("Enter selects a hit", page.is_selected("w0.v7"))
    trial.expect("and goes to the tree", page.focused("[role=tree]"))
    for key, node in (("n", "w1.v7"), ("n", "w2.v7"), ("n", "w0.v7"), ("Shift+N", "w2.v7")):
        page.key(key)
        trial.expect(f"the hit after {key}", page.is_selected(node))
    page.key("Escape")
    trial.expect("Escape clears the filter", page.field("Filter nodes").input_value(), "")
    trial.expect("the selected node stays", page.is_selected("w2.v7"))
    trial.expect("and is on screen", page.has("[data-node='w2.v7']"))


def pointer(trial, browser, binary):
    """The same with the pointer, and by links."""
    with serving(binary) as (server, address), browser.page(trial, address, ["404"]) as page:
        page.open(None, view="sessions")
        page.page.click(f"[data-session={SESSION}]")
        page.wait(READY.format("session"))
        page.page.click("[data-node='w0.v3']")
        trial.expect("a click selects", page.is_selected("w0.v3"))
        trial.expect("the source of a value", page.shows("w0.v3", "theme", "pastel", "scene"))
        page.trait("theme").locator("[data-source] [data-goto=scene]").click()
        trial.expect("a link goes to the node", page.is_selected("scene") and page.shows(
            "scene", "theme", "pastel", "scene"))
        page.page.go_back()
        trial.expect("back goes back", page.is_selected("w0.v3"))
        page.page.reload()
        page.wait(READY.format("session"))
        trial.expect("reload stays at the node", page.is_selected("w0.v3"))
        page.choose("theme", "bold")
        trial.expect("a click writes", page.shows("w0.v3", "theme", "bold", "w0.v3"))
        trial.expect("the server has it", overrides(server, "w0.v3"), {"theme": "bold"})
        curl = page.get("[...document.querySelectorAll('[data-curl]')].map(one => one.textContent).join()")
        trial.expect("the curl line of the write", all(part in curl for part in ("curl", address, "w0.v3", "bold")))
        # The other one made the session.
        trial.expect("one write is one commit", page.is_so("""document.querySelectorAll(
            '[role=log][aria-label=Changes] [data-record=commit]').length === 2"""))
        page.button("Undo").click()
        trial.expect("Undo writes the inverse", page.shows("w0.v3", "theme", "pastel", "scene"))
        page.page.get_by_role("checkbox", name="Show defaults").check()
        page.trait("density").locator("select").select_option("level5")
        trial.expect("a select writes", page.shows("w0.v3", "density", "level5", "w0.v3"))
        page.trait("note").locator("input[data-override]").fill("hello")
        trial.expect("nothing is written while typing", "note" in overrides(server, "w0.v3"), False)
        page.key("Enter")
        trial.expect("Enter writes a text", page.shows("w0.v3", "note", "hello", "w0.v3"))
        page.page.goto(f"{address}ui#/sessions/none")
        page.wait(READY.format("error"))
        trial.expect("an unknown session is told", "deleted" in page.page.locator("[role=alert]:visible").inner_text())


WATCH = """trait => { window.seen = new Promise(resolve => {
  const valueOf = () => [...document.querySelectorAll('[data-trait]')].find(row => row.dataset.trait === trait)
    ?.querySelector('[data-value]')?.dataset.value, before = valueOf()
  const look = () => {
    if (valueOf() === before) return requestAnimationFrame(look)
    // After the frame that shows it.
    const channel = new MessageChannel()
    channel.port1.onmessage = () => resolve(performance.timeOrigin + performance.now())
    requestAnimationFrame(() => channel.port2.postMessage(null))
  }
  look()
}) }"""


def live(trial, browser, binary):
    """Another client's changes."""
    with serving(binary) as (server, address), browser.page(trial, address) as page:
        server.value("PUT", f"/v1/sessions/{SESSION}/registrations/r", {"node": "w1", "traits": ["theme"]})
        page.open(node="w0.v3")
        page.wait("body[data-connection=live]")
        trial.expect("the value before", page.shows("w0.v3", "theme", "pastel"))
        first = revision(server)
        times = []
        for number in range(CHANGES):
            page.get(WATCH, "theme")
            start = milliseconds()
            put(server, "scene", "theme", "bold" if number % 2 == 0 else "pastel")
            seen = page.within("seen")
            trial.expect(f"the change {number} is shown", seen is not None)
            times.append((seen or start) - start)
        # One may be the machine's fault.
        trial.at_most("another client's change is on screen after", statistics.median(times),
                      LIVE_MILLISECONDS_MAX, "ms")
        wanted = list(range(1, first + CHANGES + 1))
        trial.expect("each commit is listed", page.is_so(
            "count => document.querySelectorAll('[role=log] [data-record=commit]').length >= count", len(wanted)))
        trial.expect("its revisions", page.commits(), wanted)
        trial.expect("notifications are listed", page.has("[role=log] [data-record=change]"))
        # Focus and selection stay where the user left them.
        page.key("ArrowDown")
        server.value("DELETE", f"/v1/sessions/{SESSION}/nodes/w0.v20")
        trial.expect("a deleted node goes", page.is_so(
            "total => document.querySelector('[role=tree]').dataset.total === total",
            str(OPENED - 1)))
        trial.expect("the selection stays", page.selected, "w0.v4")


def undo(trial, browser, binary):
    """Undo takes back what is still the page's, and asks where another client has set another value since."""
    with serving(binary) as (server, address), browser.page(trial, address) as page:
        page.open(node="w0.v0")
        said = []
        page.choose("theme", "bold")
        trial.expect("the page's value", page.shows("w0.v0", "theme", "bold", "w0.v0"))
        server.value("PUT", f"/v1/sessions/{SESSION}/nodes/w0.v0/overrides/theme", {"value": "standard"})
        trial.expect("another client's value", page.shows("w0.v0", "theme", "standard", "w0.v0"))
        for answer, theme in [("dismiss", "standard"), ("accept", "pastel")]:
            page.page.once("dialog", lambda dialog, answer=answer: (said.append(dialog.message), getattr(dialog, answer)()))
            # The page asks the server first who has changed the value.
            with page.page.expect_event("dialog"):
                page.button("Undo").click()
            trial.expect(f"after {answer}", page.shows("w0.v0", "theme", theme))
        trial.expect("the page says what has changed", [
            "changed theme of w0.v0" in text and "standard now" in text for text in said], [True, True])
        # A change elsewhere does not matter, and no question is asked.
        page.choose("theme", "standard")
        trial.expect("the page's next value", page.shows("w0.v0", "theme", "standard", "w0.v0"))
        server.value("PUT", f"/v1/sessions/{SESSION}/nodes/scene/overrides/displayScale", {"value": 3})
        page.button("Undo").click()
        trial.expect("undone", page.shows("w0.v0", "theme", "pastel", "scene"))


def access(trial, browser, binary):
    """--ui readonly and off, no token, a wrong one, and one that may only read."""
    with serving(binary, "--ui", "readonly") as (server, address), browser.page(trial, address) as page:
        page.open(node="w0")
        trial.expect("a page for reading hides Undo", page.button("Undo").count(), 0)
        disabled(trial, page, "of a page for reading")
    with guarded(binary, trial, browser) as (page, reader):
        signs_in(trial, page, reader)


def signs_in(trial, page, reader):
    page.open(node="w0", view="sign-in")
    field = page.page.get_by_label("Token", exact=True)
    trial.expect("the field hides its text", field.get_attribute("type"), "password")
    field.fill("traitd_nobody_0123456789")
    page.key("Enter")
    trial.expect("a wrong token is told", page.is_so("""[...document.querySelectorAll('[role=alert]')]
        .some(one => one.checkVisibility() && one.textContent.includes('This token is not valid.'))"""))
    trial.expect("focus stays in the field", page.focused("input[type=password]"))
    field.fill(reader)
    page.key("Enter")
    page.wait(READY.format("session"))
    trial.expect("the place of the address", page.is_selected("w0"))
    disabled(trial, page, "with a token for reading")
    places = page.get("""[document.documentElement.outerHTML, location.href, JSON.stringify(history.state),
      JSON.stringify({...localStorage}), JSON.stringify({...sessionStorage}), document.cookie,
      ...[...document.querySelectorAll('input')].map(field => field.value)].join()""")
    trial.expect("the token is in no place of the page", reader in places, False)


def disabled(trial, page, when):
    """All controls that write are disabled, each with a reason."""
    page.wait("[data-trait=theme] input[type=radio]")
    found = page.get("""[...document.querySelectorAll(
        '[data-trait] input[type=radio], [data-trait] select, [data-trait] input[data-override]')]
      .map(one => ({disabled: one.matches(':disabled'), reason: [one, one.closest('fieldset, [role=radiogroup]')]
        .some(place => place?.title || (place?.getAttribute('aria-describedby') ?? '').split(' ')
          .some(id => document.getElementById(id)?.textContent.trim()))}))""")
    trial.expect(f"there are controls {when}", len(found) > 2)
    trial.expect(f"controls {when} that are not disabled", sum(not one["disabled"] for one in found), 0)
    trial.expect(f"controls {when} without a reason", sum(not one["reason"] for one in found), 0)


FLOWS = [keyboard, pointer, live, undo, access]
