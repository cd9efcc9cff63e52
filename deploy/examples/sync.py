#!/usr/bin/env python3
"""Makes a session equal to a YAML file: shows the plan, then applies it.

    sync.py http://127.0.0.1:8080/v1/sessions/acme acme.yaml --plan        # show, and change nothing
    sync.py http://127.0.0.1:8080/v1/sessions/acme acme.yaml --prune

The file is a session document: `traits`, `nodes` and so on, as in an export. Exit status: 0 when the
session equals the file, 1 when the server refuses, 2 with --plan when something would change.
TRAITD_TOKEN is sent as the bearer token. Standard library, and PyYAML unless the file is JSON.
"""
import argparse, gzip, json, os, sys, urllib.error, urllib.parse, urllib.request


def document(path):
    with open(path, encoding="utf-8") as file:
        if path.endswith(".json"):
            return json.load(file)
        try:
            import yaml
        except ImportError:
            sys.exit("Reading YAML takes PyYAML: pip install pyyaml. A file that ends in .json needs none.")
        return yaml.load(file, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("session"), parser.add_argument("file"), parser.add_argument("--manager", default="sync")
    for flag in ("plan", "prune", "force"):
        parser.add_argument("--" + flag, action="store_true")
    given = parser.parse_args()
    wanted = document(given.file)
    options = {name: str(getattr(given, name)).lower() for name in ("manager", "prune", "force")}
    settings = {name: wanted[name] for name in ("propagation", "updates", "limits") if name in wanted}
    for _ in range(10):
        status, plan = put(given.session + "/apply", wanted, dryRun="true", **options)
        if plan.get("code") == "unknown-session" and not given.plan:
            status, plan = put(given.session, settings)
            if status in (200, 201):
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
        sys.exit("\n".join([plan.get("detail", f"status {status}")] + [
            f"  {field['pointer']} is managed by {field['manager']}" for field in plan.get("fields", [])]))
    print(f"{plan['session']} is as {given.file} says, at revision {plan['revision']}")


if __name__ == "__main__":
    main()
