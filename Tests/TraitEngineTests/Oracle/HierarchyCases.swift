// Overrides, propagation and registrations as UIKit has them: one JSON object a line, steps that
// start with "?" assert. `flush` is one update of everything.

extension ConformanceCase {
    static let hierarchies = parse(
        """
        {"id": "O01", "note": "contains never looks at other nodes", "tree": "T1", "steps": \
        [["?has", "a", "userInterfaceStyle", false], ["set", "a", "userInterfaceStyle", 2], \
        ["?has", "a", "userInterfaceStyle", true], ["?has", "m", "userInterfaceStyle", false]]}
        {"id": "O03", "note": "stored at once, visible after the update", "tree": "T1", "steps": \
        [["set", "a", "userInterfaceStyle", 2], ["?override", "a", "userInterfaceStyle", 2], \
        ["?traits", "userInterfaceStyle", {"a": 1, "m": 1}], ["flush"], ["?traits", \
        "userInterfaceStyle", {"A": 1, "a": 2, "m": 2, "B": 2, "b": 2}]]}
        {"id": "O05", "note": "removing what is not set: no effect", "tree": "T1", "steps": \
        [["remove", "a", "userInterfaceStyle"], ["flush"], ["?traits", "userInterfaceStyle", \
        {"a": 1}]]}
        {"id": "O07", "note": "override to unspecified is not inheritance", "tree": "T1", \
        "steps": [["set", "a", "userInterfaceStyle", 0], ["flush"], ["?has", "a", \
        "userInterfaceStyle", true], ["?traits", "userInterfaceStyle", {"A": 1, "a": 0, "leaf": \
        0}]]}
        {"id": "O09", "note": "nearest override wins", "tree": "T1", "steps": [["set", "A", \
        "theme", 1], ["set", "m", "theme", 2], ["set", "b", "theme", 3], ["flush"], ["?traits", \
        "theme", {"w": 0, "A": 1, "a": 1, "m": 2, "B": 2, "b": 3, "leaf": 3}]]}
        {"id": "O11", "note": "last write wins", "tree": "T1", "steps": [["set", "a", \
        "userInterfaceStyle", 2], ["set", "a", "userInterfaceStyle", 1], ["?override", "a", \
        "userInterfaceStyle", 1], ["flush"], ["?traits", "userInterfaceStyle", {"a": 1}]]}
        {"id": "O13", "note": "scene-level override reaches everything", "tree": "T1", "steps": \
        [["set", "s", "userInterfaceStyle", 2], ["flush"], ["?traits", "userInterfaceStyle", \
        {"s": 2, "w": 2, "leaf": 2}]]}
        {"id": "H01m", "note": "parent's view override reaches the child controller only in \
        17+", "tree": "T1", "mode": "modern", "steps": [["set", "a", "theme", 1], ["flush"], \
        ["?traits", "theme", {"w": 0, "A": 0, "a": 1, "m": 1, "B": 1, "b": 1, "leaf": 1}]]}
        {"id": "H01l", "note": "parent's view override reaches the child controller only in 17+; \
        old rule", "tree": "T1", "mode": "legacy", "steps": [["set", "a", "theme", 1], \
        ["flush"], ["?traits", "theme", {"w": 0, "A": 0, "a": 1, "m": 1, "B": 0, "b": 0, "leaf": \
        0}]]}
        {"id": "H03m", "note": "controller override reaches both branches", "tree": "T1", \
        "mode": "modern", "steps": [["set", "A", "theme", 1], ["flush"], ["?traits", "theme", \
        {"w": 0, "A": 1, "a": 1, "m": 1, "B": 1, "b": 1, "leaf": 1}]]}
        {"id": "H03l", "note": "controller override reaches both branches; old rule", "tree": \
        "T1", "mode": "legacy", "steps": [["set", "A", "theme", 1], ["flush"], ["?traits", \
        "theme", {"w": 0, "A": 1, "a": 1, "m": 1, "B": 1, "b": 1, "leaf": 1}]]}
        {"id": "H05m", "note": "owned view does not feed its own controller", "tree": "T1", \
        "mode": "modern", "steps": [["set", "b", "theme", 1], ["flush"], ["?traits", "theme", \
        {"w": 0, "A": 0, "a": 0, "m": 0, "B": 0, "b": 1, "leaf": 1}]]}
        {"id": "H05l", "note": "owned view does not feed its own controller; old rule", "tree": \
        "T1", "mode": "legacy", "steps": [["set", "b", "theme", 1], ["flush"], ["?traits", \
        "theme", {"w": 0, "A": 0, "a": 0, "m": 0, "B": 0, "b": 1, "leaf": 1}]]}
        {"id": "H07", "note": "window override reaches presented content", "tree": "T2", \
        "steps": [["set", "w", "theme", 1], ["flush"], ["?traits", "theme", {"A": 1, "a": 1, \
        "P": 1, "C": 1, "c": 1}]]}
        {"id": "H09", "note": "presentation override reaches presented content", "tree": "T2", \
        "steps": [["set", "P", "theme", 1], ["flush"], ["?traits", "theme", {"A": 0, "a": 0, \
        "P": 1, "C": 1, "c": 1}]]}
        {"id": "H11", "note": "stale until the next update", "tree": "T3", "steps": [["set", \
        "m", "theme", 1], ["flush"], ["attach", "d", "m"], ["?traits", "theme", {"D": 0, "d": 0, \
        "e": 0}], ["flush"], ["?traits", "theme", {"D": 1, "d": 1, "e": 1}]]}
        {"id": "H13", "note": "re-attach catches up", "tree": "T3", "steps": [["set", "m", \
        "theme", 1], ["attach", "d", "m"], ["flush"], ["detach", "d"], ["set", "m", "theme", 2], \
        ["flush"], ["?traits", "theme", {"m": 2, "D": 1}], ["attach", "d", "m"], ["flush"], \
        ["?traits", "theme", {"D": 2, "e": 2}]]}
        {"id": "H15", "note": "explicit update covers the subtree", "tree": "T3", "steps": \
        [["set", "d", "theme", 4], ["flushNode", "D"], ["?traits", "theme", {"D": 0, "d": 4, \
        "e": 4}]]}
        {"id": "H17", "note": "only the final parent counts", "tree": "T3", "steps": [["set", \
        "A", "theme", 1], ["attach", "d", "m"], ["detach", "d"], ["attach", "d", "a"], \
        ["flush"], ["?traits", "theme", {"D": 1, "d": 1}]]}
        {"id": "H19", "note": "one trait changed, others still inherited", "tree": "T1", \
        "steps": [["set", "w", "horizontalSizeClass", 1], ["flush"], ["?traits", \
        "horizontalSizeClass", {"s": 2, "w": 1, "A": 1, "leaf": 1}], ["?traits", \
        "userInterfaceStyle", {"w": 1, "leaf": 1}]]}
        {"id": "R01", "note": "no initial call", "tree": "T1", "steps": [["reg", "r", "m", \
        ["theme"]], ["flush"], ["?calls", []]]}
        {"id": "R03", "note": "inherited change counts", "tree": "T1", "steps": [["reg", "r", \
        "m", ["theme"]], ["set", "w", "theme", 1], ["flush"], ["?calls", [["r", 0, 1]]]]}
        {"id": "R05", "note": "shielded by a nearer override", "tree": "T1", "steps": [["reg", \
        "r", "m", ["theme"]], ["set", "w", "theme", 1], ["set", "m", "theme", 0], ["flush"], \
        ["?calls", []]]}
        {"id": "R07", "note": "writes coalesce", "tree": "T1", "steps": [["reg", "r", "m", \
        ["theme"]], ["set", "m", "theme", 1], ["set", "m", "theme", 2], ["set", "m", "theme", \
        3], ["flush"], ["?calls", [["r", 0, 3]]]]}
        {"id": "R09", "note": "override equal to current: none", "tree": "T1", "steps": [["reg", \
        "r", "m", ["theme"]], ["set", "m", "theme", 0], ["flush"], ["?calls", []], ["?has", "m", \
        "theme", true]]}
        {"id": "R11", "note": "top-down whatever the registration order", "tree": "T1", "steps": \
        [["reg", "rl", "leaf", ["theme"]], ["reg", "rB", "B", ["theme"]], ["reg", "rb", "b", \
        ["theme"]], ["reg", "ra", "a", ["theme"]], ["reg", "rA", "A", ["theme"]], ["set", "A", \
        "theme", 1], ["flush"], ["?calls", [["rA", 0, 1], ["ra", 0, 1], ["rB", 0, 1], ["rb", 0, \
        1], ["rl", 0, 1]]]]}
        {"id": "R13", "note": "an empty list is refused", "tree": "T1", "steps": [["!", ["reg", \
        "r", "m", []], "empty_trait_list"]]}
        {"id": "R15", "note": "removed before its turn: not called", "tree": "T1", "steps": \
        [["reg", "r1", "m", ["theme"]], ["reg", "r2", "m", ["theme"]], ["on", "r1", [["unreg", \
        "r2"]]], ["set", "m", "theme", 1], ["flush"], ["?calls", [["r1", 0, 1]]]]}
        {"id": "R17", "note": "added during the pass: not called for it", "tree": "T1", "steps": \
        [["reg", "r1", "m", ["theme"]], ["on", "r1", [["reg", "r2", "m", ["theme"]]]], ["set", \
        "m", "theme", 1], ["flush"], ["?calls", [["r1", 0, 1]]]]}
        {"id": "R19", "note": "handler writes above: second pass, same flush", "tree": "T1", \
        "steps": [["reg", "r1", "leaf", ["userInterfaceStyle"]], ["reg", "r2", "A", ["theme"]], \
        ["on", "r1", [["set", "A", "theme", 9]]], ["set", "A", "userInterfaceStyle", 2], \
        ["flush"], ["?calls", [["r1", 1, 2], ["r2", 0, 9]]], ["?traits", "theme", {"A": 9, \
        "leaf": 9}]]}
        {"id": "R21", "note": "registered while detached, called on attach if different", \
        "tree": "T3", "steps": [["reg", "r", "e", ["theme"]], ["set", "m", "theme", 1], \
        ["flush"], ["?calls", []], ["attach", "d", "m"], ["flush"], ["?calls", [["r", 0, 1]]]]}
        {"id": "R23", "note": "moving between equal parents: no extra call", "tree": "T3", \
        "steps": [["reg", "r", "e", ["theme"]], ["set", "a", "theme", 1], ["attach", "d", "m"], \
        ["flush"], ["detach", "d"], ["attach", "d", "leaf"], ["flush"], ["?calls", [["r", 0, \
        1]]]]}
        {"id": "R25", "note": "explicit update delivers synchronously", "tree": "T3", "steps": \
        [["reg", "r", "D", ["theme"]], ["set", "D", "theme", 1], ["flushNode", "D"], ["?calls", \
        [["r", 0, 1]]]]}
        {"id": "R27", "note": "presented content hears of P, not of A", "tree": "T2", "steps": \
        [["reg", "r", "C", ["theme"]], ["set", "A", "theme", 1], ["flush"], ["?calls", []], \
        ["set", "P", "theme", 1], ["flush"], ["?calls", [["r", 0, 1]]]]}
        {"id": "N06", "note": "added with another value: one call; taken out: none", "tree": \
        "T3", "steps": [["reg", "r", "e", ["theme"]], ["set", "m", "theme", 1], ["attach", "d", \
        "m"], ["flush"], ["?calls", [["r", 0, 1]]], ["detach", "d"], ["flush"], ["?calls", []], \
        ["?traits", "theme", {"e": 1}]]}
        """)

    /// Windows and controllers show a write at once: only a layout hierarchy does that.
    static let writes = parse(
        """
        {"id": "N01", "note": "a controller shows a write at once, what inherits from it with \
        the update", "tree": "T1", "steps": [["reg", "r", "A", ["theme"]], ["set", "A", "theme", \
        1], ["?calls", [["r", 0, 1]]], ["?traits", "theme", {"A": 1, "a": 0, "m": 0, "B": 0}], \
        ["flush"], ["?calls", []], ["?traits", "theme", {"a": 1, "leaf": 1}]]}
        {"id": "N02", "note": "a window shows a write at once", "tree": "T1", "steps": [["reg", \
        "r", "w", ["theme"]], ["set", "w", "theme", 1], ["?calls", [["r", 0, 1]]], ["?traits", \
        "theme", {"w": 1, "A": 0, "a": 0}], ["flushNode", "w"], ["?traits", "theme", {"A": 1, \
        "a": 1}]]}
        {"id": "N03", "note": "each write to a controller is an update of its own", "tree": \
        "T1", "steps": [["reg", "r", "B", ["theme"]], ["set", "B", "theme", 1], ["set", "B", \
        "theme", 0], ["?calls", [["r", 0, 1], ["r", 1, 0]]]]}
        """)
}
