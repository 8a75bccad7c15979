"""What somebody may do at launch, from the first registration to a decision, over HTTP."""

import datetime

from harness.shapes import UUID7, moment, soon

CONSENT = "significantAppChangeRequiresParentalConsent"
NOTICE = "significantAppChangeRequiresAdultNotification"
RANGES = {
    "minor": {"lowerBound": 13, "upperBound": 15, "declaration": "guardianDeclared"},
    "unconfirmed": {"lowerBound": 18, "declaration": "selfDeclared"},
    "confirmed": {"lowerBound": 18, "declaration": "confirmed"},
    "straddling": {"lowerBound": 16, "upperBound": 18},
}
TEXT = {"en": "Adds video calling and location sharing."}


def access(client, person, query="") -> dict:
    return client.ok("GET", f"/v1/persons/{person}/access{query}")


def register(client, person, range=None, features=None, **members):
    range = RANGES.get(range, range) if isinstance(range, str) else range
    body = {"ageRange": range, "requiredRegulatoryFeatures": features} | members
    client.ok("PUT", f"/v1/persons/{person}", {name: value for name, value in body.items() if value is not None})


def change(client, id="video-calls", version="2.0", features=("video",), build=None):
    body = {"introducedIn": {"version": version, "build": build}, "descriptions": TEXT}
    client.ok("PUT", f"/v1/changes/{id}", body | ({"features": list(features)} if features else {}))


def ask(client, person, change="video-calls", **members) -> dict:
    topic = {"kind": "significantAppUpdate", "change": change}
    return client.ok("POST", "/v1/questions", {"person": person, "topic": topic} | members)


def test_a_guardians_word_from_asking_to_taking_it_back(client):
    change(client)
    register(client, "p-1", "minor", [CONSENT])
    blocked = {"app": False, "features": ["video"]}

    def expect(phase, status, question=None, reason=None, until=None):
        assert access(client, "p-1") == {
            "phase": phase, "reason": reason,
            "blocked": {"app": False, "features": []} if phase == "clear" else blocked,
            "changes": [{"change": "video-calls", "status": status, "question": question}], "validUntil": until,
        }

    expect("askGuardian", "required")
    asked = ask(client, "p-1")
    id = asked["id"]
    assert id == UUID7
    expect("awaitingGuardian", "pending", id, until=asked["expirationDate"])
    for answer, phase, status, reason in [
        ("denial", "blocked", "denied", "guardianDenied"), ("approval", "clear", "approved", None),
        ("denial", "blocked", "revoked", "guardianRevoked"), ("approval", "clear", "approved", None),
    ]:
        client.ok("POST", f"/v1/questions/{id}/answers", {"guardian": "g-1", "answer": answer})
        expect(phase, status, id, reason)

    change(client, "chat", features=None)
    both = access(client, "p-1")
    assert both["phase"] == "askGuardian" and both["blocked"] == {"app": True, "features": []}
    assert [(one["change"], one["status"]) for one in both["changes"]] == [
        ("chat", "required"), ("video-calls", "approved")]
    cancelled = ask(client, "p-1", "chat")
    client.ok("POST", f"/v1/questions/{cancelled['id']}/cancellation", {})
    assert access(client, "p-1")["changes"][0] == {
        "change": "chat", "status": "cancelled", "question": cancelled["id"]}
    assert access(client, "p-1")["phase"] == "askGuardian"


def test_silence_ends_waiting_at_the_moment_told(client):
    change(client)
    register(client, "p-1", "minor", [CONSENT])
    asked = ask(client, "p-1", expirationDate=soon(1.5))
    limit = moment(asked["expirationDate"])
    tag = None
    while True:
        before = datetime.datetime.now(datetime.timezone.utc)
        reply = client.get("/v1/persons/p-1/access", **({"If_None_Match": tag} if tag else {}))
        if before >= limit:
            break
        if reply.status == 200 and reply.json["phase"] == "awaitingGuardian":
            assert reply.json["validUntil"] == asked["expirationDate"] and tag is None
            tag = reply.headers["ETag"]
        else:
            # Either nothing has changed, or the moment passed while the request was on its way.
            assert reply.status == 304 or datetime.datetime.now(datetime.timezone.utc) >= limit
    decision = access(client, "p-1")
    assert (decision["phase"], decision["validUntil"]) == ("askGuardian", None)
    assert decision["changes"] == [{"change": "video-calls", "status": "expired", "question": asked["id"]}]


def test_who_is_known_by_what(client):
    change(client)
    every = [CONSENT, NOTICE]
    rows = [
        ("minor", [], "clear", None), ("minor", [NOTICE], "clear", None), ("minor", every, "askGuardian", None),
        ("unconfirmed", every, "blocked", "adultNotConfirmed"), ("confirmed", every, "acknowledge", None),
        ("confirmed", [CONSENT], "clear", None), ("straddling", every, "blocked", "ageUnknown"),
        (None, every, "blocked", "ageUnknown"), (None, [], "clear", None),
        ("declined", every, "blocked", "ageRangeDeclined"), ("confirmed", [NOTICE, "new"], "blocked", "featuresUnknown"),
        ("confirmed", "unavailable", "blocked", "featuresUnavailable"), ("minor", "unsupported", "clear", None),
        ("confirmed", None, "blocked", "featuresUnavailable"),
    ]
    for number, (range, features, phase, reason) in enumerate(rows):
        register(client, f"p-{number}", range, features)
        decision = access(client, f"p-{number}")
        assert (decision["phase"], decision["reason"]) == (phase, reason), rows[number]
    client.ok("PUT", "/v1/persons/p-4/acknowledgments/video-calls", {})
    decision = access(client, "p-4")
    assert decision["phase"] == "clear" and decision["changes"][0]["status"] == "acknowledged"


def test_a_fresh_install_has_nothing_to_consent_to(client):
    change(client, version="1.10", build="104")

    def status(value, kind, environment="production"):
        original = {"value": value, "kind": kind, "environment": environment}
        register(client, "p-1", "minor", [CONSENT], original=original)
        decision = access(client, "p-1")
        assert (decision["phase"] == "clear") == (decision["changes"][0]["status"] == "exempt")
        return decision["changes"][0]["status"]

    assert status("1.9", "version") == "required"
    assert status("1.10.0", "version") == "exempt"
    assert status("2", "version") == "exempt"
    assert status("103", "build") == "required"
    assert status("104", "build") == "exempt"
    assert status("1.10 beta", "version") == "required"
    assert status("99", "version", "sandbox") == "required"


def test_an_apps_policy(deployment):
    regions = [{"region": "BR", "duties": [CONSENT, NOTICE], "selfConsentAge": 16}]
    app = deployment.app(
        adultNotConfirmed="acknowledge", ageUnknown="treatAsMinor", featuresUnavailable="clear", sandboxExempts=True,
        regions=regions)
    client = app.client()
    change(client)
    register(client, "unconfirmed", "unconfirmed", [CONSENT, NOTICE])
    register(client, "unknown", None, [CONSENT])
    register(client, "unavailable", "minor", "unavailable")
    register(client, "sixteen", {"lowerBound": 16, "upperBound": 17, "declaration": "confirmed"}, region="BR-SP")
    register(client, "younger", {"lowerBound": 13, "upperBound": 15}, region="BR")
    register(client, "sandbox", "minor", [CONSENT], original={
        "value": "2.0", "kind": "version", "environment": "sandbox"})
    persons = ["unconfirmed", "unknown", "unavailable", "sixteen", "younger", "sandbox"]
    many = client.ok("POST", "/v1/access-decisions", {"persons": persons})
    assert [one["phase"] for one in many["data"]] == [
        "acknowledge", "askGuardian", "clear", "acknowledge", "askGuardian", "clear"]
    client.ok("PUT", "/v1/persons/sixteen/acknowledgments/video-calls", {})
    assert access(client, "sixteen")["phase"] == "clear"
    assert client.put("/v1/persons/younger/acknowledgments/video-calls", {}).slug == "not-an-adult"
    client.close()


def test_many_at_once_are_as_each_alone(client):
    for number in range(5):
        change(client, f"c-{number}", features=(f"f-{number}",))
    persons = [f"p-{number}" for number in range(120)]
    for number, person in enumerate(persons):
        register(client, person, list(RANGES)[number % 4], [CONSENT, NOTICE])
    for person in persons[::4]:
        ask(client, person, "c-2")
    asked = persons[::-1] + ["nobody"] + persons[:7]
    many = client.ok("POST", "/v1/access-decisions", {"persons": asked})["data"]
    assert [one["person"] for one in many] == asked
    for one in many:
        if one["person"] == "nobody":
            assert (one["phase"], one["reason"], one["changes"]) == ("blocked", "ageUnknown", [])
        else:
            alone = access(client, one["person"])
            assert one == {"person": one["person"]} | alone
    assert client.get("/v1/persons/nobody/access").slug == "person-not-found"
    assert client.post("/v1/access-decisions", {"persons": ["p"] * 501}).status == 422


def test_where_the_next_step_can_be_taken(client):
    change(client)
    register(client, "child", "minor", [CONSENT])
    register(client, "adult", "confirmed", [NOTICE])
    assert "remedy" not in access(client, "child")
    for platform, asking, acknowledging in [
        ("iOS", "here", "here"), ("iPadOS", "here", "here"), ("visionOS", "here", "here"),
        ("macOS", "here", "hostedPage"), ("tvOS", "anotherDevice", "anotherDevice"),
        ("watchOS", "anotherDevice", "anotherDevice"), ("web", "hostedPage", "hostedPage"),
    ]:
        assert access(client, "child", f"?platform={platform}")["remedy"] == asking
        assert access(client, "adult", f"?platform={platform}")["remedy"] == acknowledging
    ask(client, "child")
    assert access(client, "child", "?platform=tvOS")["remedy"] is None
    unknown = client.get("/v1/persons/child/access?platform=android")
    assert unknown.status == 400 and unknown.json["parameter"] == "platform"


def test_operators_see_how_many_devices_are_too_old(client):
    def counted() -> dict:
        lines = client.get("/metrics").body.decode().splitlines()
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)
                if name.startswith("assent_access_")}

    change(client)
    register(client, "old", "minor", "unsupported")
    register(client, "child", "minor", [CONSENT])
    before = counted()
    access(client, "old")
    client.ok("POST", "/v1/access-decisions", {"persons": ["old", "child", "nobody", "old"]})
    rise = {name: value - before[name] for name, value in counted().items()}
    assert {name: value for name, value in rise.items() if value} == {
        "assent_access_unsupported_total": 3,
        'assent_access_decisions_total{phase="clear"}': 3,
        'assent_access_decisions_total{phase="askGuardian"}': 1,
        'assent_access_decisions_total{phase="blocked"}': 1,
    }
