"""The runner of the Python client; README.md has the protocol."""

import json
import os
import pathlib
import sys
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, os.environ.get("TRAITD_CLIENT") or str(pathlib.Path(__file__).resolve().parents[2] / "python"))
import traitd  # noqa: E402

writing = threading.Lock()


def write(**members):
    with writing:
        print(json.dumps(members), flush=True)


def shown(change):
    members = {"node": change.node, "trait": change.trait, "revision": change.revision}
    if not change.added:
        members["previous"] = change.previous
    if not change.removed:
        members["current"] = change.current
    return members


class Runner:
    def __init__(self):
        self.watch = self.session = self.iterating = None
        self.throws = False
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

    def open(self, url, session, token, timeoutMs, retries, backoffMs, watches, registrations, iterates=True, **_):
        backoff = (backoffMs[0] / 1000, backoffMs[1] / 1000)
        self.client = client = traitd.Client(url, token, timeout=timeoutMs / 1000, retries=retries, backoff=backoff)
        self.session, self.throws = client.session(session), False
        if watches is None:
            return {}
        self.is_made.clear()
        self.watch = self.session.watch(
            watches, registrations=registrations, on_change=self.on_change, on_state=self.on_state)
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
        watch = self.watch
        return {"state": watch.state, "reason": watch.reason, "revision": watch.revision, "values": watch.snapshot()}

    def throw(self, **_):
        self.throws = True
        return {}

    def call(self, name, arguments, **_):
        spelling = {"ifRevision": "if_revision", "dryRun": "dry_run", "idempotencyKey": "idempotency_key"}
        given = {spelling.get(key, key): value for key, value in arguments.items()}
        try:
            call = self.client.request if name == "serverRequest" else getattr(self.session, name)
            result = call(**given)
        except traitd.TraitdError as error:
            return {"error": {"code": error.code, "status": error.status, "message": str(error)}}
        if name == "resolve":
            result = {"revision": result.revision, "values": result.values}
        return {"result": result}

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
