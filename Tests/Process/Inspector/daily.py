"""The flows of a day: the values that a plan would change, the commits of the past with their filters, and putting back."""


import json
import subprocess

from looks import looked_at
from names import BIDI, MARKUP, harmless
from world import READY, SESSION, Server, folder, guarded, overrides, put, revision, serving

REASON = f"TICKET-18 {MARKUP}{BIDI}"
COMMITS = 130
# The largest answer that lists all that it counts.
LISTED_MAX = 200


def transact(server, *operations, reason=None):
    """Writes operations as one commit. Returns its revision."""
    body = {"operations": list(operations), **({"reason": reason} if reason else {})}
    return server.value("POST", f"/v1/sessions/{SESSION}/transactions", body)["revision"]


def theme(node, value):
    return {"op": "setOverride", "node": node, "trait": "theme", "value": value}


def affected(page):
    """The listed values that would differ, by node."""
    return page.get("""Object.fromEntries([...document.querySelectorAll('[data-affected]')].map(({dataset}) =>
        [dataset.node, [dataset.affected, JSON.parse(dataset.before), JSON.parse(dataset.after)]]))""")


def total_is(page, count):
    return page.has(f"[data-affected-total='{count}']")


def values_differ(trial, browser, binary):
    """What if counts and lists the nodes whose values would differ, marks them, and plans devices."""
    with serving(binary) as (server, address), browser.page(trial, address) as page:
        put(server, "w1", "theme", "bold")
        server.value("PUT", f"/v1/sessions/{SESSION}/registrations/r", {"node": "w2", "traits": ["theme"]})
        before = revision(server)
        page.open(node="scene")
        page.button("What if").click()
        trial.expect("the mode, and its button", page.has("body[data-mode=what-if]")
                     and page.button("What if").get_attribute("aria-pressed") == "true")
        page.choose("theme", "standard")
        # All but the window that sets it, and what is in that.
        trial.expect("the nodes that would differ", total_is(page, 124 - 41))
        found = affected(page)
        trial.expect("each is listed", len(found), 124 - 41)
        trial.expect("with both values", found.get("w0.v3"), ["theme", "pastel", "standard"])
        trial.expect("none of what hides it", [node for node in found if node.startswith("w1")], [])
        trial.expect("the registrations come after", page.is_so("""document.querySelector('[data-affected]')
            .compareDocumentPosition(document.querySelector('[data-effect=theme][data-registration=r]')) & 4"""))
        page.button("Mark in tree").click()
        trial.expect("they are marked", page.is_so("""[...document.querySelectorAll('[role=treeitem]')].length > 3
            && [...document.querySelectorAll('[role=treeitem]')].every(row =>
            row.hasAttribute('data-marked') !== row.dataset.node.startsWith('w1'))"""))
        page.page.click("[data-affected][data-node='w2.v1'] a")
        trial.expect("a node of the list is a link", page.is_selected("w2.v1"))
        page.choose("theme", "bold")
        page.wait("[data-affected][data-node='w2.v1'][data-after='\"bold\"']")
        trial.expect("a plan within another counts nodes once", page.has("[data-affected-total='83']")
                     and page.is_so("document.querySelectorAll('[data-planned]').length === 2"))
        page.button("Discard").click()
        trial.expect("an empty plan has no effects", page.is_so("!document.querySelector('[data-affected-total]')"))
        trial.expect("still planning, nothing written", (page.has("body[data-mode=what-if]"), revision(server)), (True, before))
        devices(trial, server, page)
        page.page.locator("[role=tree]").focus()
        page.key("Home", "ArrowDown")
        page.choose("theme", "standard")
        trial.expect("operations on two nodes", page.is_so("document.querySelectorAll('[data-planned]').length === 2"))
        page.page.get_by_role("textbox", name="Reason").fill(REASON)
        page.until("!document.getElementById('apply').disabled")
        page.button("Apply").click()
        trial.expect("the plan is written, as one commit", page.has("body[data-mode=edit]") and revision(server) == before + 1)
        trial.expect("both are written", (overrides(server, "w0"), scale(server)), ({"theme": "standard"}, 3))
        commit = server.value("GET", f"/v1/sessions/{SESSION}/history?pageSize=1")["commits"][0]
        trial.expect("with its reason", commit["cause"].get("reason"), REASON)
        page.button("Undo").click()
        trial.expect("Undo takes both back", page.shows("w0", "theme", "pastel", "scene") and scale(server) == 2)


def scale(server):
    return server.value("GET", f"/v1/sessions/{SESSION}/nodes/scene/traits/displayScale")["value"]


def devices(trial, server, page):
    before = revision(server)
    page.page.locator("[role=tree]").focus()
    page.key("Home")
    trial.expect("the scene is selected", page.is_selected("scene"))
    page.page.get_by_role("combobox", name="Device").focus()
    page.wait("option[value='iPhone 17']")
    page.page.get_by_role("combobox", name="Device").select_option("iPhone 17")
    page.page.get_by_role("combobox", name="Setting").select_option("dark")
    page.button("Plan device").click()
    trial.expect("a device is planned", page.has("[data-planned=setDevice][data-node=scene]"))
    trial.expect("all nodes would differ", total_is(page, 124))
    found = page.get("""Object.fromEntries([...document.querySelectorAll('[data-affected][data-node=scene]')]
        .map(({dataset}) => [dataset.affected, JSON.parse(dataset.after)]))""")
    trial.expect("in what the device has", [found.get(key) for key in ("displayScale", "userInterfaceStyle")],
                 [3, "dark"])
    trial.expect("at most so many values are listed", page.is_so(
        f"document.querySelectorAll('[data-affected]').length === {LISTED_MAX}"))
    trial.expect("nothing is written", revision(server), before)


def entry(number):
    return f"[role=log] [data-record=commit][data-revision='{number}'] "


def commits_listed(trial, browser, binary):
    """The newest commits, older ones, what one did, and filters that stand in the address."""
    with serving(binary) as (server, address), browser.page(trial, address, ["404"]) as page:
        for number in range(COMMITS):
            transact(server, theme(f"w{number % 3}", ("bold", "standard")[number // 3 % 2]),
                     reason=REASON if number == 5 else None)
        many = transact(server, *(theme(f"w0.v{view}", "bold") for view in range(40)), reason="forty at once")
        page.open(node="w0.v3")
        page.wait("body[data-connection=live]")
        trial.expect("the newest fifty are there", page.is_so("""newest => {
            const all = [...document.querySelectorAll('[role=log] [data-record=commit]')].map(one => +one.dataset.revision)
            return all.length === 50 && all.every((one, at) => one === newest - at) }""", many))
        page.page.locator("[role=log]").evaluate("one => one.scrollTo(0, one.scrollHeight)")
        trial.expect("older ones come when it is scrolled", page.is_so(
            "document.querySelectorAll('[role=log] [data-record=commit]').length >= 100"))
        text = page.page.locator(entry(many)).inner_text()
        trial.expect("a line says what, and why", [part for part in (
            "theme = bold at w0.v0, 39 more", "forty at once") if part not in text], [])
        trial.expect("and when", page.get("selector => document.querySelector(selector).title.length >= 19",
                                          f"{entry(many)}time"))
        page.page.locator(f"{entry(many)}button[aria-expanded]").click()
        trial.expect("unfolded it lists its operations", page.is_so(
            "selector => document.querySelectorAll(selector).length === 40", f"{entry(many)}[data-operation]"))
        trial.expect("with the values before", "inherit → bold" in page.page.locator(
            f"{entry(many)}[data-operation]").first.inner_text())
        new = transact(server, theme("scene", "bold"))
        trial.expect("a new commit comes first", page.is_so(
            "new_ => document.querySelector('[role=log] [data-record=commit]').dataset.revision === String(new_)", new))
        filters(trial, server, page, many)


def shown(page, wanted):
    return page.is_so("""wanted => [...document.querySelectorAll('[role=log] [data-record=commit]')]
        .map(one => one.dataset.revision).join() === wanted""", ",".join(map(str, wanted)))


def filters(trial, server, page, many):
    for field, text, wanted in (("Reason contains", "TICKET-18", [7]), ("Reason contains", "at once", [many]),
                                ("Node", "w0.v7", [many, 1]), ("Kind", "defineTrait", [1]), ("Since", str(many), [many + 1, many]),
                                ("Trait", "displayScale", [1]), ("Caller", "nobody", [])):
        page.page.get_by_label(field, exact=True).fill(text)
        trial.expect(f"{field} {text}", shown(page, wanted))
        if wanted == [7]:
            harmless(trial, page)
        page.page.get_by_label(field, exact=True).fill("")
    page.page.get_by_label("Since", exact=True).fill("yesterday")
    trial.expect("a day in words", page.is_so("document.querySelectorAll('[role=log] [data-record=commit]').length === 50"))
    page.page.get_by_label("Since", exact=True).fill("the other day")
    trial.expect("what is no time is told", page.is_so(
        "document.querySelector('#changes [role=alert]').textContent.includes('Since takes')"))
    page.page.get_by_label("Since", exact=True).fill("")
    page.page.get_by_label("Node", exact=True).fill("w0.v7")
    trial.expect("the filter holds", shown(page, [many, 1]))
    trial.expect("it is in the address", page.is_so("location.hash.includes('onNode=w0.v7')"))
    page.page.reload()
    page.wait(READY.format("session"))
    trial.expect("and holds after a reload", shown(page, [many, 1]))
    trial.expect("in its field", page.page.get_by_label("Node", exact=True).input_value(), "w0.v7")
    newest = transact(server, theme("w0.v7", "standard"))
    transact(server, theme("w0.v8", "standard"))
    trial.expect("a new commit that matches comes", shown(page, [newest, many, 1]))
    below(trial, server, page, many, newest)


def below(trial, server, page, many, newest):
    """A node and what is below it, deleted nodes among them."""
    other = newest + 1
    gone = transact(server, {"op": "createNode", "node": "w0.v7.a", "kind": "view", "parent": "w0.v7"})
    transact(server, {"op": "setOverride", "node": "w0.v7.a", "trait": "note", "value": "short"}, theme("w1", "bold"))
    transact(server, {"op": "deleteNode", "node": "w0.v7.a"})
    page.page.get_by_label("and below it").check()
    trial.expect("commits on what is below a node", shown(page, [gone + 2, gone + 1, gone, newest, many, 1]))
    trial.expect("it stands in the address", page.is_so("location.hash.includes('below=true')"))
    page.page.get_by_label("Node", exact=True).fill("w0")
    trial.expect("a node above has more", page.is_so("""wanted => wanted.every(revision => document.querySelector(
        `[role=log] [data-record=commit][data-revision='${revision}']`))""", [gone + 2, gone, other, newest, many]))
    page.page.get_by_label("Node", exact=True).fill("w2.v1")
    trial.expect("one beside it has none of them", shown(page, [1]))
    page.page.get_by_label("and below it").uncheck()
    page.page.get_by_label("Node", exact=True).fill("")


def put_back(trial, browser, binary):
    """One commit of several is undone, all is put back to a revision, and an old value alone."""
    with serving(binary) as (server, address), browser.page(trial, address, ["409"]) as page:
        first = transact(server, theme("w0", "bold"))
        second = transact(server, theme("w1", "bold"))
        third = transact(server, theme("w0", "standard"))
        page.open(node="w0")
        page.wait("body[data-connection=live]")
        undo_one(trial, server, page, first, second)
        page.page.click(f"{entry(third)}button[aria-expanded]")
        page.page.locator(entry(third)).get_by_role("button", name="Back to before this").click()
        trial.expect("what would go back", page.has("dialog[open] [data-operation]"))
        trial.expect("with its values", page.has("dialog [data-affected=theme][data-node=w0][data-after='\"bold\"']"))
        page.button("Cancel").click()
        trial.expect("Cancel writes nothing", overrides(server, "w0"), {"theme": "standard"})
        page.trait("theme").locator("button[aria-expanded]").click()
        page.wait(f"[data-history] li[data-revision='{first}']")
        page.page.locator(f"[data-history] li[data-revision='{first}']").get_by_role("button", name="Put back").click()
        applies(trial, page)
        trial.expect("an old value is put back", page.shows("w0", "theme", "bold", "w0"))
        page.page.locator("[data-history] li[data-revision='1']").get_by_role("button", name="Put back").click()
        applies(trial, page)
        trial.expect("one that was inherited removes the override", page.shows("w0", "theme", "pastel", "scene"))
        commit = server.value("GET", f"/v1/sessions/{SESSION}/history?pageSize=1")["commits"][0]
        trial.expect("the reason is remembered", commit["cause"].get("reason"), REASON)


def applies(trial, page):
    page.until("!!document.querySelector('dialog[open]')")
    page.until("![...document.querySelectorAll('dialog[open] button')].find(one => one.textContent === 'Apply').disabled")
    page.page.locator("dialog[open]").get_by_role("button", name="Apply", exact=True).click()
    trial.expect("the dialog closes", page.is_so("!document.querySelector('dialog[open]')"))


def undo_one(trial, server, page, first, second):
    page.page.click(f"{entry(second)}button[aria-expanded]")
    page.page.locator(entry(second)).get_by_role("button", name="Undo this commit").click()
    trial.expect("its inverse is shown", page.has("[role=dialog][open] [data-operation=removeOverride]"))
    trial.expect("nothing is written before the yes", overrides(server, "w1"), {"theme": "bold"})
    page.page.get_by_role("dialog").get_by_label("Reason").fill(REASON)
    applies(trial, page)
    trial.expect("it alone is undone", (overrides(server, "w1"), overrides(server, "w0")), ({}, {"theme": "standard"}))
    page.page.click(f"{entry(first)}button[aria-expanded]")
    page.page.locator(entry(first)).get_by_role("button", name="Undo this commit").click()
    trial.expect("a commit that was changed since is refused", page.is_so(
        "document.querySelector('dialog[open] [role=alert]').textContent.length > 20"))
    page.key("Escape")
    trial.expect("Escape closes", page.is_so("!document.querySelector('dialog[open]')"))


def callers(trial, browser, binary):
    """Who made a commit, and nothing to press for those who may only read."""
    with guarded(binary, trial, browser) as (page, reader):
        page.sign_in("", reader)
        trial.expect("who is signed in", page.is_so("document.getElementById('who').textContent.includes('guest')"))
        trial.expect("the caller is in the line", page.has(f"{entry(3)}[data-caller=boss]"))
        page.page.get_by_label("Caller", exact=True).fill("boss")
        trial.expect("and a filter", shown(page, [3, 2, 1]))
        page.page.click(f"{entry(2)}button[aria-expanded]")
        trial.expect("who may not write cannot put back", page.is_so("""[...document.querySelectorAll(
            '[role=log] [data-write]')].length === 2 && ![...document.querySelectorAll('[data-write]')].some(one =>
            !one.disabled || !one.title)"""))
        page.button("Sign out").click()
        trial.expect("signing out asks for a token again", page.has(READY.format("sign-in")))


def typing(trial, browser, binary):
    """What is typed is marked, survives another node, and is written by Enter alone; letter keys can be turned off."""
    with serving(binary) as (server, address), browser.page(trial, address, ["422"]) as page:
        page.open(node="w0.v3")
        page.page.get_by_role("checkbox", name="Show defaults").check()
        field = page.trait("note").locator("input[data-override]")
        field.fill("hello")
        trial.expect("what is not saved is marked", page.has("[data-trait=note] [data-unsaved]"))
        trial.expect("and says how to save it", "Enter saves" in page.trait("note").inner_text())
        put(server, "w0.v3", "note", "of another client")
        trial.expect("another client's value comes", page.shows("w0.v3", "note", "of another client"))
        trial.expect("what is typed stays", field.input_value(), "hello")
        page.page.click("[role=treeitem][data-node='w0.v4']")
        trial.expect("another node", page.is_so("document.querySelector('#traits').dataset.node === 'w0.v4'"))
        page.page.click("[role=treeitem][data-node='w0.v3']")
        trial.expect("what was typed is there again", page.is_so(
            "document.querySelector('[data-trait=note] input[data-unsaved]')?.value === 'hello'"))
        field.press("Escape")
        trial.expect("Escape takes it back", field.input_value(), "of another client")
        number = page.trait("displayScale").locator("input[data-override]")
        number.fill("two")
        number.press("Enter")
        trial.expect("what is no number is told in words", page.is_so("""document.querySelector(
            '[data-trait=displayScale] [role=alert]').textContent.includes('a number, like 2.5')"""))
        trial.expect("and is not lost", number.input_value(), "two")
        page.page.get_by_label("Why it is changed").fill(REASON)
        number.fill("3")
        number.press("Enter")
        trial.expect("a number is written", page.shows("w0.v3", "displayScale", 3, "w0.v3"))
        trial.expect("the mark goes", page.is_so("!document.querySelector('[data-unsaved]')"))
        commit = server.value("GET", f"/v1/sessions/{SESSION}/history?pageSize=1")["commits"][0]
        trial.expect("with its reason", commit["cause"].get("reason"), REASON)
        select = page.trait("density").locator("select")
        select.focus()
        page.key("ArrowDown", "ArrowDown")
        trial.expect("a key on a list writes nothing", "density" in overrides(server, "w0.v3"), False)
        page.key("Enter")
        trial.expect("Enter does", page.shows("w0.v3", "density", "level1", "w0.v3"))
        letters(trial, page)


def letters(trial, page):
    page.button("Shortcuts").click()
    page.page.get_by_role("checkbox", name="Letter keys").uncheck()
    page.key("Escape")
    page.page.locator("[role=region][aria-label=Traits]").focus()
    page.key("w", "?")
    trial.expect("letter keys are off", page.get("[document.body.dataset.mode, !!document.querySelector('dialog[open]')]"),
                 ["edit", False])


def pressed(trial, page):
    """A line of choices that is scrolled stays so when one is pressed, and a choice stays while it is not read yet."""
    page.trait("theme").hover()
    page.trait("theme").locator("input[value=bold]").scroll_into_view_if_needed()
    scrolled = "document.querySelector('[data-trait=theme] .control').scrollLeft"
    before = page.get(scrolled)
    box = page.trait("theme").locator("input[value=bold]").bounding_box()
    page.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    held = []
    page.page.route("**/traits?explain=true*", lambda route: held.append(route))
    page.page.mouse.down()
    trial.expect("what is pressed stays where it is", (before > 0, page.get(scrolled)), (True, before))
    page.page.mouse.up()
    trial.expect("it is written", page.is_so("document.getElementById('note').textContent.startsWith('Revision')"))
    for _ in range(2):
        page.button("What if").click()
    trial.expect("a choice stays until it is read", page.get("document.querySelector('[data-trait=theme] input[value=bold]').checked"))
    for route in held:
        route.continue_()
    page.page.unroute("**/traits?explain=true*")
    trial.expect("and is read", page.shows("w0", "theme", "bold", "w0"))


def density(trial, browser, binary):
    """Lines of 28 px, those that the node sets first; splitters; a tree that opens until the screen is full."""
    size = {"width": 1440, "height": 900}
    with serving(binary) as (server, address), browser.page(trial, address, viewport=size) as page:
        put(server, "w0", "density", "level3")
        page.open(node="w0")
        page.page.get_by_role("checkbox", name="Show defaults").check()
        trial.expect("every trait is a line of 28 px", page.is_so("""(all => all.length > 24
            && all.every(one => one.offsetHeight === 28))([...document.querySelectorAll('[data-trait]')])"""))
        seen = page.get("""(([...all], below) => all.filter(one => one.getBoundingClientRect().bottom <= below).length)(
            document.querySelectorAll('[data-trait]'), document.querySelector('#traits').getBoundingClientRect().bottom)""")
        trial.expect("traits on a screen of 900 px", seen >= 24)
        trial.expect("what the node sets, then what differs, then defaults", page.get("""[...document.querySelectorAll('[data-trait]')]
            .map(one => one.dataset.trait === 'density' ? 0 : one.querySelector('[data-source]').dataset.source === 'default' ? 2 : 1)
            .every((rank, at, all) => !at || all[at - 1] <= rank)"""))
        pressed(trial, page)
        for name, pane in (("Width of the tree", "tree-pane"), ("Width of the changes", "side")):
            width = "id => document.getElementById(id).offsetWidth"
            before = page.get(width, pane)
            page.page.get_by_role("separator", name=name).press("ArrowRight")
            trial.expect(f"{name} moves", page.get(width, pane) != before)
            page.page.get_by_role("separator", name=name).dblclick()
            trial.expect(f"{name} folds", page.get(width, pane), 0)
            page.page.get_by_role("separator", name=name).press("Enter")
            trial.expect(f"{name} unfolds", page.get(width, pane) > 200)
    nodes = [{"id": "root", "kind": "view"}] + [
        {"id": f"{parent}-{number}" if parent != "root" else f"n{number}", "kind": "view", "parent": parent}
        for parent in ("root", "n0", "n1", "n2") for number in range(8)]
    with serving(binary, body={"nodes": nodes}) as (_, address), browser.page(trial, address) as page:
        page.open()
        trial.expect("levels open one after the other until the screen is full", page.is_so("""(rows =>
            rows.n0 === 'true' && rows.n1 === 'true' && rows.n2 === 'false')(Object.fromEntries(
            [...document.querySelectorAll('[role=treeitem]')].map(row => [row.dataset.node, row.ariaExpanded])))"""))


def making(trial, browser, binary):
    """A session, a node and a trait are made and deleted again, and a document is imported."""
    with Server(binary) as server, browser.page(trial, f"http://{server.address}/", ["404", "409"]) as page:
        page.open(None, view="sessions")
        fills(page, "New session", "Create", {"Name": "made"})
        page.wait(READY.format("session"))
        trial.expect("a new session is shown", page.has("[role=treeitem][data-node=window]"))
        page.page.click("[role=treeitem][data-node=window]")
        trial.expect("its window", page.is_so("document.querySelector('#traits').dataset.node === 'window'"))
        fills(page, "New node", "Create", {"Name": "v1"})
        trial.expect("a new node is selected", page.is_selected("v1"))
        fills(page, "New trait", "Create", {"Key": "plan", "Cases": "free, paid", "Default": "free"})
        page.page.get_by_role("checkbox", name="Show defaults").check()
        trial.expect("a new trait is a line", page.shows("v1", "plan", "free"))
        page.trait("plan").locator("button[aria-expanded]").click()
        page.button("Delete trait").click()
        applies(trial, page)
        trial.expect("a trait is deleted", page.is_so("!document.querySelector('[data-trait=plan]')"))
        page.button("Delete").click()
        trial.expect("what goes with a node is told", page.has("dialog [data-ended]"))
        trial.expect("and not deleted yet", "v1" in server.value("GET", "/v1/sessions/made/export")["nodes"][-1]["id"])
        applies(trial, page)
        trial.expect("a node is deleted, and the one above it selected", page.is_selected("window"))
        document = server.value("GET", "/v1/sessions/made/export")
        page.button("Delete session").click()
        applies(trial, page)
        page.wait(READY.format("sessions"))
        trial.expect("the session is gone", server.value("GET", "/v1/sessions")["sessions"], [])
        trial.expect("an empty list says how", "New session" in page.page.locator("#session-note").inner_text())
        with folder() as work:
            (work / "made.json").write_text(json.dumps(document), encoding="utf-8")
            page.button("Import").click()
            page.page.get_by_label("File").set_input_files(work / "made.json")
            page.page.get_by_label("Name", exact=True).fill("again")
            page.page.get_by_role("dialog").get_by_role("button", name="Import").click()
            page.wait(READY.format("session"))
        trial.expect("an imported session is shown", page.get("location.hash").startswith("#/sessions/again"))
        server.value("PUT", "/v1/sessions/empty", {})
        page.open("empty")
        trial.expect("an empty session says how, with curl", page.is_so("""document.getElementById('tree-empty').textContent
            .includes('/v1/sessions/empty/nodes/scene')"""))
        command = page.page.locator("#tree-empty code").inner_text()
        ran = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)
        trial.expect("which does it", ran.returncode == 0 and page.has("[role=treeitem][data-node=scene]"))


def fills(page, button, submit, values):
    page.button(button).click()
    for name, value in values.items():
        page.page.get_by_role("dialog").get_by_label(name, exact=True).fill(value)
    page.page.get_by_role("dialog").get_by_role("button", name=submit, exact=True).click()
    page.until("!document.querySelector('dialog[open]')")


CONTRASTS = """() => {
  const channels = color => { const [r, g, b] = color.match(/[\\d.]+/g).map(Number); return [r, g, b] }
  const light = color => { const [r, g, b] = channels(color).map(one => one / 255).map(one =>
    one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b }
  const ratio = (one, other) => { const [high, low] = [light(one), light(other)].sort((a, b) => b - a)
    return (high + 0.05) / (low + 0.05) }
  const ground = element => { for (let at = element; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor; if (!/, 0\\)$/.test(color)) return color } return 'rgb(255, 255, 255)' }
  const found = []
  for (const one of document.querySelectorAll('button, select, input:not([type=radio], [type=checkbox])')) {
    if (!one.checkVisibility()) continue
    const style = getComputedStyle(one), around = ground(one.parentElement)
    if (style.borderTopWidth !== '0px' && ratio(style.borderTopColor, around) < 3) found.push(`edge of ${one.outerHTML.slice(0, 90)}`)
    if (one.placeholder && ratio(getComputedStyle(one, '::placeholder').color, ground(one)) < 4.5) found.push(`placeholder ${one.placeholder}`)
  }
  return found
}"""


def seen_by_all(trial, browser, binary):
    """Contrast of edges and placeholders, one stop of Tab for each list, and cards where the window is narrow."""
    with serving(binary) as (server, address), browser.page(trial, address) as page:
        last = transact(server, theme("w0.v1", "bold"))
        page.open(node="w0.v1")
        page.wait(entry(last))
        for scheme in ("light", "dark"):
            page.page.emulate_media(color_scheme=scheme)
            trial.expect(f"contrasts that are too low, {scheme}", page.get(CONTRASTS), [])
        page.page.goto(f"{address}ui#/sessions/{SESSION}/nodes/w0.v1?revision=1")
        page.wait("body[data-mode=past]")
        trial.expect("contrasts that are too low in the past", page.get(CONTRASTS), [])
        page.key(".")
        page.page.get_by_role("checkbox", name="Show defaults").check()
        first = page.page.locator("[data-trait] .disclosure").first
        first.focus()
        trial.expect("one line of the traits is a stop of Tab", page.is_so(
            "[...document.querySelectorAll('[data-trait] .disclosure')].filter(one => one.tabIndex === 0).length === 1"))
        page.key("ArrowDown", "ArrowDown")
        trial.expect("arrows move among the lines", page.is_so("""document.activeElement.closest('[data-trait]')
            === document.querySelectorAll('[data-trait]')[2]"""))
        trial.expect("the page names the server's version", page.is_so(
            "/^traitd \\d/.test(document.getElementById('version').textContent)"))
        trial.expect("and links to the documents", page.get("!!document.querySelector('#server a[href=docs]')"))
        printed(trial, page)
        page.page.set_viewport_size({"width": 390, "height": 844})
        page.open(None, view="sessions")
        trial.expect("sessions are cards", page.get("""getComputedStyle(document.querySelector('tbody tr')).display"""), "block")
        trial.expect("no wider than the window", page.overflow(), 0)


def printed(trial, page):
    """Paper has all that is loaded, and no controls."""
    page.button("Expand all").click()
    page.wait("[role=tree][data-total='124']")
    # The tree listens before this does.
    page.get("""[window.rows = 0, addEventListener('beforeprint', () => {
        rows = document.querySelectorAll('[role=treeitem]').length })]""")
    page.page.pdf()
    trial.expect("all rows are printed", page.is_so("window.rows === 124"))
    page.page.emulate_media(media="print")
    trial.expect("nothing is cut on paper", page.get("""[...document.querySelectorAll('#tree, #traits, #side, [role=log]')]
        .filter(one => one.checkVisibility() && one.scrollHeight > one.clientHeight + 1).map(one => one.id || one.role)"""), [])
    trial.expect("no control is printed", page.get("""[...document.querySelectorAll('button:not(.disclosure), footer, .filters input')]
        .filter(one => one.checkVisibility()).map(one => one.textContent)"""), [])
    page.page.emulate_media(media="screen")
    trial.expect("the screen has a window of rows again", page.is_so("document.querySelectorAll('[role=treeitem]').length < 124"))


def look_at_day(trial, browser, binary):
    """What axe finds in a plan with values that would differ, in an unfolded commit, and where one is put back."""
    with serving(binary) as (server, address), browser.page(trial, address) as page:
        last = transact(server, theme("w0.v1", "bold"), reason=REASON)
        page.open(node="w0.v1")
        page.page.click(f"{entry(last)}button[aria-expanded]")
        page.wait(f"{entry(last)}[data-operation]")
        looked_at(trial, page, "an unfolded commit")
        page.page.locator(entry(last)).get_by_role("button", name="Undo this commit").click()
        page.wait("dialog [data-affected]")
        looked_at(trial, page, "what would be put back")
        page.button("Cancel").click()
        page.button("What if").click()
        page.choose("theme", "standard")
        page.wait("[data-affected]")
        looked_at(trial, page, "a plan")


FLOWS = [values_differ, commits_listed, put_back, callers, typing, density, making, seen_by_all]
LOOKS = [look_at_day]
