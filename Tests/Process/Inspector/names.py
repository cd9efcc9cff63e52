"""Names and texts that would do harm if the page took them for markup, for keys of an object, or for the direction of
the text around them."""

from world import put, serving

MARKUP = "<img src=x onerror=\"window.harm=1\"><script>window.harm=1</script>"
BIDI = "\u202e\u2066gpj.exe\u2067"
LONGEST = "L" * 128
NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", LONGEST]

HIERARCHY = {
    "traits": {**{name: {"type": "string", "default": ""} for name in NAMES},
               "note": {"type": "string", "default": MARKUP}},
    "nodes": [
        {"id": "root", "kind": "environment", "label": MARKUP, "overrides": {"note": MARKUP + BIDI}},
        *({"id": name, "kind": "environment", "parent": "root", "label": f"{MARKUP}{BIDI}",
           "overrides": {"__proto__": f"{name}{MARKUP}", "constructor": BIDI}} for name in NAMES),
        {"id": "deep", "kind": "environment", "parent": "__proto__"},
    ],
}


def hostile(trial, browser, binary):
    """Hostile names of the session, of nodes, traits and registrations, in labels, values and commits."""
    with serving(binary, session="__proto__", body=HIERARCHY) as (server, address), \
            browser.page(trial, address) as page:
        for name in NAMES:
            server.value("PUT", f"/v1/sessions/__proto__/registrations/{name}",
                         {"node": name, "traits": NAMES, "label": MARKUP})
        page.open(None, view="sessions")
        page.page.click("[data-session=__proto__]")
        for name in NAMES:
            page.open("__proto__", name)
            trial.expect(f"the node {name[:12]}", page.is_selected(name))
            trial.expect(f"its value of __proto__ at {name[:12]}",
                         page.shows(name, "__proto__", f"{name}{MARKUP}", name))
        # A value that a node of that name gives to another one.
        page.open("__proto__", "deep")
        trial.expect("a value from a node", page.shows("deep", "__proto__", f"__proto__{MARKUP}", "__proto__"))
        for trait in ("__proto__", "constructor"):
            page.trait(trait).locator("button[aria-expanded]").click()
            trial.expect(f"the chain of {trait}", page.has(
                f"[data-trait={trait}] [data-chain] [data-status=winner][data-node=__proto__]"))
        page.wait("body[data-connection=live]")
        put(server, "__proto__", "constructor", MARKUP + BIDI, "__proto__")
        trial.expect("a commit with markup", page.has("[role=log] [data-record=commit]"))
        trial.expect("a change with markup", page.has("[role=log] [data-record=change]"))
        page.button("What if").click()
        page.trait("__proto__").locator("input[data-override]").fill(MARKUP)
        page.key("Enter")
        trial.expect("a plan with markup", page.has("[data-planned]"))
        filters(trial, page)
        harmless(trial, page)


def filters(trial, page):
    for text, hits in ((MARKUP[:30], len(NAMES) + 1), ("__proto__", 1), ("trait:__proto__", len(NAMES))):
        page.field("Filter nodes").fill(text)
        trial.expect(f"hits of {text[:20]}", page.is_so(
            "count => document.querySelectorAll('[role=treeitem][data-hit]').length === count", hits))


ISOLATED = """() => {
  const strange = /[\\u202a-\\u202e\\u2066-\\u2069]/
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found = []
  while (walker.nextNode()) {
    const {parentElement: parent, data} = walker.currentNode
    // A block isolates the text around itself, but not its own texts from one another.
    if (strange.test(data) && parent.checkVisibility() && (parent.childNodes.length > 1 || getComputedStyle(parent).unicodeBidi === 'normal')) {
      const isolating = parent.closest('bdi, [dir], code, pre, option')
      if (!isolating) found.push(parent.outerHTML.slice(0, 80))
    }
  }
  return found
}"""


def harmless(trial, page):
    trial.expect("markup became no element", page.get("document.querySelectorAll('img, body script').length"), 0)
    trial.expect("no script of a name ran", page.get("window.harm === undefined"))
    trial.expect("markup is shown as text", page.get("text => document.body.textContent.includes(text)", MARKUP))
    trial.expect("texts that turn what is around them", page.get(ISOLATED), [])
    trial.expect("prototypes are whole",
                 page.get("Object.keys(Object.prototype).length === 0 && ({}).note === undefined"))
    trial.expect("the page is as wide as its window", page.overflow(), 0)


FLOWS = [hostile]
