"""The parts that all flows share: a server with a session, a browser, and a page that is read by the hooks of its
contract, never by its classes or its texts."""

import contextlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path.insert(0, str(ROOT / ".ci/lib"))
import pace  # noqa: E402
from traitd_server import Server  # noqa: E402

BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
READY = "body[data-view={}][data-ready=true]"
WAIT_MILLISECONDS = 60_000
# Impacts of axe that fail a view.
GRAVE = ("serious", "critical")

SESSION = "mail"
# A hierarchy with values at three levels, whose names are harmless.
HIERARCHY = {
    "traits": {"theme": {"type": "enum", "cases": {"standard": 0, "pastel": 1, "bold": 2}, "default": "standard"},
               "note": {"type": "string", "default": ""}, "compact": {"type": "bool", "default": False},
               "density": {"type": "enum", "cases": {f"level{number}": number for number in range(8)},
                           "default": "level0"}},
    "nodes": [
        {"id": "scene", "kind": "windowScene", "overrides": {"theme": "pastel"},
         "supplied": {"userInterfaceStyle": "light", "displayScale": 2}},
        *({"id": f"w{window}", "kind": "window", "parent": "scene", "label": f"Window {window}"}
          for window in range(3)),
        *({"id": f"w{window}.v{view}", "kind": "view", "parent": f"w{window}"}
          for window in range(3) for view in range(40)),
    ],
}


class Found(Exception):
    """The first thing that was not as expected, where one is enough."""


class Trial:
    """Counts what was expected, and keeps what was not so."""

    def __init__(self, stops=False):
        self.count, self.failed, self.stops = 0, [], stops
        # What took too long, which is not in `failed`.
        self.slow = {}

    def expect(self, what, found, wanted=True):
        self.count += 1
        if found != wanted:
            self.fail(f"{what}: {found!r}, not {wanted!r}")

    def fail(self, text):
        self.failed.append(text)
        if self.stops:
            raise Found

    def at_most(self, what, found, most, unit):
        self.count += 1
        if unit == "ms":
            most *= pace.slowness()
        print(f"    {what}: {found:,.0f} {unit}, of {most:,.0f}")
        if found > most:
            text = f"{what}: {found:,.0f} {unit}, more than {most:,.0f}"
            if unit == "ms" and not self.stops:
                self.slow[what] = text
            else:
                self.fail(text)


class Browser:
    """One Chromium for all flows; each flow has a context of its own. `replaced` puts a text into files of the page,
    to see that a flow finds the fault: {"ui/tree.js": (old, new)}."""

    def __init__(self, playwright, *arguments):
        program = next(filter(None, map(shutil.which, BROWSERS)), None)
        if program is None:
            sys.exit("inspector: there is no Chromium; .ci/packages browser installs one")
        self.playwright = playwright
        self.chromium = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage", *arguments])
        self.replaced = {}

    def close(self):
        self.chromium.close()

    @contextlib.contextmanager
    def another(self, *arguments):
        """A second Chromium, with arguments of its own."""
        with contextlib.closing(Browser(self.playwright, *arguments)) as browser:
            browser.replaced = self.replaced
            yield browser

    @contextlib.contextmanager
    def page(self, trial, address, expected_errors=(), **options):
        """A page that is not opened yet. At its end nothing may stand on its console but what a flow expects."""
        options = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **options}
        context = self.chromium.new_context(**options)
        context.set_default_timeout(WAIT_MILLISECONDS)
        for path, (old, new) in self.replaced.items():
            context.route(f"**/{path}", replacing(old, new))
        page = Page(context.new_page(), address)
        try:
            yield page
        finally:
            context.close()
        shown = [line for line in page.console if not any(text in line for text in expected_errors)]
        trial.expect("the console", shown, [])


def replacing(old, new):
    """What answers with a file in which a text is replaced."""
    def answer(route):
        found = route.fetch()
        text = found.text()
        if old not in text:
            sys.exit(f"inspector: {route.request.url} has no {old!r}")
        left_out = ("etag", "content-length", "content-encoding")
        headers = {name: value for name, value in found.headers.items() if name not in left_out}
        route.fulfill(status=200, headers=headers, body=text.replace(old, new))
    return answer


def function(expression):
    """As a function: the page's policy forbids Playwright to evaluate the text of an expression again and again."""
    return expression if re.match(r"\s*(\w+|\([^()]*\)) =>", expression) else f"() => ({expression})"


class Page:
    """The inspector, by its hooks."""

    def __init__(self, page, address):
        self.page, self.address, self.console = page, address, []
        page.on("console", lambda message: self.console.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.console.append(f"error: {error}"))

    def open(self, session=SESSION, node=None, view="session"):
        place = f"#/sessions/{session}" + (f"/nodes/{node}" if node else "") if session else ""
        self.page.goto(f"{self.address}ui{place}")
        self.wait(READY.format(view))

    def sign_in(self, place, reader):
        """Opens a place of the session, with a token."""
        self.page.goto(f"{self.address}ui#/sessions/{SESSION}{place}")
        self.wait(READY.format("sign-in"))
        self.page.locator("input[type=password]").fill(reader)
        self.key("Enter")

    def is_far(self, latency):
        """From now on the page is so many milliseconds away from its server."""
        network = self.page.context.new_cdp_session(self.page)
        network.send("Network.enable")
        network.send("Network.emulateNetworkConditions", {
            "offline": False, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1})

    def wait(self, selector):
        self.page.wait_for_selector(selector, state="attached")

    def until(self, expression, argument=None):
        """Waits until an expression of JavaScript holds."""
        self.page.wait_for_function(function(expression), arg=argument)

    def is_so(self, expression, argument=None):
        """As `until`, and says whether it came to hold."""
        from playwright.sync_api import TimeoutError as TooLate
        try:
            self.page.wait_for_function(function(expression), arg=argument, timeout=5_000 * pace.slowness())
            return True
        except TooLate:
            return False

    def has(self, selector):
        """Whether an element comes to be there."""
        return self.is_so("selector => document.querySelector(selector) !== null", selector)

    def key(self, *names):
        for name in names:
            self.page.keyboard.press(name)

    def get(self, expression, argument=None):
        return self.page.evaluate(expression, argument)

    def within(self, promise):
        """What a promise of the page comes to; None if it does not in time, which `evaluate` would wait for."""
        return self.get(f"""Promise.race([{promise},
            new Promise(resolve => setTimeout(() => resolve(null), {WAIT_MILLISECONDS}))])""")

    @property
    def selected(self):
        return self.get("document.querySelector('[role=treeitem][aria-selected=true]')?.dataset.node")

    def is_selected(self, node):
        return self.is_so("""node => [...document.querySelectorAll('[role=treeitem][aria-selected=true]')]
            .map(row => row.dataset.node).join() === node""", node)

    def rows(self):
        return self.get("[...document.querySelectorAll('[role=treeitem]')].map(row => row.dataset.node)")

    def shows(self, node, trait, value, at=None):
        """Whether the traits come to show that value of a trait, as an override of the node `at` if that is given."""
        return self.is_so("""([node, trait, value, at]) => {
            const region = document.querySelector('[role=region][aria-label=Traits]')
            const row = [...region.querySelectorAll('[data-trait]')].find(row => row.dataset.trait === trait)
            const source = row?.querySelector('[data-source]')
            return region.dataset.node === node && row?.querySelector('[data-value]')?.dataset.value === value
              && (at === null || source.dataset.source === 'override'
                && (source.querySelector('[data-goto]')?.dataset.goto ?? node) === at)
          }""", [node, trait, json.dumps(value, separators=(",", ":")), at])

    def trait(self, key):
        return self.page.locator(f'[role=region][aria-label=Traits] [data-trait="{key}"]')

    def choose(self, trait, value):
        # As a hand does: a line shows its controls under the pointer, and then they stay where they are.
        self.trait(trait).hover()
        self.trait(trait).locator(f'input[type=radio][value="{value}"]').check()

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def field(self, name):
        return self.page.get_by_role("searchbox", name=name, exact=True)

    def focused(self, selector):
        return self.is_so("selector => document.activeElement.matches(selector)", selector)

    def commits(self):
        """The revisions of the commits in the list of changes, rising."""
        return self.get("""[...document.querySelectorAll('[role=log] [data-record=commit]')]
            .map(entry => Number(entry.dataset.revision)).sort((a, b) => a - b)""")

    def violations(self):
        """What axe finds serious or critical."""
        self.get(axe_script())
        found = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        return [f"{one['id']} ({one['impact']}): {'; '.join(node['html'][:120] for node in one['nodes'][:3])}"
                for one in found if one["impact"] in GRAVE]

    def overflow(self):
        """Pixels by which the page is wider than its window."""
        return self.get("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def axe_script():
    import axe_playwright_python
    path = pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js"
    return path.read_text(encoding="utf-8")


@contextlib.contextmanager
def serving(binary, *arguments, body=None, session=SESSION):
    """A server with a session."""
    with Server(binary, *arguments) as server:
        server.value("PUT", f"/v1/sessions/{session}", HIERARCHY if body is None else body)
        yield server, f"http://{server.address}/"


def overrides(server, node, session=SESSION):
    return server.value("GET", f"/v1/sessions/{session}/nodes/{node}/overrides")["overrides"]


def put(server, node, trait, value, session=SESSION):
    server.value("PUT", f"/v1/sessions/{session}/nodes/{node}/overrides/{trait}", {"value": value})


def revision(server, session=SESSION):
    return server.value("GET", f"/v1/sessions/{session}")["revision"]


def token(binary, file, name, *allowed):
    """A new token of a file."""
    made = subprocess.run([binary, "token", "new", "--tokens", file, "--name", name, "--allow", *allowed],
                          capture_output=True, text=True, check=True)
    return made.stdout.strip()


@contextlib.contextmanager
def guarded(binary, trial, browser):
    """A server with tokens, whose session `boss` has made and changed twice, a page, and the token of a reader, `guest`."""
    with folder() as work:
        file = work / "tokens"
        admin, reader = token(binary, file, "boss", "admin"), token(binary, file, "guest", "read")
        with Server(binary, "--tokens", str(file)) as server, \
                browser.page(trial, f"http://{server.address}/", ["401"]) as page:
            for path, body in (("", HIERARCHY), ("/nodes/scene/overrides/userInterfaceStyle", {"value": "dark"}),
                               ("/nodes/scene/overrides/userInterfaceStyle", {"value": "light"})):
                answer, _ = server.ask("PUT", f"/v1/sessions/{SESSION}{path}", body, {"Authorization": f"Bearer {admin}"})
                trial.expect("the session is written", answer.status in (200, 201))
            yield page, reader


@contextlib.contextmanager
def folder():
    with tempfile.TemporaryDirectory(prefix="traitd-inspector-") as path:
        yield pathlib.Path(path)


def milliseconds():
    """Of the clock that the page's `performance.timeOrigin + performance.now()` has."""
    return time.time() * 1_000
