"""Behind a real transaction pooler: what lives in a session is not relied on, and nobody notices."""

import http.client
import threading
import time

import pytest

from harness import server as processes
from harness.fixtures import admin_key, Deployment
from harness.load import Load
from harness.pooler import Pooler
from harness.server import Server


@pytest.fixture
def pooler(cluster, database):
    pooler = Pooler(cluster, database)
    yield pooler
    pooler.remove()


def test_commands_reads_and_streams_through_a_transaction_pooler(pooler, database, scratch):
    servers = [Server(scratch, "--pooler", "transaction", database=pooler.url, name=f"server-{n}").start() for n in range(2)]
    try:
        deployment = Deployment(pooler.url, servers, admin_key(database))
        app = deployment.app()
        begin = app.client().ok("GET", "/v1/events?limit=100")["nextCursor"]
        seen: list[str] = []
        stream = http.client.HTTPConnection("127.0.0.1", servers[1].port, timeout=20)
        stream.request("GET", "/v1/events", headers={
            "Authorization": f"Bearer {app.key}", "Accept": "text/event-stream", "Last-Event-ID": begin})
        answer = stream.getresponse()

        def follow():
            while line := answer.readline():
                if line.startswith(b"id: "):
                    seen.append(line[4:].strip().decode())

        thread = threading.Thread(target=follow)
        thread.start()
        load = Load(lambda: [server.port for server in servers], app.key).start()
        load.progress(200)
        load.stop()
        load.verify(app.client())
        log = [event["id"] for event in app.client().events()]
        wanted = log[log.index(begin) + 1:] if begin in log else log
        limit = time.monotonic() + 20
        while len(seen) < len(wanted):
            assert time.monotonic() < limit, f"{len(seen)} of {len(wanted)} events"
            time.sleep(0.02)
        codes = [server.stop() for server in servers]
        thread.join(10)
        assert codes == [0, 0]
        assert seen == wanted
        for server in servers:
            events = [line["event"] for line in server.lines()]
            assert not [event for event in events if event in ("database.fault", "database.failed", "listener.deaf")]
    finally:
        for server in servers:
            server.stop()


def test_migrations_want_the_database_itself(pooler):
    done = processes.run("migrate", "--pooler", "transaction", database=pooler.url)
    assert done.returncode == 1 and "past the pooler" in done.stderr, done.stderr


def test_a_listener_that_hears_nothing_says_so(pooler, database, scratch):
    """LISTEN is taken by the pooler and its notifications go to nobody; the server says what to set."""
    server = Server(scratch, database=pooler.url)
    try:
        server.start()
        line = server.wait_for_line("listener.deaf", 20)
        assert line["level"] == "warning"
        assert "assent_listener_listening 0\n" in server.client().get("/metrics").body.decode()
    finally:
        server.stop()
