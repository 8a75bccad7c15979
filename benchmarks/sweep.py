#!/usr/bin/env python3
"""Measures the sweeper at scale: questions expire all at once while callers go on.

    make release python && .build/venv/bin/python benchmarks/sweep.py

Starts a PostgreSQL cluster and a server of its own, puts pending questions into the database (a million unless --count
says otherwise), measures callers in peace, lets the expiration pass, and measures them until every question is resolved.
Prints a table and exits 1 where a goal is missed: all resolved within 90 s; callers' p99 below three times its value in
peace; the first page of the pending list below 10 ms throughout.
"""

import argparse
import datetime
import multiprocessing
import os
import pathlib
import shutil
import statistics
import sys
import time

CHECKOUT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT / "Tests/blackbox"))
os.environ.setdefault("ASSENT_BINARY", str(CHECKOUT / ".build/release/assent"))

import psycopg  # noqa: E402

from harness import places, server as processes  # noqa: E402
from harness.client import Client  # noqa: E402
from harness.cluster import Cluster, processes_in  # noqa: E402
from harness.overdue import seed  # noqa: E402
from harness.server import Server  # noqa: E402


class Callers:
    """Create, get and answer, over and over on each of a few connections, and one who looks at the pending list; each is a
    process of its own, so that they do not wait for one another."""

    def __init__(self, port: int, key: str, count: int, rate: float):
        self._over, self._results = multiprocessing.Event(), multiprocessing.Queue()
        self._processes = [
            multiprocessing.Process(target=self._run, args=(self._work, port, key, n, count / rate)) for n in range(count)]
        self._processes.append(multiprocessing.Process(target=self._run, args=(self._look, port, key, 0, 0.05)))
        self._processes.append(multiprocessing.Process(target=self._run, args=(self._stand_by, port, key, 0, 0.002)))
        names = ("create", "get", "answer", "pending", "bystander")
        self.samples: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
        self.failures: list[str] = []

    def start(self):
        for process in self._processes:
            process.start()
        return self

    def stop(self):
        """Ends them and gathers what they measured."""
        self._over.set()
        for _ in self._processes:
            samples, failures = self._results.get(timeout=60)
            for name, values in samples.items():
                self.samples[name] += values
            self.failures += failures
        for process in self._processes:
            process.join()

    def _run(self, work, port: int, key: str, number: int, pause: float):
        samples: dict[str, list] = {}
        failures: list[str] = []

        def timed(name: str, call):
            began = time.perf_counter()
            reply = call()
            samples.setdefault(name, []).append((began, time.perf_counter() - began))
            if reply.status >= 300:
                failures.append(f"{name}: {reply}")
            return reply

        timed.samples = lambda name: samples.setdefault(name, [])
        try:
            work(Client(port, key).connect(), timed, number, pause)
        except Exception as failure:
            failures.append(repr(failure))
        self._results.put((samples, failures))

    def _work(self, client: Client, timed, number: int, pause: float):
        turn = 0
        due = time.perf_counter() + number * pause
        while not self._over.is_set():
            body = {"person": f"caller-{number}-{turn}", "topic": {"kind": "custom", "subject": "s"}, "description": "May I?"}
            asked = timed("create", lambda: client.post("/v1/questions", body)).json
            timed("get", lambda: client.get(f"/v1/questions/{asked['id']}"))
            answer = {"guardian": "g", "answer": "approval"}
            timed("answer", lambda: client.post(f"/v1/questions/{asked['id']}/answers", answer))
            turn += 1
            due += 3 * pause
            self._over.wait(max(0.0, due - time.perf_counter()))

    def _look(self, client: Client, timed, number: int, pause: float):
        while not self._over.is_set():
            timed("pending", lambda: client.get("/v1/questions?state=pending"))
            self._over.wait(pause)

    def _stand_by(self, client: Client, timed, number: int, pause: float):
        """Asks nobody for anything: how much later than it wanted it woke is what the machine itself adds to everyone's time."""
        late = timed.samples("bystander")
        while not self._over.is_set():
            began = time.perf_counter()
            time.sleep(pause)
            late.append((began, time.perf_counter() - began - pause))

    def between(self, name: str, first: float, last: float) -> list[float]:
        """How long each took, shortest first; `callers` are all but the one who looks at the list."""
        kinds = ["create", "get", "answer"] if name == "callers" else [name]
        return sorted(took for kind in kinds for began, took in self.samples[kind] if first <= began < last)


def wear_in(connection: psycopg.Connection, megabytes: int):
    """Leaves used files for the log behind, as every cluster has that has run for a while. In a new one, whoever commits when a
    file is full waits while the next 16 MB are filled with zeros: 46 ms here, about every second of a sweep."""
    for _ in range(megabytes // 16):
        connection.execute("select pg_logical_emit_message(false, 'wear', 'in')")
        connection.execute("select pg_switch_wal()")
    connection.execute("checkpoint")


def quantile(values: list[float], share: float) -> float:
    return values[min(len(values) - 1, int(len(values) * share))] * 1000 if values else float("nan")


def processor_seconds(pids: list[int]) -> float:
    """What these processes have used so far; those that ended meanwhile count with their parent's ended children."""
    ticks = 0
    for pid in pids:
        try:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        ticks += sum(int(field) for field in fields[11:13])
    return ticks / os.sysconf("SC_CLK_TCK")


def resolved(server: Server) -> int:
    text = server.client().get("/metrics").body.decode()
    [line] = [line for line in text.splitlines() if line.startswith("assent_sweeper_resolved_total ")]
    return int(float(line.split()[1]))


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--count", type=int, default=1_000_000, help="questions that expire at once")
    arguments.add_argument("--apps", type=int, default=1, help="apps they are spread over")
    arguments.add_argument("--callers", type=int, default=4, help="connections that go on calling")
    arguments.add_argument("--rate", type=float, default=150, help="their requests a second, all together")
    arguments.add_argument("--peace", type=float, default=20, help="seconds of peace measured before")
    options = arguments.parse_args()

    # A cache that holds what is swept, as an operator gives it: out of a smaller one a reader now and then has to write a
    # page before it can take another, and waits for the log's disk.
    cluster = Cluster("max_wal_size=4GB", "min_wal_size=4GB", "shared_buffers=2GB").start()
    folder = places.folder("sweep")
    server = None
    try:
        database = cluster.database()
        for words in (["migrate"], *(["app", "create", f"sweep-{n}"] for n in range(options.apps))):
            done = processes.run(*words, database=database)
            assert done.returncode == 0, done.stderr
        key = processes.run("key", "create", "--role", "service", "--app", "sweep-0", database=database).stdout.strip()

        with psycopg.connect(database, autocommit=True) as connection:
            began = time.time()
            # Far enough ahead for the seeding.
            share = options.count // options.apps
            lead = 30 + options.peace + options.count / 8_000
            expiration = datetime.datetime.fromtimestamp(began + lead, datetime.timezone.utc)
            for n in range(options.apps):
                seed(connection, f"sweep-{n}", share, expiration)
            connection.execute("vacuum analyze question")
            wear_in(connection, megabytes=options.count // 300)
        took = time.time() - began
        print(f"{share * options.apps:,} questions in {options.apps} app(s) put in within {took:.0f} s", flush=True)
        ahead = expiration.timestamp() - time.time()
        assert ahead > options.peace + 5, f"seeding took too long: only {ahead:.0f} s are left before they expire"

        server = Server(folder, "--access-log", "failures", database=database).start()
        time.sleep(max(0.0, ahead - options.peace - 3))
        callers = Callers(server.port, key, options.callers, options.rate).start()
        time.sleep(2)
        peace = time.perf_counter()
        time.sleep(max(0.0, expiration.timestamp() - time.time() - 0.5))
        peace_end = time.perf_counter()
        time.sleep(max(0.0, expiration.timestamp() - time.time()))
        sweep = time.perf_counter()
        backends = processes_in(cluster.data)
        used = [processor_seconds([server.pid]), processor_seconds(backends)]
        total, shown = share * options.apps, 0
        while True:
            time.sleep(0.25)
            done = resolved(server)
            spent = time.perf_counter() - sweep
            if spent - shown >= 10:
                shown = spent
                print(f"  {spent:5.0f} s  {done:,} resolved", flush=True)
            if done >= total or spent > 600:
                break
        sweep_end = time.perf_counter()
        used = [processor_seconds([server.pid]) - used[0], processor_seconds(backends) - used[1]]
        callers.stop()

        with psycopg.connect(database) as connection:
            left = connection.execute(
                "select count(*) from question where state = 'pending' and expiration <= clock_timestamp()").fetchone()[0]
            events = connection.execute("select count(*) from event where type = 'question.expired'").fetchone()[0]

        spent = sweep_end - sweep
        print(f"\n{total:,} resolved in {spent:.1f} s ({total / spent:,.0f}/s), {left} left, {events:,} events")
        per = [seconds / total * 1000 for seconds in used]
        print(f"processor seconds per 1000, callers' share included: server {per[0]:.3f}, PostgreSQL {per[1]:.3f}\n")
        print(f"{'ms':>10} {'n':>7} {'p50':>8} {'p99':>8} {'max':>8}   | sweeping: {'n':>7} {'p50':>8} {'p99':>8} {'max':>8}   p99 ratio")
        overall = 0.0
        for name in ["create", "get", "answer", "callers", "pending", "bystander"]:
            calm, busy = callers.between(name, peace, peace_end), callers.between(name, sweep, sweep_end)
            ratio = quantile(busy, 0.99) / quantile(calm, 0.99)
            overall = ratio if name == "callers" else overall
            cells = [f"{quantile(values, share):8.2f}" for values in (calm, busy) for share in (0.5, 0.99, 1)]
            print(f"{name:>10} {len(calm):>7} {' '.join(cells[:3])}   |           {len(busy):>7} {' '.join(cells[3:])}   {ratio:8.2f}")
        page = callers.between("pending", sweep, sweep_end)
        stalls = [(began, began + took) for began, took in callers.samples["bystander"] if took >= 0.005]
        for began, took in callers.samples["pending"]:
            if took >= 0.008 and sweep <= began < sweep_end:
                overlap = sum(max(0.0, min(began + took, end) - max(began, start)) for start, end in stalls)
                print(f"  a page of {took * 1000:.1f} ms {began - sweep:.1f} s into the sweep: a bystander was held up for {overlap * 1000:.1f} ms of it")
        goals = [
            ("all resolved, once, within 90 s", left == 0 and events == total and spent < 90, f"{spent:.1f} s"),
            ("callers' p99 below three times that in peace", overall < 3, f"{overall:.2f} times"),
            ("first page of the pending list below 10 ms", quantile(page, 1) < 10,
             f"median {statistics.median(page) * 1000:.2f} ms, longest {quantile(page, 1):.2f} ms, "
             f"{sum(took >= 0.01 for took in page)} of {len(page)} above"),
            ("every caller was served", not callers.failures, f"{len(callers.failures)} failures {callers.failures[:1]}"),
        ]
        print()
        for goal, met, found in goals:
            print(f"{'met   ' if met else 'MISSED'} {goal}: {found}")
        return 0 if all(met for _, met, _ in goals) else 1
    finally:
        if server:
            server.stop()
        cluster.remove()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
