"""The rows of rows.py: requests of a few bytes that ask for gigabytes or seconds. Each is a function of a
client that checks every answer. `ALL` lists them."""

import gzip
import http.client
import json
import socket
import threading
import time

LONG = "x" * 16_000
JSON_TYPE = {"Content-Type": "application/json"}


class Client:
    """Sends requests on connections of its own and looks at each answer: it has to be whole, and an error
    has to be a problem that says what to do. Used by several threads."""

    def __init__(self, port):
        self.port = port
        self.statuses = {}
        self.codes = {}
        self.bytes = 0
        self.cut = []
        self.unclear = []
        self.sockets = []
        self.lock = threading.Lock()

    def summary(self):
        counted = ", ".join(f"{count} × {status}" for status, count in sorted(self.statuses.items()))
        codes = " ".join(sorted(self.codes))
        return f"{counted}{' (' + codes + ')' if codes else ''}, {self.bytes / 2**20:.1f} MiB received"

    def ask(self, method, target, body=None, raw=None, headers=None, keep=False):
        """The status and, when `keep`, the body; else its length."""
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(method, target, data, {**JSON_TYPE, **(headers or {})})
        except (BrokenPipeError, ConnectionResetError):
            pass  # Refused while it was sent: the answer is there.
        try:
            answer = connection.getresponse()
            return self.take(f"{method} {target}", answer, keep)
        except (http.client.HTTPException, ConnectionError) as error:
            with self.lock:
                self.cut.append(f"{method} {target}: {type(error).__name__} {error}")
            return 0, b""
        finally:
            connection.close()

    def take(self, what, answer, keep):
        kept, length, tail = [], 0, b""
        while part := answer.read(1 << 18):
            length += len(part)
            tail = (tail + part)[-4096:]
            if keep or answer.status >= 400:
                kept.append(part)
        body = b"".join(kept)
        with self.lock:
            self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1
            self.bytes += length
            if answer.status >= 400:
                try:
                    problem = json.loads(body)
                    self.codes[problem["code"]] = True
                    if len(problem["detail"]) < 20:
                        raise KeyError("detail")
                except (ValueError, KeyError):
                    self.unclear.append(f"{what}: {answer.status} {body[:200]}")
            elif length and answer.getheader("Content-Encoding") is None \
                    and not tail.rstrip().endswith((b"}", b"]")):
                self.cut.append(f"{what}: ends with {tail[-40:]}")
        return answer.status, body if keep else length

    def must(self, method, target, body=None, expect=(200, 201, 204)):
        status, text = self.ask(method, target, body, keep=True)
        if status not in expect:
            raise OSError(f"{method} {target}: {status} {text[:300]}")
        return text

    def persistent(self):
        """A connection for many requests."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def connect(self, receive_bytes=None):
        client = socket.socket()
        if receive_bytes:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        client.connect(("127.0.0.1", self.port))
        with self.lock:
            self.sockets.append(client)
        return client

    def close(self):
        for client in self.sockets:
            client.close()

    def together(self, count, action, times=1):
        """Runs `action(number)` on so many threads, each so often."""
        def repeat(number):
            for _ in range(times):
                action(number)
        threads = [threading.Thread(target=repeat, args=(number,)) for number in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    # What most rows begin with.

    def session(self, name="x", **body):
        self.must("PUT", f"/v1/sessions/{name}", body)

    def operate(self, operations, name="x", expect=(200,), part=20_000):
        for start in range(0, len(operations), part):
            self.must("POST", f"/v1/sessions/{name}/transactions",
                      {"operations": operations[start:start + part]}, expect)

    def texts(self, count, name="x", **body):
        self.session(name, traits={f"t{number}": {"type": "string", "default": ""}
                                   for number in range(count)}, **body)

    def fill(self, node, count, name="x", text=LONG):
        for start in range(0, count, 100):
            self.operate([{"op": "setOverride", "node": node, "trait": f"t{number}",
                           "value": f"{number}{text}"}
                          for number in range(start, min(count, start + 100))], name)


def node(name, parent=None):
    operation = {"op": "createNode", "node": name, "kind": "environment"}
    return operation if parent is None else {**operation, "parent": parent}


# The rows that were seen before there was a budget.

def one_node_ten_thousand_times(client):
    client.texts(10)
    client.operate([node("s")])
    client.fill("s", 10)
    client.ask("POST", "/v1/sessions/x/resolve",
               {"nodes": ["s"] * 10_000, "traits": [f"t{number}" for number in range(10)]})


def explained_with_what_is_absent(client):
    client.texts(1_000)
    client.operate([node("n0")] + [node(f"n{number}", f"n{number - 1}")
                                   for number in range(1, 9_900)])
    client.ask("GET", "/v1/sessions/x/nodes/n9899/traits?explain=true&absent=true")


def move_that_many_hear(client):
    client.texts(60)
    traits = [f"t{number}" for number in range(60)]
    operations = [node("a"), node("b"), node("m", "a")]
    for number in range(1_200):
        operations += [node(f"n{number}", "m"),
                       {"op": "register", "registration": f"r{number}", "node": f"n{number}",
                        "traits": traits}]
    client.operate(operations)
    client.fill("b", 60)
    for query in ("?dryRun=true&changes=true", "?dryRun=true", "", "?changes=true"):
        client.ask("PATCH", f"/v1/sessions/x/nodes/m{query}", {"parent": "b"})


def moves_that_one_hears(client):
    client.texts(1)
    client.operate([node("a"), node("b"), node("m", "a"),
                    {"op": "register", "registration": "r", "node": "m", "traits": ["t0"]}])
    client.fill("a", 1)
    client.fill("b", 1, text=LONG + "y")
    for number in range(2_000):
        client.ask("PATCH", "/v1/sessions/x/nodes/m", {"parent": "ba"[number % 2]})


def updates_in_one_transaction(client):
    client.session(updates="layout")
    operations = [{"op": "createNode", "node": "s", "kind": "windowScene"}]
    for number in range(20_000):
        operations += [node(f"n{number}", "s"),
                       {"op": "setOverride", "node": f"n{number}", "trait": "displayScale",
                        "value": 2}]
    client.operate(operations)
    operations = []
    for number in range(400):
        operations += [{"op": "setOverride", "node": "s", "trait": "userInterfaceStyle",
                        "value": ["light", "dark"][number % 2]}, {"op": "layout"}]
    client.operate(operations, expect=(200, 413, 507))


def packed_sessions(client):
    nodes = ",".join('{"id":"n%d","kind":"environment"}' % number for number in range(390_000))
    body = gzip.compress(('{"nodes":[%s]}' % nodes).encode(), 6)
    client.together(8, lambda number: [
        client.ask("PUT", f"/v1/sessions/p{number}-{turn}", raw=body,
                   headers={"Content-Encoding": "gzip"}) for turn in range(13)])
    return f"{len(body) >> 10} KiB each"


def packed_answers(client):
    client.texts(10)
    client.operate([node(f"n{number}") for number in range(100)])
    client.together(4, lambda part: [
        client.operate([{"op": "setOverride", "node": f"n{number}", "trait": f"t{trait}",
                         "value": f"{number}-{trait}-{LONG}"} for trait in range(10)])
        for number in range(part, 100, 4)])
    body = {"nodes": [f"n{number % 100}" for number in range(400)],
            "traits": [f"t{trait}" for trait in range(10)]}
    client.together(40, lambda _: client.ask(
        "POST", "/v1/sessions/x/resolve", body, headers={"Accept-Encoding": "gzip"}))


def polls_with_ever_other_filters(client):
    client.texts(16)
    client.operate([node("s")])

    def poll(part):
        connection = client.connect()
        stream = connection.makefile("rb")
        for start in range(part * 10_000, (part + 1) * 10_000, 100):
            requests = b"".join(
                b"GET /v1/sessions/x/nodes/s/events?wait=0&traits=%s HTTP/1.1\r\nHost: localhost\r\n\r\n"
                % b",".join(b"t%d" % bit for bit in range(16) if (number + 1) >> bit & 1)
                for number in range(start, start + 100))
            connection.sendall(requests)
            for _ in range(100):
                read_answer(stream, client)
    client.together(4, poll)
    time.sleep(2.5)
    start = time.monotonic()
    client.ask("GET", "/v1/sessions/x/nodes/s/events?wait=0&traits=t0")
    took = time.monotonic() - start
    stats = json.loads(client.must("GET", "/v1/sessions/x/stats"))
    if stats["watches"] > 1:
        raise OSError(f"{stats['watches']} watches are left")
    return f"one more took {took * 1000:.0f} ms; {stats['watches']} watch left"


def read_answer(stream, client):
    """Reads one answer of known length."""
    status = int(stream.readline().split()[1])
    length = 0
    while (line := stream.readline()) not in (b"\r\n", b""):
        if line.lower().startswith(b"content-length:"):
            length = int(line[15:])
    body = stream.read(length)
    with client.lock:
        client.statuses[status] = client.statuses.get(status, 0) + 1
        client.bytes += length
        if len(body) < length:
            client.cut.append("a pipelined answer")
        if status >= 400:
            client.codes[json.loads(body)["code"]] = True
    return status


def names_nearly_right(client):
    for number in range(1_000):
        client.must("PUT", "/v1/sessions/" + "s%063d" % number, {})
    request = b"GET /v1/sessions/s" + b"9" * 62 + b"x HTTP/1.1\r\nHost: localhost\r\n\r\n"

    def pipeline(_):
        connection = client.connect()
        stream = connection.makefile("rb")
        for _ in range(4):
            connection.sendall(request * 128)
            for _ in range(128):
                read_answer(stream, client)
    client.together(4, pipeline)


def deep_moves_in_one_transaction(client):
    client.session()
    client.operate([node("n0"), node("z")]
                   + [node(f"n{number}", f"n{number - 1}") for number in range(1, 9_980)])
    client.operate([{"op": "updateNode", "node": "n1", "parent": ["z", "n0"][number % 2]}
                    for number in range(20_000)], expect=(200, 413, 507))


def packed_nothing(client):
    body = gzip.compress(b'{"a":' + b" " * 16_000_000 + b"1}")
    client.together(16, lambda _: client.ask(
        "POST", "/v1/collections", raw=body, headers={"Content-Encoding": "gzip"}), times=3)
    return f"{len(body) >> 10} KiB each"


def lists_of_one(client):
    for number in range(3_000):
        client.must("PUT", f"/v1/sessions/s{number}", {})
    connection = client.connect()
    stream = connection.makefile("rb")
    connection.sendall(b"GET /v1/sessions?pageSize=1 HTTP/1.1\r\nHost: localhost\r\n\r\n" * 128)
    for _ in range(128):
        read_answer(stream, client)


def resumes_of_a_full_window(client):
    client.texts(1)
    client.operate([node("s")])
    begin = json.loads(client.must("GET", "/v1/sessions/x/events?from=start&wait=0&limit=1"))
    for number in range(1_000):
        client.must("PUT", "/v1/sessions/x/nodes/s/overrides/t0", {"value": f"{number}{LONG}"})
    history = json.loads(client.must("GET", "/v1/sessions/x/events?from=start&wait=0&limit=1"))
    token = history["records"][0]["token"] if history["records"] else begin["token"]
    request = (f"GET /v1/sessions/x/events?from={token}&operations=true HTTP/1.1\r\n"
               "Host: localhost\r\n\r\n").encode()
    for _ in range(1_000):
        client.connect(4_096).sendall(request)
    time.sleep(8)
    return "1,000 streams that read nothing"


def unfinished_bodies(client):
    body = b"PUT /v1/sessions/x HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" \
        b"Content-Length: 16000000\r\n\r\n"
    connections = [client.connect() for _ in range(39)]

    def send(number):
        try:
            connections[number].sendall(body + b" " * 15_900_000)
        except OSError:
            pass  # Refused; its answer is read below.
    client.together(39, send)
    passed = [client.ask("PUT", f"/v1/sessions/y{number}", {"nodes": []})[0]
              for number in range(20)]
    return f"{passed.count(201)} of 20 other uploads passed"


# What a search route by route has found.

def streams_alone_with_one_long_value(client):
    """Every stream has a filter of its own, so each feed had a copy of the encoded record."""
    client.texts(12)
    client.operate([node("s")])
    for number in range(1, 3_000):
        traits = ",".join(["t0"] + [f"t{bit}" for bit in range(1, 12) if number >> (bit - 1) & 1]
                          + ["displayScale"] * (number >> 11 & 1))
        client.connect().sendall((
            f"GET /v1/sessions/x/nodes/s/events?traits={traits} HTTP/1.1\r\nHost: localhost\r\n\r\n"
        ).encode())
    for number in range(20):
        client.ask("PUT", "/v1/sessions/x/nodes/s/overrides/t0", {"value": f"{number}{LONG}"})
        time.sleep(0.2)
    return "3,000 streams"


def nodes_of_many_long_values(client):
    """16 MB in an answer to 60 bytes: GET of a node, of its overrides, of its traits."""
    client.texts(1_000)
    client.operate([node("s")])
    client.fill("s", 1_000)
    for rest in ("", "/overrides", "/traits", "/traits?explain=true"):
        client.together(8, lambda _, rest=rest: client.ask(
            "GET", f"/v1/sessions/x/nodes/s{rest}", headers={"Accept-Encoding": "identity"}),
            times=2)


def clients_that_read_nothing_of_it(client):
    """The same, from clients that leave it in the server."""
    client.texts(500)
    client.operate([node("s")])
    client.fill("s", 500)
    for number in range(200):
        client.connect(4_096).sendall(
            b"GET /v1/sessions/x/nodes/s%s HTTP/1.1\r\nHost: localhost\r\n\r\n"
            % (b"", b"/overrides", b"/traits", b"/traits?explain=true")[number % 4])
    time.sleep(3)
    return "200 clients that read nothing"


def pages_of_long_nodes(client):
    """A page of 1,000 nodes may be 16 MB, or the whole session."""
    client.texts(4)
    client.operate([node(f"n{number}") for number in range(1_000)])
    for start in range(0, 1_000, 50):
        client.operate([{"op": "setOverride", "node": f"n{number}", "trait": f"t{trait}",
                         "value": f"{number}-{trait}{LONG}"}
                        for number in range(start, start + 50) for trait in range(4)],
                       expect=(200, 507))
    client.together(16, lambda _: client.ask(
        "GET", "/v1/sessions/x/nodes?pageSize=1000", headers={"Accept-Encoding": "identity"}))


def histories_in_full(client):
    """A page of the history has up to 1,000 commits with their operations."""
    client.texts(1)
    client.operate([node("s")])
    for number in range(1_000):
        client.must("PUT", "/v1/sessions/x/nodes/s/overrides/t0", {"value": f"{number}{LONG}"})
    for accept in ("identity", "gzip"):
        client.together(32, lambda _, accept=accept: client.ask(
            "GET", "/v1/sessions/x/history?operations=true&pageSize=1000",
            headers={"Accept-Encoding": accept}))


def bodies_of_many_small_values(client):
    """Each value of a JSON text takes 16 bytes where it is read; the shortest has two."""
    body = b'{"a":[' + b"1," * 8_000_000 + b"1]}"
    packed = gzip.compress(body)
    client.session()
    targets = ["/v1/collections", "/v1/sessions/x/resolve", "/v1/sessions/x/transactions",
               "/v1/sessions"]
    client.together(12, lambda number: client.ask(
        "POST", targets[number % 4], raw=packed, headers={"Content-Encoding": "gzip"}), times=2)
    return f"{len(packed) >> 10} KiB each"


def sessions_with_nothing_in_them(client):
    """There may be 10,000 empty sessions."""
    def create(part):
        connection = client.connect()
        stream = connection.makefile("rb")
        for start in range(0, 2_500, 50):
            connection.sendall(b"".join(
                b"PUT /v1/sessions/e%d-%d HTTP/1.1\r\nHost: localhost\r\n\r\n" % (part, number)
                for number in range(start, start + 50)))
            for _ in range(50):
                read_answer(stream, client)
    client.together(4, create)


def transactions_that_come_to_nothing(client):
    """The last of 100,000 operations is refused; what the others took stays with the session."""
    operations = [node(f"n{number}") for number in range(60_000)] + [node("n0")]
    body = json.dumps({"operations": operations}).encode()

    def attempt(number):
        client.session(f"r{number}")
        for _ in range(3):
            client.ask("POST", f"/v1/sessions/r{number}/transactions", raw=body)
    client.together(6, attempt)


def registrations_deep_below(client):
    """A registration at the end of a chain makes every level above one that is watched."""
    def make(number):
        name = f"d{number}"
        client.session(name)
        client.operate([node("n0")] + [node(f"n{level}", f"n{level - 1}")
                                       for level in range(1, 9_900)], name, (200, 507))
        client.operate([{"op": "register", "registration": f"r{level}", "node": f"n{level}",
                         "traits": ["all"] if level % 2 else ["displayScale"]}
                        for level in range(9_899, 0, -1)], name, (200, 422, 507))
    client.together(4, make, times=1)


def definitions_of_many_cases(client):
    """A list of definitions is as long as all of them."""
    cases = {f"case{number:05d}" + "c" * 60: number for number in range(100)}
    for number in range(500):
        client.ask("PUT", "/v1/sessions/x", {}) if number == 0 else None
        client.ask("PUT", f"/v1/sessions/x/traits/e{number}",
                   {"type": "enum", "default": f"case00000{'c' * 60}", "cases": cases})
    client.together(32, lambda _: client.ask("GET", "/v1/sessions/x/traits"), times=2)


def values_that_fill_it(client):
    """Writing until nothing more is taken; reading and deleting go on."""
    client.texts(1)
    refused = 0
    for number in range(40_000):
        status, _ = client.ask("PUT", f"/v1/sessions/x/nodes/n{number}",
                               {"kind": "environment", "overrides": {"t0": f"{number}{LONG}"}})
        refused += status == 507
        if refused > 200:
            break
    if refused < 200:
        raise OSError("nothing was refused")
    client.must("GET", "/v1/sessions/x/nodes/n1/traits/t0")
    client.must("DELETE", "/v1/sessions/x/nodes/n1")
    return f"{number} writes until 200 were refused"


ALL = [
    one_node_ten_thousand_times, explained_with_what_is_absent, move_that_many_hear,
    moves_that_one_hears, updates_in_one_transaction, packed_sessions, packed_answers,
    polls_with_ever_other_filters, names_nearly_right, deep_moves_in_one_transaction,
    packed_nothing, lists_of_one, resumes_of_a_full_window, unfinished_bodies,
    streams_alone_with_one_long_value, nodes_of_many_long_values,
    clients_that_read_nothing_of_it, pages_of_long_nodes, histories_in_full,
    bodies_of_many_small_values, sessions_with_nothing_in_them,
    transactions_that_come_to_nothing, registrations_deep_below, definitions_of_many_cases,
    values_that_fill_it,
]
for row in ALL:
    row.options = ()
