"""An erased person's id, and whatever callers wrote of them, is nowhere: not in the database, not in any log."""

import contextlib
import pathlib
import threading

import psycopg

WORD = "zebra-7f3a"


def everything(database: str) -> list[str]:
    """Every value of every column of every table, as text; bytes as they are and as what they would spell."""
    found = []
    with psycopg.connect(database, autocommit=True) as connection:
        tables = connection.execute(
            "select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace"
            " where c.relkind in ('r', 'p', 'm', 't') and n.nspname not in ('pg_catalog', 'information_schema')").fetchall()
        for (table,) in tables:
            with contextlib.suppress(psycopg.errors.InsufficientPrivilege):
                for row in connection.execute(f"select * from {table}").fetchall():
                    for value in row:
                        if isinstance(value, (bytes, memoryview)):
                            found.append(bytes(value).decode("latin-1"))
                        found.append(str(value))
    return found


def tell_all(client, person: str, word: str):
    """Everything that can be said of a person, each with the word in it."""
    def keyed(path: str, body: dict, method: str = "POST", key: str = ""):
        return client.ok(method, path, body, idempotency_key=f"{key}-{path}-{word}".replace("/", "-"))

    keyed(f"/v1/persons/{person}", {"ageRange": {"upperBound": 12}}, "PUT")
    for guardian in (f"mother-{word}", f"father-{word}", f"aunt-{word}"):
        keyed(f"/v1/persons/{person}/guardians/{guardian}", {}, "PUT")
    client.ok("DELETE", f"/v1/persons/{person}/guardians/aunt-{word}")
    questions = []
    for topic in ({"kind": "communication", "handles": [f"friend-{word}", f"uncle-{word}"]},
                  {"kind": "purchase", "product": f"hat-{word}"},
                  {"kind": "custom", "subject": f"stay-up-{word}"},
                  {"kind": "custom", "subject": f"waits-{word}"}):
        body = {"person": person, "topic": topic, "description": f"May {word} do this?", "quorum": 2}
        questions.append(keyed("/v1/questions", body, key=f"{len(questions)}")["id"])
    for question in questions[:3]:
        for guardian, answer in ((f"mother-{word}", "approval"), (f"father-{word}", "denial"), (f"father-{word}", "approval")):
            client.ok("POST", f"/v1/questions/{question}/answers", {
                "guardian": guardian, "answer": answer, "reason": f"as {word} wishes",
                "verification": {"method": "document", "reference": f"passport-{word}"}})
    client.ok("POST", f"/v1/questions/{questions[3]}/cancellation", {"reason": f"{word} forgot"})
    keyed(f"/v1/persons/{person}/rescission", {"scope": "person", "reason": f"{word} moved"})
    keyed(f"/v1/persons/{person}/reinstatement", {})
    keyed("/v1/questions", {"person": person, "topic": {"kind": "purchase", "product": f"last-{word}"},
                            "description": word, "quorum": 2}, key="last")
    # Refusals of every kind name the person too.
    client.post("/v1/questions", {"person": person, "topic": {"kind": "purchase", "product": word}, "description": word,
                                  "quorum": 9})
    client.get(f"/v1/questions?person={person}")
    client.get(f"/v1/persons/{person}?{word}=1")
    return questions


def test_an_erased_person_is_nowhere(cluster, deploy):
    deployment = deploy(2)
    app = deployment.app()
    client = app.client()
    person = f"child-{WORD}"
    questions = tell_all(client, person, WORD)
    tell_all(client, "neighbour", "kept")
    # One key for two persons at once: what PostgreSQL says of a collision goes to its log.
    bodies = [{"person": name, "topic": {"kind": "custom", "subject": subject}, "description": subject, "quorum": 2}
              for name, subject in ((person, f"race-{WORD}"), ("neighbour", "race-kept"))]
    others = [app.client(server) for server in (0, 1) for _ in range(4)]
    threads = [threading.Thread(target=other.post, args=("/v1/questions", bodies[number % 2]),
                                kwargs={"idempotency_key": f"race-{number // 4}-{WORD}"})
               for number, other in enumerate(others)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    before = everything(deployment.database)
    assert any(WORD in value for value in before)
    kept = sorted(value for value in before if "kept" in value)
    counts = client.ok("GET", "/v1/questions/counts")
    waiting = len(client.ok("GET", f"/v1/questions?person={person}&state=pending")["data"])
    assert waiting >= 1

    gone = client.delete(f"/v1/persons/{person}", idempotency_key=f"erase-{WORD}")
    assert gone.status == 204
    after = everything(deployment.database)
    assert [value for value in after if WORD in value] == []
    assert sorted(value for value in after if "kept" in value) == kept

    # It stays told that it happened, and how much of it.
    left = client.ok("GET", "/v1/questions/counts")
    assert sum(left.values()) == sum(counts.values()) and left["approved"] == counts["approved"]
    assert left["pending"] == counts["pending"] - waiting
    shown = client.ok("GET", f"/v1/questions/{questions[0]}")
    assert shown["person"] is None and shown["state"] == "revoked"
    for path in ("/v1/questions?limit=100", "/v1/events?limit=100"):
        assert WORD not in str(client.ok("GET", path))
    for other in [client, *others]:
        other.close()
    codes = [server.stop() for server in deployment.servers]
    assert codes == [0, 0]
    for log in [cluster.log_path, *(server.log_path for server in deployment.servers)]:
        text = pathlib.Path(log).read_text(errors="replace")
        assert text and WORD not in text, log
