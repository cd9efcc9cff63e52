"""HTTP/1.1 as bytes: the head of a request, the parser of an answer, and the lines of a stream. No I/O, and bounds for
all that a server can send."""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

HEAD_BYTES_MAX, CHUNK_LINE_BYTES_MAX, LINE_BYTES_MAX = 64 << 10, 1 << 10, 16 << 20
_STATUS = re.compile(rb"HTTP/1\.[01] ([1-9][0-9][0-9])(?: .*)?")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;.*)?")
_LENGTH = re.compile(r"[0-9]{1,15}")

def head(method: str, target: str, fields: Mapping[str, str]) -> bytes:
    """The head of a request. The fields are checked: no line can end inside one."""
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    if any("\r" in line or "\n" in line or "\0" in line for line in lines):
        raise ValueError("a field of HTTP has no line feeds")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8")

class Answer:
    """One answer, parsed as its bytes come. ValueError when it is none, ConnectionError when it ends too early. What
    follows the body, as trailers, is not read: the connection carries one answer."""
    def __init__(self, method: str) -> None:
        self.status, self.media, self.is_over = 0, "", False
        self._fields: dict[str, str] = {}
        self._rest, self._body, self._has_body = bytearray(), bytearray(), method != "HEAD"
        self._left: int | None = 0  # of the body or the chunk; None until the connection ends
        self._is_chunked, self._head_bytes, self._code = False, 0, 0

    def field(self, name: str) -> str | None:
        return self._fields.get(name)

    def feed(self, data: bytes) -> None:
        """Takes what the connection gave; nothing is its end."""
        if not data:
            if not self.status or self._left is not None:
                raise ConnectionError("the connection ended inside the answer")
            self.is_over = True
        self._rest += data
        while not self.is_over and self._advances():
            pass

    def take(self) -> bytes:
        """The part of the body that has come since."""
        body, self._body = bytes(self._body), bytearray()
        return body

    def _line(self, bytes_max: int) -> bytes | None:
        end = self._rest.find(b"\n")
        if end > bytes_max or end < 0 and len(self._rest) > bytes_max:
            raise ValueError(f"a head of more than {bytes_max} bytes")
        if end < 0:
            return None
        line = bytes(self._rest[:end]).removesuffix(b"\r")
        del self._rest[:end + 1]
        return line

    def _advances(self) -> bool:
        if not self.status:
            return self._reads_head()
        if self._left != 0:
            part = self._rest[:self._left]
            self._body += part
            del self._rest[:len(part)]
            if self._left is not None:
                self._left -= len(part)
                self.is_over = not self._left and not self._is_chunked
            return bool(part)
        line = self._line(CHUNK_LINE_BYTES_MAX)
        if line is None:
            return False
        if line:  # The line after a chunk's data is empty.
            size = _CHUNK.fullmatch(line)
            if not size:
                raise ValueError("a chunk has no size")
            self._left = int(size[1], 16)
            self.is_over = not self._left
        return True

    def _reads_head(self) -> bool:
        line = self._line(HEAD_BYTES_MAX - self._head_bytes)
        if line is None:
            return False
        self._head_bytes += len(line) + 2  # also of answers 1xx, which may come without end
        if self._left == 0 and line:
            found = _STATUS.fullmatch(line)
            if not found:
                raise ValueError("the answer is not HTTP/1.1")
            self._fields, self._left, self._code = {}, -1, int(found[1])
        elif line:
            name, colon, value = line.decode("latin-1").partition(":")
            if not colon or not name or name != name.strip():
                raise ValueError("a field is malformed")
            name, value = name.lower(), value.strip()
            self._fields[name] = f"{self._fields[name]}, {value}" if name in self._fields else value
        elif self._left == -1:
            self._left = 0
            if self._code >= 200:
                self._begin(self._code)
            elif self._code == 101:
                raise ValueError("the server changes the protocol")
        return True

    def _begin(self, status: int) -> None:
        coding, length = self._fields.get("transfer-encoding"), self._fields.get("content-length")
        self.media = self._fields.get("content-type", "").split(";")[0].strip().lower()
        if (coding is not None and (coding.lower() != "chunked" or length is not None)
                or length is not None and not _LENGTH.fullmatch(length)):
            raise ValueError("the length of the answer is not clear")
        self.status, self._is_chunked = status, coding is not None
        if not self._has_body or status in (204, 304):
            self._left, self.is_over = 0, True
        elif length is not None:
            self._left, self.is_over = int(length), int(length) == 0
        elif coding is None:
            self._left = None

class Lines:
    """Complete lines of a body. What comes after the last line feed is no line."""
    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, part: bytes) -> Iterator[bytearray]:
        self._rest += part
        *lines, rest = self._rest.split(b"\n") if b"\n" in part else [self._rest]
        self._rest = rest
        if max(map(len, (rest, *lines))) > LINE_BYTES_MAX:
            raise ValueError(f"a line of more than {LINE_BYTES_MAX} bytes")
        yield from lines

class Events:
    """The data of server-sent events, one text an event. Names, ids and comments are not needed: a record has them."""
    def __init__(self) -> None:
        self._lines, self._data, self._bytes = Lines(), list[bytes](), 0

    def feed(self, part: bytes) -> Iterator[bytes]:
        for raw in self._lines.feed(part):
            line = bytes(raw).removesuffix(b"\r")
            if line.startswith(b"data:"):
                self._data.append(line[5:].removeprefix(b" "))
                self._bytes += len(line)
                if self._bytes > LINE_BYTES_MAX:
                    raise ValueError(f"an event of more than {LINE_BYTES_MAX} bytes")
            elif not line and self._data:
                text = b"\n".join(self._data)
                self._data, self._bytes = [], 0
                yield text
