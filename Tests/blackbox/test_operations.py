"""What operators rely on: refusals at start, revocations, secrets that stay secret, metrics, browsers, limits."""

import time
import urllib.parse
import uuid

import psycopg
import pytest

from harness import server as processes
from harness.fixtures import deploying, migrated
from harness.metrics import value
from harness.raw import Wire
from harness.server import Server
from test_tour import ADULT, MINOR, VIDEO

ASK = {"person": "p", "topic": {"kind": "custom", "subject": "s"}, "description": "d"}


def test_an_edited_migration_is_refused(database):
    with psycopg.connect(database, autocommit=True) as connection:
        kind = connection.execute("select pg_typeof(checksum)::text from schema_migration limit 1").fetchone()[0]
        connection.execute("update schema_migration set checksum = " + (
            "'\\x00'::bytea" if kind == "bytea" else "repeat('0', length(checksum))") + " where number = 1")
    for words in (["serve", "--port", "0"], ["migrate"], ["migrate", "--check"], ["key", "list"]):
        refused = processes.run(*words, database=database)
        assert refused.returncode == 1, words
        assert "edited" in refused.stderr or "differs" in refused.stderr or "changed" in refused.stderr, refused.stderr


def test_an_older_database_is_migrated_on_start_when_told_to(cluster, scratch):
    server = Server(scratch, "--migrate-on-start", database=cluster.database()).start()
    assert server.wait_for_line("database.migrated")
    assert server.stop() == 0


def test_a_revoked_key_is_refused_everywhere_within_five_seconds(deployment):
    app = deployment.app()
    issued = deployment.admin.ok("POST", f"/v1/apps/{app.id}/keys", {"role": "service", "label": "leaked"})
    clients = [server.client(issued["key"]) for server in deployment.servers]
    for client in clients:
        assert client.get("/v1/changes").status == 200
    path = f"/v1/apps/{app.id}/keys/{issued['id']}"
    assert deployment.admin.delete(path).status == 204
    revoked = time.monotonic()
    assert clients[0].get("/v1/changes").status == 401, "the instance that revoked it still takes it"
    # The other one is asked all the time, as by somebody who holds a stolen key.
    while clients[1].get("/v1/changes").status == 200:
        assert time.monotonic() - revoked < 5
    for _ in range(20):
        assert [client.get("/v1/changes").status for client in clients] == [401, 401]
    assert deployment.admin.delete(path).status in (204, 404)
    listed = deployment.admin.ok("GET", f"/v1/apps/{app.id}/keys")["data"]
    assert [key["revokedAt"] is not None for key in listed if key["id"] == issued["id"]] in ([True], [])
    assert app.client().get("/v1/changes").status == 200


def test_no_child_and_no_secret_in_any_log(own_cluster, scratch):
    """A run full of refusals, conflicts, syntax errors and database faults; then every log is searched."""
    hidden, mark = f"pw-{uuid.uuid4().hex}", f"child{uuid.uuid4().hex}"
    with_password = migrated(own_cluster.database()).replace("assent@", f"assent:{hidden}@")
    with deploying(with_password, scratch) as deploy:
        deployment = deploy(1, "--log-level", "debug")
        server = deployment.server
        admin_client = deployment.admin
        admin_client.ok("PUT", "/v1/apps/marked", {"name": f"{mark} app"})
        key = admin_client.ok("POST", "/v1/apps/marked/keys", {"role": "service", "label": f"{mark} label"})["key"]
        client = server.client(key)
        client.ok("PUT", f"/v1/changes/{mark}", VIDEO | {"descriptions": {"en": f"{mark} text"}})
        topics = [{"kind": "custom", "subject": mark}, {"kind": "communication", "handles": [mark]},
                  {"kind": "purchase", "product": mark}, {"kind": "significantAppUpdate", "change": mark},
                  {"kind": "significantAppUpdate", "change": f"{mark}-unknown"}]
        seen = set()

        def note(reply):
            seen.add(reply.slug or reply.status)
            return reply

        for person in (mark, f"{mark}-2"):
            note(client.put(f"/v1/persons/{person}", MINOR | {"region": "US-TX"}))
            note(client.put(f"/v1/persons/{person}/guardians/{mark}", {}))
            for number, topic in enumerate(topics):
                body = {"person": person, "topic": topic, "description": mark, "quorum": 1}
                asked = note(client.post("/v1/questions", body, Idempotency_Key=f"{person}-{number}"))
                note(client.post("/v1/questions", body | {"quorum": 3, "topic": {"kind": "purchase", "product": f"{mark}-3"}}))
                note(client.post("/v1/questions", body | {"expirationDate": mark}))
                note(client.post("/v1/questions", body | {mark: mark}))
                if asked.status in (200, 201):
                    path = f"/v1/questions/{asked.json['id']}"
                    for kind in ("approval", "denial", mark):
                        note(client.post(f"{path}/answers", {"guardian": mark, "answer": kind, "reason": mark}))
                    note(client.post(f"{path}/answers", {"guardian": f"{mark}-stranger", "answer": "approval"}))
                    note(client.post(f"{path}/cancellation", {"reason": mark}))
            note(client.put(f"/v1/persons/{person}", ADULT))
            note(client.post("/v1/questions", ASK | {"person": person}))
            note(client.put(f"/v1/persons/{person}/acknowledgments/{mark}", {}))
        note(client.post("/v1/questions", f'{{"person": "{mark}"'.encode(), Content_Type="application/json"))
        note(client.get(f"/v1/persons/{mark}?{mark}={mark}", X_Marker=mark))
        note(client.get(f"/v1/questions?person={mark}&cursor={mark}"))
        note(client.get(f"/{mark}/{mark}"))
        note(client.get(f"/v1/persons/{mark}%00"))
        note(client.request("BREW", f"/v1/persons/{mark}"))
        note(client.put(f"/v1/persons/{mark}", MINOR, If_Match=mark))
        note(server.client(f"asnt_marked_{mark}").get("/v1/changes"))
        note(server.client(key[:-1] + ("A" if key[-1] != "A" else "B")).get("/v1/changes"))
        with Wire(server.port) as wire:
            wire.send(f"GET /{mark} HTTP/1.1\r\nHost: {mark}\r\n{mark}\r\n\r\n".encode())
            wire.answer()
        # Faults below: a lock that is not given, a table that is gone, a database that dies.
        with psycopg.connect(deployment.database) as locker:
            locker.execute("select 1 from person where id = %s for update", [mark])
            note(client.put(f"/v1/persons/{mark}", MINOR))
        with psycopg.connect(deployment.database, autocommit=True) as breaker:
            breaker.execute("alter table acknowledgment rename to gone")
            note(client.put(f"/v1/persons/{mark}-2/acknowledgments/{mark}", {}))
            note(client.get(f"/v1/persons/{mark}/acknowledgments"))
            breaker.execute("alter table gone rename to acknowledgment")
        own_cluster.kill()
        limited = server.client(key, timeout=3)
        try:
            note(limited.put(f"/v1/persons/{mark}-4", MINOR))
        except OSError:
            pass
        own_cluster.start()
        server.wait_for_readiness()
        metrics = server.client().get("/metrics").body.decode()
        assert server.stop() == 0
    assert {201, 200, "invalid-body", "malformed-body", "not-available", "guardian-not-linked", "quorum-unreachable",
            "unauthenticated", "change-not-registered", "question-decided", "invalid-parameter", "malformed-request"} <= seen, seen
    server_log = server.log_path.read_text(errors="replace")
    database_log = own_cluster.log_path.read_text(errors="replace")
    assert "starting" in server_log and "database system is ready" in database_log
    for secret in (mark, urllib.parse.quote(mark), hidden, key, key[-43:], deployment.admin_key[-43:]):
        assert secret not in server_log, "the server's log tells"
        assert secret not in metrics, "the metrics tell"
    told = [line for line in database_log.splitlines() if mark in line or key[-43:] in line]
    assert told == [], "the database's log tells"


def test_the_private_cluster_logs_no_rows(embed):
    """PostgreSQL writes the row that a constraint refused into its log, unless it is told to be terse."""
    embedded = embed().start()
    mark = f"child{uuid.uuid4().hex}"
    with psycopg.connect(embedded.url(), autocommit=True) as breaker:
        breaker.execute("alter table question add constraint broken check (length(description) < 30)")
    client = embedded.server.client(embedded.key)
    assert client.post("/v1/questions", ASK | {"person": mark, "description": mark}).slug == "internal-error"
    assert client.post("/v1/questions", ASK | {"person": mark}).status == 201
    fault = embedded.server.wait_for_line("database.fault")
    assert fault["sqlState"] == "23514"
    assert embedded.server.stop() == 0
    assert "broken" in (embedded.data / "postgres.log").read_text()
    for path in [embedded.server.log_path, *embedded.data.glob("*.log")]:
        assert mark not in path.read_text(errors="replace"), path


@pytest.mark.parametrize("settings, odd", [
    (["log_error_verbosity=terse"], []), ([], ["log_error_verbosity is default"]),
    (["log_error_verbosity=terse", "log_statement=all"], ["logs statements with their values"]),
    (["log_error_verbosity=terse", "log_min_duration_statement=1s"], ["logs statements with their values"]),
    (["log_error_verbosity=terse", "log_min_duration_statement=1s", "log_parameter_max_length=0"], []),
    (["log_error_verbosity=terse", "log_parameter_max_length_on_error=64"], ["logs statements with their values"]),
], ids=range(6))
def test_the_doctor_warns_of_logs_that_tell(cluster, template, settings, odd):
    database = cluster.database(template)
    name = database.split("?")[0].rsplit("/", 1)[1]
    with cluster.connect() as connection:
        for setting in settings:
            key, text = setting.split("=")
            connection.execute(f"alter database {name} set {key} = '{text}'")
    told = processes.run("doctor", database=database)
    found = [line for line in told.stdout.splitlines() if line.startswith("odd ") and "log" in line]
    assert len(found) == len(odd) and all(part in line for part, line in zip(odd, found)), told.stdout
    # The tests' cluster is not durable, and that is bad.
    assert told.returncode == 1 and "BAD  fsync is off" in told.stdout, told.stdout


class TestBrowsers:
    ORIGIN = "https://app.example"

    @pytest.fixture
    def page(self, deployment):
        """A client of an app that lets a web page in."""
        app = deployment.app()
        admin = deployment.admin
        admin.ok("PUT", f"/v1/apps/{app.id}", {"name": "Web", "allowedOrigins": [self.ORIGIN, "http://localhost:3000"]})
        time.sleep(0.05)
        return app.client()

    def test_preflight_needs_no_key(self, page):
        page.key = None
        reply = page.request(
            "OPTIONS", "/v1/questions", Origin=self.ORIGIN, Access_Control_Request_Method="POST",
            Access_Control_Request_Headers="authorization, content-type, idempotency-key")
        assert reply.status == 204
        assert reply.headers["Access-Control-Allow-Origin"] == self.ORIGIN
        assert "POST" in reply.headers["Access-Control-Allow-Methods"]
        allowed = reply.headers["Access-Control-Allow-Headers"].lower()
        assert all(name in allowed for name in ("authorization", "content-type", "idempotency-key", "if-match", "if-none-match"))
        assert int(reply.headers["Access-Control-Max-Age"]) > 0
        assert "origin" in reply.headers["Vary"].lower()

    @pytest.mark.parametrize("origin", ["https://evil.example", "https://app.example.evil", "http://app.example", "null",
                                        "https://app.example:444", "https://APP.example", "https://app.example/"])
    def test_strange_origins_get_nothing(self, page, origin):
        for reply in (
            page.request("OPTIONS", "/v1/questions", Origin=origin, Access_Control_Request_Method="POST"),
            page.get("/v1/questions", Origin=origin), page.get("/v1/persons/nobody", Origin=origin),
        ):
            assert reply.headers["Access-Control-Allow-Origin"] is None
            assert "origin" in reply.headers["Vary"].lower()

    def test_errors_can_be_read_as_well(self, page):
        replies = [page.get("/v1/questions", Origin=self.ORIGIN), page.get("/v1/persons/nobody", Origin=self.ORIGIN),
                   page.post("/v1/questions", {}, Origin=self.ORIGIN), page.request("BREW", "/v1/questions", Origin=self.ORIGIN),
                   page.get("/v1/nothing", Origin=self.ORIGIN)]
        page.key = "asnt_x"
        replies.append(page.get("/v1/questions", Origin=self.ORIGIN))
        assert [reply.status for reply in replies] == [200, 404, 422, 405, 404, 401]
        for reply in replies:
            assert reply.headers["Access-Control-Allow-Origin"] == self.ORIGIN
            assert reply.headers["Access-Control-Allow-Credentials"] is None
            exposed = reply.headers["Access-Control-Expose-Headers"].lower()
            assert all(name in exposed for name in ("etag", "location", "retry-after", "idempotency-replayed"))

    def test_another_apps_page_may_not_read(self, deployment, page):
        other = deployment.app().client()
        assert other.get("/v1/questions", Origin=self.ORIGIN).headers["Access-Control-Allow-Origin"] is None


def test_every_answer_names_its_request(client):
    ids = {client.get("/v1/questions").headers["X-Request-Id"] for _ in range(5)}
    assert len(ids) == 5 and all(ids)
    problem = client.get("/v1/persons/nobody")
    assert problem.json["requestId"] == problem.headers["X-Request-Id"]


def test_connections_past_the_limit_are_told(deploy):
    server = deploy(1, "--connection-limit", "20").server
    held = []
    try:
        for _ in range(20):
            wire = Wire(server.port)
            wire.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert wire.answer().status == 200
            held.append(wire)
        for _ in range(5):
            with Wire(server.port) as wire:
                answer = wire.answer()
                assert answer is None or (answer.status == 503 and answer.slug == "overloaded" and answer.headers["retry-after"])
        # Who is in is served on, and who leaves makes room.
        for wire in held:
            wire.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert wire.answer().status == 200
        held.pop().socket.close()
        limit = time.monotonic() + 5
        while True:
            with Wire(server.port) as wire:
                wire.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                try:
                    if (answer := wire.answer()) and answer.status == 200:
                        break
                except OSError:
                    pass
            assert time.monotonic() < limit
            time.sleep(0.02)
    finally:
        for wire in held:
            wire.socket.close()


def test_without_its_database_it_says_so_at_once(own_cluster, own_deploy):
    """Health stays, readiness goes, requests get 503 with Retry-After or wait for it; nothing hangs for ever."""
    deployment = own_deploy(1, "--request-timeout", "1s", "--head-timeout", "1s", "--body-timeout", "1s")
    server = deployment.server
    client = deployment.admin
    client.ok("PUT", "/v1/apps/a", {"name": "a"})
    assert client.get("/readyz").status == 200
    own_cluster.kill()
    server.wait_for_readiness(503, patience=5)
    assert client.get("/readyz").slug == "unavailable"
    assert client.get("/healthz").status == 200 and client.get("/metrics").status == 200
    assert value(server, "assent_database_connected") == 0
    began = time.monotonic()
    for method, path, body in [("GET", "/v1/apps", None), ("PUT", "/v1/apps/b", {"name": "b"}),
                               ("GET", "/v1/questions?app=a", None), ("POST", "/v1/questions?app=a", ASK)]:
        reply = client.request(method, path, body)
        assert reply.status == 503 and int(reply.headers["Retry-After"]) >= 1, reply
        assert reply.slug in ("unavailable", "timed-out", "overloaded", "outcome-unknown")
    assert time.monotonic() - began < 4 * 1.5
    own_cluster.start()
    server.wait_for_readiness(patience=own_cluster.back_at + 2 - time.monotonic())
    client.ok("PUT", "/v1/apps/b", {"name": "b"})
    own_cluster.kill()
    # It stops in order without its database, too.
    assert server.stop() == 0
