"""Pages in headless Chromium against running servers: waits and streams that come through restarts, and origins that are not let in."""

import itertools
import time

import pytest

from harness import pages

NUMBERS = itertools.count()
QUESTION = {"person": "p", "topic": {"kind": "custom", "subject": "s", "reusable": False}, "description": "d"}
SETUP = """
    Object.assign(window, await import('/assent.js'), { seen: [], states: [], resets: 0, ended: undefined });
    window.assent = new Assent({ url: args[0], token: args[1] });
    window.follow = (filter, more = {}) => {
        window.stream = assent.stream(filter, {
            onEvent: (event) => seen.push(event.id), onReset: () => { resets += 1; },
            onState: (state) => { states.push(state); }, onEnd: (error) => { ended = error; }, ...more,
        });
    };
    window.caught = (promise) => promise.then(() => null, (error) => error);
"""


@pytest.fixture
def listed(deployment, origin):
    """An app that lists the pages' origin, on the servers that all tests share."""
    return listing(deployment, origin)


def listing(deployment, origin):
    app = deployment.app()
    admin = deployment.admin
    admin.ok("PUT", f"/v1/apps/{app.id}", {"name": "Pages", "allowedOrigins": [origin]})
    admin.close()
    # An instance may hold what it knew of origins for three seconds.
    limit = time.monotonic() + 10
    for number in range(len(deployment.servers)):
        client = app.client(number)
        while client.get("/v1/changes", Origin=origin).headers["Access-Control-Allow-Origin"] != origin:
            assert time.monotonic() < limit
            time.sleep(0.05)
        client.close()
    return app


def visit(browser, origin, app, key=None, server=0):
    window = browser.window(f"{origin}/")
    window.run(SETUP, f"http://127.0.0.1:{app.deployment.servers[server].port}", key or app.key)
    return window


def ask(client):
    """A new question each time."""
    topic = QUESTION["topic"] | {"subject": f"s-{next(NUMBERS)}"}
    return client.ok("POST", "/v1/questions", QUESTION | {"topic": topic})


def test_a_page_asks_waits_answers_and_takes_back(browser, origin, listed):
    page = visit(browser, origin, listed)
    client = listed.client(1)
    page.run("window.question = await assent.ask(args[0]); window.settled = assent.settled(question)", QUESTION)
    asked = page.run("return question")
    assert asked["state"] == "pending" and client.ok("GET", f"/v1/questions/{asked['id']}")["id"] == asked["id"]
    # Through the other server, while the page waits.
    client.ok("POST", f"/v1/questions/{asked['id']}/answers", {"guardian": "g", "answer": "denial", "reason": "late"})
    settled = page.run("return settled")
    assert settled["state"] == "denied" and settled["resolution"]["reason"] == "late"
    assert page.run("return (await assent.answer(question, { guardian: 'g', answer: 'approval' })).state") == "approved"
    again = page.run("return (await assent.questions({ person: 'p', state: 'approved' })).data.map((one) => one.id)")
    assert again == [asked["id"]]
    cancelled = page.run("const other = await assent.ask(args[0]); return assent.cancel(other, { reason: 'r' })", QUESTION)
    assert cancelled["state"] == "cancelled" and cancelled["resolution"]["reason"] == "r"
    slug, status, current = page.run(
        "const error = await caught(assent.answer(args[0], { guardian: 'g', answer: 'approval' }));"
        "return [error.slug, error.status, error.current.state]", cancelled["id"])
    assert (slug, status, current) == ("question-cancelled", 409, "cancelled")


def test_what_nobody_answers_expires_while_a_page_waits(browser, origin, listed):
    page = visit(browser, origin, listed)
    state = page.run(
        "const end = new Date(Date.now() + 1500).toISOString();"
        "return (await assent.settled(await assent.ask({ ...args[0], expirationDate: end }))).state", QUESTION)
    assert state == "expired"


def test_access_is_waited_for(browser, origin, listed):
    client = listed.client()
    client.ok("PUT", "/v1/persons/p", {"requiredRegulatoryFeatures": "unsupported"})
    page = visit(browser, origin, listed)
    page.run("window.before = await assent.access('p'); window.after = assent.wait(before)")
    assert page.run("return before.phase") == "clear"
    client.ok("POST", "/v1/persons/p/rescission", {"scope": "person"})
    assert page.run("return (await after).reason") == "consentRescinded"


def test_a_stream_loses_nothing_when_its_server_is_gone_for_a_while(browser, origin, deploy):
    deployment = deploy(2)
    app = listing(deployment, origin)
    first, other = deployment.servers
    client = app.client(1)
    client.ok("PUT", "/v1/persons/p", {})
    page = visit(browser, origin, app)
    page.run("follow({ person: 'p', types: ['question.*'] })")
    page.wait("states.includes('open')")
    ids = [ask(client)["id"]]
    page.wait("seen.length === 1")
    for number, end in enumerate((first.terminate, first.kill), start=1):
        opened = page.run("return states.filter((state) => state === 'open').length")
        end()
        first.wait()
        page.wait("states.at(-1) !== 'open'")
        ids += [ask(client)["id"] for _ in range(3)]
        client.ok("PUT", "/v1/persons/somebody-else", {"region": f"U{'SA'[number - 1]}"})
        first.start()
        ids += [ask(client)["id"] for _ in range(2)]
        page.wait("states.filter((state) => state === 'open').length > args[0]", opened, patience=40)
        ids.append(ask(client)["id"])
    page.wait("seen.length >= args[0]", len(ids))
    log = [event for event in client.events() if event["type"] == "question.created"]
    assert [event["data"]["id"] for event in log] == ids
    assert page.run("return seen") == [event["id"] for event in log]
    assert page.run("return [resets, stream.cursor, ended ?? null]") == [0, log[-1]["id"], None]
    page.run("stream.close()")
    page.wait("states.at(-1) === 'closed' && ended === null")
    # What brought it all, never a ticket twice: none is left, and no line shows one.
    text = first.log_path.read_text() + other.log_path.read_text()
    assert "/v1/stream-tickets" in text and "ticket_" not in text


def test_waits_come_through_a_restart(browser, origin, deploy):
    deployment = deploy(2)
    app = listing(deployment, origin)
    client = app.client(1)
    page = visit(browser, origin, app)
    question = page.run("window.question = await assent.ask(args[0]); window.settled = assent.settled(question); return question", QUESTION)
    deployment.server.kill()
    client.ok("POST", f"/v1/questions/{question['id']}/answers", {"guardian": "g", "answer": "approval"})
    deployment.server.start()
    assert page.run("return (await settled).state") == "approved"


def test_a_stream_begins_where_its_page_read(browser, origin, listed):
    client = listed.client()
    client.ok("PUT", "/v1/persons/p", {})
    before = client.events()[-1]["id"]
    ids = [ask(client)["id"] for _ in range(5)]
    page = visit(browser, origin, listed)
    page.run("follow({ types: ['question.created'] }, { after: args[0] })", before)
    page.wait("seen.length === 5")
    assert ids and page.run("return seen") == [event["id"] for event in client.events()[-5:]]
    # A cursor of another log: the page is told to read anew, and hears what comes from then on.
    page.run("stream.close(); seen.length = 0; follow({}, { after: 'elsewhere_3' })")
    page.wait("resets === 1")
    ask(client)
    page.wait("seen.length === 1")
    page.run("stream.close()")


def test_a_stream_ends_with_its_key(browser, origin, listed):
    admin = listed.deployment.admin
    made = admin.ok("POST", f"/v1/apps/{listed.id}/keys", {"role": "viewer", "label": "page"})
    page = visit(browser, origin, listed, made["key"])
    page.run("follow({})")
    page.wait("states.includes('open')")
    admin.request("DELETE", f"/v1/apps/{listed.id}/keys/{made['id']}")
    page.wait("ended !== undefined", patience=10)
    assert page.run("return [ended.name, ended.status, states.at(-1)]") == ["AssentProblem", 401, "closed"]


def test_an_origin_that_the_app_does_not_list_reads_nothing(browser, listed):
    with pages.serve() as stranger:
        page = visit(browser, stranger, listed)
        seen = page.run("""
            const impatient = new Assent({ url: args[0], token: args[1], attempts: 1 });
            const asked = await caught(impatient.ask(args[2]));
            const ticket = await caught(fetch(`${args[0]}/v1/stream-tickets`, {
                method: 'POST', headers: { Authorization: `Bearer ${args[1]}` } }));
            return [asked.name, ticket.name];
        """, f"http://127.0.0.1:{listed.deployment.server.port}", listed.key, QUESTION)
        assert seen == ["AssentUnreachable", "TypeError"]
        # A ticket that leaked there opens nothing for it to read.
        ticket = listed.client().ok("POST", "/v1/stream-tickets", {})["ticket"]
        opened = page.run("""
            const source = new EventSource(`${args[0]}/v1/events?ticket=${args[1]}`);
            const type = await new Promise((resolve) => {
                for (const type of ['open', 'error']) source.addEventListener(type, () => resolve(type));
            });
            source.close();
            return type;
        """, f"http://127.0.0.1:{listed.deployment.server.port}", ticket)
        assert opened == "error"
        # Nothing was asked either: the browser asked first whether it may.
        assert listed.client().ok("GET", "/v1/questions")["data"] == []
        browser.console()
