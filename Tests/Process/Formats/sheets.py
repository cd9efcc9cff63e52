#!/usr/bin/env python3
"""Reads style sheets of a random session with other programs' parsers, and compares them with the JSON answers.

tinycss2 parses the sheet of each of 200 nodes. A headless Chromium takes the sheet of the whole tree by a <link> in a
document that is nested by trait parents, and must have every value at every node by inheritance. A page whose origin
is not allowed must get no value. The seed is printed; without a Chromium the test fails.

usage: sheets.py TRAITD [SEED]
"""

import json
import pathlib
import random
import shutil
import sys

sys.dont_write_bytecode = True
try:
    import tinycss2
except ImportError:
    print("sheets: skipped, no tinycss2 (.ci/tools)")
    sys.exit(0)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path[:0] = [str(ROOT / ".ci/lib"), str(ROOT / "Tests/Process/Access")]
import browser as access  # noqa: E402
from traitd_server import Server  # noqa: E402

NODES, SESSION = 200, "/v1/sessions/sheets"
LETTERS = ["a", "Z", "9", " ", "\n", "\t", "\r", "\f", "\x01", "\x7f", '"', "'", "\\", "</", "<!--", "/*", "*/", "é",
           "\u2028", "😀", "{", "}", ";", "!important", "url(", "\\a "]
CASES = ["plain", "two words", "inherit", "Revert-Layer", "-x", "--x", "-9", "_a", "9", "é", "</style>"]
KEYS = ["a.b", "a_b", "a-b", "a~b", "a..b", "a.b_", "-a", "_", "9a"]

PAGE = """<!doctype html><meta charset="utf-8"><title>sheet</title>
<link rel="stylesheet" %s href="%s"><body>%s<script>
onload = () => {
  const found = {};
  for (const element of document.querySelectorAll('[data-node]')) {
    const style = getComputedStyle(element);
    found[element.dataset.node] = %s.map(name => style.getPropertyValue(name));
  }
  fetch('/found', {method: 'POST', body: JSON.stringify(found)});
};
</script></body>"""


def text(chance):
    return "".join(chance.choice(LETTERS) for _ in range(chance.randrange(8)))


def definitions(chance):
    types = [{"type": "int", "default": 0}, {"type": "double", "default": 0.5}, {"type": "bool", "default": True},
             {"type": "string", "default": "", "nullable": True},
             {"type": "enum", "cases": {name: number for number, name in enumerate(CASES)}, "default": "plain"},
             {"type": "struct", "nullable": True, "default": None,
              "fields": {"w": "double", "a b": "string", "a.b": "int", "c:d": "bool"}}]
    return {key: chance.choice(types) for key in KEYS} | {f"t{number}": kind for number, kind in enumerate(types)}


def value(chance, definition):
    kind = definition["type"]
    if definition.get("nullable") and chance.random() < 0.3:
        return None
    return {"int": lambda: chance.randrange(-10**9, 10**9), "bool": lambda: chance.random() < 0.5,
            "double": lambda: chance.choice([0, -0.0, 1e21, 1e-9, chance.uniform(-9, 9)]),
            "string": lambda: text(chance), "enum": lambda: chance.choice(CASES),
            "struct": lambda: {"w": chance.uniform(-9, 9), "a b": text(chance), "a.b": chance.randrange(9),
                               "c:d": chance.random() < 0.5}}[kind]()


def session(chance):
    traits = definitions(chance)
    nodes = []
    for number in range(NODES):
        own = {key: value(chance, traits[key]) for key in chance.sample(sorted(traits), chance.randrange(4))}
        if chance.random() < 0.3:
            own["userInterfaceStyle"] = chance.choice(["light", "dark", "unspecified", 7])
        if chance.random() < 0.3:
            own["displayScale"] = chance.choice([0, 1, 2.5])
        nodes.append({"id": f"n{number}", "kind": "environment", "overrides": own,
                      **({"parent": f"n{chance.randrange(number)}"} if number else {})})
    return {"traits": traits, "nodes": nodes}


def expected(traits, system, values):
    """The properties that a node must have, by name: None for one that is initial."""
    properties = {}
    for trait in traits:
        key, found = trait["key"], values[trait["key"]]
        is_unset = found is None or key in system and found == trait["default"]
        if trait["type"] == "struct":
            for field in trait["fields"]:
                properties[f"--trait-{key}:{field}"] = None if is_unset else found[field]
        else:
            properties[f"--trait-{key}"] = None if is_unset else found
    return properties


def read(tokens):
    """The value of a custom property: None for `initial` and for nothing."""
    tokens = [token for token in tokens if token.type not in ("whitespace", "comment")]
    if not tokens:
        return None
    if len(tokens) != 1:
        return ("malformed", [token.serialize() for token in tokens])
    token = tokens[0]
    if token.type == "number":
        return token.int_value if token.is_integer else token.value
    if token.type == "ident":
        return {"initial": None, "true": True, "false": False}.get(token.value, token.value)
    return token.value if token.type == "string" else ("malformed", token.serialize())


def same(found, wanted):
    if isinstance(wanted, float) and isinstance(found, (int, float)):
        return abs(found - wanted) <= 1e-12 * abs(wanted)
    return found == wanted and isinstance(found, bool) == isinstance(wanted, bool)


def definitions_of(server):
    """The public traits of the session, and the keys of the system's."""
    traits = [one for one in server.value("GET", f"{SESSION}/traits")["traits"] if not one.get("private")]
    return traits, {one["key"] for one in server.value("GET", "/v1/traits")["traits"]}


def compare(trial, what, found, wanted):
    trial.expect(f"the properties of {what}", sorted(found), sorted(wanted))
    for name in found.keys() & wanted.keys():
        if not same(found[name], wanted[name]):
            trial.expect(f"{name} of {what}", found[name], wanted[name])


def parse(sheet):
    """The rules of a sheet: selectors with their properties."""
    rules = []
    for rule in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True):
        if rule.type != "qualified-rule":
            sys.exit(f"a sheet has {rule.type}: {rule.serialize()[:200]}")
        found = {}
        for declaration in tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True):
            if declaration.type != "declaration" or declaration.name in found:
                sys.exit(f"a rule has {declaration.type}: {declaration.serialize()[:200]}")
            found[declaration.name] = read(declaration.value)
        rules.append((tinycss2.serialize(rule.prelude).strip(), found))
    return rules


def get(server, target):
    answer, data = server.ask("GET", target, headers={"Accept": "text/css,*/*;q=0.1"})
    if answer.status != 200:
        sys.exit(f"{target} is answered {answer.status} {data[:200]}")
    return data.decode()


def nested(children, node):
    return f'<div data-node="{node}">' + "".join(nested(children, child) for child in children.get(node, [])) + "</div>"


def in_browser(trial, browser, binary, document):
    pages = access.Pages()
    port = pages.server_address[1]
    origin = f"http://127.0.0.1:{port}"
    sys.setrecursionlimit(NODES * 4 + 1_000)
    for attributes, name, allowed in [("crossorigin", "127.0.0.1", True), ("", "127.0.0.1", False),
                                      ("crossorigin", "evil.test", False)]:
        with Server(binary, "--allow-origin", origin) as server:
            server.value("PUT", SESSION, document)
            traits, system = definitions_of(server)
            resolved = {one["node"]: expected(traits, system, one["traits"]) for one in
                        server.value("POST", f"{SESSION}/resolve", {"under": "n0"})["nodes"]}
            names = sorted(resolved["n0"])
            children = {}
            for node in server.value("GET", f"{SESSION}/nodes?pageSize=1000")["nodes"]:
                children.setdefault(node["traitParent"], []).append(node["id"])
            link = f"http://{server.address}{SESSION}/nodes/n0/traits?subtree=true"
            pages.page = PAGE % (attributes, link, nested(children, "n0"), json.dumps(names))
            found = access.findings_of(browser, pages, f"http://{name}:{port}/")
        for node, wanted in resolved.items():
            values = {name: read(tinycss2.parse_component_value_list(value))
                      for name, value in zip(names, found.get(node, []))}
            if allowed:
                compare(trial, f"{node} in the browser", values, wanted)
            else:
                trial.expect(f"{node} of a page that is not allowed", set(values.values()), {None})


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(2**32)
    print(f"seed {seed}")
    browser = next(filter(None, map(shutil.which, access.BROWSERS)), None)
    if browser is None:
        print("sheets: there is no browser; .ci/packages browser installs one")
        return 1
    trial, document = access.Trial(), session(random.Random(seed))
    with Server(binary) as server:
        server.value("PUT", SESSION, document)
        traits, system = definitions_of(server)
        for node in document["nodes"]:
            name = node["id"]
            sheet = get(server, f"{SESSION}/nodes/{name}/traits")
            trial.expect(f"</ in the sheet of {name}", "</" in sheet, False)
            rules = parse(sheet)
            trial.expect(f"the rules of {name}", [selector for selector, _ in rules], [":root"])
            values = server.value("GET", f"{SESSION}/nodes/{name}/traits")["traits"]
            wanted = expected(traits, system, values)
            # A single node's sheet has no system trait that is unset, unless the request asks for all.
            unset = {f"--trait-{key}" for key in system if wanted.get(f"--trait-{key}") is None}
            compare(trial, name, rules[0][1], {key: wanted[key] for key in wanted.keys() - unset})
            compare(trial, name, parse(get(server, f"{SESSION}/nodes/{name}/traits?specified=false"))[0][1], wanted)
        whole = parse(get(server, f"{SESSION}/nodes/n0/traits?subtree=true"))
        trial.expect("a rule for each node that differs", 20 < len(whole) < NODES, True)
    in_browser(trial, browser, binary, document)
    print("\n".join(trial.failed[:20]), end="\n" if trial.failed else "")
    print(f"{trial.count - len(trial.failed)} passed, {len(trial.failed)} failed")
    return 1 if trial.failed else 0


if __name__ == "__main__":
    sys.exit(main())
