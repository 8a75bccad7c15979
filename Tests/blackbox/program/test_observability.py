"""Logs, metrics and health: what an operator sees, and what nobody may see there."""

import re
import time
import uuid

from assent_process import ROOT


def samples(server) -> dict[str, float]:
    with server.client() as client:
        response = client.get("/metrics")
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    found = {}
    for line in response.text.splitlines():
        if line.startswith("#"):
            assert re.fullmatch(r"# (HELP [a-z_]+ .+|TYPE [a-z_]+ (counter|gauge|histogram))", line), line
            continue
        name, _, value = line.rpartition(" ")
        assert re.fullmatch(r'[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})?', name), line
        assert name not in found, f"{name} stands twice"
        found[name] = float(value)
    return found


def test_requests_are_counted_by_template(server, service):
    name = 'assent_http_requests_total{method="GET",route="/v1/questions/{question}",status="404"}'
    before = samples(server).get(name, 0)
    for _ in range(3):
        assert service.get(f"/v1/questions/{uuid.uuid4()}").status_code == 404
    deadline = time.monotonic() + 5
    while samples(server).get(name, 0) < before + 3:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_the_page_tells_of_database_and_sweeper(server, service):
    service.put("/v1/persons/metrics-1", json={})
    found = samples(server)
    assert found["assent_database_connected"] == 1
    assert found['assent_database_queue_depth{pool="write"}'] >= 0
    assert found['assent_database_batch_items_count{pool="write"}'] >= 1
    assert found['assent_database_commit_seconds_count{pool="write"}'] >= 1
    assert found["assent_sweeper_runs_total"] >= 1
    assert found["assent_sweeper_lag_seconds"] >= 0
    assert found["assent_http_connections"] >= 1
    assert abs(found["process_start_time_seconds"] - time.time()) < 3600


def test_the_manual_lists_exactly_the_families_there_are(server):
    with server.client() as client:
        served = set(re.findall(r"^# TYPE (\S+) ", client.get("/metrics").text, re.MULTILINE))
    manual = (ROOT / "docs/operation.md").read_text()
    listed = set(re.findall(r"^\| `([a-z_]+)` \| (?:counter|gauge|histogram) \|", manual, re.MULTILINE))
    assert served == listed


def test_no_person_key_or_body_reaches_log_or_metrics(server, service, shared):
    marker = f"person-{uuid.uuid4().hex}"
    service.put(f"/v1/persons/{marker}", json={})
    service.get(f"/v1/persons/{marker}?{marker}={marker}", headers={"X-Marker": marker})
    service.post("/v1/questions", json={"person": marker, "topic": {"kind": "custom", "subject": marker}, "description": marker})
    service.post("/v1/questions", content=f"not json {marker}", headers={"Content-Type": "application/json"})
    with server.client(f"asnt_demo_{marker}") as stranger:
        assert stranger.get(f"/v1/persons/{marker}").status_code == 401
    time.sleep(0.1)
    with server.client() as client:
        text = client.get("/metrics").text
    logged = str(server.lines) + str(server.strays)
    for secret in (marker, shared[0].key("demo").rsplit("_", 1)[1]):
        assert secret not in logged
        assert secret not in text


def test_a_request_leaves_one_line_with_its_id(server, service):
    response = service.get("/v1/persons/nobody-here")
    identifier = response.headers["x-request-id"]
    deadline = time.monotonic() + 5
    while not (lines := [line for line in server.events("request") if line["id"] == identifier]):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    [line] = lines
    assert line["route"] == "/v1/persons/{person}" and line["status"] == 404 and line["ms"] > 0


def test_health_and_readiness(server):
    with server.client() as client:
        assert client.get("/healthz").status_code == 200
        assert client.get("/readyz").status_code == 200


def test_settings_are_shown_at_start(server):
    [line] = server.events("starting")
    assert line["settings"]["embedded"] == "true"
    assert line["settings"]["body-limit"] == "64KiB"
