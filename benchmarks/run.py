#!/usr/bin/env python3
"""Puts wrk on this server and pgbench on the same rows, in turn, on one private PostgreSQL, and prints ratios.

    benchmarks/run.py [--rounds 3] [--seconds 5] [--rows 100000] [--ops get,list,create,answer,mixed]

Needs wrk, pgbench, PostgreSQL 15 and the release build (`make bench` sees to all of it). Everything it starts is on
loopback, bounded in time, and ended by pid. fsync and synchronous_commit are on. Compare only within one run.
"""

import argparse
import json
import os
import pwd
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
SERVER = HERE.parent / ".build/release/assent"
BIN = Path(os.environ.get("PG_BINDIR", "/usr/lib/postgresql/15/bin"))
SECRET = "benchmark-benchmark-benchmark-benchmark-ben"
KEY = "asnt_reader_00000000000070008000000000000001_" + SECRET
OPS = ("get", "list", "create", "answer", "mixed")
MIX = {"get": 7, "list": 1, "create": 1, "answer": 1}
TICK = os.sysconf("SC_CLK_TCK")
PAGES = 40
SETTINGS = {
    "shared_buffers": "512MB", "max_wal_size": "4GB", "checkpoint_timeout": "30min", "autovacuum": "off", "jit": "off",
    "fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "max_connections": "200",
}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def cpu_seconds(root: int) -> float:
    """CPU of a process and its children, living and reaped."""
    parents, used = {}, {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry)] = int(fields[1])
            used[int(entry)] = sum(int(fields[i]) for i in (11, 12, 13, 14))
    family, grown = {root}, True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in family} - family
        family |= more
        grown = bool(more)
    return sum(used.get(pid, 0) for pid in family) / TICK


def end(process: subprocess.Popen, sign: int) -> None:
    if process.poll() is None:
        process.send_signal(sign)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Database:
    """A private cluster, run as `postgres` when we are root."""

    def __init__(self, folder: Path):
        self.folder, self.port, self.process = folder, free_port(), None
        self.account = {}
        if os.geteuid() == 0:
            entry = pwd.getpwnam("postgres")
            os.chown(folder, entry.pw_uid, entry.pw_gid)
            self.account = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}

    def start(self) -> None:
        data = self.folder / "data"
        quiet = {"cwd": self.folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **self.account}
        subprocess.run([BIN / "initdb", "-D", data, "-U", "bench", "--auth=trust", "--encoding=UTF8", "--locale=C"],
                       check=True, timeout=120, **quiet)
        options = SETTINGS | {"port": str(self.port), "listen_addresses": "127.0.0.1",
                              "unix_socket_directories": str(self.folder)}
        command = [BIN / "postgres", "-D", data]
        for name, value in options.items():
            command += ["-c", f"{name}={value}"]
        self.process = subprocess.Popen(command, start_new_session=True, **quiet)
        for _ in range(100):
            if subprocess.run([BIN / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]).returncode == 0:
                return
            time.sleep(0.1)
        sys.exit("PostgreSQL did not start")

    def psql(self, database: str, *words: str) -> str:
        done = subprocess.run([BIN / "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p",
                               str(self.port), "-U", "bench", "-d", database, *words],
                              capture_output=True, text=True, timeout=900)
        if done.returncode:
            sys.exit(f"psql: {done.stderr.strip()}")
        return done.stdout.strip()

    def copy(self, name: str) -> None:
        self.psql("postgres", "-c", f"drop database if exists {name} with (force)")
        self.psql("postgres", "-c", f"create database {name} template seed strategy file_copy")
        self.psql(name, "-c", "select sum(pg_prewarm(oid)) from pg_class where relkind in ('r', 'i') "
                  "and relnamespace = 'public'::regnamespace")


class Floor:
    """pgbench: the rows of one request in one statement, no HTTP, no keys, no validation, no decision."""

    name = "floor"

    def __init__(self, database: Database, options):
        self.database, self.options, self.next = database, options, 0

    def begin(self) -> None:
        self.database.copy("floor")
        self.next = self.options.reserve

    def finish(self) -> None: ...

    def measure(self, op: str, seconds: float) -> dict:
        folder = Path(tempfile.mkdtemp(dir=self.database.folder.parent))
        clients = 16
        command = [BIN / "pgbench", "-n", "-M", "prepared", "-h", "127.0.0.1", "-p", str(self.database.port), "-U", "bench",
                   "-c", str(clients), "-j", "2", "-T", str(seconds), "-l", "--sampling-rate=0.2", f"--log-prefix={folder}/t"]
        values = {"rows": self.options.rows, "pages": PAGES, "n": 0, "clients": clients, "base": self.next + 1 - clients}
        for name, value in values.items():
            command += ["-D", f"{name}={value}"]
        for part, weight in (MIX if op == "mixed" else {op: 1}).items():
            command += ["-f", f"{HERE / 'floor' / part}.sql@{weight}"]
        before = cpu_seconds(self.database.process.pid)
        done = subprocess.run([*command, "floor"], capture_output=True, text=True, timeout=seconds + 60,
                              env=os.environ | {"PGOPTIONS": "-c plan_cache_mode=force_generic_plan"})
        after = cpu_seconds(self.database.process.pid)
        if done.returncode:
            sys.exit(f"pgbench: {done.stderr[-500:]}")
        count = int(re.search(r"actually processed: (\d+)", done.stdout)[1])
        failed = re.search(r"failed transactions: (\d+)", done.stdout)
        took = sorted(int(line.split()[2]) for path in folder.iterdir() for line in path.open())
        shutil.rmtree(folder)
        if op in ("answer", "mixed"):
            last = self.database.psql("floor", "-c", "select coalesce(max(i), 0) from floor_id f join question q on q.id = "
                                      "f.id where q.app_id = 'reader' and q.state <> 'pending'")
            self.next = max(self.next, int(last))
        at = lambda share: took[min(len(took) - 1, int(len(took) * share))] / 1000 if took else 0.0
        return {"rate": float(re.search(r"tps = ([\d.]+)", done.stdout)[1]), "p50": at(0.5), "p99": at(0.99),
                "errors": int(failed[1]) if failed else 0, "server": None, "database": (after - before) / count * 1000}


class Server:
    """wrk on the server, started anew on a fresh copy for each round."""

    name = "assent"

    def __init__(self, database: Database, options):
        self.database, self.options, self.process = database, options, None

    def begin(self) -> None:
        self.database.copy("server")
        self.port = free_port()
        env = os.environ | {
            "DATABASE_URL": f"postgresql://bench@127.0.0.1:{self.database.port}/server", "ASSENT_LOG_LEVEL": "warning",
            "ASSENT_ACCESS_LOG": "none", "ASSENT_RESOURCES": str(HERE.parent)}
        self.process = subprocess.Popen([SERVER, "serve", "--port", str(self.port)], env=env, start_new_session=True,
                                        stdin=subprocess.DEVNULL)
        for _ in range(100):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=2).read()
                break
            except OSError:
                time.sleep(0.1)
        ids = self.database.psql("server", "-c", "select id from question where state = 'pending' order by expiration, id")
        self.pending = ids.split()
        self.answered = self.options.reserve
        cursors, cursor = ["-"], None
        for _ in range(PAGES - 1):
            path = "/v1/questions?state=pending&limit=50" + (f"&cursor={cursor}" if cursor else "")
            request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers={"Authorization": f"Bearer {KEY}"})
            cursor = urllib.parse.quote(json.load(urllib.request.urlopen(request, timeout=10))["nextCursor"], safe="")
            cursors.append(cursor)
        folder = self.database.folder.parent
        (folder / "ids").write_text("\n".join(self.pending) + "\n")
        (folder / "cursors").write_text("\n".join(cursors) + "\n")

    def finish(self) -> None:
        if self.process:
            end(self.process, signal.SIGTERM)
            self.process = None

    def measure(self, op: str, seconds: float) -> dict:
        folder = self.database.folder.parent
        env = os.environ | {"OP": op, "IDS": str(folder / "ids"), "CURSORS": str(folder / "cursors"), "THREADS": "2",
                            "RESERVE": str(self.answered), "NONCE": str(time.time_ns() % 1_000_000_007)}
        command = ["wrk", "-t2", "-c64", f"-d{seconds}s", "--timeout", "10s", "-s", str(HERE / "load.lua"),
                   "-H", f"Authorization: Bearer {KEY}", "-H", "Content-Type: application/json",
                   f"http://127.0.0.1:{self.port}/"]
        before, database = cpu_seconds(self.process.pid), cpu_seconds(self.database.process.pid)
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60, env=env)
        after, database_after = cpu_seconds(self.process.pid), cpu_seconds(self.database.process.pid)
        found = re.search(r"^RESULT (.*)$", done.stdout, re.M)
        if not found:
            sys.exit(f"wrk: {done.stdout[-300:]}{done.stderr[-300:]}")
        result = json.loads(found[1])
        self.answered += result["used"] * 2
        if result["over"]:
            print(f"  {op}: the pending questions ran out, take more --rows", file=sys.stderr)
        count = max(1, result["requests"])
        return {"rate": count / (result["us"] / 1e6), "p50": result["p50"] / 1000, "p99": result["p99"] / 1000,
                "errors": result["status"] + result["socket"], "server": (after - before) / count * 1000,
                "database": (database_after - database) / count * 1000}


def table(ops, targets, results) -> None:
    number = lambda value, form: "-" if value is None else format(value, form)
    middle = lambda runs, key: statistics.median([r[key] for r in runs]) if runs and runs[0][key] is not None else None
    print("\n| operation | target | req/s | p50 ms | p99 ms | errors | server CPU s/1000 | PostgreSQL CPU s/1000 | ratio |")
    print("|---|---|---|---|---|---|---|---|---|")
    for op in ops:
        for target in targets:
            runs = results[op, target.name]
            ratio = "-"
            if target.name != "floor":
                ratio = format(statistics.median(a["rate"] / b["rate"] for a, b in zip(runs, results[op, "floor"])), ".2f")
            print(f"| {op} | {target.name} | {middle(runs, 'rate'):.0f} | {middle(runs, 'p50'):.2f} | {middle(runs, 'p99'):.2f} | "
                  f"{sum(r['errors'] for r in runs)} | {number(middle(runs, 'server'), '.3f')} | "
                  f"{number(middle(runs, 'database'), '.3f')} | {ratio} |")
    print("\nMedians over the rounds; ratio: median of this server's req/s over the floor's in the same round.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--ops", default=",".join(OPS))
    options = parser.parse_args()
    ops = [op for op in options.ops.split(",") if op in OPS]
    options.reserve = min(5_000, options.rows // 10)
    for tool in (SERVER, BIN / "pgbench", shutil.which("wrk")):
        if not tool or not Path(tool).exists():
            sys.exit("something is missing: use `make bench`")
    folder = Path(tempfile.mkdtemp(prefix="assent-bench-"))
    folder.chmod(0o755)
    (folder / "pg").mkdir()
    database = Database(folder / "pg")
    targets = [Floor(database, options), Server(database, options)]
    results: dict = {}
    try:
        database.start()
        database.psql("postgres", "-c", "create database seed")
        url = f"postgresql://bench@127.0.0.1:{database.port}/seed"
        subprocess.run([SERVER, "migrate"], check=True, stdout=subprocess.DEVNULL,
                       env=os.environ | {"DATABASE_URL": url, "ASSENT_RESOURCES": str(HERE.parent)})
        print(f"seeding {options.rows} pending questions", file=sys.stderr)
        database.psql("seed", "-v", f"n={options.rows}", "-f", str(HERE / "kit-seed.sql"))
        database.psql("seed", "-f", str(HERE / "floor" / "prepare.sql"))
        print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.2f}, 64 connections, 16 pgbench clients, "
              f"{options.rows} rows, {options.seconds} s a run, {options.rounds} rounds")
        for number in range(1, options.rounds + 1):
            for target in targets:
                target.begin()
                target.measure("mixed", 1)
            database.psql("postgres", "-c", "checkpoint")
            for op in ops:
                for target in targets:
                    run = target.measure(op, options.seconds)
                    results.setdefault((op, target.name), []).append(run)
                    print(f"round {number} {op:7} {target.name:7} {run['rate']:8.0f}/s", file=sys.stderr)
            for target in targets:
                target.finish()
        table(ops, targets, results)
    finally:
        targets[1].finish()
        if database.process:
            end(database.process, signal.SIGINT)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
