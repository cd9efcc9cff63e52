"""The largest states that the limits of a session allow, and for each operation the requests whose answers
are longest or that take longest on them. `costs.py` measures these requests.

A request is the name in the table, method, target and body, and for a stream the text that ends its measurement and
its header lines.
`{n}` is the number of the repetition.
"""

from costly import LONG, node

VARIANTS = {"variants": [{"when": {"displayScale": scale}, "value": f"{scale}{LONG[:100]}"}
                         for scale in range(1, 40)] + [{"value": "v"}]}
# A body has at most 16 MiB.
LONG_VALUES = 900
LONG_VARIANTS = {"variants": [{"when": {"displayScale": scale}, "value": f"{scale}{LONG}"}
                              for scale in range(1, LONG_VALUES)] + [{"value": "v"}]}
LONG_MAP = {"type": "string", "default": "d", "bridgedTrait": "t0",
            "map": {f"{number}{LONG}": f"{number}{LONG}" for number in range(LONG_VALUES // 2)}}
NAMES = [f"t{number}" for number in range(LONG_VALUES)]


def prepare(client):
    wide(client)
    small(client)
    values(client)
    notified(client)
    scopes(client)
    environment(client)
    dynamics(client)
    explained(client)
    layouts(client)
    deep(client)
    followed(client)


def wide(client):
    """Session x: many of everything, 200 long values."""
    client.texts(200, "x")
    client.operate([node("s")] + [node(f"c{level}", f"c{level - 1}" if level else "s")
                                  for level in range(2_000)])
    client.fill("s", 200)
    client.operate([node(f"w{number}", "s") for number in range(2_000)])
    client.operate([{"op": "register", "registration": f"r{number}", "node": f"w{number}",
                     "traits": [f"t{trait}" for trait in range(20)]} for number in range(500)])
    for number in range(100):
        for kind in ("colors/color", "images/image"):
            client.must("PUT", f"/v1/sessions/x/{kind}{number}", VARIANTS)
        client.must("PUT", f"/v1/sessions/x/environmentKeys/key{number}",
                    {"type": "string", "default": LONG[:1000]})
        client.must("PUT", f"/v1/sessions/x/nodes/s/scopes/scope{number}",
                    {"reads": ["t0", "t1"]})
    client.session("l", updates="layout")
    client.operate([{"op": "createNode", "node": "s", "kind": "windowScene"}]
                   + [node(f"n{number}", "s") for number in range(10_000)], "l")


def small(client):
    for number in range(500):
        client.must("PUT", f"/v1/sessions/empty{number}", {})


def values(client):
    """Session v: 900 values of 16 KB at one node, a registration and watches for all of them."""
    client.texts(LONG_VALUES, "v")
    client.operate([node("s"), node("z")] + [node(f"w{number}", "s") for number in range(100)], "v")
    client.fill("s", LONG_VALUES, "v")
    client.operate([{"op": "register", "registration": "all", "node": "w0", "traits": NAMES}], "v")
    client.operate([{"op": "register", "registration": f"half{number}", "node": f"w{number}",
                     "traits": NAMES[::2]} for number in range(1, 100)], "v")


def notified(client):
    """Session h: commits whose records have as many bytes as `notificationBytesMax` allows."""
    client.texts(450, "h")
    client.operate([node("a"), node("b"), node("m", "a"),
                    {"op": "register", "registration": "r", "node": "m", "traits": NAMES[:450]}], "h")
    client.fill("a", 450, "h")
    client.fill("b", 450, "h", text=LONG + "y")
    client.must("PATCH", "/v1/sessions/h/nodes/m", {"parent": "b"})
    client.operate([node("n", "a")]
                   + [{"op": "register", "registration": f"n{count}", "node": "n", "traits": NAMES[:count]}
                      for count in (449, 450)], "h")


def scopes(client):
    """Session c: 100,000 scopes at one node."""
    client.texts(2, "c")
    client.operate([node("s")], "c")
    client.operate([{"op": "setScope", "node": "s", "scope": f"scope{number}", "reads": ["t0"]}
                    for number in range(100_000)], "c")


def environment(client):
    """Session e: 1,000 environment keys with long defaults. Session k: keys with long maps."""
    client.texts(1, "e")
    client.operate([node("s")], "e")
    for number in range(1_000):
        client.must("PUT", f"/v1/sessions/e/environmentKeys/key{number}",
                    {"type": "string", "default": f"{number}{LONG}"})
    client.texts(1, "k")
    client.operate([node("s")], "k")
    for number in range(3):
        client.must("PUT", f"/v1/sessions/k/environmentKeys/key{number}", LONG_MAP)


def dynamics(client):
    """Session d: colours and images of 14 MB."""
    client.session("d")
    client.operate([node("s")], "d")
    for kind in ("colors", "images"):
        client.must("PUT", f"/v1/sessions/d/{kind}/many", LONG_VARIANTS)
    client.operate([{"op": "register", "registration": "r", "node": "s", "traits": ["displayScale"],
                     "colors": ["many"]}], "d")


def explained(client):
    """Session p: a value of 16 KB at each of 900 levels."""
    client.texts(1, "p")
    client.operate([node(f"n{level}", f"n{level - 1}" if level else None)
                    for level in range(LONG_VALUES)], "p")
    for start in range(0, LONG_VALUES, 100):
        client.operate([{"op": "setOverride", "node": f"n{level}", "trait": "t0",
                         "value": f"{level}{LONG}"} for level in range(start, start + 100)], "p")


def layouts(client):
    """Session y: 100,000 nodes that an update visits."""
    client.session("y", updates="layout")
    client.operate([{"op": "createNode", "node": "s", "kind": "windowScene"}]
                   + [node(f"n{number}", "s") for number in range(100_000)], "y")


def deep(client):
    """Session m: subtrees of 100,000 nodes, and the most levels."""
    client.session("m")
    client.operate([node("z"), node("q"), node("r0")]
                   + [node(f"r{level}", f"r{level - 1}") for level in range(1, 9_990)], "m")
    client.operate([node(f"q{number}", "q") for number in range(100_000)], "m")
    client.operate([node(f"b{level}", f"b{level - 1}" if level else "q0") for level in range(100)], "m")


def followed(client):
    """Session f: 1,000 levels, each with a stream's filter, above 1,000 registrations, and 10,000 registrations
    elsewhere."""
    client.texts(1, "f")
    client.operate([node(f"n{level}", f"n{level - 1}" if level else None) for level in range(1_000)]
                   + [node("z")] + [node(f"p{number}") for number in range(100)]
                   + [node(f"h{number}") for number in (*range(600), *range(10_000, 10_024))], "f")
    client.operate([{"op": "register", "registration": f"r{number}", "node": "n999", "traits": ["t0"]}
                    for number in range(1_000)]
                   + [{"op": "register", "registration": f"z{number}", "node": "z", "traits": ["t0"]}
                      for number in range(10_000)], "f")
    for level in range(1_000):
        client.must("GET", f"/v1/sessions/f/events?subtree=n{level}&wait=0", None)


def touched(client):
    """Session w: 100,000 values of one trait, and 100,000 registrations on a node, for operations of a few bytes that
    touch all of them. Session o: 900 long values at a node that copies of itself multiply."""
    client.session("w", traits={"e": {"type": "string", "default": "a"}})
    client.operate([node("r")] + [{**node(f"n{number}"), "overrides": {"e": "a"}} for number in range(100_000)], "w")
    client.operate([{"op": "register", "registration": f"r{number}", "node": "r", "traits": ["displayScale"]}
                    for number in range(100_000)], "w")
    for value in range(20):
        client.must("PUT", "/v1/sessions/w/nodes/n1/overrides/displayScale", {"value": value % 2 + 1})
    client.texts(LONG_VALUES, "o")
    client.operate([node("s")], "o")
    client.fill("s", LONG_VALUES, "o")


TO_ENUM = {"op": "updateTrait", "trait": "e", "patch": {"type": "enum", "cases": {"a": 0, "b": 1}}}
TO_TEXT = {"op": "updateTrait", "trait": "e", "patch": {"type": "string", "cases": None}}
W, O = "/v1/sessions/w", "/v1/sessions/o"
# Requests of a few bytes that touch much; the sessions are those of `touched`.
TOUCHING = [
    ("runTransaction, copies of a node into itself", "POST", f"{O}/transactions?dryRun=true",
     {"operations": [{"op": "copyNode", "node": "s", "prefix": ["", f"c{number}."], "parent": "s"}
                     for number in range(14)]}),
    ("runTransaction, 4 conversions of 100,000 values", "POST", f"{W}/transactions?dryRun=true",
     {"operations": [TO_ENUM, TO_TEXT] * 2}),
    ("runTransaction, 1,000 conversions", "POST", f"{W}/transactions", {"operations": [TO_ENUM, TO_TEXT] * 500}),
    ("runTransaction, 4 new names of a node with 100,000 registrations", "POST", f"{W}/transactions?dryRun=true",
     {"operations": [{"op": "renameNode", "node": name, "to": to} for name, to in (("r", "q"), ("q", "r")) * 2]}),
    ("patchNode, a new name with 100,000 registrations", "PATCH", f"{W}/nodes/r?dryRun=true", {"id": "q"}),
    ("runTransaction, new names of a trait", "POST", f"{W}/transactions?dryRun=true",
     {"operations": [{"op": "renameTrait", "trait": name, "to": to} for name, to in (("e", "f"), ("f", "e")) * 50]}),
    ("runTransaction, 20,000 nodes deleted", "POST", f"{W}/transactions?dryRun=true",
     {"operations": [{"op": "deleteNode", "node": f"n{number}"} for number in range(20_000)]}),
    ("getNode of a past revision", "GET", f"{W}/nodes/n1?revision={{past}}", None),
    ("getHistory with what was replaced", "GET", f"{W}/history?operations=true&pageSize=3&node=n1&until={{past}}",
     None),
    ("getValueHistory", "GET", f"{W}/nodes/n1/traits/displayScale/history?to={{past}}", None),
    ("revertSession to a past revision", "POST", f"{W}/revert?dryRun=true", {"revision": 20}),
]

X, V, H, C, E, K, D, P, Y, M, F = (f"/v1/sessions/{name}" for name in "xvhcekdpymf")
WATCHES = {"watches": [{"node": "w1", "traits": NAMES}]}
HUNDRED = {"watches": [{"node": f"w{number}", "traits": NAMES} for number in range(100)]}
BEGIN = b'"type":"begin"'
SYNC = b'"type":"sync"'

REQUESTS = [
    ("getLive", "GET", "/livez", None),
    ("getReady", "GET", "/readyz", None),
    ("getVersion", "GET", "/version", None),
    ("getMemory", "GET", "/v1/memory", None),
    ("getMetrics", "GET", "/metrics", None),
    ("getServer", "GET", "/v1/server", None),
    ("listSlowRequests", "GET", "/v1/server/slow", None),
    ("listSessionEvents", "GET", "/v1/server/sessions", None),
    ("whoAmI", "GET", "/v1/whoami?can=write&session=x", None),
    ("getIndex", "GET", "/", None),
    ("getDocs", "GET", "/docs", None),
    ("getOpenAPI", "GET", "/openapi.yaml", None),
    ("getClient", "GET", "/client.js", None),
    ("getInspector", "GET", "/ui", None),
    ("getInspectorFile", "GET", "/ui/app.js", None),
    ("getOpenAPIAsJSON", "GET", "/openapi.json", None),
    ("getProblem", "GET", "/problems/quota", None),
    ("listSystemTraits", "GET", "/v1/traits", None),
    ("listDevices", "GET", "/v1/devices", None),
    ("makeCollection", "POST", "/v1/collections", {"from": [{}] * 100}),
    ("compareCollections", "POST", "/v1/collections/compare", {"a": {}, "b": {}}),
    ("listSessions", "GET", "/v1/sessions?pageSize=1000", None),
    ("createSession", "POST", "/v1/sessions?dryRun=true", {}),
    ("putSession", "PUT", "/v1/sessions/made{n}", {}),
    ("getSession", "GET", X, None),
    ("deleteSession", "DELETE", "/v1/sessions/made{n}", None),
    ("compareSessions", "GET", f"{X}/compare?with=l", None),
    ("compareSessions, 900 long values", "GET", f"{V}/compare?with=l", None),
    ("exportSession", "GET", f"{V}/export", None),
    ("importSession", "PUT", "/v1/sessions/none/import?dryRun=true", {"format": 1, "nodes": []}),
    ("applySession, a plan for 10,000 nodes", "PUT",
     "/v1/sessions/l/apply?manager=m&prune=true&dryRun=true",
     {"format": 1, "nodes": [{"id": "s", "kind": "windowScene", "parent": None,
                              "overrides": {"displayScale": 3}}]}),
    ("revertSession, a plan for 10,000 nodes", "POST", "/v1/sessions/l/revert?dryRun=true", {"revision": 1}),
    ("getBackup", "GET", "/v1/backup", None),
    ("listTraits", "GET", f"{V}/traits", None),
    ("putTrait", "PUT", f"{X}/traits/new{{n}}", {"type": "int", "default": 0}),
    ("getTrait", "GET", f"{X}/traits/t0", None),
    ("patchTrait, another default", "PATCH", f"{V}/traits/{NAMES[0]}?dryRun=true", {"default": "x"}),
    ("patchTrait, 900 values become JSON", "PATCH", f"{V}/traits/{NAMES[0]}?dryRun=true",
     {"type": "json"}),
    ("deleteTrait", "DELETE", f"{X}/traits/new{{n}}", None),
    ("listNodes", "GET", f"{V}/nodes?pageSize=1000", None),
    ("listRows, 1,000 traits on a node", "POST", f"{V}/rows", {"count": 500}),
    ("listRows, a search in 100,000 nodes", "POST", f"{M}/rows",
     {"find": {"q": "{n}9"}, "only": True, "count": 500}),
    ("listRows, 10,000 open nodes", "POST", f"{M}/rows",
     {"depth": 0, "open": [f"r{number}" for number in range(10_000)], "at": "r9989", "count": 500}),
    ("listRows, 10,000 registrations on a node", "POST", f"{F}/rows", {"at": "z", "count": 500}),
    ("createNode", "POST", f"{X}/nodes", {"kind": "environment", "parent": "c1999"}),
    ("createNode with 900 long values", "POST", f"{V}/nodes?dryRun=true",
     {"kind": "environment", "parent": "z", "overrides": {name: LONG for name in NAMES}}),
    ("putNode", "PUT", f"{X}/nodes/p{{n}}", {"kind": "environment", "parent": "c1999"}),
    ("getNode", "GET", f"{V}/nodes/s", None),
    ("patchNode, a subtree that 500 watch", "PATCH", f"{X}/nodes/s?dryRun=true&changes=true",
     {"label": "n"}),
    ("patchNode, a move that is notified with 14 MB", "PATCH", f"{H}/nodes/m?dryRun=true&changes=true",
     {"parent": "a"}),
    ("patchNode, a move that is refused for 28 MB", "PATCH", f"{H}/nodes/n", {"parent": "b"}),
    ("patchNode, a move of 100,000 nodes that is refused", "PATCH", f"{M}/nodes/q",
     {"parent": "r9988"}),
    ("patchNode, a move of 9,990 levels that is refused", "PATCH", f"{M}/nodes/r0",
     {"parent": "b99"}),
    ("patchNode, a move below itself", "PATCH", f"{M}/nodes/r0", {"parent": "r9989"}),
    ("deleteNode", "DELETE", f"{X}/nodes/p{{n}}", None),
    ("listOverrides", "GET", f"{V}/nodes/s/overrides", None),
    ("patchOverrides that 500 hear", "PATCH", f"{X}/nodes/s/overrides?dryRun=true&changes=true",
     {f"t{trait}": "short" for trait in range(20)}),
    ("putOverride that 500 hear", "PUT", f"{X}/nodes/s/overrides/t0", {"value": "v{n}"}),
    ("getOverride", "GET", f"{X}/nodes/s/overrides/t1", None),
    ("deleteOverride that 500 hear", "DELETE", f"{X}/nodes/s/overrides/t1?dryRun=true", None),
    ("listSupplied", "GET", f"{X}/nodes/s/supplied", None),
    ("patchSupplied", "PATCH", f"{X}/nodes/s/supplied?dryRun=true", {"t0": "a"}),
    ("putSupplied", "PUT", f"{X}/nodes/s/supplied/t0?dryRun=true", {"value": "b"}),
    ("getSupplied", "GET", f"{X}/nodes/s/supplied/t0", None),
    ("deleteSupplied", "DELETE", f"{X}/nodes/s/supplied/t0", None),
    ("runTransaction, moves of 2,000 levels", "POST", f"{X}/transactions?dryRun=true",
     {"operations": [{"op": "updateNode", "node": "c1", "parent": parent}
                     for parent in ["w1", "w2"] * 100]}),
    ("putOverride that ends", "PUT", f"{X}/nodes/s/overrides/t2?dryRun=true",
     {"value": "v{n}", "ttl": 60}),
    ("runTransaction, a layout of 10,000 nodes", "POST", "/v1/sessions/l/transactions",
     {"operations": [{"op": "setOverride", "node": "s", "trait": "displayScale", "value": "{n}"},
                     {"op": "layout"}]}),
    ("runTransaction, five layouts of 100,000 nodes", "POST", f"{Y}/transactions",
     {"operations": [operation for _ in range(5) for operation in (
         {"op": "setOverride", "node": "s", "trait": "displayScale", "value": _ + 1},
         {"op": "layout"})]}),
    ("layout of 100,000 nodes", "POST", f"{Y}/layout", {}),
    ("updateTraitsIfNeeded", "POST", "/v1/sessions/l/nodes/s/updateTraitsIfNeeded", {}),
    ("getHistory", "GET", f"{V}/history?operations=true&pageSize=1000", None),
    ("getHistory of a page", "GET", f"{X}/history?operations=true&pageSize=1000", None),
    ("getStatistics", "GET", f"{X}/stats", None),
    ("getNodeTraits", "GET", f"{V}/nodes/w0/traits", None),
    ("getNodeTraits, explained with what is absent", "GET",
     f"{X}/nodes/c1999/traits?explain=true&absent=true", None),
    ("getNodeTraits, a style sheet of 900 long values", "GET", f"{V}/nodes/w0/traits?layer=x", None,
     b"}\n}\n", {"Accept": "text/css"}),
    ("getNodeTraits, a style sheet of 4,000 nodes with 100 colours", "GET",
     f"{X}/nodes/s/traits?subtree=true&colors=all&layer=x", None, b"}\n}\n", {"Accept": "text/css"}),
    ("getNodeTokens, 100 colours at 2,000 levels", "GET", f"{X}/nodes/c1999/tokens", None),
    ("getNodeTokens, colours of long values", "GET", f"{D}/nodes/s/tokens", None),
    ("getNodeTokenInput", "GET", f"{X}/nodes/c1999/tokens/input", None),
    ("getNodeTrait, explained with what is absent", "GET",
     f"{X}/nodes/c1999/traits/t0?explain=true&absent=true", None),
    ("getValueHistory", "GET", f"{X}/nodes/c1999/traits/t0/history?pageSize=1000", None),
    ("getNodeTrait, a long value at 900 levels", "GET", f"{P}/nodes/n899/traits/t0?explain=true", None),
    ("compareNodes", "GET", f"{V}/nodes/w0/compare?with=z", None),
    ("resolve", "POST", f"{X}/resolve", {"under": "s", "traits": ["t0", "t1"]}),
    ("listVariants, 19,600 rows", "POST", f"{X}/variants",
     {"nodes": ["w0"], "reads": ["t0", "t1"], "axes": [
         {"name": name, "trait": name, "at": "s", "cases": [str(value) for value in range(140)]} for name in ("t0", "t1")]}),
    ("listVariants, 19,600 rows that are joined", "POST", f"{X}/variants",
     {"nodes": ["w0"], "reads": ["t2"], "distinct": True, "axes": [
         {"name": name, "trait": name, "at": "s", "cases": [str(value) for value in range(140)]} for name in ("t0", "t1")]}),
    ("evaluateFlag, a long value at 2,000 levels", "POST", f"{X}/ofrep/v1/evaluate/flags/t0",
     {"context": {"targetingKey": "c1999"}}),
    ("evaluateFlags, 900 long values", "POST", f"{V}/ofrep/v1/evaluate/flags",
     {"context": {"targetingKey": "w0"}}),
    ("streamFlagEvents of 900 traits", "GET", f"{V}/ofrep/v1/events?node=w0", None, b"refetchEvaluation"),
    ("listScopes", "GET", f"{C}/nodes/s/scopes", None),
    ("putScope that reads 900 values", "PUT", f"{V}/nodes/w0/scopes/all?dryRun=true", {"reads": NAMES}),
    ("putScope", "PUT", f"{X}/nodes/c1999/scopes/other", {"reads": ["t0", "t1"]}),
    ("getScope", "GET", f"{X}/nodes/s/scopes/scope1", None),
    ("getScope, none of 100,000", "GET", f"{C}/nodes/s/scopes/scope", None),
    ("deleteScope", "DELETE", f"{X}/nodes/c1999/scopes/other", None),
    ("listEnvironmentKeys", "GET", f"{E}/environmentKeys?pageSize=1000", None),
    ("listEnvironmentKeys with long maps", "GET", f"{K}/environmentKeys?pageSize=1000", None),
    ("putEnvironmentKey", "PUT", f"{X}/environmentKeys/key0",
     {"type": "string", "default": LONG[:1000]}),
    ("putEnvironmentKey with a long map", "PUT", f"{K}/environmentKeys/key0", LONG_MAP),
    ("getEnvironmentKey with a long map", "GET", f"{K}/environmentKeys/key0", None),
    ("deleteEnvironmentKey", "DELETE", f"{X}/environmentKeys/none{{n}}", None),
    ("getEnvironment", "GET", f"{E}/nodes/s/environment", None),
    ("getEnvironment with long maps", "GET", f"{K}/nodes/s/environment", None),
    ("putEnvironmentValue", "PUT", f"{X}/nodes/s/environment/key0?dryRun=true", {"value": "a"}),
    ("getEnvironmentValue", "GET", f"{K}/nodes/s/environment/key0", None),
    ("deleteEnvironmentValue", "DELETE", f"{X}/nodes/s/environment/key0", None),
    ("listColors", "GET", f"{D}/colors?pageSize=1000", None),
    ("listColors, 100", "GET", f"{X}/colors?pageSize=1000", None),
    ("putColor", "PUT", f"{D}/colors/many", LONG_VARIANTS),
    ("getColor", "GET", f"{D}/colors/many", None),
    ("getColor, a HEAD", "HEAD", f"{D}/colors/many", None),
    ("deleteColor", "DELETE", f"{X}/colors/none{{n}}", None),
    ("getNodeColor", "GET", f"{D}/nodes/s/colors/many", None),
    ("listImages", "GET", f"{D}/images?pageSize=1000", None),
    ("putImage", "PUT", f"{X}/images/image0", VARIANTS),
    ("getImage", "GET", f"{D}/images/many", None),
    ("deleteImage", "DELETE", f"{X}/images/none{{n}}", None),
    ("getNodeImage", "GET", f"{D}/nodes/s/images/many", None),
    ("listRegistrations", "GET", f"{V}/registrations?pageSize=1000", None),
    ("listRegistrations, 500", "GET", f"{X}/registrations?pageSize=1000", None),
    ("createRegistration", "POST", f"{X}/registrations?dryRun=true",
     {"node": "c1999", "traits": ["all"]}),
    ("putRegistration at 2,000 levels", "PUT", f"{X}/registrations/deep",
     {"node": "c1999", "traits": ["t0"]}),
    ("getRegistration", "GET", f"{V}/registrations/all", None),
    ("deleteRegistration", "DELETE", f"{X}/registrations/deep", None),
    ("streamRegistrationEvents", "GET", f"{X}/registrations/r0/events?from=start&wait=0", None),
    ("streamRegistrationEvents, a page of its state", "GET",
     f"{V}/registrations/all/events?initial=true&wait=0", None),
    ("streamRegistrationEvents, its state", "GET", f"{V}/registrations/all/events?initial=true", None,
     SYNC),
    ("streamRegistrationEvents, resumed", "GET", f"{V}/registrations/all/events?initial=true", None,
     b'"type":"begin"', {"Last-Event-ID": "12"}),
    ("streamRegistrationEvents, a colour's state", "GET", f"{D}/registrations/r/events?initial=true",
     None, SYNC),
    ("streamRegistrationEvents, a page of a long record", "GET",
     f"{H}/registrations/r/events?from=start&wait=0", None),
    ("streamRegistrationEvents, a long record", "GET", f"{H}/registrations/r/events?from=start", None,
     b'"last":true'),
    ("streamNodeEvents", "GET", f"{X}/nodes/w1/events?wait=0&traits=t0,t1", None),
    ("streamNodeEvents, a page of its state", "GET", f"{V}/nodes/w1/events?initial=true&wait=0", None),
    ("streamNodeEvents, its state", "GET", f"{V}/nodes/w1/events?initial=true", None, SYNC),
    ("streamManyEvents, a page of their state", "POST", f"{V}/events?initial=true&wait=0",
     WATCHES),
    ("streamManyEvents, their state", "POST", f"{V}/events?initial=true",
     WATCHES, SYNC),
    ("streamManyEvents, a page of 100 watches of 900 values", "POST", f"{V}/events?initial=true&wait=0",
     HUNDRED),
    ("streamManyEvents, 100 watches of 900 values", "POST", f"{V}/events?initial=true", HUNDRED, BEGIN),
    ("streamManyEvents, 100 watches in place of what is gone", "POST",
     f"{V}/events?from=999999&resync=auto", HUNDRED, BEGIN),
    ("streamManyEvents, each time 100 other watches", "POST", f"{F}/events?wait=0",
     {"watches": [{"node": "h{n}", "traits": ["t0"]}]
      + [{"node": f"p{number}", "traits": ["t0"]} for number in range(99)]}),
    ("putOverride that 1,000 streams and registrations hear", "PUT", f"{F}/nodes/n0/overrides/t0",
     {"value": "v{n}"}),
    ("streamSessionEvents, the state of 11,000 registrations", "GET", f"{F}/events?initial=true", None,
     SYNC),
    ("streamSessionEvents", "GET",
     f"{X}/events?from=start&wait=0&limit=1000&operations=true", None),
    ("streamSessionEvents, a page of 14 MB", "GET",
     f"{H}/events?from=start&wait=0&limit=1000&operations=true", None),
    ("streamSessionEvents, a page of the state", "GET", f"{V}/events?initial=true&wait=0", None),
    ("streamSessionEvents, the state", "GET", f"{V}/events?subtree=w0&initial=true", None, SYNC),
    ("streamSessionEvents, a state in place of what is gone", "GET",
     f"{V}/events?subtree=w0&from=999999&resync=auto", None, SYNC),
]
