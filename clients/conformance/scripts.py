"""Plays a script: a server that fails as the script says, and a runner whose client must show the truth all the same."""

import json
import os
import pathlib
import queue
import random
import subprocess
import sys
import threading
import time

from proxy import Proxy
from server import NOTED_RECORDS_MAX, Server, text

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent.parent / ".ci/lib"))
import pace  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
RUNNERS = {"python": [sys.executable, str(HERE / "runners/python.py")],
           "asyncio": [sys.executable, str(HERE / "runners/python_asyncio.py")],
           "js": ["node", str(HERE / "runners/js.mjs")]}
SECONDS_MAX = 10
POLL_SECONDS = 0.004
MOVING_MAX = 4  # times as long may something take that moves
VALUES = {
    "a": {"theme": "plain", "level": 1, "scale": 1.5},
    "b": {"name": "hé\n\u2028\"\\\u0001", "flag": True, "none": None},
    "c": {"flag": False, "box": {"w": 0, "a": 9007199254740992}, "hidden": 1},
}
REGISTRATIONS = {"r1": {"node": "c", "traits": ["flag", "box"]}}
OPTIONS = {"session": "s", "timeoutMs": 5000, "retries": 4, "backoffMs": [4, 40],
           "watches": {"a": ["theme", "level"], "b": "all"}, "registrations": ["r1"]}


class Failed(Exception):
    """What the client did wrong, or the runner."""


class Runner:
    """A process that drives a client. One script at a time."""

    def __init__(self, command, client=None):
        environment = {**os.environ, **({"TRAITD_CLIENT": str(client)} if client else {})}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, encoding="utf-8", env=environment)
        self.answers, self.number, self.output, self.errors = queue.Queue(), 0, [], []
        self.start([])
        threading.Thread(target=self.read, daemon=True).start()
        threading.Thread(target=self.read_errors, daemon=True).start()

    def start(self, found):
        """Forgets what was reported before. `found` collects what may not happen."""
        self.found, self.replayed, self.changes, self.nexts, self.states = found, None, [], [], []
        self.output.clear()
        self.errors.clear()

    def read(self):
        for line in self.process.stdout:
            self.output.append(line)
            try:
                members = json.loads(line)
                if "id" in members:
                    self.answers.put(members)
                else:
                    self.event(members)
            except (ValueError, KeyError) as error:
                self.found.append(f"the runner wrote {line[:200]!r}: {error!r}")
        self.answers.put(None)

    def read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line)

    def event(self, event):
        kind = event["event"]
        if kind == "state":
            if self.states and self.states[-1]["state"] in (event["state"], "closed"):
                self.found.append(f"{event['state']} was reported after {self.states[-1]['state']}")
            self.states.append(event)
            if self.replayed is None and event["state"] == "ready":
                self.first = json.dumps(event["values"])
                self.replayed = json.loads(self.first)
        elif kind == "change":
            self.changes.append({key: event[key] for key in event if key != "event"})
            self.replayed = self.replay(self.replayed, event)
        elif kind == "next":
            self.nexts.append({key: event[key] for key in event if key != "event"})
        else:
            self.found.append(f"the runner reports {event.get('text', event)}")

    def replay(self, values, change):
        """The values after a change. `found` gets what is wrong with it."""
        if values is None:
            self.found.append(f"a change before the first state: {change}")
            return None
        traits = values.get(change["node"], {})
        before = {"value": traits[change["trait"]]} if change["trait"] in traits else {}
        previous = {"value": change["previous"]} if "previous" in change else {}
        current = {"value": change["current"]} if "current" in change else {}
        if text(before) != text(previous):
            self.found.append(f"a change has not the value before it: {change} after {before}")
        if text(previous) == text(current):
            self.found.append(f"a change changes nothing: {change}")
        if current:
            values.setdefault(change["node"], {})[change["trait"]] = change["current"]
        elif traits:
            traits.pop(change["trait"], None)
            if not traits:
                del values[change["node"]]
        return values

    def ask(self, **command):
        self.number += 1
        try:
            self.process.stdin.write(json.dumps({"id": self.number, **command}) + "\n")
            self.process.stdin.flush()
            answer = self.answers.get(timeout=SECONDS_MAX * 12)
        except (queue.Empty, BrokenPipeError):
            answer = None
        if answer is None or answer["id"] != self.number:
            raise Failed(f"the runner does not answer {command}: {''.join(self.errors[-20:])}")
        if "fault" in answer:
            raise Failed(f"the runner cannot {command['do']}: {answer['fault']}")
        return answer

    def close(self):
        try:
            self.process.stdin.close()
            self.process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


class Play:
    """One script. Each step is a method, with the members of the step as arguments."""

    def __init__(self, script, runner, seconds_max=SECONDS_MAX):
        self.script, self.runner, self.found, self.seconds_max = script, runner, [], seconds_max
        runner.start(self.found)
        self.token = script.get("token")
        self.server = Server(script.get("registrations", REGISTRATIONS), self.token, script.get("heartbeatMs", 4000),
                             script.get("events", True), script.get("pollMsMax", 300000))
        self.other = Server({}, None)  # where redirects lead, and addresses that a client puts together wrongly
        self.proxy = Proxy(self.server.port, script["proxy"]) if "proxy" in script else None
        self.options = {**OPTIONS, "token": self.token, **script.get("options", {})}
        view = self.options["watches"] or {}, self.options["registrations"]
        self.server.show(view, script.get("values", VALUES))
        self.checked = {}

    def run(self):
        """What went wrong, as lines."""
        try:
            for number, step in enumerate(self.script["steps"]):
                arguments = {name: value for name, value in step.items() if name != "do"}
                try:
                    getattr(self, "do_" + step["do"])(**arguments)
                except Failed as error:
                    raise Failed(f"step {number}, {json.dumps(step)[:200]}: {error}") from None
                self.judge()
        except Failed as error:
            self.found.append(str(error))
        finally:
            self.server.close()
            try:
                self.runner.ask(do="close")
            except Failed as error:
                self.found.append(str(error))
            self.other.close()
            if self.proxy:
                self.proxy.close()
        written = "".join(self.runner.output + self.runner.errors)
        if self.token and self.token in written:
            self.found.append("the token stands in the output of the runner")
        self.found += self.server.faults + [f"the other host got {request['target']}"
                                            for request in self.other.requests]
        return self.found

    def judge(self):
        if self.found or self.server.faults:
            raise Failed("see the lines before")

    def until(self, what, probe, seconds=None):
        """Waits until `probe` returns None; fails with what it returned, when that has not changed for so many
        seconds, or after several times as many. A probe that takes long leaves as much time to the others."""
        seconds = seconds or self.seconds_max
        asked, began = time.monotonic(), pace.now()
        moved = began
        before = None
        while (wrong := probe()) is not None:
            now = pace.now()
            if wrong != before:
                before, moved = wrong, now
            if now - moved > seconds or now - began > seconds * MOVING_MAX:
                raise Failed(f"{what}: {wrong}")
            time.sleep(max(POLL_SECONDS, time.monotonic() - asked))
            asked = time.monotonic()
            self.judge()

    def look(self):
        seen = self.runner.ask(do="look")
        if not self.script.get("corrupts") and len(seen["values"]) <= NOTED_RECORDS_MAX and text(seen["values"]) not in self.server.states:
            self.found.append(f"{seen['values']} is shown, which was never a state of the server")
        return seen

    # --- What happens to the server.

    def do_commit(self, set=None, remove=()):
        self.server.commit(set or {}, remove)

    def do_burst(self, count, node="a", trait="level"):
        for number in range(count):
            self.server.commit({node: {trait: self.server.revision * 100000 + number}})

    def do_mangle(self, **mangle):
        with self.server.changed:
            self.server.mangles.append(mangle)

    def do_answer(self, **answer):
        if answer.get("how") == "redirect":
            answer["port"] = self.other.port
        with self.server.changed:
            self.server.answers.append(answer)

    def do_cut(self, how):
        self.server.cut(how)

    def do_end(self, **record):
        self.server.cut(record)

    def do_rename(self, to, node=None, trait=None):
        self.server.rename(to, node, trait)

    def do_gap(self, set):
        self.server.gap(set)

    def do_truncate(self):
        self.server.truncate()

    def do_replace(self, values=None, revision=1):
        self.server.replace(values, revision)

    def do_stop(self):
        self.server.stop()

    def do_start(self, uid="old", values=None):
        if uid == "new":
            self.server.replace(values)
        self.server.listen(self.server.port)

    def do_restart(self, uid="old", values=None):
        self.do_stop()
        self.do_start(uid, values)

    def do_pause(self, on="state", skip=0):
        self.do_mangle(how="pause", on=on, skip=skip)

    def do_paused(self):
        self.until("no stream reaches the pause", lambda: None if any(
            stream.get("paused") for stream in list(self.server.streams.values())) else "none")

    def do_unpause(self):
        self.server.unpause()

    # --- What the client does.

    def do_open(self, refused=False, **more):
        port = (self.proxy or self.server).port
        answer = self.runner.ask(do="open", url=f"http://127.0.0.1:{port}" + self.script.get("prefix", ""),
                                 **{**self.options, **more})
        self.expect_refused(answer, refused, 0)

    def do_alone(self):
        self.until("the end", lambda: f"{self.server.exchanges} requests are left" if self.server.exchanges else None, 2)

    def do_rest(self, ms):
        time.sleep(ms / 1000)

    def do_unproxied(self):
        """From now on the proxy passes on all at once."""
        self.proxy.passes = "all"

    def expect_refused(self, answer, refused, before):
        if refused and not isinstance(answer.get("refused"), str):
            raise Failed(f"it is not refused: {answer}")
        if not refused and "refused" in answer:
            raise Failed(f"it is refused: {answer}")
        if refused and len(self.server.requests) > before:
            raise Failed(f"it was sent: {self.server.requests[-1]['target']}")

    def do_close(self):
        self.runner.ask(do="close")

    def do_throw(self):
        self.runner.ask(do="throw")

    def do_call(self, name, arguments, attempts=None, commits=None, result=None, error=None, refused=False, reason=None,
                ends=False, rows=None):
        before, made, began = len(self.server.requests), self.server.commits_made, time.monotonic()
        arguments = json.loads(json.dumps(arguments).replace("{otherPort}", str(self.other.port)))
        answer = self.runner.ask(do="call", name=name, arguments=arguments)
        self.expect_refused(answer, refused, before)
        if refused:
            return
        if time.monotonic() - began > self.seconds_max:
            raise Failed(f"the call took {time.monotonic() - began:.1f} s")
        if ends:  # with a result or an error
            return
        calls = [request for request in self.server.requests[before:] if not request["stream"]]
        if error is not None:
            failed = answer.get("error") or {}
            if {key: failed.get(key) for key in error} != error or not isinstance(failed.get("message"), str):
                raise Failed(f"the error is not {error}: {answer}")
        elif "error" in answer:
            raise Failed(f"it failed: {answer['error']}")
        for key, value in (result or {}).items():
            if text(answer["result"].get(key)) != text(value):
                raise Failed(f"{key} is not {value}: {answer['result']}")
        if rows is not None and rows != answer.get("rows", len((answer.get("result") or {}).get("rows", []))):
            raise Failed(f"there are not {rows} rows: {answer}")
        if attempts is not None and len(calls) != attempts:
            raise Failed(f"{len(calls)} attempts instead of {attempts}")
        if commits is not None and self.server.commits_made - made != commits:
            raise Failed(f"{self.server.commits_made - made} commits instead of {commits}")
        if reason is not None:
            got = {request["headers"].get("traitd-reason") or (request["body"] or {}).get("reason")
                   for request in calls}
            if got != {reason}:
                raise Failed(f"the reasons are {got}")
        keys = {request["headers"].get("idempotency-key") for request in calls}
        wanted = arguments.get("idempotencyKey")
        if len(keys) > 1 or wanted and keys != {wanted}:
            raise Failed(f"the keys are {keys}")

    # --- What must be so.

    def do_check(self):
        """The cache equals the truth, and so do the changes."""
        def wrong():
            seen, truth = self.look(), self.server.truth()
            if seen["state"] != "ready":
                return f"the state is {seen['state']} ({seen['reason']})"
            if text(seen["values"]) != text(truth):
                return f"{seen['values']} instead of {truth}"
            if seen["revision"] != self.server.revision:
                return f"the revision is {seen['revision']} instead of {self.server.revision}"
            if text(self.runner.replayed) != text(truth):
                return f"the changes give {self.runner.replayed} instead of {truth}"
            if self.runner.nexts != self.runner.changes and self.options.get("iterates", True):
                return f"iteration gives {len(self.runner.nexts)} changes instead of {len(self.runner.changes)}"
            self.checked = seen["values"]
            return None
        self.until("after this", wrong)

    def do_iterate(self, most):
        """Begins to iterate late: at most so many changes, which give the truth."""
        self.runner.ask(do="iterate")

        def wrong():
            values, changes = json.loads(self.runner.first), list(self.runner.nexts)
            for change in changes:
                values = self.runner.replay(values, change)
            return None if text(values) == text(self.server.truth()) else f"{len(changes)} changes give something else"
        self.until("iteration", wrong)
        if len(self.runner.nexts) > most:
            raise Failed(f"iteration gives {len(self.runner.nexts)} changes, more than {most}")

    def do_sweep(self, rounds, values=0):
        """Commits that change a trait of all nodes each, to one of so many values, or to new ones."""
        for number in range(rounds):
            self.server.commit({node: {"level": number % values if values else self.server.revision * 100 + number}
                                for node in self.server.values})

    def do_closed(self, reason):
        def wrong():
            seen = self.look()
            if (seen["state"], seen["reason"]) != ("closed", reason):
                return f"it is {seen['state']} with {seen['reason']!r} instead of closed with {reason!r}"
            reported = self.runner.states[-1] if self.runner.states else {}
            return None if reported.get("state") == "closed" else f"the last state that it reported is {reported}"
        self.until("the end", wrong)
        self.until("connections", lambda: f"{len(self.server.streams)} are left" if self.server.streams else None, 3)

    def do_state(self, state, reason="any"):
        def wrong():
            seen = self.look()
            is_so = seen["state"] == state and reason in ("any", seen["reason"])
            return None if is_so else f"it is {seen['state']} ({seen['reason']})"
        self.until("the state", wrong)

    def do_synced(self, ready, timeoutMs=300, reason=None):
        """Waits for the first state for so long."""
        began = time.monotonic()
        answer = self.runner.ask(do="synced", timeoutMs=timeoutMs)
        took = (time.monotonic() - began) * 1000
        if answer["ready"] != ready or reason not in (None, answer["reason"]):
            raise Failed(f"it says {answer} instead of {ready} with {reason}")
        if not ready and took < timeoutMs * 0.9:
            raise Failed(f"it took {took:.0f} ms")

    def do_polls(self, least):
        """Whether the records come by long polls; 0: never."""
        self.until("long polls", lambda: None if self.server.polls >= least else f"{self.server.polls} polls")
        if not least and self.server.polls:
            raise Failed(f"{self.server.polls} polls")

    def do_accepted(self, media):
        """Whether the last stream was asked for as this media type."""
        accept = [request["headers"].get("accept") for request in self.server.requests if request["stream"]][-1]
        if media not in (accept or ""):
            raise Failed(f"the client accepts {accept}")

    def do_shows(self, state=None):
        """For a few heartbeats: what the last check saw, and not what is half there."""
        if state:
            self.do_state(state)
        end = time.monotonic() + 0.1
        while time.monotonic() < end:
            seen = self.look()
            if text(seen["values"]) != text(self.checked) or state and seen["state"] != state:
                raise Failed(f"it shows {seen} instead of {self.checked}")

    def do_sent(self, token):
        """Whether the last request for the stream had a token, or which."""
        def wrong():
            headers = [request["headers"] for request in list(self.server.requests) if request["stream"]][-1]
            found = headers.get("last-event-id")
            is_so = found == token if isinstance(token, str) else (found is not None) == token
            return None if is_so else f"it was {found}"
        self.until("the token of the last connection", wrong)

    def do_waited(self, least, most=None):
        """Milliseconds from the end of an answer to the last request."""
        last = self.server.requests[-1]["time"]
        waited = (last - max(end for end in self.server.ends if end < last)) * 1000
        if waited < least or most and waited > most:
            raise Failed(f"the client waited for {waited:.1f} ms")

    def do_method(self, method):
        if self.server.requests[-1]["method"] != method:
            raise Failed(f"the method is {self.server.requests[-1]['method']}")

    def do_connections(self, least=1, most=1000, mostEachSecond=None):
        times = [request["time"] for request in self.server.requests if request["stream"]]
        if not least <= len(times) <= most:
            raise Failed(f"{len(times)} connections")
        passed = time.monotonic() - times[0]
        if mostEachSecond and len(times) > mostEachSecond * passed:
            raise Failed(f"{len(times)} connections in {passed:.1f} s")

    def do_requested(self, count):
        self.until("requests", lambda: None if len(self.server.requests) >= count else len(self.server.requests))

    def do_reported(self, changes):
        """How many changes were reported since the last time."""
        got = len(self.runner.changes) - getattr(self, "reported", 0)
        self.reported = len(self.runner.changes)
        if got != changes:
            raise Failed(f"{got} changes were reported instead of {changes}: {self.runner.changes[-got:]}")


# --- Random scripts.

NODES = {"a": ["theme", "level", "scale"], "b": ["name", "flag", "none"], "c": ["flag", "box", "hidden"]}
ODD = [0, -0.0, 1, 1.5, -1, 1e-7, 9007199254740992, True, False, None, "", "hé", "\u2028\"\\\u0001\U0001F600",
       {"w": 0, "a": 1.25}, {"\uffff": 1, "\U0001F600": "x", "é": None}, {}]
RECORD_FAULTS = ["half", "resetHalf", "finish", "close", "reset", "drop", "duplicate", "hold", "garble", "lower",
                 "corrupt", "silence", "bytes", "end"]


def random_script(seed):
    dice = random.Random(seed)
    steps = [{"do": "open"}, {"do": "check"}]

    def value():
        return dice.choice(ODD) if dice.random() < 0.5 else dice.randrange(1000)

    def commit():
        nodes = dice.sample(sorted(NODES), dice.randint(1, 2))
        return {"do": "commit", "set": {node: {dice.choice(NODES[node]): value()} for node in nodes}}

    def end():
        return {"reason": dice.choice(["drain", "timeout", "slowConsumer", "limit", "error"]),
                "resume": dice.random() < 0.7, "retryAfterMs": dice.choice([0, 10, 30])}

    def mangle():
        how = dice.choice(RECORD_FAULTS)
        kind = dice.choice(["change", "change", "bookmark", "any", "state", "sync"])
        if how == "corrupt":
            kind = "change"
        step = {"do": "mangle", "how": how, "on": kind}
        return {**step, "with": end()} if how == "end" else step

    def answer():
        status = dice.choice([429, 503, 500, 502, 200, 404, 410])
        media = "application/problem+json" if status in (429, 503) else "text/html"
        headers = {"Retry-After": "0"} if dice.random() < 0.5 else {}
        return {"do": "answer", "status": status, "media": media, "headers": headers}

    def down():
        return [{"do": "stop"}, *(commit() for _ in range(dice.randint(0, 2))),
                {"do": "start", "uid": dice.choice(["old", "new"])}]

    kinds = [lambda: [commit()] * 1, lambda: [commit(), commit()], lambda: [{"do": "burst", "count": dice.randint(2, 60)}],
             lambda: [mangle(), commit()], lambda: [mangle(), commit(), commit()],
             lambda: [mangle(), {"do": "cut", "how": "finish"}, commit()],
             lambda: [{"do": "cut", "how": dice.choice(["finish", "close", "half", "reset"])}],
             lambda: [{"do": "end", **end()}, commit()], lambda: [{"do": "restart", "uid": dice.choice(["old", "new"])}],
             down, lambda: [answer(), {"do": "cut", "how": "close"}, commit()],
             lambda: [{"do": "answer", "how": dice.choice(["close", "silence", "redirect", "unchunked", "bytes"])},
                      {"do": "cut", "how": "reset"}, commit()],
             lambda: [{"do": "cut", "how": "close"}, commit(), {"do": "truncate"}],
             lambda: [{"do": "replace", "revision": dice.choice([1, 5, 100])}, commit()],
             lambda: [{"do": "commit", "set": {"b": {"late": value()}}}],
             lambda: [{"do": "commit", "remove": ["b"]}, {"do": "commit", "set": {"b": {"name": value(), "flag": True}}}]]
    for _ in range(dice.randint(3, 8)):
        steps += dice.choice(kinds)()
        if dice.random() < 0.6:
            steps.append({"do": "check"})
    steps.append({"do": "check"})
    return {"name": f"random {seed}", "heartbeatMs": 100, "events": seed % 2 == 0, "options": {"timeoutMs": 300}, "corrupts": any(step.get("how") in ("corrupt", "drop", "hold") for step in steps),
            "steps": steps}
