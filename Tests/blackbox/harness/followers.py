"""Readers of an app's log who come and go: by streams and page by page, from the last id they saw."""

import http.client
import json
import random
import socket
import struct
import threading
import time

from .client import UNANSWERED


class Follower:
    """Reads on one of some servers after another, from where it stands, and leaves at random."""

    def __init__(self, app, servers, cursor: str, name: str, *, calm: bool = False):
        self.app, self.servers, self.name, self.calm = app, servers, name, calm
        self.begin = self.cursor = cursor
        self.events: list[dict] = []
        self.resets = self.visits = self.failures = 0
        self.until: str | None = None
        self.over = threading.Event()
        self.wrong: BaseException | None = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    @property
    def ids(self) -> list[str]:
        return [event["id"] for event in self.events]

    @property
    def is_done(self) -> bool:
        return self.until is not None and any(event["id"] == self.until for event in self.events[-200:])

    def _run(self):
        try:
            while not self.over.is_set() and not self.is_done:
                self.visits += 1
                try:
                    self.visit(random.choice(self.servers))
                except UNANSWERED:
                    self.failures += 1
                    time.sleep(0.05)
        except BaseException as wrong:
            self.wrong = wrong
        self.over.set()

    def visit(self, server):
        raise NotImplementedError


class StreamFollower(Follower):
    """As a browser's EventSource does, but that it goes away in the middle of what comes, politely or with a reset."""

    def visit(self, server):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
        count = 1 << 30 if self.calm else random.randint(1, 80)
        try:
            connection.request("GET", "/v1/events", headers={
                "Authorization": f"Bearer {self.app.key}", "Accept": "text/event-stream", "Last-Event-ID": self.cursor})
            answer = connection.getresponse()
            if answer.status != 200:
                raise OSError(answer.status)
            event = {}
            # Silence for five seconds breaks off too: heartbeats come less often.
            while count > 0 and not self.is_done and (line := answer.readline()):
                text = line.decode().rstrip("\n")
                if text:
                    name, _, value = text.partition(": ")
                    event[name] = value
                    continue
                if "data" in event:
                    count -= 1
                    self.take(event)
                event = {}
        finally:
            if random.random() < 0.5 and connection.sock:
                connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()

    def take(self, event: dict):
        self.cursor = event["id"]
        if event["event"] == "reset":
            self.resets += 1
            return
        told = json.loads(event["data"])
        assert told["id"] == event["id"] and told["type"] == event["event"]
        self.events.append(told)


class PageFollower(Follower):
    """Page by page, of any size, waiting for what comes; now and then it forgets an answer and asks again."""

    def visit(self, server):
        client = server.client(self.app.key, timeout=10)
        try:
            for _ in range(1 << 30 if self.calm else random.randint(1, 6)):
                reply = client.get(f"/v1/events?after={self.cursor}&limit={random.randint(1, 100)}", Prefer="wait=3")
                if reply.status == 503:
                    raise OSError(503)
                assert reply.status == 200, reply
                if random.random() < 0.1:
                    continue
                self.events += reply.json["data"]
                self.cursor = reply.json["nextCursor"]
                if self.is_done:
                    return
        finally:
            client.close()
