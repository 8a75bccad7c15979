"""Logs and metrics: what an operator sees."""

import re
import time

from harness import places
from harness.metrics import families, value
from harness.shapes import soon
from test_operations import ASK


def test_metrics_are_read_by_prometheus_and_move(deployment, app):
    server = deployment.server
    for family in families(server).values():
        assert family.documentation and re.fullmatch(r"(assent|process)_[a-z_]+", family.name), family
        assert family.type in ("counter", "gauge", "histogram")
        for sample in family.samples:
            assert sample.value >= 0, sample
        if family.type == "histogram":
            counts = {}
            for sample in family.samples:
                labels = tuple(sorted((k, v) for k, v in sample.labels.items() if k != "le"))
                if sample.name.endswith("_bucket"):
                    assert sample.value >= counts.get(labels, 0), "buckets are cumulative"
                    counts[labels] = sample.value
            assert {labels: s.value for s in family.samples if s.name.endswith("_count")
                    for labels in [tuple(sorted(s.labels.items()))]} == counts
    requests = {"name": "assent_http_requests_total", "route": "/v1/questions", "method": "POST", "status": "201"}
    before = value(server, **requests)
    batches = value(server, "assent_database_batch_items_count", pool="write")
    client = app.client()
    for number in range(5):
        client.ok("POST", "/v1/questions", ASK | {"person": f"p-{number}", "expirationDate": soon(1)})
    limit = time.monotonic() + 10
    swept = value(server, "assent_sweeper_resolved_total") + value(deployment.servers[1], "assent_sweeper_resolved_total")
    while value(server, **requests) < before + 5 or value(server, "assent_database_batch_items_count", pool="write") <= batches:
        assert time.monotonic() < limit
    while sum(event["type"] == "question.expired" for event in client.events()) < 5:
        assert time.monotonic() < limit
    while value(server, "assent_sweeper_resolved_total") + value(deployment.servers[1], "assent_sweeper_resolved_total") < swept:
        assert time.monotonic() < limit
    client.close()


def test_the_page_tells_of_database_and_sweeper(deployment, client):
    server = deployment.server
    client.ok("PUT", "/v1/persons/metrics-1", {})
    assert value(server, "assent_database_connected") == 1
    assert value(server, "assent_http_connections") >= 1
    assert value(server, "assent_database_commit_seconds_count", pool="write") >= 1
    assert value(server, "assent_sweeper_runs_total") >= 1
    assert abs(value(server, "process_start_time_seconds") - time.time()) < 3600


def test_the_manual_lists_exactly_the_families_there_are(deployment):
    page = deployment.server.client().get("/metrics").body.decode()
    served = set(re.findall(r"^# TYPE (\S+) ", page, re.MULTILINE))
    manual = (places.CHECKOUT / "docs/operation.md").read_text()
    listed = set(re.findall(r"^\| `([a-z_]+)` \| (?:counter|gauge|histogram) \|", manual, re.MULTILINE))
    assert served == listed


def test_a_request_leaves_one_line_with_its_id_and_its_route(deployment, client):
    server = deployment.server
    counted = {"method": "GET", "route": "/v1/persons/{person}", "status": "404"}
    before = value(server, "assent_http_requests_total", **counted)
    identifier = client.get("/v1/persons/nobody-here").headers["X-Request-Id"]
    limit = time.monotonic() + 5
    while not (lines := [line for line in server.lines() if line["event"] == "request" and line["id"] == identifier]):
        assert time.monotonic() < limit
        time.sleep(0.02)
    [line] = lines
    assert line["route"] == "/v1/persons/{person}" and line["status"] == 404 and line["ms"] > 0
    assert value(server, "assent_http_requests_total", **counted) == before + 1


def test_settings_are_shown_at_start(deployment):
    line = deployment.server.wait_for_line("starting")
    assert line["settings"]["body-limit"] == "64KiB" and line["settings"]["database-url"] == deployment.database
