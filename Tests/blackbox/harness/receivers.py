"""Receivers of webhooks on loopback: one listener, with a manner of answering for each path."""

import dataclasses
import socket
import ssl
import struct
import threading
import time


@dataclasses.dataclass
class Message:
    """A request as it came in."""

    path: str
    headers: dict[str, str]
    body: bytes
    at: float

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]


class Receiver:
    """Counts every connection and keeps every request; a path's manner is a function of the socket."""

    def __init__(self, tls: ssl.SSLContext | None = None):
        self.tls = tls
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.listener.getsockname()[1]
        self.connections = 0
        self.messages: list[Message] = []
        self.manners = {}
        self.over = threading.Event()
        self.lock = threading.Condition()
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, path: str) -> str:
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}{path}"

    def on(self, path: str, manner) -> str:
        """Sets how a path is answered; returns its URL."""
        self.manners[path] = manner
        return self.url(path)

    def at(self, path: str) -> list[Message]:
        with self.lock:
            return [message for message in self.messages if message.path == path]

    def wait(self, path: str, count: int, patience: float = 20) -> list[Message]:
        """At least so many requests for a path."""
        limit = time.monotonic() + patience
        with self.lock:
            while len(found := [message for message in self.messages if message.path == path]) < count:
                left = limit - time.monotonic()
                assert left > 0, f"{len(found)} of {count} at {path} within {patience} s"
                self.lock.wait(left)
        return found

    def close(self):
        self.over.set()
        self.listener.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with self.lock:
                self.connections += 1
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket):
        with connection:
            try:
                if self.tls:
                    connection = self.tls.wrap_socket(connection, server_side=True)
                while (message := self._read(connection)) is not None:
                    with self.lock:
                        self.messages.append(message)
                        self.lock.notify_all()
                    if not self.manners.get(message.path, status(200))(self, connection):
                        return
            except OSError:
                pass

    @staticmethod
    def _read(connection: socket.socket) -> Message | None:
        data = b""
        while b"\r\n\r\n" not in data:
            more = connection.recv(65536)
            if not more:
                return None
            data += more
        head, _, body = data.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        while len(body) < int(headers.get("content-length", 0)):
            body += connection.recv(65536)
        return Message(lines[0].split(" ")[1], headers, body, time.time())


def status(code: int, **headers: str):
    """Answers at once and keeps the connection."""
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())

    def manner(receiver, connection):
        connection.sendall(f"HTTP/1.1 {code} X\r\n{lines}Content-Length: 0\r\n\r\n".encode())
        return True

    return manner


def hang(receiver, connection):
    """Says nothing until the test is over."""
    receiver.over.wait()


def drip(receiver, connection):
    """A head that never ends, a byte at a time."""
    for byte in "HTTP/1.1 200 OK\r\nX-Slow: " + "x" * 10_000:
        connection.sendall(byte.encode())
        if receiver.over.wait(0.1):
            return


def endless(receiver, connection):
    """A head, and a body that never ends."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while not receiver.over.is_set():
        connection.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")


def reset(receiver, connection):
    """Ends the connection with a reset."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
