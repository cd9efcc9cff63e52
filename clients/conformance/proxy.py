"""A proxy that does not pass on what comes in small pieces: it stands between a client and a server.

`passes` says what it passes on at once:
- `events`: answers that are `text/event-stream`, and of others the head; their bodies follow when they are complete;
- `heads`: heads alone;
- `blocks`: heads, and bodies in blocks of 16 KiB;
- `nothing`: each answer comes when it is complete.
"""

import select
import socket
import threading

BLOCK_BYTES = 16 << 10


class Proxy:
    def __init__(self, port, passes):
        self.target, self.passes, self.is_over = port, passes, False
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        self.is_over = True
        try:
            self.listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.listener.close()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        """One request of a connection, so that the end of an answer is the end of the server's connection."""
        try:
            with client, socket.create_connection(("127.0.0.1", self.target)) as server:
                self.request(client, server)
                self.answer(client, server)
        except OSError:
            pass

    @staticmethod
    def request(client, server):
        data, length = b"", None
        while length is None or len(data) < length:
            part = client.recv(65536)
            if not part:
                raise OSError
            data += part
            head, end, _ = data.partition(b"\r\n\r\n")
            if end and length is None:
                fields = [line.lower() for line in head.split(b"\r\n")[1:]]
                body = sum(int(line.split(b":")[1]) for line in fields if line.startswith(b"content-length:"))
                length = len(head) + 4 + body
                kept = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
                data = b"\r\n".join([*kept, b"Connection: close"]) + b"\r\n\r\n" + data[len(head) + 4:]
                length += len(data) - len(data.partition(b"\r\n\r\n")[2]) - len(head) - 4
        server.sendall(data)

    def answer(self, client, server):
        held, has_head, is_passed = b"", False, False
        while not self.is_over:
            ready, _, _ = select.select([client, server], [], [], 0.1)
            if client in ready and not client.recv(65536):
                return
            if server not in ready:
                continue
            try:
                part = server.recv(65536)
            except OSError:
                part = b""
            held += part
            if not part:
                client.sendall(held)
                return
            if not has_head and b"\r\n\r\n" in held and self.passes != "nothing":
                has_head = True
                head, _, held = held.partition(b"\r\n\r\n")
                is_passed = self.passes == "events" and b"content-type: text/event-stream" in head.lower()
                client.sendall(head + b"\r\n\r\n")
            if is_passed or self.passes == "all" or self.passes == "blocks" and has_head and len(held) >= BLOCK_BYTES:
                client.sendall(held)
                held = b""
