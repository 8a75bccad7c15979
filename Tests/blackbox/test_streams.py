"""The log followed from outside: streams, requests that wait, and that nothing is lost or told twice on the way."""

import contextlib
import http.client
import json
import os
import random
import shutil
import socket
import threading
import time

import psycopg
import pytest

from harness import places, server as processes
from harness.client import UNANSWERED
from harness.cluster import Cluster
from harness.fixtures import admin_key, Deployment
from harness.followers import PageFollower, StreamFollower
from harness.server import Server

# How long writers write; ASSENT_FEED_SECONDS=300 is the full measure.
SECONDS = int(os.environ.get("ASSENT_FEED_SECONDS", "8"))


@pytest.fixture
def shaken():
    """A cluster that a test may kill, with two servers on it, and a third that hears of nothing and looks."""
    cluster = Cluster("max_connections=100").start()
    url = cluster.database()
    assert processes.run("migrate", database=url).returncode == 0
    path = places.folder("s")
    flags = [[], [], ["--event-wake-ups", "poll", "--event-polling", "200ms"]]
    servers = [Server(path, *more, database=url, name=f"server-{n}").start() for n, more in enumerate(flags)]
    yield cluster, Deployment(url, servers, admin_key(url))
    codes = [server.stop() for server in servers]
    cluster.remove()
    shutil.rmtree(path, ignore_errors=True)
    assert codes == [0, 0, 0]


class Writers:
    """Sixteen of them on two servers: each registers persons, asks and answers, and repeats itself until it is told that it is
    done."""

    def __init__(self, app):
        self.app, self.steps, self.over = app, 0, threading.Event()
        self.wrong: BaseException | None = None
        self.threads = [threading.Thread(target=self._write, args=(number,)) for number in range(16)]
        for thread in self.threads:
            thread.start()

    def _write(self, number: int):
        try:
            turn = 0
            while not self.over.is_set():
                turn += 1
                person, topic = f"w{number}-{turn}", {"kind": "purchase", "product": "x"}
                self._insist(number, "PUT", f"/v1/persons/{person}", {})
                asked = self._insist(
                    number, "POST", "/v1/questions", {"person": person, "topic": topic, "description": "d"}, key=f"q-{person}")
                self._insist(number, "POST", f"/v1/questions/{asked['id']}/answers",
                             {"guardian": "g", "answer": random.choice(["approval", "denial"])}, key=f"a-{person}")
        except BaseException as wrong:
            self.wrong = wrong

    def _insist(self, number: int, method: str, path: str, body: dict, key: str | None = None) -> dict:
        limit = time.monotonic() + 60
        while time.monotonic() < limit:
            client = self.app.client(number % 2)
            try:
                reply = client.request(method, path, body, **({"Idempotency_Key": key} if key else {}))
            except UNANSWERED:
                time.sleep(0.05)
                continue
            finally:
                client.close()
            if reply.status < 300:
                self.steps += 1
                return reply.json
            assert reply.status == 503, reply
            time.sleep(0.05)
        raise AssertionError(f"{method} {path} was never taken")

    def end(self):
        self.over.set()
        for thread in self.threads:
            thread.join(90)
        if self.wrong:
            raise self.wrong


def end_listeners(cluster) -> int:
    """Ends the sessions that listen, and theirs alone; how many there were."""
    with cluster.connect() as connection:
        return connection.execute(
            "select count(pg_terminate_backend(pid)) from pg_stat_activity where query like '%pg_notify(%' "
            "and pid <> pg_backend_pid()").fetchone()[0]


@pytest.mark.timeout(150 + 3 * SECONDS)
def test_every_reader_ends_with_the_same_list(shaken):
    cluster, deployment = shaken
    app, servers = deployment.app(), deployment.servers
    client = app.client()
    begin = client.ok("GET", "/v1/events?limit=100")["nextCursor"]
    start = int(begin.rsplit("_", 1)[1])
    readers = [
        StreamFollower(app, servers[:2], begin, "streams"),
        StreamFollower(app, servers[:1], begin, "one stream", calm=True),
        StreamFollower(app, servers[2:], begin, "streams of one that looks"),
        PageFollower(app, servers, begin, "pages"),
    ]
    writers = Writers(app)
    part = SECONDS / 4
    time.sleep(part)
    assert end_listeners(cluster) == 2
    time.sleep(part)
    cluster.kill()
    time.sleep(random.choice([0, 0.3]))
    cluster.start()
    # Both listen again, and are lost again.
    limit = time.monotonic() + 30
    while any("assent_listener_listening 1\n" not in server.client().get("/metrics").body.decode() for server in servers[:2]):
        assert time.monotonic() < limit, "nobody listens again"
        time.sleep(0.05)
    time.sleep(part)
    end_listeners(cluster)
    time.sleep(part)
    writers.end()
    # The first one has been idle for as long as the server may close it.
    client = app.client()
    client.ok("PUT", "/v1/persons/last", {})
    with psycopg.connect(deployment.database) as database:
        log = database.execute(
            "select feed_id || '_' || seq, type from event join app on app.id = event.app_id "
            "where app_id = %s and seq > %s order by seq", [app.id, start]).fetchall()
        assert [int(id.rsplit("_", 1)[1]) for id, _ in log] == list(range(start + 1, start + 1 + len(log)))
    wanted = [id for id, _ in log]
    for reader in readers:
        reader.until = wanted[-1]
    # Readers that had it already hear of one more, and end.
    client.ok("PUT", "/v1/persons/after", {})
    for reader in readers:
        assert reader.over.wait(60), f"{reader.name} has {len(reader.events)} of {len(wanted)}"
        assert reader.wrong is None, reader.wrong
        assert reader.resets == 0, reader.name
        assert reader.ids[:len(wanted)] == wanted, f"{reader.name}: a gap, a repeat, or the wrong order"
        assert [event["type"] for event in reader.events[:len(wanted)]] == [type for _, type in log], reader.name
    assert len(wanted) > 16 * 3
    print(f"{len(wanted)} events; " + ", ".join(f"{r.name}: {r.visits} visits, {r.failures} failed" for r in readers))


def after(log: list[str], id: str) -> list[str]:
    return log[log.index(id) + 1:] if id in log else log


def test_a_reader_who_does_not_keep_up_is_cut_and_comes_back(deploy):
    deployment = deploy(1, "--stream-buffer", "65536")
    app = deployment.app()
    client, page = app.client(), deployment.server.client()
    begin = client.ok("GET", "/v1/events?limit=100")["nextCursor"]
    quick = StreamFollower(app, deployment.servers, begin, "quick", calm=True)
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.connect(("127.0.0.1", deployment.server.port))
    slow.sendall((f"GET /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {app.key}\r\n"
                  f"Accept: text/event-stream\r\nLast-Event-ID: {begin}\r\n\r\n").encode())
    while "assent_streams 2\n" not in page.get("/metrics").body.decode():
        time.sleep(0.02)

    def write(number):
        mine, turn = app.client(), 0
        while not over.is_set():
            turn += 1
            mine.ok("POST", "/v1/questions", {
                "person": f"p{number}-{turn}", "topic": {"kind": "purchase", "product": "x"}, "description": "d" * 1000})

    over = threading.Event()
    writers = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for writer in writers:
        writer.start()
    limit = time.monotonic() + 60
    while "assent_streams_cut_total 1\n" not in (text := page.get("/metrics").body.decode()):
        assert time.monotonic() < limit, "nobody was cut"
        time.sleep(0.05)
    over.set()
    for writer in writers:
        writer.join(30)
    assert "assent_streams 1\n" in text
    # What had been sent is all it gets, and it has no end: whoever reads it knows that something is missing.
    slow.settimeout(20)
    got = bytearray()
    with contextlib.suppress(OSError):
        while piece := slow.recv(1 << 16):
            got += piece
    slow.close()
    assert not got.endswith(b"0\r\n\r\n")
    # The last but one, since the last may be torn.
    whole = [line[4:].decode().strip() for line in got.split(b"\n") if line.startswith(b"id: ")][:-1]
    log = [event["id"] for event in client.events()]
    assert whole == after(log, begin)[:len(whole)]
    again = StreamFollower(app, deployment.servers, whole[-1] if whole else begin, "comes back", calm=True)
    quick.until = again.until = log[-1]
    client.ok("PUT", "/v1/persons/after", {})
    for reader in (quick, again):
        assert reader.over.wait(60) and reader.wrong is None, (reader.name, reader.wrong)
        wanted = after(log, reader.begin)
        assert reader.ids[:len(wanted)] == wanted, reader.name


def test_a_stop_ends_streams_and_waits(deploy):
    deployment = deploy(1)
    app = deployment.app()
    client = app.client()
    client.ok("PUT", "/v1/persons/p", {})
    question = client.ok(
        "POST", "/v1/questions", {"person": "p", "topic": {"kind": "purchase", "product": "x"}, "description": "d"})
    path = f"/v1/questions/{question['id']}"
    tag = client.get(path).headers["ETag"]
    answers = []

    def wait():
        answers.append(app.client(timeout=70).get(path, **{"If-None-Match": tag, "Prefer": "wait=60"}).status)

    waiting = [threading.Thread(target=wait) for _ in range(20)]
    for thread in waiting:
        thread.start()
    stream = http.client.HTTPConnection("127.0.0.1", deployment.server.port, timeout=30)
    stream.request(
        "GET", "/v1/events", headers={"Authorization": f"Bearer {app.key}", "Accept": "text/event-stream"})
    answer = stream.getresponse()
    page = deployment.server.client()
    while "assent_long_polls 20\n" not in (text := page.get("/metrics").body.decode()):
        time.sleep(0.02)
    assert "assent_streams 1\n" in text and "assent_listener_listening 1\n" in text
    began = time.monotonic()
    deployment.server.terminate()
    assert answer.read().startswith(b"retry: 2000\n\n")
    for thread in waiting:
        thread.join(30)
    assert answers == [304] * 20
    assert deployment.server.wait() == 0
    assert time.monotonic() - began < 15


def test_a_ticket_opens_one_stream_wherever_it_is_shown(deployment, app):
    client = app.client()
    client.ok("PUT", "/v1/persons/p", {})
    tickets = []
    for round in range(8):
        made = client.ok("POST", "/v1/stream-tickets", {"filter": {"person": "p"}})
        tickets.append(made["ticket"])
        barrier = threading.Barrier(6)
        opened, refused = [], []

        def come(number):
            connection = http.client.HTTPConnection("127.0.0.1", deployment.servers[number % 2].port, timeout=20)
            barrier.wait(10)
            connection.request(
                "GET", f"/v1/events?ticket={made['ticket']}&after={made['cursor']}",
                headers={"Accept": "text/event-stream"})
            answer = connection.getresponse()
            (opened if answer.status == 200 else refused).append((connection, answer))

        threads = [threading.Thread(target=come, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert len(opened) == 1 and [answer.status for _, answer in refused] == [401] * 5
        client.ok("PUT", "/v1/persons/q", {"region": "US" if round % 2 else "SA"})
        client.ok("PUT", "/v1/persons/p", {"region": "US" if round % 2 else "SA"})
        connection, answer = opened[0]
        lines = [answer.readline().decode().rstrip("\n") for _ in range(5)]
        assert lines[0] == "retry: 2000" and lines[3] == "event: person.updated", lines
        assert json.loads(lines[4].removeprefix("data: "))["person"] == "p"
        for connection, _ in opened + refused:
            connection.close()
    for server in deployment.servers:
        text = server.log_path.read_text(errors="replace")
        assert not any(ticket[-43:] in text for ticket in tickets)
