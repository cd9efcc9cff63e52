#!/usr/bin/env python3
"""Makes a session equal to a YAML file: shows the plan, then applies it.

    sync.py http://127.0.0.1:8080/v1/sessions/acme acme.yaml --plan        # show, and change nothing
    sync.py http://127.0.0.1:8080/v1/sessions/acme acme.yaml --prune

The file is a session document: `traits`, `nodes` and so on, as in an export; its `name` does not count. Words
that YAML 1.1 and 1.2 read differently (on, no, 12:30, 010, dates) need quotes. Exit status: 0 when the
session equals the file, 1 when the server refuses, 2 with --plan when something would change.
TRAITD_TOKEN is sent as the bearer token. Standard library, and PyYAML unless the file is JSON.
"""
import argparse, gzip, json, os, re, sys, urllib.error, urllib.parse, urllib.request


class Refused(Exception):
    """What is wrong with the file, with its place."""


def loader(yaml):
    """A loader of the YAML that means the same to everyone: JSON's values, and plain words as strings.

    YAML 1.1 makes booleans of on and no, and numbers of 12:30 and 010. Such words need quotes here.
    """
    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        yaml_implicit_resolvers = {}

        def refuse(self, node, reason):
            mark = node.start_mark
            raise Refused(f"{mark.line + 1}:{mark.column + 1}: {reason}")

        def construct_mapping(self, node, deep=False):
            if not isinstance(node, yaml.MappingNode):
                self.refuse(node, "a mapping is expected here")
            members = {}
            for key, value in node.value:
                if key.tag != "tag:yaml.org,2002:str" or not isinstance(key, yaml.ScalarNode):
                    self.refuse(key, f"the key {shown(key)} is no string: put it in quotes")
                if not key.style and (key.value == "<<" or doubtful(key.value)):
                    self.refuse(key, f"the key {shown(key)} means something else in other versions of YAML: "
                                     "put it in quotes")
                if key.value in members:
                    self.refuse(key, f"the key {shown(key)} stands here a second time")
                members[key.value] = self.construct_object(value, deep=True)
            return members

        def construct_scalar(self, node):
            if node.tag == "tag:yaml.org,2002:str" and not node.style and doubtful(node.value):
                self.refuse(node, f"{shown(node)} is a string in one version of YAML and not in another: put "
                                  "it in quotes, or write true, false or a decimal number")
            return super().construct_scalar(node)

        def construct_number(self, node):
            text = node.value
            try:
                number = json.loads(text)
            except ValueError:
                self.refuse(node, f"{shown(node)} is no number of JSON: write it in decimal digits")
            if isinstance(number, float) and number in (float("inf"), float("-inf")):
                self.refuse(node, f"{shown(node)} is beyond the largest number")
            return number

        def construct_undefined(self, node):
            self.refuse(node, f"the tag {node.tag} has no meaning in a session document")

    def shown(node):
        return repr(node.value) if isinstance(node, yaml.ScalarNode) else "(a collection)"

    def doubtful(text):
        """Whether some version of YAML reads the plain word as something else than a string."""
        known = yaml.SafeLoader.yaml_implicit_resolvers.get(text[:1], [])
        return any(pattern.match(text) for tag, pattern in known) or bool(OTHERS.match(text))

    def plain(tag, pattern, starts):
        Loader.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile(pattern), starts)

    # The words that YAML 1.1 and 1.2 read alike.
    plain("null", r"^(null|Null|NULL|~|)$", ["n", "N", "~", ""])
    plain("bool", r"^(true|True|TRUE|false|False|FALSE)$", list("tTfF"))
    plain("float", r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$", list("-0123456789"))
    for tag in ("int", "float"):
        Loader.add_constructor("tag:yaml.org,2002:" + tag, Loader.construct_number)
    for tag in ("timestamp", "binary", "omap", "pairs", "set"):
        Loader.add_constructor("tag:yaml.org,2002:" + tag, Loader.construct_undefined)
    Loader.add_constructor(None, Loader.construct_undefined)
    return Loader


# What PyYAML itself does not look for: booleans of YAML 1.1, octals of 1.2, numbers that JSON does not have.
OTHERS = re.compile(r"^([yYnN]|[-+]?0o[0-7]+|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?)$")


def unique(pairs):
    members = dict(pairs)
    if len(members) < len(pairs):
        seen = [key for key, _ in pairs]
        raise Refused(f"the key {next(key for key in seen if seen.count(key) > 1)!r} stands twice in an object")
    return members


def places_of(node, yaml, pointer=""):
    """The line and column of each value of the file, by JSON pointer."""
    found, rest = {}, [(pointer, node)]
    while rest:
        pointer, node = rest.pop()
        found[pointer] = (node.start_mark.line + 1, node.start_mark.column + 1)
        if isinstance(node, yaml.MappingNode):
            rest += [(pointer + "/" + key.value.replace("~", "~0").replace("/", "~1"), value)
                     for key, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            rest += [(f"{pointer}/{index}", value) for index, value in enumerate(node.value)]
    return found


def read(path):
    """The document, and a function that gives the place of each pointer."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".json"):
        found, places = json.loads(text, object_pairs_hook=unique), dict
    else:
        try:
            import yaml
        except ImportError:
            sys.exit("Reading YAML takes PyYAML: pip install pyyaml. A file that ends in .json needs none.")
        reader = loader(yaml)(text)
        try:
            root = reader.get_single_node()
            found = reader.construct_document(root) if root else None
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            place = f"{mark.line + 1}:{mark.column + 1}: " if mark else ""
            raise Refused(place + (error.problem or error.context or "it is no YAML")) from None
        except yaml.YAMLError as error:
            raise Refused(" ".join(str(error).split())) from None

        def places():
            return places_of(root, yaml)
    if not isinstance(found, dict):
        raise Refused("it is empty" if found is None else "it has no mapping at its top; a document has members "
                      "such as traits and nodes")
    return found, places


def document(path):
    try:
        return read(path)
    except Refused as error:
        reason = f"{path}:{error}" if str(error)[:1].isdigit() else f"{path}: {error}"
    except json.JSONDecodeError as error:
        reason = f"{path}:{error.lineno}:{error.colno}: {error.msg}"
    except UnicodeDecodeError as error:
        reason = f"{path}: it is no text in UTF-8 (byte {error.start})"
    except OSError as error:
        reason = f"{path}: {error.strerror}"
    except RecursionError:
        reason = f"{path}: it is nested too deep"
    sys.exit(reason)


def faults(answer, path, wanted, places):
    """What the server refuses, a line for each fault: its place in the file, the node, what was meant."""
    known, lines = places(), []
    for fault in answer.get("errors") or [answer]:
        pointer = fault.get("pointer", "")
        place = pointer
        while place and place not in known:
            place = place.rpartition("/")[0]
        text = path + (":%d:%d" % known[place] if pointer and place in known else "") + ": " if pointer else ""
        text += fault.get("detail", f"status {fault.get('status', '?')}")
        if "didYouMean" in fault:
            text += f" Did you mean {fault['didYouMean']!r}?"
        lines.append(text + (f" [at {pointer}{node_at(pointer, wanted)}]" if pointer else ""))
    return lines + [
        f"  {field['pointer']}{node_at(field['pointer'], wanted)} is managed by {field.get('manager', 'no manager')}"
        for field in answer.get("fields", [])]


def node_at(pointer, wanted):
    """The identifier of the element that a pointer leads into."""
    parts = pointer.split("/")
    try:
        return f" in {wanted[parts[1]][int(parts[2])]['id']!r}"
    except (IndexError, KeyError, TypeError, ValueError):
        return ""


def put(url, body, **query):
    """The status and the answer. Sending a request twice does no harm: a plan is applied once."""
    fields = {"Content-Type": "application/json", "Content-Encoding": "gzip", "Accept": "application/json"}
    if "TRAITD_TOKEN" in os.environ:
        fields["Authorization"] = "Bearer " + os.environ["TRAITD_TOKEN"]
    data = gzip.compress(json.dumps(body).encode(), 1)
    request = urllib.request.Request(f"{url}?{urllib.parse.urlencode(query)}", data, fields, method="PUT")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or "{}")
    except OSError as error:
        return 0, {"detail": f"The server does not answer: {error}"}
    except ValueError as error:
        return 0, {"detail": f"{url} gave no answer of traitd's: {error}"}


def delete(url, tag):
    """Removes the session that was made for a file that is refused, unless it has changed since."""
    fields = {"If-Match": tag}
    if "TRAITD_TOKEN" in os.environ:
        fields["Authorization"] = "Bearer " + os.environ["TRAITD_TOKEN"]
    try:
        urllib.request.urlopen(urllib.request.Request(url, None, fields, method="DELETE"), timeout=60).close()
    except OSError:
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("session"), parser.add_argument("file"), parser.add_argument("--manager", default="sync")
    for flag in ("plan", "prune", "force"):
        parser.add_argument("--" + flag, action="store_true")
    given = parser.parse_args()
    wanted, places = document(given.file)
    wanted.pop("name", None)  # The address says which session it is.
    made = None
    options = {name: str(getattr(given, name)).lower() for name in ("manager", "prune", "force")}
    settings = {name: wanted[name] for name in ("propagation", "updates", "limits") if name in wanted}
    for _ in range(10):
        status, plan = put(given.session + "/apply", wanted, dryRun="true", **options)
        if plan.get("code") == "unknown-session" and not given.plan:
            status, plan = put(given.session, settings)
            if status in (200, 201):
                made = f'"{plan["uid"]}.1"' if status == 201 else None
                continue
        if status != 200 or plan.get("unchanged"):
            break
        for operation in plan["operations"]:
            print(json.dumps(operation, ensure_ascii=False))
        print("plan:", ", ".join(f"{count} {kind}" for kind, count in plan["counts"].items()))
        if given.plan:
            sys.exit(2)
        status, plan = put(given.session + "/apply", wanted, plan=plan["planToken"], **options)
        if status != 412:  # Otherwise the session has moved on: plan anew.
            break
    if status != 200:
        if made:
            delete(given.session, made)
        sys.exit("\n".join(faults(plan, given.file, wanted, places)))
    print(f"{plan['session']} is as {given.file} says, at revision {plan['revision']}")


if __name__ == "__main__":
    main()
