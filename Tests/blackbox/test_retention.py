"""What an operator lets go: old events and questions, where told so, and nothing that a decision rests on."""

import time

import psycopg

from harness import server as processes
from harness.metrics import value
from harness.server import Server


def ask(client, product: str) -> dict:
    topic = {"kind": "purchase", "product": product}
    return client.ok("POST", "/v1/questions", {"person": "p", "topic": topic, "description": "May I?"})


def test_old_events_and_questions_go_where_told_so(deploy, scratch):
    deployment = deploy()
    client = deployment.app().client()
    client.ok("PUT", "/v1/changes/video", {"introducedIn": {"version": "2.0"}, "descriptions": {"en": "Adds video."}})
    consent = client.ok("POST", "/v1/questions", {"person": "p", "topic": {"kind": "significantAppUpdate", "change": "video"}})
    client.ok("POST", f"/v1/questions/{consent['id']}/answers", {"guardian": "g", "answer": "approval"})
    over = ask(client, "gem")
    client.ok("POST", f"/v1/questions/{over['id']}/cancellation", {})
    before = client.ok("GET", "/v1/events?limit=100")
    access = client.ok("GET", "/v1/persons/p/access")
    with psycopg.connect(deployment.database, autocommit=True) as database:
        database.execute(
            "update question set created_at = created_at - interval '60 days', updated_at = updated_at - interval '60 days',"
            " expiration = expiration - interval '60 days', resolved_at = resolved_at - interval '60 days'")
        database.execute("update event set at = at - interval '60 days'")
    young = ask(client, "hat")
    last = f"/v1/events?after={before['nextCursor']}"
    old = client.ok("GET", last)["data"]

    # Whoever was told to keep everything does; the second one was not.
    second = Server(
        scratch, "--keep-events-days", "30", "--keep-questions-days", "45", database=deployment.database, name="second")
    try:
        second.start()
        # The first one may have the app in hand when the second looks; it looks again after a minute.
        limit = time.monotonic() + 100
        while client.get(f"/v1/questions/{over['id']}").status != 404:
            assert time.monotonic() < limit
            time.sleep(0.1)
        kept = client.ok("GET", "/v1/events")["data"]
        assert kept == old and [event["type"] for event in kept] == ["question.created"]
        assert kept[0]["seq"] == len(before["data"]) + 1
        assert client.ok("GET", last)["data"] == kept
        refused = client.get(f"/v1/events?after={before['data'][0]['id']}")
        assert refused.status == 400 and refused.json["parameter"] == "after"
        assert client.ok("GET", f"/v1/questions/{consent['id']}")["state"] == "approved"
        assert client.ok("GET", f"/v1/questions/{young['id']}")["state"] == "pending"
        assert client.ok("GET", "/v1/persons/p/access") == access
        assert value(second, "assent_retention_rows_total", kind="events") == len(before["data"])
        assert value(second, "assent_retention_rows_total", kind="questions") == 1
    finally:
        second.stop()


def test_questions_do_not_go_before_their_events(scratch):
    for arguments in (["--keep-questions-days", "30"], ["--keep-questions-days", "30", "--keep-events-days", "31"]):
        refused = processes.run("serve", "--embedded", "--data-dir", str(scratch / "data"), *arguments)
        assert refused.returncode == 2
        assert "--keep-events-days" in refused.stderr
    assert "--keep-questions-days" in processes.run("serve", "--help").stdout
