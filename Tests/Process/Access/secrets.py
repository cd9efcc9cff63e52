#!/usr/bin/env python3
"""Uses all functions of a server with tokens that record something, and searches all output for the
tokens: answers and their header fields, streams, the history, logs, printed configuration, lists of
tokens, and the memory of the sessions as documents. No secret may appear, and no hash of one outside of
the file of tokens.

usage: secrets.py TRAITD
"""

import hashlib
import http.client
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

SECRET = slice(16, 48)


class Run:
    """A server, and all that it and the commands have said."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.file = os.path.join(folder, "tokens")
        self.tokens, self.said = {}, []

    def command(self, *arguments, presents=None):
        done = subprocess.run([self.binary, *arguments], capture_output=True, text=True, check=False,
                              timeout=120)
        out = done.stdout
        if presents:
            self.tokens[presents] = out.strip()
            out = ""
        self.said.append((" ".join(arguments[:2]), out + done.stderr))
        return done.returncode

    def new(self, name, *more):
        return self.command("token", "new", "--tokens", self.file, "--name", name, *more,
                            presents=name)

    def start(self, *more):
        self.process = subprocess.Popen(
            [self.binary, "serve", "--port", "0", "--tokens", self.file, *more],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.port = int(line.rsplit(":", 1)[1])

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        out, error = self.process.communicate(timeout=120)
        self.said.append(("log", out + error))

    def ask(self, method, path, token=None, body=None, **fields):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = {"Content-Type": "application/json"} | fields
        if token:
            headers["Authorization"] = token
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read(100_000).decode(errors="replace")
        self.said.append((f"{method} {path.split('?')[0]}", f"{answer.getheaders()} {text}"))
        connection.close()
        return answer.status


def go_through(run, log_options):
    assert run.new("writer", "--allow", "write") == 0
    assert run.new("reader", "--allow", "read", "--sessions", "team-*") == 0
    assert run.new("admin", "--allow", "admin", "--expires", "1d") == 0
    writer, reader, admin = (f"Bearer {run.tokens[name]}" for name in ["writer", "reader", "admin"])
    run.start(*log_options)
    assert run.ask("PUT", "/v1/sessions/team-a", writer, '{"nodes":[{"id":"n","kind":"environment"}]}') == 201
    assert run.ask("PUT", "/v1/sessions/team-a/nodes/m", writer, '{"kind":"environment"}') == 201
    assert run.ask("PUT", "/v1/sessions/team-a/nodes/k", reader, '{"kind":"environment"}') == 403
    assert run.ask("GET", "/v1/sessions/team-a", writer[:-1]) == 401
    assert run.ask("GET", "/v1/sessions/team-a", f"{writer} ") in (200, 401)
    assert run.ask("GET", "/v1/sessions/team-a", writer.replace("Bearer", "Basic")) == 401
    # In places where no token belongs.
    token = run.tokens["writer"]
    run.ask("GET", f"/v1/sessions?access_token={token}")
    run.ask("GET", f"/v1/sessions?access_token={token}", reader)
    run.ask("GET", "/v1/sessions", None, None, Cookie=f"token={token}", Referer=f"http://a/?t={token}")
    for path in ["/v1/sessions", "/v1/sessions/team-a/history?operations=true",
                 "/v1/sessions/team-a/events?from=0&wait=0", "/v1/sessions/team-a/nodes/n/traits",
                 "/v1/whoami?can=write&session=team-a", "/v1/sessions/team-a/stats", "/metrics",
                 "/v1/server", "/v1/server/slow", "/readyz?verbose", "/v1/sessions/team-a/export",
                 "/v1/sessions/hidden", "/nowhere"]:
        for who in [writer, reader, admin, None]:
            run.ask("GET", path, who)
    run.command("token", "list", "--tokens", run.file)
    accessor = run.tokens["writer"][7:15]
    run.command("token", "rotate", "--tokens", run.file, accessor, presents="second")
    # A bad file is reported.
    good = pathlib.Path(run.file).read_text(encoding="utf-8")
    pathlib.Path(run.file).write_text(good + '{"accessor": 1}\n' + run.tokens["second"], encoding="utf-8")
    run.process.send_signal(signal.SIGHUP)
    run.command("token", "list", "--tokens", run.file)
    pathlib.Path(run.file).write_text(good, encoding="utf-8")
    run.process.send_signal(signal.SIGHUP)
    second = f"Bearer {run.tokens['second']}"
    for _ in range(200):
        if run.ask("GET", "/v1/sessions/team-a", second) == 200:
            break
    else:
        raise AssertionError("the second secret is not known")
    run.command("token", "revoke", "--tokens", run.file, accessor)
    run.command("token", "revoke", "--tokens", run.file, accessor)
    run.process.send_signal(signal.SIGHUP)
    run.command("serve", "--print-config", "--tokens", run.file)
    run.command("serve", "--tokens", run.file + "missing")
    run.stop()


def leaks(run):
    for name, token in run.tokens.items():
        secret = token[SECRET]
        assert len(token) == 56 and len(secret) == 32, token
        for what, wanted in [("secret", secret), ("end", token[30:]),
                             ("hash", hashlib.sha256(secret.encode()).hexdigest())]:
            for place, text in run.said:
                if wanted in text:
                    yield f"the {what} of {name} is in what '{place}' says"


def logs(binary):
    """The ways in which a server keeps logs."""
    ways = [[], ["--log-format", "json"]]
    done = subprocess.run([binary, "serve", "--help"], capture_output=True, text=True, check=True)
    if "--access-log" in done.stdout:
        ways += [["--access-log", "text"], ["--access-log", "json"]]
    return ways


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    found, count = [], 0
    for log_options in logs(binary):
        with tempfile.TemporaryDirectory() as folder:
            run = Run(binary, folder)
            go_through(run, log_options)
            found += leaks(run)
            # What the log says of the caller is its accessor.
            text = "".join(text for _, text in run.said)
            count += len(run.said)
            if run.tokens["writer"][7:15] not in text:
                found.append("the accessor of the writer is nowhere")
    # The search itself: a secret that is there is found.
    run.said.append(("planted", run.tokens["reader"]))
    if len(list(leaks(run))) != 2:
        found.append("a planted secret was not found")
    print("\n".join(found), end="\n" if found else "")
    print(f"{count} outputs looked at, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
