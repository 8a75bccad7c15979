"""Bytes on a socket, and what comes back: for requests that no client library would send."""

import dataclasses
import json
import socket


@dataclasses.dataclass
class Answer:
    status: int
    headers: dict[str, list[str]]
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def slug(self) -> str | None:
        if self.headers.get("content-type") != ["application/problem+json"]:
            return None
        return self.json["type"].rsplit("/problems/", 1)[1]


class Wire:
    """One connection."""

    def __init__(self, port: int, timeout: float = 10):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data: bytes):
        self.socket.sendall(data)

    def _more(self) -> bool:
        piece = self.socket.recv(65536)
        self.buffer += piece
        return bool(piece)

    def answer(self, *, to_head: bool = False) -> Answer | None:
        """The next answer, nothing at a clean end; a broken one is an error."""
        while b"\r\n\r\n" not in self.buffer:
            if not self._more():
                assert self.buffer == b"", f"half an answer: {self.buffer!r}"
                return None
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        first, *lines = head.decode("latin-1").split("\r\n")
        version, status, _ = (first + "  ").split(" ", 2)
        assert version in ("HTTP/1.1", "HTTP/1.0"), first
        headers: dict[str, list[str]] = {}
        for line in lines:
            name, value = line.split(":", 1)
            headers.setdefault(name.lower(), []).append(value.strip())
        status = int(status)
        if status == 100 or status in (204, 304) or to_head:
            return Answer(status, headers, b"")
        length = headers.get("content-length")
        if length is None:
            while self._more():
                pass
            body, self.buffer = self.buffer, b""
        else:
            while len(self.buffer) < int(length[0]):
                assert self._more(), "the body ends early"
            body, self.buffer = self.buffer[: int(length[0])], self.buffer[int(length[0]):]
        return Answer(status, headers, body)

    def is_closed(self) -> bool:
        """Waits for the other side to close."""
        while True:
            try:
                if not self._more():
                    return self.buffer == b""
            except TimeoutError:
                return False


def ask(port: int, data: bytes, timeout: float = 10) -> tuple[Answer | None, bool]:
    """One request's answer, and whether the connection was closed after it, with nothing more said."""
    with Wire(port, timeout) as wire:
        wire.send(data)
        answer = wire.answer()
        wire.socket.settimeout(0.3)
        return answer, wire.is_closed()
