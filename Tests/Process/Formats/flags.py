#!/usr/bin/env python3
"""Reads the example of deploy/examples through the unmodified Python provider of OpenFeature.

The provider asks for each flag when the code does, so it must see a commit with its next question, within 50 ms of the
commit. The notice of a commit comes by the event stream that the evaluation of all flags names; from the commit to
the values of the evaluation that follows the notice it must take 50 ms, too. The middle of several runs counts,
since a machine may stop for a while.

The bodies of answers must have the protocol's form (OFREP 0.3: service/openapi.yaml of open-feature/protocol).

usage: flags.py TRAITD
"""

import http.client
import json
import pathlib
import statistics
import sys
import threading
import time

sys.dont_write_bytecode = True
try:
    import jsonschema
    from openfeature import api
    from openfeature.contrib.provider.ofrep import OFREPProvider
    from openfeature.evaluation_context import EvaluationContext
except ImportError:
    print("flags: skipped, no provider of OpenFeature (.ci/tools)")
    sys.exit(0)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path[:0] = [str(ROOT / ".ci/lib"), str(ROOT / "Tests/Process/Access")]
import pace  # noqa: E402
from browser import Trial  # noqa: E402
from traitd_server import Server  # noqa: E402

SESSION = "/v1/sessions/acme-configuration"
RUNS, MILLISECONDS_MAX = 20, 50
LEVELS = ["debug", "info", "notice", "warning"]

METADATA = {"type": "object", "additionalProperties": {"type": ["boolean", "string", "number"]}}
EVALUATED = {
    "type": "object", "not": {"required": ["errorCode"]}, "required": ["key", "reason", "variant", "metadata"],
    "properties": {"key": {"type": "string"}, "reason": {"enum": ["STATIC", "TARGETING_MATCH"]}, "metadata": METADATA,
                   "variant": {"type": "string"}, "value": {"type": ["boolean", "string", "number", "object"]}}}
REFUSED = {
    "type": "object", "required": ["errorCode", "errorDetails"],
    "properties": {"key": {"type": "string"}, "errorDetails": {"type": "string", "minLength": 1},
                   "errorCode": {"enum": ["PARSE_ERROR", "TARGETING_KEY_MISSING", "INVALID_CONTEXT", "GENERAL",
                                          "FLAG_NOT_FOUND"]}}}
LISTED = {
    "type": "object", "required": ["flags"], "properties": {
        "flags": {"type": "array", "minItems": 1, "items": EVALUATED}, "metadata": METADATA,
        "eventStreams": {"type": "array", "items": {
            "type": "object", "required": ["type"], "properties": {
                "type": {"type": "string"}, "inactivityDelaySec": {"type": "integer", "minimum": 1},
                "endpoint": {"type": "object", "properties": {"requestUri": {"type": "string", "pattern": "^/"}}}}}}}}


def at(node, **own):
    return EvaluationContext(targeting_key=node, attributes={"traitd": own, "plan": "pro"} if own else {})


def typed_values(trial, client, server):
    """Each type through the method that the SDK has for it."""
    traits = server.value("GET", f"{SESSION}/traits")["traits"]
    values = server.value("GET", f"{SESSION}/nodes/acme/traits")["traits"]
    system = {trait["key"] for trait in server.value("GET", "/v1/traits")["traits"]}
    calls = {"bool": (client.get_boolean_details, False), "int": (client.get_integer_details, -77),
             "double": (client.get_float_details, -77.5), "string": (client.get_string_details, "none"),
             "enum": (client.get_string_details, "none"), "struct": (client.get_object_details, {"none": 1})}
    for trait in traits:
        if trait.get("private"):
            continue
        call, default = calls[trait["type"]]
        found = call(trait["key"], default, at("acme"))
        value = values[trait["key"]]
        is_unset = value is None or trait["key"] in system and value == trait["default"]
        trial.expect(f"{trait['key']} has no error", found.error_code, None)
        trial.expect(trait["key"], found.value, default if is_unset else value)
        trial.expect(f"the metadata of {trait['key']}", found.flag_metadata["type"], trait["type"])
    kinds = {trait["type"] for trait in traits}
    trial.expect("the example has every scalar type", {"bool", "int", "double", "string", "enum"} <= kinds, True)


def errors(trial, client):
    for what, key, context, code in [
            ("an unknown flag", "none", at("acme"), "FLAG_NOT_FOUND"),
            ("no target", "logLevel", EvaluationContext(attributes={"a": 1}), "TARGETING_KEY_MISSING"),
            ("an unknown node", "logLevel", at("nobody"), "INVALID_CONTEXT")]:
        found = client.get_string_details(key, "default", context)
        trial.expect(f"the value for {what}", found.value, "default")
        trial.expect(f"the error for {what}", found.error_code and found.error_code.value, code)
    guest = client.get_string_details(
        "userInterfaceStyle", "none", at("guest", under="acme", supplied={"userInterfaceStyle": "dark"}))
    trial.expect("a supplied value of a guest", guest.value, "dark")


def forms(trial, server):
    """Answers of each kind have the form that the protocol gives them."""
    def check(what, target, body, status, schema, more=()):
        answer, data = server.ask("POST", f"{SESSION}/ofrep/v1/evaluate/flags{target}", body)
        trial.expect(f"the status of {what}", answer.status, status)
        faults = [fault.message for fault in jsonschema.Draft202012Validator(schema).iter_errors(json.loads(data))]
        trial.expect(f"the form of {what}", faults[:3], [])
        trial.expect(f"the members of {what}", [name for name in more if name not in json.loads(data)], [])
        return json.loads(data)
    acme = {"context": {"targetingKey": "acme"}}
    flags = check("all flags", "", acme, 200, LISTED)["flags"]
    for flag in flags:
        single = check(flag["key"], f"/{flag['key']}", acme, 200, EVALUATED)
        trial.expect(f"{flag['key']} alone and among all", single, flag)
    for what, target, body, status in [
            ("no context", "/logLevel", {}, 400), ("a context that is no object", "/logLevel", {"context": 1}, 400),
            ("no target", "/logLevel", {"context": {}}, 400), ("an unknown flag", "/none", acme, 404),
            ("an unknown node", "/logLevel", {"context": {"targetingKey": "nobody"}}, 400),
            ("a body that is no object", "/logLevel", [], 400)]:
        check(what, target, body, status, REFUSED, ["key", "code", "detail"])
    for what, body in [("no context for all", {}), ("an unknown node for all", {"context": {"targetingKey": "nobody"}})]:
        check(what, "", body, 400, REFUSED, ["code", "detail"])


def sees_commits(trial, client, server):
    """The milliseconds from the answer of a commit to the provider's new value."""
    times = []
    for run in range(RUNS):
        level = LEVELS[run % len(LEVELS)]
        server.value("PUT", f"{SESSION}/nodes/acme/overrides/logLevel", {"value": level})
        start = time.monotonic()
        trial.expect("the level after a commit", client.get_string_value("logLevel", "none", at("acme")), level)
        times.append((time.monotonic() - start) * 1_000)
    return statistics.median(times)


class Notices(threading.Thread):
    """Follows an event stream, and evaluates all flags at each notice."""

    def __init__(self, address, target):
        super().__init__(daemon=True)
        self.address, self.found, self.arrived = address, {}, threading.Condition()
        self.connection = http.client.HTTPConnection(address, timeout=120)
        self.connection.request("GET", target, headers={"Accept": "text/event-stream"})
        self.answer = self.connection.getresponse()
        self.reader = http.client.HTTPConnection(address, timeout=120)

    def run(self):
        try:
            for line in self.answer:
                if line.startswith(b"data: "):
                    self.evaluate(json.loads(line[6:]))
        except (OSError, AttributeError, ValueError, http.client.HTTPException):
            return

    def evaluate(self, notice):
        etag = notice.get("etag")
        query = f"?flagConfigEtag={etag}" if etag else ""
        self.reader.request("POST", f"{SESSION}/ofrep/v1/evaluate/flags{query}",
                            json.dumps({"context": {"targetingKey": "acme"}}), {"Content-Type": "application/json"})
        flags = json.loads(self.reader.getresponse().read())["flags"]
        level = next(flag["value"] for flag in flags if flag["key"] == "logLevel")
        with self.arrived:
            self.found[etag] = (level, time.monotonic())
            self.arrived.notify_all()

    def wait(self, etag):
        with self.arrived:
            self.arrived.wait_for(lambda: etag in self.found, 60)
            return self.found.get(etag, (None, float("inf")))


def notices(trial, server):
    """The milliseconds from sending a commit to the flags that were read because of its notice."""
    flags = server.value("POST", f"{SESSION}/ofrep/v1/evaluate/flags", {"context": {"targetingKey": "acme"}})
    follower = Notices(server.address, flags["eventStreams"][0]["endpoint"]["requestUri"])
    follower.start()
    trial.expect("the first notice", follower.wait(None)[0] is not None, True)
    times = []
    for run in range(RUNS):
        level = LEVELS[(run + 1) % len(LEVELS)]
        start = time.monotonic()
        commit = server.value("PUT", f"{SESSION}/nodes/acme/overrides/logLevel", {"value": level})
        found, moment = follower.wait(f"{commit['uid']}.{commit['revision']}")
        trial.expect("the level after a notice", found, level)
        times.append((moment - start) * 1_000)
    follower.connection.close()
    return statistics.median(times)


def main():
    trial = Trial()
    example = ROOT / "deploy/examples/acme-configuration.json"
    with Server(sys.argv[1], "--load", str(example)) as server:
        api.set_provider(OFREPProvider(f"http://{server.address}{SESSION}"))
        client = api.get_client()
        typed_values(trial, client, server)
        errors(trial, client)
        forms(trial, server)
        asked, noticed = sees_commits(trial, client, server), notices(trial, server)
        trial.expect("the provider is in time", asked < MILLISECONDS_MAX * pace.slowness(), True)
        trial.expect("a notice is in time", noticed < MILLISECONDS_MAX * pace.slowness(), True)
        api.shutdown()
    print("\n".join(trial.failed), end="\n" if trial.failed else "")
    print(f"{trial.count - len(trial.failed)} passed, {len(trial.failed)} failed; a commit is seen by the provider after "
          f"{asked:.1f} ms, by a notice and an evaluation after {noticed:.1f} ms")
    return 1 if trial.failed else 0


if __name__ == "__main__":
    sys.exit(main())
