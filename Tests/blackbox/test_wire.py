"""Requests as bytes: framing, heads, targets, time limits. Each is answered at once and rightly, or the connection ends."""

import time

import pytest

from harness.raw import Wire, ask
from harness.server import Server

HOST = b"Host: localhost\r\n"


@pytest.fixture
def send(app):
    """Sends a request with a good key: send(b"GET /x HTTP/1.1", headers, body)."""
    def send(line: bytes, headers: bytes = HOST, body: bytes = b"", timeout: float = 10):
        key = b"Authorization: Bearer " + app.key.encode() + b"\r\n"
        return ask(app.deployment.server.port, line + b"\r\n" + key + headers + b"\r\n" + body, timeout)
    return send


@pytest.fixture(autouse=True)
def untouched(app):
    """Nothing a test of this file sends may leave anything behind, nor end the server."""
    client = app.client()
    before = client.events()
    yield
    assert client.events() == before
    assert client.get("/healthz").status == 200
    client.close()


BODY = b'{"person":"p","topic":{"kind":"custom","subject":"s"},"description":"d"}'
LENGTH = b"Content-Length: %d\r\n" % len(BODY)
CHUNKED = b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)
JSON = b"Content-Type: application/json\r\n"
POST = b"POST /v1/questions HTTP/1.1"
SMUGGLED = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.mark.parametrize("headers, body", [
    (LENGTH + b"Transfer-Encoding: chunked\r\n", CHUNKED),
    (b"Transfer-Encoding: chunked\r\n" + LENGTH, CHUNKED),
    (b"Transfer-Encoding: gzip, chunked\r\n", CHUNKED),
    (b"Transfer-Encoding: chunked, identity\r\n", CHUNKED),
    (b"Transfer-Encoding: xchunked\r\n", CHUNKED),
    (b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", CHUNKED),
    (b"Transfer-Encoding:\r\n", CHUNKED),
    (b"Transfer-Encoding : chunked\r\n", CHUNKED),
    (LENGTH + LENGTH, BODY),
    (LENGTH + b"Content-Length: 1\r\n", BODY),
    (b"Content-Length: 5, 5\r\n", BODY),
    (b"Content-Length : %d\r\n" % len(BODY), BODY),
    (b"Content-Length: +5\r\n", BODY),
    (b"Content-Length: -5\r\n", BODY),
    (b"Content-Length: 0x5\r\n", BODY),
    (b"Content-Length: 5 5\r\n", BODY),
    (b"Content-Length: five\r\n", BODY),
    (b"Content-Length:\r\n", BODY),
    (b"\0Content-Length: 5\r\n", BODY),
    (LENGTH + b"X-Note: a\0b\r\n", BODY),
    (LENGTH + b"X-Note: a\x01b\r\n", BODY),
    (LENGTH + b"X-Note: a\r\n folded\r\n", BODY),
    (LENGTH + b"X-Note: a\nX-Other: b\r\n", BODY),
    (LENGTH + b"X-Note: a\rX-Other: b\r\n", BODY),
    (LENGTH + b"X Note: a\r\n", BODY),
    (LENGTH + b": a\r\n", BODY),
    (LENGTH + b"no colon\r\n", BODY),
    (b" Leading: blank\r\n" + LENGTH, BODY),
    (LENGTH + b"Host: other\r\n", BODY),
    (b"Transfer-Encoding: chunked\r\n", b"zz\r\n" + BODY + b"\r\n0\r\n\r\n"),
    (b"Transfer-Encoding: chunked\r\n", b"-5\r\n" + BODY + b"\r\n0\r\n\r\n"),
    (b"Transfer-Encoding: chunked\r\n", b"ffffffffffffffffff\r\n" + BODY + b"\r\n0\r\n\r\n"),
    (b"Transfer-Encoding: chunked\r\n", b"5\r\nabcdefgh\r\n0\r\n\r\n"),
], ids=range(33))
def test_ambiguous_framing_is_refused_and_the_connection_closed(send, headers, body):
    answer, closed = send(POST, HOST + JSON + headers, body + SMUGGLED)
    # Some of these the HTTP library answers by itself: with 413 for a chunk of 2^72 bytes, and with two heads for a bad length.
    assert answer is not None and answer.status in (400, 413), answer
    assert closed or answer.body.startswith(b"HTTP/1.1 400 "), "what follows was read as another request"
    assert b"200 OK" not in answer.body


def test_a_missing_host_is_refused(send):
    answer, closed = send(b"GET /healthz HTTP/1.1", b"")
    assert answer.status == 400 and answer.json["header"] == "Host" and closed


def test_http_1_0_needs_no_host(send):
    answer, closed = send(b"GET /healthz HTTP/1.0", b"")
    assert answer.status == 200 and closed


@pytest.mark.parametrize("target, status", [
    (b"/v1/persons/good%00evil", 400), (b"/v1/persons/%", 400), (b"/v1/persons/%4", 400), (b"/v1/persons/%zz", 400),
    (b"/v1/persons/%ff", 400), (b"/v1/persons/%c0%80", 400), (b"/v1/persons/%ed%a0%80", 400), (b"/v1/persons/a\xc3\xa4", 400),
    (b"/v1/persons/a#b", 400), (b"/v1/persons/a%0d%0aX:b", 400), (b"/v1/persons/%7f", 400), (b"v1/persons/a", 400),
    (b"*", 400), (b"http://", 400), (b"http://user@host/v1/changes", 400), (b"ftp://host/v1/changes", 400),
    (b"/v1/persons/", 404), (b"/v1/changes/", 404), (b"//v1/changes", 404), (b"/v1//changes", 404), (b"/v1/changes//", 404),
    (b"/V1/changes", 404), (b"/v1/./changes", 404), (b"/v1/persons/../changes", 404), (b"/v1/persons%2Fp", 404),
    (b"/v1/questions/0193", 404), (b"/v1/questions/{id}", 404), (b"/v1/persons/" + b"x" * 129, 404),
    (b"/v1/persons/%2e%2e", 404), (b"/v1/persons/a%2Fguardians", 404), (b"/", 404),
    (b"/v1/changes?limit=%00", 400), (b"/v1/changes?limit=%zz", 400), (b"/v1/changes?%ff=1", 400),
    (b"/v1/changes", 200), (b"http://localhost/v1/changes", 200), (b"/v1/changes?", 200), (b"/v1/change%73", 200),
    (b"/" + b"x" * 9_000, 414), (b"/v1/changes?" + b"x" * 9_000, 414),
])
def test_targets_are_read_strictly(send, target, status):
    answer, _ = send(b"GET " + target + b" HTTP/1.1")
    assert answer.status == status, answer
    assert status == 200 or answer.slug, f"not a problem document: {answer}"


@pytest.mark.parametrize("line, statuses", [
    (b"GET /healthz HTTP/2.0", {400, 505}), (b"GET /healthz HTTP/1.9", {200, 400, 505}), (b"GET /healthz", {400}),
    (b"GET /healthz HTTP/1.1 x", {400}), (b"GET  /healthz HTTP/1.1", {400}), (b"GET /health z HTTP/1.1", {400}),
    (b"/healthz", {400}), (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", {400}), (b"\0\0\0\0", {400}),
    (b"get /healthz HTTP/1.1", {405, 400, 501}), (b"G\0T /healthz HTTP/1.1", {400, 405, 501}),
    (b"A" * 5000 + b" /healthz HTTP/1.1", {400, 405, 414, 431, 501}), (b"GET  HTTP/1.1", {400}),
    (b"GET /" + b"x" * 40_000 + b" HTTP/1.1", {414}),
])
def test_request_lines_that_are_none(send, line, statuses):
    answer, _ = send(line)
    assert answer is None or answer.status in statuses, answer


@pytest.mark.parametrize("headers", [b"X-Big: " + b"x" * 14_000 + b"\r\n", (b"X-A: " + b"b" * 1_000 + b"\r\n") * 13])
def test_too_large_a_head_is_431(send, headers):
    answer, closed = send(b"GET /v1/changes HTTP/1.1", HOST + headers)
    assert answer.status == 431 and answer.slug == "head-too-large" and closed


@pytest.mark.parametrize("headers", [b"X-Big: " + b"x" * 400_000 + b"\r\n", b"X-A: b\r\n" * 1_500, b"X-A: b\r\n" * 50_000])
def test_far_too_large_a_head_is_431(send, headers):
    answer, closed = send(b"GET /v1/changes HTTP/1.1", HOST + headers)
    assert answer.status == 431 and closed


@pytest.mark.parametrize("length", [b"65537", b"99999999999", b"9999999999999999999"])
def test_a_body_too_large_by_its_length_is_refused_before_it_is_read(send, length):
    before = time.monotonic()
    answer, closed = send(POST, HOST + JSON + b"Content-Length: " + length + b"\r\n")
    assert answer.status == 413 and answer.slug == "body-too-large" and closed
    assert time.monotonic() - before < 5


def test_a_body_too_large_in_chunks_is_refused(send):
    chunk = b"4000\r\n" + b" " * 0x4000 + b"\r\n"
    answer, _ = send(POST, HOST + JSON + b"Transfer-Encoding: chunked\r\n", chunk * 5 + b"0\r\n\r\n")
    assert answer.status == 413 and answer.slug == "body-too-large"


def test_a_body_without_end_is_cut_off(app):
    """What runs past the limit is thrown away for a while, then the connection ends with the refusal."""
    key = b"Authorization: Bearer " + app.key.encode() + b"\r\n"
    chunk = b"4000\r\n" + b" " * 0x4000 + b"\r\n"
    with Wire(app.deployment.server.port) as wire:
        wire.send(POST + b"\r\n" + HOST + key + JSON + b"Transfer-Encoding: chunked\r\n\r\n")
        sent = 0
        try:
            while sent < 1 << 28:
                wire.send(chunk)
                sent += len(chunk)
        except OSError:
            pass
        assert sent < 1 << 28, "it reads for ever"


def test_the_largest_body_is_read(send):
    body = BODY[:-1] + b" " * (65536 - len(BODY)) + b"!"
    answer, _ = send(POST, HOST + JSON + b"Content-Length: 65536\r\n", body)
    assert answer.status == 400 and answer.slug == "malformed-body"


def test_expectations(app):
    key = b"Authorization: Bearer " + app.key.encode() + b"\r\n"
    head = POST + b"\r\n" + HOST + key + JSON + b"Expect: 100-continue\r\n"
    with Wire(app.deployment.server.port) as wire:
        wire.send(head + b"Content-Length: 8\r\n\r\n")
        assert wire.answer().status == 100
        wire.send(b'{"x": 1}')
        assert wire.answer().status == 422
    with Wire(app.deployment.server.port) as wire:
        wire.send(head + b"Content-Length: 99999999\r\n\r\n")
        assert wire.answer().status == 413


def test_pipelined_requests_are_answered_in_order(app):
    key = b"Authorization: Bearer " + app.key.encode() + b"\r\n"
    requests = [b"/healthz", b"/v1/changes", b"/v1/nothing", b"/v1/questions/counts", b"/healthz"]
    with Wire(app.deployment.server.port) as wire:
        wire.send(b"".join(b"GET " + path + b" HTTP/1.1\r\n" + HOST + key + b"\r\n" for path in requests))
        assert [wire.answer().status for _ in requests] == [200, 200, 404, 200, 200]


def test_a_client_that_leaves_early_is_no_trouble(app):
    key = b"Authorization: Bearer " + app.key.encode() + b"\r\n"
    for cut in (5, 30, 90, 200):
        with Wire(app.deployment.server.port) as wire:
            wire.send((POST + b"\r\n" + HOST + key + JSON + LENGTH + b"\r\n" + BODY)[:cut])


def test_heads_and_options(app):
    port, key = app.deployment.server.port, b"Authorization: Bearer " + app.key.encode() + b"\r\n"
    for path in (b"/v1/changes", b"/v1/questions/counts", b"/healthz", b"/v1/persons/nobody", b"/openapi.yaml"):
        with Wire(port) as wire:
            wire.send(b"GET " + path + b" HTTP/1.1\r\n" + HOST + key + b"\r\n")
            got = wire.answer()
            wire.send(b"HEAD " + path + b" HTTP/1.1\r\n" + HOST + key + b"\r\n")
            head = wire.answer(to_head=True)
            # Nothing follows: the next answer is the next request's.
            wire.send(b"OPTIONS " + path + b" HTTP/1.1\r\n" + HOST + b"\r\n")
            options = wire.answer()
        assert head.status == got.status
        assert head.headers["content-type"] == got.headers["content-type"]
        if b"nobody" not in path:  # a problem names its request
            assert head.headers["content-length"] == got.headers["content-length"]
        assert options.status == 204 and {"GET", "HEAD", "OPTIONS"} <= set(options.headers["allow"][0].split(", "))
    answer, _ = ask(port, b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n")
    assert answer.status == 204
    for method in (b"DELETE", b"PATCH", b"TRACE", b"BREW", b"CONNECT"):
        answer, _ = ask(port, method + b" /v1/questions HTTP/1.1\r\n" + HOST + key + b"\r\n")
        assert answer.status in (405, 400) if method == b"CONNECT" else answer.status == 405, method
        if answer.status == 405:
            assert answer.slug == "method-not-allowed"
            assert set(answer.headers["allow"][0].split(", ")) == {"GET", "HEAD", "POST", "OPTIONS"}


class TestTimeLimits:
    @pytest.fixture(scope="class")
    @staticmethod
    def hasty(deployment, tmp_path_factory):
        """A server without patience."""
        server = Server(
            tmp_path_factory.mktemp("hasty"), "--head-timeout", "400ms", "--body-timeout", "400ms", "--request-timeout", "2s",
            "--idle-timeout", "1s", database=deployment.database).start()
        yield server
        assert server.stop() == 0

    def test_a_dripping_head(self, hasty, app):
        with Wire(hasty.port) as wire:
            began = time.monotonic()
            try:
                for byte in b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: " + b"a" * 100:
                    wire.send(bytes([byte]))
                    time.sleep(0.05)
            except OSError:
                pass
            assert time.monotonic() - began < 3, "it listens to a dripping head for ever"
            answer = wire.answer()
            assert answer is None or answer.status == 408

    def test_a_stalled_body(self, hasty, app):
        key = b"Authorization: Bearer " + app.key.encode() + b"\r\n"
        with Wire(hasty.port) as wire:
            began = time.monotonic()
            wire.send(POST + b"\r\n" + HOST + key + JSON + LENGTH + b"\r\n" + BODY[:10])
            answer = wire.answer()
            assert answer is None or (answer.status == 408 and answer.slug == "request-timeout")
            assert time.monotonic() - began < 3
            assert wire.is_closed()

    def test_a_silent_connection(self, hasty, app):
        with Wire(hasty.port) as wire:
            began = time.monotonic()
            answer = wire.answer()
            assert (answer is None or answer.status == 408) and time.monotonic() - began < 4

    def test_an_idle_connection(self, hasty, app):
        with Wire(hasty.port) as wire:
            wire.send(SMUGGLED)
            assert wire.answer().status == 200
            began = time.monotonic()
            assert wire.answer() is None and 0.5 < time.monotonic() - began < 5
