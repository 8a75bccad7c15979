"""What an operator lets go: old events and questions, where told so, and nothing that a decision rests on."""

import time

import psycopg

from assent_process import Server, run


def ask(client, product: str) -> dict:
    topic = {"kind": "purchase", "product": product}
    response = client.post("/v1/questions", json={"person": "p", "topic": topic, "description": "May I?"})
    assert response.status_code == 201
    return response.json()


def test_old_events_and_questions_go_where_told_so(folder, start, request):
    keeper = start(folder)
    with keeper.client(folder.key("demo")) as client:
        client.put("/v1/changes/video", json={"introducedIn": {"version": "2.0"}, "descriptions": {"en": "Adds video."}})
        consent = client.post("/v1/questions", json={
            "person": "p", "topic": {"kind": "significantAppUpdate", "change": "video"}}).json()
        client.post(f"/v1/questions/{consent['id']}/answers", json={"guardian": "g", "answer": "approval"})
        over = ask(client, "gem")
        client.post(f"/v1/questions/{over['id']}/cancellation", json={})
        before = client.get("/v1/events?limit=100").json()
        access = client.get("/v1/persons/p/access").json()
        with psycopg.connect(folder.database_url(), autocommit=True) as database:
            database.execute(
                "update question set created_at = created_at - interval '60 days', updated_at = updated_at - interval '60 days',"
                " expiration = expiration - interval '60 days', resolved_at = resolved_at - interval '60 days'")
            database.execute("update event set at = at - interval '60 days'")
        young = ask(client, "hat")
        old = client.get("/v1/events", params={"after": before["nextCursor"]}).json()["data"]

        # Whoever was told to keep everything does; the second one was not.
        second = Server("--keep-events-days", "30", "--keep-questions-days", "45", DATABASE_URL=folder.database_url())
        request.addfinalizer(second.end)
        second.ready()
        # The first one may have the app in hand when the second looks; it looks again after a minute.
        deadline = time.monotonic() + 100
        while client.get(f"/v1/questions/{over['id']}").status_code != 404:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        kept = client.get("/v1/events").json()["data"]
        assert kept == old and [event["type"] for event in kept] == ["question.created"]
        assert kept[0]["seq"] == len(before["data"]) + 1
        assert client.get("/v1/events", params={"after": before["nextCursor"]}).json()["data"] == kept
        refused = client.get("/v1/events", params={"after": before["data"][0]["id"]})
        assert refused.status_code == 400 and refused.json()["parameter"] == "after"
        assert client.get(f"/v1/questions/{consent['id']}").json()["state"] == "approved"
        assert client.get(f"/v1/questions/{young['id']}").json()["state"] == "pending"
        now = client.get("/v1/persons/p/access").json()
        assert now == access
        with second.client() as metrics:
            page = metrics.get("/metrics").text
        assert f'assent_retention_rows_total{{kind="events"}} {len(before["data"])}' in page.splitlines()
        assert 'assent_retention_rows_total{kind="questions"} 1' in page.splitlines()


def test_questions_do_not_go_before_their_events(folder):
    for arguments in (["--keep-questions-days", "30"], ["--keep-questions-days", "30", "--keep-events-days", "31"]):
        refused = run("serve", "--embedded", "--data-dir", str(folder.data), *arguments)
        assert refused.returncode == 2
        assert "--keep-events-days" in refused.stderr
    assert "--keep-questions-days" in run("serve", "--help").stdout
