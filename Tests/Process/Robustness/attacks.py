"""Hostile and broken clients. Each attack is begun, takes its turns until it is ended, and then returns what it
did."""

import select
import socket
import struct
import time

LINGER_NONE = struct.pack("ii", 1, 0)
# Linux: a socket in repair mode is closed without a word to its peer.
TCP_REPAIR = 19


def connect(port, receive_bytes=None):
    client = socket.socket()
    if receive_bytes:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    client.connect(("127.0.0.1", port))
    client.setblocking(False)
    return client


def try_send(client, data):
    """The bytes sent; None when the connection is over."""
    try:
        return client.send(data)
    except BlockingIOError:
        return 0
    except OSError:
        return None


def received(client):
    """What came, b"" at the end of the connection, None when there is nothing now."""
    try:
        return client.recv(65536)
    except BlockingIOError:
        return None
    except OSError:
        return b""


class Attack:
    """`options` are the server's, so that its patience ends within the run."""

    options = ()

    def __init__(self, server, scale):
        self.server, self.port = server, server.port
        self.clients = []
        self.begin(scale)

    def begin(self, scale):
        raise NotImplementedError

    def turn(self):
        """A little work; called again and again."""
        time.sleep(0.01)

    def end(self):
        for client in self.clients:
            client.close()
        self.clients = []

    def summary(self):
        return ""


class Slowloris(Attack):
    """Connections that send their heads byte by byte, and come back when they are refused."""

    options = ("--limit", "header-timeout-seconds=2")

    def begin(self, scale):
        self.count = int(1000 * scale)
        self.refused = 0
        self.clients = [self.opened() for _ in range(self.count)]

    def opened(self):
        client = connect(self.port)
        try_send(client, b"GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        return client

    def turn(self):
        for index, client in enumerate(self.clients):
            answer = received(client)
            if answer is None and try_send(client, b"x") is not None:
                continue
            self.refused += 1 if answer and answer.startswith(b"HTTP/1.1 408 ") else 0
            client.close()
            self.clients[index] = self.opened()
        time.sleep(0.2)

    def summary(self):
        return f"{self.count} connections, {self.refused} answered 408"


class ConnectStorm(Attack):
    """5,000 connections a second that end at once: in order, with a reset, or after half a line."""

    def begin(self, scale):
        self.count, self.start = 0, time.monotonic()
        self.rate = 5000
        self.seconds = 0

    def turn(self):
        due = int((time.monotonic() - self.start) * self.rate)
        for _ in range(min(500, max(0, due - self.count))):
            # Addresses of its own for each few thousand: ports are used again only after a while.
            client = socket.socket()
            client.bind((f"127.0.0.{2 + self.count // 4000 % 200}", 0))
            client.connect(("127.0.0.1", self.port))
            if self.count % 3 == 1:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NONE)
            elif self.count % 3 == 2:
                client.send(b"GET /li")
            client.close()
            self.count += 1
        self.seconds = time.monotonic() - self.start
        time.sleep(0.002)

    def summary(self):
        return f"{self.count} connections, {self.count / max(self.seconds, 0.1):.0f} a second"


class NeverReading(Attack):
    """Pipelined requests for a long document from clients that read nothing."""

    options = ("--limit", "write-stall-timeout-seconds=2", "--limit", "unsent-bytes-max=67108864")

    def begin(self, scale):
        self.count = int(200 * scale)
        self.over = 0
        self.sent = 0
        request = b"GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n"
        self.requests = request * 100
        self.clients = [connect(self.port, 4096) for _ in range(self.count)]

    def turn(self):
        poller = select.poll()
        for client in self.clients:
            poller.register(client, select.POLLOUT | select.POLLHUP | select.POLLERR)
        ready = dict(poller.poll(10))
        for index, client in enumerate(self.clients):
            if client.fileno() not in ready:
                continue
            sent = try_send(client, self.requests)
            if sent is None:
                self.over += 1
                client.close()
                self.clients[index] = connect(self.port, 4096)
            else:
                self.sent += sent
        time.sleep(0.02)

    def summary(self):
        return (f"{self.count} connections, {self.sent // len(self.requests) * 100} requests"
                f" sent, {self.over} connections ended by the server")


class HalfOpen(Attack):
    """Peers that are half gone: their sending side closed in the middle of a request, behind one, or
    beneath a stream; and peers that vanish without a word, where the system lets us."""

    options = ("--limit", "header-timeout-seconds=2", "--limit", "idle-timeout-seconds=2",
               "--limit", "write-stall-timeout-seconds=2")

    def begin(self, scale):
        self.count = int(800 * scale)
        self.vanished = 0
        status, _ = self.server.ask("/v1/sessions/half", "PUT", b"{}")
        if status not in (200, 201):
            raise OSError(f"no session to stream: {status}")
        self.clients = [self.opened(number) for number in range(self.count)]

    def opened(self, number):
        client = connect(self.port)
        kind = number % 6
        if kind == 0:
            try_send(client, b"GET /livez HTTP/1.1\r\nHo")
            client.shutdown(socket.SHUT_WR)
        elif kind == 1:
            try_send(client, b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
            client.shutdown(socket.SHUT_WR)
        elif kind == 2:
            try_send(client, b"PUT /v1/sessions/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
            client.shutdown(socket.SHUT_WR)
        elif kind == 3:
            try_send(client, b"GET /v1/sessions/half/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            client.shutdown(socket.SHUT_WR)
        elif kind == 4:
            try_send(client, b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.vanish(client)
        return client

    def vanish(self, client):
        try:
            client.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, 1)
            self.vanished += 1
        except PermissionError:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NONE)
        client.close()

    def summary(self):
        return f"{self.count} peers, {self.vanished} of them gone without a word"


class Exhaustion(Attack):
    """More connections than the process has descriptors for: its limit falls below what it admits."""

    def begin(self, scale):
        limit = self.server.descriptors() + 60
        self.server.limit_descriptors(limit)
        self.count = int(400 * scale)
        self.shed = 0
        self.clients = [connect(self.port) for _ in range(self.count)]

    def turn(self):
        self.shed += self.drop_closed()
        # Whoever is sent away comes again.
        while len(self.clients) < self.count:
            self.clients.append(connect(self.port))
        time.sleep(0.02)

    def drop_closed(self):
        over = [client for client in self.clients if received(client) == b""]
        for client in over:
            self.clients.remove(client)
            client.close()
        return len(over)

    def summary(self):
        return f"{self.count} connections for 60 descriptors, {self.shed} shed"


ALL = [Slowloris, ConnectStorm, NeverReading, HalfOpen, Exhaustion]
