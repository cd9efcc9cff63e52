#!/usr/bin/env python3
"""Converts design files, and compares every value that the server resolves with readers of their own.

Catalogs of asset folders, a resolver document of design tokens, and files of Figma. The first two are read from a folder
with `catalogs.json.xz` and `spectrum.resolver.json.xz` where there is one (TRAITD_DESIGN_DATA, else ../shared/data). A page in a
browser takes the sheet of a small catalog. The cases of Figma are in figma_cases.py.

usage: convert.py TRAITD
"""

import itertools
import json
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path[:0] = [str(ROOT / ".ci/lib"), str(ROOT / "Tests/Process/Formats"), str(ROOT / "Tests/Process/Access")]
import browser as access  # noqa: E402
from figma_cases import CASES  # noqa: E402
from traitd_server import Server  # noqa: E402

DATA = pathlib.Path(os.environ.get("TRAITD_DESIGN_DATA", ROOT.parent / "shared/data"))


class Checks:
    def __init__(self):
        self.count, self.failed = 0, []

    def equal(self, found, expected, where):
        self.count += 1
        if found != expected:
            self.failed.append(f"FAILED {where}: {json.dumps(found)[:300]} instead of {json.dumps(expected)[:300]}")


def convert(traitd, kind, folder, *files):
    """The document, the lines about what was left out, and the exit status."""
    run = subprocess.run([traitd, "convert", kind, *files], cwd=folder, capture_output=True, text=True, check=False)
    return (json.loads(run.stdout) if run.returncode == 0 else None), run.stderr.splitlines(), run.returncode


def resolved(server, name, document, nodes):
    """The colours and images of nodes with values of traits: {node: {"colors": {name: value}, "images": …}}."""
    document = dict(document, name=name, nodes=document["nodes"] + [
        {"id": node, "kind": "environment", "overrides": values} for node, values in nodes.items()])
    server.value("PUT", f"/v1/sessions/{name}/import", document)
    found = {}
    for node in nodes:
        answer = server.value("POST", f"/v1/sessions/{name}/resolve",
                              {"nodes": [node], "traits": [], "colors": "all", "images": "all"})
        entry = answer["nodes"][0]
        found[node] = {member: {key: value["value"] for key, value in entry.get(member, {}).items()}
                       for member in ("colors", "images")}
    server.value("DELETE", f"/v1/sessions/{name}")
    return found


# Catalogs. Written from Xcode's documentation of the format, without a look at the Swift code.

TRAITS = {
    ("idiom", "iphone"): ("userInterfaceIdiom", "phone"), ("idiom", "ipad"): ("userInterfaceIdiom", "pad"),
    ("idiom", "mac"): ("userInterfaceIdiom", "mac"), ("luminosity", "dark"): ("userInterfaceStyle", "dark"),
    ("luminosity", "light"): ("userInterfaceStyle", "light"), ("contrast", "high"): ("accessibilityContrast", "high"),
    ("display-gamut", "display-P3"): ("displayGamut", "P3"), ("display-gamut", "sRGB"): ("displayGamut", "SRGB"),
}


def slot_conditions(slot):
    """{trait: value}; None where a condition is not known here."""
    pairs = [(kind, slot[kind]) for kind in ("idiom", "display-gamut") if slot.get(kind, "universal") != "universal"]
    pairs += [(entry["appearance"], entry["value"]) for entry in slot.get("appearances", [])]
    if "locale" in slot or any(pair not in TRAITS for pair in pairs):
        return None
    return dict(TRAITS[pair] for pair in pairs)


def component(text, is_alpha=False):
    if text.lower().startswith("0x"):
        return int(text, 16) / 255
    if "." in text:
        return float(text)
    return float(text) if is_alpha and text in "01" else int(text) / 255


def slot_color(color):
    if "reference" in color:
        return color["reference"]
    parts = color["components"]
    space = "display-p3" if color["color-space"] == "display-p3" else "srgb"
    channels = [parts["white"]] * 3 if "white" in parts else [parts[name] for name in ("red", "green", "blue")]
    alpha = component(parts.get("alpha", "1.0"), True)
    return space, [component(channel) for channel in channels], alpha


def written_color(value):
    """The server's value in the form of `slot_color`."""
    return value if isinstance(value, str) else (value["colorSpace"], value["components"], value.get("alpha", 1))


def expected_color(slots, environment):
    """The slot with the most conditions, all of which hold; the first of several; else the first slot."""
    best = None
    for when, value in slots:
        if all(environment.get(trait) == wanted for trait, wanted in when.items()):
            if best is None or len(when) > len(best[0]):
                best = (when, value)
    return (best or slots[0])[1]


ENVIRONMENTS = {
    f"{style}-{contrast}-{gamut}-{idiom}": {
        name: value for name, value in (("userInterfaceStyle", style), ("accessibilityContrast", contrast),
                                        ("displayGamut", gamut), ("userInterfaceIdiom", idiom))}
    for style in ("light", "dark") for contrast in ("normal", "high") for gamut in ("SRGB", "P3")
    for idiom in ("phone", "pad", "mac")
}


def catalog_colors(folder):
    """{name: [(conditions, value)]} of one catalog whose groups have no namespaces."""
    colors = {}
    for path in sorted(folder.glob("**/*.colorset/Contents.json")):
        slots = {}
        for slot in json.loads(path.read_text(encoding="utf-8"))["colors"]:
            when = slot_conditions(slot)
            if when is not None and "color" in slot:
                key = tuple(sorted(when.items()))
                slots.pop(key, None)
                slots[key] = (when, slot_color(slot["color"]))
        colors[path.parent.name[:-len(".colorset")].replace(" ", ".")] = list(slots.values())
    return colors


def check_catalogs(traitd, server, checks):
    if not (DATA / "catalogs.json.xz").exists():
        print(f"convert: catalogs of apps skipped: {DATA} has none")
        return
    apps = json.loads(lzma.open(DATA / "catalogs.json.xz").read())
    with tempfile.TemporaryDirectory() as place:
        for app, content in apps.items():
            for path, text in content["files"].items():
                file = pathlib.Path(place, app, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
        sets = colors = 0
        for number, catalog in enumerate(sorted(pathlib.Path(place).glob("**/*.xcassets"))):
            document, lines, status = convert(traitd, "xcassets", place, str(catalog.relative_to(place)))
            names = [path.parent.name for path in catalog.glob("**/*.colorset/Contents.json")]
            if status == 65 and len(set(names)) < len(names):
                checks.equal("becomes the colour" in lines[-1], True, f"{catalog}: {lines[-1]}")
                continue
            checks.equal(status, 0, f"{catalog}: {lines[-1:]}")
            if not document:
                continue
            # The server has no groups with namespaces in these catalogs.
            expected = catalog_colors(catalog)
            checks.equal(sorted(document["colors"]), sorted(expected), f"{catalog}: names")
            found = resolved(server, f"catalog-{number}", document, ENVIRONMENTS)
            for node, environment in ENVIRONMENTS.items():
                for name, slots in expected.items():
                    checks.equal(written_color(found[node]["colors"][name]), expected_color(slots, environment),
                                 f"{catalog} {name} at {node}")
            sets += len(document["colors"]) + len(document["images"])
            colors += len(expected)
        print(f"convert: {sets} sets of {len(apps)} repositories, {colors} colours in {len(ENVIRONMENTS)} environments")


# Tokens.

def merged(sources):
    """{path: token} of sources, the last one first in rank."""
    tokens = {}

    def walk(group, path):
        for name, value in group.items():
            if not name.startswith("$"):
                if "$value" in value:
                    tokens[".".join([*path, name])] = value["$value"]
                else:
                    walk(value, [*path, name])
    for source in sources:
        walk(source, [])
    return tokens


def followed(tokens, value):
    if isinstance(value, str) and value.startswith("{"):
        return followed(tokens, tokens[value[1:-1]])
    if isinstance(value, list):
        return [followed(tokens, element) for element in value]
    return {key: followed(tokens, member) for key, member in value.items()} if isinstance(value, dict) else value


def check_tokens(traitd, server, checks):
    if not (DATA / "spectrum.resolver.json.xz").exists():
        print(f"convert: Spectrum's tokens skipped: {DATA} has none")
        return
    document = json.loads(lzma.open(DATA / "spectrum.resolver.json.xz").read())
    with tempfile.TemporaryDirectory() as place:
        pathlib.Path(place, "spectrum.json").write_text(json.dumps(document), encoding="utf-8")
        converted, lines, status = convert(traitd, "tokens", place, "spectrum.json")
    checks.equal(status, 0, f"Spectrum: {lines[-1:]}")
    modifiers = document["modifiers"]
    permutations = [dict(zip(modifiers, contexts))
                    for contexts in itertools.product(*(modifier["contexts"] for modifier in modifiers.values()))]
    nodes = {"-".join(permutation.values()): permutation for permutation in permutations}
    found = resolved(server, "spectrum", converted, nodes)
    for node, permutation in nodes.items():
        sources = []
        for item in document["resolutionOrder"]:
            _, kind, name = item["$ref"].split("/")
            sources += (document["sets"][name]["sources"] if kind == "sets"
                        else modifiers[name]["contexts"][permutation[name]])
        tokens = merged(sources)
        for name, value in tokens.items():
            checks.equal(found[node]["colors"].get(name), followed(tokens, value), f"Spectrum {name} at {node}")
        checks.equal(len(found[node]["colors"]), len(tokens), f"Spectrum at {node}: tokens")
    print(f"convert: {len(found[node]['colors'])} tokens in {len(nodes)} permutations")


# Figma.

def check_figma(traitd, server, checks):
    with tempfile.TemporaryDirectory() as place:
        for number, case in enumerate(CASES):
            pathlib.Path(place, "file.json").write_text(json.dumps(case["file"]), encoding="utf-8")
            document, lines, status = convert(traitd, "figma", place, "file.json")
            where = f"Figma, {case['name']}"
            if "error" in case:
                checks.equal((status, case["error"] in lines[-1]), (65, True), f"{where}: {lines[-1]}")
                continue
            checks.equal(status, 0, f"{where}: {lines[-1:]}")
            if not document:
                continue
            checks.equal(len(lines) - 1, case.get("skipped", 0), f"{where}: lines")
            if "nodes" in case:
                checks.equal([node["id"] for node in document["nodes"]], case["nodes"], f"{where}: nodes")
            server.value("PUT", f"/v1/sessions/figma-{number}/import", dict(document, name=f"figma-{number}"))
            for node, values in case["values"].items():
                answer = server.value("POST", f"/v1/sessions/figma-{number}/resolve",
                                      {"nodes": [node], "traits": [], "colors": "all"})
                found = {key: value["value"] for key, value in answer["nodes"][0]["colors"].items()}
                checks.equal({name: found.get(name) for name in values}, values, f"{where} at {node}")
    print(f"convert: {len(CASES)} files of Figma")


# A page with the sheet of a converted catalog.

SLOTS = {
    "Plain": [({}, "srgb", ["0.25", "128", "0x40"], "1.000"), ({"luminosity": "dark"}, "srgb", ["1.000", "0.5", "0"], "0.5")],
    "Wide Gamut": [({}, "display-p3", ["0.9", "0.1", "0.3"], "1.000")],
    "Beyond": [({}, "extended-srgb", ["1.25", "-0.25", "0.5"], "1.000")],
}
PAGE = """<!doctype html><meta charset="utf-8"><title>sheet</title><link rel="stylesheet" crossorigin href="%s"><body><script>
onload = () => {
  const found = {};
  for (const name of %s) {
    const element = document.body.appendChild(document.createElement('p'));
    element.style.backgroundColor = `var(--color-${name.replace('.', '\\\\.')})`;
    found[name] = getComputedStyle(element).backgroundColor;
  }
  fetch('/found', {method: 'POST', body: JSON.stringify(found)});
};
</script></body>"""


def check_browser(traitd, checks):
    browser = next(filter(None, map(shutil.which, access.BROWSERS)), None)
    if browser is None:
        print("convert: the page skipped: there is no browser; .ci/packages browser installs one")
        return
    with tempfile.TemporaryDirectory() as place:
        for name, slots in SLOTS.items():
            folder = pathlib.Path(place, "App.xcassets", f"{name}.colorset")
            folder.mkdir(parents=True)
            folder.joinpath("Contents.json").write_text(json.dumps({"colors": [
                {"idiom": "universal",
                 "appearances": [{"appearance": kind, "value": value} for kind, value in when.items()],
                 "color": {"color-space": space, "components": dict(zip(
                     ("red", "green", "blue", "alpha"), [*channels, alpha]))}}
                for when, space, channels, alpha in slots]}), encoding="utf-8")
        document, _, _ = convert(traitd, "xcassets", place, "App.xcassets")
    pages = access.Pages()
    port = pages.server_address[1]
    for style in ("light", "dark"):
        with Server(traitd, "--allow-origin", f"http://127.0.0.1:{port}") as server:
            node = {"id": "n", "kind": "environment", "overrides": {"userInterfaceStyle": style}}
            server.value("PUT", "/v1/sessions/app/import", dict(document, name="app", nodes=[node]))
            link = f"http://{server.address}/v1/sessions/app/nodes/n/traits?colors=all"
            pages.page = PAGE % (link, json.dumps(sorted(document["colors"])))
            found = access.findings_of(browser, pages, f"http://127.0.0.1:{port}/")
        for name, slots in SLOTS.items():
            _, space, channels, alpha = slots[-1 if style == "dark" else 0]
            wanted = [component(channel) for channel in channels] + [float(alpha)] * (float(alpha) != 1)
            text = found.get(name.replace(" ", "."), "")
            numbers = [float(number) for number in re.findall(r"-?[0-9.]+(?:e-?[0-9]+)?", text.partition(" ")[2])]
            checks.equal((text.partition(" ")[0], len(numbers)),
                         ("color(display-p3" if space == "display-p3" else "color(srgb", len(wanted)), f"{name} in a page: {text}")
            checks.equal([round(number, 3) for number in numbers], [round(number, 3) for number in wanted],
                         f"{name}, {style}, in a page: {text}")
    print("convert: a page with the sheet of a catalog, light and dark")


def check_folder(traitd, checks):
    with tempfile.TemporaryDirectory() as place:
        os.makedirs(place.encode() + b"/A.xcassets/\xff.colorset")
        _, lines, status = convert(traitd, "xcassets", place, "A.xcassets")
        checks.equal((status, lines[-1].endswith("is not UTF-8")), (66, True), f"a folder that is not UTF-8: {lines}")


def main(traitd):
    checks = Checks()
    check_folder(traitd, checks)
    check_browser(traitd, checks)
    with Server(traitd) as server:
        check_catalogs(traitd, server, checks)
        check_tokens(traitd, server, checks)
        check_figma(traitd, server, checks)
    print("\n".join(checks.failed[:30] + [f"convert: {checks.count} comparisons, {len(checks.failed)} failed"]))
    return 1 if checks.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve())))
