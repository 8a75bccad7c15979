"""A plain HTTP client that hides nothing: one kept-alive connection, no retries, no redirects."""

import dataclasses
import http.client
import json
import socket
import ssl

# What a request that was not answered ends in.
UNANSWERED = (OSError, http.client.HTTPException)


@dataclasses.dataclass
class Reply:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def slug(self) -> str | None:
        """What a problem's type ends in; nothing for other answers."""
        if self.headers.get_content_type() != "application/problem+json":
            return None
        return self.json["type"].rsplit("/problems/", 1)[1]

    def __str__(self) -> str:
        return f"{self.status} {self.body[:2000].decode(errors='replace')}"


class Client:
    """One connection to one server, opened when first needed and after every failure."""

    def __init__(self, port: int, key: str | None = None, *, timeout: float = 20, tls: ssl.SSLContext | None = None):
        self.port, self.key, self.timeout, self.tls = port, key, timeout, tls
        self.connection: http.client.HTTPConnection | None = None

    def connect(self):
        if self.connection is None:
            if self.tls:
                self.connection = http.client.HTTPSConnection(
                    "127.0.0.1", self.port, timeout=self.timeout, context=self.tls)
            else:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.timeout)
            self.connection.connect()
            self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self

    def close(self):
        if self.connection:
            self.connection.close()
            self.connection = None

    def request(self, method: str, path: str, body=None, **headers: str) -> Reply:
        """Headers by keyword: `idempotency_key=` becomes Idempotency-Key. A body that is no bytes is sent as JSON."""
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.key and "Authorization" not in fields:
            fields["Authorization"] = f"Bearer {self.key}"
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body, ensure_ascii=False).encode()
            fields.setdefault("Content-Type", "application/json")
        self.connect()
        try:
            self.connection.request(method, path, body=body, headers=fields)
            response = self.connection.getresponse()
            reply = Reply(response.status, response.msg, response.read())
        except BaseException:
            self.close()
            raise
        if response.will_close:
            self.close()
        return reply

    def get(self, path, **headers) -> Reply:
        return self.request("GET", path, **headers)

    def put(self, path, body=None, **headers) -> Reply:
        return self.request("PUT", path, body, **headers)

    def post(self, path, body=None, **headers) -> Reply:
        return self.request("POST", path, body, **headers)

    def delete(self, path, **headers) -> Reply:
        return self.request("DELETE", path, **headers)

    def ok(self, method, path, body=None, **headers):
        """The decoded body of an answer that must be a success."""
        reply = self.request(method, path, body, **headers)
        assert 200 <= reply.status < 300, f"{method} {path}: {reply}"
        return reply.json if reply.body else None

    def rows(self, path: str) -> list[dict]:
        """A whole list, page by page."""
        rows, cursor = [], ""
        while cursor is not None:
            page = self.ok("GET", f"{path}?limit=100" + (f"&cursor={cursor}" if cursor else ""))
            rows += page["data"]
            cursor = page["nextCursor"]
        return rows

    def events(self, path: str = "/v1/events") -> list[dict]:
        """A whole event log, page by page."""
        events, after = [], None
        while True:
            query = f"?limit=100&after={after}" if after else "?limit=100"
            page = self.ok("GET", path + query)
            if not page["data"]:
                return events
            events += page["data"]
            after = page["nextCursor"]
