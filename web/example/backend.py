#!/usr/bin/env python3
"""The example's back end: holds the app's key, serves the pages, and mints their tokens. Python's standard library only."""

import argparse
import http.client
import http.server
import json
import pathlib
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
CHILD, GUARDIAN = "example-child", "example-guardian"
# Who is signed in may do this, for ten minutes; pages ask for a new token before it ends.
TOKENS = {
    "child": {"person": CHILD, "actions": [
        "question.read", "question.create", "question.cancel", "access.read", "events.read"]},
    "guardian": {"guardian": GUARDIAN, "actions": ["question.read", "question.answer", "events.read"]},
}
FILES = {
    "/child": (HERE / "child.html", "text/html"),
    "/guardian": (HERE / "guardian.html", "text/html"),
    "/example.js": (HERE / "example.js", "text/javascript"),
    "/example.css": (HERE / "example.css", "text/css"),
    "/assent.js": (HERE.parent / "assent.js", "text/javascript"),
}


class Assent:
    """The server, as this back end may use it."""

    def __init__(self, url: str, key: str):
        self.url, self.key = url.rstrip("/"), key

    def call(self, method: str, path: str, body: dict) -> tuple[int, dict]:
        place = urllib.parse.urlsplit(self.url)
        kind = http.client.HTTPSConnection if place.scheme == "https" else http.client.HTTPConnection
        connection = kind(place.netloc, timeout=10)
        try:
            headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
            connection.request(method, place.path + path, json.dumps(body), headers)
            reply = connection.getresponse()
            return reply.status, json.loads(reply.read() or b"null")
        finally:
            connection.close()


class Handler(http.server.BaseHTTPRequestHandler):
    assent: Assent
    lifetime: int

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path
        if path == "/settings.json":
            return self.reply(200, {"assent": self.assent.url, "child": CHILD, "guardian": GUARDIAN})
        if path not in FILES:
            return self.reply(404, {"error": "there is nothing here"})
        file, kind = FILES[path]
        self.send(200, file.read_bytes(), f"{kind}; charset=utf-8")

    def do_POST(self):
        """`/tokens/child` or `/tokens/guardian`: an app of yours takes the role from whoever is signed in, never from the address."""
        role = self.path.removeprefix("/tokens/")
        if role not in TOKENS:
            return self.reply(404, {"error": "there is no such role"})
        try:
            status, token = self.assent.call(
                "POST", "/v1/tokens", TOKENS[role] | {"expiresInSeconds": self.lifetime})
        except (OSError, http.client.HTTPException, ValueError):
            return self.reply(502, {"error": "Assent does not answer"})
        self.reply(200 if status == 201 else 502, token if status == 201 else {"error": token.get("title", "refused")})

    def reply(self, status: int, body: dict):
        self.send(status, json.dumps(body).encode(), "application/json")

    def send(self, status: int, body: bytes, kind: str):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Nothing: what is asked for here is nobody's business."""


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--assent", default="http://localhost:8080", help="where Assent is (%(default)s)")
    options.add_argument("--key-file", default=".assent/demo.key", help="holds the app's service key (%(default)s)")
    options.add_argument("--port", type=int, default=8081, help="where the pages are served (%(default)s)")
    options.add_argument("--token-seconds", type=int, default=600, help="how long a page's token lives (%(default)s)")
    given = options.parse_args()
    assent = Assent(given.assent, pathlib.Path(given.key_file).read_text().strip())
    # The two people, and that one answers for the other.
    for path in (f"/v1/persons/{CHILD}", f"/v1/persons/{CHILD}/guardians/{GUARDIAN}"):
        status, reply = assent.call("PUT", path, {})
        if status not in (200, 201):
            raise SystemExit(f"Assent refuses: {reply.get('detail') or reply.get('title')}")
    Handler.assent, Handler.lifetime = assent, given.token_seconds
    with http.server.ThreadingHTTPServer(("127.0.0.1", given.port), Handler) as server:
        base = f"http://localhost:{server.server_port}"
        print(f"The child asks at {base}/child and the guardian answers at {base}/guardian. Ctrl-C stops.", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
