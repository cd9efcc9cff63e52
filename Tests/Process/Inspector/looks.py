"""What axe finds in each view, in light and dark, and whether a view fits a narrow window."""

import json
import shutil
import subprocess
import sys

from world import SESSION, Server, folder, put, serving, token

NARROW = {"width": 360, "height": 740}
SCHEMES = ("light", "dark")


def looked_at(trial, page, what, fits=True):
    for scheme in SCHEMES:
        page.page.emulate_media(color_scheme=scheme)
        trial.expect(f"axe on {what}, {scheme}", page.violations(), [])
    if fits:
        wide = page.page.viewport_size
        page.page.set_viewport_size(NARROW)
        trial.expect(f"{what} at {NARROW['width']} px is wider by", page.overflow(), 0)
        trial.expect(f"axe on {what}, narrow", page.violations(), [])
        page.page.set_viewport_size(wide)


def look(trial, browser, binary):
    """The view of a session, with all that it unfolds."""
    with serving(binary) as (server, address), browser.page(trial, address) as page:
        server.value("PUT", f"/v1/sessions/{SESSION}/registrations/r", {"node": "w0.v3", "traits": ["theme"]})
        page.open(node="w0.v3")
        page.wait("body[data-connection=live]")
        put(server, "scene", "theme", "bold")
        page.wait("[role=log] [data-record=change]")
        page.trait("theme").locator("button[aria-expanded]").click()
        page.wait("[data-trait=theme] [data-chain]")
        page.button("What if").click()
        page.choose("theme", "standard")
        page.wait("[data-effect=theme]")
        looked_at(trial, page, "a session")


def look_at_all(trial, browser, binary):
    """The other views: sessions, none of them, an error, the shortcuts, the sign-in, a page for reading."""
    with serving(binary, "--ui", "readonly") as (server, address), browser.page(trial, address) as page:
        page.open(None, view="sessions")
        looked_at(trial, page, "the sessions")
        page.open(node="w0")
        page.page.get_by_role("checkbox", name="Show defaults").check()
        page.field("Filter nodes").fill("v1")
        page.wait("[data-hit]")
        looked_at(trial, page, "a session for reading")
        page.page.keyboard.press("Escape")
        page.button("Shortcuts").click()
        looked_at(trial, page, "the shortcuts")
    with serving(binary) as (_, address), browser.page(trial, address, ["404"]) as page:
        page.open("none", view="error")
        looked_at(trial, page, "an error")
    with Server(binary) as server, browser.page(trial, f"http://{server.address}/") as page:
        page.open(None, view="sessions")
        looked_at(trial, page, "no sessions")
    with folder() as work:
        token(binary, work / "tokens", "boss", "admin")
        with Server(binary, "--tokens", str(work / "tokens")) as server, \
                browser.page(trial, f"http://{server.address}/", ["401"]) as page:
            page.open(None, view="sign-in")
            looked_at(trial, page, "the sign-in")


def documents(trial, browser, binary):
    """The index and the page of the interface, all of it opened."""
    with Server(binary) as server, browser.page(trial, f"http://{server.address}/") as page:
        page.page.goto(page.address)
        looked_at(trial, page, "the index")
        trial.expect("the index links to", page.get("""['ui', 'docs'].filter(path =>
            !document.querySelector(`a[href="${path}"]`))"""), [])
        trial.expect("the index shows the port", server.address in page.get("document.body.textContent"))
        page.page.goto(f"{page.address}docs")
        page.wait("details")
        for operation in ("applySession", "moveNode", "schema-NodeKind", "getNodeTraits", "streamSessionEvents"):
            page.get("name => { const box = document.getElementById(name); if (box) box.open = true }", operation)
        trial.expect("a table of the contract", page.get("document.querySelectorAll('table thead th').length") > 0)
        looked_at(trial, page, "the page of the interface")
        page.page.get_by_role("searchbox").fill("override")
        trial.expect("the filter hides the others", page.is_so(
            "document.querySelector('[role=status]').textContent.match(/^[1-9][0-9]* found$/) !== null"))


def documents_tried(trial, browser, binary):
    """The page of the interface: its column, samples that do what they say, and requests that it sends."""
    body = {"nodes": [{"id": "scene", "kind": "windowScene"}, {"id": "window", "kind": "window", "parent": "scene"}]}
    with Server(binary) as server, browser.page(trial, f"http://{server.address}/", ["404"]) as page:
        server.value("PUT", "/v1/sessions/mail", body)
        page.page.goto(f"{page.address}docs")
        page.wait("nav li a")
        trial.expect("each operation is in the column", page.get("""[...document.querySelectorAll('main section > details')]
            .filter(({id}) => !id.startsWith('schema-') && !document.querySelector(`nav a[href="#${id}"]`)).map(({id}) => id)"""), [])
        page.page.click("nav a[href='#putOverride']")
        box = page.page.locator("#putOverride")
        box.get_by_label("node", exact=True).fill("scene")
        box.get_by_label("trait", exact=True).fill("userInterfaceStyle")
        box.get_by_label("Example of the body").select_option(index=1)
        box.get_by_role("textbox", name="Body").fill('{"value": "dark"}')
        samples_work(trial, server, box)
        box.get_by_role("button", name="Send PUT").click()
        trial.expect("the page sends it", page.is_so("""document.querySelector('#putOverride [role=status]').textContent
            .includes('HTTP 200')"""))
        trial.expect("and it is written", "dark" in json.dumps(server.value("GET", "/v1/sessions/mail/nodes/scene/overrides")))
        page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        box.get_by_role("button", name="Copy").first.click()
        trial.expect("Copy copies", page.is_so("async () => (await navigator.clipboard.readText()).startsWith('curl ')"))
        streams(trial, page)
        page.page.get_by_role("searchbox").fill("override")
        trial.expect("the filter is that of the column, too", page.is_so("""[...document.querySelectorAll('nav li')]
            .filter(one => one.checkVisibility()).length === document.querySelectorAll('main section > details:not([hidden], [id^=schema-])').length"""))


def streams(trial, page):
    page.page.click("nav a[href='#streamSessionEvents']")
    page.page.locator("#streamSessionEvents").get_by_role("button", name="Send GET").click()
    trial.expect("the beginning of a stream is shown", page.is_so(
        "document.querySelector('#streamSessionEvents [role=status]').textContent.includes('HTTP 200')"))


def samples_work(trial, server, box):
    """Each sample, run as it stands, writes the value."""
    for language, command in (("curl", ["bash", "-c"]), ("JavaScript", ["node", "--input-type=module", "-e"]),
                              ("Python", [sys.executable, "-c"])):
        if shutil.which(command[0]) is None:
            continue
        server.ask("DELETE", "/v1/sessions/mail/nodes/scene/overrides/userInterfaceStyle")
        box.get_by_role("radio", name=language).check()
        sample = box.locator("fieldset + .fixed pre").inner_text()
        ran = subprocess.run([*command, sample], capture_output=True, text=True, timeout=60, check=False)
        trial.expect(f"the sample in {language} runs", ran.returncode == 0, True)
        found = server.value("GET", "/v1/sessions/mail/nodes/scene/overrides")["overrides"]
        trial.expect(f"and writes the value in {language}", found, {"userInterfaceStyle": "dark"})


QUICK = [look]
FLOWS = [look_at_all, documents, documents_tried]
