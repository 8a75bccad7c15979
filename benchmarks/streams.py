#!/usr/bin/env python3
"""Measures how many readers one process carries: event streams, requests that wait, and what ordinary requests notice of both.

    make release benchers python && .build/venv/bin/python benchmarks/streams.py [--parts streams,polls,idle] [--readers 10000]

`streams`: so many readers on one process, next to a bare program on libmicrohttpd that does the same without anything around it
(`streams/bare.c`), in turn: memory a reader, and the time from the commit of an event to its receipt by each of them. `polls`:
5,000 requests that wait for a question's or a decision's difference, answered by one burst. `idle`: plain reads with and without
as many silent streams. The readers are one program for all (`streams/crowd.c`), on a core's time of its own as far as there are
cores. Everything is on loopback, bounded, and ended by pid; compare within one run.
"""

import argparse
import array
import http.client
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import threading
import time

CHECKOUT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT / "Tests/blackbox"))
os.environ.setdefault("ASSENT_BINARY", str(CHECKOUT / ".build/release/assent"))

import psycopg  # noqa: E402

from harness import places, server as processes  # noqa: E402
from harness.client import Client  # noqa: E402
from harness.cluster import Cluster  # noqa: E402
from harness.server import Server  # noqa: E402

# What libmicrohttpd sets aside for a connection, as ServerConfiguration has it.
POOL = 24 * 1024


class Tools:
    """The C programs, compiled into a folder of this run."""

    def __init__(self):
        self.folder = places.folder("streams")
        for name, libraries in (("bare", ["-lmicrohttpd", "-lpthread"]), ("crowd", [])):
            source = CHECKOUT / f"benchmarks/streams/{name}.c"
            subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-o", str(self.folder / name), str(source), *libraries],
                           check=True)

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Crowd:
    """So many clients, a request each, and the moments at which something came of it."""

    def __init__(self, tools: Tools, port: int, requests: list[str], mode: str, mark: str = "data:"):
        self.tools, self.count, self.mode = tools, len(requests), mode
        path = tools.folder / f"requests-{time.monotonic_ns()}"
        path.write_bytes(b"".join(request.encode() + b"\0" for request in requests))
        self.process = subprocess.Popen(
            [str(tools.folder / "crowd"), str(port), str(path), mode, mark], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)

    def open(self) -> "Crowd":
        assert self.process.stdout.readline() == "open\n", "the clients could not get in"
        return self

    def say(self, line: str):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self, events: int, seconds: float = 20) -> int:
        """How many clients have seen so many events when all have, or the time is over."""
        self.say(f"wait {events} {seconds}")
        return int(self.process.stdout.readline().split()[1])

    def moments(self) -> array.array:
        path = self.tools.folder / "moments"
        self.say(f"dump {path}")
        assert self.process.stdout.readline() == "written\n"
        numbers = array.array("q")
        numbers.frombytes(path.read_bytes())
        return numbers

    def end(self):
        self.process.stdin.close()
        self.process.wait(30)


class Ours:
    """This server with a database of its own, an app, and a key that may have as many streams as there are readers."""

    name = "assent"

    def __init__(self, tools: Tools, options):
        self.options = options
        self.cluster = Cluster("track_commit_timestamp=on", "autovacuum=off", "jit=off", "shared_buffers=256MB").start()
        self.database = self.cluster.database()
        done = processes.run("migrate", database=self.database)
        assert done.returncode == 0, done.stderr
        processes.run("app", "create", "streams", database=self.database)
        made = processes.run("key", "create", "--role", "service", "--app", "streams", database=self.database)
        self.key = made.stdout.strip()
        self.server = Server(
            tools.folder, "--access-log", "none", "--streams-per-key", "1000000", *options.flags.split(),
            database=self.database).start()
        self.pid, self.port = self.server.pid, self.server.port
        self.client = Client(self.port, self.key)
        self.numbers = 0

    def request(self, path: str = "/v1/events", *fields: str, method: str = "GET", body: str = "") -> str:
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {self.key}", *fields]
        if body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        return "\r\n".join(lines) + "\r\n\r\n" + body

    def stream(self) -> str:
        return self.request("/v1/events", "Accept: text/event-stream")

    def gauge(self, name: str) -> int:
        text = Client(self.port).get("/metrics").body.decode()
        return int(float(re.search(rf"^{name} (\S+)$", text, re.M).group(1)))

    def wait_for(self, gauge: str, number: int):
        limit = time.monotonic() + 60
        while self.gauge(gauge) != number:
            assert time.monotonic() < limit, f"{gauge} is {self.gauge(gauge)} and not {number}"
            time.sleep(0.05)

    def settle(self):
        self.wait_for("assent_streams", self.options.readers)
        time.sleep(1)

    def publish(self) -> None:
        self.numbers += 1
        self.client.ok("PUT", f"/v1/persons/p-{self.numbers}", {})

    def commits(self) -> list[int]:
        """When the published events were committed, by PostgreSQL's own record; nanoseconds since 1970."""
        with psycopg.connect(self.database) as connection:
            rows = connection.execute(
                "select (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000000)::bigint * 1000 from event "
                "where app_id = 'streams' and type = 'person.updated' order by seq").fetchall()
        return [row[0] for row in rows]

    def block(self) -> bytes:
        """One event as a stream brings it."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(
            "GET", "/v1/events", headers={"Authorization": f"Bearer {self.key}", "Accept": "text/event-stream"})
        answer = connection.getresponse()
        lines = [answer.readline(), answer.readline()]
        time.sleep(0.3)
        self.publish()
        lines = [answer.readline() for _ in range(4)]
        connection.close()
        assert lines[2].startswith(b"data: ") and lines[3] == b"\n", lines
        return b"".join(lines)

    def end(self):
        self.client.close()
        self.server.stop()
        self.cluster.remove()


class Bare:
    """The bare program, given the same event."""

    name = "bare libmicrohttpd"

    def __init__(self, tools: Tools, options, block: bytes):
        self.block, self.times = block, []
        self.port = free_port()
        self.process = subprocess.Popen(
            [str(tools.folder / "bare"), str(self.port), str(POOL), str(options.readers + 100)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, preexec_fn=raise_files)
        self.pid = self.process.pid
        assert self.process.stdout.readline() == b"listening\n"

    def stream(self) -> str:
        return f"GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {'x' * 70}\r\nAccept: text/event-stream\r\n\r\n"

    def settle(self):
        time.sleep(1)

    def publish(self):
        self.process.stdin.write(b"%d\n" % len(self.block) + self.block)
        self.process.stdin.flush()
        self.times.append(int(self.process.stdout.readline()))

    def commits(self) -> list[int]:
        return self.times

    def end(self):
        self.process.kill()
        self.process.wait(10)


def raise_files():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def free_port() -> int:
    import socket
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def resident(pid: int) -> int:
    """Bytes."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", text).group(1)) * 1024


def ticks(pid: int) -> float:
    """Processor seconds of a process."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def percentile(sorted_numbers, share: float) -> float:
    return sorted_numbers[min(len(sorted_numbers) - 1, int(len(sorted_numbers) * share))]


def stream_round(tools: Tools, target, options) -> dict:
    before = resident(target.pid)
    crowd = Crowd(tools, target.port, [target.stream()] * options.readers, "streams")
    try:
        began = time.monotonic()
        crowd.open()
        opened = time.monotonic() - began
        target.settle()
        idle = resident(target.pid)
        published = len(target.commits())
        spent = ticks(target.pid)
        for number in range(1, options.events + 1):
            target.publish()
            seen = crowd.wait(number)
            assert seen == options.readers, f"{seen} readers of {options.readers} have event {number}"
            time.sleep(options.pause)
        spent = ticks(target.pid) - spent
        after = resident(target.pid)
        moments = crowd.moments()
        commits = target.commits()[published:]
        assert len(moments) == options.readers * options.events and len(commits) == options.events
        waits = sorted(moment - commits[at % options.events] for at, moment in enumerate(moments))
        return {"p50": percentile(waits, 0.5) / 1e6, "p99": percentile(waits, 0.99) / 1e6, "max": waits[-1] / 1e6,
                "first": waits[0] / 1e6, "idle": (idle - before) / options.readers / 1024,
                "after": (after - before) / options.readers / 1024, "cpu": spent / options.events / options.readers * 1e6,
                "open": opened}
    finally:
        crowd.end()


STREAM_HEAD = ("| what | KiB a reader, silent | after the events | p50 ms | p99 ms | longest | first | CPU µs a receipt | opened in s |\n"
               "|---|---|---|---|---|---|---|---|---|")


def stream_row(name: str, run: dict) -> str:
    return (f"| {name} | {run['idle']:.1f} | {run['after']:.1f} | {run['p50']:.1f} | {run['p99']:.1f} | {run['max']:.1f} | "
            f"{run['first']:.1f} | {run['cpu']:.1f} | {run['open']:.1f} |")


def streams(tools: Tools, options):
    print(f"\n{options.readers:,} streams, {options.events} events, {options.rounds} rounds\n")
    print(STREAM_HEAD)
    runs: dict[str, list[dict]] = {}
    for _ in range(options.rounds):
        ours = Ours(tools, options)
        try:
            block = ours.block()
            runs.setdefault(ours.name, []).append(stream_round(tools, ours, options))
        finally:
            ours.end()
        print(stream_row(ours.name, runs[ours.name][-1]), flush=True)
        bare = Bare(tools, options, block)
        try:
            runs.setdefault(bare.name, []).append(stream_round(tools, bare, options))
        finally:
            bare.end()
        print(stream_row(bare.name, runs[bare.name][-1]), flush=True)
    ratios = {name: statistics.median(mine[name] / theirs[name] for mine, theirs in zip(runs[Ours.name], runs[Bare.name]))
              for name in ("idle", "after", "p50", "p99")}
    print("\nours to the bare program's, median over the rounds: " + ", ".join(f"{k} {v:.2f}" for k, v in ratios.items()))


def polls(tools: Tools, options):
    """Half of them wait for a question, half for a decision about access; every person's one question is answered."""
    count = options.polls
    ours = Ours(tools, options)
    try:
        admin = processes.run("key", "create", "--role", "admin", database=ours.database).stdout.strip()
        Client(ours.port, admin).ok(
            "PUT", "/v1/changes/video?app=streams",
            {"introducedIn": {"version": "2.0", "build": None}, "descriptions": {"en": "Adds video."}, "features": ["video"]})
        facts = ('{"ageRange":{"lowerBound":10,"upperBound":12,"declaration":"guardianDeclared"},'
                 '"requiredRegulatoryFeatures":["significantAppChangeRequiresParentalConsent"]}')
        persons = [f"c-{n}" for n in range(count)]
        answers(tools, ours, [ours.request(f"/v1/persons/{p}", method="PUT", body=facts) for p in persons], 201)
        ask = '{"person":"%s","topic":{"kind":"significantAppUpdate","change":"video"}}'
        answers(tools, ours, [ours.request("/v1/questions", method="POST", body=ask % p) for p in persons], 201)
        with psycopg.connect(ours.database) as connection:
            rows = connection.execute(
                "select person.id, question.id from question join person on (person.app_id, ref) = (question.app_id, person_ref)")
            questions = {person: str(id) for person, id in rows}
        assert len(questions) == count
        waits, client = [], Client(ours.port, ours.key)
        for number, person in enumerate(persons):
            path = f"/v1/questions/{questions[person]}" if number % 2 else f"/v1/persons/{person}/access"
            tag = client.get(path).headers["ETag"]
            waits.append(ours.request(path, f"If-None-Match: {tag}", "Prefer: wait=60"))
        before = resident(ours.pid)
        crowd = Crowd(tools, ours.port, waits, "answers").open()
        ours.wait_for("assent_long_polls", count)
        held = (resident(ours.pid) - before) / count / 1024
        body = '{"guardian":"g","answer":"approval"}'
        began = time.time_ns()
        answers(tools, ours, [
            ours.request(f"/v1/questions/{questions[p]}/answers", method="POST", body=body) for p in persons], 200)
        burst = (time.time_ns() - began) / 1e9
        seen = crowd.wait(1, 30)
        moments = crowd.moments()
        crowd.end()
        statuses = {status: list(moments[count:]).count(status) for status in set(moments[count:])}
        with psycopg.connect(ours.database) as connection:
            rows = connection.execute(
                "select person.id, (extract(epoch from pg_xact_commit_timestamp(event.xmin)) * 1000000)::bigint * 1000 "
                "from event join person on (person.app_id, ref) = (event.app_id, person_ref) where type = 'question.approved'")
            commits = dict(rows)
        late = sorted(moments[at] - commits[person] for at, person in enumerate(persons)) if seen == count else [0]
        print(f"\n{count:,} requests that wait ({held:.1f} KiB each), answered by {count:,} approvals within {burst:.2f} s")
        print(f"statuses {statuses}; from commit to answer p50 {percentile(late, 0.5) / 1e6:.1f} ms, "
              f"p99 {percentile(late, 0.99) / 1e6:.1f} ms, longest {late[-1] / 1e6:.1f} ms; "
              f"all answered {(max(moments[:count]) - began) / 1e9:.2f} s after the burst began", flush=True)
        # One event that concerns all who wait for access: the change is withdrawn, and half of them look at once.
        tags = [client.get(f"/v1/persons/{p}/access").headers["ETag"] for p in persons]
        waits = [ours.request(f"/v1/persons/{p}/access", f"If-None-Match: {t}", "Prefer: wait=60") for p, t in zip(persons, tags)]
        crowd = Crowd(tools, ours.port, waits, "answers").open()
        ours.wait_for("assent_long_polls", count)
        # What somebody else's request takes meanwhile.
        over, others = threading.Event(), []

        def other():
            mine = Client(ours.port, ours.key)
            while not over.is_set():
                start = time.time_ns()
                assert mine.get(f"/v1/questions/{questions['c-1']}").status == 200
                others.append((start, (time.time_ns() - start) / 1e6))
        thread = threading.Thread(target=other)
        thread.start()
        time.sleep(0.5)
        began = time.time_ns()
        Client(ours.port, admin).ok("POST", "/v1/changes/video/withdrawal?app=streams", {"reason": "r"})
        seen = crowd.wait(1, 30)
        time.sleep(0.3)
        over.set()
        thread.join()
        moments = crowd.moments()
        crowd.end()
        statuses = {status: list(moments[count:]).count(status) for status in set(moments[count:])}
        late = sorted(moment - began for moment in moments[:count])
        meanwhile = sorted(t for start, t in others if began <= start <= late[-1] + began)
        peace = sorted(t for start, t in others if start < began)
        print(f"one event for {count:,} of them: {seen} answered, statuses {statuses}; after the request p50 "
              f"{percentile(late, 0.5) / 1e6:.1f} ms, p99 {percentile(late, 0.99) / 1e6:.1f} ms; another caller's reads meanwhile: "
              f"p50 {percentile(meanwhile, 0.5):.1f}, longest {meanwhile[-1]:.1f} ms ({percentile(peace, 0.5):.1f} before)", flush=True)
    finally:
        ours.end()


def answers(tools: Tools, ours: Ours, requests: list[str], status: int):
    """Sends them, each on a connection of its own, and waits for the answers; so many at once as the queue takes."""
    for first in range(0, len(requests), 2_000):
        crowd = Crowd(tools, ours.port, requests[first:first + 2_000], "answers").open()
        seen = crowd.wait(1, 60)
        numbers = crowd.moments()
        crowd.end()
        assert set(numbers[seen:]) == {status}, set(numbers[seen:])


def idle(tools: Tools, options):
    """What the plain reads of others notice of streams that nothing is written to."""
    ours = Ours(tools, options)
    try:
        made = ours.client.ok(
            "POST", "/v1/questions", {"person": "p", "topic": {"kind": "purchase", "product": "x"}, "description": "d"})
        path = f"/v1/questions/{made['id']}"

        def wrk(connections: int) -> str:
            spent = ticks(ours.pid)
            done = subprocess.run(
                ["wrk", "-t1", f"-c{connections}", f"-d{options.seconds}s", "--latency", "-H",
                 f"Authorization: Bearer {ours.key}", f"http://127.0.0.1:{ours.port}{path}"],
                capture_output=True, text=True, timeout=options.seconds + 60)
            spent = ticks(ours.pid) - spent
            rate = float(re.search(r"Requests/sec:\s+(\S+)", done.stdout).group(1))
            p50, p99 = re.search(r"50%\s+(\S+)", done.stdout).group(1), re.search(r"99%\s+(\S+)", done.stdout).group(1)
            return f"{rate:.0f} req/s, p50 {p50}, p99 {p99}, server CPU {spent / (rate * options.seconds) * 1000:.3f} s/1000"
        print(f"\nreads of a question, and {options.readers:,} silent streams")
        wrk(64)
        for connections in (1, 64):
            print(f"- without, {connections} connections: {wrk(connections)}", flush=True)
        crowd = Crowd(tools, ours.port, [ours.stream()] * options.readers, "streams").open()
        ours.settle()
        for connections in (1, 64):
            print(f"- with, {connections} connections: {wrk(connections)}", flush=True)
        spent = ticks(ours.pid)
        time.sleep(5)
        print(f"- CPU of the silent streams alone: {(ticks(ours.pid) - spent) / 5 * 100:.1f} % of a core", flush=True)
        crowd.end()
    finally:
        ours.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", default="streams,polls,idle")
    parser.add_argument("--readers", type=int, default=10_000)
    parser.add_argument("--events", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--pause", type=float, default=0.1, help="seconds between an event's last receipt and the next")
    parser.add_argument("--polls", type=int, default=5_000)
    parser.add_argument("--seconds", type=int, default=4, help="of each measure of plain reads")
    parser.add_argument("--flags", default="", help="more flags for the server")
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    print(f"open files: at most {hard:,}; {os.cpu_count()} cores")
    tools = Tools()
    try:
        for part in options.parts.split(","):
            {"streams": streams, "polls": polls, "idle": idle}[part](tools, options)
    finally:
        tools.remove()


main()
