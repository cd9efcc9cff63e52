"""The grid of variants: what a node would show in each combination of some traits and devices."""

import json

from looks import looked_at
from names import BIDI, MARKUP, harmless
from names import HIERARCHY as HOSTILE
from world import SESSION, put, revision, serving

MANY = 250
LISTED_MAX = 200
NARROW = {"width": 390, "height": 844}
# Each row as the names of its axes and columns with their values.
GRID = """() => [...document.querySelectorAll('[data-variant]')].map(row => [
    Object.fromEntries([...row.querySelectorAll('[data-axis]')].map(cell => [cell.dataset.axis, cell.textContent])),
    Object.fromEntries([...row.querySelectorAll('[data-shows]')].map(cell => [cell.dataset.shows, JSON.parse(cell.dataset.value)]))])"""
DEVICES = ["iPhone 17", "iPad Air 2"]


def asked(server, node, axes, session=SESSION, **more):
    """The rows of the server's own answer, with the columns that differ and say more than an axis does."""
    _, text = server.ask("POST", f"/v1/sessions/{session}/variants",
                         {"nodes": [node], "axes": axes, "distinct": True, **more}, {"Accept": "application/json"})
    answer = json.loads(text)
    rows = [(row["labels"], row["nodes"][0]["traits"]) for row in answer["variants"]]
    columns = [key for key in rows[0][1] if len({json.dumps(traits[key]) for _, traits in rows}) > 1
               and any(labels.get(key) != traits[key] for labels, traits in rows)]
    return [[{name: str(value) for name, value in labels.items()}, {key: traits[key] for key in columns}]
            for labels, traits in sorted(rows, key=lambda row: [
                [axis["values"].index(row[0][axis["name"]]) for axis in answer["axes"]]])]


def grid_is(page, wanted):
    return page.is_so(f"wanted => JSON.stringify(({GRID})()) === wanted", json.dumps(wanted, separators=(",", ":")))


def axis(page, number, kind):
    page.page.get_by_role("combobox", name=f"Axis {number}", exact=True).select_option(kind)


def values(page, number):
    return page.page.get_by_role("group", name=f"Values of axis {number}")


def grid(trial, browser, binary):
    """Rows are those of the server's answer; the grid follows the node, its values, the choices, and what is wrong."""
    style = {"name": "userInterfaceStyle", "trait": "userInterfaceStyle", "cases": ["light", "dark"], "at": "scene"}
    theme = {"name": "theme", "trait": "theme", "cases": ["standard", "bold"], "at": "scene"}
    with serving(binary) as (server, address), browser.page(trial, address, ["422"]) as page:
        put(server, "w1", "theme", "pastel")
        before = revision(server)
        page.open(node="w0.v3")
        page.page.get_by_role("tab", name="Changes").focus()
        page.key("ArrowRight", "ArrowRight")
        trial.expect("a first axis is there, set at the root", grid_is(page, asked(server, "w0.v3", [style])))
        page.button("Add axis").click()
        axis(page, 2, "trait theme")
        values(page, 2).get_by_label("pastel").uncheck()
        trial.expect("two axes are multiplied", grid_is(page, asked(server, "w0.v3", [style, theme])))
        trial.expect("four rows", page.has("[data-variants='4'][data-combinations='4']"))
        page.button("Add axis").click()
        axis(page, 3, "devices")
        for device in page.get("""[...document.querySelectorAll('.axis:last-child [type=checkbox]:checked')]
                .map(box => box.parentElement.textContent)"""):
            values(page, 3).get_by_label(device, exact=True).uncheck()
        for device in DEVICES:
            values(page, 3).get_by_label(device, exact=True).check()
        third = {"name": "device", "devices": page.get("""[...document.querySelectorAll('.axis:last-child [type=checkbox]:checked')]
            .map(box => box.parentElement.textContent)"""), "at": "scene"}
        trial.expect("devices are an axis", grid_is(page, asked(server, "w0.v3", [style, theme, third])))
        trial.expect("the devices are one stop of Tab", page.get(
            "document.querySelectorAll('.axis:last-child [type=checkbox]:not([tabindex=\"-1\"])').length"), 1)
        values(page, 3).get_by_label("iPhone 17 Pro", exact=True).focus()
        page.key("ArrowDown")
        trial.expect("arrows move among them", page.get("document.activeElement.parentElement.textContent"), "iPhone Air")
        trial.expect("what a device has is a column", page.has("[data-shows=horizontalSizeClass]"))
        page.page.get_by_label("Pairs are enough").check()
        trial.expect("pairs take fewer rows", grid_is(page, asked(server, "w0.v3", [style, theme, third], strength=2)))
        page.page.goto(f"{address}ui#/sessions/{SESSION}/nodes/w1.v2")
        trial.expect("another node", grid_is(page, asked(server, "w1.v2", [style, theme, third], strength=2)))
        page.button("Remove axis 3").click()
        trial.expect("what cannot be told apart is joined", page.has("[data-variants='2'][data-combinations='4']")
                     and grid_is(page, asked(server, "w1.v2", [style, theme])))
        put(server, "w1.v2", "userInterfaceStyle", "dark")
        trial.expect("a commit of another client is followed", page.has("[data-variants='1'][data-combinations='4']"))
        refusals(trial, server, page, style)
        trial.expect("nothing is written", revision(server), before + 2)
        page.page.goto(f"{address}ui#/sessions/{SESSION}/nodes/w1.v2?revision={before}")
        page.wait("body[data-mode=past]")
        trial.expect("the past has no grid", page.is_so("""!document.querySelector('[data-variants]')
            && document.querySelector('#variants [role=status]').textContent.includes('Back to now')"""))
        page.page.get_by_role("link", name="Back to now").click()
        trial.expect("and now has one again", page.has("[data-variants]"))


def refusals(trial, server, page, style):
    page.page.get_by_label("Set at node").fill("nowhere")
    body = {"nodes": ["w1.v2"], "axes": [{**style, "at": "nowhere"}]}
    answer, text = server.ask("POST", f"/v1/sessions/{SESSION}/variants", body)
    trial.expect("the server refuses a node that is not there", answer.status, 422)
    trial.expect("the refusal is shown, with its axis", page.is_so(
        "text => document.querySelector('#variants [role=alert]').textContent === `Axis 1: ${text}`",
        json.loads(text)["detail"]))
    page.page.get_by_label("Set at node").fill("")
    page.page.get_by_label("Only what it reads").check()
    trial.expect("what reads nothing is told", page.is_so(
        "document.querySelector('#variants [role=alert]').textContent.includes('no scope and no registration')"))
    server.value("PUT", f"/v1/sessions/{SESSION}/nodes/w1.v2/scopes/draw", {"reads": ["theme"]})
    trial.expect("recorded reads", page.has("[data-variants='1']"))
    page.page.get_by_label("Only what it reads").uncheck()
    axis(page, 2, "trait displayScale")
    page.page.get_by_label("Values of displayScale").fill("1, 2,")
    trial.expect("values that are no JSON", page.is_so(
        "document.querySelector('#variants [role=alert]').textContent.includes('like 1, 2, 3')"))
    page.page.get_by_label("Values of displayScale").fill(", ".join(str(number) for number in range(1, MANY + 1)))
    trial.expect("so many rows are elements", page.is_so(
        f"document.querySelectorAll('[data-variant]').length === {LISTED_MAX}"))
    trial.expect("and the others are told", page.is_so(
        "count => document.querySelector('#variants [role=status]').textContent.includes(`The first ${count} rows`)", LISTED_MAX))


def hostile_grid(trial, browser, binary):
    """Hostile names of traits, nodes and values, and a view of 390 px."""
    body = {**HOSTILE, "traits": {**HOSTILE["traits"], "toString": {"type": "enum", "default": "__proto__", "cases": {
        "__proto__": 0, "constructor": 1}}}}
    with serving(binary, body=body) as (server, address), browser.page(trial, address) as page:
        server.value("PUT", f"/v1/sessions/{SESSION}/colors/__proto__", {"variants": [
            {"when": {"userInterfaceStyle": "dark"}, "value": "#000"}, {"when": {}, "value": "#fff"}]})
        page.open(node="deep")
        page.page.get_by_role("tab", name="Variants").click()
        axis(page, 1, "trait __proto__")
        page.page.get_by_label("Set at node").fill("deep")
        page.page.get_by_label("Values of __proto__").fill(f"{json.dumps(MARKUP)}, {json.dumps(BIDI)}")
        trial.expect("rows with markup", page.has("[data-variants='2'] [data-axis=__proto__]"))
        page.button("Add axis").click()
        axis(page, 2, "trait toString")
        trial.expect("rows of cases that prototypes have", page.has("[data-variants='4'] [data-axis=toString]"))
        axis(page, 2, "trait userInterfaceStyle")
        trial.expect("a colour is a column", page.has("[data-shows='color __proto__'][data-value='\"#000\"'] .swatch"))
        page.page.set_viewport_size(NARROW)
        trial.expect("rows are cards in a narrow window", page.get(
            "getComputedStyle(document.querySelector('[data-variant]')).display"), "block")
        harmless(trial, page)


def look_at_grid(trial, browser, binary):
    """What axe finds in the grid, and whether it fits."""
    with serving(binary) as (_, address), browser.page(trial, address) as page:
        page.open(node="w0.v3")
        page.page.get_by_role("tab", name="Variants").click()
        page.button("Add axis").click()
        axis(page, 2, "devices")
        page.wait("[data-shows=displayScale]")
        looked_at(trial, page, "a grid of variants")


FLOWS = [grid, hostile_grid]
LOOKS = [look_at_grid]
