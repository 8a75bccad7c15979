"""A newcomer's first hour: every resource once, its bodies compared whole."""

import datetime

from harness.shapes import MOMENT, TEXT, UUID, UUID7, moment, soon

MINOR = {
    "ageRange": {"lowerBound": 13, "upperBound": 15, "declaration": "guardianDeclared"},
    "requiredRegulatoryFeatures": ["significantAppChangeRequiresParentalConsent"],
    "original": {"value": "1.2", "kind": "version", "environment": "production"},
}
ADULT = {
    "ageRange": {"lowerBound": 18, "upperBound": None, "declaration": "confirmed"},
    "requiredRegulatoryFeatures": ["significantAppChangeRequiresAdultNotification"],
}
VIDEO = {
    "introducedIn": {"version": "2.0", "build": "104"},
    "features": ["video"],
    "descriptions": {"en": "Adds video calling and location sharing."},
}
POLICY = {
    "defaultExpirationSeconds": 604800, "askAgainSeconds": 86400, "defaultQuorum": 1,
    "longestExpirationSeconds": 31536000, "requireGuardianLinks": False, "adultNotConfirmed": "block",
    "ageRangeDeclined": "block", "ageUnknown": "block", "featuresUnavailable": "block", "featuresUnknown": "block",
    "featuresUnsupported": "clear", "sandboxExempts": False, "verificationMethods": [], "regions": [],
    "ageRatingOpensChange": False, "reminderSeconds": 86400, "rescissionMarginSeconds": 60,
}


def question(app: str, person: str, **members) -> dict:
    """A question as it reads right after it was asked, but for the members given."""
    return {
        "id": UUID7, "app": app, "person": person, "personRef": UUID, "topic": None, "description": TEXT,
        "language": None, "revision": 1, "state": "pending", "quorum": 1, "expirationDate": MOMENT, "createdAt": MOMENT,
        "resolution": None, "supersededBy": None, "allowedActions": ["approve", "deny", "cancel"],
    } | members


def test_the_whole_tour(deployment):
    admin = deployment.admin
    body = {
        "name": "Reader", "bundleId": "com.example.reader", "allowedOrigins": ["https://app.example"], "policy": POLICY,
    }
    made = admin.put("/v1/apps/tour", body)
    assert made.status == 201 and made.headers["ETag"] == '"1"' and made.headers["Location"] == "/v1/apps/tour"
    app = {
        "id": "tour", "name": "Reader", "bundleId": "com.example.reader", "appAppleId": None,
        "environments": ["production"], "allowedOrigins": ["https://app.example"], "policy": POLICY, "revision": 1,
        "createdAt": MOMENT, "updatedAt": MOMENT,
    }
    assert made.json == app
    again = admin.put("/v1/apps/tour", body)
    assert again.status == 200 and again.json == app
    assert admin.ok("GET", "/v1/apps/tour") == app
    assert app in admin.rows("/v1/apps")

    made = admin.post("/v1/apps/tour/keys", {"role": "service", "label": "backend"})
    key = {
        "id": UUID7, "app": "tour", "role": "service", "label": "backend", "rateLimit": None, "createdAt": MOMENT,
        "revokedAt": None,
    }
    assert made.status == 201 and made.json == key | {"key": TEXT}
    assert made.json["key"].startswith("asnt_tour_")
    assert made.headers["Cache-Control"] == "no-store"
    assert admin.ok("GET", "/v1/apps/tour/keys") == {"data": [key], "nextCursor": None}

    service = deployment.server.client(made.json["key"])
    made = service.put("/v1/changes/video-calls", VIDEO)
    change = {
        "id": "video-calls", "kind": "significantUpdate", **VIDEO, "effectiveFrom": None, "withdrawnAt": None,
        "withdrawalReason": None, "revision": 1, "createdAt": MOMENT, "updatedAt": MOMENT,
    }
    shown = change | {"description": VIDEO["descriptions"]["en"]}
    assert made.status == 201 and made.json == shown | {"warnings": []}
    assert service.ok("GET", "/v1/changes/video-calls") == shown
    assert service.ok("GET", "/v1/changes") == {"data": [change], "nextCursor": None}

    made = service.put("/v1/persons/p-1", MINOR)
    person = {
        "id": "p-1", "personRef": UUID, **MINOR, "region": None, "rescindedAt": None, "revision": 1, "createdAt": MOMENT, "updatedAt": MOMENT,
    }
    assert made.status == 201 and made.json == person and made.headers["Location"] == "/v1/persons/p-1"
    ref = made.json["personRef"]
    assert service.ok("GET", "/v1/persons/p-1") == person

    made = service.put("/v1/persons/p-1/guardians/g-1", {})
    link = {"person": "p-1", "guardian": "g-1", "createdAt": MOMENT}
    assert made.status == 201 and made.json == link
    again = service.put("/v1/persons/p-1/guardians/g-1", {})
    assert again.status == 200 and again.json == made.json
    assert service.ok("GET", "/v1/persons/p-1/guardians") == {"data": [link], "nextCursor": None}

    ask = {
        "person": "p-1", "topic": {"kind": "significantAppUpdate", "change": "video-calls"},
        "expirationDate": soon(400 * 86_400), "quorum": 1,
    }
    far = service.post("/v1/questions", ask)
    assert far.status == 422 and far.slug == "expiration-not-acceptable"
    ask["expirationDate"] = soon(3600)
    made = service.post("/v1/questions", ask)
    asked = question(
        "tour", "p-1", topic=ask["topic"], description="Adds video calling and location sharing.", language="en",
        expirationDate=ask["expirationDate"], personRef=ref)
    assert made.status == 201 and made.json == asked
    id = made.json["id"]
    assert made.headers["Location"] == f"/v1/questions/{id}"
    assert made.headers["ETag"] == '"1-pending"'
    again = service.post("/v1/questions", ask)
    assert again.status == 200 and again.json == made.json | {"existing": True}
    assert again.headers["Location"] in (None, f"/v1/questions/{id}")
    assert service.ok("GET", f"/v1/questions/{id}") == made.json
    unchanged = service.get(f"/v1/questions/{id}", If_None_Match='"1-pending"')
    assert unchanged.status == 304 and unchanged.body == b""
    assert service.ok("GET", "/v1/questions?state=pending&limit=50") == {"data": [asked], "nextCursor": None}
    assert service.ok("GET", "/v1/questions/counts") == {
        "pending": 1, "approved": 0, "denied": 0, "revoked": 0, "expired": 0, "cancelled": 0}

    stranger = service.post(f"/v1/questions/{id}/answers", {"guardian": "g-2", "answer": "approval"})
    assert stranger.status == 422 and stranger.slug == "guardian-not-linked"
    answer = {"guardian": "g-1", "answer": "approval", "reason": "fine by me"}
    approved = service.post(f"/v1/questions/{id}/answers", answer)
    assert approved.status == 200 and approved.headers["ETag"] == '"2-approved"'
    assert approved.json == asked | {
        "id": id, "revision": 2, "state": "approved", "allowedActions": ["deny"],
        "resolution": {"by": "guardian", "guardian": "g-1", "at": MOMENT, "reason": "fine by me"},
    }
    assert service.post(f"/v1/questions/{id}/answers", answer).json == approved.json
    answers = service.ok("GET", f"/v1/questions/{id}/answers")
    assert [(a["guardian"], a["answer"], a["reason"]) for a in answers["data"]] == [("g-1", "approval", "fine by me")]
    late = service.post(f"/v1/questions/{id}/cancellation", {"reason": "too late"})
    assert late.status == 409 and late.slug == "question-decided" and late.json["current"] == approved.json

    # The other topics, each with its own description.
    topics = [
        {"kind": "communication", "handles": ["h-1", "h-2"]}, {"kind": "purchase", "product": "coins"},
        {"kind": "custom", "subject": "screen-time", "reusable": True},
    ]
    asked = [service.ok("POST", "/v1/questions", {"person": "p-1", "topic": topic, "description": "May I?"})
             for topic in topics]
    for body, topic in zip(asked, topics):
        assert body == question("tour", "p-1", topic=topic, description="May I?", personRef=ref)
        lasting = moment(body["expirationDate"]) - moment(body["createdAt"])
        assert lasting == datetime.timedelta(days=7)
    cancelled = service.ok("POST", f"/v1/questions/{asked[0]['id']}/cancellation", {"reason": "never mind"})
    assert cancelled == asked[0] | {
        "revision": 2, "state": "cancelled", "allowedActions": [],
        "resolution": {"by": "child", "at": MOMENT, "reason": "never mind"},
    }

    # Many answers: only what the guardian has seen.
    many = service.ok("POST", "/v1/persons/p-1/answers", {"guardian": "g-1", "answers": [
        {"question": asked[1]["id"], "answer": "denial", "revision": 1},
        {"question": asked[2]["id"], "answer": "approval", "revision": 7},
    ]})
    assert many["data"][0] == {"question": asked[1]["id"], "status": 200}
    stale = many["data"][1]
    assert (stale["question"], stale["status"]) == (asked[2]["id"], 409)
    assert stale["problem"]["type"].endswith("/problems/revision-changed")
    assert stale["problem"]["current"] == asked[2]
    assert service.ok("GET", "/v1/questions/counts") == {
        "pending": 1, "approved": 1, "denied": 1, "revoked": 0, "expired": 0, "cancelled": 1}

    # An adult acknowledges; nobody answers for them.
    assert service.put("/v1/persons/p-2", ADULT).status == 201
    made = service.put("/v1/persons/p-2/acknowledgments/video-calls", {})
    acknowledgment = {"person": "p-2", "change": "video-calls", "acknowledgedAt": MOMENT}
    assert made.status == 201 and made.json == acknowledgment
    again = service.put("/v1/persons/p-2/acknowledgments/video-calls", {})
    assert again.status == 200 and again.json == made.json
    assert service.ok("GET", "/v1/persons/p-2/acknowledgments") == {"data": [acknowledgment], "nextCursor": None}
    adult = service.post("/v1/questions", ask | {"person": "p-2"})
    assert adult.status == 409 and adult.slug == "not-available"
    minor = service.put("/v1/persons/p-1/acknowledgments/video-calls", {})
    assert minor.status == 409 and minor.slug == "not-an-adult"

    assert service.delete("/v1/persons/p-1/guardians/g-1").status == 204

    # What happened, in order, and nothing else.
    events = service.events()
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert [event["type"] for event in events] == [
        "app.updated", "key.created", "change.registered", "person.updated", "guardian.linked", "question.created",
        "question.approved", "question.created", "question.created", "question.created", "question.cancelled",
        "question.denied", "person.updated", "acknowledgment.created", "guardian.unlinked",
    ]
    approval = events[6]
    assert approval == {
        "id": TEXT, "seq": 7, "type": "question.approved", "timestamp": MOMENT, "app": "tour", "person": "p-1",
        "personRef": ref, "revision": 2, "data": approved.json,
        "answer": {
            "guardian": "g-1", "answer": "approval", "reason": "fine by me", "verification": None, "revision": 2,
            "answeredAt": approval["timestamp"], "voidedAt": None,
        },
        "evidence": {
            "personRevision": 1, "ageGroup": "minor", "policyRevision": 1, "quorum": 1,
            "answers": [{"guardian": "g-1", "answer": "approval", "revision": 2}],
        },
    }
    assert [event["type"] for event in service.events(f"/v1/questions/{id}/events")] == [
        "question.created", "question.approved"]
    beyond = service.ok("GET", f"/v1/events?after={events[-1]['id']}")
    assert beyond == {"data": [], "nextCursor": events[-1]["id"]}


def test_silence_expires_by_reading_and_by_the_sweeper(client):
    body = {"person": "p-1", "topic": {"kind": "custom", "subject": "s"}, "description": "d", "expirationDate": soon(1.5)}
    asked = client.ok("POST", "/v1/questions", body)
    limit = moment(asked["expirationDate"])
    while True:
        before = datetime.datetime.now(datetime.timezone.utc)
        read = client.ok("GET", f"/v1/questions/{asked['id']}")
        if before >= limit:
            break
    # Whether or not a sweep has run: past the expiration nobody reads pending.
    assert read == asked | {
        "revision": read["revision"], "state": "expired", "allowedActions": [],
        "resolution": {"by": "silence", "at": asked["expirationDate"], "reason": None},
    }
    late = client.post(f"/v1/questions/{asked['id']}/answers", {"guardian": "g", "answer": "approval"})
    assert late.status == 409 and late.slug == "question-expired"
    assert late.json["current"] == read | {"revision": late.json["current"]["revision"]}
    while client.events()[-1]["type"] != "question.expired":
        assert datetime.datetime.now(datetime.timezone.utc) < limit + datetime.timedelta(seconds=5)
    event = client.events()[-1]
    assert event["revision"] == 2 and event["data"] == read | {"revision": 2}
    assert moment(event["timestamp"]) >= limit
