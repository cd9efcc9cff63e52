"""The runner of the Python client; README.md has the protocol."""

import itertools
import json
import os
import pathlib
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.environ.get("TRAITD_CLIENT") or str(pathlib.Path(__file__).resolve().parents[2] / "python"))
import traitd  # noqa: E402

writing = threading.Lock()


def write(**members):
    with writing:
        print(json.dumps(members), flush=True)


def spelled(name):
    """`ifRevision` as Python has it."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def shown(change):
    members = {"node": change.node, "trait": change.trait, "revision": change.revision}
    if not change.added:
        members["previous"] = change.previous
    if not change.removed:
        members["current"] = change.current
    return members


def answered(name, result):
    return {"result": vars(result) if name == "resolve" else result}


def failed(error):
    return {"refused": str(error)} if isinstance(error, ValueError) else {
        "error": {"code": error.code, "status": error.status, "message": str(error)}}


class Runner:
    Client = traitd.Client

    def __init__(self):
        self.watch = self.session = self.iterating = self.throws = None
        # `on_state` may be called before `watch` returns.
        self.is_made = threading.Event()

    def on_state(self, state):
        self.is_made.wait()
        write(event="state", state=state, reason=self.watch.reason if state == "closed" else None,
              values=self.watch.snapshot())
        self.called()

    def on_change(self, change):
        write(event="change", **shown(change))
        self.called()

    def called(self):
        if self.throws:
            raise RuntimeError("as the script says")

    def open(self, url, session, token, timeoutMs, retries, backoffMs, watches, registrations, iterates=True, stateBytesMax=None,
             **_):
        backoff = (backoffMs[0] / 1000, backoffMs[1] / 1000)
        more = {"state_bytes_max": stateBytesMax} if stateBytesMax else {}
        self.client = self.Client(url, token, timeout=timeoutMs / 1000, retries=retries, backoff=backoff, **more)
        self.throws, self.watch = False, None
        self.is_made.clear()
        try:
            self.session = self.client.session(session)
            if watches is None:
                return {}
            self.watch = self.session.watch(
                watches, registrations=registrations, on_change=self.on_change, on_state=self.on_state)
        except ValueError as error:
            return {"refused": str(error)}
        self.is_made.set()
        return self.iterate() if iterates else {}

    def iterate(self, **_):
        self.iterating = threading.Thread(target=self.write_all, args=(self.watch,), daemon=True)
        self.iterating.start()
        return {}

    @staticmethod
    def write_all(watch):
        for change in watch:
            write(event="next", **shown(change))

    def close(self, **_):
        if self.watch:
            self.watch.close()
            self.iterating.join()
        return {}

    def look(self, **_):
        return {**{name: getattr(self.watch, name) for name in ("state", "reason", "revision")}, "values": self.watch.snapshot()}

    def synced(self, timeoutMs, **_):
        return {"ready": self.watch.synced(timeoutMs / 1000), "reason": self.watch.reason}

    def throw(self, **_):
        self.throws = True
        return {}

    def begun(self, name, arguments):
        given = {spelled(key): value for key, value in arguments.items()}
        return (self.client.request if name == "serverRequest" else getattr(self.session, spelled(name)))(**given)

    def call(self, name, arguments, **_):
        try:
            return self.variants(**arguments) if name == "variants" else answered(name, self.begun(name, arguments))
        except (ValueError, traitd.TraitdError) as error:
            return failed(error)

    def variants(self, query, take=None, pauseMs=0):
        found, rows = self.session.variants(query), []
        try:
            for row in itertools.islice(found, take):
                rows.append(row)
                time.sleep(pauseMs / 1000)
        except traitd.TraitdError as error:
            return {**failed(error), "rows": len(rows)}
        return {"result": {"head": found.head, "rows": rows, "end": found.end}}

    def hash(self, node, trait, value, **_):
        return {"hash": f"{traitd.pair_hash(node, trait, value):016x}"}


def main():
    runner = Runner()
    for line in sys.stdin:
        command = json.loads(line)
        try:
            members = getattr(runner, command["do"])(**{
                name: value for name, value in command.items() if name not in ("id", "do")})
        except Exception as error:
            members = {"fault": repr(error)}
        write(id=command["id"], **members)
    runner.close()


if __name__ == "__main__":
    main()
