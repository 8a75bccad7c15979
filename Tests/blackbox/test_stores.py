"""What the stores send: two server processes on one database, and the operator's commands."""

import json
import time

import pytest

from harness import server as processes
from harness.app_store import AppStore, settings
from harness.crowd import at_once
from harness.judge import Judge
from harness.shapes import MOMENT, UUID7


@pytest.fixture(scope="session")
def app_store(tmp_path_factory) -> AppStore:
    return AppStore(tmp_path_factory.mktemp("appstore"))


@pytest.fixture
def stores(deploy, app_store):
    """Two servers that trust the store, and an app registered with it: its service's clients, and the admin's."""
    deployment = deploy(2, "--app-store-root", app_store.root)
    admin = deployment.admin
    admin.ok("PUT", "/v1/apps/reader", settings())
    key = admin.ok("POST", "/v1/apps/reader/keys", {"role": "service"})["key"]
    clients = [server.client(key) for server in deployment.servers]
    yield deployment, clients
    for client in [admin, *clients]:
        client.close()


def send(client, token: str):
    return client.post("/v1/app-store/notifications/reader", {"signedPayload": token})


def approve(client, person: str, subject: str = "games") -> str:
    question = client.ok("POST", "/v1/questions", {
        "person": person, "topic": {"kind": "custom", "subject": subject}, "description": "May I?"})["id"]
    answered = client.ok("POST", f"/v1/questions/{question}/answers", {"guardian": "g-1", "answer": "approval"})
    assert answered["state"] == "approved"
    return question


def register(client, person: str, id: str, environment: str = "production") -> dict:
    return client.ok("POST", f"/v1/persons/{person}/app-transactions", {"appTransactionId": id, "environment": environment})


def notifications(deployment, query: str = "") -> list[dict]:
    admin = deployment.admin
    try:
        return admin.ok("GET", f"/v1/store-notifications?app=reader&limit=100{query}")["data"]
    finally:
        admin.close()


def types(client, type: str) -> list[dict]:
    return [event for event in client.events() if event["type"] == type]


def test_a_rescission_sent_five_times_to_two_servers_is_one_event(stores, app_store):
    deployment, clients = stores
    register(clients[0], "p-1", "704289572311402534")
    question = approve(clients[0], "p-1")
    token = app_store.rescission("704289572311402534", time.time() + 2)
    told = at_once([lambda client: send(client, token)] * 5, [deployment.servers[n % 2].client() for n in range(5)])
    assert [(call.reply.status, call.reply.json) for call in told] == [(200, {"status": "accepted"})] * 5

    [kept] = notifications(deployment)
    assert kept | {"notificationUUID": "u"} == {
        "id": UUID7, "store": "appStore", "notificationUUID": "u", "type": "RESCIND_CONSENT", "subtype": None,
        "environment": "production", "signedDate": MOMENT, "receivedAt": MOMENT, "status": "applied", "reason": None,
        "mismatch": None, "person": "p-1"}
    [event] = types(clients[1], "person.rescinded")
    assert event["person"] == "p-1" and event["data"]["ended"] == [question]
    assert event["data"]["notification"] == kept["id"]
    assert event["data"]["checklist"] == ["freezeState", "reconcileSubscriptions", "stopPushing"]
    assert len(types(clients[1], "notification.received")) == 1
    Judge().hear(clients[0].events())


def test_five_unattributed_at_once_wait_for_their_id(stores, app_store):
    deployment, clients = stores
    question = approve(clients[0], "p-1")
    token = app_store.rescission("7", time.time() + 1)
    told = at_once([lambda client: send(client, token)] * 5, [deployment.servers[n % 2].client() for n in range(5)])
    assert {call.reply.status for call in told} == {200}
    assert [kept["status"] for kept in notifications(deployment)] == ["unattributed"]
    assert types(clients[0], "person.rescinded") == []
    # Registering on both servers at once: the person is rescinded, once.
    told = at_once([lambda client: client.post("/v1/persons/p-1/app-transactions",
                                               {"appTransactionId": "7", "environment": "production"})] * 4,
                   [clients[n % 2].__class__(clients[n % 2].port, clients[n % 2].key) for n in range(4)])
    assert sorted(call.reply.status for call in told) == [200, 200, 200, 201]
    assert all(call.reply.json["person"]["rescindedAt"] for call in told)
    assert len(types(clients[1], "person.rescinded")) == 1
    assert clients[1].ok("GET", f"/v1/questions/{question}")["state"] == "revoked"
    assert [kept["person"] for kept in notifications(deployment, "&status=applied")] == ["p-1"]


def test_a_grant_after_it_stands_and_one_within_the_margin_does_not(stores, app_store):
    deployment, clients = stores
    for person, id in (("p-1", "1"), ("p-2", "2")):
        register(clients[0], person, id)
        approve(clients[0], person)
    assert send(clients[1], app_store.rescission("1", time.time() - 3600)).status == 200
    assert send(clients[1], app_store.rescission("2", time.time() - 30)).status == 200
    assert [kept["status"] for kept in notifications(deployment)] == ["outdated", "applied"]
    assert clients[0].ok("GET", "/v1/persons/p-1")["rescindedAt"] is None
    told = [event["type"] for event in clients[0].events("/v1/persons/p-1/history")]
    assert "question.approved" in told and "notification.received" in told and "person.rescinded" not in told
    [event] = types(clients[0], "person.rescinded")
    assert event["person"] == "p-2" and event["data"]["withinMargin"] == event["data"]["ended"]


def test_the_database_away_is_a_503_and_nothing_is_lost(deploy, cluster, app_store, database):
    deployment = deploy(1, "--app-store-root", app_store.root, "--request-timeout", "2s", "--body-timeout", "1s",
                        "--head-timeout", "1s")
    deployment.admin.ok("PUT", "/v1/apps/reader", settings())
    client, token = deployment.server.client(), app_store.notification()
    with cluster.connect() as connection:
        name = database.split("?")[0].rsplit("/", 1)[1]
        connection.execute(f"alter database {name} with allow_connections false")
        connection.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", [name])
        reply = send(client, token)
        assert reply.status == 503 and int(reply.headers["Retry-After"]) > 0, reply
        connection.execute(f"alter database {name} with allow_connections true")
    limit = time.monotonic() + 30
    while send(client, token).status != 200:
        assert time.monotonic() < limit
        time.sleep(0.1)
    assert len(notifications(deployment)) == 1
    client.close()


def test_roots_are_checked_and_printed_at_start(deploy, app_store, tmp_path):
    deployment = deploy(1, "--app-store-root", app_store.root)
    line = deployment.server.wait_for_line("appStore.roots")
    assert line["sha256"] == [app_store.fingerprint] and line["subjects"] == ["CN=Test Root"]
    found = processes.run("doctor", "--app-store-root", app_store.root, database=deployment.database)
    assert f"ok   the App Store is trusted by CN=Test Root, SHA-256 {app_store.fingerprint}" in found.stdout, found.stdout
    found = processes.run("doctor", database=deployment.database)
    assert "odd  no root certificate of the App Store is named" in found.stdout, found.stdout
    # The variable takes several, with colons between them.
    other = AppStore(tmp_path / "other", 1)
    found = processes.run("doctor", database=deployment.database, ASSENT_APP_STORE_ROOTS=f"{app_store.root}:{other.root}")
    assert app_store.fingerprint in found.stdout and other.fingerprint in found.stdout
    damaged = tmp_path / "damaged.pem"
    damaged.write_text("no certificate")
    for bad, word in ((damaged, "no certificate that can be read"), (tmp_path / "missing", "cannot be read"),
                      (app_store.leaf, "may not certify others")):
        started = processes.run("serve", "--port", "0", "--app-store-root", str(bad), database=deployment.database)
        assert started.returncode == 2 and word in started.stderr, (started.returncode, started.stderr[-500:])


def test_without_a_root_the_intake_alone_is_off(deployment, app_store):
    admin = deployment.admin
    admin.ok("PUT", "/v1/apps/no-root", settings())
    reply = deployment.server.client().post("/v1/app-store/notifications/no-root", {"signedPayload": app_store.notification()})
    assert (reply.status, reply.slug) == (503, "app-store-not-configured") and reply.headers["Retry-After"]
    assert admin.get("/readyz").status == 200
    admin.close()


def test_a_history_export_is_taken_like_what_the_store_sends(stores, app_store, tmp_path):
    deployment, clients = stores
    register(clients[0], "p-1", "1")
    register(clients[0], "p-2", "2")
    approve(clients[0], "p-1")
    newer = app_store.notification("DID_RENEW")
    assert send(clients[0], newer).status == 200
    older = app_store.rescission("1", time.time() - 3600)
    recent = app_store.rescission("2")
    bad = older[:-8] + "AAAAAAAA"
    page = tmp_path / "history.json"
    page.write_text(json.dumps({
        "hasMore": True, "paginationToken": "x",
        "notificationHistory": [
            {"signedPayload": token, "sendAttempts": [{"attemptDate": 1, "sendAttemptResult": "TIMED_OUT"}]}
            for token in (older, newer, recent, bad)]}, indent=1))
    flags = ("--app", "reader", "--app-store-root", app_store.root)
    run = processes.run("app-store", "import", str(page), *flags, database=deployment.database)
    assert run.returncode == 1, run.stderr
    assert run.stdout.splitlines() == [
        "4: refused, signature-invalid: " + run.stdout.split(": ", 2)[2].splitlines()[0],
        "Read 4 notifications: 1 applied, 1 recorded, 0 unattributed, 0 quarantined, 1 outdated, 1 refused.",
        "By its own word the store has more than this export holds."]
    assert [kept["status"] for kept in notifications(deployment)] == ["recorded", "outdated", "applied"] \
        or sorted(kept["status"] for kept in notifications(deployment)) == ["applied", "outdated", "recorded"]
    assert clients[0].ok("GET", "/v1/persons/p-1")["rescindedAt"] is None
    assert clients[0].ok("GET", "/v1/persons/p-2")["rescindedAt"]
    # One a line, and again: nothing twice.
    lines = tmp_path / "history.txt"
    lines.write_text("\n".join([older, newer, recent]) + "\n")
    run = processes.run("app-store", "import", str(lines), *flags, database=deployment.database)
    assert run.returncode == 0 and "Read 3 notifications: 1 applied, 1 recorded" in run.stdout, run.stdout + run.stderr
    assert len(notifications(deployment)) == 3 and len(types(clients[0], "person.rescinded")) == 1
    for arguments, code, word in (
            (("--app", "nobody", "--app-store-root", app_store.root), 1, "there is no app 'nobody'"),
            (("--app", "reader"), 2, "--app-store-root (ASSENT_APP_STORE_ROOTS) is needed")):
        run = processes.run("app-store", "import", str(lines), *arguments, database=deployment.database)
        assert run.returncode == code and word in run.stderr, run.stderr
    lines.write_text("nonsense\n")
    run = processes.run("app-store", "import", str(lines), *flags, database=deployment.database)
    assert run.returncode == 1 and "line 1: it is neither a signed payload nor JSON" in run.stderr


def test_play_revocations_by_file(stores, tmp_path):
    deployment, clients = stores
    clients[0].ok("POST", "/v1/persons/p-1/play-signals", {
        "installId": "i-1", "ageSignalsStatus": "SHARED", "ageRangeSource": "TIER_B", "ageLower": 13, "ageUpper": 15})
    file = tmp_path / "revoked.csv"
    file.write_bytes(b"\xef\xbb\xbfInstall ID\r\ni-1\r\ni-2\r\ni-1\r\n")
    told = []
    for _ in range(2):
        run = processes.run("play-store", "import", str(file), "--app", "reader", database=deployment.database)
        assert run.returncode == 0 and run.stdout.startswith("Read 3 revocations: "), run.stderr
        assert "1 unattributed" in run.stdout
        told.append(types(clients[0], "person.rescinded"))
    # Each of the two rows is a revocation of its own; the file again is none.
    assert told[0] and told[1] == told[0]
    assert clients[1].ok("GET", "/v1/persons/p-1/access")["reason"] == "consentRescinded"
    file.write_text("Install ID,Date\n,\nx,soon\n")
    run = processes.run("play-store", "import", str(file), "--app", "reader", database=deployment.database)
    assert run.returncode == 1
    assert "line 2: installId must be 1 to 128 bytes" in run.stderr and "line 3: date must be a date" in run.stderr


def test_metrics_and_log_tell_of_notifications_and_of_nobody(stores, app_store):
    deployment, clients = stores
    client = deployment.server.client()
    register(clients[0], "child-of-the-log", "9876543210123")
    token = app_store.rescission("9876543210123")
    for _ in range(2):
        assert send(client, token).status == 200
    assert send(client, token[:-8] + "AAAAAAAA").status == 400
    text = client.get("/metrics").body.decode()
    assert 'assent_app_store_notifications_total{status="applied"} 2' in text
    assert 'assent_app_store_refusals_total{reason="signature-invalid"} 1' in text
    assert 'assent_verification_chains_total{cache="hit"} ' in text and "assent_verification_queue_depth 0" in text
    assert deployment.server.wait_for_line("appStore.refused")["reason"] == "signature-invalid"
    log = deployment.server.log_path.read_text()
    assert "9876543210123" not in log + text and "child-of-the-log" not in log + text and token[:40] not in log
    client.close()
