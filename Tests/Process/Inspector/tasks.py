"""Five tasks of a day, each with the actions that it takes: a press, a key, or a text that is typed counts as one."""

from world import Server

NODES = 100_000
# What an answer about 100,000 nodes may take until it is on the page.
ANSWER_MILLISECONDS_MAX = 1_000
NAME = "large"
YESTERDAY_LINE = "[role=log] [data-record=commit] .what"


class Counted:
    """A page whose actions are counted."""

    def __init__(self, page):
        self.page, self.actions = page, 0

    def click(self, selector):
        self.actions += 1
        self.page.page.locator(selector).first.click()

    def press(self, name, within="body"):
        self.actions += 1
        self.page.page.locator(within).get_by_role("button", name=name, exact=True).first.click()

    def choose(self, trait, value):
        self.actions += 1
        self.page.choose(trait, value)

    def type(self, field, text):
        self.actions += 1
        self.page.page.get_by_label(field, exact=True).fill(text)


def tree():
    """A session of so many nodes, ten below each."""
    nodes = [{"id": "root", "kind": "view"}]
    nodes += [{"id": f"n{number}", "kind": "view", "parent": "root" if number <= 10 else f"n{(number - 1) // 10}"}
              for number in range(1, NODES)]
    return {"traits": {"plan": {"type": "enum", "cases": {"free": 0, "paid": 1}, "default": "free"}}, "nodes": nodes}


def tasks(trial, browser, binary):
    """Why so, what would change, who changed it, put it back, find it."""
    with Server(binary) as server, browser.page(trial, f"http://{server.address}/") as page:
        server.value("PUT", f"/v1/sessions/{NAME}", tree())
        for value in ("paid", "free"):
            server.value("PUT", f"/v1/sessions/{NAME}/nodes/n1/overrides/plan", {"value": value})
        for what, most, task in (("why is it so", 2, why), ("what would change", 3, change), ("who changed it", 2, who),
                                 ("put it back", 3, back), ("find one", 1, find)):
            page.open(NAME, node="n1" if task in (why, back) else "root")
            page.wait("body[data-connection=live]")
            counted = Counted(page)
            task(trial, counted)
            trial.at_most(what, counted.actions, most, "actions")
            page.page.goto("about:blank")


def why(trial, counted):
    counted.click("[data-trait=plan] button[aria-expanded]")
    trial.expect("the chain", counted.page.has("[data-chain] [data-status=winner][data-layer=override]"))


def change(trial, counted):
    counted.page.page.get_by_role("checkbox", name="Show defaults").check()
    counted.page.wait("[data-trait=plan]")
    counted.press("What if")
    counted.page.get("""window.seen = new Promise(resolve => {
        let start = null
        addEventListener('change', () => { start = performance.now() }, true)
        const look = () => document.querySelector('[data-affected-total]') && start !== null ? resolve(performance.now() - start)
          : requestAnimationFrame(look)
        look() }), 0""")
    counted.choose("plan", "paid")
    took = counted.page.within("seen")
    trial.expect("the number of nodes", counted.page.has(f"[data-affected-total='{NODES - 11_111}']"))
    trial.at_most("what would change at the root is on the page after", took or float("inf"),
                  ANSWER_MILLISECONDS_MAX, "ms")


def who(trial, counted):
    counted.type("Since", "yesterday")
    trial.expect("commits of yesterday and today", counted.page.is_so(
        f"document.querySelectorAll('{YESTERDAY_LINE}').length === 3"))


def back(trial, counted):
    counted.click("[data-trait=plan] button[aria-expanded]")
    counted.press("Put back", within="[data-history]")
    counted.page.until("document.querySelector('dialog[open] [data-affected-total]') !== null")
    counted.press("Apply", within="dialog")
    trial.expect("the old value", counted.page.shows("n1", "plan", "paid", "n1"))


def find(trial, counted):
    counted.type("Filter nodes", "n77777")
    trial.expect("the node", counted.page.has("[role=treeitem][data-node=n77777][data-hit]"))


FLOWS = [tasks]
