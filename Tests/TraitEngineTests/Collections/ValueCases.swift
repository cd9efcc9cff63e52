// How collections behave as values in UIKit: one JSON object a line, steps that start with "?"
// assert.

extension ConformanceCase {
    static let values = parse(
        """
        {"id": "V01", "note": "empty collection reads defaults", "steps": [["new", "x", []], \
        ["?get", "x", "userInterfaceStyle", 0], ["?get", "x", "displayGamut", -1], ["?get", "x", \
        "displayScale", 0.0], ["?get", "x", "typesettingLanguage", null]]}
        {"id": "V03", "note": "last write in the closure stays", "steps": [["new", "x", \
        [["userInterfaceStyle", 1], ["userInterfaceStyle", 2]]], ["?get", "x", \
        "userInterfaceStyle", 2]]}
        {"id": "V05", "note": "unspecified equals absent", "steps": [["new", "x", \
        [["userInterfaceStyle", 0]]], ["new", "y", []], ["?eq", "x", "y", true]]}
        {"id": "V07", "note": "write order does not matter", "steps": [["new", "x", \
        [["userInterfaceStyle", 2], ["displayScale", 3.0]]], ["new", "y", [["displayScale", \
        3.0], ["userInterfaceStyle", 2]]], ["?eq", "x", "y", true]]}
        {"id": "V09", "note": "later wins", "steps": [["new", "a", [["userInterfaceStyle", 1]]], \
        ["new", "b", [["userInterfaceStyle", 2]]], ["merge", "m", ["a", "b"]], ["?get", "m", \
        "userInterfaceStyle", 2]]}
        {"id": "V11", "note": "absent traits never override", "steps": [["new", "a", []], \
        ["new", "b", [["userInterfaceStyle", 1]]], ["merge", "m", ["a", "b"]], ["?get", "m", \
        "userInterfaceStyle", 1]]}
        {"id": "V13", "note": "custom traits from the first collection only", "steps": [["new", \
        "a", [["theme", 1]]], ["new", "b", [["theme", 2], ["userInterfaceStyle", 2]]], ["merge", \
        "m", ["a", "b"]], ["?get", "m", "theme", 1], ["?get", "m", "userInterfaceStyle", 2]]}
        {"id": "V15", "note": "empty merge", "steps": [["merge", "m", []], ["new", "e", []], \
        ["?eq", "m", "e", true]]}
        {"id": "V17", "note": "everything contains the empty collection", "steps": [["new", "a", \
        [["userInterfaceStyle", 1]]], ["new", "e", []], ["?contains", "a", "e", true], \
        ["?contains", "e", "a", false], ["?contains", "e", "e", true]]}
        {"id": "V19", "note": "different value", "steps": [["new", "a", [["userInterfaceStyle", \
        1]]], ["new", "b", [["userInterfaceStyle", 2]]], ["?contains", "a", "b", false]]}
        {"id": "V21", "note": "nothing differs from itself", "steps": [["new", "a", \
        [["userInterfaceStyle", 1]]], ["?changed", "a", "a", []]]}
        {"id": "V23", "note": "unspecified is not a change", "steps": [["new", "a", \
        [["userInterfaceStyle", 0]]], ["new", "e", []], ["?changed", "a", "e", []], ["?changed", \
        "e", null, []]]}
        {"id": "V25", "note": "style is a colour trait", "steps": [["new", "a", \
        [["userInterfaceStyle", 1]]], ["new", "b", [["userInterfaceStyle", 2]]], ["?color", "a", \
        "b", true], ["?color", "a", "a", false]]}
        {"id": "V27", "note": "level is in the colour list", "steps": [["new", "a", \
        [["userInterfaceLevel", 0]]], ["new", "b", [["userInterfaceLevel", 1]]], ["?color", "a", \
        "b", true]]}
        {"id": "V29", "note": "custom trait without the flag does not", "steps": [["new", "a", \
        [["contained", true]]], ["new", "b", []], ["?color", "a", "b", false]]}
        {"id": "V31", "note": "raw values are not validated", "steps": [["new", "a", \
        [["userInterfaceStyle", 99]]], ["?get", "a", "userInterfaceStyle", 99]]}
        {"id": "V33", "note": "none is the default", "steps": [["new", "a", \
        [["splitViewControllerLayoutEnvironment", 0]]], ["new", "e", []], ["?eq", "a", "e", \
        true]]}
        {"id": "V35", "note": "nil counts as empty", "steps": [["new", "a", \
        [["userInterfaceStyle", 2]]], ["?contains", "a", null, true], ["?color", "a", null, \
        true]]}
        """)
}
