"""web/assent.js in a browser, against answers made up in the page: what it sends, repeats, renews and gives up."""

import pytest
import yaml

from harness import places
from harness.browser import BrowserError

# A client whose server is the list `window.replies`: each a function, or [status, body, headers]; `window.sent` has the requests.
SETUP = """
    const module = await import('/assent.js');
    Object.assign(window, module, { sent: [], replies: [], tokens: 0 });
    window.pretend = async (url, options) => {
        const headers = new Headers(options.headers);
        sent.push({ url, method: options.method, body: options.body ?? null, headers: Object.fromEntries(headers) });
        const reply = replies.shift();
        if (typeof reply === 'function') return reply(options);
        const [status, body, more = {}] = reply;
        return new Response(status === 304 ? null : JSON.stringify(body), { status, headers: more });
    };
    window.gone = () => Promise.reject(new TypeError('Failed to fetch'));
    window.problem = (status, slug, more = {}, headers = {}) =>
        [status, { type: `/problems/${slug}`, title: 'T', status, ...more }, headers];
    window.client = (more = {}) => new Assent({ url: 'http://server.example/', token: 't', fetch: pretend, ...more });
    window.claims = (seconds) => `h.${btoa(JSON.stringify({ iat: 1000, exp: 1000 + seconds }))}.s`;
    window.caught = (promise) => promise.then(() => null, (error) => error);
"""


@pytest.fixture
def page(browser, origin):
    window = browser.window(f"{origin}/")
    window.run(SETUP)
    return window


def test_it_knows_every_type_of_event(page):
    contract = yaml.safe_load((places.CHECKOUT / "openapi/openapi.yaml").read_text(encoding="utf-8"))
    known = page.run("return [...EVENT_TYPES]")
    # It may know more than a server that is older than it.
    assert known == sorted(known) and set(contract["components"]["schemas"]["EventType"]["enum"]) <= set(known)


def test_a_write_keeps_its_key_over_all_attempts(page):
    sent, other = page.run("""
        replies.push(gone, problem(503, 'unavailable'), problem(429, 'overloaded', {}, { 'Retry-After': '0' }), [201, { id: 'q' }]);
        await client().ask({ person: 'p' });
        const first = sent.splice(0);
        replies.push([200, { id: 'q' }], [200, { id: 'q' }]);
        await client().answer('q/1', { guardian: 'g', answer: 'denial' }, { idempotencyKey: 'mine' });
        await client().cancel({ id: 'q' }, { reason: 'r' });
        return [first, sent];
    """)
    assert [(one["method"], one["url"], one["body"]) for one in sent] == [
        ("POST", "http://server.example/v1/questions", '{"person":"p"}')] * 4
    keys = {one["headers"]["idempotency-key"] for one in sent}
    assert len(keys) == 1 and len(keys.pop()) == 34
    assert all(one["headers"]["authorization"] == "Bearer t" for one in sent)
    assert other[0]["url"] == "http://server.example/v1/questions/q%2F1/answers"
    assert other[0]["headers"]["idempotency-key"] == '"mine"'
    assert (other[1]["url"], other[1]["body"]) == ("http://server.example/v1/questions/q/cancellation", '{"reason":"r"}')
    assert other[1]["headers"]["idempotency-key"] not in ('"mine"', sent[0]["headers"]["idempotency-key"])


def test_it_comes_again_when_a_proxy_says_so_and_not_at_once(page):
    seconds, unreadable, waited = page.run("""
        const later = new Date(Date.now() + 9000).toUTCString();
        replies.push(problem(503, 'unavailable', {}, { 'Retry-After': later }), problem(503, 'unavailable', {}, { 'Retry-After': 'soon' }));
        const first = (await caught(client({ attempts: 1 }).question('q'))).retryAfter;
        const second = (await caught(client({ attempts: 1 }).question('q'))).retryAfter;
        replies.push(problem(503, 'unavailable', {}, { 'Retry-After': 'soon' }), [200, { id: 'q' }]);
        const begun = performance.now();
        await client().question('q');
        return [first, second, performance.now() - begun];
    """)
    assert 6 <= seconds <= 9 and unreadable is None
    # As where nothing is asked for: half a second to one.
    assert waited >= 400


def test_a_refusal_is_a_problem_with_all_it_says(page):
    seen = page.run("""
        replies.push(problem(409, 'question-expired', { detail: 'D', current: { id: 'q' } },
            { 'X-Request-Id': 'r-1', 'Retry-After': '7' }), [422, { type: '/problems/invalid-body', errors: [{ pointer: '/a', detail: 'x' }] }],
            () => new Response('<html>', { status: 400 }));
        const all = [];
        for (let number = 0; number < 3; number += 1) {
            const error = await caught(client().question('q'));
            all.push([error instanceof AssentProblem, error.name, error.message, error.status, error.slug, error.current, error.errors,
                error.retryAfter, error.requestId]);
        }
        return all;
    """)
    assert seen == [
        [True, "AssentProblem", "D", 409, "question-expired", {"id": "q"}, [], 7, "r-1"],
        [True, "AssentProblem", "HTTP status 422", 422, "invalid-body", None, [{"pointer": "/a", "detail": "x"}], None, None],
        [True, "AssentProblem", "HTTP status 400", 400, "", None, [], None, None],
    ]


def test_it_gives_up_after_so_many_attempts(page):
    seen = page.run("""
        replies.push(gone, gone, problem(503, 'unavailable'), problem(503, 'unavailable'));
        const first = await caught(client({ attempts: 2 }).access('p 1'));
        const second = await caught(client({ attempts: 2 }).access('p 1'));
        return [first.name, first.cause.message, second.name, second.slug, sent.length, sent[0].url];
    """)
    assert seen == [
        "AssentUnreachable", "Failed to fetch", "AssentProblem", "unavailable", 4, "http://server.example/v1/persons/p%201/access"]


def test_tokens_are_shared_and_renewed_early_and_after_a_refusal(page):
    seen = page.run("""
        const given = [];
        const token = async () => { given.push(claims(given.length < 2 ? 1 : 600)); return { token: given.at(-1) }; };
        const assent = client({ token });
        replies.push([200, {}], [200, {}], [200, {}]);
        await Promise.all([assent.question('a'), assent.question('b')]);
        await assent.question('c');
        const atOnce = given.length;
        // It lives a second, of which four fifths are used.
        await new Promise((resolve) => setTimeout(resolve, 850));
        replies.push([200, {}]);
        await assent.question('d');
        const afterAWhile = given.length;
        await new Promise((resolve) => setTimeout(resolve, 850));
        // Refused, and so renewed once.
        replies.push(problem(401, 'unauthenticated'), [200, {}]);
        await assent.question('e');
        const refused = given.length;
        replies.push(problem(401, 'unauthenticated'), problem(401, 'unauthenticated'));
        const error = await caught(assent.question('f'));
        // A token of no function cannot be renewed.
        replies.push(problem(401, 'unauthenticated'));
        const plain = await caught(client().question('g'));
        return [atOnce, afterAWhile, refused, given.length, error.status, plain.status, replies.length];
    """)
    assert seen == [1, 2, 4, 5, 401, 401, 0]


def test_a_token_that_cannot_be_had_is_asked_for_again(page):
    seen = page.run("""
        let asked = 0;
        const token = async () => { asked += 1; if (asked < 3) throw new Error('down'); return 't'; };
        replies.push([200, { id: 'q' }]);
        await client({ token }).question('q');
        const error = await caught(client({ token: () => { throw new Error('off'); }, attempts: 1 }).question('q'));
        return [asked, error.name, error.cause.message];
    """)
    assert seen == [3, "AssentUnreachable", "off"]


def test_waiting_asks_with_the_tag_until_there_is_a_difference(page):
    sent, last = page.run("""
        replies.push([200, { id: 'q', state: 'pending' }, { ETag: '"1"' }], [304], gone, [304],
            [200, { id: 'q', state: 'pending', n: 2 }, { ETag: '"2"' }], [200, { id: 'q', state: 'approved' }, { ETag: '"3"' }]);
        const assent = client({ attempts: 1 });
        const question = await assent.question('q');
        const last = await assent.settled(question);
        return [sent, last];
    """)
    assert last == {"id": "q", "state": "approved"}
    assert [one["headers"].get("if-none-match") for one in sent] == [None, '"1"', '"1"', '"1"', '"1"', '"2"']
    assert {one["headers"].get("prefer") for one in sent[1:]} == {"wait=50"}
    with pytest.raises(BrowserError, match="Only what was read"):
        page.run("await client().wait({ id: 'q' })")


def test_a_signal_ends_whatever_waits(page):
    seen = page.run("""
        const hang = ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        const aborted = async (call) => {
            const controller = new AbortController();
            const outcome = caught(call(controller.signal));
            setTimeout(() => controller.abort(new Error('enough')), 20);
            return (await outcome).message;
        };
        const assent = client();
        replies.push(hang, gone);
        return [
            await aborted((signal) => assent.question('q', { signal })),
            await aborted((signal) => assent.question('q', { signal })),
            await aborted((signal) => client({ token: () => new Promise(() => {}) }).question('q', { signal })),
            (await caught(assent.ask({}, { signal: AbortSignal.abort(new Error('before')) }))).message,
            sent.length,
        ];
    """)
    assert seen == ["enough", "enough", "enough", "before", 2]


def test_a_stream_takes_a_ticket_for_each_connection(page):
    told, urls, bodies, states = page.run("""
        const sources = [];
        class Source extends EventTarget {
            constructor(url) { super(); this.url = url; this.closed = false; sources.push(this); }
            close() { this.closed = true; }
            tell(type, id, data) { this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data), lastEventId: id })); }
        }
        const until = async (count) => { while (sources.length < count) await new Promise((resolve) => setTimeout(resolve, 5)); };
        const told = [];
        const states = [];
        replies.push([201, { ticket: 't 1', cursor: 'f_4' }], [201, { ticket: 't2', cursor: 'f_9' }], gone, problem(503, 'unavailable'),
            [201, { ticket: 't3', cursor: 'f_9' }], problem(403, 'forbidden'));
        const ended = new Promise((resolve) => {
            window.stream = client({ EventSource: Source }).stream({ person: 'p' }, {
                onEvent: (event) => told.push(event.id), onReset: (cursor) => told.push(`reset ${cursor}`),
                onState: (state) => states.push(state), onEnd: resolve,
            });
        });
        await until(1);
        sources[0].dispatchEvent(new Event('error'));
        await until(2);
        sources[1].dispatchEvent(new Event('open'));
        sources[1].tell('question.created', 'f_5', { id: 'f_5' });
        sources[1].tell('reset', 'f_8', { cursor: 'f_8' });
        sources[1].tell('question.expired', 'f_9', { id: 'f_9' });
        sources[1].dispatchEvent(new Event('error'));
        await until(3);
        sources[2].dispatchEvent(new Event('error'));
        const error = await ended;
        told.push(error.slug, stream.cursor, sources.every((source) => source.closed));
        return [told, sources.map((source) => source.url), sent.map((one) => [one.body, one.headers['idempotency-key'] ?? null]), states];
    """)
    assert told == ["f_5", "reset f_8", "f_9", "forbidden", "f_9", True]
    assert urls == [
        "http://server.example/v1/events?ticket=t+1&after=f_4", "http://server.example/v1/events?ticket=t2&after=f_4",
        "http://server.example/v1/events?ticket=t3&after=f_9"]
    assert bodies == [['{"filter":{"person":"p"}}', None]] * 6
    assert states == ["connecting", "waiting", "connecting", "open", "waiting"] + ["connecting", "waiting"] * 3 + [
        "connecting", "closed"]


def test_a_stream_that_is_closed_tells_its_end_once(page):
    seen = page.run("""
        class Source extends EventTarget { close() { closed += 1; } }
        let closed = 0;
        const ends = [];
        const open = (options) => client({ EventSource: Source }).stream({}, { ...options, onEnd: (error) => ends.push(error) });
        replies.push([201, { ticket: 't' }], [201, { ticket: 't' }]);
        const controller = new AbortController();
        const streams = [open({}), open({ signal: controller.signal }), open({ signal: AbortSignal.abort() })];
        await new Promise((resolve) => setTimeout(resolve, 50));
        streams[0].close();
        streams[0].close();
        controller.abort();
        await new Promise((resolve) => setTimeout(resolve, 20));
        return [ends, closed, sent.length];
    """)
    assert seen == [[None, None, None], 2, 2]
