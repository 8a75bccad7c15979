"""Starting, stopping, and what must survive both."""

import signal
import socket
import ssl
import subprocess
import time

import psycopg
import pytest

from harness import server as processes
from harness.certificates import self_signed
from harness.client import Client
from harness.server import Server
from harness.shapes import soon

ASK = {"person": "child-1", "topic": {"kind": "custom", "subject": "screen-time"}, "description": "One more hour today"}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_signal_stops_it_in_order_and_a_second_changes_nothing(embed, number):
    embedded = embed().start()
    for _ in range(2):
        embedded.server.process.send_signal(number)
    assert embedded.server.wait() == 0
    assert [line["event"] for line in embedded.server.lines()[-2:]] == ["stopping", "stopped"]
    assert not (embedded.cluster / "postmaster.pid").exists()


def test_a_signal_while_starting_stops_it_too(embed):
    embedded = embed()
    embedded.server.launch().wait_for_line("starting")
    embedded.server.terminate()
    assert embedded.server.wait() == 0
    assert not (embedded.cluster / "postmaster.pid").exists()


def test_requests_under_way_are_answered_when_it_stops(embed):
    embedded = embed().start()
    server = embedded.server
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        body = b'{"person":"child-1","topic":{"kind":"custom","subject":"s"},"description":"d"}'
        head = (
            f"POST /v1/questions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {embedded.key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        connection.sendall(head.encode() + body[:10])
        # Its head has been read by then.
        time.sleep(1)
        server.terminate()
        server.wait_for_line("stopping")
        time.sleep(0.2)
        connection.sendall(body[10:])
        answer = connection.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 201 ")
    assert b"connection: close" in answer.lower()
    assert server.wait() == 0


def test_data_and_demo_keys_survive_a_restart(embed):
    embedded = embed().start()
    key = embedded.key
    made = embedded.server.client(key).ok("POST", "/v1/questions", ASK)
    assert embedded.server.stop() == 0
    embedded.start()
    assert embedded.key == key
    assert embedded.server.client(key).ok("GET", f"/v1/questions/{made['id']}") == made


def test_a_port_in_use_is_said_and_leaves_nothing_running(scratch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = processes.run("serve", "--embedded", "--data-dir", str(scratch / "data"), "--port", str(port))
    assert result.returncode == 1
    assert f"cannot listen on 127.0.0.1:{port}" in result.stderr
    assert not (scratch / "data/postgres/postmaster.pid").exists()


def test_a_schema_that_does_not_fit_is_refused(cluster):
    """A database nobody has migrated, then one that a newer release has."""
    fresh = cluster.database()
    refused = processes.run("serve", "--port", "0", database=fresh)
    assert refused.returncode == 1
    assert "older than this program" in refused.stderr and "assent migrate" in refused.stderr
    assert processes.run("migrate", "--check", database=fresh).returncode == 1
    assert processes.run("migrate", database=fresh).returncode == 0
    assert processes.run("migrate", "--check", database=fresh).returncode == 0
    with psycopg.connect(fresh, autocommit=True) as connection:
        connection.execute("insert into schema_migration (number, name, checksum) values (9999, 'later', '')")
    refused = processes.run("serve", "--port", "0", database=fresh)
    assert refused.returncode == 1
    assert "newer than this program" in refused.stderr


def test_a_database_that_is_not_there_yet_is_waited_for_and_a_signal_ends_that(scratch):
    server = Server(scratch, database="postgresql://u:hush-9f2@127.0.0.1:1/x").launch()
    try:
        server.wait_for_line("database.waiting", count=2)
        server.terminate()
        assert server.wait() == 0
    finally:
        server.stop()
    assert "hush-9f2" not in server.log_path.read_text()
    assert server.wait_for_line("starting")["settings"]["database-url"] == "postgresql://u:***@127.0.0.1:1/x"


def test_tls_serves_modern_versions_only(deploy, scratch):
    certificate, key = self_signed(scratch, "localhost", "DNS:localhost", "IP:127.0.0.1")
    server = deploy(1, "--tls-cert", str(certificate), "--tls-key", str(key)).server
    assert server.wait_for_line("listening")["scheme"] == "https"
    client = Client(server.port, tls=ssl.create_default_context(cafile=certificate))
    assert client.get("/readyz").status == 200
    # Security level 0, so that it is the server that refuses.
    for version, accepted in (("-tls1_1", False), ("-tls1_2", True), ("-tls1_3", True)):
        probe = subprocess.run(
            ["openssl", "s_client", version, "-cipher", "ALL:@SECLEVEL=0", "-connect", f"127.0.0.1:{server.port}"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30,
        )
        assert ("Verify return code" in probe.stdout and "Cipher is (NONE)" not in probe.stdout) == accepted, version


def test_a_stop_can_go_on_serving_until_balancers_noticed(deploy):
    deployment = deploy(1, "--stop-delay", "2s")
    server, app = deployment.server, deployment.app()
    client = server.client()
    assert client.get("/readyz").status == 200
    server.terminate()
    server.wait_for_line("stopping")
    limit = time.monotonic() + 1
    while (reply := client.get("/readyz")).status != 503:
        assert time.monotonic() < limit
    assert "stopping" in str(reply)
    assert app.client().post("/v1/questions", ASK).status == 201
    assert server.wait() == 0


def test_silence_is_resolved_at_the_expiration_not_at_the_next_tick(deploy):
    """The sweeper is woken for a question that expires sooner than anything it knew of."""
    client = deploy().app().client()
    made = client.ok("POST", "/v1/questions", ASK | {"expirationDate": soon(2)})
    # A tick comes every five seconds.
    limit = time.monotonic() + 2 + 2.5
    while len(events := client.events(f"/v1/questions/{made['id']}/events")) < 2:
        assert time.monotonic() < limit
        time.sleep(0.05)
    assert [event["type"] for event in events] == ["question.created", "question.expired"]
