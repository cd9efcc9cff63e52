"""Files of Figma, each for one rule, with the values that Figma shows at nodes.

A case is `name`, `file` (the answer for a file with that of …/variables/local in it), and either `error` or `values`:
{node: {variable: value}}. `skipped` is the number of lines about what was left out, `nodes` the nodes of the document.
"""

RED, GREEN, BLUE = ({"r": float(n == 0), "g": float(n == 1), "b": float(n == 2), "a": 1.0} for n in range(3))


def srgb(color):
    return {"colorSpace": "srgb", "components": [color["r"], color["g"], color["b"]]} | (
        {"alpha": color["a"]} if color["a"] != 1 else {})


def alias(variable):
    return {"type": "VARIABLE_ALIAS", "id": variable}


def node(number, children=(), modes=None, kind="FRAME", name=None):
    found = {"id": number, "name": name or f"Layer {number}", "type": kind, "scrollBehavior": "SCROLLS",
             "children": list(children)}
    return found | ({"explicitVariableModes": modes} if modes else {})


def collection(number, name, modes, default=None, **more):
    """`modes`: {modeId: name}."""
    return number, {"id": number, "name": name, "key": f"key-{number}", "remote": False, "hiddenFromPublishing": False,
                    "modes": [{"modeId": mode, "name": label} for mode, label in modes.items()],
                    "defaultModeId": default or next(iter(modes)), "variableIds": []} | more


def extension(number, name, parent, modes, overrides):
    """`modes`: {modeId: (name, parentModeId)}."""
    _, made = collection(number, name, {mode: label for mode, (label, _) in modes.items()})
    for mode in made["modes"]:
        mode["parentModeId"] = modes[mode["modeId"]][1]
    return number, made | {"isExtension": True, "parentVariableCollectionId": parent,
                           "rootVariableCollectionId": parent, "variableOverrides": overrides}


def variable(number, name, owner, values, kind="COLOR"):
    return number, {"id": number, "name": name, "key": f"key-{number}", "variableCollectionId": owner,
                    "resolvedType": kind, "valuesByMode": values, "remote": False, "description": "",
                    "hiddenFromPublishing": False, "scopes": ["ALL_SCOPES"], "codeSyntax": {}}


def file(collections, variables, *layers, document=True):
    page = node("0:1", layers, kind="CANVAS", name="Page")
    found = {"name": "File", "document": node("0:0", [page], kind="DOCUMENT", name="Document")} if document else {}
    return found | {"meta": {"variableCollections": dict(collections), "variables": dict(variables)}}


THEME = collection("C:1", "Theme", {"1:0": "Light", "1:1": "Dark"})
SIZE = collection("C:2", "Size", {"2:0": "S", "2:1": "M", "2:2": "L"}, default="2:1")
PRIMITIVES = collection("C:9", "Primitives", {"9:0": "Value"})
INK = variable("V:1", "ink", "C:1", {"1:0": RED, "1:1": GREEN})
GAP = variable("V:2", "gap", "C:2", {"2:0": 4, "2:1": 8, "2:2": 16}, "FLOAT")
BRAND = extension("C:5", "Brand", "C:1", {"5:0": ("Light", "1:0"), "5:1": ("Dark", "1:1")}, {"V:1": {"5:1": BLUE}})
DARK, LIGHT = {"C:1": "1:1"}, {"C:1": "1:0"}
R, G, B = srgb(RED), srgb(GREEN), srgb(BLUE)


def deep(levels):
    below = node("9:9", modes=DARK)
    for level in range(levels):
        below = node(f"8:{level}", [below])
    return below


CASES = [
    {"name": "a node without a mode has the default", "file": file([THEME], [INK]), "nodes": ["0-0"],
     "values": {"0-0": {"ink": R}}},
    {"name": "a default mode that is not the first one", "file": file([SIZE], [GAP]), "values": {"0-0": {"gap": 8}}},
    {"name": "a mode of a node", "file": file([THEME], [INK], node("1:1", modes=DARK)),
     "nodes": ["0-0", "0-1", "1-1"], "values": {"1-1": {"ink": G}, "0-1": {"ink": R}}},
    {"name": "a mode of a page", "file": file([THEME], [INK]) | {
        "document": node("0:0", [node("0:1", modes=DARK, kind="CANVAS")], kind="DOCUMENT")},
     "values": {"0-1": {"ink": G}}},
    {"name": "modes are inherited, and the nearest wins", "file": file([THEME], [INK], node(
        "1:1", [node("1:2", [node("1:3", modes=LIGHT)], kind="GROUP")], DARK)),
     "nodes": ["0-0", "0-1", "1-1", "1-2", "1-3"], "values": {"1-1": {"ink": G}, "1-2": {"ink": G}, "1-3": {"ink": R}}},
    {"name": "layers without modes are left out", "file": file([THEME], [INK], node("1:1", [node("1:2")]), node(
        "1:3", [node("1:4", modes=DARK)])), "nodes": ["0-0", "0-1", "1-3", "1-4"], "values": {"1-4": {"ink": G}}},
    {"name": "modes of two collections", "file": file([THEME, SIZE], [INK, GAP], node(
        "1:1", [node("1:2", modes={"C:2": "2:2"})], DARK)), "values": {"1-2": {"ink": G, "gap": 16}}},
    {"name": "two modes of one node", "file": file([THEME, SIZE], [INK, GAP], node("1:1", modes=DARK | {"C:2": "2:0"})),
     "values": {"1-1": {"ink": G, "gap": 4}}},
    {"name": "a mode below 300 layers", "file": file([THEME], [INK], deep(300)), "values": {"9-9": {"ink": G}}},
    {"name": "an instance in a mode, and a swapped instance in it", "file": file([THEME], [INK], node(
        "1:1", [node("I1:1;2:2", [node("I1:1;2:2;3:3", modes=LIGHT)], DARK, "INSTANCE")], kind="INSTANCE")),
     "values": {"I1-1-2-2": {"ink": G}, "I1-1-2-2-3-3": {"ink": R}}},
    {"name": "an alias in one collection", "file": file([THEME], [INK, variable(
        "V:3", "text", "C:1", {"1:0": alias("V:1"), "1:1": BLUE})], node("1:1", modes=DARK)),
     "values": {"0-0": {"text": R}, "1-1": {"text": B}}},
    {"name": "an alias to a collection without modes", "file": file([THEME, PRIMITIVES], [
        variable("V:8", "red", "C:9", {"9:0": RED}), variable(
            "V:3", "text", "C:1", {"1:0": alias("V:8"), "1:1": BLUE})], node("1:1", modes=DARK)),
     "values": {"0-0": {"text": R, "red": R}, "1-1": {"text": B}}},
    {"name": "an alias to another collection with modes", "file": file([THEME, SIZE], [GAP, variable(
        "V:3", "pad", "C:1", {"1:0": alias("V:2"), "1:1": 1}, "FLOAT")], node(
            "1:1", [node("1:2", modes=DARK)], {"C:2": "2:0"})),
     "values": {"0-0": {"pad": 8}, "1-1": {"pad": 4}, "1-2": {"pad": 1}}},
    {"name": "a chain of aliases", "file": file([THEME, PRIMITIVES], [INK, variable(
        "V:3", "a", "C:9", {"9:0": alias("V:4")}), variable("V:4", "b", "C:9", {"9:0": alias("V:1")})],
        node("1:1", modes=DARK)), "values": {"0-0": {"a": R, "b": R}, "1-1": {"a": G, "b": G}}},
    {"name": "numbers, strings and booleans", "file": file([THEME], [
        variable("V:3", "n", "C:1", {"1:0": 0, "1:1": 1.5}, "FLOAT"),
        variable("V:4", "s", "C:1", {"1:0": "", "1:1": "é\n\"</"}, "STRING"),
        variable("V:5", "b", "C:1", {"1:0": False, "1:1": True}, "BOOLEAN")], node("1:1", modes=DARK)),
     "values": {"0-0": {"n": 0, "s": "", "b": False}, "1-1": {"n": 1.5, "s": "é\n\"</", "b": True}}},
    {"name": "alpha", "file": file([THEME], [variable("V:3", "veil", "C:1", {
        "1:0": {"r": 0.1, "g": 0.2, "b": 0.3, "a": 0.5}, "1:1": {"r": 0, "g": 0, "b": 0}})], node("1:1", modes=DARK)),
     "values": {"0-0": {"veil": {"colorSpace": "srgb", "components": [0.1, 0.2, 0.3], "alpha": 0.5}},
                "1-1": {"veil": {"colorSpace": "srgb", "components": [0, 0, 0]}}}},
    {"name": "names with slashes and spaces", "file": file([collection("C:1", "Color / Theme", {
        "1:0": "Light Mode", "1:1": "Dark Mode"})], [variable("V:1", "surface/On Dark/50%", "C:1", {
            "1:0": RED, "1:1": GREEN})], node("1:1", modes=DARK)), "values": {"1-1": {"surface.On.Dark.50-": G}}},
    {"name": "an extended collection inherits", "file": file([THEME, BRAND], [INK], node("1:1", modes={"C:5": "5:0"})),
     "values": {"0-0": {"ink": R}, "1-1": {"ink": R}}},
    {"name": "an extended collection overrides", "file": file([THEME, BRAND], [INK], node("1:1", modes={"C:5": "5:1"}), node(
        "1:2", modes=DARK)), "values": {"1-1": {"ink": B}, "1-2": {"ink": G}}},
    {"name": "an extension of an extension", "file": file([THEME, BRAND, extension(
        "C:6", "Season", "C:5", {"6:0": ("Light", "5:0"), "6:1": ("Dark", "5:1")}, {"V:1": {"6:0": GREEN}})], [INK],
        node("1:1", modes={"C:6": "6:0"}), node("1:2", modes={"C:6": "6:1"})),
     "values": {"1-1": {"ink": G}, "1-2": {"ink": B}}},
    {"name": "an extension before its parent", "file": file([BRAND, THEME], [INK], node("1:1", modes={"C:5": "5:1"})),
     "values": {"1-1": {"ink": B}}},
    {"name": "an override that is an alias", "file": file([THEME, PRIMITIVES, extension(
        "C:5", "Brand", "C:1", {"5:0": ("Light", "1:0"), "5:1": ("Dark", "1:1")}, {"V:1": {"5:0": alias("V:8")}})], [
            INK, variable("V:8", "blue", "C:9", {"9:0": BLUE})], node("1:1", modes={"C:5": "5:0"})),
     "values": {"1-1": {"ink": B}}},
    {"name": "inherited modes are named by collection and mode", "file": file([THEME, extension(
        "C:5", "Brand", "C:1", {"C:5/1:0": ("Light", None), "C:5/1:1": ("Dark", None)}, {"V:1": {"C:5/1:1": BLUE}})], [INK],
        node("1:1", modes={"C:5": "C:5/1:1"}), node("1:2", modes={"C:5": "C:5/1:0"})),
     "values": {"1-1": {"ink": B}, "1-2": {"ink": R}}},
    {"name": "a collection of a library that is not there", "file": file([THEME], [INK], node(
        "1:1", modes=DARK | {"C:77/library": "7:0"})), "skipped": 1, "values": {"1-1": {"ink": G}}},
    {"name": "variables alone, as a plugin has them: in arrays", "file": {
        "variableCollections": [THEME[1]], "variables": [INK[1]]}, "nodes": [], "values": {}},
    {"name": "a circle of aliases", "file": file([PRIMITIVES], [
        variable("V:3", "a", "C:9", {"9:0": alias("V:4")}), variable("V:4", "b", "C:9", {"9:0": alias("V:3")})]),
     "error": "the aliases a → b → a go in a circle"},
    {"name": "an alias to nothing", "file": file([PRIMITIVES], [variable("V:3", "a", "C:9", {"9:0": alias("V:4")})]),
     "error": "/meta/variables/V:3/valuesByMode/9:0: 'V:4' is an alias to nothing"},
    {"name": "a mode without a value", "file": file([THEME], [variable("V:3", "a", "C:1", {"1:0": RED})]),
     "error": "the variable has no value in the mode 'Dark'"},
    {"name": "two variables with one name", "file": file([THEME, PRIMITIVES], [
        INK, variable("V:3", "ink", "C:9", {"9:0": RED})]), "error": "becomes the colour 'ink', as does"},
    {"name": "a collection with the name of a trait of UIKit", "file": file([collection(
        "C:1", "userInterfaceStyle", {"1:0": "Light", "1:1": "Dark"})], [INK]), "error": "'userInterfaceStyle' is taken"},
    {"name": "a text of a thousand words", "file": file([THEME], [INK], node("1:1", modes=DARK, name="é" * 1024)),
     "values": {"1-1": {"ink": G}}, "skipped": 1},
    {"name": "no variables", "file": {"name": "F", "document": node("0:0")}, "error": "there are no variables"},
]
