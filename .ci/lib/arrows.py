"""References between the folders of a module, by the names of types that one folder alone declares."""

import re

NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"', re.S)
DECLARED = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|private|fileprivate|internal|final|indirect|nonisolated) )*"
    r"(?:struct|class|enum|actor|protocol|typealias) (\w+)", re.M)


def arrows(module):
    """For each folder of a module the other folders that its code names. The module's own files are the folder `.`."""
    texts, owners = {}, {}
    for path in sorted(module.rglob("*.swift")):
        folder = path.relative_to(module).parts[0] if path.parent != module else "."
        text = NO_CODE.sub(" ", path.read_text(encoding="utf-8"))
        texts.setdefault(folder, set()).update(re.findall(r"\b[A-Z]\w+", text))
        for name in DECLARED.findall(text):
            owners.setdefault(name, set()).add(folder)
    single = {name: min(folders) for name, folders in owners.items() if len(folders) == 1}
    return {folder: {single[word] for word in words & single.keys()} - {folder} for folder, words in texts.items()}


def reached(start, graph):
    """All that can be reached along the arrows."""
    found, left = set(), [start]
    while left:
        for folder in graph[left.pop()] - found:
            found.add(folder)
            left.append(folder)
    return found
