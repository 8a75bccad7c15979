"""The log followed from outside: streams, requests that wait, and that nothing is lost or told twice on the way."""

import http.client
import json
import random
import threading
import time

import pytest

from harness.cluster import Cluster
from harness.fixtures import admin_key, Deployment
from harness import server as processes
from harness.server import Server


class Reader:
    """One stream after another over one log, as a browser's EventSource reads it: from the last id it saw."""

    def __init__(self, app, cursor: str, *, calm: bool = False):
        self.app, self.cursor, self.calm = app, cursor, calm
        self.ids: list[str] = []
        self.resets = 0
        self.failures = 0
        self.until: str | None = None
        self.over = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while not self.over.is_set():
            server = random.choice(self.app.deployment.servers)
            try:
                self._read(server, 10_000 if self.calm else random.randint(1, 60))
            except (OSError, http.client.HTTPException):
                self.failures += 1
                time.sleep(0.05)

    def _read(self, server, count: int):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        headers = {
            "Authorization": f"Bearer {self.app.key}", "Accept": "text/event-stream", "Last-Event-ID": self.cursor}
        connection.request("GET", "/v1/events", headers=headers)
        answer = connection.getresponse()
        if answer.status != 200:
            raise OSError(answer.status)
        event = {}
        try:
            while count > 0 and (line := answer.readline()):
                text = line.decode().rstrip("\n")
                if text:
                    name, _, value = text.partition(": ")
                    event[name] = value
                    continue
                if "data" in event:
                    if event["event"] == "reset":
                        self.resets += 1
                    else:
                        assert json.loads(event["data"])["id"] == event["id"]
                        self.ids.append(event["id"])
                    self.cursor = event["id"]
                    count -= 1
                event = {}
                if self.until in self.ids[-1:]:
                    return self.over.set()
            # A cut chunk says nothing of its own.
        finally:
            connection.close()


@pytest.fixture
def shaken():
    """A cluster that a test may kill, with two servers on it."""
    import shutil

    from harness import places

    cluster = Cluster("max_connections=100").start()
    url = cluster.database()
    assert processes.run("migrate", database=url).returncode == 0
    path = places.folder("s")
    servers = [Server(path, database=url, name=f"server-{n}").start() for n in range(2)]
    yield cluster, Deployment(url, servers, admin_key(url))
    for server in servers:
        server.stop()
    cluster.remove()
    shutil.rmtree(path, ignore_errors=True)


def test_every_reader_ends_with_the_same_list(shaken):
    cluster, deployment = shaken
    app = deployment.app()
    client = app.client()
    begin = client.ok("GET", "/v1/events?limit=100")["nextCursor"]
    readers = [Reader(app, begin, calm=number == 0) for number in range(3)]
    made = []

    def write(number):
        client = app.client(number % 2)
        done = 0
        while done < 40:
            try:
                reply = client.put(f"/v1/persons/w{number}-{done}", {})
                if reply.status in (200, 201):
                    done += 1
                    made.append(1)
            except (OSError, http.client.HTTPException):
                client.close()
                client = app.client(number % 2)
                time.sleep(0.05)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(16)]
    for writer in writers:
        writer.start()
    while len(made) < 150:
        time.sleep(0.01)
    with cluster.connect() as connection:
        connection.autocommit = True
        connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity "
            "where query like '%pg_notify(%' and pid <> pg_backend_pid()")
    while len(made) < 350:
        time.sleep(0.01)
    cluster.kill()
    cluster.start()
    for writer in writers:
        writer.join(120)
    limit = time.monotonic() + 60
    while True:
        last = client.put("/v1/persons/last", {})
        if last.status in (200, 201):
            break
        assert time.monotonic() < limit, last
        time.sleep(0.2)
    log = [event["id"] for event in client.events("/v1/events")]
    wanted = log[log.index(begin) + 1:] if begin in log else log
    end = wanted[-1]
    for reader in readers:
        reader.until = end
    # Readers that had it before they were told to end at it hear of one more.
    for reader in readers:
        if end in reader.ids:
            reader.over.set()
    for reader in readers:
        assert reader.over.wait(60), (len(reader.ids), len(wanted))
        assert reader.resets == 0
        assert reader.ids == wanted
    assert len(wanted) >= 16 * 40


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
        assert not any(ticket.rsplit("_", 1)[1] in text for ticket in tickets)
