"""Bodies, queries and headers that are wrong: each is told what is wrong with it, all at once, and leaves nothing behind."""

import json
import urllib.parse
import uuid

import pytest

from harness.shapes import soon
from test_tour import ADULT, MINOR, VIDEO


@pytest.fixture
def untouched(client):
    """What the test sends may leave nothing behind: no event, no person, no question."""
    before = client.events()
    yield
    assert client.events() == before
    assert client.ok("GET", "/v1/questions")["data"] == []
    assert client.get("/v1/persons/p").status == 404


ASK = {"person": "p", "topic": {"kind": "custom", "subject": "s"}, "description": "d"}
GOOD = b'{"person":"p","topic":{"kind":"custom","subject":"s"},"description":"d"}'


def with_description(raw: bytes) -> bytes:
    return GOOD.replace(b'"d"', raw)


@pytest.mark.parametrize("body", [
    b"", b" ", b"{", b"}", GOOD[:-1], GOOD + b"}", GOOD + GOOD, GOOD + b" x", GOOD + b"\0",
    b"\xef\xbb\xbf" + GOOD, GOOD.decode().encode("utf-16"), GOOD.decode().encode("utf-16-le"), GOOD.decode().encode("utf-32"),
    GOOD[:-1] + b",}", GOOD[:-1] + b',"handles":["a",]}', GOOD[:-1] + b"/* a */}", GOOD[:-1] + b"// a\n}",
    GOOD.replace(b'"', b"'"), GOOD.replace(b'"person"', b"person"),
    GOOD[:-1] + b',"person":"q"}', GOOD[:-1] + b',"\\u0070erson":"q"}', GOOD.replace(b'"subject"', b'"kind":"custom","subject"'),
    with_description(b'"a\\u0000b"'), with_description(b'"a\0b"'), GOOD.replace(b'"person"', b'"pers\\u0000on"'),
    with_description(b'"\\ud800"'), with_description(b'"\\udc00\\ud800"'), with_description(b'"\\ud800x"'),
    with_description(b'"\xff"'), with_description(b'"\xc0\x80"'), with_description(b'"\xed\xa0\x80"'), with_description(b'"\xf4\x90\x80\x80"'),
    with_description(b'"a\nb"'), with_description(b'"a\tb"'), with_description(b'"a\\xb"'), with_description(b'"a\\u12"'),
    with_description(b'"open'), with_description(b"NaN"), with_description(b"Infinity"), with_description(b"-"), with_description(b"01"),
    with_description(b"+1"), with_description(b".5"), with_description(b"1."), with_description(b"1e"), with_description(b"0x1p3"),
    with_description(b"1e400"), with_description(b"18446744073709551616"), with_description(b"-9223372036854775809"),
    with_description(b"tru"), with_description(b"nulL"), with_description(b"undefined"),
    with_description(b"[" * 40 + b"]" * 40), b"[" * 30_000, b"[" * 30_000 + b"]" * 30_000, b'{"a":' * 10_000,
], ids=range(56))
@pytest.mark.usefixtures("untouched")
def test_what_is_not_json_is_400(client, body):
    for path in ("/v1/questions", "/v1/persons/p/answers"):
        reply = client.post(path, body, Content_Type="application/json")
        assert reply.status == 400 and reply.slug == "malformed-body", reply
        assert reply.json["detail"]


# Method, path, body, and every pointer that must be named, no more and no fewer.
WRONG = [
    *[("POST", "/v1/questions", body, {""}) for body in ([], None, "text", 5, True)],
    ("POST", "/v1/questions", {}, {"/person", "/topic"}),
    ("POST", "/v1/questions", ASK | {"description": None}, {"/description"}),
    ("POST", "/v1/questions", {
        "person": 5, "topic": {"kind": "custom", "subject": "", "reusable": "yes", "handles": [], "x": 1}, "description": "",
        "language": "not a tag!", "expirationDate": "2026-02-30T00:00:00Z", "quorum": 0, "extra": True, "state": "approved",
    }, {"/person", "/topic/subject", "/topic/reusable", "/topic/handles", "/topic/x", "/description", "/language",
        "/expirationDate", "/quorum", "/extra", "/state"}),
    ("POST", "/v1/questions", ASK | {"topic": {"kind": "wish"}}, {"/topic/kind"}),
    ("POST", "/v1/questions", ASK | {"topic": "custom"}, {"/topic"}),
    ("POST", "/v1/questions", ASK | {"topic": {"kind": "communication", "handles": []}}, {"/topic/handles"}),
    ("POST", "/v1/questions", ASK | {"topic": {"kind": "communication", "handles": ["a", 5, "", "x" * 129, None, "a\u0001"]}},
     {"/topic/handles/1", "/topic/handles/2", "/topic/handles/3", "/topic/handles/4", "/topic/handles/5"}),
    ("POST", "/v1/questions", ASK | {"topic": {"kind": "communication", "handles": ["a"] * 101}}, {"/topic/handles"}),
    ("POST", "/v1/questions", ASK | {"topic": {"kind": "purchase"}}, {"/topic/product"}),
    ("POST", "/v1/questions", ASK | {"topic": {"kind": "significantAppUpdate"}}, {"/topic/change"}),
    ("POST", "/v1/questions", ASK | {"topic": {"kind": "significantAppUpdate", "change": "nobody"}}, {"/topic/change"}),
    ("POST", "/v1/questions", ASK | {"description": "x" * 1001}, {"/description"}),
    ("POST", "/v1/questions", ASK | {"description": "ä" * 501}, {"/description"}),
    ("POST", "/v1/questions", ASK | {"person": "x" * 129}, {"/person"}),
    ("POST", "/v1/questions", ASK | {"person": "a\r\nb"}, {"/person"}),
    ("POST", "/v1/questions", ASK | {"person": "a\u007f"}, {"/person"}),
    ("POST", "/v1/questions", ASK | {"person": "a\u0085b"}, {"/person"}),
    ("POST", "/v1/questions", ASK | {"quorum": 11}, {"/quorum"}),
    ("POST", "/v1/questions", ASK | {"quorum": 1.0}, {"/quorum"}),
    ("POST", "/v1/questions", ASK | {"quorum": True}, {"/quorum"}),
    ("POST", "/v1/questions", ASK | {"quorum": "1"}, {"/quorum"}),
    ("POST", "/v1/questions", ASK | {"quorum": 2**63 - 1}, {"/quorum"}),
    *[("POST", "/v1/questions", ASK | {"expirationDate": date}, {"/expirationDate"}) for date in [
        "2027-02-29T00:00:00Z", "2027-01-01T24:00:00Z", "2027-01-01T00:60:00Z", "2027-01-01T00:00:60Z", "2027-01-01T23:59:60Z",
        "2027-01-01T00:00:00+25:00", "2027-01-01T00:00:00+00:60", "2027-01-01T00:00:00", "2027-01-01", "2027-13-01T00:00:00Z",
        "2027-00-01T00:00:00Z", "2027-01-00T00:00:00Z", "2027-01-01T00:00:00.Z", "2027-01-01 00:00:00+00", "20270101T000000Z",
        " 2027-01-01T00:00:00Z", "2027-01-01T00:00:00Z ", "2027-01-01T00:00:00Z\n", "2027-1-1T0:0:0Z", "+002027-01-01T00:00:00Z",
        "0000-01-01T00:00:00Z", "now", "", 1893456000, True, [], {"at": "x"}, "2027-01-01T00:00:0\u0660Z",
        "2020-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2027-01-01T00:00:00z\u0301",
    ]],
    ("PUT", "/v1/persons/p", "declined", {""}),
    ("PUT", "/v1/persons/p", {
        "ageRange": {"lowerBound": -1, "upperBound": "15", "declaration": 5, "x": 1}, "requiredRegulatoryFeatures": "none",
        "original": {"value": "", "kind": "marketing"}, "region": "Texas!", "id": "p", "guardians": [],
    }, {"/ageRange/lowerBound", "/ageRange/upperBound", "/ageRange/declaration", "/ageRange/x", "/requiredRegulatoryFeatures",
        "/original/value", "/original/kind", "/original/environment", "/region", "/id", "/guardians"}),
    ("PUT", "/v1/persons/p", {"ageRange": "unknown"}, {"/ageRange"}),
    ("PUT", "/v1/persons/p", {"ageRange": {"lowerBound": 16, "upperBound": 13}}, {"/ageRange/lowerBound"}),
    ("PUT", "/v1/persons/p", {"requiredRegulatoryFeatures": ["a", "", 5, "x" * 65]},
     {"/requiredRegulatoryFeatures/1", "/requiredRegulatoryFeatures/2", "/requiredRegulatoryFeatures/3"}),
    ("PUT", "/v1/persons/p", {"original": {"value": "1", "kind": "version", "environment": "Xcode"}}, {"/original/environment"}),
    ("PUT", "/v1/persons/p/guardians/g", {"guardian": "g"}, {"/guardian"}),
    ("PUT", "/v1/persons/p/guardians/g", [], {""}),
    ("PUT", "/v1/persons/p/acknowledgments/c", {"acknowledgedAt": "x"}, {"/acknowledgedAt"}),
    ("PUT", "/v1/changes/c", {}, {"/introducedIn", "/descriptions"}),
    ("PUT", "/v1/changes/c", {"introducedIn": {}, "features": [], "descriptions": {}, "x": 1},
     {"/introducedIn", "/features", "/descriptions", "/x"}),
    ("PUT", "/v1/changes/c", {"introducedIn": {"version": 2, "build": ""}, "features": [""], "descriptions": {
        "en": "", "not a tag": "x", "de": 5, "a/b~c": "x"}},
     {"/introducedIn/version", "/introducedIn/build", "/features/0", "/descriptions/en", "/descriptions/not a tag",
      "/descriptions/de", "/descriptions/a~1b~0c"}),
    ("PUT", "/v1/changes/c", VIDEO | {"descriptions": {"en": "a", "EN": "b"}}, {"/descriptions/EN"}),
    ("PUT", "/v1/changes/c", VIDEO | {"kind": "ageRating"}, {"/introducedIn"}),
    ("PUT", "/v1/changes/c", VIDEO | {"kind": "update"}, {"/kind"}),
    ("POST", "/v1/age-ratings", {}, {"/storefront", "/environment"}),
    ("POST", "/v1/age-ratings", {"ageRatingCode": "4", "storefront": "aus", "environment": "test", "observedAt": "now", "x": 1},
     {"/ageRatingCode", "/storefront", "/environment", "/observedAt", "/x"}),
    ("POST", "/v1/persons/p/answers", {}, {"/guardian", "/answers"}),
    ("POST", "/v1/persons/p/answers", {"guardian": "g", "answers": []}, {"/answers"}),
    ("POST", "/v1/persons/p/answers", {"guardian": "", "answers": [
        {}, 5, {"question": "x", "answer": "yes", "revision": 0, "reason": "x" * 501, "guardian": "g"}]},
     {"/guardian", "/answers/0/question", "/answers/0/answer", "/answers/0/revision", "/answers/1", "/answers/2/question",
      "/answers/2/answer", "/answers/2/revision", "/answers/2/reason", "/answers/2/guardian"}),
    ("POST", "/v1/persons/p/answers", {"guardian": "g", "answers": [
        {"question": "01900000-0000-7000-8000-000000000000", "answer": "approval", "revision": 1}] * 2}, {"/answers/1/question"}),
    ("POST", "/v1/persons/p/answers", {"guardian": "g", "answers": [
        {"question": str(uuid.uuid4()), "answer": "approval", "revision": 1} for _ in range(101)]}, {"/answers"}),
]


@pytest.mark.parametrize("method, path, body, pointers", WRONG, ids=range(len(WRONG)))
@pytest.mark.usefixtures("untouched")
def test_every_wrong_field_is_named_at_once(client, method, path, body, pointers):
    reply = client.request(method, path, json.dumps(body).encode(), Content_Type="application/json")
    assert reply.status == 422, reply
    assert {error["pointer"] for error in reply.json["errors"]} == pointers, reply
    assert all(error["detail"] for error in reply.json["errors"])
    assert len(reply.json["errors"]) == len(pointers), "a field is named twice"


def test_wrong_fields_about_one_question(client):
    id = client.ok("POST", "/v1/questions", ASK)["id"]
    before = client.events()
    for path, body, pointers in [
        ("answers", {}, {"/guardian", "/answer"}),
        ("answers", {"guardian": [], "answer": "maybe", "reason": 5, "verification": {"reference": ""}, "revision": 1},
         {"/guardian", "/answer", "/reason", "/verification/method", "/verification/reference", "/revision"}),
        ("answers", {"guardian": "g", "answer": "APPROVAL"}, {"/answer"}),
        ("answers", {"guardian": "g", "answer": "approval", "reason": "x" * 501}, {"/reason"}),
        ("cancellation", {"reason": 5, "by": "child"}, {"/reason", "/by"}),
        ("cancellation", {"reason": "ä" * 251}, {"/reason"}),
    ]:
        reply = client.post(f"/v1/questions/{id}/{path}", body)
        assert reply.status == 422 and {error["pointer"] for error in reply.json["errors"]} == pointers, reply
    for path in ("answers", "cancellation"):
        for unknown in (uuid.uuid4(), "0193", "x" * 200):
            reply = client.post(f"/v1/questions/{unknown}/{path}", {"guardian": "g", "answer": "approval"} if path == "answers" else {})
            assert reply.status == 404 and reply.slug == "question-not-found"
    assert client.events() == before


def test_wrong_fields_of_apps_and_keys(deployment):
    admin = deployment.admin
    for body, pointers in [
        ({}, {"/name"}), ([], {""}),
        ({"name": "", "bundleId": "not a bundle", "appAppleId": 5, "environments": ["moon"], "allowedOrigins": [
            "https://app.example/", "app.example", "https://App.example", "*", 5, "https://app.example:443"],
          "policy": {"defaultExpirationSeconds": 0, "askAgainSeconds": -1, "defaultQuorum": 11, "requireGuardianLinks": "no",
                     "adultNotConfirmed": "allow", "ageUnknown": "acknowledge", "verificationMethods": ["", "a"],
                     "regions": [{"region": "BR", "duties": ["none"], "selfConsentAge": 12}, {"duties": []}],
                     "reminderSeconds": -1, "rescissionMarginSeconds": 3601, "x": 1}, "id": "x"},
         {"/name", "/bundleId", "/appAppleId", "/environments/0", "/allowedOrigins/0", "/allowedOrigins/1", "/allowedOrigins/2",
          "/allowedOrigins/3", "/allowedOrigins/4", "/allowedOrigins/5", "/policy/defaultExpirationSeconds",
          "/policy/askAgainSeconds", "/policy/defaultQuorum", "/policy/requireGuardianLinks", "/policy/adultNotConfirmed",
          "/policy/ageUnknown", "/policy/verificationMethods/0", "/policy/regions/0/duties/0", "/policy/regions/0/selfConsentAge",
          "/policy/regions/1/region", "/policy/reminderSeconds", "/policy/rescissionMarginSeconds", "/policy/x", "/id"}),
    ]:
        reply = admin.put("/v1/apps/never", body)
        assert reply.status == 422 and {error["pointer"] for error in reply.json["errors"]} == pointers, reply
    for id in ("UPPER", "under_score", "x" * 65, "%20", "a.b"):
        assert admin.put(f"/v1/apps/{id}", {"name": "x"}).status == 404
    assert admin.get("/v1/apps/never").status == 404
    app = deployment.app()
    for body, pointers in [
        ({}, {"/role"}), ({"role": "admin"}, {"/role"}), ({"role": 5, "label": "x" * 201, "key": "k"}, {"/role", "/label", "/key"}),
    ]:
        reply = admin.post(f"/v1/apps/{app.id}/keys", body)
        assert reply.status == 422 and {error["pointer"] for error in reply.json["errors"]} == pointers, reply
    assert len(admin.ok("GET", f"/v1/apps/{app.id}/keys")["data"]) == 1


QUERIES = [
    ("/v1/questions?stat=pending", "stat"), ("/v1/questions?state=waiting", "state"), ("/v1/questions?state=", "state"),
    ("/v1/questions?state=pending&state=pending", "state"), ("/v1/questions?State=pending", "State"),
    ("/v1/questions?person=", "person"), ("/v1/questions?person=" + "x" * 129, "person"), ("/v1/questions?guardian=", "guardian"),
    ("/v1/questions?topic=wish", "topic"), ("/v1/questions?change=", "change"),
    *[(f"/v1/questions?limit={value}", "limit") for value in ("0", "-1", "%2B5", "1e2", "0x10", "007", "1.0", "", "%20", "five", "٣")],
    *[(f"/v1/questions?expiringBefore={value}", "expiringBefore") for value in (
        "2027-02-30T00:00:00Z", "2027-01-01", "2027-01-01T00:00:60Z", "2027-01-01T00:00:00+01:00", "now", "")],
    ("/v1/questions?createdAfter=yesterday", "createdAfter"),
    *[(f"/v1/questions?cursor={value}", "cursor") for value in ("x", "", "c", "c" + "0" * 31, "p" + "0" * 48, "c" + "G" * 32)],
    ("/v1/questions?state=pending&cursor=c" + "0" * 32, "cursor"),
    *[(f"/v1/changes?cursor={value}", "cursor") for value in ("x", "i", "i0", "izz", "iff", "i" + "61" * 129)],
    *[(f"/v1/events?after={value}", "after") for value in ("x", "", "_", "abc_", "_5", "abc_-1", "abc_5x", "abcdefgh_1", "abc_99999999999999999999")],
    ("/v1/events?cursor=x", "cursor"), ("/v1/questions/counts?limit=5", "limit"), ("/v1/persons/p?expand=all", "expand"),
]


@pytest.mark.parametrize("path, parameter", QUERIES, ids=[path[4:60] for path, _ in QUERIES])
def test_wrong_queries_name_the_parameter(client, path, parameter):
    reply = client.get(urllib.parse.quote(path, safe="/?&=%_+"))
    assert reply.status == 400 and reply.slug == "invalid-parameter", reply
    assert reply.json["parameter"] == parameter


def test_a_limit_above_the_most_is_capped(client):
    for number in range(105):
        client.ok("PUT", f"/v1/changes/c-{number:03}", VIDEO)
    for limit in ("100", "101", "100000000000000000000000000"):
        page = client.ok("GET", f"/v1/changes?limit={limit}")
        assert len(page["data"]) == 100
    rest = client.ok("GET", f"/v1/changes?cursor={page['nextCursor']}")
    assert [change["id"] for change in rest["data"]] == [f"c-{number:03}" for number in range(100, 105)]
    assert rest["nextCursor"] is None


HEADERS = [
    ({"Idempotency-Key": ""}, "Idempotency-Key"), ({"Idempotency-Key": "x" * 256}, "Idempotency-Key"),
    ({"Idempotency-Key": '"open'}, "Idempotency-Key"), ({"Idempotency-Key": '""'}, "Idempotency-Key"),
    ({"Idempotency-Key": "two words"}, "Idempotency-Key"), ({"Idempotency-Key": "\u00e4"}, "Idempotency-Key"),
    ({"Idempotency-Key": '"a" '+ '"b"'}, "Idempotency-Key"), ({"If-Match": '"1"'}, "If-Match"), ({"If-None-Match": "*"}, "If-None-Match"),
]


@pytest.mark.parametrize("headers, name", HEADERS, ids=range(len(HEADERS)))
@pytest.mark.usefixtures("untouched")
def test_wrong_headers_are_named(client, headers, name):
    reply = client.request("POST", "/v1/questions", ASK, **headers)
    assert reply.status == 400 and reply.slug == "invalid-header" and reply.json["header"] == name, reply


@pytest.mark.parametrize("type, status", [
    ("application/json", 201), ("application/json; charset=utf-8", 201), ('Application/JSON;charset="UTF-8"', 201),
    ("application/json; charset=latin1", 415), ("text/plain", 415), ("", 415), ("application/jsonx", 415),
    ("application/x-www-form-urlencoded", 415), ("application/json, text/plain", 415), ("multipart/form-data; boundary=x", 415),
    ("application/merge-patch+json", 415), ("*/*", 415),
])
def test_media_types(client, type, status):
    reply = client.post("/v1/questions", GOOD, Content_Type=type)
    assert reply.status == status, reply
    assert status == 201 or reply.slug == "unsupported-media-type"
    assert client.post("/v1/questions", GOOD).status == 415
    assert client.post("/v1/questions", GOOD, Content_Type="application/json", Content_Encoding="gzip").status == 415


@pytest.mark.parametrize("authorization", [
    None, "", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "Bearer x", "Bearer asnt_", "Bearer asnt__", "Bearer asnt_demo_x_y",
    "Bearer asnt_{app}_{id}_" + "A" * 43, "Bearer asnt_other_{id}_{secret}", "Bearer asnt__{id}_{secret}", "{key}",
    "Bearer {key} x", "Bearer {key}x", "Token {key}", "Bearer " + "x" * 5000,
], ids=range(17))
def test_without_a_good_key_it_is_401(app, authorization):
    _, name, id, secret = app.key.split("_", 3)
    stranger = app.client()
    stranger.key = None
    headers = {} if authorization is None else {
        "Authorization": authorization.format(app=name, id=id, secret=secret, key=app.key)}
    for method, path in [("GET", "/v1/questions"), ("POST", "/v1/questions"), ("PUT", "/v1/persons/p"), ("GET", "/v1/apps")]:
        reply = stranger.request(method, path, **headers)
        assert reply.status == 401 and reply.slug == "unauthenticated", reply
        assert reply.headers["WWW-Authenticate"].startswith("Bearer")
        assert secret not in reply.body.decode()


def test_a_key_never_sees_another_app(deployment):
    mine, other = deployment.app(), deployment.app()
    theirs = other.client()
    id = theirs.ok("POST", "/v1/questions", ASK)["id"]
    theirs.ok("PUT", "/v1/changes/c", VIDEO)
    viewer = deployment.admin.ok("POST", f"/v1/apps/{mine.id}/keys", {"role": "viewer"})["key"]
    before = theirs.events()
    for client in (mine.client(), deployment.server.client(viewer)):
        for path in (f"/v1/questions/{id}", f"/v1/questions/{id}/answers", f"/v1/questions/{id}/events", "/v1/persons/p",
                     "/v1/persons/p/guardians", "/v1/changes/c"):
            assert client.get(path).status == 404, path
            reply = client.get(f"{path}?app={other.id}")
            assert reply.status == 403 and reply.slug == "forbidden"
        assert client.ok("GET", "/v1/questions")["data"] == [] == client.ok("GET", "/v1/changes")["data"]
        for path in ("/v1/apps", f"/v1/apps/{mine.id}", f"/v1/apps/{other.id}", f"/v1/apps/{mine.id}/keys"):
            assert client.get(path).status == 403
        cursor = before[-1]["id"]
        assert client.get(f"/v1/events?after={cursor}").status == 400
    writer = mine.client()
    assert writer.post(f"/v1/questions/{id}/answers", {"guardian": "g", "answer": "approval"}).status == 404
    assert writer.post(f"/v1/questions/{id}/cancellation").status == 404
    assert writer.put(f"/v1/persons/p?app={other.id}", {}).status == 403
    reader = deployment.server.client(viewer)
    for method, path in [("POST", "/v1/questions"), ("PUT", "/v1/persons/p"), ("DELETE", "/v1/persons/p/guardians/g")]:
        assert reader.request(method, path, None if method == "DELETE" else ASK).status == 403
    assert theirs.events() == before
    # An admin reaches every app, and must say which.
    admin = deployment.admin
    reply = admin.get("/v1/questions")
    assert reply.status == 400 and reply.slug == "app-required"
    assert admin.ok("GET", f"/v1/questions/{id}?app={other.id}")["id"] == id
    assert admin.get("/v1/questions?app=nobody").slug == "app-not-found"


def test_ids_are_bytes(client):
    """Neither normalised, nor trimmed, nor cut, nor taken for a path."""
    ids = ["\u00e9", "e\u0301", "\ufeffa", "a", " a", "a ", "a/b", "..", ".", "a%2Fb", "a+b", "a b", "a?b", "a#b", "\u202ea", "\U0001f9d2",
           "A", "x" * 128, "%00", "null", "0", "{person}", "a,b", "\"a\"", "\\", "ﬁ", "fi", "İ", "i̇"]
    for id in ids:
        made = client.put(f"/v1/persons/{urllib.parse.quote(id, safe='')}", {})
        assert made.status == 201 and made.json["id"] == id, (id, made)
    refs = {client.ok("GET", f"/v1/persons/{urllib.parse.quote(id, safe='')}")["personRef"] for id in ids}
    assert len(refs) == len(ids), "two ids are one person"
    for id in ids:
        asked = client.ok("POST", "/v1/questions", ASK | {"person": id})
        assert asked["person"] == id and "existing" not in asked
        found = client.ok("GET", f"/v1/questions?person={urllib.parse.quote(id, safe='')}")["data"]
        assert [question["person"] for question in found] == [id]


def test_the_longest_texts_are_kept_whole(client):
    for text in ("x" * 1000, "ä" * 500, "\U0001f9d2" * 250, "a\r\nb\tc", "\ufeffx", "\u2028", "<script>", "\\u0000", "e\u0301"):
        asked = client.ok("POST", "/v1/questions", ASK | {"person": str(uuid.uuid4()), "description": text})
        assert client.ok("GET", f"/v1/questions/{asked['id']}")["description"] == text
        answered = client.ok("POST", f"/v1/questions/{asked['id']}/answers", {
            "guardian": "g", "answer": "approval", "reason": text[:100]})
        assert answered["resolution"]["reason"] == text[:100]


def test_quoted_and_bare_keys_are_the_same(client):
    first = client.post("/v1/questions", ASK, Idempotency_Key="a-key")
    for spelled in ('"a-key"', "a-key"):
        again = client.post("/v1/questions", ASK, Idempotency_Key=spelled)
        assert again.status == 201 and again.json == first.json and again.headers["Idempotency-Replayed"] == "true"
    assert client.post("/v1/questions", ASK, Idempotency_Key="A-KEY").status == 200  # another key


def test_a_refused_request_does_not_use_up_its_key(client):
    late = ASK | {"expirationDate": "2020-01-01T00:00:00Z"}
    assert client.post("/v1/questions", late, Idempotency_Key="k").status == 422
    assert client.post("/v1/questions", ASK | {"expirationDate": soon(60)}, Idempotency_Key="k").status == 201


def test_conditions_on_put(client):
    assert client.put("/v1/persons/p", MINOR, If_Match='"1"').status == 412
    assert client.put("/v1/persons/p", MINOR, If_None_Match="*").status == 201
    assert client.put("/v1/persons/p", ADULT, If_None_Match="*").slug == "precondition-failed"
    assert client.put("/v1/persons/p", ADULT, If_Match='"2"').status == 412
    assert client.put("/v1/persons/p", ADULT, If_Match='W/"1"').status == 412
    assert client.put("/v1/persons/p", ADULT, If_Match='"9", "1"').headers["ETag"] == '"2"'
    assert client.put("/v1/persons/p", ADULT, If_Match="*").headers["ETag"] == '"2"'
    for wrong in ("1", '"1', '"1" "2"', "*, *", ""):
        reply = client.put("/v1/persons/p", MINOR, If_Match=wrong)
        assert reply.status == 400 and reply.json["header"] == "If-Match", (wrong, reply)
    assert client.ok("GET", "/v1/persons/p")["revision"] == 2
