"""Browsers' tokens from outside: judged by an independent library, ended by rotation, revocation and time."""

import base64
import http.client
import os
import pathlib
import threading
import time

import jwt
import pytest

from harness import server as processes
from harness.client import Client
from harness.fixtures import App, Deployment, admin_key, secret_key
from harness.server import Server

PERSON = ["question.read", "question.create", "question.cancel", "access.read", "events.read"]
GUARDIAN = ["question.read", "question.answer", "events.read"]


@pytest.fixture
def keyed(database, scratch):
    """Two servers with one secret key, and where to write another."""
    flags = secret_key(scratch)
    path = pathlib.Path(flags[1])
    servers = [Server(scratch, *flags, database=database, name=f"server-{n}") for n in range(2)]
    try:
        for server in servers:
            server.start()
        yield Deployment(database, servers, admin_key(database)), path
    finally:
        for server in servers:
            server.stop()


def mint(app: App, server: int = 0, **body) -> str:
    client = app.client(server)
    try:
        return client.ok("POST", "/v1/tokens", body)["token"]
    finally:
        client.close()


def bearer(app: App, token: str, server: int = 0) -> Client:
    return Client(app.deployment.servers[server].port, token)


def published(deployment: Deployment, server: int = 0) -> dict[str, jwt.PyJWK]:
    page = deployment.servers[server].client().get("/.well-known/jwks.json")
    assert page.status == 200 and page.headers["Cache-Control"] == "public, max-age=300"
    return {key["kid"]: jwt.PyJWK(key) for key in page.json["keys"]}


def judge(deployment: Deployment, app: App, token: str, server: int = 0) -> dict:
    key = published(deployment, server)[jwt.get_unverified_header(token)["kid"]]
    return jwt.decode(
        token, key, algorithms=["ES256"], audience=app.id, issuer="assent",
        options={"require": ["exp", "iat", "iss", "aud", "sub", "jti"]})


def test_an_independent_library_agrees(keyed):
    deployment, _ = keyed
    app = deployment.app()
    app.client().put("/v1/persons/p-1", {})
    ref = app.client().ok("GET", "/v1/persons/p-1")["personRef"]
    claims = judge(deployment, app, mint(app, person="p-1", actions=PERSON, expiresInSeconds=60), server=1)
    assert (claims["sub"], claims["kind"], claims["ref"]) == ("p-1", "person", ref)
    assert sorted(claims["actions"]) == sorted(PERSON)
    assert claims["exp"] - claims["iat"] == 60 and abs(claims["iat"] - time.time()) < 5
    claims = judge(deployment, app, mint(app, guardian="ü\"\\g", actions=GUARDIAN))
    assert (claims["sub"], claims["kind"], "ref" in claims) == ("ü\"\\g", "guardian", False)
    # What the library signs with keys of its own is refused here.
    for algorithm, secret in [("HS256", "x" * 32), ("none", None)]:
        forged = jwt.encode(claims, secret, algorithm=algorithm)
        assert bearer(app, forged).get("/v1/questions").slug == "unauthenticated"
    with pytest.raises(jwt.InvalidAudienceError):
        judge(deployment, App("other", "", deployment), mint(app, person="p-1", actions=PERSON))


def test_a_child_asks_and_a_guardian_answers(keyed):
    deployment, _ = keyed
    app = deployment.app()
    app.client().put("/v1/persons/p-1/guardians/g-1", {})
    child = bearer(app, mint(app, person="p-1", actions=PERSON))
    guardian = bearer(app, mint(app, server=1, guardian="g-1", actions=GUARDIAN), server=1)
    body = {"person": "p-1", "topic": {"kind": "custom", "subject": "s"}, "description": "d"}
    asked = child.ok("POST", "/v1/questions", body)
    waiting = guardian.ok("GET", "/v1/questions?state=pending")["data"]
    assert [question["id"] for question in waiting] == [asked["id"]]
    guardian.ok("POST", f"/v1/questions/{asked['id']}/answers", {"guardian": "g-1", "answer": "approval"})
    assert child.ok("GET", f"/v1/questions/{asked['id']}")["state"] == "approved"
    assert child.put("/v1/persons/p-1", {}).slug == "token-not-allowed"
    assert guardian.put("/v1/persons/p-1/guardians/g-2", {}).slug == "token-not-allowed"


def stream(app: App, token: str, server: int) -> threading.Event:
    """Set when the stream ends; it must have been answered with 200."""
    over = threading.Event()
    connection = http.client.HTTPConnection("127.0.0.1", app.deployment.servers[server].port, timeout=60)
    connection.request(
        "GET", "/v1/events", headers={"Authorization": f"Bearer {token}", "Accept": "text/event-stream"})
    answer = connection.getresponse()
    assert answer.status == 200

    def read():
        while answer.readline():
            pass
        over.set()

    threading.Thread(target=read, daemon=True).start()
    return over


def test_a_revoked_key_ends_its_tokens_on_every_server(keyed):
    deployment, _ = keyed
    app = deployment.app()
    app.client().put("/v1/persons/p-1/guardians/g-1", {})
    admin = deployment.admin
    made = admin.ok("POST", f"/v1/apps/{app.id}/keys", {"role": "service"})
    maker = App(app.id, made["key"], deployment)
    tokens = [mint(maker, person="p-1", actions=PERSON), mint(maker, guardian="g-1", actions=GUARDIAN)]
    others = mint(app, person="p-1", actions=PERSON)
    streams = [stream(app, token, server) for token in tokens for server in range(2)]
    kept = stream(app, others, 1)
    for token in tokens:
        for server in range(2):
            assert bearer(app, token, server).get("/v1/questions").status == 200
    admin.ok("DELETE", f"/v1/apps/{app.id}/keys/{made['id']}")
    began = time.monotonic()
    for over in streams:
        assert over.wait(5 - (time.monotonic() - began))
    for token in tokens:
        for server in range(2):
            while bearer(app, token, server).get("/v1/questions").status == 200:
                assert time.monotonic() - began < 5
                time.sleep(0.1)
            assert bearer(app, token, server).get("/v1/questions").slug == "unauthenticated"
    assert not kept.is_set() and bearer(app, others).get("/v1/questions").status == 200


def test_streams_end_when_the_token_does(keyed):
    deployment, _ = keyed
    app = deployment.app()
    app.client().put("/v1/persons/p-1", {})
    began = time.monotonic()
    over = stream(app, mint(app, person="p-1", actions=PERSON, expiresInSeconds=3), 1)
    assert over.wait(6) and time.monotonic() - began > 0.9


def test_keys_follow_each_other_while_tokens_live(keyed):
    deployment, path = keyed
    app = deployment.app()
    before = mint(app, guardian="g-1", actions=GUARDIAN)
    assert len(published(deployment)) == 1

    def rotate(*flags):
        return processes.run(
            "signing-key", "rotate", *flags, database=deployment.database, ASSENT_SECRET_KEY_FILE=str(path))

    def kid(token):
        return jwt.get_unverified_header(token)["kid"]

    made = rotate()
    assert made.returncode == 0, made.stderr
    fresh = made.stdout.split()[0]
    limit = time.monotonic() + 5
    while fresh not in published(deployment, 1):
        assert time.monotonic() < limit
        time.sleep(0.1)
    # Published, and not signing yet.
    assert kid(mint(app, guardian="g-1", actions=GUARDIAN)) == kid(before)
    listed = processes.run("signing-key", "list", database=deployment.database).stdout.splitlines()
    assert [line.split()[1] for line in listed] == ["signs", "next"]
    # A theft: the third signs at once, and nothing else is good any more.
    made = rotate("--at-once")
    assert made.returncode == 0, made.stderr
    third = made.stdout.split()[0]
    limit = time.monotonic() + 5
    for server in range(2):
        while bearer(app, before, server).get("/v1/questions").status == 200:
            assert time.monotonic() < limit
            time.sleep(0.1)
        after = mint(app, server, guardian="g-1", actions=GUARDIAN)
        assert kid(after) == third and list(published(deployment, server)) == [third]
        judge(deployment, app, after, server)
        assert bearer(app, after, 1 - server).get("/v1/questions").status == 200


def test_the_operators_key_is_replaced(keyed):
    deployment, path = keyed
    app = deployment.app()
    before = mint(app, guardian="g-1", actions=GUARDIAN)
    old = path.read_text().strip()
    new = base64.b64encode(os.urandom(32)).decode()
    for text in [f"{new},{old}", new]:
        path.write_text(text)
        for server in deployment.servers:
            server.stop()
            server.start()
        # The signing key is sealed under the old one; what it signed is verified without either.
        assert bearer(app, before).get("/v1/questions").status == 200
        reply = app.client().post("/v1/tokens", {"guardian": "g-1", "actions": GUARDIAN})
        assert (reply.status, reply.slug) == ((201, None) if "," in text else (503, "secret-key-not-configured"))
    processes.run("signing-key", "rotate", "--at-once", database=deployment.database, ASSENT_SECRET_KEY=new)
    limit = time.monotonic() + 5
    while app.client().post("/v1/tokens", {"guardian": "g-1", "actions": GUARDIAN}).status != 201:
        assert time.monotonic() < limit
        time.sleep(0.1)


def test_without_a_secret_key_everything_else_works(database, scratch):
    deployment = Deployment(database, [Server(scratch, database=database).start()], admin_key(database))
    try:
        without_a_secret_key(deployment)
    finally:
        deployment.server.stop()
    # The doctor says so; what is no key stops the start, and neither shows it.
    assert "no secret key is set" in processes.run("doctor", database=database).stdout
    for text in ["c2VjcmV0", "secret", ","]:
        refused = processes.run("serve", database=database, ASSENT_SECRET_KEY=text)
        assert refused.returncode == 2 and "ASSENT_SECRET_KEY must be 32 bytes" in refused.stderr
        assert text == "," or text not in refused.stderr


def without_a_secret_key(deployment):
    app = deployment.app()
    reply = app.client().post("/v1/tokens", {"person": "p-1", "actions": PERSON})
    assert (reply.status, reply.slug) == (503, "secret-key-not-configured") and reply.headers["Retry-After"]
    assert app.client().put("/v1/persons/p-1", {}).status == 201
    assert deployment.server.client().get("/.well-known/jwks.json").json == {"keys": []}
