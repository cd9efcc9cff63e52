#!/usr/bin/env python3
"""Compares the covering arrays of traitd with those of PyPI covertable 3.2, model by model.

Tests/Support/Fixtures/variants/models.json has the models: PICT's samples and measured models, the test matrix of seastar's
pull request 3614, and random ones. `record` adds the number of covertable's rows where there is none (minutes).
`compare` reads rows of traitd, a line a model: {"name":"3^13","rows":[[0,2,…],…]}. Every possible tuple has to be in
a row, which is counted here by itertools; no row may contain an exception; and there may be at most 1.1 times as
many rows as covertable has.

usage: covering.py record          (pip install covertable==3.2.0)
       covering.py compare ROWS
"""

import itertools
import json
import pathlib
import random
import sys

MODELS = pathlib.Path(__file__).resolve().parents[2] / "Support/Fixtures/variants/models.json"


def model(name, sizes, exceptions=(), strength=2):
    return {"name": name, "strength": strength, "sizes": sizes,
            "exceptions": [[list(one) for one in exception] for exception in exceptions]}


def samples():
    """PICT's doc/sample-models. A condition is written as the combinations that it rules out."""
    # TYPE, SIZE (10, 1000, 5000, 40000), FORMAT, FSYSTEM (FAT, FAT32, NTFS), CLUSTER (512, …, 65536), COMPRESSION
    yield model(
        "create_volume", [5, 4, 2, 3, 8, 2],
        [[(3, 0), (1, 2)], [(3, 0), (1, 3)], [(3, 1), (1, 3)], [(3, 0), (5, 0)], [(3, 1), (5, 0)]]
        + [[(3, 2), (4, cluster), (5, 0)] for cluster in range(4, 8)])
    # PLATFORM, CPUS, RAM, HDD, OS, IE; without its submodels
    yield model(
        "machine", [3, 3, 4, 2, 4, 4],
        [[(0, platform), (4, system)] for platform in (1, 2) for system in (0, 1)] + [[(0, 0), (2, 3)]])
    # Values 2 and 3 of Src and Dst and 3 of Size are negative: a row has at most one of them.
    negative = [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    yield model("strncpy", [4, 4, 4], [
        pair for pair in itertools.combinations(negative, 2) if pair[0][0] != pair[1][0]])
    yield model("word_font", [2, 4, 2, 3, 2, 4, 2] + [2] * 11)


def measured():
    """Models by which generators are measured (PICT's test/+perf), with at most 64 axes."""
    yield model("3^4", [3] * 4)
    yield model("3^13", [3] * 13)
    yield model("4^15 3^17 2^29", [4] * 15 + [3] * 17 + [2] * 29)
    yield model("4^1 3^39 2^24", [4] + [3] * 39 + [2] * 24)
    yield model("2^64", [2] * 64)
    yield model("4^8", [4] * 8)
    yield model("10^20", [10] * 20)
    yield model("3^6, triples", [3] * 6, strength=3)
    yield model("4^6, triples", [4] * 6, strength=3)
    yield model("5^2 4^2 3^2, triples", [5, 5, 4, 4, 3, 3], strength=3)
    # compiler (clang++ 21, 22, g++ 15, 16), standard, mode (debug, release, sanitize), arch, reactor backend
    yield model("seastar", [4, 2, 3, 2, 3], [[(0, gcc), (2, mode)] for gcc in (2, 3) for mode in (0, 2)])
    # style, width, text size, contrast, direction, device, plan: small text only on the phone, and so on
    yield model("screens", [2, 3, 12, 2, 2, 6, 3],
                [[(5, device), (1, 2)] for device in (0, 1)] + [[(5, 0), (2, size), (0, 1)] for size in (9, 10, 11)]
                + [[(6, 0), (3, 1)]])


def randoms():
    for seed in range(30):
        numbers = random.Random(seed)
        sizes = [numbers.randint(2, numbers.choice([3, 5, 8])) for _ in range(numbers.randint(4, 12))]
        exceptions = []
        for _ in range(numbers.choice([0, 2, 5, 9])):
            axes = sorted(numbers.sample(range(len(sizes)), numbers.choice([2, 2, 2, 3])))
            exceptions.append([(axis, numbers.randrange(sizes[axis])) for axis in axes])
        strength = 3 if seed % 6 == 5 else 2
        if strength == 3:
            kept = set(range(7))
            sizes = [min(size, 5) for size in sizes[:7]]
            exceptions = [one for one in exceptions if all(axis in kept and value < sizes[axis] for axis, value in one)]
        yield model(f"random {seed}", sizes, exceptions, strength)


def is_excepted(row, exceptions):
    return any(all(row[axis] == value for axis, value in exception) for exception in exceptions)


def is_possible(tuple_, sizes, exceptions):
    """Whether a row without an exception has these values, by trying the axes of the exceptions in turn."""
    axes = sorted({axis for exception in exceptions for axis, _ in exception} - {axis for axis, _ in tuple_})
    row = [None] * len(sizes)
    for axis, value in tuple_:
        row[axis] = value

    def search(depth):
        if is_excepted(row, exceptions):
            return False
        if depth == len(axes):
            return True
        for value in range(sizes[axes[depth]]):
            row[axes[depth]] = value
            if search(depth + 1):
                return True
        row[axes[depth]] = None
        return False

    return search(0)


def check(model, rows):
    """What is wrong with these rows, and how many tuples they cover."""
    sizes, exceptions = model["sizes"], model["exceptions"]
    for row in rows:
        if len(row) != len(sizes) or not all(0 <= value < size for value, size in zip(row, sizes)):
            return f"{row} is no row", 0
        if is_excepted(row, exceptions):
            return f"{row} has an exception", 0
    covered = 0
    for axes in itertools.combinations(range(len(sizes)), model["strength"]):
        found = {tuple(row[axis] for axis in axes) for row in rows}
        covered += len(found)
        for values in itertools.product(*(range(sizes[axis]) for axis in axes)):
            if values not in found and is_possible(list(zip(axes, values)), sizes, exceptions):
                return f"{dict(zip(axes, values))} is missing", covered
    return None, covered


def most(reference):
    return reference * 11 // 10


def key(model):
    return json.dumps([model["strength"], model["sizes"], model["exceptions"]])


def record():
    from covertable import make
    text = MODELS.read_text(encoding="utf-8") if MODELS.exists() else '{"models":[]}'
    known = {key(model): model for model in json.loads(text)["models"] if "covertable" in model}
    models = [known.get(key(model), {}) | model for model in [*samples(), *measured(), *randoms()]]
    # Small ones first: covertable needs minutes for the largest.
    for model in sorted(models, key=lambda model: sum(model["sizes"]) ** model["strength"]):
        if "covertable" not in model:
            run(make, model)
        lines = ",\n".join(json.dumps(model, separators=(",", ":")) for model in models)
        MODELS.parent.mkdir(parents=True, exist_ok=True)
        MODELS.write_text(f'{{"covertable":"3.2.0","models":[\n{lines}\n]}}\n', encoding="utf-8")


def run(make, model):
    factors = {f"a{axis}": list(range(size)) for axis, size in enumerate(model["sizes"])}
    constraints = [
        {"operator": "not", "condition": {"operator": "and", "conditions": [
            {"operator": "eq", "left": f"a{axis}", "value": value} for axis, value in exception]}}
        for exception in model["exceptions"]]
    found = make(factors, strength=model["strength"], constraints=constraints)
    rows = [[row[name] for name in factors] for row in found]
    wrong, _ = check(model, rows)
    model["covertable"] = len(rows)
    if wrong:
        model["covertableLacks"] = wrong
    print(f"{model['name']}: {len(rows)}{', ' + wrong if wrong else ''}", file=sys.stderr, flush=True)


def compare(path):
    models = json.loads(MODELS.read_text(encoding="utf-8"))["models"]
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    ours = {one["name"]: one["rows"] for one in map(json.loads, lines)}
    failed, sum_ours, sum_reference = 0, 0, 0
    for model in models:
        name, reference = model["name"], model["covertable"]
        rows = ours.get(name)
        if rows is None:
            wrong = "there are no rows"
        else:
            wrong, covered = check(model, rows)
            sum_ours += len(rows)
            sum_reference += reference
            if not wrong and len(rows) > most(reference):
                wrong = f"{len(rows)} rows, covertable has {reference}"
            if not wrong:
                print(f"{name}: {len(rows)} rows, covertable {reference}; {covered} tuples")
        if wrong:
            failed += 1
            print(f"FAILED {name}: {wrong}")
    print(f"{len(models)} models, {failed} failed; {sum_ours} rows, covertable {sum_reference}")
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["record"]:
        record()
    elif len(sys.argv) == 3 and sys.argv[1] == "compare":
        sys.exit(compare(sys.argv[2]))
    else:
        sys.exit(__doc__)
