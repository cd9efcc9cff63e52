#!/usr/bin/env python3
"""Writes two files from openapi.yaml, or checks that they are made from it and that openapi.yaml keeps the rules.

The files are the same document as JSON, which the binary carries too, and a list that the tests compare with the
table of routes: each operation with its query parameters, one per line, the problem codes, and the members of each
operation of a transaction. So the tests need no parser of YAML, and no package has one.

The rules are stricter than those of OpenAPI 3.1. Every example must be valid under its schema, on both sides of a
request, and every answer has one; every component must be used; every operation must have an id, a summary, one
known tag, parameters that are references, and a default response; and the table of problems must name exactly the
codes. .ci/steps/sent finds bodies and parameters without an example, and .ci/steps/client schemas without a name.

usage: openapi.py [--check]
"""

import json
import pathlib
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "Tests/Support/Fixtures/openapi-operations.txt"
JSON = ROOT / "Sources/COpenAPI/openapi.json"


def load():
    return yaml.safe_load((ROOT / "openapi.yaml").read_text(encoding="utf-8"))


def dereferenced(document, value):
    """Follows a `$ref` within the document."""
    while "$ref" in value:
        node = document
        for step in value["$ref"].removeprefix("#/").split("/"):
            node = node[step]
        value = node
    return value


def examples(value):
    """Each example of a parameter or of a media type, by name."""
    if "example" in value:
        yield "", value["example"]
    for name, example in value.get("examples", {}).items():
        yield name, example["value"]


def operations(document):
    """Each operation: its path, its method, itself, and the parameters of all methods of its path."""
    for path, item in document["paths"].items():
        for method in [key for key in item if key != "parameters"]:
            yield path, method, item[method], item.get("parameters", [])


def as_list(document):
    """A line for each operation, then one for each problem code, then those of transactions."""
    lines = []
    for path, method, operation, _ in operations(document):
        parameters = [dereferenced(document, value) for value in operation.get("parameters", [])]
        query = sorted(value["name"] for value in parameters if value["in"] == "query")
        lines.append(" ".join([method.upper(), path, operation["operationId"], ",".join(query)]).rstrip())
    codes = document["components"]["schemas"]["ProblemCode"]["enum"]
    lines = sorted(lines) + [f"problem {code}" for code in codes]
    mapping = document["components"]["schemas"]["Operation"]["discriminator"]["mapping"]
    for name in sorted(mapping):
        schema = dereferenced(document, {"$ref": mapping[name]})
        required = sorted(set(schema["required"]) - {"op"})
        optional = sorted(set(schema["properties"]) - set(schema["required"]))
        closed = "closed" if schema.get("additionalProperties") is False else "open"
        lines.append(f"op {name} {closed} {','.join(required)}|{','.join(optional)}")
    return "".join(f"{line}\n" for line in lines)


def as_json(document):
    """The document as JSON, with one path or component per line, so that two changes rarely share a line."""
    def text(value, levels=0):
        if not levels:
            return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        members = (f"{text(name)}:{text(member, levels - 1)}" for name, member in value.items())
        return "{\n" + ",\n".join(members) + "}"

    levels = {"paths": 1, "components": 2}
    members = (f"{text(name)}:{text(value, levels.get(name, 0))}" for name, value in document.items())
    return "{" + ",\n".join(members) + "}\n"


def walk(value, pointer=""):
    yield pointer, value
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from walk(member, f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}")


def example_findings(document, validator):
    """Examples that are not valid under the schema beside them."""
    for pointer, value in walk(document):
        if not isinstance(value, dict) or not isinstance(value.get("schema"), dict):
            continue
        for name, example in examples(value):
            for error in validator(value["schema"] | {"components": document["components"]}).iter_errors(example):
                yield f"{pointer}/examples/{name}: {error.message}"


def operation_findings(document):
    tags = {tag["name"] for tag in document["tags"]}
    for path, method, operation, shared in operations(document):
        name = f"{method.upper()} {path}"
        if not operation.get("summary"):
            yield f"{name}: no summary"
        if len(operation.get("tags", [])) != 1 or operation["tags"][0] not in tags:
            yield f"{name}: not exactly one known tag"
        if any(set(parameter) != {"$ref"} for parameter in shared + operation.get("parameters", [])):
            yield f"{name}: a parameter is not a reference into components"
        if "default" not in operation["responses"]:
            yield f"{name}: no default response"
        for status, answer in operation["responses"].items():
            for media, content in dereferenced(document, answer).get("content", {}).items():
                # An example of a part of a file of lines would be none of the file.
                is_lines = media == "application/x-ndjson"
                if status < "300" and not is_lines and not {"example", "examples"} & content.keys():
                    yield f"{name}: no example of {status} as {media}"


def component_findings(document):
    # Requirements name security schemes without a reference.
    used = {f"#/components/securitySchemes/{name}"
            for part in [document, *(operation for _, _, operation, _ in operations(document))]
            for requirement in part.get("security", []) for name in requirement}
    used |= {value["$ref"] for _, value in walk(document) if isinstance(value, dict) and "$ref" in value}
    for kind, components in document["components"].items():
        for name in components:
            if f"#/components/{kind}/{name}" not in used:
                yield f"components/{kind}/{name} is never used"
    codes = document["components"]["schemas"]["ProblemCode"]
    if sorted(codes["enum"]) != sorted(codes["x-problems"]):
        yield "ProblemCode: enum and x-problems do not name the same codes"


def check(document):
    try:
        from jsonschema import Draft202012Validator
        from openapi_spec_validator import OpenAPIV31SpecValidator
    except ImportError:
        print("openapi: rules skipped, no openapi-spec-validator (.ci/tools)")
        return
    for error in OpenAPIV31SpecValidator(document).iter_errors():
        yield f"not OpenAPI 3.1: {error.message} at {list(error.absolute_path)}"
    yield from example_findings(document, Draft202012Validator)
    yield from operation_findings(document)
    yield from component_findings(document)


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    document = load()
    findings = []
    for target, text in ((TARGET, as_list(document)), (JSON, as_json(document))):
        if not arguments:
            target.write_text(text, encoding="utf-8")
        elif not target.exists() or target.read_text(encoding="utf-8") != text:
            findings.append(f"{target.relative_to(ROOT)} is not made from openapi.yaml: run `make openapi`")
    findings += check(document) if arguments else []
    return "\n".join(findings) or 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
