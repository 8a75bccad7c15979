"""Many questions expire in silence at once; every one is resolved, once, while others are served."""

import datetime
import time

import psycopg

from harness.overdue import seed
from test_races import custom


def test_thousands_expire_once_on_two_instances(deploy):
    deployment = deploy(2)
    apps = [deployment.app() for _ in range(3)]
    limit = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=2)
    with psycopg.connect(deployment.database, autocommit=True) as database:
        for app in apps:
            seed(database, app.id, 1500, limit)
        client = apps[0].client()
        served = 0
        deadline = time.monotonic() + 60
        while True:
            # Those who ask and answer meanwhile are served.
            asked = client.ok("POST", "/v1/questions", custom(f"p-{served}"))
            client.ok("POST", f"/v1/questions/{asked['id']}/answers", {"guardian": "g", "answer": "approval"})
            served += 1
            left = database.execute("select count(*) from question where state = 'pending'").fetchone()[0]
            if left == 0:
                break
            if datetime.datetime.now(datetime.timezone.utc) > limit:
                # Swept or not, nobody reads one as pending any more.
                assert client.ok("GET", "/v1/questions?state=pending&limit=1")["data"] == []
            assert time.monotonic() < deadline, f"{left} questions are left"
        rows = database.execute(
            "select app_id, count(*), count(distinct question_id), min(revision), max(revision) from event"
            " where type = 'question.expired' group by 1").fetchall()
        assert sorted(rows) == [(app.id, 1500, 1500, 2, 2) for app in apps]
        assert database.execute(
            "select count(*) from question where state = 'expired' and resolved_by = 'silence' and resolved_at = expiration"
            " and revision = 2").fetchone() == (4500,)
        gaps = database.execute("select app_id from event group by 1 having max(seq) <> count(*)").fetchall()
        assert gaps == []
    events = client.events()
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    for event in events:
        if event["type"] == "question.expired":
            assert event["data"]["state"] == "expired" and event["data"]["resolution"]["by"] == "silence"
            assert datetime.datetime.fromisoformat(event["timestamp"]) >= limit.replace(microsecond=limit.microsecond // 1000 * 1000)
    assert client.ok("GET", "/v1/questions/counts")["expired"] == 1500
