"""Starting, stopping, and what must survive both."""

import os
import signal
import socket
import ssl
import subprocess
import time

import pytest

from assent_process import Server, run

QUESTION = {"topic": {"kind": "custom", "subject": "screen-time"}, "description": "One more hour today"}


def ask(client, person):
    return client.post("/v1/questions", json={"person": person, **QUESTION})


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_signal_stops_it_in_order_and_a_second_changes_nothing(start, folder, number):
    server = start(folder)
    server.signal(number)
    server.signal(number)
    assert server.wait() == 0
    assert [line["event"] for line in server.lines[-2:]] == ["stopping", "stopped"]
    assert not server.strays
    assert not os.path.exists(folder.data / "postgres/postmaster.pid")


def test_a_signal_while_starting_stops_it_too(folder, request):
    server = Server.embedded(folder)
    request.addfinalizer(server.end)
    server.wait_for("starting")
    server.signal(signal.SIGTERM)
    assert server.wait() == 0
    assert not os.path.exists(folder.data / "postgres/postmaster.pid")


def test_requests_under_way_are_answered_when_it_stops(start, folder):
    server = start(folder)
    with socket.create_connection(("127.0.0.1", server.listening["port"])) as connection:
        body = b'{"person":"child-1","topic":{"kind":"custom","subject":"s"},"description":"d"}'
        head = (
            f"POST /v1/questions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {folder.key('demo')}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        connection.sendall(head.encode() + body[:10])
        time.sleep(0.2)
        server.signal(signal.SIGTERM)
        time.sleep(0.2)
        connection.sendall(body[10:])
        answer = connection.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 201 ")
    assert b"connection: close" in answer.lower()
    assert server.wait() == 0


def test_data_and_demo_keys_survive_a_restart(start, folder):
    server = start(folder)
    key = folder.key("demo")
    with server.client(key) as client:
        made = ask(client, "child-1").json()
    assert server.stop() == 0
    server = start(folder)
    assert folder.key("demo") == key
    with server.client(key) as client:
        assert client.get(f"/v1/questions/{made['id']}").json() == made


@pytest.mark.faults
def test_it_comes_back_after_the_server_was_killed(start, folder):
    server = start(folder)
    with server.client(folder.key("demo")) as client:
        made = ask(client, "child-1").json()
    server.process.kill()
    server.wait()
    server = start(folder)
    with server.client(folder.key("demo")) as client:
        assert client.get(f"/v1/questions/{made['id']}").json() == made


@pytest.mark.faults
def test_it_serves_again_after_its_database_was_killed(start, folder):
    server = start(folder)
    with server.client(folder.key("demo")) as client:
        made = ask(client, "child-1").json()
        os.kill(folder.postmaster(), signal.SIGKILL)
        server.wait_for("cluster.started", count=2)
        deadline = time.monotonic() + 10
        while client.get("/readyz").status_code != 200:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert client.get(f"/v1/questions/{made['id']}").json() == made
        assert ask(client, "child-2").status_code == 201


def test_readiness_tells_of_a_lost_database(pair):
    folder, first, second = pair
    with second.client() as client:
        # It listens as soon as the schema is checked; its connections may come a moment later.
        deadline = time.monotonic() + 20
        while client.get("/readyz").status_code != 200:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        first.stop()
        deadline = time.monotonic() + 20
        while client.get("/readyz").status_code == 200:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert client.get("/readyz").status_code == 503
        assert client.get("/healthz").status_code == 200
    assert second.stop() == 0


def test_a_port_in_use_is_said_and_leaves_nothing_running(folder):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("serve", "--embedded", "--data-dir", str(folder.data), "--port", str(port))
    assert result.returncode == 1
    assert f"cannot listen on 127.0.0.1:{port}" in result.stderr or f"{port}" in result.stderr.splitlines()[-1]
    assert not os.path.exists(folder.data / "postgres/postmaster.pid")


def test_a_schema_that_does_not_fit_is_refused(start, folder):
    server = start(folder)
    url = folder.database_url()
    psql = ["psql", "-qAtX", url, "-c"]
    # A database nobody has migrated, then one that a newer release has.
    subprocess.run([*psql, "create database fresh"], check=True)
    fresh = url.replace("dbname=assent", "dbname=fresh")
    refused = run("serve", "--port", "0", DATABASE_URL=fresh)
    assert refused.returncode == 1
    assert "older than this program" in refused.stderr and "assent migrate" in refused.stderr
    assert run("migrate", "--check", DATABASE_URL=fresh).returncode == 1
    assert run("migrate", DATABASE_URL=fresh).returncode == 0
    assert run("migrate", "--check", DATABASE_URL=fresh).returncode == 0
    newer = "insert into schema_migration (number, name, checksum) values (9999, 'later', '')"
    subprocess.run(["psql", "-qAtX", fresh, "-c", newer], check=True)
    refused = run("serve", "--port", "0", DATABASE_URL=fresh)
    assert refused.returncode == 1
    assert "newer than this program" in refused.stderr
    assert server.stop() == 0


def test_a_database_that_is_not_there_yet_is_waited_for_and_a_signal_ends_that(request):
    server = Server(DATABASE_URL="postgresql://u:hush-9f2@127.0.0.1:1/x")
    request.addfinalizer(server.end)
    server.wait_for("database.waiting", count=2)
    server.signal(signal.SIGTERM)
    assert server.wait() == 0
    assert "hush-9f2" not in str(server.lines) + str(server.strays)
    assert server.events("starting")[0]["settings"]["database-url"] == "postgresql://u:***@127.0.0.1:1/x"


def test_tls_serves_modern_versions_only(start, folder):
    folder.data.mkdir()
    certificate, key = folder.path / "tls.crt", folder.path / "tls.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )
    server = start(folder, "--tls-cert", str(certificate), "--tls-key", str(key))
    assert server.listening["scheme"] == "https"
    with server.client(folder.key("demo"), verify=ssl.create_default_context(cafile=certificate)) as client:
        assert ask(client, "child-1").status_code == 201
    # Security level 0, so that it is the server that refuses.
    for version, accepted in (("-tls1_1", False), ("-tls1_2", True), ("-tls1_3", True)):
        probe = subprocess.run(
            ["openssl", "s_client", version, "-cipher", "ALL:@SECLEVEL=0", "-connect", f"127.0.0.1:{server.listening['port']}"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30,
        )
        assert ("Verify return code" in probe.stdout and "Cipher is (NONE)" not in probe.stdout) == accepted, version


def test_a_stop_can_go_on_serving_until_balancers_noticed(start, folder):
    server = start(folder, "--stop-delay", "2s")
    with server.client(folder.key("demo")) as client:
        assert client.get("/readyz").status_code == 200
        server.signal(signal.SIGTERM)
        server.wait_for("stopping")
        deadline = time.monotonic() + 1
        while client.get("/readyz").status_code != 503:
            assert time.monotonic() < deadline
        assert "stopping" in client.get("/readyz").text
        with server.client(folder.key("demo")) as newcomer:
            assert ask(newcomer, "child-1").status_code == 201
    assert server.wait() == 0


def test_silence_is_resolved_at_the_expiration_not_at_the_next_tick(server, service):
    """The sweeper is woken for a question that expires sooner than anything it knew of."""
    made = service.post(
        "/v1/questions",
        json={"person": "silent-1", **QUESTION, "expirationDate": time.strftime("%FT%TZ", time.gmtime(time.time() + 2))},
    ).json()
    time.sleep(2.6)
    events = service.get(f"/v1/questions/{made['id']}/events").json()["data"]
    assert [event["type"] for event in events] == ["question.created", "question.expired"]
