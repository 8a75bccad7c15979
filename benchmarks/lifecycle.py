#!/usr/bin/env python3
"""Measures what the consent lifecycle costs at scale: decisions about access, counts of a change, a change's withdrawal.

    make release python && .build/venv/bin/python benchmarks/lifecycle.py [--parts access,changes]

`access`: 100,000 persons with 20 changes each, one question about every one of them; decisions a second next to plain reads of
questions in the same rounds, and the cost of one decision as an app's changes grow from 1 to 200. `changes`: a million persons;
how long the counts of a change, its preview and its withdrawal take, and what callers notice of the last. Everything is on
loopback, bounded, and ended by pid; compare within one run.
"""

import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

CHECKOUT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT / "Tests/blackbox"))
os.environ.setdefault("ASSENT_BINARY", str(CHECKOUT / ".build/release/assent"))

import psycopg  # noqa: E402

from harness import places, server as processes  # noqa: E402
from harness.cluster import Cluster  # noqa: E402
from harness.server import Server  # noqa: E402

CHANGES = """
insert into change (app_id, id, version, features, languages, descriptions, revision, created_at, updated_at)
select %(app)s, 'change-' || lpad(c::text, 3, '0'), '2.' || c, array['feature-' || c], '{en}',
    array['Adds number ' || c || ' of the things that guardians are asked about.'], 1, now(), now()
from generate_series(1, %(changes)s::int) as c
"""

# Persons of different ages, regions and first versions, of whom the device reports that a guardian has to consent.
PERSONS = """
insert into person (app_id, id, ref, age_kind, age_lower, age_upper, age_declaration, duties_kind, duties, original_value,
    original_kind, original_environment, region, ever_linked, revision, created_at, updated_at)
select %(app)s, 'p-' || i,
    (lpad(to_hex((extract(epoch from now()) * 1000)::bigint + i), 12, '0') || '7000' || '9' || substr(md5('p' || i), 1, 15))::uuid,
    'range', (array[null, 13, 16])[1 + i %% 3], (array[12, 15, 17])[1 + i %% 3], 'guardianDeclared', 'features',
    '{significantAppChangeRequiresParentalConsent}', '1.' || i %% 40, 'version', 'production', 'US-' || chr(65 + i %% 20) || 'X',
    false, 1, now(), now()
from generate_series(1, %(persons)s::int) as i
"""

# Nine of ten questions are approved, and one in ten still waits.
QUESTIONS = """
insert into question (app_id, id, person_ref, subject, topic, topic_value, reusable, description, quorum, expiration, created_at,
    updated_at, revision, state, ever_approved, resolved_by, resolved_guardian, resolved_at)
select p.app_id,
    (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7000' || '8' || substr(md5(p.id || c.id), 1, 15))::uuid,
    p.ref, substring(sha256(convert_to('change' || chr(31) || c.id, 'UTF8')) for 16), 'significantAppUpdate', c.id, true,
    c.descriptions[1], 1, now() + interval '30 days', now(), now(), 1, case when waits then 'pending' else 'approved' end,
    not waits, case when waits then null else 'guardian' end, case when waits then null else 'g' end,
    case when waits then null else now() end
from person p cross join change c cross join lateral (
    select %(waiting)s or (substr(p.id, 3)::int + substr(c.id, 8)::int) %% 10 = 0 as waits) w
where p.app_id = %(app)s and c.app_id = %(app)s
order by p.ref
"""

COUNTERS = [
    "truncate change_progress, person_group",
    """
    insert into change_progress (app_id, change_id, status, count)
    select app_id, topic_value, state, count(*) from question group by 1, 2, 3
    """,
    """
    insert into person_group
    select app_id, person_group_digest(age_kind, age_lower, age_upper, age_declaration, duties_kind, duties, original_value,
        original_kind, original_environment, region), age_kind, age_lower, age_upper, age_declaration, duties_kind, duties,
        original_value, original_kind, original_environment, region, count(*)
    from person group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    """,
]

# GET paths of one app, drawn at random: access decisions or questions.
SCRIPT = """
local paths, threads = {}, 0
for line in io.lines(os.getenv("PATHS")) do paths[#paths + 1] = line end
function setup(thread) thread:set("number", threads) threads = threads + 1 end
function init() math.randomseed(tonumber(os.getenv("NONCE")) * 8 + number) end
function request() return wrk.format("GET", paths[math.random(#paths)]) end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d\\n", summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), e.status + e.connect + e.read + e.write + e.timeout))
end
"""


class Bench:
    """A cluster, a database, a server, and a key for each app."""

    def __init__(self):
        self.folder = places.folder("lifecycle")
        self.cluster = Cluster("max_wal_size=8GB", "shared_buffers=4GB", "autovacuum=off", "jit=off").start()
        self.database = self.cluster.database()
        self.server: Server | None = None
        done = processes.run("migrate", database=self.database)
        assert done.returncode == 0, done.stderr

    def app(self, name: str, *, persons: int, changes: int, waiting: bool = False) -> str:
        """Makes an app with so many persons, each asked about so many changes; returns a key."""
        done = processes.run("app", "create", name, database=self.database)
        assert done.returncode == 0, done.stderr
        values = {"app": name, "persons": persons, "changes": changes, "waiting": waiting}
        with psycopg.connect(self.database, autocommit=True) as connection:
            for statement in (CHANGES, PERSONS, QUESTIONS):
                connection.execute(statement, values)
        return processes.run("key", "create", "--role", "service", "--app", name, database=self.database).stdout.strip()

    def serve(self):
        with psycopg.connect(self.database, autocommit=True) as connection:
            for statement in COUNTERS:
                connection.execute(statement)
            connection.execute("vacuum analyze")
            connection.execute("checkpoint")
        self.server = Server(self.folder, "--access-log", "none", database=self.database).start()

    def rows(self, query: str, *values) -> list:
        with psycopg.connect(self.database) as connection:
            return connection.execute(query, values or ()).fetchall()

    def wrk(self, key: str, paths: list[str], seconds: int, connections: int = 64) -> dict:
        script, listed = self.folder / "get.lua", self.folder / "paths"
        script.write_text(SCRIPT)
        listed.write_text("\n".join(paths) + "\n")
        env = os.environ | {"PATHS": str(listed), "NONCE": str(time.time_ns() % 1_000_003)}
        before = ticks(self.server.pid), sum(map(ticks, backends(self.cluster)))
        done = subprocess.run(
            ["wrk", "-t2", f"-c{connections}", f"-d{seconds}s", "-s", str(script), "-H", f"Authorization: Bearer {key}",
             f"http://127.0.0.1:{self.server.port}/"], capture_output=True, text=True, timeout=seconds + 60, env=env)
        after = ticks(self.server.pid), sum(map(ticks, backends(self.cluster)))
        found = re.search(r"^RESULT (\d+) (\d+) (\d+) (\d+) (\d+)$", done.stdout, re.M)
        assert found, done.stdout + done.stderr
        count, duration, p50, p99, errors = map(int, found.groups())
        return {"rate": count / duration * 1e6, "p50": p50 / 1000, "p99": p99 / 1000, "errors": errors,
                "server": (after[0] - before[0]) / count * 1000, "database": (after[1] - before[1]) / count * 1000}

    def remove(self):
        if self.server:
            self.server.stop()
        self.cluster.remove()
        shutil.rmtree(self.folder, ignore_errors=True)


def backends(cluster: Cluster) -> list[int]:
    from harness.cluster import processes_in
    return processes_in(cluster.data)


def ticks(pid: int) -> float:
    """Processor seconds of a process."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def middle(runs: list[dict]) -> dict:
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def row(name: str, runs: list[dict]) -> str:
    m = middle(runs)
    return (f"| {name} | {m['rate']:.0f} | {m['p50']:.2f} | {m['p99']:.2f} | {m['server']:.3f} | {m['database']:.3f} | "
            f"{sum(run['errors'] for run in runs)} |")


HEAD = ("| what | req/s | p50 ms | p99 ms | server CPU s/1000 | PostgreSQL CPU s/1000 | errors |\n"
        "|---|---|---|---|---|---|---|")


def access(options):
    bench = Bench()
    try:
        sizes = [1, 5, 20, 50, 100, 200]
        began = time.time()
        keys = {size: bench.app(f"with-{size}", persons=max(500, 40_000 // size), changes=size) for size in sizes}
        main = bench.app("main", persons=options.persons, changes=20)
        bench.serve()
        print(f"{options.persons:,} persons with 20 changes each put in within {time.time() - began:.0f} s", flush=True)
        decisions = [f"/v1/persons/p-{i}/access" for i in range(1, options.persons + 1)]
        ids = bench.rows("select id from question where app_id = 'main' and hashtext(id::text) %% 20 = 0")
        questions = [f"/v1/questions/{id}" for (id,) in ids]
        runs: dict[str, list[dict]] = {"get": [], "access": []}
        for paths in (decisions, questions):
            bench.wrk(main, paths, 2)
        for _ in range(options.rounds):
            runs["get"].append(bench.wrk(main, questions, options.seconds))
            runs["access"].append(bench.wrk(main, decisions, options.seconds))
        ratio = statistics.median(a["rate"] / b["rate"] for a, b in zip(runs["access"], runs["get"]))
        print(HEAD)
        print(row("get a question", runs["get"]))
        print(row("decide about access, 20 changes", runs["access"]))
        print(f"\nratio of rates, median over the rounds: {ratio:.2f}\n")
        grown: dict[int, list[dict]] = {size: [] for size in sizes}
        for number in range(options.rounds + 1):
            for size in sizes:
                paths = [f"/v1/persons/p-{i}/access" for i in range(1, max(500, 40_000 // size) + 1)]
                run = bench.wrk(keys[size], paths, 1 if number == 0 else options.seconds)
                if number:
                    grown[size].append(run)
        print(HEAD)
        for size in sizes:
            print(row(f"decide, {size} change(s)", grown[size]))
        client = bench.server.client(keys[200]).connect()
        took = []
        for _ in range(options.rounds):
            began = time.perf_counter()
            reply = client.post("/v1/access-decisions", {"persons": [f"p-{i % 200 + 1}" for i in range(500)]})
            took.append(time.perf_counter() - began)
            assert reply.status == 200, reply
        print(f"\n500 persons with 200 changes in one call: median {statistics.median(took) * 1000:.0f} ms, {len(reply.body):,} bytes")
    finally:
        bench.remove()


def timed(call, times: int) -> str:
    took = []
    for _ in range(times):
        began = time.perf_counter()
        reply = call()
        took.append((time.perf_counter() - began) * 1000)
        assert reply.status == 200, reply
    took.sort()
    return f"median {statistics.median(took):.2f} ms, longest of {times} {took[-1]:.2f} ms"


def changes(options):
    bench = Bench()
    try:
        began = time.time()
        key = bench.app("crowd", persons=options.crowd, changes=1, waiting=True)
        bench.serve()
        groups = bench.rows("select count(*) from person_group")[0][0]
        print(f"{options.crowd:,} persons in {groups:,} groups, each with one question, put in within {time.time() - began:.0f} s", flush=True)
        client = bench.server.client(key).connect()
        body = {"introducedIn": {"version": "3.0"}, "descriptions": {"en": "Adds voice messages to friends."}}
        print("counts of a change:", timed(lambda: client.get("/v1/changes/change-001/progress"), 200))
        print("preview of a change:", timed(lambda: client.post("/v1/changes/preview", body), 200))
        reads = [f"/v1/persons/p-{i}/access" for i in range(1, 20_001)]
        peace = bench.wrk(key, reads, 5, connections=2)
        began = time.perf_counter()
        assert client.post("/v1/changes/change-001/withdrawal", {"reason": "Not now."}).status == 200
        print(f"withdrawal taken after {(time.perf_counter() - began) * 1000:.1f} ms")
        busy = []
        left = options.crowd
        while left and time.perf_counter() - began < 600:
            busy.append(bench.wrk(key, reads, 5, connections=2))
            left = client.get("/v1/changes/change-001/progress").json["counts"]["pending"]
        spent = time.perf_counter() - began
        print(f"{options.crowd - left:,} questions cancelled within {spent:.0f} s (looked every 5 s)")
        print(HEAD)
        print(row("two callers before", [peace]))
        print(row("and meanwhile", busy))
    finally:
        bench.remove()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--parts", default="access,changes")
    arguments.add_argument("--persons", type=int, default=100_000, help="persons of `access`")
    arguments.add_argument("--crowd", type=int, default=1_000_000, help="persons of `changes`")
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--seconds", type=int, default=4)
    options = arguments.parse_args()
    for part in options.parts.split(","):
        {"access": access, "changes": changes}[part](options)


if __name__ == "__main__":
    main()
