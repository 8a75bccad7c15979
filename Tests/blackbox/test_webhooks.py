"""Webhooks from outside: what receivers get and can check, what becomes of receivers that misbehave, and where nothing is sent."""

import base64
import json
import os
import socket
import ssl
import threading
import time

import psycopg
import pytest
import standardwebhooks
import svix

from harness import receivers
from harness.certificates import self_signed
from harness.fixtures import Deployment, admin_key
from harness.receivers import Receiver
from harness.server import Server

LOOPBACK = ("--webhook-allow", "127.0.0.0/8", "--webhook-timeout", "2s")


@pytest.fixture(scope="module")
def secret_key(tmp_path_factory) -> tuple[str, ...]:
    """The flags that name an operator's key."""
    path = tmp_path_factory.mktemp("key") / "secret-key"
    path.write_text(base64.b64encode(os.urandom(32)).decode() + "\n")
    path.chmod(0o600)
    return ("--secret-key-file", str(path))


@pytest.fixture(scope="module")
def hooks(cluster, template, secret_key, tmp_path_factory):
    """Two servers that may send to loopback, for all tests that leave both as they are."""
    url = cluster.database(template)
    path = tmp_path_factory.mktemp("hooks")
    servers = [
        Server(path, *LOOPBACK, *secret_key, database=url, name=f"server-{number}").start() for number in range(2)]
    yield Deployment(url, servers, admin_key(url))
    assert [server.stop() for server in servers] == [0, 0]


@pytest.fixture
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.close()


class Hook:
    """A registered endpoint."""

    def __init__(self, client, url: str, *types: str):
        made = client.ok("POST", "/v1/webhook-endpoints", {"url": url, "types": list(types) or ["question.*"]})
        self.client, self.id, self.secret = client, made["id"], made["secret"]
        self.path = f"/v1/webhook-endpoints/{self.id}"

    @property
    def now(self) -> dict:
        return self.client.ok("GET", self.path)

    @property
    def deliveries(self) -> list[dict]:
        return self.client.rows(self.path + "/deliveries")

    def settled(self, attempts: int = 1, count: int = 1, patience: float = 20) -> list[dict]:
        """Its deliveries, once each of so many has had so many attempts."""
        limit = time.monotonic() + patience
        while True:
            rows = self.deliveries
            if len(rows) >= count and all(len(row["attempts"]) >= attempts for row in rows):
                return rows
            assert time.monotonic() < limit, rows
            time.sleep(0.05)

    def replace(self, **members) -> dict:
        now = self.now
        body = {"url": now["url"], "types": now["types"]} | members
        return self.client.ok("PUT", self.path, body)


def ask(client, person: str = "p-1") -> dict:
    """A question, and so an event."""
    topic = {"kind": "purchase", "product": f"x-{time.monotonic_ns()}"}
    return client.ok("POST", "/v1/questions", {"person": person, "topic": topic, "description": "d"})


def execute(deployment, sql: str, *parameters):
    with psycopg.connect(deployment.database, autocommit=True) as connection:
        return connection.execute(sql, parameters).rowcount


def check(message, *secrets: str):
    """Both packages accept it by each of the secrets; returns what it says."""
    for secret in secrets:
        for package in (standardwebhooks.Webhook, svix.Webhook):
            package(secret).verify(message.body, message.headers)
    return json.loads(message.body)


def refuses(message, secret: str) -> bool:
    for package, error in (
            (standardwebhooks.Webhook, standardwebhooks.WebhookVerificationError),
            (svix.Webhook, svix.WebhookVerificationError)):
        with pytest.raises(error):
            package(secret).verify(message.body, message.headers)
    return True


def test_a_receiver_can_check_and_read_what_it_gets(hooks, receiver):
    client = hooks.app().client()
    hook = Hook(client, receiver.url("/hook"))
    question = ask(client)
    [message] = receiver.wait("/hook", 1)
    said = check(message, hook.secret)
    [event] = [event for event in client.events() if event["type"] == "question.created"]
    assert message.id == event["id"] and "." not in message.id
    assert abs(int(message.headers["webhook-timestamp"]) - time.time()) < 60
    assert message.headers["content-type"] == "application/json"
    assert message.headers["user-agent"].startswith("Assent-Webhooks/")
    assert said["type"] == "question.created" and said["timestamp"] == event["timestamp"]
    assert said["data"]["id"] == question["id"] and said["data"]["state"] == "pending"
    assert said["data"]["person"] == "p-1" and said["data"]["revision"] == 1
    # Thin: whoever may know the rest reads it.
    assert "description" not in said["data"] and len(message.body) < 1_000
    [delivery] = hook.settled()
    assert delivery["status"] == "delivered" and delivery["event"] == event["id"]
    assert [attempt["statusCode"] for attempt in delivery["attempts"]] == [200]


def test_signatures_hold_through_a_rotation(hooks, receiver):
    client = hooks.app().client()
    hook = Hook(client, receiver.url("/hook"))
    first = hook.secret
    ask(client)
    [before] = receiver.wait("/hook", 1)
    check(before, first)
    second = client.ok("POST", hook.path + "/secret-rotations", {"overlapSeconds": 3600})["secret"]
    assert second != first and len(base64.b64decode(second.removeprefix("whsec_"))) >= 24
    assert refuses(before, second)
    ask(client)
    during = receiver.wait("/hook", 2)[1]
    check(during, first, second)
    assert len(during.headers["webhook-signature"].split(" ")) == 2
    # The overlap's end.
    execute(hooks, "update webhook_endpoint set secret_ends[2] = now() where id = %s", hook.id)
    ask(client)
    after = receiver.wait("/hook", 3)[2]
    check(after, second)
    assert refuses(after, first)


def test_the_receiver_zoo_comes_to_what_is_documented(hooks, receiver):
    """Each misbehaves in its own way, all at once; none of them slows the ones that behave."""
    client = hooks.app().client()
    zoo = {
        "200": receivers.status(200), "204": receivers.status(204), "endless": receivers.endless,
        "301": receivers.status(301, Location=receiver.url("/elsewhere")), "404": receivers.status(404),
        "410": receivers.status(410), "429": receivers.status(429), "503": receivers.status(503),
        "429-after": receivers.status(429, Retry_After="3600"),
        "503-after": receivers.status(503, Retry_After="99999999"),
        "hang": receivers.hang, "drip": receivers.drip, "reset": receivers.reset,
    }
    hooks_by_name = {name: Hook(client, receiver.on(f"/{name}", manner)) for name, manner in zoo.items()}
    refused = Hook(client, "http://127.0.0.1:1/")
    ask(client)
    began = time.monotonic()
    receiver.wait("/hang", 1)
    for number in range(2, 6):
        asked = time.monotonic()
        ask(client)
        receiver.wait("/200", number)
        assert time.monotonic() - asked < 1.5, "a receiver that hangs slows another"
    outcomes = {}
    for name, hook in (hooks_by_name | {"refused": refused}).items():
        first = hook.settled(count=5 if name not in ("410",) else 1, attempts=0)[-1]
        while not first["attempts"]:
            assert time.monotonic() - began < 30, (name, first)
            time.sleep(0.05)
            first = hook.deliveries[-1]
        attempt = first["attempts"][0]
        outcomes[name] = (first["status"], attempt["statusCode"], attempt["failure"])
        if first["status"] == "pending" and len(first["attempts"]) == 1:
            wait = seconds_between(attempt["startedAt"], first["nextAttemptAt"]) - attempt["durationMilliseconds"] / 1000
            low, high = {"429-after": (3600, 3601), "503-after": (7205, 7207)}.get(name, (5, 6))
            assert low <= wait < high + 0.5, (name, wait)
    assert outcomes == {
        "200": ("delivered", 200, None), "204": ("delivered", 204, None), "endless": ("delivered", 200, None),
        "301": ("pending", 301, None), "404": ("pending", 404, None), "429": ("pending", 429, None),
        "429-after": ("pending", 429, None), "503": ("pending", 503, None), "503-after": ("pending", 503, None),
        "410": ("failed", 410, None), "hang": ("pending", None, "timeout"), "drip": ("pending", None, "timeout"),
        "reset": ("pending", None, "interrupted"), "refused": ("pending", None, "unreachable"),
    }
    assert receiver.at("/elsewhere") == []
    gone = hooks_by_name["410"].now
    assert (gone["status"], gone["disabledReason"]) == ("disabled", "gone")
    assert len(receiver.at("/410")) <= 5
    assert hooks_by_name["hang"].now["failingSince"] is not None
    assert "webhookEndpoint.disabled" in [event["type"] for event in client.events()]


def seconds_between(earlier: str, later: str) -> float:
    from datetime import datetime

    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()


SPELLINGS = [
    "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0X7F.1", "0177.0.0.1", "017700000001", "127.0.0.01",
    "127.0.0.1.", "127.255.255.254", "0.0.0.0", "0", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::127.0.0.1]",
    "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]", "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]", "[64:ff9b:1::127.0.0.1]", "[2002:7f00:1::]", "[2001:0:7f00:1::]", "[::1%25lo]", "[::1%lo]",
    "localhost", "LOCALHOST", "localhost.", "a.localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback",
    "%31%32%37.0.0.1", "127%2e0%2e0%2e1", "１２７.0.0.1", "127。0。0。1", "127．0．0．1", "①②⑦.⓪.⓪.①", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
    "8.8.8.8@127.0.0.1", "127.0.0.1\\@8.8.8.8", "127.0.0.1#@8.8.8.8", "127.0.0.1 .example",
    "10.0.0.1", "172.16.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1", "192.0.0.8", "192.0.2.1", "198.18.0.1",
    "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "2852039166", "0xa9fea9fe",
    "[fc00::1]", "[fd00::1]", "[fe80::1]", "[fec0::1]", "[ff02::1]", "[100::1]", "[2001:db8::1]", "[2001:10::1]",
    "[2001:20::1]", "[3fff::1]", "[5f00::1]", "[4000::1]",
]


def test_no_spelling_of_a_private_address_is_taken_nor_connected_to(cluster, template, secret_key, receiver, scratch):
    """Neither when an endpoint is made nor when it is replaced; and what was taken before the rules changed is not sent."""
    url = cluster.database(template)
    server = Server(scratch, *secret_key, *LOOPBACK, database=url).start()
    deployment = Deployment(url, [server], admin_key(url))
    app = deployment.app()
    client = app.client()
    own = socket.gethostname()
    names = ["localhost"] + ([own] if is_private(own) else [])
    hook = Hook(client, receiver.url("/hook"))
    others = [Hook(client, f"http://{name}:{receiver.port}/named") for name in names if resolves_to_loopback(name)]
    client.close()
    assert server.stop() == 0
    # The same endpoints under other rules.
    server.flags = (*secret_key, "--webhook-timeout", "2s")
    server.start()
    client = hook.client = app.client()
    for other in others:
        other.client = client
    spellings = SPELLINGS + names
    for spelling in spellings:
        for scheme in ("https", "http"):
            body = {"url": f"{scheme}://{spelling}:{receiver.port}/hook", "types": ["*"]}
            for reply in (client.post("/v1/webhook-endpoints", body), client.put(hook.path, body)):
                assert reply.status == 422, (spelling, reply)
                assert [error["pointer"] for error in reply.json["errors"]] == ["/url"], (spelling, reply)
    # Plain http, to where https may go.
    assert client.post("/v1/webhook-endpoints", {"url": "http://8.8.8.8/", "types": ["*"]}).status == 422
    # Rows that are there already, in whatever spelling: judged at the attempt.
    rows = [hook, *others]
    ask(client)
    for row in rows:
        [delivery] = row.settled()
        assert delivery["attempts"][0]["failure"] == "blocked"
    with psycopg.connect(url, autocommit=True) as connection:
        for spelling in SPELLINGS:
            connection.execute(
                """
                with copy as (
                    insert into webhook_endpoint
                    select app_id, gen_random_uuid(), %s, types, description, 'enabled', null, null, null, null, secrets,
                        secret_ends, 1, created_at, updated_at
                    from webhook_endpoint where id = %s returning app_id, id
                )
                insert into webhook_position
                select p.app_id, copy.id, p.seq from copy join webhook_position p on p.endpoint_id = %s
                """, [f"http://{spelling}:{receiver.port}/hook", hook.id, hook.id])
        ask(client)
        limit = time.monotonic() + 30
        tried = """
            select count(distinct d.endpoint_id) from webhook_attempt a
            join webhook_delivery d on d.app_id = a.app_id and d.id = a.delivery_id
            """
        while connection.execute(tried).fetchone() != (len(rows) + len(SPELLINGS),):
            assert time.monotonic() < limit, connection.execute(
                "select coalesce(failure, status::text), count(*) from webhook_attempt group by 1").fetchall()
            time.sleep(0.1)
        others = "select count(*) from webhook_attempt where failure is distinct from 'blocked'"
        assert connection.execute(others).fetchone() == (0,)
    assert receiver.connections == 0
    assert any(line.get("setting") == "webhook-allow" for line in server.lines() if line["event"] == "webhook.attempt")
    assert server.stop() == 0


def addresses(name: str) -> set[str]:
    try:
        return {entry[4][0] for entry in socket.getaddrinfo(name, None)}
    except OSError:
        return set()


def is_private(name: str) -> bool:
    import ipaddress

    found = addresses(name)
    return bool(found) and not all(ipaddress.ip_address(address.split("%")[0]).is_global for address in found)


def resolves_to_loopback(name: str) -> bool:
    return bool(found := addresses(name)) and all(address.startswith("127.") for address in found)


def test_a_killed_server_s_deliveries_are_made_by_the_other(deploy, secret_key, receiver):
    deployment = deploy(2, *LOOPBACK, *secret_key)
    app = deployment.app()
    client = app.client()
    gate = threading.Event()

    def held(receiver, connection):
        gate.wait(20)
        return receivers.status(200)(receiver, connection)

    hook = Hook(client, receiver.on("/hook", held))
    for number in range(60):
        ask(client, f"p-{number}")
    # Every place that one endpoint gets is taken, whichever server it was.
    receiver.wait("/hook", 8)
    victim = max(deployment.servers, key=under_way)
    assert under_way(victim) > 0
    victim.kill()
    gate.set()
    client = hook.client = app.client(1 - deployment.servers.index(victim))
    rows = hook.settled(count=60, patience=30)
    assert {row["status"] for row in rows} == {"delivered"}
    wanted = {event["id"] for event in client.events() if event["type"] == "question.created"}
    messages = receiver.at("/hook")
    assert {message.id for message in messages} == wanted and len(wanted) == 60
    times: dict[str, list[float]] = {}
    for message in messages:
        check(message, hook.secret)
        times.setdefault(message.id, []).append(message.at)
    for moments in times.values():
        # A lease of five seconds, less what lay between the claim and the first request's arrival.
        assert len(moments) <= 2 and (len(moments) == 1 or moments[1] - moments[0] > 4), moments
    assert any(len(moments) == 2 for moments in times.values()), "the killed server had sent nothing"


def under_way(server) -> float:
    """Attempts that a server has under way."""
    page = server.client().get("/metrics").body.decode()
    [line] = [line for line in page.splitlines() if line.startswith("assent_webhook_attempts_under_way ")]
    return float(line.split(" ")[1])


def test_five_days_of_failure_disable_an_endpoint_until_it_is_mended(hooks, receiver):
    client = hooks.app().client()
    hook = Hook(client, receiver.on("/hook", receivers.status(500)))
    ask(client)
    hook.settled()
    assert hook.now["status"] == "enabled" and hook.now["failingSince"] is not None
    again = "update webhook_delivery set due_at = now() where endpoint_id = %s and status = 'pending'"
    execute(hooks, "update webhook_endpoint set failing_since = now() - interval '5 days' + interval '1 hour' where id = %s", hook.id)
    execute(hooks, again, hook.id)
    hook.settled(attempts=2)
    assert hook.now["status"] == "enabled"
    execute(hooks, "update webhook_endpoint set failing_since = now() - interval '5 days' where id = %s", hook.id)
    execute(hooks, again, hook.id)
    hook.settled(attempts=3)
    now = hook.now
    assert (now["status"], now["disabledReason"]) == ("disabled", "failing")
    [told] = [event for event in client.events() if event["type"] == "webhookEndpoint.disabled"]
    assert told["data"]["id"] == hook.id
    # Nothing is sent any more, though it be due.
    execute(hooks, again, hook.id)
    question = ask(client)
    time.sleep(1.5)
    assert len(receiver.at("/hook")) == 3
    # Mended: enabled again, and what was missed is sent.
    receiver.on("/hook", receivers.status(200))
    assert hook.replace(status="enabled")["status"] == "enabled"
    client.ok("POST", hook.path + "/redeliveries", {"since": "2020-01-01T00:00:00Z"})
    limit = time.monotonic() + 20
    while len({message.id for message in receiver.at("/hook")}) < 2:
        assert time.monotonic() < limit
        time.sleep(0.05)
    assert question["id"] in [json.loads(message.body)["data"]["id"] for message in receiver.at("/hook")]
    assert hook.now["failingSince"] is None


def test_receivers_must_have_a_certificate_of_theirs_and_trusted(deploy, secret_key, scratch):
    def receiver(name: str) -> Receiver:
        certificate, key = self_signed(scratch, name, "IP:127.0.0.1")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        return Receiver(context)

    trusted, strange = receiver("trusted"), receiver("strange")
    deployment = deploy(1, *LOOPBACK, *secret_key, "--webhook-ca-file", str(scratch / "trusted.pem"))
    client = deployment.app().client()
    hook = Hook(client, trusted.url("/hook"))
    others = [
        # Another authority's, and one for another name.
        Hook(client, strange.url("/hook")), Hook(client, f"https://localhost:{trusted.port}/elsewhere"),
    ]
    ask(client)
    [message] = trusted.wait("/hook", 1)
    check(message, hook.secret)
    for other in others:
        [delivery] = other.settled()
        assert delivery["attempts"][0]["failure"] == "tls"
    assert trusted.at("/elsewhere") == strange.at("/hook") == []
    trusted.close()
    strange.close()


def test_one_event_is_sent_again_with_its_id(hooks, receiver):
    client = hooks.app().client()
    hook = Hook(client, receiver.url("/hook"))
    ask(client)
    [message] = receiver.wait("/hook", 1)
    hook.settled()
    client.ok("POST", hook.path + "/redeliveries", {"event": message.id})
    again = receiver.wait("/hook", 2)[1]
    assert again.id == message.id and again.body == message.body
    check(again, hook.secret)
    [delivery] = hook.settled(attempts=2)
    assert delivery["status"] == "delivered"


def test_a_test_message_is_signed_like_any_other(hooks, receiver):
    client = hooks.app().client()
    hook = Hook(client, receiver.url("/hook"))
    client.ok("POST", hook.path + "/tests", {})
    [message] = receiver.wait("/hook", 1)
    assert check(message, hook.secret)["type"] == "webhookEndpoint.test"
    assert "." not in message.id


def test_deliveries_are_counted_and_neither_log_nor_metrics_tell_of_them(hooks, receiver):
    client = hooks.app().client()
    hook = Hook(client, receiver.on("/private-path", receivers.status(500)))
    ask(client, "person-nobody-may-know")
    hook.settled()
    for server in hooks.servers:
        page = server.client().get("/metrics").body.decode()
        assert "assent_webhook_attempts_total{" in page and "assent_webhook_lag_seconds" in page
        for told in ("private-path", "person-nobody-may-know", hook.secret):
            assert told not in page and told not in server.log_path.read_text()
